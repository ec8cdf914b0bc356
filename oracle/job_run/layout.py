"""A case's job on disk and in harbor's configuration: task directories, datasets, metric scripts."""

from __future__ import annotations

import json
import os
from itertools import chain
from pathlib import Path, PosixPath
from typing import TYPE_CHECKING, Any, ClassVar

from harbor.models.job.config import DatasetConfig, JobConfig, RetryConfig
from harbor.models.metric.config import MetricConfig
from harbor.models.trial.config import AgentConfig, EnvironmentConfig, TaskConfig, VerifierConfig

from oracle.job_run import scripts, toml

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_AGENT = "oracle.job_run.agent:StubAgent"
_ENVIRONMENT = "oracle.job_run.environment:StubEnvironment"


class Folder(PosixPath):
    """A directory whose order is given: harbor takes tasks and finished trials in the order of the directory."""

    __slots__ = ()

    listings: ClassVar[dict[str, list[str]]] = {}

    def iterdir(self) -> Iterator[Any]:  # type: ignore[override]
        """Yield what is in the directory, in its order if it has one."""
        names = self.listings.get(str(self))
        return super().iterdir() if names is None else iter([self / name for name in names])


class Layout:
    """The directories of a case's job below one directory, and the configuration that leads harbor to them."""

    def __init__(self, root: str, job: Mapping[str, Any]) -> None:
        self.root = root
        self.job_directory = f"{root}/jobs/job"
        self.plays: dict[str, list[Any]] = {}
        """The plays of each task, by its directory."""
        self.agents = job.get("agents", [{"name": "agent"}])
        self.attempts = job.get("n_attempts", 1)
        self.has_scripts = False
        self._job = job
        self._paths = 0
        Folder.listings.clear()
        self._tasks = [self._adhoc_task(task) for task in job.get("tasks", [])]
        self._datasets = [self._dataset(dataset) for dataset in job.get("datasets", [])]
        self._metrics = [self._metric(metric) for metric in job.get("metrics", [])]

    def config(self) -> JobConfig:
        """Make the configuration: one trial at a time, so that the order in which they run is that of the job."""
        job = self._job
        agents = [
            AgentConfig(import_path=_AGENT, model_name=agent.get("model"), kwargs={"called": agent["name"]})
            for agent in self.agents
        ]
        return JobConfig(
            job_name="job",
            jobs_dir=Folder(self.root, "jobs"),
            n_attempts=self.attempts,
            n_concurrent_trials=1,
            retry=RetryConfig(**job.get("retry", {})),
            environment=EnvironmentConfig(import_path=_ENVIRONMENT),
            verifier=VerifierConfig(disable=not job.get("verify", True)),
            metrics=self._metrics,
            agents=agents,
            datasets=self._datasets,
            tasks=self._tasks,
        )

    def order_trials(self, order: list[int]) -> None:
        """Let harbor find the trials that are on disk in this order, by the place in which they were begun."""
        names = trial_names(self.job_directory)
        places = [place for place in order if place < len(names)]
        others = [place for place in range(len(names)) if place not in places]
        Folder.listings[self.job_directory] = [names[place] for place in chain(places, others)]

    def _adhoc_task(self, task: Mapping[str, Any]) -> TaskConfig:
        return TaskConfig(path=Path(self._task(self._new_path(), task)), source=task.get("source"))

    def _dataset(self, dataset: Mapping[str, Any]) -> DatasetConfig:
        name, tasks, path = dataset["name"], dataset.get("tasks", []), self._new_path()
        if dataset.get("registry"):
            return self._registry(path, dataset)
        folder = f"{path}/{name}"
        os.mkdir(folder)  # noqa: PTH102
        for task in tasks:
            self._task(folder, task)
        Folder.listings[folder] = [task["name"] for task in tasks]
        return DatasetConfig(path=Folder(folder))

    def _registry(self, path: str, dataset: Mapping[str, Any]) -> DatasetConfig:
        """List a dataset in a registry of its own, which may give it metrics and tasks of one name."""
        name = dataset["name"]
        tasks = [
            {"name": task["name"], "path": self._task(self._new_path(), task)} for task in dataset.get("tasks", [])
        ]
        metrics = [self._metric(metric).model_dump(mode="json") for metric in dataset.get("metrics", [])]
        listed = {"name": name, "version": "1", "description": "", "tasks": tasks, "metrics": metrics}
        registry = Path(path, "registry.json")
        registry.write_text(json.dumps([listed]))
        return DatasetConfig(name=name, registry_path=registry)

    def _metric(self, metric: str | Mapping[str, Any]) -> MetricConfig:
        if isinstance(metric, str):
            return MetricConfig(type=metric)
        self.has_scripts = True
        script = f"{self._new_path()}/metric.py"
        Path(script).write_text(scripts.source(metric["uv-script"]))
        return MetricConfig(type="uv-script", kwargs={"script_path": script})

    def _new_path(self) -> str:
        """Make a directory, so that things of one name do not meet."""
        path = f"{self.root}/{self._paths}"
        self._paths += 1
        os.mkdir(path)  # noqa: PTH102
        return path

    def _task(self, parent: str, task: Mapping[str, Any]) -> str:
        directory = f"{parent}/{task['name']}"
        self.plays[directory] = task.get("plays", [])
        plays = list(chain.from_iterable(self.plays[directory]))
        for folder in ("", "/environment", "/tests"):
            os.mkdir(directory + folder)  # noqa: PTH102
        files = {
            "task.toml": toml.document(_settings(task, plays)),
            "tests/test.sh": "",
        }
        if task.get("steps"):
            os.mkdir(f"{directory}/steps")  # noqa: PTH102
            for number, step in enumerate(task["steps"]):
                files |= _step_files(directory, step["name"], [_step_play(play, number) for play in plays])
        else:
            files["instruction.md"] = ""
        for name, text in files.items():
            with open(f"{directory}/{name}", "w", encoding="utf-8") as file:  # noqa: PTH123 -- hundreds in a job
                file.write(text)
        return directory


