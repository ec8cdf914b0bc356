"""Whole jobs gone wrong: plans, tries, retries, counts and resuming."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import product
from typing import Any

from reimpl import Trial, VerifierResult, job_disk, job_live, job_plan, job_run, job_try, multi_step, retries, stats
from reimpl import job_result as finished_job
from tests.miniatures.gallery import wrong_rule

SURFACE = "job_run"
Rewards = dict[str, Any]

min_reward_failure = multi_step.min_reward_failure
selected_rewards = job_try.selected_rewards
job_result_json = finished_job.job_result_json
add = stats.EvalStats.add
count = stats.JobStats.count
reopen = job_disk.JobDisk.reopen


@wrong_rule(SURFACE, job_plan, "trial_order")
def agents_before_tasks(n_attempts: int, n_tasks: int, n_agents: int) -> Iterable[tuple[int, int, int]]:
    """Lets an agent try all tasks before the next agent does."""
    order = product(range(n_attempts), range(n_agents), range(n_tasks))
    return [(attempt, task, agent) for attempt, agent, task in order]


@wrong_rule(SURFACE, job_plan, "trial_order")
def attempts_innermost(n_attempts: int, n_tasks: int, n_agents: int) -> Iterable[tuple[int, int, int]]:
    """Makes all attempts at a task before the next task."""
    order = product(range(n_tasks), range(n_agents), range(n_attempts))
    return [(attempt, task, agent) for task, agent, attempt in order]


@wrong_rule(SURFACE, stats.JobStats, "count")
def errored_counted_twice(self: stats.JobStats, trial: Trial) -> None:
    """Counts a failed trial as completed once more."""
    count(self, trial)
    self.n_completed_trials += trial.exception is not None


@wrong_rule(SURFACE, job_try, "min_reward_failure")
def gate_must_be_exceeded(rewards: Rewards | None, min_reward: Any) -> str | None:
    """Stops the steps at `<=`."""
    reward = (rewards or {}).get("reward")
    if type(min_reward) in (int, float) and reward == min_reward:
        return "not above"
    return min_reward_failure(rewards, min_reward)


@wrong_rule(SURFACE, job_try, "selected_rewards")
def aborted_steps_counted(task: job_plan.Task, results: list[VerifierResult]) -> VerifierResult:
    """Divides by the steps that were declared, run or not."""
    aborted = [VerifierResult(verified=True)] * (len(task.steps) - len(results))
    return selected_rewards(task, results if task.strategy == "final" else [*results, *aborted])


@wrong_rule(SURFACE, job_try, "selected_rewards")
def final_step_with_a_result(task: job_plan.Task, results: list[VerifierResult]) -> VerifierResult:
    """Lets `final` fall back to an earlier step."""
    return selected_rewards(task, [result for result in results if result.verified])


@wrong_rule(SURFACE, stats.JobStats, "remove")
def failed_try_stays_in_the_statistics(self: stats.JobStats, trial: Trial) -> None:
    """Counts every try of a trial while the job runs."""


@wrong_rule(SURFACE, stats.EvalStats, "add")
def nans_of_trials_share_a_list(self: stats.EvalStats, trial: Trial) -> None:
    """Lists all trials of a job with a nan together."""
    rewards = trial.rewards and {key: math.nan if value != value else value for key, value in trial.rewards.items()}  # noqa: PLR0124
    add(self, trial._replace(rewards=rewards))


@wrong_rule(SURFACE, job_live.LiveJob, "cancel")
def cancelled_not_counted(self: job_live.LiveJob, name: str) -> None:
    """Takes a cancelled trial for one that failed."""


@wrong_rule(SURFACE, job_run, "job_result_json")
def datasets_with_underscores_keep_their_metrics(**fields: Any) -> bytes:
    """Finds the metrics of the dataset `a__b`."""
    metrics = {source.split("__")[-1]: names for source, names in fields["metrics"].items()}
    return job_result_json(**{**fields, "metrics": {**metrics, **fields["metrics"]}})


@wrong_rule(SURFACE, retries.Retries, "wanted")
def every_failure_is_tried_again(self: retries.Retries, n_tries: int, exception: str) -> bool:
    """Forgets which exceptions are not tried again."""
    del exception
    return n_tries <= self.at_most


@wrong_rule(SURFACE, job_disk.JobDisk, "reopen")
def resumed_in_the_order_of_names(self: job_disk.JobDisk, order: Iterable[int]) -> list[Trial]:
    """Sorts the finished trials, whatever the directory's order."""
    del order
    return reopen(self, ())


@wrong_rule(SURFACE, job_live.LiveJob, "show")
def display_forgotten(self: job_live.LiveJob, trial: Trial) -> None:
    """Has no progress display that could crash."""


@wrong_rule(SURFACE, job_try.TryResult, "keep")
def last_exception_kept(self: job_try.TryResult, failure: Any) -> None:
    """Overwrites the exception of a try with a later one."""
    self.exception = failure
