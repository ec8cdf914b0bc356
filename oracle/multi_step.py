"""Surface `multi_step`: the trial-level reward that harbor's `MultiStepTrial` selects from its steps."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harbor.models.task.config import TaskConfig
from harbor.models.trial.result import StepResult

from oracle.steps import MultiStepTrial
from oracle.trials import verifier_result

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class TrialReward:
    """A trial's verifier result; `verified` is False where harbor has none."""

    verified: bool
    rewards: dict[str, float | int] | None


@dataclass
class _Steps:
    """The part of a trial result that the selection reads."""

    step_results: list[StepResult]


@dataclass(frozen=True)
class _Task:
    """The part of a task that the selection reads."""

    config: TaskConfig


def answer(input: Mapping[str, Any]) -> TrialReward:
    """Give the reward that harbor selects for the trial."""
    trial = object.__new__(MultiStepTrial)  # its constructor wants an agent and an environment
    trial.task = _task(input["strategy"])
    trial._result = _Steps([_step_result(step) for step in input["steps"]])
    selected = trial._select_multi_step_reward()
    return TrialReward(verified=selected is not None, rewards=None if selected is None else selected.rewards)


@functools.cache
def _task(strategy: str | None) -> _Task:
    return _Task(TaskConfig.model_validate({"multi_step_reward_strategy": strategy}))


def _step_result(step: Mapping[str, Any]) -> StepResult:
    return StepResult(step_name="step", verifier_result=verifier_result(step))
