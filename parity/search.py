"""Searching one surface: a slice of the exhaustive tier, or a chunk of generated cases."""

from __future__ import annotations

import math
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import batched
from typing import Any, Protocol

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.control import current_build_context
from hypothesis.database import ExampleDatabase, InMemoryExampleDatabase, choices_to_bytes
from hypothesis.errors import Flaky, HypothesisWarning
from hypothesis.strategies import SearchStrategy

from parity import exhaustive, strategies
from parity.judge import MOST, Finding, Judge, news
from parity.memory import KEY, Memory
from parity.reduction import Check, reduced

_TO_SHRINK = KEY + b".secondary"
_TICK = 0.2
GRACE = 60.0
"""Seconds for which what was found is still made small when the time is up."""
_BATCH = 64
"""Exhaustive cases judged at once: a program that answers from afar works while the next are sent."""


class Listener(Protocol):
    """Who hears from a unit at work."""

    def moved(self, surface: str, cases: int) -> None:
        """Hear how many more cases of a surface were judged."""

    def found(self, finding: Finding) -> None:
        """Hear of a divergence, as soon as its case is as small as it gets."""


@dataclass(frozen=True)
class Unit:
    """A piece of work that gives the same cases wherever it runs."""

    surface: str
    tier: str
    """`exhaustive` or `generated`; or `kept`, which only makes findings of the corpus small."""
    part: int
    parts: int = 1
    examples: int = 0
    seed: int = 0
    known: Mapping[str, Finding] = field(default_factory=dict, hash=False)
    """By fingerprint, what has its minimal case already: counted, and not searched for again."""
    kept: tuple[Finding, ...] = field(default=(), hash=False)
    deadline: float = math.inf
    """When the time is up, by the system's steady clock."""
    memory: str = ""
    """Where inputs that diverged are kept from one session to the next: a folder or a Redis address."""


@dataclass
class Result:
    """What came of a unit."""

    unit: Unit
    cases: int = 0
    seconds: float = 0.0
    seen: Counter[str] = field(default_factory=Counter)
    """By fingerprint, how many cases showed it."""
    told: dict[str, Finding] = field(default_factory=dict)
    """By fingerprint, those that were new, as small as they get."""
    retold: dict[str, Finding] = field(default_factory=dict)
    """By fingerprint, those that were known, where the exhaustive tier has a plainer case."""
    skipped: Counter[str] = field(default_factory=Counter)
    """Cases that a side did not answer, by reason."""


def search(unit: Unit, judge: Judge, listener: Listener) -> Result:
    """Do one unit of work."""
    recorder = _Recorder(unit, judge, listener)
    started = time.perf_counter()
    visit(unit, recorder.judge, recorder.shrunk)
    recorder.result.seconds = time.perf_counter() - started
    recorder.result.skipped.update({why: number for (_, why), number in judge.skipped.items()})
    judge.skipped.clear()
    recorder.report()
    return recorder.result


def visit(unit: Unit, check: Check, shrunk: Callable[[Finding], None] = lambda _: None) -> None:
    """Give every input of a unit to a check, and tell of each new fingerprint once its case is as small as it gets.

    One case may show several fingerprints: what is new among them is told, and two that always come together once.
    The exhaustive tier tells also of what was known, if it has a plainer case: its cases are the same in every session.
    """
    trying = _until(unit.deadline + GRACE, check)
    if unit.tier == "generated":
        _generate(unit, trying, shrunk)
    elif unit.tier == "kept":
        known = dict(unit.known)
        for finding in unit.kept:
            known[finding.fingerprint] = least = _least(finding, trying, known)
            shrunk(least)
    else:
        _go_through(unit, check, trying, shrunk)


def _until(deadline: float, check: Check) -> Check:
    """Return a check that finds nothing any more after a time, so that what searches with it comes to its end."""

    def checked(inputs: Sequence[Mapping[str, Any]]) -> list[Finding | None]:
        return check(inputs) if time.monotonic() < deadline else [None] * len(inputs)

    return checked


