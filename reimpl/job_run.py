"""A whole job: from its declaration to what its runs leave behind, with retries, crashes and resuming.

One trial runs at a time, in the order of the plan. A job that is interrupted can be run again: what finished before
stays, in the order in which the directory lists it, and the rest is run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count, takewhile
from typing import Any

from reimpl.errors import ValidationError
from reimpl.job_disk import JobDisk, scored_trial
from reimpl.job_live import JOB_ID, LiveJob, day
from reimpl.job_plan import PlannedTrial, metrics_of_sources, planned_trials, read_agents, read_tasks
from reimpl.job_records import Failure, Fault, JobRun, Run, fault, group_of, refusal
from reimpl.job_result import Metric, job_result_json
from reimpl.job_try import TryResult, Verify, run_try
from reimpl.retries import Retries
from reimpl.stats import CANCELLED
from reimpl.trial import Trial

_NO_TASKS = "Either datasets or tasks must be provided."
_OTHER_LOCK = "Job directory <job>/jobs/job already has a lock.json that does not match the resolved job lock."


def run_job(job: Mapping[str, Any], verify: Verify) -> JobRun:
    """Run a declared job as often as it says, and tell what is left; ``verify`` reads a trial's reward files."""
    disk = JobDisk()
    resumes = job.get("resume", [])
    orders = ((), *(resume.get("order", ()) for resume in resumes))
    runs = [
        _run(number, job, verify, disk, order, interruption)
        for number, (order, interruption) in enumerate(zip(orders, (*resumes, {}), strict=True))
    ]
    return JobRun(runs, disk.records())


def _run(  # noqa: PLR0913, PLR0917 — all that a run depends on
    number: int,
    job: Mapping[str, Any],
    verify: Verify,
    disk: JobDisk,
    order: Sequence[int],
    interruption: Mapping[str, Any],
) -> Run:
    tasks = read_tasks(job)
    if not tasks:
        return Run("raised", fault(ValueError(_NO_TASKS)), None)
    retry = job.get("retry", {})
    try:
        n_retries = disk.read_retries()
        earlier = disk.reopen(order)
    except ValidationError as error:
        return Run("raised", refusal(error.details), disk.file)
    if disk.file is not None and retry.get("exclude_exceptions", ()) is None:
        return Run("raised", fault(FileExistsError(_OTHER_LOCK)), disk.file)
    planned = planned_trials(tasks, read_agents(job), job.get("n_attempts", 1), number)
    metrics = metrics_of_sources(job)
    live = LiveJob(number, len(planned), metrics, n_retries, earlier)
    running = _Running(live, disk, Retries.read(retry), verify if job.get("verify", True) else None, interruption)
    # harbor looks for a planned trial that equals the finished one. Trials end in the order of the plan, so that what
    # is left is always the rest of it.
    ended = running.run(planned[len(earlier) :])
    if ended is None:
        ended = _assemble(running, number, metrics, [*earlier, *running.trials])
    disk.file = ended.result
    return ended


def _assemble(running: _Running, number: int, metrics: Mapping[str, Sequence[Metric]], trials: list[Trial]) -> Run:
    """Make the file of a finished job anew from its trials; the one before stays if a metric raises."""
    try:
        file = job_result_json(
            id=JOB_ID,
            started_at=day(0),
            finished_at=day(number),
            metrics=metrics,
            trials=trials,
            n_retries=running.live.n_retries,
        )
    except Exception as error:  # noqa: BLE001 - whatever a metric raises is how the run ends
        return Run("raised", fault(error), running.live.file)
    return Run("finished", None, file)


class _CrashedError(Exception):
    """An exception ends the job."""

    def __init__(self, error: Fault) -> None:
        self.fault = error


class _Running:
    """A run at work."""

    def __init__(
        self, live: LiveJob, disk: JobDisk, retries: Retries, verify: Verify | None, interruption: Mapping[str, Any]
    ) -> None:
        self.live = live
        self.trials: list[Trial] = []
        self._disk = disk
        self._retries = retries
        self._verify = verify
        self._interrupted_at: int | None = interruption.get("after")
        self._is_killed = interruption.get("by", "kill") == "kill"

    def run(self, planned: list[PlannedTrial]) -> Run | None:
        """Run these trials; None if all of them ended and none was cancelled."""
        refused = list(takewhile(lambda each: each.task.faults, planned))
        if refused:
            return self._crash([refusal(each.task.faults) for each in refused], *planned[len(refused) :])
        cancelled: list[Failure] = []
        for number, each in enumerate(planned):
            if each.task.faults:
                return self._crash([refusal(each.task.faults)], *planned[number + 1 :])
            if number != self._interrupted_at:
                try:
                    cancelled += self._run_trial(each)
                except _CrashedError as crash:
                    return self._crash([crash.fault], *planned[number + 1 :])
            elif self._is_killed:
                self._begin(each)
                return Run("killed", None, self.live.file)
            else:
                return self._interrupt(each)
        return Run("raised", Fault(*cancelled[0], [], []), self.live.file) if cancelled else None

    def _interrupt(self, planned: PlannedTrial) -> Run:
        """Cancel the trial that runs, and begin no other."""
        try:
            [cancellation] = self._run_trial(planned._replace(tries=[{"start": CANCELLED}]))
        except _CrashedError as crash:
            return self._crash([crash.fault])
        return Run("raised", Fault(*cancellation, [], []), self.live.file)

    def _begin(self, planned: PlannedTrial, failed: Trial | None = None) -> None:
        self._disk.begin(planned.name)
        self.live.begin(planned.name, failed)

    def _crash(self, faults: list[Fault], *following: PlannedTrial) -> Run:
        """End the job; the trial that follows has just begun, and its start may or may not be written."""
        file, late = self.live.file, None
        if following and following[0].task.faults:
            faults = [*faults, refusal(following[0].task.faults)]
        elif following:
            self._begin(following[0])
            late = self.live.file
        return Run("raised", group_of(faults), file, late)

    def _run_trial(self, planned: PlannedTrial) -> list[Failure]:
        """Run the tries of a trial, and return what cancelled it, if anything did."""
        failed: Trial | None = None
        for number in count():
            try:
                self._begin(planned, failed)
            except Exception as error:
                raise _CrashedError(fault(error)) from error
            play = planned.tries[min(number, len(planned.tries) - 1)]
            done = run_try(planned.task, play, self._verify)
            exception = done.exception and done.exception.type
            trial = scored_trial(planned, planned.name, done.result, exception, done.tokens)
            self._end(planned, done, trial, is_first=number == 0)
            if done.cancelled or exception is None or not self._retries.wanted(number + 1, exception):
                break
            failed = trial
        self.trials.append(trial)
        return [done.cancelled] if done.cancelled else []

    def _end(self, planned: PlannedTrial, done: TryResult, trial: Trial, *, is_first: bool) -> None:
        if done.cancelled:
            self.live.cancel(trial.name)
        self._disk.store(planned, done)
        try:
            self.live.end(trial)
            if is_first:
                self.live.show(trial)
        except Exception as error:  # whatever a metric or the display raises ends the job
            raise _CrashedError(fault(error)) from error
