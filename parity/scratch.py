"""Where case directories live: in memory where the system offers it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_TMPFS = Path("/dev/shm")  # noqa: S108  (a fresh folder with a random name is made below it)


@contextmanager
def scratch() -> Iterator[Path]:
    """Let temporary directories be made in one place, on tmpfs if there is one, and remove it afterwards."""
    place = _TMPFS if os.access(_TMPFS, os.W_OK | os.X_OK) else None
    before = tempfile.tempdir
    with tempfile.TemporaryDirectory(prefix="parity-", dir=place, ignore_cleanup_errors=True) as folder:
        tempfile.tempdir = folder
        try:
            yield Path(folder)
        finally:
            tempfile.tempdir = before
