"""A session: corpus, exhaustive tier and generated cases on the chosen surfaces, summed up in one report."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, count
from typing import Protocol

from parity import exhaustive
from parity.corpus import Entry
from parity.implementation import ORACLE, REIMPL, Implementation
from parity.pool import search_all
from parity.replay import replay
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
    sides: tuple[Implementation, Implementation] = (REIMPL, ORACLE)

    def expected(self) -> dict[str, int | None]:
        """Return how many cases each surface will have; None where a time limit decides."""
        searched = [surface.name for surface in self.surfaces if surface.name in LIVE]
        return {name: None if self.minutes is not None else exhaustive.count(name) + self.examples for name in searched}


class Watcher(Protocol):
    """Who wants to know how a session goes on."""

    def moved(self, surface: str, cases: int) -> None:
        """Hear how many more cases of a surface were judged."""

    def found(self, surface: str, number: int) -> None:
        """Hear how many divergences a surface has so far."""


class Nobody:
    """A watcher that does not care."""

    def moved(self, surface: str, cases: int) -> None:
        """Ignore it."""

    def found(self, surface: str, number: int) -> None:
        """Ignore it."""


def compare(plan: Plan, entries: Iterable[Entry], watcher: Watcher) -> Report:
    """Replay the corpus files, then search the plan's surfaces."""
    tallies = {surface.name: Tally(surface.name) for surface in plan.surfaces}
    chosen = [entry for entry in entries if entry.case.surface in tallies]
    # Without a live surface harbor is not needed.
    recorded = not any(surface.name in LIVE for surface in plan.surfaces)
    replayed = replay(chosen, implementation=plan.sides[0], recorded=recorded)
    for entry in replayed.entries:
        tallies[entry.case.surface].corpus += 1
    for name, seconds in replayed.seconds.items():
        tallies[name].seconds += seconds
    for entry, finding in replayed.diverged:
        tallies[entry.case.surface].add(finding)
    report = Report(plan, tallies, replayed)
    try:
        for result in search_all(units(plan), plan.sides, plan.jobs, plan.seed, watcher.moved):
            tally = tallies[result.unit.surface]
            tally.take(result)
            watcher.found(tally.surface, len(tally.findings))
    except KeyboardInterrupt:
        report.stopped = True  # what was found so far is still reported
    return report


def units(plan: Plan) -> Iterator[Unit]:
    """Yield the session's work in an order that depends on nothing but the plan."""
    names = [surface.name for surface in plan.surfaces if surface.name in LIVE]
    first = chain.from_iterable(_exhaustive_units(name) for name in names if exhaustive.count(name))
    if plan.minutes is None:
        yield from chain(first, _round(plan, names, 0))
        return
    deadline = time.monotonic() + plan.minutes * 60
    for unit in chain(first, chain.from_iterable(_round(plan, names, number) for number in count())):
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
            yield Unit(name, "generated", start // CHUNK, examples=min(CHUNK, plan.examples - start), seed=seed)