def _go_through(unit: Unit, check: Check, trying: Check, shrunk: Callable[[Finding], None]) -> None:
    """Judge every case of a slice, and then make small what is new, or plainer than what is known."""
    # Small cases come first, so the plainest that was seen is all but minimal.
    plainest: dict[frozenset[str], Finding] = {}
    for inputs in batched(exhaustive.cases(unit.surface, unit.part, unit.parts), _BATCH):
        for finding in filter(None, check(inputs)):
            shown = frozenset(finding.fingerprints)
            plainest[shown] = _plainer(plainest.get(shown), finding)
    known = dict(unit.known)
    in_order = sorted(plainest.values(), key=lambda finding: finding.size)
    for finding in in_order:
        while len(known) < MOST and (new := news(finding.fingerprints, known)):
            known[new[0]] = least = _least(finding.about(new[0]), trying, known)
            shrunk(least)
    for name, before in unit.known.items():
        others = {other: finding for other, finding in known.items() if other != name}
        plainer = (finding for finding in in_order if finding.size < before.size)
        again = next((finding for finding in plainer if name in news(finding.fingerprints, others)), None)
        if again:
            shrunk(_least(again.about(name), trying, others))


def _least(finding: Finding, check: Check, known: Mapping[str, Finding]) -> Finding:
    """Make a case smaller, unless it would then show its fingerprint in the company of one that was told."""
    least = reduced(finding, check)
    return least if finding.fingerprint in news(least.fingerprints, known) else finding


def _plainer(one: Finding | None, other: Finding) -> Finding:
    return other if one is None else min(one, other, key=lambda finding: finding.size)


def drawn(unit: Unit) -> list[Mapping[str, Any]]:
    """Return every input of a unit."""
    inputs: list[Mapping[str, Any]] = []

    def keep(more: Sequence[Mapping[str, Any]]) -> list[Finding | None]:
        inputs.extend(more)
        return [None] * len(more)

    visit(unit, keep)
    return inputs


class _Recorder:
    """Judges cases, and counts them and what they show."""

    def __init__(self, unit: Unit, judge: Judge, listener: Listener) -> None:
        self.result = Result(unit)
        self._judge = judge
        self._listener = listener
        self._reported = 0
        self._next_tick = time.perf_counter() + _TICK

    def judge(self, inputs: Sequence[Mapping[str, Any]]) -> list[Finding | None]:
        """Judge cases and count what they show."""
        result = self.result
        result.cases += len(inputs)
        if time.perf_counter() >= self._next_tick:
            self.report()
        findings = self._judge.findings(result.unit.surface, inputs)
        for finding in filter(None, findings):
            result.seen.update(finding.fingerprints)
        return findings

    def shrunk(self, finding: Finding) -> None:
        """Take in a minimal case, and tell of it if it shows something new."""
        if finding.fingerprint in self.result.unit.known:
            self.result.retold[finding.fingerprint] = finding
            return
        self.result.told[finding.fingerprint] = finding
        self._listener.found(finding)

    def report(self) -> None:
        """Tell how far the work has come."""
        self._listener.moved(self.result.unit.surface, self.result.cases - self._reported)
        self._reported = self.result.cases
        self._next_tick = time.perf_counter() + _TICK


class _DivergedError(Exception):
    """A divergence, as Hypothesis sees it: one subclass a fingerprint, so that each is shrunk for itself."""


def _generate(unit: Unit, check: Check, shrunk: Callable[[Finding], None]) -> None:
    """Search for divergences until none is new, then shrink each fingerprint once more with the search fixed on it.

    Hypothesis shrinks several faults at once, and leaves some of them larger than need be. The second time it starts
    from the plainest case that was come across, which may lie where the first did not lead.
    """
    memory = Memory(unit.memory, unit.surface) if unit.memory else None
    hunter = _Hunter(check, dict(unit.known))
    recalled = memory.recalled() if memory else []
    while True:
        database = _database(hunter.choices.values(), minimal=recalled)
        hunter.classes.clear()
        # What is recalled counts as tried, and is not to take the place of what is new.
        examples = unit.examples + len(recalled)
        _hypothesise(unit, hunter.test_case, database, (Phase.reuse, Phase.generate, Phase.shrink), examples)
        found = sorted(hunter.classes)
        if not found:
            return
        for name in found:
            first = hunter.minimal[name]
            if name not in news(first.fingerprints, hunter.known):
                continue  # it came with one that was shrunk since: the next round looks for it alone
            hunter.alone, database = name, _database(hunter.ways(name))
            _hypothesise(unit, hunter.test_case, database, (Phase.reuse, Phase.shrink), unit.examples)
            least = _least(_plainer(first, hunter.minimal[name]), check, hunter.known)
            if memory:
                memory.keep(database.fetch(KEY))
            hunter.settle(least)
            shrunk(least)
        if time.monotonic() >= unit.deadline:
            return
        hunter.alone = ""


