"""The running totals of a job: what harbor keeps under ``stats`` in a job's ``result.json``."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

from reimpl.render import render
from reimpl.trial import Trial, evals_key

if TYPE_CHECKING:
    from reimpl.render import Json

Number = TypeVar("Number", int, float)

CANCELLED = "CancelledError"
"""The exception of a trial that was cancelled, by its exact class name."""


class EvalStats:
    """The totals of one group of trials: the same agent, model and dataset.

    ``reward_stats`` lists trial names by reward key and value. Values share a list when they are equal in Python, so 1
    and 1.0 do, under the spelling seen first; a nan equals no other. Keys and values keep the order they were first
    seen in, and stay when their last trial is removed.
    """

    __slots__ = ("exception_stats", "metrics", "n_errors", "n_trials", "pass_at_k", "reward_stats")

    def __init__(self) -> None:
        self.n_trials = 0
        self.n_errors = 0
        self.metrics: list[Json] = []
        self.pass_at_k: dict[int, float] = {}
        self.reward_stats: dict[str, dict[int | float, list[str]]] = {}
        self.exception_stats: dict[str, list[str]] = {}

    def add(self, trial: Trial) -> None:
        """Count a trial: in ``n_trials`` if it has rewards, be they empty, and in ``n_errors`` if it failed."""
        if trial.verified and trial.rewards is not None:
            self.n_trials += 1
            for key, value in trial.rewards.items():
                names = self.reward_stats.setdefault(key, {}).setdefault(value, [])
                names.append(trial.name)
        if trial.exception is not None:
            self.n_errors += 1
            self.exception_stats.setdefault(trial.exception, []).append(trial.name)

    def remove(self, trial: Trial) -> None:
        """Uncount a trial; a name that is not listed is no error, and the counts go below zero."""
        if trial.verified and trial.rewards is not None:
            self.n_trials -= 1
            for key, value in trial.rewards.items():
                _discard(self.reward_stats.get(key, {}).get(value, []), trial.name)
        if trial.exception is not None:
            self.n_errors -= 1
            _discard(self.exception_stats.get(trial.exception, []), trial.name)

    def to_value(self) -> dict[str, Json]:
        """Give the fields in the order of the result file."""
        return {
            "n_trials": self.n_trials,
            "n_errors": self.n_errors,
            "metrics": self.metrics,
            "pass_at_k": self.pass_at_k,
            "reward_stats": self.reward_stats,
            "exception_stats": self.exception_stats,
        }


class JobStats:
    """The totals of a job, kept up to date while trials finish, are thrown away or are replaced by a retry.

    Token counts and the cost stay ``None`` until a trial reports one; zero is a report. The cost adds up with plain
    ``+``, one trial after the other.
    """

    def __init__(self) -> None:
        self.n_completed_trials = 0
        self.n_errored_trials = 0
        self.n_running_trials = 0
        self.n_pending_trials = 0
        self.n_cancelled_trials = 0
        self.n_retries = 0
        self.evals: dict[str, EvalStats] = {}
        self.n_input_tokens: int | None = None
        self.n_cache_tokens: int | None = None
        self.n_output_tokens: int | None = None
        self.cost_usd: float | None = None

    def add(self, trial: Trial) -> None:
        """Count a finished trial, in its group and in the job; a failed one is completed as well."""
        self.group(evals_key(trial)).add(trial)
        self.count(trial)

    def count(self, trial: Trial) -> None:
        """Count a finished trial in the job alone."""
        self.n_completed_trials += 1
        if trial.exception is not None:
            self.n_errored_trials += 1
            self.n_cancelled_trials += trial.exception == CANCELLED
        tokens = trial.tokens
        if tokens is None:
            return
        # Starting from an int 0 turns a first cost of -0.0 into 0.0, as in harbor.
        if tokens.input is not None:
            self.n_input_tokens = (self.n_input_tokens or 0) + tokens.input
        if tokens.cache is not None:
            self.n_cache_tokens = (self.n_cache_tokens or 0) + tokens.cache
        if tokens.output is not None:
            self.n_output_tokens = (self.n_output_tokens or 0) + tokens.output
        if tokens.cost_usd is not None:
            self.cost_usd = (self.cost_usd or 0) + tokens.cost_usd

    def remove(self, trial: Trial) -> None:
        """Uncount a trial: counts may go below zero, token totals and the cost stop at zero."""
        self.group(evals_key(trial)).remove(trial)
        self.n_completed_trials -= 1
        if trial.exception is not None:
            self.n_errored_trials -= 1
            self.n_cancelled_trials -= trial.exception == CANCELLED
        tokens = trial.tokens
        if tokens is not None:
            self.n_input_tokens = _minus(self.n_input_tokens, tokens.input)
            self.n_cache_tokens = _minus(self.n_cache_tokens, tokens.cache)
            self.n_output_tokens = _minus(self.n_output_tokens, tokens.output)
            self.cost_usd = _minus(self.cost_usd, tokens.cost_usd)

    def replace(self, trial: Trial, previous: Trial) -> None:
        """Put a trial in the place of an earlier one: remove that, then add this."""
        self.remove(previous)
        self.add(trial)

    def group(self, key: str) -> EvalStats:
        """Give the totals of a group, which exists from its first trial on."""
        stats = self.evals.get(key)
        if stats is None:
            stats = self.evals[key] = EvalStats()
        return stats

    def update_progress(self, *, n_total_trials: int | None, n_retries: int = 0, n_running_trials: int = 0) -> None:
        """Say how far the job is; without a total nothing changes, the number of retries included."""
        if n_total_trials is None:
            return
        self.n_running_trials = n_running_trials
        self.n_pending_trials = max(0, n_total_trials - self.n_completed_trials - n_running_trials)
        self.n_retries = n_retries

    def to_value(self) -> dict[str, Json]:
        """Give the fields in the order of the result file."""
        return {
            "n_completed_trials": self.n_completed_trials,
            "n_errored_trials": self.n_errored_trials,
            "n_running_trials": self.n_running_trials,
            "n_pending_trials": self.n_pending_trials,
            "n_cancelled_trials": self.n_cancelled_trials,
            "n_retries": self.n_retries,
            "evals": {key: stats.to_value() for key, stats in self.evals.items()},
            "n_input_tokens": self.n_input_tokens,
            "n_cache_tokens": self.n_cache_tokens,
            "n_output_tokens": self.n_output_tokens,
            "cost_usd": None if self.cost_usd is None else float(self.cost_usd),
        }

    def to_json(self) -> bytes:
        """Render the stats as harbor does."""
        return render(self.to_value())


def _minus(total: Number | None, amount: Number | None) -> Number | None:
    """Take a report back; the result is never below zero, nor nan."""
    if total is None or amount is None:
        return total
    return max(0, total - amount)  # in this order a nan becomes 0


def _discard(names: list[str], name: str) -> None:
    with suppress(ValueError):
        names.remove(name)
