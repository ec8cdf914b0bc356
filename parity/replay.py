"""Replaying the corpus: reimpl against the live oracle, and the live oracle against what was recorded."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field

from parity.corpus import Entry
from parity.implementation import ORACLE, REIMPL, Implementation, Run, outcome_of
from parity.judge import Finding, diverging
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


def replay(
    entries: Iterable[Entry],
    *,
    implementation: Implementation = REIMPL,
    recorded: bool,
) -> Replay:
    """Replay corpus cases against the live oracle, or with `recorded` against their expectations alone.

    A surface that has no live oracle is always replayed against what was recorded.
    """
    result = Replay()
    with scratch():
        run, oracle = implementation.load(), None if recorded else ORACLE.load()
        for entry in entries:
            started = time.perf_counter()
            _replay_one(entry, run, oracle if entry.case.surface in LIVE else None, result)
            result.entries.append(entry)
            name = entry.case.surface
            result.seconds[name] = result.seconds.get(name, 0.0) + time.perf_counter() - started
    return result


def _replay_one(entry: Entry, run: Run, oracle: Run | None, result: Replay) -> None:
    given = outcome_of(run, entry.case.surface, entry.case.native())
    truth = entry.expect
    if oracle is not None:
        truth = outcome_of(oracle, entry.case.surface, entry.case.native())
        drift = diverging(entry.case, truth, entry.expect, f"Recorded with {entry.oracle}: {entry.note}")
        if drift:
            result.drifted.append((entry, drift))
    finding = diverging(entry.case, given, truth, entry.note)
    if finding:
        result.diverged.append((entry, finding))
