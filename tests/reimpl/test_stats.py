from __future__ import annotations

import json
import math
from typing import Any

import pytest

from reimpl.stats import JobStats
from reimpl.trial import TokenUsage, Trial


def trial(name: str, rewards: dict[str, int | float] | None = None, **fields: Any) -> Trial:
    return Trial(task="t", name=name, agent="a", rewards=rewards, **fields)


def stats_of(*trials: Trial) -> JobStats:
    stats = JobStats()
    for item in trials:
        stats.add(item)
    return stats


def shown(stats: JobStats) -> Any:
    """Read the stats back, with objects as lists of pairs so that order and repeated keys show."""
    return json.loads(stats.to_json(), object_pairs_hook=lambda pairs: [list(pair) for pair in pairs])


def buckets(stats: JobStats, key: str = "reward") -> Any:
    (group,) = dict(shown(stats))["evals"]
    return dict(dict(group[1])["reward_stats"])[key]


class TestCounts:
    """Every finished trial is completed; it has rewards, an error, both or neither."""

    def test_nothing(self) -> None:
        assert stats_of().to_json().decode().split("\n") == [
            "{",
            '    "n_completed_trials": 0,',
            '    "n_errored_trials": 0,',
            '    "n_running_trials": 0,',
            '    "n_pending_trials": 0,',
            '    "n_cancelled_trials": 0,',
            '    "n_retries": 0,',
            '    "evals": {},',
            '    "n_input_tokens": null,',
            '    "n_cache_tokens": null,',
            '    "n_output_tokens": null,',
            '    "cost_usd": null',
            "}",
        ]

    def test_rewards_and_an_exception_at_once(self) -> None:
        stats = stats_of(trial("x", {"reward": 1}, exception="AgentTimeoutError"))
        assert (stats.n_completed_trials, stats.n_errored_trials) == (1, 1)
        group = stats.evals["a__adhoc"]
        assert (group.n_trials, group.n_errors) == (1, 1)
        assert group.exception_stats == {"AgentTimeoutError": ["x"]}

    def test_empty_rewards_count_and_none_do_not(self) -> None:
        stats = stats_of(trial("x", {}), trial("y"), trial("z", verified=False))
        assert stats.n_completed_trials == 3
        assert stats.evals["a__adhoc"].n_trials == 1

    def test_rewards_without_a_verifier_result_do_not_count(self) -> None:
        group = stats_of(trial("x", {"reward": 1}, verified=False)).evals["a__adhoc"]
        assert (group.n_trials, group.reward_stats) == (0, {})

    def test_cancelled_error_by_its_exact_name(self) -> None:
        stats = stats_of(trial("x", exception="CancelledError"), trial("y", exception="asyncio.CancelledError"))
        assert (stats.n_errored_trials, stats.n_cancelled_trials) == (2, 1)

    def test_an_exception_without_a_name_is_one(self) -> None:
        assert stats_of(trial("x", exception="")).n_errored_trials == 1

    def test_groups_in_order_of_appearance(self) -> None:
        stats = stats_of(trial("x", source="z"), trial("y", source="b"), trial("w", source="z"))
        assert list(stats.evals) == ["a__z", "a__b"]


