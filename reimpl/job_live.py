"""A job while it runs: its statistics, and the file that is written at every turn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from reimpl.job_result import Metric, result_json
from reimpl.metrics import Rewards, compute_metric
from reimpl.stats import CANCELLED, JobStats
from reimpl.trial import ADHOC, Trial, evals_key

if TYPE_CHECKING:
    from reimpl.render import Json

JOB_ID = "00000000-0000-0000-0000-000000000000"


def day(run: int) -> str:
    """Return the time of a run: the clock stands still while it goes on, and a day lies between two."""
    return f"2000-01-{run + 1:02}T00:00:00"


class LiveJob:
    """The statistics of a running job.

    Metrics are those of the source of the trial that ended last in a group, over the rewards of all its trials: those
    of earlier runs first, then in the order in which they ended.
    """

    file: bytes
    """The ``result.json`` as it was last written."""

    def __init__(
        self,
        run: int,
        n_total_trials: int,
        metrics: Mapping[str, Sequence[Metric]],
        n_retries: int,
        earlier: Iterable[Trial],
    ) -> None:
        self._run = run
        self._n_total_trials = n_total_trials
        self._metrics = metrics
        self._stats = JobStats()
        self._rewards: dict[str, dict[str, Rewards | None]] = {}
        self._running: set[str] = set()
        self._cancelled: set[str] = set()
        for trial in earlier:
            self._add(trial)
            if trial.exception == CANCELLED:
                self._cancelled.add(trial.name)
        self.n_retries = n_retries
        self._write(day(run))

    def begin(self, name: str, failed: Trial | None = None) -> None:
        """Begin a try; the one before it, which failed, is taken out of the statistics."""
        if failed is not None:
            self.n_retries += 1
            self._take_out(failed)
        self._running.add(name)
        self._write(f"{day(self._run)}Z")

    def cancel(self, name: str) -> None:
        """Note that a trial was cancelled; it is still running."""
        self._cancelled.add(name)
        self._write(f"{day(self._run)}Z")

    def end(self, trial: Trial) -> None:
        """Count a try that ended; a metric that raises leaves the file as it was, and the trial counted."""
        self._running.discard(trial.name)
        self._add(trial)
        self._measure(trial)
        self._write(f"{day(self._run)}Z")

    def show(self, trial: Trial) -> None:
        """Format the first value of the first metric, as a progress display does."""
        first: Json = self._computed(trial)[0]
        if not isinstance(first, Mapping):
            raise AttributeError(f"{type(first).__name__!r} object has no attribute 'items'")  # noqa: TRY004
        if not first:
            raise RuntimeError("coroutine raised StopIteration")
        format(next(iter(first.values())), ".3f")

    def _add(self, trial: Trial) -> None:
        self._stats.add(trial)
        # A trial of a job has no rewards unless it was verified.
        self._rewards.setdefault(evals_key(trial), {})[trial.name] = trial.rewards

    def _take_out(self, trial: Trial) -> None:
        self._stats.remove(trial)
        del self._rewards[evals_key(trial)][trial.name]
        self._measure(trial)

    def _measure(self, trial: Trial) -> None:
        """Take the metrics of a trial's group, none if the group has no trials left."""
        self._stats.group(evals_key(trial)).metrics = self._computed(trial)

    def _computed(self, trial: Trial) -> list[Json]:
        rewards = list(self._rewards[evals_key(trial)].values())
        metrics = self._metrics.get(trial.source or ADHOC, ()) if rewards else ()
        return [metric(rewards) if callable(metric) else compute_metric(metric, rewards) for metric in metrics]

    def _write(self, updated_at: str) -> None:
        self._stats.update_progress(
            n_total_trials=self._n_total_trials, n_retries=self.n_retries, n_running_trials=len(self._running)
        )
        self._stats.n_cancelled_trials = len(self._cancelled)
        self.file = result_json(JOB_ID, (day(0), updated_at, None), self._n_total_trials, self._stats)
