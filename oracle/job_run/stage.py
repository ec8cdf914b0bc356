"""What the case says about the trial that is running: the stub environment and the stub agent ask here."""

from __future__ import annotations

import asyncio
import functools
import os
from collections import Counter
from typing import TYPE_CHECKING, Any, ClassVar

from harbor.agents.installed.base import NonZeroAgentExitCodeError
from harbor.environments.base import HealthcheckError
from harbor.trial import errors

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

REWARD_FILES = ("reward.txt", "reward.json")

# Classes that harbor tells from others; an exception of any other name is just that.
_CLASSES: dict[str, type[BaseException]] = {
    each.__name__: each
    for each in (
        asyncio.CancelledError,
        TimeoutError,
        errors.AgentSetupTimeoutError,
        errors.AgentTimeoutError,
        errors.EnvironmentStartTimeoutError,
        errors.VerifierTimeoutError,
        HealthcheckError,
        NonZeroAgentExitCodeError,
    )
}


class Stage:
    """One run of a case's job: which play each trial gives, and where the run is interrupted."""

    current: ClassVar[Stage]

    def __init__(self, plays: Mapping[str, list[Any]], interrupt: Callable[[], object], after: int | None) -> None:
        self.plays = plays
        """The plays of each task, by its directory."""
        self.interrupt = interrupt
        self.after = after
        self.agents = self.trials_an_attempt = 1
        self.scenes: dict[str, Scene] = {}
        self.tries: Counter[str] = Counter()

    def scene(self, trial: str, task: str) -> Scene:
        """Begin a try of a trial."""
        index = int(trial[-6:])
        attempt, agent = index // self.trials_an_attempt, index % self.agents
        tries = _cycled(self.plays[task], attempt * self.agents + agent)
        play = tries[min(self.tries[trial], len(tries) - 1)] if tries else _PLAIN
        self.tries[trial] += 1
        self.scenes[trial] = Scene(play)
        return self.scenes[trial]

    async def begin(self) -> None:
        """Interrupt the run here if the case says so: as many trials have ended as began before this one."""
        if len(self.tries) - 1 == self.after:
            self.interrupt()
            await act("hang")


_PLAIN: dict[str, Any] = {"reward.txt": b"1"}


def _cycled(plays: list[Any], index: int) -> list[Any]:
    return plays[index % len(plays)] if plays else []


class Scene:
    """One try of a trial: its play, and the step it is at."""

    def __init__(self, play: Mapping[str, Any]) -> None:
        self.play = play
        self.part = play
        """What holds for the agent and the verifier now: the play, or that of the step."""
        self._step = 0

    def next_step(self) -> None:
        """Go on to the next step."""
        steps = self.play.get("steps") or []
        self.part = steps[self._step] if self._step < len(steps) else _PLAIN
        self._step += 1


async def act(behaviour: str | None) -> int:
    """Do as a case says: nothing, fail with an exit code, never return, or raise an exception."""
    if behaviour is None:
        return 0
    if behaviour == "fail":
        return 1
    if behaviour == "hang":
        await asyncio.get_running_loop().create_future()
    name, _, message = behaviour.partition(": ")
    raise _exception(name)(message)


@functools.cache
def _exception(name: str) -> type[BaseException]:
    return _CLASSES.get(name) or type(name, (Exception,), {})


def place(path: str, file: Any) -> None:
    """Leave a file of a case at this path."""
    match file:
        case bytes():
            with open(path, "wb") as stream:  # noqa: PTH123 -- thousands of times in a job
                stream.write(file)
        case {"kind": "directory"}:
            os.mkdir(path)  # noqa: PTH102
        case {"kind": "dangling-symlink"}:
            os.symlink("nowhere", path)  # noqa: PTH211
        case None:
            pass
        case _:
            raise TypeError(f"not a file of a case: {file!r}")
