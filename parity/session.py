"""A session: corpus, exhaustive tier and generated cases on the chosen surfaces, summed up in one report."""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain, count, islice
from typing import Protocol

from parity import exhaustive
from parity.corpus import Entry
from parity.doubt import Doubt
from parity.implementation import ORACLE, REIMPL, Side
from parity.judge import Finding, news
from parity.level import Level
from parity.pool import search_all
from parity.replay import Replay, replay
from parity.search import Unit
from parity.surfaces import LIVE, Surface
from parity.tally import Report, Tally

CHUNK = 500
"""Generated cases in a unit: small enough to keep all cores busy, large enough for Hypothesis to warm up."""
SLICES = 4
"""Units into which a surface's exhaustive tier is cut."""


@dataclass(frozen=True)
class Plan:
    """What a session is to compare."""

    surfaces: list[Surface]
    examples: int
    seed: int
    jobs: int
    minutes: float | None = None
    """Go on generating for this long; `examples` is then the size of a round."""
    sides: tuple[Side, Side] = (REIMPL, ORACLE)
    shard: tuple[int, int] = (1, 1)
    """Which part of the work this is, of how many."""
    memory: str = ""
    """Where inputs that diverged are kept from one session to the next."""
    level: Level = Level.exact
    """How much of an outcome counts."""

    def expected(self) -> dict[str, int | None]:
        """Return how many cases each surface will have; None where a time limit or the other shards decide."""
        searched = [surface.name for surface in self.surfaces if surface.name in LIVE]
        open_ended = self.minutes is not None or self.shard[1] > 1
        return {name: None if open_ended else exhaustive.count(name) + self.generated(name) for name in searched}

    def deadline(self) -> float:
        """Return when the time is up, by the system's steady clock, if the work begins now."""
        return math.inf if self.minutes is None else time.monotonic() + self.minutes * 60

    def generated(self, surface: str) -> int:
        """Return how many cases a round generates on a surface: fewer where a case takes long."""
        return self.examples // LIVE[surface].weight


class Watcher(Protocol):
    """Who wants to know how a session goes on."""

    def replayed(self, replay: Replay) -> None:
        """Hear what became of the cases that were kept."""

    def moved(self, surface: str, cases: int) -> None:
        """Hear how many more cases of a surface were judged."""

    def found(self, finding: Finding) -> None:
        """Hear of a divergence that is as small as it gets; of the same one again if a plainer case turns up."""


class Nobody:
    """A watcher that does not care."""

    def replayed(self, replay: Replay) -> None:
        """Ignore it."""

    def moved(self, surface: str, cases: int) -> None:
        """Ignore it."""

    def found(self, finding: Finding) -> None:
        """Ignore it."""


def compare(plan: Plan, entries: Iterable[Entry], watcher: Watcher, own: Iterable[Entry] = ()) -> Report:
    """Replay the corpus files, of which shards take turns, and those of earlier sessions here, then search."""
    report = Report(plan, {surface.name: Tally(surface.name) for surface in plan.surfaces}, Replay(level=plan.level))
    listener = _Listener(report, watcher)
    try:
        _replay(report, entries, own)
        watcher.replayed(report.replayed)
        listener.kept = {finding.fingerprint: finding for finding in report.findings}
        before = _shrunk_before(report)
        listener.tell([finding for told in before.values() for finding in told.values()])
        deadline = plan.deadline()
        _search(report, listener, islice(units(plan, deadline), plan.shard[0] - 1, None, plan.shard[1]), before)
        _search(report, listener, _kept(report, deadline), {name: {} for name in before})
        listener.tell(report.findings)
    except KeyboardInterrupt:
        report.stopped = True  # what was found so far is still reported
        for finding in listener.told.values():  # by a unit that did not end, too
            report.tallies[finding.case.surface].add(finding)
        listener.tell([])
    for tally in report.tallies.values():
        settled = listener.doubt.settled(list(tally.findings.values()))
        tally.findings = {finding.fingerprint: finding for finding in settled}
    return report


def _replay(report: Report, entries: Iterable[Entry], own: Iterable[Entry]) -> None:
    """Replay a shard's share of the corpus, and all that searches found: so no shard searches for it again."""
    chosen, ours = ([entry for entry in some if entry.case.surface in report.tallies] for some in (entries, own))
    number, of = report.plan.shard
    share = chosen[number - 1 :: of]
    elsewhere = {entry.path: entry for entry in chosen if entry.is_by_search and of > 1}
    for entry in share:
        elsewhere.pop(entry.path, None)
    # Without a live surface harbor is not needed.
    recorded = not any(name in LIVE for name in report.tallies)
    result = Replay(level=report.plan.level)
    try:
        replay([*share, *elsewhere.values(), *ours], sides=report.plan.sides, recorded=recorded, result=result)
    finally:
        report.take_replay(result, elsewhere)


