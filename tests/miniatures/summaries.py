"""Wrong results of a finished job."""

from __future__ import annotations

import math
from datetime import datetime
from typing import Any
from unittest.mock import patch

from reimpl import Trial, door, job_result, metrics, render, stats
from tests.miniatures.gallery import Answer, Input, wrong_on, wrong_rule

SURFACE = "job_result"

float_text = render.float_text
timestamp_text = render.timestamp_text
trial_of = door._trial
add_rewards = metrics.RewardTable.add
group_value = stats.EvalStats.to_value
job_value = stats.JobStats.to_value


# --- Numbers ----------------------------------------------------------------------------------------------------------


@wrong_rule(SURFACE, render, "float_text")
def json_dumps_floats(value: float) -> str:
    """Writes floats as Python's json does: 1e-05 where harbor writes 0.00001."""
    return repr(value) if math.isfinite(value) else float_text(value)


@wrong_rule(SURFACE, render, "float_text")
def whole_floats_as_ints(value: float) -> str:
    """Writes 1 for 1.0, as JavaScript does."""
    return float_text(value).removesuffix(".0")


@wrong_rule(SURFACE, render, "float_text")
def exponent_without_plus(value: float) -> str:
    """Writes 1e16 for 1e+16, as pydantic did before 2.13."""
    return float_text(value).replace("e+", "e")


@wrong_rule(SURFACE, job_result, "timestamp_text")
def microseconds_always_written(value: datetime) -> str:
    """Writes the microseconds of a full second."""
    return value.isoformat(timespec="microseconds")


@wrong_rule(SURFACE, job_result, "timestamp_text")
def zeros_of_a_fraction_cut(value: datetime) -> str:
    """Writes .1 for .100000."""
    text = timestamp_text(value)
    return text.rstrip("0") if "." in text else text


# --- Metrics ----------------------------------------------------------------------------------------------------------


@wrong_on(SURFACE)
def dataset_after_the_first_underscores(surface: str, input: Input) -> Answer:
    """Finds the metrics of a dataset whose name holds `__`."""

    def dataset(key: str) -> str:
        known = [name for name in input["metrics"] if key.endswith(f"__{name}")]
        return max(known, key=len, default="")

    with patch.object(job_result, "_dataset", dataset):
        return door.run(surface, input)


@wrong_rule(SURFACE, job_result, "_dataset")
def dataset_split_from_the_right(key: str) -> str:
    """Splits a key from the right, which tells `a_____c` otherwise."""
    return key.rsplit("__", 1)[-1]


@wrong_on(SURFACE)
def mean_by_default(surface: str, input: Input) -> Answer:
    """Gives the mean to a dataset that has no metrics."""
    datasets = ((trial["source"] or "adhoc").split("__")[-1] for trial in input["trials"])
    return door.run(surface, {**input, "metrics": {**{name: ["mean"] for name in datasets}, **input["metrics"]}})


@wrong_rule(SURFACE, metrics.RewardTable, "add")
def trials_without_rewards_left_out(self: metrics.RewardTable, rewards: dict[str, Any] | None) -> None:
    """Leaves trials without rewards out of the metrics."""
    if rewards is not None:
        add_rewards(self, rewards)


@wrong_rule(SURFACE, stats.EvalStats, "to_value")
def metrics_in_one_object(self: stats.EvalStats) -> dict[str, Any]:
    """Writes all metrics of a group into one object."""
    each = (metric for metric in self.metrics if isinstance(metric, dict))
    merged = {name: value for metric in each for name, value in metric.items()}
    return {**group_value(self), "metrics": [merged] if merged else []}


@wrong_rule(SURFACE, door, "_trial")
def failed_trials_lose_their_rewards(fields: Input) -> Trial:
    """Takes a trial that ended in an exception for one without rewards."""
    trial = trial_of(fields)
    return trial if trial.exception is None else trial._replace(rewards=None)


# --- Counts and layout ------------------------------------------------------------------------------------------------


class _Names(list[str]):
    """A list that passes for a set."""

    add = list.append


@wrong_on(SURFACE)
def cancelled_counted_each(surface: str, input: Input) -> Answer:
    """Counts a cancelled trial again when its name comes again."""
    with patch.object(job_result, "set", _Names, create=True):
        return door.run(surface, input)


@wrong_rule(SURFACE, stats.JobStats, "to_value")
def groups_sorted(self: stats.JobStats) -> dict[str, Any]:
    """Sorts the groups by their key."""
    value: dict[str, Any] = job_value(self)
    return {**value, "evals": dict(sorted(value["evals"].items()))}


@wrong_on(SURFACE)
def newline_at_the_end(surface: str, input: Input) -> Answer:
    """Ends the file with a newline."""
    found = door.run(surface, input)
    return {"value": found["value"] + b"\n"} if "value" in found else found