def trial_names(job_directory: str) -> list[str]:
    """Name the trials that are on disk in the order in which they were begun, which is that of their suffixes."""
    if not os.path.isdir(job_directory):  # noqa: PTH112
        return []
    with os.scandir(job_directory) as entries:
        return sorted((entry.name for entry in entries if entry.is_dir()), key=lambda name: name[-7:])


def _settings(task: Mapping[str, Any], plays: list[Mapping[str, Any]]) -> dict[str, Any]:
    """Say in a task's own file what harbor needs to know of it."""
    settings: dict[str, Any] = {}
    if task.get("strategy") is not None:
        settings["multi_step_reward_strategy"] = task["strategy"]
    if task.get("separate"):
        settings["verifier"] = {"environment_mode": "separate"}
    settings["agent"] = {"timeout_sec": 60.0}
    if any(play.get("health") for play in plays):
        settings["environment"] = {"healthcheck": {"command": "healthcheck"}}
    if task.get("steps"):
        settings["steps"] = [
            _step_settings(step, [_step_play(play, number) for play in plays])
            for number, step in enumerate(task["steps"])
        ]
    return settings


def _step_settings(step: Mapping[str, Any], plays: list[Mapping[str, Any]]) -> dict[str, Any]:
    settings: dict[str, Any] = {"name": step["name"]}
    if step.get("min_reward") is not None:
        settings["min_reward"] = step["min_reward"]
    if any(play.get("health") for play in plays):
        settings["healthcheck"] = {"command": "healthcheck"}
    return settings


def _step_files(directory: str, name: str, plays: list[Mapping[str, Any]]) -> dict[str, str]:
    step = f"steps/{name}"
    os.makedirs(f"{directory}/{step}", exist_ok=True)  # noqa: PTH103 -- steps may share a name
    if not any(play.get("setup") for play in plays):
        return {f"{step}/instruction.md": ""}
    os.makedirs(f"{directory}/{step}/workdir", exist_ok=True)  # noqa: PTH103
    return {f"{step}/instruction.md": "", f"{step}/workdir/setup.sh": ""}


def _step_play(play: Mapping[str, Any], number: int) -> Mapping[str, Any]:
    steps = play.get("steps") or []
    return steps[number] if number < len(steps) else {}
