"""Wrong statistics of a running job."""

from __future__ import annotations

import json
import math
import re
from typing import Any
from unittest.mock import patch

from reimpl import TokenUsage, Trial, door, render, stats
from tests.miniatures.gallery import Answer, Input, wrong_on, wrong_rule

SURFACE = "job_stats"

float_text = render.float_text
trial_of = door._trial
add = stats.EvalStats.add
remove = stats.EvalStats.remove
group_value = stats.EvalStats.to_value
count = stats.JobStats.count
job_value = stats.JobStats.to_value
update_progress = stats.JobStats.update_progress


# --- Counts -----------------------------------------------------------------------------------------------------------


@wrong_rule(SURFACE, door, "_trial")
def empty_rewards_not_counted(fields: Input) -> Trial:
    """Asks `if rewards`, so that {} is no result."""
    trial = trial_of(fields)
    return trial if trial.rewards else trial._replace(rewards=None)


@wrong_rule(SURFACE, stats.EvalStats, "add")
def every_trial_counted(self: stats.EvalStats, trial: Trial) -> None:
    """Counts trials without rewards in n_trials."""
    add(self, trial)
    self.n_trials += not trial.verified or trial.rewards is None


@wrong_rule(SURFACE, stats.JobStats, "count")
def failed_is_not_completed(self: stats.JobStats, trial: Trial) -> None:
    """Does not count a trial that failed as completed."""
    count(self, trial)
    self.n_completed_trials -= trial.exception is not None


@wrong_rule(SURFACE, stats.JobStats, "to_value")
def cancelled_is_no_error(self: stats.JobStats) -> dict[str, Any]:
    """Counts cancelled trials apart from errored ones."""
    return {**job_value(self), "n_errored_trials": self.n_errored_trials - self.n_cancelled_trials}


@wrong_rule(SURFACE, stats.JobStats, "count")
def cancelled_by_a_part_of_the_name(self: stats.JobStats, trial: Trial) -> None:
    """Looks for "Cancelled" anywhere in the exception's name."""
    count(self, trial)
    name = trial.exception or ""
    self.n_cancelled_trials += "Cancelled" in name and name != stats.CANCELLED


@wrong_rule(SURFACE, stats.JobStats, "to_value")
def counts_stop_at_zero(self: stats.JobStats) -> dict[str, Any]:
    """Never lets a count go below zero."""
    value: dict[str, Any] = job_value(self)
    return {name: max(0, item) if isinstance(item, int) else item for name, item in value.items()}


@wrong_rule(SURFACE, stats.JobStats, "update_progress")
def pending_below_zero(self: stats.JobStats, *, n_total_trials: int | None, n_retries: int) -> None:
    """Lets the number of pending trials go below zero."""
    update_progress(self, n_total_trials=n_total_trials, n_retries=n_retries)
    if n_total_trials is not None:
        self.n_pending_trials = n_total_trials - self.n_completed_trials


@wrong_rule(SURFACE, stats.JobStats, "update_progress")
def retries_without_a_total(self: stats.JobStats, *, n_total_trials: int | None, n_retries: int) -> None:
    """Writes the retries although the total is not known."""
    update_progress(self, n_total_trials=n_total_trials, n_retries=n_retries)
    self.n_retries = n_retries


# --- Tokens and cost --------------------------------------------------------------------------------------------------


@wrong_on(SURFACE)
def cost_with_sum(surface: str, input: Input) -> Answer:
    """Adds costs with compensation, as `sum()` does."""
    outcome = door.run(surface, input)
    trials = [step["trial"] for step in input["steps"] if step["op"] == "add"]
    costs = [trial["tokens"]["cost_usd"] for trial in trials if trial["tokens"] is not None]
    costs = [float(cost) for cost in costs if cost is not None]
    if "error" in outcome or not costs or len(trials) < len(input["steps"]):
        return outcome
    line = f'"cost_usd": {float_text(sum(costs))}'.encode()
    return {"value": re.sub(rb'"cost_usd": [^\n]+', line, outcome["value"])}