class TestBuckets:
    """Names are listed by reward key and value; equal values share a list under the spelling seen first."""

    @pytest.mark.parametrize(
        ("values", "expected"),
        [
            ([1, 1.0], [["1", ["0", "1"]]]),
            ([1.0, 1], [["1.0", ["0", "1"]]]),
            ([0, -0.0, 0.0], [["0", ["0", "1", "2"]]]),
            ([-0.0, 0], [["-0.0", ["0", "1"]]]),
            ([2**53, 2.0**53, 2**53 + 1], [["9007199254740992", ["0", "1"]], ["9007199254740993", ["2"]]]),
            ([0.5, 0.25, 0.5], [["0.5", ["0", "2"]], ["0.25", ["1"]]]),
            ([1e-05, 1e16], [["1e-05", ["0"]], ["1e+16", ["1"]]]),
        ],
    )
    def test_equal_values(self, values: list[int | float], expected: Any) -> None:
        stats = stats_of(*(trial(str(number), {"reward": value}) for number, value in enumerate(values)))
        assert buckets(stats) == expected

    def test_two_nans_are_two_buckets_of_one_spelling(self) -> None:
        stats = stats_of(trial("x", {"reward": float("nan")}), trial("y", {"reward": float("nan")}))
        assert buckets(stats) == [["nan", ["x"]], ["nan", ["y"]]]

    def test_one_nan_object_is_one_bucket(self) -> None:
        stats = stats_of(trial("x", {"reward": math.nan}), trial("y", {"reward": math.nan}))
        assert buckets(stats) == [["nan", ["x", "y"]]]

    def test_keys_keep_their_order(self) -> None:
        stats = stats_of(trial("x", {"b": 1, "a": 1}), trial("y", {"a": 0, "c": 1}))
        assert list(stats.evals["a__adhoc"].reward_stats) == ["b", "a", "c"]

    def test_equal_names_are_listed_each_time(self) -> None:
        assert buckets(stats_of(trial("x", {"reward": 1}), trial("x", {"reward": 1}))) == [["1", ["x", "x"]]]


class TestRemoval:
    """Removing a trial takes back its counts and one listing of its name, and leaves emptied places standing."""

    def test_emptied_places_stay(self) -> None:
        gone = trial("x", {"reward": 1.0, "b": 2}, exception="E")
        stats = stats_of(gone)
        stats.remove(gone)
        group = stats.evals["a__adhoc"]
        assert (stats.n_completed_trials, stats.n_errored_trials, group.n_trials, group.n_errors) == (0, 0, 0, 0)
        assert group.reward_stats == {"reward": {1.0: []}, "b": {2: []}}
        assert group.exception_stats == {"E": []}

    def test_a_place_keeps_its_spelling_and_order(self) -> None:
        first = trial("x", {"reward": 1.0})
        stats = stats_of(first, trial("y", {"reward": 0}))
        stats.remove(first)
        stats.add(trial("z", {"reward": 1}))
        assert buckets(stats) == [["1.0", ["z"]], ["0", ["y"]]]

    def test_of_equal_names_the_first_goes(self) -> None:
        one = trial("x", {"reward": 1})
        stats = stats_of(one, trial("y", {"reward": 1}), trial("x", {"reward": 1}))
        stats.remove(one)
        assert buckets(stats) == [["1", ["y", "x"]]]

    def test_removing_twice_counts_below_zero(self) -> None:
        gone = trial("x", {"reward": 1}, exception="CancelledError")
        stats = stats_of(gone)
        stats.remove(gone)
        stats.remove(gone)
        group = stats.evals["a__adhoc"]
        assert (stats.n_completed_trials, stats.n_errored_trials, stats.n_cancelled_trials) == (-1, -1, -1)
        assert (group.n_trials, group.n_errors) == (-1, -1)

    def test_what_was_never_added_leaves_no_place(self) -> None:
        stats = stats_of(trial("x", {"a": 0}))
        stats.remove(trial("y", {"a": 1, "b": 1}, exception="E"))
        assert (stats.n_completed_trials, stats.n_errored_trials) == (0, -1)
        assert (stats.evals["a__adhoc"].n_trials, stats.evals["a__adhoc"].n_errors) == (0, -1)
        assert stats.evals["a__adhoc"].reward_stats == {"a": {0: ["x"]}}
        assert stats.evals["a__adhoc"].exception_stats == {}

    def test_replacing_is_removing_then_adding(self) -> None:
        old, new = trial("x", {"reward": 1}), trial("x", {"reward": 0}, source="s")
        stats = stats_of(old)
        stats.replace(new, old)
        assert stats.n_completed_trials == 1
        assert {key: group.n_trials for key, group in stats.evals.items()} == {"a__adhoc": 0, "a__s": 1}


