"""Processes of our own: how many, in which environment, and how they end."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import connection, parent_process


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def environment(**variables: str) -> Iterator[None]:
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


def settle(place: str) -> None:
    """Make a process that was just started a worker: it makes its temporary files in one place, and ends with us."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches every process; the parent decides what it means
    tempfile.tempdir = place
    threading.Thread(target=_end_with_parent, args=(place,), daemon=True).start()


def _end_with_parent(place: str) -> None:
    """Leave nothing behind when the parent is killed: no process, and no temporary file."""
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        shutil.rmtree(place, ignore_errors=True)
        os._exit(1)
