"""Spreading units over all cores, with progress, and the same outcome whatever the number of cores."""

from __future__ import annotations

import multiprocessing
import os
import queue
import signal
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from parity.errors import CannotRunError
from parity.implementation import Implementation
from parity.judge import Judge
from parity.scratch import scratch
from parity.search import Result, Unit, search

OnProgress = Callable[[str, int], None]
"""Called with a surface and the number of cases judged since the last call."""


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def search_all(
    units: Iterator[Unit], sides: tuple[Implementation, Implementation], jobs: int, hash_seed: int, moved: OnProgress
) -> Iterator[Result]:
    """Yield the result of each unit as it ends; a fingerprint found by one is known to those that start later."""
    context = multiprocessing.get_context("spawn")
    events: multiprocessing.Queue[tuple[str, int]] = context.Queue()
    with (
        scratch() as place,  # ours and not the workers', so that it is removed even if they are ended
        _environment(PYTHONHASHSEED=str(hash_seed % 2**32), HYPOTHESIS_STORAGE_DIRECTORY=str(place)),
        ProcessPoolExecutor(jobs, context, _start_worker, (sides, events, str(place))) as pool,
    ):
        try:
            yield from _results(pool, units, jobs, lambda: _drain(events, moved))
        except BrokenProcessPool:
            raise CannotRunError("a worker process died: is there enough memory? try fewer with --jobs") from None
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in multiprocessing.active_children():
                process.terminate()
            raise


def _results(pool: ProcessPoolExecutor, units: Iterator[Unit], jobs: int, tick: Callable[[], None]) -> Iterator[Result]:
    known: dict[str, frozenset[str]] = {}
    running: set[Future[Result]] = set()
    while True:
        # Few units wait in line, so that a fingerprint found now is known to almost all that follow.
        while len(running) < jobs + 1 and (unit := next(units, None)) is not None:
            running.add(pool.submit(_work, replace(unit, known=known.get(unit.surface, frozenset()))))
        if not running:
            return
        done, running = wait(running, timeout=0.1, return_when=FIRST_COMPLETED)
        tick()
        for future in done:
            result = future.result()
            surface = result.unit.surface
            known[surface] = known.get(surface, frozenset()) | result.findings.keys()
            yield result


def _drain(events: multiprocessing.Queue[tuple[str, int]], moved: OnProgress) -> None:
    while True:
        try:
            moved(*events.get_nowait())
        except queue.Empty:
            return


@contextmanager
def _environment(**variables: str) -> Iterator[None]:
    """Set environment variables for the processes started within."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


_worker: dict[str, Any] = {}
"""What a worker process keeps between units: its judge and the way to report progress."""


def _start_worker(sides: tuple[Implementation, Implementation], events: Any, place: str) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches every process; the parent decides what it means
    tempfile.tempdir = place
    _worker.update(judge=Judge(*sides), events=events)


def _work(unit: Unit) -> Result:
    return search(unit, _worker["judge"], lambda cases: _worker["events"].put((unit.surface, cases)))
