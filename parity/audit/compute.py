"""What the trials of a job give, in one order: the statistics that its ``result.json`` should have."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from parity.audit.files import pairs_of, parsed
from parity.audit.job import BUILTIN, Job, Metrics
from parity.audit.trial_result import stored_key
from parity.audit.trials import StoredTrial
from reimpl import JobStats, Trial, compute_metric, evals_key, pass_at_k
from reimpl.render import render
from reimpl.stats import CANCELLED
from reimpl.trial import ADHOC


@dataclass(frozen=True)
class MetricSource:
    """Where a metric in the file comes from: one of harbor's own by name, or none that an audit can compute."""

    name: str | None
    is_guessed: bool = False


@dataclass
class Computed:
    """The statistics of some trials in some order, as JSON has them."""

    stats: dict[str, Any]
    metrics: dict[str, list[MetricSource]]
    raised: dict[str, str]
    """What a group's metrics raised."""


class Computer:
    """Computes the statistics of trials, with the metrics that a job's files and its recorded result name."""

    def __init__(self, job: Job, recorded: dict[str, Any], *, is_finished: bool, n_total_trials: int) -> None:
        self._job = job
        self._recorded = recorded
        self._is_finished = is_finished
        self._n_total_trials = n_total_trials

    def compute(self, order: list[StoredTrial]) -> Computed:
        """Compute all statistics of trials in this order."""
        stats = JobStats()
        groups: dict[str, list[Trial]] = {}
        for stored in order:
            stats.add(stored.trial)
            groups.setdefault(evals_key(stored.trial), []).append(stored.trial)
        stats.n_cancelled_trials = len({s.trial.name for s in order if s.trial.exception == CANCELLED})
        stats.update_progress(n_total_trials=self._n_total_trials)
        document = {name: as_json(value) for name, value in stats.to_value().items() if name != "evals"}
        computed = Computed(document, {}, {})
        passes = pass_at_k(stored.trial for stored in order) if self._is_finished else {}
        document["evals"] = {}
        for key, group in stats.evals.items():
            value = group.to_value()
            value["pass_at_k"] = passes.get(key, {})
            value["metrics"] = []
            found = as_json(value)
            form = stored_key(key)
            found["metrics"], computed.metrics[form] = self._metrics(form, groups[key], computed)
            document["evals"][form] = found
        return computed

    def _metrics(self, key: str, trials: list[Trial], computed: Computed) -> tuple[list[Any], list[MetricSource]]:
        group = self._recorded.get(key)
        recorded = group.get("metrics") if isinstance(group, dict) else None
        entries = recorded if isinstance(recorded, list) else []
        if not self._is_finished and recorded == []:
            # A run that is resumed has none until a trial of the group ends.
            return [], []
        rewards = [trial.rewards if trial.verified else None for trial in trials]
        tried: list[tuple[list[Any], list[MetricSource]]] = []
        for wanted in self._wanted(key, trials):
            try:
                tried.append(_taken(wanted, rewards, entries))
            except (OverflowError, ValueError) as error:
                if not self._is_finished and len(trials) > 1:
                    # The metrics of the trials before are what such an end leaves.
                    return self._metrics(key, trials[:-1], computed)
                computed.raised[key] = f"{type(error).__name__}: {error}"
        for values, sources in tried:
            if is_same(values, entries):
                return values, sources
        return tried[0] if tried else ([], [])

    def _wanted(self, key: str, trials: list[Trial]) -> list[Metrics | None]:
        """List the metrics that a group may have: a finished job looks them up by the end of the group's name."""
        by_name = self._job.metrics_of(key.split("__")[-1])  # noqa: PLC0207 — from the left, as harbor does
        by_source = self._job.metrics_of(trials[-1].source or ADHOC)
        if self._job.reads_alike():
            return [by_name if self._is_finished else by_source]
        return [by_name, by_source, self._job.metrics_of(ADHOC)]  # later ones have some for a name that is no dataset


def is_same(a: Any, b: Any) -> bool:
    """Compare JSON values to the last bit, with the order of keys, and 1 told from 1.0."""
    return spelled(a) == spelled(b)


def spelled(value: Any) -> str:
    """Spell a JSON value so that equal texts are equal values, keys that stand twice included."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {spelled(item)}" for key, item in pairs_of(value)) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(spelled, value)) + "]"
    return repr(value)


def _taken(wanted: Metrics | None, rewards: list[Any], entries: list[Any]) -> tuple[list[Any], list[MetricSource]]:
    """Take metrics over rewards; what no file names is recognised by what it gives, and a script's is left as it is."""
    if wanted is None:
        sources = [_recognised(entry, rewards) for entry in entries]
    else:
        sources = [MetricSource(name) for name in wanted]
    values = [
        (entries[place] if place < len(entries) else None)
        if source.name is None
        else as_json(compute_metric(source.name, rewards))
        for place, source in enumerate(sources)
    ]
    return values, sources


def _recognised(entry: Any, rewards: list[Any]) -> MetricSource:
    for name in BUILTIN:
        with suppress(OverflowError):
            if is_same(as_json(compute_metric(name, rewards)), entry):
                return MetricSource(name, is_guessed=True)
    shape = list(as_json(compute_metric("max", rewards)))
    if isinstance(entry, dict) and len(shape) == 1 and len(entry) == 1 and set(entry) <= set(BUILTIN):
        return MetricSource(next(iter(entry)), is_guessed=True)
    if isinstance(entry, dict) and len(shape) > 1 and list(entry) == shape:
        return MetricSource("mean", is_guessed=True)
    return MetricSource(None, is_guessed=True)


def as_json(value: Any) -> Any:
    """Give a value as it comes back from a file."""
    return parsed(render(value))
