"""Spreading units over all cores, with progress, and the same outcome whatever the number of cores."""

from __future__ import annotations

import multiprocessing
import os
import pickle
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from itertools import count
from multiprocessing.queues import SimpleQueue
from pathlib import Path
from typing import Any, Protocol

from parity.errors import CannotRunError
from parity.implementation import Side
from parity.judge import Finding, Judge
from parity.level import Level
from parity.processes import environment, settle
from parity.scratch import scratch
from parity.search import Result, Unit, search


class Listener(Protocol):
    """Who hears from the workers."""

    def moved(self, surface: str, cases: int) -> None:
        """Hear how many more cases of a surface were judged."""

    def tell(self, findings: list[Finding]) -> None:
        """Hear of divergences whose cases are as small as they get."""


Events = SimpleQueue[tuple[str, Any]]
"""What workers send; a message is so short that it is written at once, or not at all if a worker is ended."""


def search_all(  # noqa: PLR0913  (each is a matter of its own)
    units: Iterator[Unit],
    sides: tuple[Side, Side],
    listener: Listener,
    *,
    jobs: int,
    hash_seed: int,
    known: Mapping[str, Mapping[str, Finding]],
    level: Level = Level.exact,
) -> Iterator[Result]:
    """Yield the result of each unit as it ends; a fingerprint found by one is known to those that start later."""
    context = multiprocessing.get_context("spawn")
    events: Events = context.SimpleQueue()
    with (
        scratch() as place,  # ours and not the workers', so that it is removed even if they are ended
        environment(PYTHONHASHSEED=str(hash_seed % 2**32), HYPOTHESIS_STORAGE_DIRECTORY=str(place)),
        ProcessPoolExecutor(jobs, context, _start_worker, (sides, level, events, str(place))) as pool,
    ):
        try:
            yield from _results(pool, units, jobs, known, lambda: _drain(events, listener))
        except BrokenProcessPool:
            raise CannotRunError("a worker process died: is there enough memory? try fewer with --jobs") from None
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in multiprocessing.active_children():
                process.terminate()
            _drain(events, listener)  # what was found until now
            raise


def _results(
    pool: ProcessPoolExecutor,
    units: Iterator[Unit],
    jobs: int,
    before: Mapping[str, Mapping[str, Finding]],
    tick: Callable[[], None],
) -> Iterator[Result]:
    running: set[Future[Result]] = set()
    known = {surface: dict(told) for surface, told in before.items()}
    while True:
        # Few units wait in line, so that a fingerprint found now is known to almost all that follow.
        while len(running) < jobs + 1 and (unit := next(units, None)) is not None:
            running.add(pool.submit(_work, replace(unit, known={**unit.known, **known.get(unit.surface, {})})))
        if not running:
            tick()
            return
        done, running = wait(running, timeout=0.1, return_when=FIRST_COMPLETED)
        tick()
        for future in done:
            result = future.result()
            known.setdefault(result.unit.surface, {}).update(result.told)
            yield result


def _drain(events: Events, listener: Listener) -> None:
    """Hand on what has arrived, findings all at once: to doubt them takes a process of its own."""
    findings: list[Finding] = []
    while not events.empty():
        kind, news = events.get()
        if kind == "found":
            findings.append(pickle.loads(Path(news).read_bytes()))  # noqa: S301  (a worker of ours wrote it)
            Path(news).unlink()
        else:
            listener.moved(*news)
    if findings:
        listener.tell(findings)


class _Sender:
    """Tells the parent process what a unit's listener is to hear."""

    def __init__(self, events: Events, place: str) -> None:
        self._events = events
        self._files = (Path(place, f"{os.getpid()}-{number}.finding") for number in count())

    def moved(self, surface: str, cases: int) -> None:
        """Send how many more cases were judged."""
        self._events.put(("moved", (surface, cases)))

    def found(self, finding: Finding) -> None:
        """Send a divergence, by a file: it may be large."""
        file = next(self._files)
        file.write_bytes(pickle.dumps(finding))
        self._events.put(("found", str(file)))


_worker: dict[str, Any] = {}
"""What a worker process keeps between units: its judge and the way to tell the parent."""


def _start_worker(sides: tuple[Side, Side], level: Level, events: Events, place: str) -> None:
    settle(place)
    _worker.update(judge=Judge(*sides, level), sender=_Sender(events, place))


def _work(unit: Unit) -> Result:
    return search(unit, _worker["judge"], _worker["sender"])
