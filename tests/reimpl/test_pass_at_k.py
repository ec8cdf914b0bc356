from __future__ import annotations

import math
from typing import Any

import pytest

from reimpl import Trial, pass_at_k


def trial(value: Any, task: str = "t", **fields: Any) -> Trial:
    rewards = value if isinstance(value, dict) or value is None else {"reward": value}
    return Trial(task=task, name="n", **{"agent": "a", "rewards": rewards, **fields})


def estimates(*trials: Trial) -> str:
    return repr(pass_at_k(trials).get("a__adhoc", {}))


def task(n: int, successes: int, name: str = "t") -> list[Trial]:
    return [trial(1 if number < successes else 0, name) for number in range(n)]


class TestEstimate:
    """The chance is a product taken factor by factor, and 1.0 when k failures do not exist."""

    @pytest.mark.parametrize(
        ("n", "successes", "k", "expected"),
        [
            (5, 0, 2, "0.0"),
            (5, 1, 2, "0.3999999999999999"),
            (5, 5, 2, "1.0"),
            (10, 3, 5, "0.9166666666666667"),
            (4, 2, 2, "0.8333333333333334"),
            (2, 1, 2, "1.0"),
            (3, 1, 2, "0.6666666666666667"),
            (6, 1, 2, "0.33333333333333326"),
            (10, 1, 2, "0.20000000000000007"),
        ],
    )
    def test_recorded(self, n: int, successes: int, k: int, expected: str) -> None:
        assert repr(pass_at_k(task(n, successes))["a__adhoc"][k]) == expected

    def test_close_to_the_closed_form(self) -> None:
        for n in range(2, 25):
            for successes in range(n + 1):
                for k, estimate in pass_at_k(task(n, successes))["a__adhoc"].items():
                    exact = 1 - math.comb(n - successes, k) / math.comb(n, k)
                    assert math.isclose(estimate, exact, abs_tol=1e-12)

    def test_the_mean_over_tasks_is_compensated(self) -> None:
        trials = [trial for number in range(10) for trial in task(10, 1, f"t{number}")]
        assert repr(pass_at_k(trials)["a__adhoc"][2]) == "0.2000000000000001"


class TestValuesOfK:
    """k is a power of two or a multiple of five, from 2 up to the fewest trials of a task."""

    @pytest.mark.parametrize(
        ("n", "ks"),
        [
            (1, []),
            (2, [2]),
            (3, [2]),
            (4, [2, 4]),
            (5, [2, 4, 5]),
            (8, [2, 4, 5, 8]),
            (10, [2, 4, 5, 8, 10]),
            (16, [2, 4, 5, 8, 10, 15, 16]),
            (20, [2, 4, 5, 8, 10, 15, 16, 20]),
        ],
    )
    def test_table(self, n: int, ks: list[int]) -> None:
        assert list(pass_at_k(task(n, 0)).get("a__adhoc", {})) == ks

    def test_the_task_with_the_fewest_trials_decides(self) -> None:
        assert estimates(*task(5, 1), *task(2, 1, "u")) == "{2: 0.7}"
        assert estimates(*task(5, 1), *task(1, 1, "u")) == "{}"


class TestBinary:
    """A group counts when each trial has no rewards, or a single one that equals 0 or 1."""

    @pytest.mark.parametrize("value", [0, 1, 0.0, 1.0, -0.0, True, None])
    def test_binary(self, value: Any) -> None:
        assert estimates(trial(value), trial(1)) == "{2: 1.0}"

    @pytest.mark.parametrize(
        "value", [0.5, 2, -1, float("nan"), float("inf"), 5e-324, 1.0000000000000002, 10**400, {}, {"a": 1, "b": 1}]
    )
    def test_not_binary(self, value: Any) -> None:
        for trials in ([trial(value), *task(4, 1)], [*task(4, 1), trial(value)], [*task(4, 1), trial(value, "u")]):
            assert estimates(*trials) == "{}"

    def test_names_do_not_matter(self) -> None:
        assert estimates(trial({"a": 1}), trial({"b": 0})) == "{2: 1.0}"

    def test_without_a_result(self) -> None:
        assert estimates(trial(None), trial(1, verified=False)) == "{2: 0.0}"

    def test_with_an_exception(self) -> None:
        assert estimates(trial(1, exception="AgentTimeoutError"), trial(0)) == "{2: 1.0}"


class TestGroups:
    """Groups are told apart by their key, and those without a k are left out."""

    def test_left_out(self) -> None:
        assert pass_at_k([]) == {}
        assert pass_at_k([*task(2, 1), trial(1, agent="b"), *[trial(0.5, agent="c")] * 2]) == {"a__adhoc": {2: 1.0}}

    def test_keys_that_collide_pool(self) -> None:
        trials = [trial(1, agent="a__b", source="c"), trial(0, agent="a", model="b", source="c")]
        assert pass_at_k(trials) == {"a__b__c": {2: 1.0}}
