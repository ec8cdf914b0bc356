"""A session finds what there is to find, whatever the number of workers, and says the same each time."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from parity import exhaustive, session
from parity.codec import encode
from parity.corpus import Entry
from parity.doubt import Doubt
from parity.implementation import ORACLE, REIMPL, Implementation
from parity.judge import Finding
from parity.search import Result
from parity.session import Nobody, Plan, compare, units
from parity.surfaces import LIVE, chosen
from parity.tally import Report
from tests.cli import ROOT
from tests.hunts import FINGERPRINT, low_threshold

WRONG = Implementation("wrong", "tests.doors:low_threshold")


def session_of(
    surface: str, examples: int, jobs: int, implementation: Implementation = REIMPL, seed: int = 0
) -> Report:
    plan = Plan(chosen([surface]), examples, seed, jobs, sides=(implementation, ORACLE))
    return compare(plan, [], Nobody())


def told(report: Report) -> list[tuple[str, str]]:
    return [(finding.fingerprint, finding.case.id) for finding in report.findings]


class TestPlan:
    """The work depends on the plan alone."""

    def test_seeds_differ_between_surfaces_and_chunks(self) -> None:
        generated = [unit for unit in units(Plan(chosen(None), 2000, 0, 1)) if unit.tier == "generated"]
        assert len({unit.seed for unit in generated}) == len(generated)
        assert sum(unit.examples for unit in generated) == sum(2000 // surface.weight for surface in LIVE.values())

    def test_another_seed_gives_other_seeds(self) -> None:
        one, other = ({unit.seed for unit in units(Plan(chosen(None), 500, seed, 1))} for seed in (1, 2))
        assert one & other <= {0}

    def test_the_slices_of_the_exhaustive_tier_cover_it_once(self) -> None:
        for name in LIVE:
            whole = [str(case) for case in exhaustive.cases(name, 0, 1)][:2000]
            parts = [[str(case) for case in exhaustive.cases(name, part, 3)][:700] for part in range(3)]
            assert [parts[i % 3][i // 3] for i in range(min(len(whole), 2000))] == whole

    def test_a_time_limit_ends_the_work(self) -> None:
        assert list(units(Plan(chosen(["metric"]), 500, 0, 1, minutes=0))) == []

    @pytest.mark.parametrize(("surface", "examples"), [("rubric", 500), ("job_run", 4), ("min_reward", 0)])
    def test_it_ends_before_the_time_is_up_if_there_is_nothing_to_generate(self, surface: str, examples: int) -> None:
        work = list(units(Plan(chosen([surface]), examples, 0, 1, minutes=60)))
        assert {unit.tier for unit in work} <= {"exhaustive"}


class Heard(Nobody):
    """Remembers what it was told of."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []

    def found(self, finding: Finding) -> None:
        self.findings.append(finding)


class TestKept:
    """What the corpus shows is not found again."""

    @pytest.mark.parametrize(("found", "told"), [(-1000, -10), (-2, -2)])
    def test_the_plainest_case_is_told(self, found: int, told: int, monkeypatch: pytest.MonkeyPatch) -> None:
        def search_all(_: Any, __: Any, listener: Any, **___: Any) -> Iterator[Result]:
            listener.tell([low_threshold(found)])
            return iter(())

        monkeypatch.setattr(session, "search_all", search_all)
        shown, heard = low_threshold(-10), Heard()
        by_hand = Entry(Path("by-hand.json"), shown.case, "Somebody wrote it.", shown.b, {}, "fact 1")
        compare(Plan(chosen(["min_reward"]), 1, 1, 1, sides=(REIMPL, WRONG)), [by_hand], heard)
        assert [each.case.input["min_reward"] for each in heard.findings] == [encode(told)]


class TestInterrupted:
    """What was found is told, whenever the session is interrupted."""

    def test_also_while_a_finding_is_doubted(self, monkeypatch: pytest.MonkeyPatch) -> None:
        settled = Doubt.settled
        interrupts = iter([KeyboardInterrupt])

        def once(doubt: Doubt, findings: Sequence[Finding]) -> list[Finding]:
            if findings and (interrupt := next(interrupts, None)):
                raise interrupt
            return settled(doubt, findings)

        monkeypatch.setattr(Doubt, "settled", once)
        heard = Heard()
        report = compare(Plan(chosen(["min_reward"]), 200, 1, 1, sides=(REIMPL, WRONG)), [], heard)
        assert report.stopped
        names = [[finding.fingerprint for finding in findings] for findings in (heard.findings, report.findings)]
        assert names == [[FINGERPRINT]] * 2


class TestGenerated:
    """The cases of a seed are the same wherever they are drawn."""

    def test_what_else_is_imported_does_not_matter(self) -> None:
        program = (
            "{first}\n"
            "from parity.search import Unit, drawn\n"
            "from parity.codec import canonical, encode\n"
            "for x in drawn(Unit('metric', 'generated', 0, examples=200, seed=7)): print(canonical(encode(x)))\n"
        )
        imports = ("import sys", "import oracle.job_result, reimpl.door, parity.cli, tests.miniatures")
        drawn = [
            subprocess.run(
                [sys.executable, "-c", program.format(first=first)], cwd=ROOT, capture_output=True, check=True
            )
            for first in imports
        ]
        assert len(drawn[0].stdout.splitlines()) == 200
        assert drawn[0].stdout == drawn[1].stdout


class TestFaults:
    """A planted fault is found and shrunk to a case a person can read."""

    def test_the_number_of_workers_does_not_change_what_is_found(self) -> None:
        wrong = Implementation("wrong", "tests.miniatures:naive_summation")
        alone, together = (session_of("metric", 1000, jobs, wrong) for jobs in (1, 2))
        assert told(alone)
        assert {fingerprint for fingerprint, _ in told(alone)} == {fingerprint for fingerprint, _ in told(together)}

    def test_the_case_that_is_told_is_the_same_whatever_the_seed(self) -> None:
        """It is what a fault is shrunk to, and not the shortest case that chance has made on the way."""
        wrong = Implementation("wrong", "tests.miniatures:closed_form")
        one, other = (told(session_of("pass_at_k", 1000, 2, wrong, seed)) for seed in (1, 2))
        assert len(one) == 1
        assert one == other

    def test_reimpl_has_none(self) -> None:
        report = session_of("min_reward", 500, 2)
        assert report.findings == []
        assert report.tallies["min_reward"].generated >= 400
