"""The file a finished job leaves behind: ``result.json`` with its times, its stats, the metrics and pass@k."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, TypeAlias
from uuid import UUID

from reimpl.metrics import Rewards, RewardTable
from reimpl.pass_at_k import Attempts
from reimpl.render import render, timestamp_text
from reimpl.stats import CANCELLED, JobStats
from reimpl.trial import evals_key

if TYPE_CHECKING:
    from reimpl.render import Json
    from reimpl.stats import EvalStats
    from reimpl.trial import Trial

Metric: TypeAlias = "str | Callable[[Sequence[Rewards | None]], Json]"
"""A metric by its name, or one that is computed elsewhere: from the rewards of a group's trials to any JSON value."""

_ISO = re.compile(
    r"(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d)(?:\.(\d{1,6})\d*)?(Z|[+-]\d\d:\d\d(?::\d\d)?)?",
    re.ASCII,
)


def job_result_json(  # noqa: PLR0913 — one parameter a field of the file
    *,
    id: UUID | str,
    started_at: datetime | str,
    finished_at: datetime | str,
    metrics: Mapping[str, Sequence[Metric]],
    trials: Iterable[Trial],
    n_retries: int = 0,
) -> bytes:
    """Render the ``result.json`` of a finished job.

    ``trials`` come in the order of the job: by attempt, then task, then agent. They are read once and not kept, so a
    generator that reads them from disk will do. ``metrics`` names the metrics of each dataset; harbor gives
    ``["mean"]`` to one that has none configured, and calls trials without a dataset ``adhoc``. A group belongs to the
    dataset that follows the last ``__`` of its key, so a dataset with ``__`` in its name has no metrics.

    Times are naive local time in harbor's own files; a text is taken as it stands in such a file.

    Raises:
        OverflowError: A metric meets an int too large for float arithmetic.
        PydanticSerializationError: A trial name is not valid Unicode, or a reward has more than 4300 digits.
        ValueError: ``id`` is no UUID, a time is no time, or there is no such metric.

    """
    job_id = id if isinstance(id, UUID) else UUID(id)
    started, finished = timestamp_text(_time(started_at)), timestamp_text(_time(finished_at))
    stats = _final_stats(trials, metrics)
    n_total_trials = stats.n_completed_trials
    stats.update_progress(n_total_trials=n_total_trials, n_retries=n_retries)
    return result_json(str(job_id), (started, finished, finished), n_total_trials, stats)


def result_json(id: str, times: tuple[str, str, str | None], n_total_trials: int, stats: JobStats) -> bytes:
    """Render a ``result.json``; the times are those of its start, its last change and its end."""
    started_at, updated_at, finished_at = times
    return render(
        {
            "id": id,
            "started_at": started_at,
            "updated_at": updated_at,
            "finished_at": finished_at,
            "n_total_trials": n_total_trials,
            "stats": stats.to_value(),
        }
    )


def _final_stats(trials: Iterable[Trial], metrics: Mapping[str, Sequence[Metric]]) -> JobStats:
    stats = JobStats()
    groups: dict[str, _Group] = {}
    # Only a metric that is computed elsewhere needs the rewards as they are.
    has_rows = any(callable(metric) for each in metrics.values() for metric in each)
    # Most trials share their agent, model and dataset with an earlier one: spelling their key again takes longer.
    known: dict[tuple[str, str | None, str | None], _Group] = {}
    cancelled: set[str] = set()
    for trial in trials:
        origin = (trial.agent, trial.model, trial.source)
        group = known.get(origin)
        if group is None:
            key = evals_key(trial)
            group = known[origin] = groups.setdefault(key, _Group(stats.group(key)))
        group.stats.add(trial)
        group.rewards.add(trial.rewards if trial.verified else None)
        if has_rows:
            group.rows.append(trial.rewards if trial.verified else None)
        group.attempts.add(trial)
        stats.count(trial)
        if trial.exception == CANCELLED:
            cancelled.add(trial.name)
    # A job counts cancelled trials by name, where stats by themselves count each of them.
    stats.n_cancelled_trials = len(cancelled)
    for key, group in groups.items():
        group.stats.metrics = [group.compute(metric) for metric in metrics.get(_dataset(key), ())]
        group.stats.pass_at_k = group.attempts.estimates()
    return stats


class _Group:
    """What is kept of the trials of one evals group until all of them are known."""

    __slots__ = ("attempts", "rewards", "rows", "stats")

    def __init__(self, stats: EvalStats) -> None:
        self.stats = stats
        self.rewards = RewardTable()
        self.rows: list[Rewards | None] = []
        self.attempts = Attempts()

    def compute(self, metric: Metric) -> Json:
        """Compute a metric over all trials."""
        return metric(self.rows) if callable(metric) else self.rewards.compute(metric)


def _dataset(key: str) -> str:
    return key.split("__")[-1]  # noqa: PLC0207 — from the left: the last part of "a___b" is "_b", not "b"


def _time(value: datetime | str) -> datetime:
    """Read a time as harbor's files have it; ``fromisoformat`` reads other things on each version of Python."""
    if isinstance(value, datetime):
        return value
    match = _ISO.fullmatch(value)
    if match is None:
        raise ValueError(f"not a time as in a result file: {value!r}")
    moment, fraction, offset = match.groups(default="")
    return datetime.fromisoformat(f"{moment}.{fraction:0<6}{offset.replace('Z', '+00:00')}")
