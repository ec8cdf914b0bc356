"""Searching one surface: a slice of the exhaustive tier, or a chunk of generated cases."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.database import ExampleDatabase, InMemoryExampleDatabase
from hypothesis.errors import Flaky, HypothesisWarning
from hypothesis.strategies import SearchStrategy

from parity import exhaustive, strategies
from parity.judge import Finding, Judge, merged

Progress = Callable[[int], None]
"""Called with the number of cases judged since the last call."""

_TICK = 0.2


@dataclass(frozen=True)
class Unit:
    """A piece of work that gives the same cases wherever it runs."""

    surface: str
    tier: str
    """`exhaustive` or `generated`."""
    part: int
    parts: int = 1
    examples: int = 0
    seed: int = 0
    known: frozenset[str] = frozenset()
    """Fingerprints that have their minimal case already: counted, and not shrunk again."""


@dataclass
class Result:
    """What came of a unit."""

    unit: Unit
    cases: int = 0
    seconds: float = 0.0
    findings: dict[str, Finding] = field(default_factory=dict)


def search(unit: Unit, judge: Judge, progress: Progress) -> Result:
    """Do one unit of work."""
    recorder = _Recorder(unit, judge, progress)
    started = time.perf_counter()
    visit(unit, recorder.judge)
    recorder.result.seconds = time.perf_counter() - started
    recorder.report()
    return recorder.result


def visit(unit: Unit, check: Callable[[Mapping[str, Any]], Finding | None]) -> None:
    """Give every input of a unit to a check; what it finds is shrunk."""
    if unit.tier == "generated":
        _generate(unit, check)
        return
    for input in exhaustive.cases(unit.surface, unit.part, unit.parts):
        check(input)


class _Recorder:
    """Judges cases, counts them, and keeps the plainest finding of each fingerprint."""

    def __init__(self, unit: Unit, judge: Judge, progress: Progress) -> None:
        self.result = Result(unit)
        self._judge = judge
        self._progress = progress
        self._reported = 0
        self._next_tick = time.perf_counter() + _TICK

    def judge(self, input: Mapping[str, Any]) -> Finding | None:
        """Judge one case and remember what it shows."""
        result = self.result
        result.cases += 1
        if time.perf_counter() >= self._next_tick:
            self.report()
        finding = self._judge.finding(result.unit.surface, input)
        if finding is not None:
            before = result.findings.get(finding.fingerprint)
            result.findings[finding.fingerprint] = merged(before, finding) if before else finding
        return finding

    def report(self) -> None:
        """Tell how far the work has come."""
        self._progress(self.result.cases - self._reported)
        self._reported = self.result.cases
        self._next_tick = time.perf_counter() + _TICK


class _Memory(InMemoryExampleDatabase):
    """Keeps every input that once diverged: one that shows another fingerprint is not to be forgotten."""

    def delete(self, key: bytes, value: bytes) -> None:
        """Forget nothing."""


class _DivergedError(Exception):
    """A divergence, as Hypothesis sees it: one subclass a fingerprint, so that each is shrunk for itself."""


def _generate(unit: Unit, check: Callable[[Mapping[str, Any]], Finding | None]) -> None:
    """Search for divergences, then shrink each fingerprint once more with the search fixed on it.

    Hypothesis shrinks several faults at once, and leaves some of them larger than need be; the second time it starts
    from where it stopped.
    """
    classes: dict[str, type[_DivergedError]] = {}
    database = _Memory()
    alone: str | None = None

    def test_case(input: Mapping[str, Any]) -> None:
        finding = check(input)
        name = finding.fingerprint if finding is not None else None
        if name is None or name in unit.known or alone not in (None, name):
            return
        raise classes.setdefault(name, type("DivergedError", (_DivergedError,), {}))(name)

    _hypothesise(unit, test_case, database, (Phase.generate, Phase.shrink))
    for name in sorted(classes) if len(classes) > 1 else ():
        alone = name
        _hypothesise(unit, test_case, database, (Phase.reuse, Phase.shrink))


def _hypothesise(
    unit: Unit, test_case: Callable[[Mapping[str, Any]], None], database: ExampleDatabase, phases: Sequence[Phase]
) -> None:
    configured = settings(
        max_examples=unit.examples,
        database=database,
        deadline=None,
        derandomize=False,
        phases=phases,
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=True,
        print_blob=False,
    )
    strategy: SearchStrategy[Mapping[str, Any]] = getattr(strategies, unit.surface)()
    seeded: Callable[[Callable[..., None]], Callable[..., None]] = seed(unit.seed)
    try:
        with warnings.catch_warnings():
            # Hypothesis remarks on the size of an input, and being large is what some cases are about.
            warnings.simplefilter("ignore", HypothesisWarning)
            configured(seeded(given(strategy)(test_case)))()
    except (_DivergedError, Flaky):
        pass  # the recorder holds the finding, and its plainest case
    except BaseExceptionGroup as group:
        _, unexpected = group.split((_DivergedError, Flaky))
        if unexpected is not None:
            raise unexpected from None
