"""Hunts: how soon the wrong implementations of a surface are found, by whatever draws the cases."""

from __future__ import annotations

import json
import math
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

from parity import strategies
from parity.case import Case
from parity.cli.run import EXAMPLES
from parity.codec import encode
from parity.implementation import ORACLE, REIMPL, Implementation, outcome_of
from parity.judge import Finding, Judge, diverging
from parity.search import Unit, search, visit
from parity.session import Nobody, Plan, units
from parity.shape import fault
from parity.surfaces import chosen
from parity.text import value_text
from tests.miniatures import GALLERY
from tests.power.naive import NAIVE


@dataclass(frozen=True)
class Hunt:
    """What came of one hunt; without a finding, `cases` is infinite."""

    cases: float
    seconds: float
    """CPU time until then: of drawing cases and of giving them to both sides."""
    unit: Unit | None = None
    """The piece of a run that found it."""

    @property
    def found(self) -> bool:
        """Whether the miniature was found."""
        return self.cases < math.inf


def median(hunts: Sequence[Hunt]) -> Hunt:
    """Return the hunt in the middle."""
    return sorted(hunts, key=lambda each: each.cases)[len(hunts) // 2]


def miniatures_of(surface: str) -> dict[str, Implementation]:
    """Return the miniatures of a surface by name."""
    return {name: Implementation(name, f"tests.miniatures:{name}") for name, each in GALLERY.items() if each == surface}


class OverError(BaseException):
    """The end of a hunt: everything is found, or the time is up. No plain exception, which Hypothesis would shrink."""


class Pack:
    """Hunts all miniatures of a surface with the same cases.

    A case does not depend on what was found before, so it is drawn once and harbor is asked once. The clock counts what
    a hunt of one miniature would take: drawing, harbor and, for the miniature, reimpl.
    """

    def __init__(self, surface: str, budget: float = math.inf) -> None:
        self.hunts: dict[str, Hunt] = {}
        self._surface = surface
        self._budget = budget
        self._unit: Unit | None = None
        self._cases = 0
        self._right, self._oracle = REIMPL.load(), ORACLE.load()
        self._hunted = {name: wrong.load() for name, wrong in miniatures_of(surface).items()}
        self._paused = 0.0
        self._started = time.process_time()

    def go_through(self, work: Iterable[Unit]) -> dict[str, Hunt]:
        """Hunt with the cases of these units, as long as there is something to find and time left."""
        with suppress(OverError):
            for self._unit in work:
                visit(self._unit, self.judge)
        missed = Hunt(math.inf, self._seconds())
        return self.hunts | dict.fromkeys(self._hunted, missed)

    def judge(self, inputs: Sequence[Mapping[str, Any]]) -> list[Finding | None]:
        """Give cases to all miniatures that are still hunted."""
        for input in inputs:
            self._judge(input)
            if not self._hunted or self._seconds() >= self._budget:
                raise OverError
        return [None] * len(inputs)

    def _judge(self, input: Mapping[str, Any]) -> None:
        self._cases += 1
        truth = outcome_of(self._oracle, self._surface, input)
        right = outcome_of(self._right, self._surface, input)
        seconds = self._seconds()
        case = Case(self._surface, encode(input))
        assert fault(self._surface, case.input) is None, f"not a case: {input}"
        assert right == truth or diverging(case, right, truth) is None, f"reimpl and harbor differ on {input}"
        for name, wrong in list(self._hunted.items()):
            given = outcome_of(wrong, self._surface, input)
            if given != truth and diverging(case, given, truth) is not None:
                self.hunts[name] = Hunt(self._cases, seconds, self._unit)
                del self._hunted[name]
        self._paused += self._seconds() - seconds

    def _seconds(self) -> float:
        return time.process_time() - self._started - self._paused


# --- What draws the cases ---------------------------------------------------------------------------------------------


def with_run(surface: str, seed: int, budget: float) -> dict[str, Hunt]:
    """Hunt as `parity run` does, to its end whatever the budget."""
    del budget
    return Pack(surface).go_through(units(Plan(chosen([surface]), EXAMPLES, seed, jobs=1)))


def with_exhaustive(surface: str, seed: int, budget: float) -> dict[str, Hunt]:
    """Hunt with the exhaustive tier alone."""
    work = units(Plan(chosen([surface]), EXAMPLES, seed, jobs=1))
    return Pack(surface, budget).go_through(unit for unit in work if unit.tier == "exhaustive")


def with_naive(surface: str, seed: int, budget: float) -> dict[str, Hunt]:
    """Hunt with naive strategies in the place of ours, round after round."""
    work = units(Plan(chosen([surface]), EXAMPLES, seed, jobs=1, minutes=60))
    with patch.object(strategies, surface, NAIVE[surface]):
        return Pack(surface, budget).go_through(unit for unit in work if unit.tier == "generated")


def with_atheris(surface: str, seed: int, budget: float) -> dict[str, Hunt]:
    """Hunt with a coverage-guided fuzzer, each miniature for itself."""
    command = [sys.executable, "-m", "tests.power.fuzzer", surface, str(seed), str(budget)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    told = [json.loads(line) for line in done.stdout.splitlines()]
    return {each["name"]: Hunt(each["cases"] if each["found"] else math.inf, each["seconds"]) for each in told}


COLUMNS = {"run": with_run, "exhaustive": with_exhaustive, "naive": with_naive, "atheris": with_atheris}


def hunt(column: str, surface: str, seed: int, budget: float) -> dict[str, Hunt]:
    """Hunt the miniatures of a surface, each for so many CPU seconds."""
    return COLUMNS[column](surface, seed, budget)


class _First(Nobody):
    """Waits for the first divergence that is as small as it gets."""

    finding: Finding | None = None

    def found(self, finding: Finding) -> None:
        self.finding = finding
        raise OverError


def minimal_size(name: str, unit: Unit) -> int:
    """Return the size of the first minimal case that a run's unit tells of, in characters as a report shows it."""
    first = _First()
    with suppress(OverError):
        search(unit, Judge(miniatures_of(GALLERY[name])[name], ORACLE), first)
    assert first.finding is not None, f"{unit} does not find {name} again"
    return len(value_text(first.finding.case.input))


def warm_up() -> None:
    """Import all that is needed for a finding, and let Hypothesis build its tables, before anything is measured."""
    for surface, naive in NAIVE.items():
        unit = Unit(surface, "generated", 0, examples=20)
        Pack(surface).go_through([unit])
        with patch.object(strategies, surface, naive):
            Pack(surface).go_through([unit])