@wrong_rule(SURFACE, door, "TokenUsage")
def zero_is_no_report(**tokens: Any) -> TokenUsage:
    """Asks `if tokens`, so that zero tokens are no report."""
    return TokenUsage(**{name: amount or None for name, amount in tokens.items()})


@wrong_rule(SURFACE, stats.JobStats, "to_value")
def no_report_is_zero(self: stats.JobStats) -> dict[str, Any]:
    """Writes 0 for tokens that nobody reported."""
    return {name: 0 if item is None else item for name, item in job_value(self).items()}


@wrong_rule(SURFACE, stats, "_minus")
def tokens_below_zero(total: Any, amount: Any) -> Any:
    """Lets tokens and cost go below zero."""
    return total if total is None or amount is None else total - amount


@wrong_rule(SURFACE, stats, "_minus")
def nan_cost_stays(total: Any, amount: Any) -> Any:
    """Writes `max(total - amount, 0)`, which keeps a nan where `max(0, …)` does not."""
    return total if total is None or amount is None else max(total - amount, 0)


# --- Lists of trials --------------------------------------------------------------------------------------------------


@wrong_on(SURFACE)
def a_list_for_each_spelling(surface: str, input: Input) -> Answer:
    """Lists the trials of 1 and of 1.0 apart, as text keys do."""

    def spelled(trial: Trial) -> Trial:
        if trial.rewards is None or any(abs(value) > 10**4000 for value in trial.rewards.values()):
            return trial
        texts: Any = {name: repr(value) for name, value in trial.rewards.items()}
        return trial._replace(rewards=texts)

    with (
        patch.object(stats.EvalStats, "add", lambda self, trial: add(self, spelled(trial))),
        patch.object(stats.EvalStats, "remove", lambda self, trial: remove(self, spelled(trial))),
    ):
        return door.run(surface, input)


NAN = math.nan


@wrong_rule(SURFACE, door, "_own")
def nans_share_a_list(rewards: dict[str, Any] | None) -> dict[str, Any] | None:
    """Lists all trials with a nan together."""
    return rewards and {name: NAN if value != value else value for name, value in rewards.items()}  # noqa: PLR0124


@wrong_rule(SURFACE, stats.EvalStats, "to_value")
def empty_lists_removed(self: stats.EvalStats) -> dict[str, Any]:
    """Removes a list when its last trial is removed."""
    lists = {name: {key: names for key, names in each.items() if names} for name, each in self.reward_stats.items()}
    return {**group_value(self), "reward_stats": lists}


@wrong_rule(SURFACE, stats.EvalStats, "to_value")
def reward_stats_sorted(self: stats.EvalStats) -> dict[str, Any]:
    """Sorts the keys of reward_stats."""
    return {**group_value(self), "reward_stats": dict(sorted(self.reward_stats.items()))}


@wrong_rule(SURFACE, stats.JobStats, "replace")
def added_before_removed(self: stats.JobStats, trial: Trial, previous: Trial) -> None:
    """Adds the new trial before it removes the old one."""
    self.add(trial)
    self.remove(previous)


# --- Text -------------------------------------------------------------------------------------------------------------


@wrong_rule(SURFACE, render, "float_text")
def nan_by_its_name(value: float) -> str:
    """Writes NaN and Infinity where harbor writes null."""
    return float_text(value) if math.isfinite(value) else "NaN" if math.isnan(value) else "Infinity"


@wrong_rule(SURFACE, render, "number_key")
def keys_spelled_as_values(value: float) -> str:
    """Spells a float key like a float value: 0.00001 for 1e-05."""
    return float_text(value) if isinstance(value, float) else render.limited_text(value)


@wrong_on(SURFACE)
def ascii_escapes(surface: str, input: Input) -> Answer:
    """Escapes what is not ASCII, as `json.dumps` does."""
    with patch.object(render, "_quote", json.JSONEncoder().encode):
        return door.run(surface, input)