def costs(*values: float | None) -> list[Trial]:
    return [trial("x", tokens=TokenUsage(cost_usd=value)) for value in values]


class TestTokens:
    """Totals are null until reported, add up one by one, and never fall below zero when taken back."""

    def test_zero_is_a_report(self) -> None:
        stats = stats_of(trial("x", tokens=TokenUsage(input=0)), trial("y"))
        assert (stats.n_input_tokens, stats.n_cache_tokens, stats.cost_usd) == (0, None, None)

    def test_cost_is_plain_addition(self) -> None:
        assert stats_of(*costs(*[0.1] * 10)).cost_usd == 0.9999999999999999

    def test_cost_is_rendered_as_a_float(self) -> None:
        assert b'"cost_usd": 3.0\n' in stats_of(*costs(1, 2)).to_json()

    def test_minus_zero_is_rendered_as_zero(self) -> None:
        assert b'"cost_usd": 0.0\n' in stats_of(*costs(-0.0)).to_json()

    @pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
    def test_cost_that_is_not_finite_is_rendered_as_null(self, value: float) -> None:
        assert b'"cost_usd": null\n' in stats_of(*costs(value)).to_json()

    def test_taking_back_leaves_the_rounding_behind(self) -> None:
        one, other = costs(0.1, 0.2)
        stats = stats_of(one, other)
        stats.remove(one)
        assert stats.cost_usd == 0.20000000000000004

    @pytest.mark.parametrize(("total", "amount"), [(-3.0, -1.0), (math.nan, 1.0), (math.inf, math.inf), (0.0, 5.0)])
    def test_taking_back_stops_at_zero(self, total: float, amount: float) -> None:
        stats = JobStats()
        stats.cost_usd, stats.n_input_tokens = total, 1
        stats.remove(trial("x", tokens=TokenUsage(input=5, cost_usd=amount)))
        assert stats.n_input_tokens == 0
        assert b'"cost_usd": 0.0\n' in stats.to_json()

    def test_taking_back_what_was_never_reported(self) -> None:
        stats = stats_of(trial("x"))
        stats.remove(trial("x", tokens=TokenUsage(input=5)))
        assert stats.n_input_tokens is None


class TestProgress:
    """Pending is what is left of the total, never less than none; without a total nothing is known."""

    @pytest.mark.parametrize(("total", "pending"), [(5, 4), (1, 0), (0, 0), (-2, 0), (10**30, 10**30 - 1)])
    def test_pending(self, total: int, pending: int) -> None:
        stats = stats_of(trial("x"))
        stats.update_progress(n_total_trials=total)
        assert stats.n_pending_trials == pending

    def test_completed_below_zero_adds_to_pending(self) -> None:
        stats = JobStats()
        stats.remove(trial("x"))
        stats.update_progress(n_total_trials=3)
        assert stats.n_pending_trials == 4

    def test_without_a_word_nothing_runs_and_nothing_was_tried_again(self) -> None:
        stats = stats_of()
        stats.n_running_trials = stats.n_retries = 7
        stats.update_progress(n_total_trials=1)
        assert (stats.n_running_trials, stats.n_retries) == (0, 0)

    def test_running_trials_are_not_pending(self) -> None:
        stats = stats_of(trial("x"))
        stats.update_progress(n_total_trials=5, n_running_trials=3)
        assert (stats.n_running_trials, stats.n_pending_trials) == (3, 1)

    def test_without_a_total_the_retries_are_not_taken_either(self) -> None:
        stats = JobStats()
        stats.update_progress(n_total_trials=None, n_retries=5)
        assert (stats.n_pending_trials, stats.n_retries) == (0, 0)
        stats.update_progress(n_total_trials=0, n_retries=5)
        assert (stats.n_pending_trials, stats.n_retries) == (0, 5)
