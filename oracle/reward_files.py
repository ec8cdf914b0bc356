"""Surface `reward_files`: harbor's `Verifier.verify()` on the files a test script leaves behind."""

from __future__ import annotations

import functools
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import PosixPath, PurePosixPath
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from harbor.models.task.task import Task
from harbor.models.trial.paths import EnvironmentPaths, TrialPaths
from harbor.verifier.verifier import Verifier

from oracle import release, scratch
from oracle.loop import complete

if TYPE_CHECKING:
    from collections.abc import Mapping

# Releases that know one system do not name it.
LINUX = release.offered("harbor.models.task.config:TaskOS.LINUX")


class Place(PosixPath):
    """A path that remembers where it lies below another: harbor asks this of the same two in every case."""

    @functools.cache  # noqa: B019 -- there are two of them a process
    def relative_to(self, *other: Any) -> PurePosixPath:  # type: ignore[override]
        """Give the path below the other one."""
        return PurePosixPath(super().relative_to(*other))


class Environment(release.StandIn):
    """An environment in which running the test script writes the case's files, where the host sees them."""

    os = LINUX
    env_paths = EnvironmentPaths()
    capabilities = SimpleNamespace(mounted=True)
    is_mounted = True
    success = SimpleNamespace(return_code=0, stdout="", stderr="")

    def __init__(self, directory: str, files: Mapping[str, Any]) -> None:
        self.directory = directory
        self.files = files
        self.tested = False

    def is_path_mounted(self, *_: Any) -> bool:
        """Share every directory with the host."""
        return True

    async def upload_dir(self, *_: Any, **__: Any) -> None:
        """Take the tests directory; nothing here reads it."""

    async def download_dir(self, *_: Any, **__: Any) -> None:
        """Give the verifier directory, which the host has."""

    async def exec(self, command: str, **_: Any) -> SimpleNamespace:
        """Write the files when the test script runs: releases after 0.13.1 delete older ones just before."""
        if "/tests/test.sh" in command and not command.startswith("chmod"):
            self.tested = True
            for name, file in self.files.items():
                _place(f"{self.directory}/{name}", file)
        return self.success


def answer(input: Mapping[str, Any]) -> dict[str, float | int] | None:
    """Give the rewards that harbor reads."""
    try:
        return _rewards(input)
    except RecursionError:
        # CPython counts the depth of JSON from the bottom of the stack, so a caller that came here through C (a test
        # runner, a pool) is refused at fewer levels. A thread starts at the bottom: there, every caller gets the same
        # (1493 levels on CPython 3.12.1).
        with ThreadPoolExecutor(max_workers=1) as thread:
            return thread.submit(_rewards, input).result()


def _rewards(input: Mapping[str, Any]) -> dict[str, float | int] | None:
    directory = scratch.verifier_directory()
    task, paths = _trial(directory)
    environment = Environment(directory, input)
    try:
        rewards: dict[str, float | int] | None = complete(Verifier(task, paths, environment).verify()).rewards
    finally:
        _clean(directory)
        if not environment.tested:
            raise release.AbsentError("the verifier runs no /tests/test.sh in this release")
    return rewards


@functools.cache
def _trial(directory: str) -> tuple[Task, Fixed]:
    """Lay out the one task whose tests every case runs, and the trial they run in."""
    trial = Place(directory).parent
    root = trial.with_name("task")
    (root / "tests").mkdir(parents=True)
    (root / "task.toml").write_text("[metadata]")  # releases before 0.1.5 insist on it
    for name in ("instruction.md", "tests/test.sh"):
        (root / name).touch()
    task = Task(root)
    script = Place(task.paths.tests_dir / "test.sh")
    task.paths = Fixed(task.paths)
    if hasattr(task.paths, "discovered_test_path_for"):
        task.paths.discovered_test_path_for = lambda _: script
    paths = TrialPaths(trial)
    paths.mkdir()
    return task, Fixed(paths)


class Fixed:
    """Harbor's paths, asked once for what does not change: building each anew takes a third of a case."""

    def __init__(self, paths: Any) -> None:
        names = [name for name, member in vars(type(paths)).items() if isinstance(member, property)]
        vars(self).update({name: getattr(paths, name) for name in names})
        self.paths = paths

    def __getattr__(self, name: str) -> Any:
        """Ask harbor's paths for the rest."""
        return getattr(self.paths, name)


def _place(path: str, file: Any) -> None:
    match file:
        case bytes():
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
            try:
                while file:
                    file = file[os.write(descriptor, file) :]
            finally:
                os.close(descriptor)
        case {"kind": "directory"}:
            os.mkdir(path)  # noqa: PTH102
        case {"kind": "dangling-symlink"}:
            os.symlink("nowhere", path)  # noqa: PTH211
        case None:
            pass
        case _:
            raise TypeError(f"not a file of a case: {file!r}")


def _clean(directory: str) -> None:
    with os.scandir(directory) as entries:
        for entry in entries:
            remove = os.rmdir if entry.is_dir(follow_symlinks=False) else os.unlink
            remove(entry.path)
