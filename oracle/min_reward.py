"""Surface `min_reward`: harbor's check of a step's rewards against its threshold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harbor.models.task.config import StepConfig
from harbor.models.verifier.result import VerifierResult

from oracle import release

if TYPE_CHECKING:
    from collections.abc import Mapping

# A static method where multi-step trials have a class, and a function in releases before.
FAILURE = release.first(
    "harbor.trial.multi_step:MultiStepTrial._min_reward_failure", "harbor.trial.trial:_min_reward_failure"
)


def answer(input: Mapping[str, Any]) -> str | None:
    """Give harbor's failure text, or None where the rewards pass."""
    # The threshold comes from a task's step and the rewards from its verifier: both pass harbor's models first.
    step = StepConfig(name="step", min_reward=input["min_reward"])
    rewards = VerifierResult(rewards=input["rewards"]).rewards
    failure: str | None = FAILURE(rewards, step.min_reward)
    return failure
