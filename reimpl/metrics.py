"""The metrics of one evals group: mean, max, min and sum of the rewards of its trials."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence

from reimpl.summation import total

Rewards = dict[str, int | float]


def compute_metric(name: str, rewards: Iterable[Rewards | None]) -> Rewards:
    """Compute the metric ``"mean"``, ``"max"``, ``"min"`` or ``"sum"`` over the rewards of a group's trials, in order.

    When the trials know at most one reward name between them, the result has one entry, under the name of the metric:
    ``{"mean": 0.5}``. When they know more, it has one entry a reward name, sorted, and the metric's own name is lost.
    A trial without rewards, or without that reward, counts as 0.

    Raises:
        ValueError: There is no such metric, or no trial to take the max or min of.
        ZeroDivisionError: There is no trial to take the mean of.
        OverflowError: An int is too large for the float arithmetic it meets.

    """
    return RewardTable(rewards).compute(name)


class RewardTable:
    """The rewards of a group's trials, kept by reward name: a few words of memory a trial instead of a dict.

    It takes trials one by one, so that a job can be scored while its trials are read, and answers as
    :func:`compute_metric` does.
    """

    __slots__ = ("_columns", "_rows")

    def __init__(self, rewards: Iterable[Rewards | None] = ()) -> None:
        self._rows = 0
        # Only the rows that have the reward are kept, or a job of many reward names would fill memory with zeros.
        self._columns: dict[str, tuple[array[int], list[int | float]]] = {}
        for reward in rewards:
            self.add(reward)

    def add(self, rewards: Rewards | None) -> None:
        """Take the rewards of the next trial."""
        row = self._rows
        self._rows = row + 1
        if rewards:
            columns = self._columns
            for key, value in rewards.items():
                if key not in columns:
                    columns[key] = (array("q"), [])
                rows, values = columns[key]
                rows.append(row)
                values.append(value)

    def compute(self, name: str) -> Rewards:
        """Compute a metric over the trials taken so far."""
        aggregate = _AGGREGATES.get(name)
        if aggregate is None:
            raise ValueError(f"unknown metric {name!r}: choose from {', '.join(_AGGREGATES)}")
        keys = sorted(self._columns)
        if len(keys) > 1:
            return {key: aggregate(self._values(key)) for key in keys}
        return {name: aggregate(self._values(keys[0]) if keys else [0] * self._rows)}

    def _values(self, key: str) -> list[int | float]:
        rows, values = self._columns[key]
        if len(values) == self._rows:
            return values
        column: list[int | float] = [0] * self._rows
        for row, value in zip(rows, values, strict=True):
            column[row] = value
        return column


def mean(values: Sequence[int | float]) -> float:
    """Divide the sum by the number of values; a sum of ints is exact however large it is."""
    if not values:
        raise ZeroDivisionError("division by zero")
    return total(values) / len(values)


# The text of 3.12 is raised here because 3.10 and 3.11 word it differently.
def _largest(values: Sequence[int | float]) -> int | float:
    if not values:
        raise ValueError("max() iterable argument is empty")
    return max(values)


def _smallest(values: Sequence[int | float]) -> int | float:
    if not values:
        raise ValueError("min() iterable argument is empty")
    return min(values)


_AGGREGATES: dict[str, Callable[[Sequence[int | float]], int | float]] = {
    "mean": mean,
    "max": _largest,
    "min": _smallest,
    "sum": total,
}
