from __future__ import annotations

import pytest

from reimpl import ValidationError, VerifierResult, min_reward_failure, trial_rewards

Rewards = dict[str, int | float]
NONE = VerifierResult(verified=False)


def step(rewards: Rewards | None) -> VerifierResult:
    return VerifierResult(verified=True, rewards=rewards)


def mean(*steps: VerifierResult) -> str:
    result = trial_rewards(steps)
    assert result == trial_rewards(steps, "mean") or "nan" in repr(result)
    return repr(result.rewards) if result.verified else "no result"


class TestMean:
    """The mean of each reward is taken over the steps that have a result; what is missing counts as 0."""

    def test_floats_always(self) -> None:
        assert mean(step({"a": 1}), step({"a": 1})) == "{'a': 1.0}"

    def test_compensated(self) -> None:
        assert mean(*[step({"a": 0.1})] * 10) == "{'a': 0.1}"

    def test_steps_without_a_result_do_not_count(self) -> None:
        assert mean(step({"a": 1}), NONE) == "{'a': 1.0}"

    def test_steps_without_rewards_do(self) -> None:
        assert mean(step({"a": 1}), step(None), step({"a": 1})) == "{'a': 0.6666666666666666}"
        assert mean(step({"a": 1}), step({})) == "{'a': 0.5}"
        assert mean(step({"a": 1}), step({"b": 1})) == "{'a': 0.5, 'b': 0.5}"

    def test_names_in_the_order_of_their_first_mention(self) -> None:
        assert mean(step({"z": 1}), step({"a": 1, "z": 1})) == "{'z': 1.0, 'a': 0.5}"

    def test_no_name_no_result(self) -> None:
        for steps in ([], [NONE], [step(None)], [step({})], [step(None), NONE]):
            assert mean(*steps) == "no result"

    def test_overflow(self) -> None:
        with pytest.raises(OverflowError, match=r"^integer division result too large for a float$"):
            mean(step({"a": 10**400}))


class TestFinal:
    """The last step is the trial's result, as it is."""

    def test_last(self) -> None:
        assert repr(trial_rewards([step({"a": 0.5}), step({"a": 1})], "final").rewards) == "{'a': 1}"
        assert trial_rewards([step({"a": 1}), step(None)], "final") == step(None)
        assert trial_rewards([step({"a": 1}), step({})], "final") == step({})

    def test_none(self) -> None:
        assert trial_rewards([step({"a": 1}), NONE], "final") == NONE
        assert trial_rewards([], "final") == NONE


class TestStrategy:
    """There are two strategies."""

    def test_unknown(self) -> None:
        with pytest.raises(ValidationError) as raised:
            trial_rewards([step({"a": 1})], "best")
        assert raised.value.details == [{"loc": ["multi_step_reward_strategy"], "type": "enum"}]


class TestMinReward:
    """The first reward below its threshold is told; what is missing is below everything but -inf."""

    @pytest.mark.parametrize(
        ("rewards", "min_reward", "text"),
        [
            ({"reward": 0.4}, 0.5, "reward=0.4 below min_reward 0.5"),
            ({"reward": 0}, 1, "reward=0 below min_reward 1.0"),
            ({"reward": 1e-7}, 1e22, "reward=1e-07 below min_reward 1e+22"),
            ({"a": 1}, 0.5, "reward=-inf below min_reward 0.5"),
            ({}, 0.5, "reward=-inf below min_reward 0.5"),
            (None, 0.5, "reward=-inf below min_reward 0.5"),
            ({"a": 1, "b": 0}, {"a": 1, "b": 0.5, "c": 1}, "b=0 below min_reward 0.5"),
            ({"a": 1}, {"a": 1, "b": 0.5}, "b=-inf below min_reward 0.5"),
            ({"reward": 2**53 + 1}, 2.0**53 + 2, "reward=9007199254740993 below min_reward 9007199254740994.0"),
        ],
    )
    def test_below(self, rewards: Rewards | None, min_reward: float | dict[str, float], text: str) -> None:
        assert min_reward_failure(rewards, min_reward) == text

    @pytest.mark.parametrize(
        ("rewards", "min_reward"),
        [
            ({"reward": 0.5}, 0.5),
            ({"reward": float("nan")}, 0.5),
            ({"reward": 0}, float("nan")),
            ({"reward": -0.0}, 0),
            (None, float("-inf")),
            (None, {}),
            ({"reward": 10**400}, 1e308),
        ],
    )
    def test_not_below(self, rewards: Rewards | None, min_reward: float | dict[str, float]) -> None:
        assert min_reward_failure(rewards, min_reward) is None

    def test_a_threshold_no_float_can_hold(self) -> None:
        with pytest.raises(ValidationError):
            min_reward_failure({"reward": 1}, 10**400)
