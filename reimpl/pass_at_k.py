"""pass@k: the chance that at least one of k attempts at a task succeeds, averaged over the tasks of a group."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from reimpl.metrics import mean
from reimpl.trial import evals_key

if TYPE_CHECKING:
    from reimpl.trial import Trial


def pass_at_k(trials: Iterable[Trial]) -> dict[str, dict[int, float]]:
    """Compute pass@k of every evals group for each k that its tasks have enough trials for.

    A group counts only when every reward in it is a single 0 or 1, whatever its name; a trial without rewards is a
    failure. k is 2, 4, 8, … and 5, 10, 15, … up to the number of trials of the task that has the fewest. A group that
    does not count, or has no k, is left out.
    """
    groups: dict[str, Attempts] = {}
    for trial in trials:
        key = evals_key(trial)
        attempts = groups.get(key)
        if attempts is None:
            attempts = groups[key] = Attempts()
        attempts.add(trial)
    estimates = {key: attempts.estimates() for key, attempts in groups.items()}
    return {key: estimate for key, estimate in estimates.items() if estimate}


class Attempts:
    """The attempts of one evals group, counted by task; it takes trials one by one and keeps none of them."""

    __slots__ = ("_tasks",)

    def __init__(self) -> None:
        # Trials and successes of each task, in order of appearance; None when pass@k has ended for the group.
        self._tasks: dict[str, list[int]] | None = {}

    def add(self, trial: Trial) -> None:
        """Count the next trial; one whose rewards are not a single 0 or 1 ends pass@k for the group."""
        if self._tasks is None:
            return
        success = _success(trial)
        if success is None:
            self._tasks = None
            return
        counts = self._tasks.get(trial.task)
        if counts is None:
            self._tasks[trial.task] = [1, success]
        else:
            counts[0] += 1
            counts[1] += success

    def estimates(self) -> dict[int, float]:
        """Compute pass@k of the trials counted so far, as the mean over the tasks; nothing if the group has none."""
        if not self._tasks:
            return {}
        ks = _ks(min(trials for trials, _ in self._tasks.values()))
        columns: dict[int, list[float]] = {k: [] for k in ks}
        for trials, successes in self._tasks.values():
            for k, estimate in _estimates(trials, successes, ks):
                columns[k].append(estimate)
        return {k: mean(column) for k, column in columns.items()}


def _success(trial: Trial) -> int | None:
    """Return 1 or 0, or None when the trial's rewards are not one binary reward."""
    if not trial.verified or trial.rewards is None:
        return 0
    if len(trial.rewards) != 1:
        return None
    (reward,) = trial.rewards.values()
    return int(reward) if reward in (0, 1) else None


def _ks(fewest: int) -> list[int]:
    powers_of_two = {2**exponent for exponent in range(1, fewest.bit_length())}
    return sorted(powers_of_two.union(range(5, fewest + 1, 5)))


def _estimates(trials: int, successes: int, ks: list[int]) -> Iterator[tuple[int, float]]:
    """Compute 1 - C(trials - successes, k) / C(trials, k) for each rising k, factor by factor.

    The closed form is not used because it rounds differently in about one case of sixteen. The factors of a k are
    the first ones of every larger k, so all of them cost what the largest one does.
    """
    failures = trials - successes
    all_fail = 1.0
    drawn = 0
    for k in ks:
        if failures < k:
            yield k, 1.0
            continue
        for number in range(drawn, k):
            all_fail *= (failures - number) / (trials - number)
        drawn = k
        yield k, 1.0 - all_fail
