"""One directory a process for the files of cases."""

from __future__ import annotations

import atexit
import functools
import os
import shutil
import tempfile


def directory() -> str:
    """Give this process's directory, made on first use and removed when the process ends."""
    return _directory(os.getpid())


def verifier_directory() -> str:
    """Give the verifier directory of the trial that every case of `reward_files` plays in."""
    return f"{directory()}/trial/verifier"


@functools.cache
def _directory(owner: int) -> str:
    # By process id: a forked worker that wrote into its parent's directory would spoil the parent's cases.
    path = tempfile.mkdtemp(prefix="oracle-")
    atexit.register(_remove, path, owner)
    return path


def _remove(path: str, owner: int) -> None:
    if os.getpid() == owner:  # a forked worker inherits the exit handler as well
        shutil.rmtree(path, ignore_errors=True)
