"""The plan of a job: its tasks, its trials in order, and the metrics of every dataset."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from reimpl.coercion import coerce_min_reward
from reimpl.errors import ErrorDetail, ValidationError
from reimpl.job_result import Metric
from reimpl.metric_script import MetricScript
from reimpl.multi_step import trial_rewards
from reimpl.trial import ADHOC

Play = Mapping[str, Any]
"""What happens in a try, or in one of its steps."""
PLAIN: Play = {"reward.txt": b"1"}
"""What happens where a case does not say."""

_NAME_LENGTH = 32


class Agent(NamedTuple):
    """An agent as it is declared."""

    name: str
    model: str | None

    @property
    def short_model(self) -> str | None:
        """The model without its provider: what stands behind the first slash."""
        return None if self.model is None else self.model.partition("/")[2] if "/" in self.model else self.model


class Task(NamedTuple):
    """A task of the job."""

    name: str
    source: str | None
    steps: list[Mapping[str, Any]]
    strategy: str | None
    separate: bool
    plays: list[list[Play]]
    faults: list[ErrorDetail]
    """What is wrong with it: a trial of it cannot begin."""


class PlannedTrial(NamedTuple):
    """One attempt of one agent at one task."""

    task: Task
    agent: Agent
    tries: list[Play]
    """What happens in each try; the last is repeated."""
    name: str


def planned_trials(tasks: Sequence[Task], agents: Sequence[Agent], n_attempts: int, run: int) -> list[PlannedTrial]:
    """List a job's trials in order, with the names they have in this run."""
    order = trial_order(n_attempts, len(tasks), len(agents))
    return [
        PlannedTrial(
            tasks[task],
            agents[agent],
            _tries(tasks[task], attempt * len(agents) + agent),
            trial_name(tasks[task].name, run, number),
        )
        for number, (attempt, task, agent) in enumerate(order)
    ]


def trial_order(n_attempts: int, n_tasks: int, n_agents: int) -> Iterable[tuple[int, int, int]]:
    """List attempt, task and agent of each trial: for each attempt, for each task, for each agent."""
    return product(range(n_attempts), range(n_tasks), range(n_agents))


def trial_name(task: str, run: int, number: int) -> str:
    """Name a trial after its task, cut short; a job's suffixes are random, and here they count."""
    return f"{task[:_NAME_LENGTH].rstrip('_-')}__{run}{number:06}"


def _tries(task: Task, number: int) -> list[Play]:
    return (task.plays and task.plays[number % len(task.plays)]) or [PLAIN]


def read_tasks(job: Mapping[str, Any]) -> list[Task]:
    """List the job's own tasks, then those of its datasets.

    A local dataset leaves out the tasks that are refused; elsewhere they are planned.
    """
    tasks = [_task(fields, fields.get("source")) for fields in job.get("tasks", ())]
    for dataset in job.get("datasets", ()):
        for fields in dataset.get("tasks", ()):
            task = _task(fields, dataset["name"])
            if dataset.get("registry") or not task.faults:
                tasks.append(task)
    return tasks


def read_agents(job: Mapping[str, Any]) -> list[Agent]:
    """List the agents of the job; without a word there is one."""
    return [Agent(fields["name"], fields.get("model")) for fields in job.get("agents", ({"name": "agent"},))]


def metrics_of_sources(job: Mapping[str, Any]) -> dict[str, list[Metric]]:
    """List the metrics of each dataset: a registry's own and the job's; a mean where there would be none.

    Datasets of one name add theirs up, and tasks without a dataset count as one named ``adhoc``.
    """
    general = [_metric(each) for each in job.get("metrics", ())]
    found: dict[str, list[Metric]] = {ADHOC: list(general)}
    for dataset in job.get("datasets", ()):
        own = [_metric(each) for each in dataset.get("metrics", ())] if dataset.get("registry") else []
        found.setdefault(dataset["name"], []).extend((*own, *general))
    return {source: metrics or ["mean"] for source, metrics in found.items()}


def _metric(metric: str | Mapping[str, Any]) -> Metric:
    return metric if isinstance(metric, str) else MetricScript(**metric["uv-script"]).compute


def _task(fields: Mapping[str, Any], source: str | None) -> Task:
    steps, strategy = fields.get("steps") or [], fields.get("strategy")
    return Task(
        name=fields["name"],
        source=source,
        steps=steps,
        strategy=strategy,
        separate=bool(fields.get("separate")),
        plays=fields.get("plays") or [],
        faults=_faults(steps, strategy),
    )


def _faults(steps: list[Mapping[str, Any]], strategy: str | None) -> list[ErrorDetail]:
    found: list[ErrorDetail] = []
    try:
        trial_rewards([], strategy)
    except ValidationError as error:
        found = error.details
    for number, step in enumerate(steps):
        try:
            if step.get("min_reward") is not None:
                coerce_min_reward(step["min_reward"])
        except ValidationError as error:
            found += [{"loc": ["steps", number, *each["loc"]], "type": each["type"]} for each in error.details]
    return found
