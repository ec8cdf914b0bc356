"""The stub environment, which harbor loads by its import path: no container, and a test script that leaves files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harbor.environments.base import BaseEnvironment, ExecResult
from harbor.environments.capabilities import EnvironmentCapabilities

from oracle.job_run.stage import REWARD_FILES, Stage, act, place

if TYPE_CHECKING:
    from pathlib import Path

_MOUNTED = EnvironmentCapabilities(mounted=True)


class StubEnvironment(BaseEnvironment):  # type: ignore[misc]  # harbor is not typed
    """An environment in which everything happens as the case says, or not at all."""

    def __init__(self, environment_dir: Path, **settings: Any) -> None:
        super().__init__(environment_dir, **settings)
        trial = self.trial_paths.trial_dir.name
        self.for_agent = self.session_id in {trial, f"{trial}__env"}  # the latter in later releases
        """A separate verifier has an environment of its own, in the scene that the agent's began."""
        stage = Stage.current
        self.scene = stage.scene(trial, str(environment_dir.parent)) if self.for_agent else stage.scenes[trial]

    @staticmethod
    def type() -> str:
        """Name the environment."""
        return "stub"

    @property
    def capabilities(self) -> EnvironmentCapabilities:
        """Share the log directories with the host, as Docker does."""
        return _MOUNTED

    def _validate_definition(self) -> None:
        """Need no definition."""

    async def start(self, force_build: bool) -> None:
        """Start as the play says."""
        del force_build
        if self.for_agent:
            await Stage.current.begin()
            await act(self.scene.play.get("start"))

    async def stop(self, delete: bool) -> None:
        """Stop as the play says."""
        del delete
        if self.for_agent:
            await act(self.scene.play.get("stop"))

    async def exec(self, command: str, *_: Any, **__: Any) -> ExecResult:
        """Run one of the commands that a play knows; any other does nothing."""
        part = self.scene.part
        code = 0
        if command == "pwd":  # harbor's first command in each step
            self.scene.next_step()
        elif command == "bash /setup.sh":
            code = await act(part.get("setup"))
        elif command == "healthcheck":
            code = await act(part.get("health"))
        elif command.startswith("(/tests/test.sh)"):
            for name in REWARD_FILES:
                place(f"{self.trial_paths.verifier_dir}/{name}", part.get(name))
            code = await act(part.get("verifier"))
        return ExecResult(return_code=code, stdout="/", stderr="")

    async def upload_dir(self, source_dir: Path | str, target_dir: str) -> None:
        """Take the tests as the play says."""
        del source_dir
        if target_dir == "/tests":
            await act(self.scene.part.get("upload"))

    async def upload_file(self, source_path: Path | str, target_path: str) -> None:
        """Take a file; nothing here reads it."""

    async def download_file(self, source_path: str, target_path: Path | str) -> None:
        """Give no file: none is asked for, since log directories are shared."""

    async def download_dir(self, source_dir: str, target_dir: Path | str) -> None:
        """Give no directory, for the same reason."""
