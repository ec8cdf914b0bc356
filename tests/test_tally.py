"""What units found is summed up so that each divergence is told once, in its plainest case, and none is lost."""

from __future__ import annotations

from parity.case import Case
from parity.judge import Finding, diverging
from parity.search import Result, Unit
from parity.tally import Tally


def finding(*kinds: str, length: int = 1) -> Finding:
    """Return a finding with divergences of these kinds, `int` or `bool`, about the first of them."""
    wrong = {"dict": [[kind, {"int": "1"} if kind == "int" else True] for kind in kinds]}
    right = {"dict": [[kind, {"float": "1.0"}] for kind in kinds]}
    found = diverging(Case("metric", {"metric": "max", "rewards": [None] * length}), {"value": wrong}, {"value": right})
    assert found
    return next(found.about(name) for name in found.fingerprints if kinds[0] in name)


def result(*told: Finding, retold: tuple[Finding, ...] = (), tier: str = "generated") -> Result:
    found = Result(Unit("metric", tier, 0), cases=1)
    found.told = {each.fingerprint: each for each in told}
    found.retold = {each.fingerprint: each for each in retold}
    found.seen.update(name for each in (*told, *retold) for name in each.fingerprints)
    return found


INT, BOOL = finding("int").fingerprint, finding("bool").fingerprint


def told(tally: Tally) -> dict[str, tuple[int, int]]:
    return {name: (len(each.case.input["rewards"]), each.seen) for name, each in tally.findings.items()}


class TestTake:
    """The results of units that did not know of each other are one."""

    def test_the_plainer_case_is_kept_and_both_are_counted(self) -> None:
        tally = Tally("metric")
        for length in (2, 1, 3):
            tally.take(result(finding("int", length=length)))
        assert told(tally) == {INT: (1, 3)}
        assert tally.generated == 3

    def test_what_a_case_shows_as_well_is_not_told_again(self) -> None:
        tally = Tally("metric")
        tally.take(result(finding("int", "bool")))
        tally.take(result(finding("bool", "int")))
        assert told(tally) == {INT: (1, 2)}

    def test_what_only_the_longer_case_shows_is_not_lost(self) -> None:
        tally = Tally("metric")
        tally.take(result(finding("int", "bool", length=2)))
        tally.take(result(finding("int")))
        assert set(told(tally)) == {INT, BOOL}
        assert told(tally)[INT] == (1, 2)

    def test_a_case_of_the_exhaustive_tier_takes_the_place_of_a_longer_one(self) -> None:
        tally = Tally("metric")
        tally.take(result(finding("int", length=2)))
        tally.take(result(retold=(finding("int"), finding("bool")), tier="exhaustive"))
        assert told(tally) == {INT: (1, 2)}
