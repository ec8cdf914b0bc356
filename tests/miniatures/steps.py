"""Wrong results of tasks with several steps, and wrong gates between the steps."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from reimpl import VerifierResult, coercion, door, metrics, multi_step
from tests.miniatures.gallery import Answer, Input, naive_mean, wrong_on, wrong_rule

Rewards = dict[str, int | float]
Thresholds = float | dict[str, float]

trial_rewards = multi_step.trial_rewards
min_reward_failure = multi_step.min_reward_failure
mean = metrics.mean


# --- multi_step -------------------------------------------------------------------------------------------------------


@wrong_on("multi_step")
def missing_key_left_out(surface: str, input: Input) -> Answer:
    """Divides by the steps that have the reward."""
    outcome = door.run(surface, input)
    if input["strategy"] == "final" or "value" not in outcome or not outcome["value"].rewards:
        return outcome
    steps = [coercion.coerce_rewards(step["rewards"]) or {} for step in input["steps"] if step["verified"]]
    names = outcome["value"].rewards
    means = {name: mean([step[name] for step in steps if name in step]) for name in names}
    return {"value": VerifierResult(verified=True, rewards=dict(means))}


@wrong_on("multi_step")
def last_step_with_a_result(surface: str, input: Input) -> Answer:
    """Lets `final` fall back to an earlier step."""
    if input["strategy"] != "final":
        return door.run(surface, input)
    return door.run(surface, {**input, "steps": [step for step in input["steps"] if step["verified"]]})


@wrong_rule("multi_step", multi_step, "mean")
def naive_mean_of_steps(values: Sequence[int | float]) -> float:
    """Averages over the steps without compensation."""
    return naive_mean(values)


@wrong_rule("multi_step", door, "trial_rewards")
def steps_without_a_result_counted(steps: Sequence[VerifierResult], strategy: str | None) -> VerifierResult:
    """Divides by all steps, those without a result too."""
    if strategy == "final":
        return trial_rewards(steps, strategy)
    return trial_rewards([VerifierResult(verified=True, rewards=step.rewards) for step in steps], strategy)


@wrong_rule("multi_step", door, "trial_rewards")
def steps_without_rewards_left_out(steps: Sequence[VerifierResult], strategy: str | None) -> VerifierResult:
    """Divides by the steps that have any reward."""
    return trial_rewards(steps if strategy == "final" else [step for step in steps if step.rewards], strategy)


@wrong_rule("multi_step", door, "trial_rewards")
def final_by_default(steps: Sequence[VerifierResult], strategy: str | None) -> VerifierResult:
    """Takes the last step when no strategy is given."""
    return trial_rewards(steps, strategy or "final")


@wrong_rule("multi_step", door, "trial_rewards")
def final_as_floats(steps: Sequence[VerifierResult], strategy: str | None) -> VerifierResult:
    """Gives 1.0 for the 1 of the final step."""
    found = trial_rewards(steps, strategy)
    small = found.rewards and {
        name: float(value) if abs(value) < 2**53 else value for name, value in found.rewards.items()
    }
    return VerifierResult(verified=found.verified, rewards=small)


@wrong_rule("multi_step", door, "trial_rewards")
def empty_result_kept(steps: Sequence[VerifierResult], strategy: str | None) -> VerifierResult:
    """Gives {} as the mean of steps that have no rewards."""
    found = trial_rewards(steps, strategy)
    if strategy == "final" or found.verified:
        return found
    return VerifierResult(verified=True, rewards={}) if any(step.verified for step in steps) else found


@wrong_rule("multi_step", door, "trial_rewards")
def rewards_common_to_all_steps(steps: Sequence[VerifierResult], strategy: str | None) -> VerifierResult:
    """Keeps the rewards that every step has."""
    found = trial_rewards(steps, strategy)
    if strategy == "final" or found.rewards is None:
        return found
    results = [step.rewards or {} for step in steps if step.verified]
    common = {name: value for name, value in found.rewards.items() if all(name in each for each in results)}
    return VerifierResult(verified=True, rewards=common)


@wrong_rule("multi_step", multi_step, "mean")
def whole_mean_an_int(values: Sequence[int | float]) -> int | float:
    """Gives 1 for the mean of 1 and 1."""
    found = mean(values)
    return int(found) if found.is_integer() else found


# --- min_reward -------------------------------------------------------------------------------------------------------


def failures(rewards: Rewards | None, min_reward: Thresholds) -> Iterator[str]:
    """Yield every failure, in order."""
    thresholds = min_reward if isinstance(min_reward, dict) else {"reward": min_reward}
    for name, threshold in thresholds.items():
        failure = min_reward_failure(rewards, {name: threshold})
        if failure is not None:
            yield failure


@wrong_on("min_reward")
def threshold_must_be_exceeded(surface: str, input: Input) -> Answer:
    """Stops at `<=`."""
    outcome = door.run(surface, input)
    threshold = input["min_reward"]
    reward = (input["rewards"] or {}).get("reward")
    if outcome == {"value": None} and type(threshold) in (int, float) and reward == threshold:
        return {"value": f"reward={reward} below min_reward {float(threshold)}"}
    return outcome


@wrong_rule("min_reward", door, "min_reward_failure")
def nan_fails(rewards: Rewards | None, min_reward: Thresholds) -> str | None:
    """Asks `not reward >= threshold`, so that nan is too low."""
    thresholds = min_reward if isinstance(min_reward, dict) else {"reward": min_reward}
    for name, threshold in thresholds.items():
        reward = (rewards or {}).get(name, -math.inf)
        if not reward >= threshold and not reward < threshold:
            return f"{name}={reward} below min_reward {threshold}"
        failure = min_reward_failure(rewards, {name: threshold})
        if failure is not None:
            return failure
    return None


@wrong_rule("min_reward", door, "min_reward_failure")
def missing_reward_is_zero(rewards: Rewards | None, min_reward: Thresholds) -> str | None:
    """Takes a missing reward for 0."""
    names = min_reward if isinstance(min_reward, dict) else ("reward",)
    return min_reward_failure({**dict.fromkeys(names, 0), **(rewards or {})}, min_reward)


@wrong_rule("min_reward", door, "min_reward_failure")
def missing_reward_passes(rewards: Rewards | None, min_reward: Thresholds) -> str | None:
    """Looks only at rewards that are there."""
    return next((text for text in failures(rewards, min_reward) if "=-inf " not in text), None)


@wrong_rule("min_reward", door, "min_reward_failure")
def last_failure_told(rewards: Rewards | None, min_reward: Thresholds) -> str | None:
    """Goes through all thresholds and tells the last failure."""
    return [None, *failures(rewards, min_reward)][-1]


@wrong_rule("min_reward", door, "min_reward_failure")
def thresholds_sorted(rewards: Rewards | None, min_reward: Thresholds) -> str | None:
    """Checks thresholds in the order of their names."""
    ordered = dict(sorted(min_reward.items())) if isinstance(min_reward, dict) else min_reward
    return min_reward_failure(rewards, ordered)


@wrong_rule("min_reward", door, "min_reward_failure")
def one_threshold_for_every_reward(rewards: Rewards | None, min_reward: Thresholds) -> str | None:
    """Holds every reward against a threshold that is a number."""
    if isinstance(min_reward, dict) or not rewards:
        return min_reward_failure(rewards, min_reward)
    return min_reward_failure(rewards, dict.fromkeys(rewards, min_reward))


@wrong_rule("min_reward", door, "min_reward_failure")
def nearly_enough_passes(rewards: Rewards | None, min_reward: Thresholds) -> str | None:
    """Forgives what `math.isclose` does."""
    thresholds = min_reward if isinstance(min_reward, dict) else {"reward": min_reward}
    near = {name: _nearest((rewards or {}).get(name), threshold) for name, threshold in thresholds.items()}
    return min_reward_failure(rewards, near)


def _nearest(reward: float | None, threshold: float) -> float:
    close = isinstance(reward, float) and math.isfinite(reward) and math.isclose(reward, threshold)
    return -math.inf if close else threshold


@wrong_on("min_reward")
def threshold_told_as_written(surface: str, input: Input) -> Answer:
    """Tells the threshold 1 as 1, not as 1.0."""
    found = door.run(surface, input)
    threshold: Any = input["min_reward"]
    if found.get("value") is None or type(threshold) is not int:
        return found
    return {"value": found["value"].replace(f"min_reward {float(threshold)}", f"min_reward {threshold}")}
