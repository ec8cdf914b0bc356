"""Surface `multi_step`: the trial-level reward that harbor selects from the steps of a trial."""
# ruff: noqa: SLF001 -- the selection is a private part of a trial

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harbor.models.task.config import TaskConfig
from harbor.models.trial.result import StepResult

from oracle import release
from oracle.trials import verifier_result

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Select = Callable[[TaskConfig, list[StepResult]], Any]


@dataclass(frozen=True)
class TrialReward:
    """A trial's verifier result; `verified` is False where harbor has none."""

    verified: bool
    rewards: dict[str, float | int] | None


@dataclass
class Result(release.StandIn):
    """The part of a trial result that the selection reads."""

    step_results: list[StepResult]


@dataclass(frozen=True)
class Task(release.StandIn):
    """The part of a task that the selection reads."""

    config: TaskConfig


def answer(input: Mapping[str, Any]) -> TrialReward:
    """Give the reward that harbor selects for the trial."""
    steps = [StepResult(step_name="step", verifier_result=verifier_result(step)) for step in input["steps"]]
    selected = SELECT(_config(input["strategy"]), steps)
    return TrialReward(verified=selected is not None, rewards=None if selected is None else selected.rewards)


@functools.cache
def _config(strategy: str | None) -> TaskConfig:
    return TaskConfig.model_validate({"multi_step_reward_strategy": strategy})


def _select() -> Select:
    """Find the selection: a method where multi-step trials have a class, and a function in releases before."""
    trials = release.offered("harbor.trial.multi_step:MultiStepTrial")
    if trials is None:
        function = release.first("harbor.trial.trial:_select_multi_step_reward")
        return lambda config, steps: function(steps, config.multi_step_reward_strategy)

    trial_type: Any = type("MultiStepTrial", (release.StandIn, trials), {})

    def method(config: TaskConfig, steps: list[StepResult]) -> Any:
        trial: Any = object.__new__(trial_type)  # its constructor wants an agent and an environment
        trial.task = Task(config)
        trial._result = Result(steps)
        return trial._select_multi_step_reward()

    return method


SELECT = _select()
