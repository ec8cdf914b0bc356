"""What a job's own files say of it besides its result: release, plan, metrics, retries."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from parity.audit.files import Folder, UnreadError
from reimpl.trial import ADHOC

BUILTIN = ("mean", "max", "min", "sum")

Key = tuple[Any, ...]
"""What a planned trial and a trial's directory have in common."""

Metrics = list[str | None]
"""The metrics of a dataset in order; None is a script, which an audit does not run."""


@dataclass
class Job:
    """The settings of a job, as far as they could be read."""

    release: str | None = None
    plan: list[dict[str, Any]] | None = None
    max_retries: int | None = None
    n_concurrent: int | None = None
    metrics: dict[str, Metrics] | None = None
    """By dataset; None if the configuration could not be read."""
    has_registry: bool = False
    """Whether a dataset comes from a registry, which may have given it metrics that no file of the job tells."""
    is_found: bool = False
    """Whether there is a file of settings at all, readable or not."""
    remarks: list[str] = field(default_factory=list)

    def metrics_of(self, source: str) -> Metrics | None:
        """List the metrics of a dataset, or None if the files do not tell them."""
        if self.metrics is None:
            return None
        return self.metrics.get(source, None if self.has_registry else [])

    def reads_alike(self) -> bool:
        """Say whether this release is known to read reward files and to find metrics as 0.13.1 does."""
        version = release_of(self.release)
        return version is not None and (0, 8) <= version < (0, 17)


def release_of(text: str | None) -> tuple[int, ...] | None:
    """Read a release as numbers."""
    parts = (text or "").split(".")
    if len(parts) < 2 or not all(part.isascii() and part.isdigit() and len(part) < 9 for part in parts[:2]):
        return None
    return tuple(int(part) for part in parts[:2])


def read_job(folder: Folder) -> Job:
    """Read ``config.json`` and ``lock.json``; what is missing there limits what can be judged."""
    job = Job()
    config, lock = (_object(folder, name, job.remarks) for name in ("config.json", "lock.json"))
    job.is_found = "there is no config.json" not in job.remarks or "there is no lock.json" not in job.remarks
    release = at(lock, "harbor", "version")
    job.release = release if isinstance(release, str) else None
    plan = at(lock, "trials")
    if isinstance(plan, list) and all(isinstance(each, dict) for each in plan):
        job.plan = plan
    for document in (config, lock):
        retries, concurrent = at(document, "retry", "max_retries"), at(document, "n_concurrent_trials")
        job.max_retries = retries if type(retries) is int else job.max_retries
        job.n_concurrent = concurrent if type(concurrent) is int else job.n_concurrent
    if config is not None:
        _read_metrics(job, config)
    return job


def planned_keys(entry: dict[str, Any]) -> tuple[Key, Key]:
    """Give the keys of a planned trial: a full one, and one of what every release has."""
    return _keys(entry.get("task"), at(entry, "task", "name"), at(entry, "task", "source"), entry.get("agent"))


def trial_keys(result: dict[str, Any]) -> tuple[Key, Key]:
    """Give the same keys of a trial that was run."""
    config = result.get("config")
    return _keys(at(config, "task"), result.get("task_name"), result.get("source"), at(config, "agent"))


def _keys(task: Any, name: Any, source: Any, agent: Any) -> tuple[Key, Key]:
    rough = tuple(_plain(each) for each in (name, source, at(agent, "import_path"), at(agent, "model_name")))
    return (*rough, *map(_plain, (at(task, "path"), at(agent, "name"), at(agent, "kwargs") or None))), rough


def _plain(value: Any) -> str:
    try:
        return json.dumps(value, sort_keys=True)
    except RecursionError:  # it was read from a shallower place
        return "too deep"


def _object(folder: Folder, name: str, remarks: list[str]) -> dict[str, Any] | None:
    try:
        document = folder.document(name)
    except UnreadError as error:
        remarks.append(f"{name} {error}")
        return None
    if document is None:
        remarks.append(f"there is no {name}")
    elif not isinstance(document, dict):
        remarks.append(f"{name} is no JSON object")
        return None
    return document  # type: ignore[no-any-return]


def at(value: Any, *names: str) -> Any:
    """Go down into a document of unknown shape."""
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _read_metrics(job: Job, config: dict[str, Any]) -> None:
    """List the metrics of each dataset: the job's, once for each of its name, or a mean where there would be none."""
    general = [_metric_name(each) for each in _list(config, "metrics")]
    found: dict[str, Metrics] = {ADHOC: list(general)}
    registered: set[str] = set()
    for dataset in _list(config, "datasets"):
        path, name = at(dataset, "path"), at(dataset, "name")
        if isinstance(path, str) and not isinstance(name, str):
            found.setdefault(path.rstrip("/").rpartition("/")[2], []).extend(general)
        else:
            job.has_registry = True
            registered.add(str(name))
    if None in general:
        job.remarks.append("a metric is a script, which an audit does not run: what it gave is not judged")
    if job.has_registry:
        job.remarks.append("metrics of a registry's datasets are not told by the job: they are judged by their form")
    job.metrics = {source: metrics or ["mean"] for source, metrics in found.items() if source not in registered}


def _list(config: dict[str, Any], name: str) -> Iterator[Any]:
    value = config.get(name)
    return iter(value if isinstance(value, list) else [])


def _metric_name(metric: Any) -> str | None:
    kind = metric.get("type", "mean") if isinstance(metric, dict) else None  # later releases leave out what is usual
    return kind if kind in BUILTIN else None
