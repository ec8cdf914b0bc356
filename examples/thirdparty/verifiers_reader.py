"""The reader of reward files in verifiers, as a door: its own task class, with a box that holds the files of a case."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from verifiers.v1.errors import SandboxError
from verifiers.v1.tasksets.harbor.taskset import HarborTask

from examples.thirdparty.files import verifier_directory

_LOOP = asyncio.new_event_loop()


class _Box:
    """What the task asks of a runtime: to run the tests, to say whether a file is there, and to read it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def _path(self, path: str) -> Path:
        return self._folder / Path(path).name

    async def run(self, command: list[str], _environment: dict[str, str]) -> SimpleNamespace:
        path = self._path(command[-1])
        is_there = path.name == "test.sh" or path.exists() or path.is_symlink()
        return SimpleNamespace(exit_code=0 if is_there else 1, stdout="", stderr="")

    async def read(self, path: str, max_bytes: int) -> bytes:
        content = self._path(path).read_bytes()
        if len(content) > max_bytes:
            raise SandboxError(f"read {path!r}: over the {max_bytes} byte limit")
        return content


class _Task(HarborTask):
    """A task without the rest of a task: reading rewards needs its configuration alone."""

    config = SimpleNamespace(reward_key="reward")
    data = SimpleNamespace(verifier_env={})

    def __init__(self) -> None:
        pass


def run(surface: str, files: Mapping[str, Any]) -> dict[str, Any]:
    """Read the files of a case: the reward, and what it keeps as metrics beside it."""
    del surface  # there is only one
    metrics: dict[str, float] = {}
    with verifier_directory(files) as folder:
        trace = SimpleNamespace(record_metrics=metrics.update)
        rewards = _LOOP.run_until_complete(_Task().run_verifier(_Box(folder), trace))
    return {"value": {**rewards, **metrics}}
