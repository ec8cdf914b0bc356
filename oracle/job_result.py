"""Surface `job_result`: the `result.json` that harbor's `Job.run()` assembles once the trials have run."""
# ruff: noqa: SLF001 -- a job keeps what it works on in private names, and there is no public way to set them

from __future__ import annotations

import functools
from collections import defaultdict
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID

from harbor.models.job.config import JobConfig

from oracle import release, scratch
from oracle.loop import complete
from oracle.metric import METRICS
from oracle.trials import CONFIG, trial_result

if TYPE_CHECKING:
    from collections.abc import Mapping

    from harbor.models.trial.result import TrialResult

JOB = release.first("harbor.job")


class Clock:
    """The clock that harbor's job reads."""

    moment: datetime

    @classmethod
    def now(cls) -> datetime:
        """Give the case's moment."""
        return cls.moment


class Unseen:
    """What a job shows and notes besides its result: nothing here, as it takes longer than the result."""

    def __init__(self, *_: Any, **__: Any) -> None:
        """Take the columns of a progress display, or the words of a message."""

    def __enter__(self) -> None:
        """Show no progress."""

    def __exit__(self, *_: object) -> None:
        """Show no progress."""

    def add_task(self, *_: Any, **__: Any) -> None:
        """Show no progress."""

    def exists(self) -> bool:
        """Find no file."""
        return False

    def write_text(self, text: str) -> None:
        """Write no file."""


class FinishedJob(JOB.Job):  # type: ignore[misc, name-defined]  # harbor is not typed
    """A job whose trials have run: running them is replaced, and so are the files that are not the result."""

    trials: list[TrialResult]
    finished_at: datetime
    n_retries: int

    _job_config_path = Unseen()

    @functools.cached_property
    def _job_result_path(self) -> Path:
        # Harbor builds the path anew each time it is asked.
        path: Path = super()._job_result_path
        return path

    async def _run_trials_with_queue(self, *_: Any) -> list[TrialResult]:
        # Running trials would leave behind the names of the cancelled ones and the number of retries. Harbor's own
        # code finds the names, as it does in the trials of a job it resumes.
        self._existing_trial_results = self.trials
        self._init_progress_tracking()
        self._existing_trial_results = []
        self._n_retries = self.n_retries
        Clock.moment = self.finished_at
        return self.trials

    def _init_job_lock(self) -> None:
        """Lock no tasks: the trials of a case have none."""

    def _write_job_lock(self) -> None:
        """Write no lock."""

    def _init_logger(self) -> None:
        """Keep no log."""

    def _init_task_configs(self) -> None:
        """Resolve no tasks: releases whose constructor takes none look for them themselves."""
        self._task_configs: list[Any] = []

    if not hasattr(JOB.Job, "_init_progress_tracking"):

        def _init_progress_tracking(self) -> None:
            """Follow no progress, as the release does not."""


class Trials:
    """The orchestrator that runs the trials in releases whose job does not run them itself."""

    def __init__(self, job: FinishedJob) -> None:
        self.run = job._run_trials_with_queue


def answer(input: Mapping[str, Any]) -> bytes:
    """Give the bytes of the result file that harbor leaves on disk."""
    job = _job(scratch.directory())
    job.trials = [trial_result(trial) for trial in input["trials"]]
    job.finished_at = datetime.fromisoformat(input["finished_at"])
    job.n_retries = input["n_retries"]
    job.config.n_attempts = input["n_attempts"]
    job._id = UUID(input["id"])
    job._init_progress_tracking()  # forgets the case before
    job._trial_configs = job._remaining_trial_configs = [CONFIG] * len(job.trials)
    # Harbor's own type for it, by which a dataset that has no metrics gets none.
    job._metrics = defaultdict(list)
    for dataset, names in input["metrics"].items():
        job._metrics[dataset] = [METRICS[name] for name in names]
    Clock.moment = datetime.fromisoformat(input["started_at"])
    complete(job.run())
    return job._job_result_path.read_bytes()


@functools.cache
def _job(directory: str) -> FinishedJob:
    """Make, by harbor's constructor, the one job that takes every case's trials in turn."""
    shown = [name for name, member in vars(JOB).items() if getattr(member, "__module__", "").startswith("rich.")]
    vars(JOB).update(dict.fromkeys([*shown, "print"], Unseen), datetime=Clock)
    config = JobConfig(job_name="job", jobs_dir=Path(directory), quiet=True)
    resolved: dict[str, Any] = {"_task_configs": [], "_metrics": {}, "_task_download_results": {}}
    job = FinishedJob(config, **{name: value for name, value in resolved.items() if release.takes(JOB.Job, name)})
    job._orchestrator = Trials(job)
    return job