class _Hunter:
    """What Hypothesis runs: a case fails it that shows a fingerprint that is not known, or the one it is fixed on."""

    def __init__(self, check: Check, known: dict[str, Finding]) -> None:
        self.known = known
        self.alone = ""
        self.classes: dict[str, type[_DivergedError]] = {}
        self.minimal: dict[str, Finding] = {}
        """What Hypothesis came to last, which is what it has shrunk each fingerprint to: the shortest case that it came
        across may be as odd as chance made it."""
        self.choices: dict[str, bytes] = {}
        """What Hypothesis makes the plainest case from, for each fingerprint that has not been shrunk yet: it may have
        been seen by chance, while another was shrunk, and nothing that is drawn again need show it."""
        self._last: dict[str, bytes] = {}
        """What Hypothesis made the minimal case from."""
        self._plainest: dict[str, Finding] = {}
        self._check = check

    def ways(self, name: str) -> set[bytes]:
        """Return what cases are made from that show a fingerprint: there may be none plainer than the minimal one."""
        return {self._last[name], self.choices.get(name, self._last[name])}

    def settle(self, least: Finding) -> None:
        """Take a fingerprint as known, and forget the cases that show nothing else that is new."""
        self.known[least.fingerprint] = least
        for name, finding in list(self._plainest.items()):
            if name not in news(finding.fingerprints, self.known):
                del self._plainest[name], self.choices[name]

    def test_case(self, input: Mapping[str, Any]) -> None:
        """Judge one case."""
        [finding] = self._check([input])
        if finding is None:
            return
        new = news(finding.fingerprints, self.known)
        for name in new:
            now = finding.about(name)
            if _plainer(self._plainest.get(name), now) is now:
                self._plainest[name], self.choices[name] = now, _choices()
        name = next((name for name in new if name == self.alone or not self.alone), "")
        if name and (name in self.classes or len(self.classes) + len(self.known) < MOST):
            self.minimal[name], self._last[name] = finding.about(name), _choices()
            raise self.classes.setdefault(name, type("DivergedError", (_DivergedError,), {}))(name)


def _choices() -> bytes:
    """Return what the case at hand was made from, as an example database holds it."""
    return choices_to_bytes(current_build_context().data.choices)


def _database(inputs: Iterable[bytes], minimal: Iterable[bytes] = ()) -> InMemoryExampleDatabase:
    """Return a database to start from: Hypothesis shrinks what it finds under the second key, and nothing else."""
    database = InMemoryExampleDatabase()
    for key, values in ((KEY, minimal), (_TO_SHRINK, inputs)):
        for each in values:
            database.save(key, each)
    return database


def _hypothesise(
    unit: Unit,
    test_case: Callable[[Mapping[str, Any]], None],
    database: ExampleDatabase,
    phases: Sequence[Phase],
    examples: int,
) -> None:
    configured = settings(
        max_examples=examples,
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
    searching = configured(seeded(given(strategy)(test_case)))
    # As `find` does it: the key would else follow from the source of test_case, and change with it.
    searching._hypothesis_internal_database_key = KEY  # type: ignore[attr-defined]  # noqa: SLF001
    try:
        with warnings.catch_warnings():
            # Hypothesis remarks on the size of an input, and being large is what some cases are about.
            warnings.simplefilter("ignore", HypothesisWarning)
            searching()
    except (_DivergedError, Flaky):
        pass  # the recorder holds the finding, and its plainest case
    except BaseExceptionGroup as group:
        _, unexpected = group.split((_DivergedError, Flaky))
        if unexpected is not None:
            raise unexpected from None
