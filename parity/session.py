"""A session: corpus, exhaustive tier and generated cases on the chosen surfaces, summed up in one report."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
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
    report = Report(plan, {surface.name: Tally(surface.name) for surface in plan.surfaces}, Replay())
    listener = _Listener(report, watcher)
    number, of = plan.shard
    work = islice(units(plan), number - 1, None, of)
    try:
        _replay(report, [*_of_ours(report, entries)[number - 1 :: of], *_of_ours(report, own)])
        watcher.replayed(report.replayed)
        listener.tell(report.findings)
        known = _shrunk_before(report)
        found = search_all(
            work, plan.sides, listener, jobs=plan.jobs, hash_seed=plan.seed, known=known, level=plan.level
        )
        for result in found:
            report.tallies[result.unit.surface].take(result)
    except KeyboardInterrupt:
        report.stopped = True  # what was found so far is still reported
        for finding in listener.told.values():  # by a unit that did not end, too
            report.tallies[finding.case.surface].findings.setdefault(finding.fingerprint, finding)
    listener.tell(report.findings)
    for tally in report.tallies.values():
        settled = listener.doubt.settled(list(tally.findings.values()))
        tally.findings = {finding.fingerprint: finding for finding in settled}
    return report


def _of_ours(report: Report, entries: Iterable[Entry]) -> list[Entry]:
    return [entry for entry in entries if entry.case.surface in report.tallies]


def _replay(report: Report, entries: list[Entry]) -> None:
    # Without a live surface harbor is not needed.
    recorded = not any(name in LIVE for name in report.tallies)
    report.replayed = replay(entries, sides=report.plan.sides, recorded=recorded, level=report.plan.level)
    for entry in report.replayed.entries:
        report.tallies[entry.case.surface].corpus += 1
    for name, seconds in report.replayed.seconds.items():
        report.tallies[name].seconds += seconds
    # The plainest first: what it shows is known, and a case that shows more is kept for that.
    for entry, finding in sorted(report.replayed.diverged, key=lambda pair: pair[1].size):
        report.tallies[entry.case.surface].add(finding)
    for (name, why), skipped in report.replayed.skipped.items():
        report.tallies[name].skipped[why] += skipped


def _shrunk_before(report: Report) -> dict[str, dict[str, Finding]]:
    """Return, by surface and fingerprint, the minimal cases that an earlier search left."""
    searched = {name: Tally(name) for name in report.tallies}
    for entry, finding in sorted(report.replayed.diverged, key=lambda pair: pair[1].size):
        if entry.is_by_search:
            searched[finding.case.surface].add(finding)
    return {name: tally.findings for name, tally in searched.items()}


class _Listener:
    """Hears from the workers; a divergence is doubted before the watcher is told of it, once."""

    def __init__(self, report: Report, watcher: Watcher) -> None:
        self.moved = watcher.moved
        self.doubt = Doubt(report.plan.sides[1], report.plan.seed)
        self._watcher = watcher
        self.told: dict[str, Finding] = {}
        self._unheard: dict[str, Finding] = {}
        """What the watcher has not heard of yet, if doubting it was interrupted."""

    def found(self, finding: Finding) -> None:
        """Take in a divergence as soon as a worker has shrunk it."""
        self.tell([finding])

    def tell(self, findings: list[Finding]) -> None:
        """Tell of the divergences that are new, or plainer than they were."""
        for finding in filter(self._is_news, findings):
            self.told[finding.fingerprint] = self._unheard[finding.fingerprint] = finding
        for finding in self.doubt.settled(list(self._unheard.values())):
            self.told[finding.fingerprint] = finding
            self._watcher.found(finding)
            del self._unheard[finding.fingerprint]

    def _is_news(self, finding: Finding) -> bool:
        if before := self.told.get(finding.fingerprint):
            return finding.size < before.size
        return finding.fingerprint in news(finding.fingerprints, self.told)


def units(plan: Plan) -> Iterator[Unit]:
    """Yield the session's work in an order that depends on nothing but the plan.

    A first chunk of generated cases comes before the exhaustive tier, because it finds most faults sooner.
    """
    names = [surface.name for surface in plan.surfaces if surface.name in LIVE]
    tier = chain.from_iterable(_exhaustive_units(name) for name in names if exhaustive.count(name))
    first = list(_round(plan, names, 0))
    begin, rest = first[: len(names)], first[len(names) :]
    if plan.minutes is None:
        yield from chain(begin, tier, rest)
        return
    later = chain.from_iterable(_round(plan, names, number) for number in count(1)) if first else iter(())
    deadline = time.monotonic() + plan.minutes * 60
    for unit in chain(begin, tier, rest, later):
        if time.monotonic() >= deadline:
            return
        yield unit


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
