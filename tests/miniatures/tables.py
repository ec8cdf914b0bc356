"""Wrong metrics."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from unittest.mock import patch

from reimpl import door, metrics
from tests.miniatures.gallery import Answer, Input, Run, naive_sum, wrong_on, wrong_rule

SURFACE = "metric"
Values = Sequence[int | float]

mean = metrics.mean


def wrong_sum(total: Callable[[Values], int | float]) -> Callable[[Values], int | float]:
    """Enter a miniature that adds up in another way, for means too."""

    def run(surface: str, input: Input) -> Answer:
        with patch.object(metrics, "total", total), patch.dict(metrics._AGGREGATES, sum=total):
            return door.run(surface, input)

    run.__name__, run.__doc__ = total.__name__, total.__doc__
    wrong_on(SURFACE)(run)
    return total


def with_aggregates(**aggregates: Callable[[Values], int | float]) -> Run:
    """Return a door whose metrics are these; over no trials at all they are right."""

    def run(surface: str, input: Input) -> Answer:
        with patch.dict(metrics._AGGREGATES, aggregates if input["rewards"] else {}):
            return door.run(surface, input)

    return run


# --- Summation --------------------------------------------------------------------------------------------------------


@wrong_sum
def naive_summation(values: Values) -> int | float:
    """Adds from left to right without compensation."""
    return naive_sum(values)


@wrong_sum
def exact_summation(values: Values) -> int | float:
    """Adds with `math.fsum`, which compensates for ints too."""
    floats = any(isinstance(value, float) for value in values)
    small = all(math.isfinite(value) and abs(value) < 1e300 for value in values)
    return math.fsum(values) if floats and small else sum(values)


@wrong_sum
def summation_of_python_3_14(values: Values) -> int | float:
    """Compensates for ints among floats, as `sum()` does from Python 3.14 on."""
    floats = any(isinstance(value, float) for value in values)
    small = all(isinstance(value, float) or abs(value) < 2**53 for value in values)
    return sum(map(float, values)) if floats and small else sum(values)


@wrong_sum
def sum_from_the_first_value(values: Values) -> int | float:
    """Starts from the first value instead of 0, so that -0.0 stays."""
    return sum(values[1:], start=values[0]) if values else 0


@wrong_sum
def sum_of_ints_a_float(values: Values) -> int | float:
    """Gives 3.0 for the sum of 1 and 2."""
    total = sum(values)
    return float(total) if abs(total) < 2**53 else total


# --- Mean -------------------------------------------------------------------------------------------------------------


@wrong_on(SURFACE)
def none_skipped(surface: str, input: Input) -> Answer:
    """Leaves trials without rewards out of the mean."""
    return door.run(surface, {**input, "rewards": [each for each in input["rewards"] if each is not None]})


@wrong_rule(SURFACE, metrics.RewardTable, "_values")
def trials_without_the_key_left_out(table: metrics.RewardTable, key: str) -> list[int | float]:
    """Takes a metric over the trials that have the reward."""
    return table._columns[key][1]


@wrong_on(SURFACE)
def no_trials_mean_zero(surface: str, input: Input) -> Answer:
    """Gives 0.0 for the mean of no trials."""
    if input["metric"] == "mean" and not input["rewards"]:
        return {"value": {"mean": 0.0}}
    return door.run(surface, input)


@wrong_on(SURFACE)
def running_mean(surface: str, input: Input) -> Answer:
    """Updates the mean trial by trial, as streaming code does."""

    def updated(values: Values) -> float:
        found = 0.0
        for count, value in enumerate(values, 1):
            found += (value - found) / count
        return found

    return with_aggregates(mean=updated)(surface, input)


@wrong_on(SURFACE)
def mean_rounded(surface: str, input: Input) -> Answer:
    """Rounds the mean to six decimals."""
    return with_aggregates(mean=lambda values: round(mean(values), 6))(surface, input)


# --- Max and min ------------------------------------------------------------------------------------------------------


@wrong_on(SURFACE)
def ties_to_the_last(surface: str, input: Input) -> Answer:
    """Keeps the last of equal values: 1.0 of [1, 1.0]."""
    last = {"max": lambda values: max(reversed(values)), "min": lambda values: min(reversed(values))}
    return with_aggregates(**last)(surface, input)


@wrong_on(SURFACE)
def nan_passed_over(surface: str, input: Input) -> Answer:
    """Ignores nan in max and min wherever it stands."""

    def real(values: Values) -> list[int | float]:
        return [value for value in values if not _is_nan(value)] or [math.nan]

    chosen = {"max": lambda values: max(real(values)), "min": lambda values: min(real(values))}
    return with_aggregates(**chosen)(surface, input)


@wrong_on(SURFACE)
def nan_spreads(surface: str, input: Input) -> Answer:
    """Lets nan win in max and min wherever it stands, as arrays of numbers do."""
    spread = {
        "max": lambda values: _nan_of(values) or max(values),
        "min": lambda values: _nan_of(values) or min(values),
    }
    return with_aggregates(**spread)(surface, input)


def _is_nan(value: float) -> bool:
    return isinstance(value, float) and math.isnan(value)


def _nan_of(values: Values) -> float | None:
    return math.nan if any(map(_is_nan, values)) else None


# --- Shape ------------------------------------------------------------------------------------------------------------


@wrong_on(SURFACE)
def metric_name_for_every_key(surface: str, input: Input) -> Answer:
    """Keeps the reward's name although there is only one."""
    outcome = door.run(surface, input)
    names = {name for each in input["rewards"] if each for name in each}
    if "value" not in outcome or len(names) != 1:
        return outcome
    return {"value": dict(zip(names, outcome["value"].values(), strict=True))}


@wrong_on(SURFACE)
def one_name_a_trial_is_one_name(surface: str, input: Input) -> Answer:
    """Counts the reward names of a trial, not those of all of them."""
    if any(len(each or {}) > 1 for each in input["rewards"]):
        return door.run(surface, input)
    alike = [each and dict(zip(("reward",), each.values(), strict=True)) for each in input["rewards"]]
    return door.run(surface, {**input, "rewards": alike})


@wrong_on(SURFACE)
def names_in_order_of_appearance(surface: str, input: Input) -> Answer:
    """Does not sort the reward names."""
    with patch.object(metrics, "sorted", list, create=True):
        return door.run(surface, input)


@wrong_on(SURFACE)
def names_sorted_as_utf_16(surface: str, input: Input) -> Answer:
    """Sorts reward names as Java and JavaScript do."""

    def by_units(names: Sequence[str]) -> list[str]:
        return sorted(names, key=lambda name: name.encode("utf-16-be", "surrogatepass"))

    with patch.object(metrics, "sorted", by_units, create=True):
        return door.run(surface, input)
