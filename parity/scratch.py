"""Where case directories live: in memory where the system offers it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_TMPFS = Path("/dev/shm")  # noqa: S108  (a fresh folder with a random name is made below it)


_active: list[Path] = []


@contextmanager
def scratch() -> Iterator[Path]:
    """Let temporary directories be made in one place, on tmpfs if there is one, and remove it afterwards.

    Within another scratch it is the same place, because implementations keep their directory from case to case.
    """
    if _active:
        yield _active[0]
        return
    place = _TMPFS if os.access(_TMPFS, os.W_OK | os.X_OK) else None
    before = tempfile.tempdir
    with tempfile.TemporaryDirectory(prefix="parity-", dir=place, ignore_cleanup_errors=True) as folder:
        tempfile.tempdir = folder
        _active.append(Path(folder))
        try:
            yield _active[0]
        finally:
            _active.clear()
            tempfile.tempdir = before
