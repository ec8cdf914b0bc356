"""What units found is summed up so that each divergence is told once, in its plainest case, and none is lost."""

from __future__ import annotations

from dataclasses import replace

from parity import exhaustive
from parity.judge import MOST, Finding
from parity.known import Known
from parity.report_json import report_json
from parity.search import Result, Unit
from parity.summary import found_items
from parity.tally import Tally
from tests.hunts import report, two_places


def result(*told: Finding, retold: tuple[Finding, ...] = (), tier: str = "generated") -> Result:
    found = Result(Unit("metric", tier, 0, parts=exhaustive.count("metric")), cases=1)
    found.told = {each.fingerprint: each for each in told}
    found.retold = {each.fingerprint: each for each in retold}
    found.seen.update(name for each in (*told, *retold) for name in each.fingerprints)
    return found


INT, BOOL, STR = (two_places(kind).fingerprint for kind in ("int", "bool", "str"))


def told(tally: Tally) -> dict[str, tuple[int, int]]:
    return {name: (len(each.case.input["rewards"]), tally.seen[name]) for name, each in tally.findings.items()}


class TestTake:
    """The results of units that did not know of each other are one."""

    def test_the_plainer_case_is_kept_and_both_are_counted(self) -> None:
        tally = Tally("metric")
        for length in (2, 1, 3):
            tally.take(result(two_places("int", length=length)))
        assert told(tally) == {INT: (1, 3)}
        assert tally.generated == 3

    def test_what_a_case_shows_as_well_is_not_told_again(self) -> None:
        tally = Tally("metric")
        tally.take(result(two_places("int", "bool")))
        tally.take(result(two_places("bool", "int")))
        assert told(tally) == {INT: (1, 2)}

    def test_what_only_the_longer_case_shows_is_not_lost(self) -> None:
        tally = Tally("metric")
        tally.take(result(two_places("int", "bool", length=2)))
        tally.take(result(two_places("int")))
        assert set(told(tally)) == {INT, BOOL}
        assert told(tally)[INT] == (1, 2)

    def test_what_comes_alone_as_well_is_told_for_itself(self) -> None:
        for results in ([("int", "bool"), ("bool",)], [("bool",), ("int", "bool")]):
            tally = Tally("metric")
            for number, kinds in enumerate(results, start=1):
                tally.take(result(two_places(*kinds, length=number)))
            assert set(told(tally)) == {INT, BOOL}

    def test_a_case_of_the_exhaustive_tier_takes_the_place_of_a_longer_one(self) -> None:
        tally = Tally("metric")
        tally.take(result(two_places("int", length=2)))
        tally.take(result(retold=(two_places("int"),), tier="exhaustive"))
        assert told(tally) == {INT: (1, 2)}


class TestCounts:
    """What was compared is told by where it came from."""

    def test_what_is_tried_to_make_a_case_smaller_is_none_of_the_small_inputs(self) -> None:
        tally = Tally("metric")
        taken = replace(result(tier="exhaustive"), cases=10)
        tally.take(taken)
        tally.take(result())
        assert (tally.exhaustive, tally.generated, tally.cases) == (1, 10, 11)


class TestWhole:
    """A report says why it is not all that there is to compare."""

    def test_so_much_diverges_that_no_more_is_looked_for(self) -> None:
        tally = Tally("metric")
        tally.findings = {str(number): two_places("int") for number in range(MOST)}
        made = report(surface="metric")
        assert made.partial == ""
        made.tallies["metric"] = tally
        assert made.partial == "no more than about 100 divergences of metric were looked for"


class TestExcuses:
    """A known divergence does not excuse what stands beside it."""

    def judged(self, *known: str, told: tuple[Finding, ...]) -> tuple[list[str], int]:
        """Return what is blamed under which name, and how a run ends that lists these fingerprints."""
        made = report(*told, surface="metric")
        made.known = [Known(name, "It is known.", made.today) for name in known]
        return [item.finding.fingerprint for item in found_items(made) if not item.remark], made.exit_code

    def test_all_of_a_case_must_be_known(self) -> None:
        both = two_places("int", "bool")
        assert self.judged(INT, told=(both,)) == ([BOOL], 1)
        assert self.judged(BOOL, told=(both,)) == ([INT], 1)
        assert self.judged(INT, BOOL, told=(both,)) == ([], 0)

    def test_a_known_divergence_occurs_also_where_only_another_is_told(self) -> None:
        made = report(two_places("int", "bool"), surface="metric")
        made.known = [Known(name, "It is known.", made.today) for name in (BOOL, STR)]
        assert [each["occurs"] for each in report_json(made)["known"]] == [True, False]
        assert [each.fingerprint for each in made.stale] == [STR]

    def test_what_stands_beside_two_is_blamed_once(self) -> None:
        assert self.judged(INT, STR, told=(two_places("int", "bool"), two_places("str", "bool"))) == ([BOOL], 1)

    def test_what_has_a_case_of_its_own_is_blamed_there(self) -> None:
        told = (two_places("int", "bool"), two_places("bool", length=2))
        assert self.judged(INT, told=told) == ([BOOL], 1)
        assert self.judged(BOOL, told=told) == ([INT], 1)
        assert self.judged(INT, BOOL, told=told) == ([], 0)
