"""Replaying the corpus: reimpl against the live oracle, and the live oracle against what was recorded."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from parity.corpus import Entry
from parity.implementation import ORACLE, REIMPL, Answers, Side
from parity.judge import Finding, diverging
from parity.level import Level
from parity.scratch import scratch
from parity.surfaces import LIVE


@dataclass
class Replay:
    """What came of replaying corpus files."""

    entries: list[Entry] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)
    """Time spent, by surface."""
    diverged: list[tuple[Entry, Finding]] = field(default_factory=list)
    """The implementation and the oracle differ."""
    drifted: list[tuple[Entry, Finding]] = field(default_factory=list)
    """The live oracle and the recorded outcome differ: the environment is not the one recorded in."""
    skipped: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Cases that the implementation did not answer, by surface and reason."""
    level: Level = Level.exact
    """How much of an outcome counted."""


def replay(
    entries: Iterable[Entry],
    *,
    sides: tuple[Side, Side] = (REIMPL, ORACLE),
    recorded: bool,
    result: Replay | None = None,
) -> Replay:
    """Replay corpus cases on both sides, or with `recorded` on the first alone, against their expectations.

    A surface that has no live oracle is always replayed against what was recorded. A result that is given holds what
    was done so far, whatever happens.
    """
    result = result or Replay()
    with scratch():
        answers, truth = sides[0].start(), None if recorded else sides[1].start()
        for entry in entries:
            started = time.perf_counter()
            live = truth if entry.case.surface in LIVE else None
            _replay_one(entry, answers, live, result, watch_drift=sides[1] == ORACLE)
            result.entries.append(entry)
            name = entry.case.surface
            result.seconds[name] = result.seconds.get(name, 0.0) + time.perf_counter() - started
    return result


def _replay_one(entry: Entry, answers: Answers, live: Answers | None, result: Replay, *, watch_drift: bool) -> None:
    surface, input = entry.case.surface, entry.case.native()
    [given], truth = answers(surface, [input]), entry.expect
    if live is not None:
        [truth] = live(surface, [input])
        recorded_with = f"Recorded with {entry.oracle}: {entry.note}"
        drift = diverging(entry.case, truth, entry.expect, recorded_with) if watch_drift else None
        if drift:
            result.drifted.append((entry, drift))
    if "skipped" in given:
        result.skipped[surface, given["skipped"]] += 1
    finding = diverging(entry.case, given, truth, "" if entry.is_by_search else entry.note, result.level)
    if finding:
        result.diverged.append((entry, finding))
