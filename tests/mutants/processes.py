"""Judging each mutant in a process of its own, on all cores."""

from __future__ import annotations

import gc
import multiprocessing
import os
import shutil
import tempfile
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, Generic, TypeVar

PATIENCE = 600
"""Seconds after which a process that uses no CPU time is ended: it waits for something that does not come."""

_fork = multiprocessing.get_context("fork")

K = TypeVar("K")
T = TypeVar("T")


@dataclass(frozen=True)
class Died:
    """A process that was ended by the system before it could answer: out of time or memory, or crashed."""


@dataclass(frozen=True)
class _Failed:
    """A process that raised an error, which is a fault of the work and not an answer."""

    traceback: str


@dataclass(frozen=True)
class _Running(Generic[K]):
    key: K
    process: BaseProcess
    answers: Connection
    place: Path
    since: float


def each_in_its_own(
    keys: Iterable[K], work: Callable[[K, Path], T], jobs: int, place: Path
) -> Iterator[tuple[K, T | Died]]:
    """Do the work on each key in a forked process with a folder of its own; yield what came of it as it ends."""
    waiting = iter(keys)
    running: dict[Connection, _Running[K]] = {}
    gc.freeze()  # so that no collection in a forked process copies what it shares with this one
    while True:
        while len(running) < jobs and (key := next(waiting, None)) is not None:
            started = _start(key, work, place)
            running[started.answers] = started
        if not running:
            return
        for answers in wait(list(running), timeout=1):
            assert isinstance(answers, Connection)
            done = running.pop(answers)
            yield done.key, _answer(done)
        for each in running.values():
            if time.monotonic() - each.since > PATIENCE:
                each.process.kill()


def _start(key: K, work: Callable[[K, Path], T], place: Path) -> _Running[K]:
    folder = Path(tempfile.mkdtemp(prefix="parity-", dir=place))
    ours, theirs = _fork.Pipe(duplex=False)
    process = _fork.Process(target=_child, args=(key, work, folder, theirs))
    process.start()
    theirs.close()
    return _Running(key, process, ours, folder, time.monotonic())


def _child(key: K, work: Callable[[K, Path], T], place: Path, answers: Connection) -> None:
    tempfile.tempdir = str(place)
    os.chdir(place)  # a mutant may write where it stands
    silence = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(silence, stream)
    try:
        answers.send(work(key, place))
    except Exception:  # noqa: BLE001 - the parent raises it
        answers.send(_Failed(traceback.format_exc()))
    os._exit(0)


def _answer(done: _Running[K]) -> Any:
    try:
        answer = done.answers.recv()
    except EOFError:
        answer = Died()
    done.process.join()
    done.answers.close()
    shutil.rmtree(done.place, ignore_errors=True)
    if isinstance(answer, _Failed) or (answer == Died() and (done.process.exitcode or 0) >= 0):
        raise RuntimeError(f"judging failed on {done.key}: {answer}")
    return answer