def _shrunk_before(report: Report) -> dict[str, dict[str, Finding]]:
    """Return, by surface and fingerprint, the minimal cases that an earlier search left."""
    searched = {name: Tally(name) for name in report.tallies}
    for entry, finding in sorted(report.replayed.diverged, key=lambda pair: pair[1].size):
        if entry.is_by_search:
            searched[finding.case.surface].add(finding)
    return {name: tally.findings for name, tally in searched.items()}


def _kept(report: Report, deadline: float) -> Iterator[Unit]:
    """Yield what makes cases small that somebody wrote, where the search came upon none of its own."""
    written = {entry.case.id for entry, _ in report.replayed.diverged if not entry.is_by_search}
    for name, tally in report.tallies.items():
        kept = tuple(finding for finding in tally.findings.values() if finding.case.id in written)
        if kept and name in LIVE:
            others = {told: finding for told, finding in tally.findings.items() if finding not in kept}
            yield Unit(name, "kept", 0, known=others, kept=kept, deadline=deadline)


def _search(
    report: Report, listener: _Listener, work: Iterator[Unit], before: Mapping[str, Mapping[str, Finding]]
) -> None:
    plan = report.plan
    found = search_all(work, plan.sides, listener, jobs=plan.jobs, hash_seed=plan.seed, known=before, level=plan.level)
    for result in found:
        report.tallies[result.unit.surface].take(result)


class _Listener:
    """Hears from the workers; a divergence is doubted before the watcher is told of it, once."""

    def __init__(self, report: Report, watcher: Watcher) -> None:
        self.moved = watcher.moved
        self.doubt = Doubt(report.plan.sides[1], report.plan.seed)
        self._watcher = watcher
        self.told: dict[str, Finding] = {}
        self.kept: dict[str, Finding] = {}
        """What replaying showed: it is told in the place of what a search finds that is no plainer."""
        self._unheard: dict[str, Finding] = {}
        """What the watcher has not heard of yet, if doubting it was interrupted."""

    def tell(self, findings: list[Finding]) -> None:
        """Tell of the divergences that are new, or plainer than they were."""
        for finding in filter(self._is_news, map(self._plainest, findings)):
            self.told[finding.fingerprint] = self._unheard[finding.fingerprint] = finding
        for finding in self.doubt.settled(list(self._unheard.values())):
            self.told[finding.fingerprint] = finding
            self._watcher.found(finding)
            del self._unheard[finding.fingerprint]

    def _plainest(self, finding: Finding) -> Finding:
        kept = self.kept.get(finding.fingerprint, finding)
        return min(kept, finding, key=lambda each: each.size)

    def _is_news(self, finding: Finding) -> bool:
        if before := self.told.get(finding.fingerprint):
            return finding.size < before.size
        return finding.fingerprint in news(finding.fingerprints, self.told)


def units(plan: Plan, deadline: float | None = None) -> Iterator[Unit]:
    """Yield the session's work in an order that depends on nothing but the plan.

    A first chunk of generated cases comes before the exhaustive tier, because it finds most faults sooner.
    """
    deadline = plan.deadline() if deadline is None else deadline
    names = [surface.name for surface in plan.surfaces if surface.name in LIVE]
    tier = chain.from_iterable(_exhaustive_units(name) for name in names if exhaustive.count(name))
    rest = _round(plan, names, 0)
    begin = list(islice(rest, len(names)))
    # Without a generated case there would be no end to rounds.
    later = chain.from_iterable(_round(plan, names, number) for number in count(1)) if begin else iter(())
    for unit in chain(begin, tier, rest, later if plan.minutes is not None else ()):
        if time.monotonic() >= deadline:
            return
        yield replace(unit, deadline=deadline)


def _exhaustive_units(surface: str) -> Iterator[Unit]:
    return (Unit(surface, "exhaustive", part, SLICES) for part in range(SLICES))


def _round(plan: Plan, names: list[str], number: int) -> Iterator[Unit]:
    """Yield one round of generated cases, surfaces taking turns so that a time limit treats them alike."""
    for start in range(0, plan.examples, CHUNK):
        for name in names:
            words = f"{plan.seed}/{number}/{name}/{start}"
            seed = int.from_bytes(hashlib.sha256(words.encode()).digest()[:8], "big")
            if size := min(CHUNK, plan.examples - start) // LIVE[name].weight:
                yield Unit(name, "generated", start // CHUNK, examples=size, seed=seed, memory=plan.memory)
