"""Tasks of several steps: the rewards of the trial from those of its steps, and the reward a step must reach."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import NamedTuple

from reimpl.coercion import coerce_min_reward
from reimpl.errors import ValidationError
from reimpl.metrics import Rewards, mean
from reimpl.render import limited_text


class VerifierResult(NamedTuple):
    """What the verifier said of a step or a trial.

    ``verified`` is False when it did not run to its end, so that there is no result at all; ``rewards`` is then None.
    A result can also be there and hold no rewards.
    """

    verified: bool
    rewards: Rewards | None = None


def trial_rewards(steps: Sequence[VerifierResult], strategy: str | None = None) -> VerifierResult:
    """Derive the trial's result from the results of the steps that were executed, in order.

    ``"final"`` takes the last step as it is. ``"mean"``, which is also what None means, takes the mean of each reward
    over the steps that have a result; a step that lacks the reward counts as 0. Names come in the order in which the
    steps first mention them (harbor's own order changes from run to run). Without any name there is no result.

    Raises:
        ValidationError: There is no such strategy.
        OverflowError: An int is too large for the float arithmetic it meets.

    """
    if strategy not in (None, "mean", "final"):
        raise ValidationError([{"loc": ["multi_step_reward_strategy"], "type": "enum"}])
    if strategy == "final":
        return steps[-1] if steps else VerifierResult(verified=False)
    results = [step.rewards or {} for step in steps if step.verified]
    names = dict.fromkeys(name for rewards in results for name in rewards)
    if not names:
        return VerifierResult(verified=False)
    return VerifierResult(
        verified=True, rewards={name: mean([rewards.get(name, 0) for rewards in results]) for name in names}
    )


def min_reward_failure(rewards: Rewards | None, min_reward: float | dict[str, float]) -> str | None:
    """Say which reward of a step is below its threshold, or return None when the next step may start.

    A number is the threshold of ``"reward"``; otherwise thresholds are checked in order and the first failure is told.
    A missing reward counts as -inf. nan is not below anything, so it passes.

    Raises:
        ValidationError: A threshold is not a number, or an int too large for a float.
        ValueError: The reward that is too low has more than 4300 digits, so that it cannot be told.

    """
    thresholds = coerce_min_reward(min_reward)
    if isinstance(thresholds, float):
        thresholds = {"reward": thresholds}
    for name, threshold in thresholds.items():
        reward = (rewards or {}).get(name, -inf)
        if reward < threshold:
            return f"{name}={limited_text(reward)} below min_reward {threshold}"
    return None
