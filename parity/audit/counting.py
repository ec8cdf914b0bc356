"""Which trials a result counts, as far as its lists of names tell, and which are missing or extra."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from parity.audit.findings import Problem
from parity.audit.job import at
from parity.audit.order import Plan, ended, name_lists
from parity.audit.trial_result import time_of
from parity.audit.trials import StoredTrial, Trials

_NAMED = 3
"""Trials that are named in a remark about many."""


@dataclass
class Counted:
    """The trials that the figures are about."""

    trials: list[StoredTrial]
    late: list[StoredTrial] = field(default_factory=list)
    """Trials that ended after the result was last written."""
    problems: list[Problem] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


def counted_trials(trials: Trials, document: dict[str, Any], evals: dict[str, Any]) -> Counted:
    """Tell the trials that a result counts from those it does not."""
    listed = {name for group in evals.values() for lists in name_lists(group) for names in lists for name in names}
    present = {stored.trial.name for stored in trials.finished}
    counted = Counted([stored for stored in trials.finished if not stored.is_listed or stored.trial.name in listed])
    for name in sorted(listed - present - {*trials.malformed}):
        told = "has no result" if name in trials.unfinished else "has no directory"
        counted.problems.append(Problem(name, "missing", f"result.json counts it, and it {told}"))
    unlisted = [stored for stored in trials.finished if stored.is_listed and stored.trial.name not in listed]
    if document.get("finished_at") is not None:
        _of_a_finished_job(counted, trials, unlisted, document["stats"].get("n_completed_trials"))
        for name in trials.unfinished:
            if name not in listed:
                counted.problems.append(Problem(name, "missing", "it has no result, in a job that finished"))
    else:
        _of_an_unfinished_job(counted, unlisted, document)
    return counted


def plan_problems(plan: Plan, counted: Counted, trials: Trials) -> list[Problem]:
    """Hold the trials of a finished job against its plan."""
    reported = {problem.trial for problem in counted.problems}
    problems = [
        Problem(stored.trial.name, "extra", "lock.json does not plan it")
        for stored in plan.extra
        if stored.trial.name not in reported
    ]
    n_missing = len(plan.missing) - sum(problem.kind == "missing" for problem in counted.problems)
    n_missing -= len(trials.malformed)
    if n_missing > 0:
        tasks = {str(at(entry, "task", "name")) for entry in plan.missing}
        note = f"trials that lock.json plans and that are not there: {n_missing:,}, of {_named(sorted(tasks))}"
        problems.append(Problem("", "missing", note))
    return problems


def _of_a_finished_job(counted: Counted, trials: Trials, unlisted: list[StoredTrial], completed: Any) -> None:
    """Leave out what the lists do not name if the counts do not either; otherwise the lists are at fault."""
    for stored in unlisted:
        if stored.has_null and completed == len(counted.trials):
            counted.remarks.append(f"{stored.trial.name} has a nan or infinite reward: a resumed run began it anew")
        else:
            counted.problems.append(Problem(stored.trial.name, "extra", "result.json does not list it"))
    if completed != len(counted.trials):
        counted.trials = list(trials.finished)


def _of_an_unfinished_job(counted: Counted, unlisted: list[StoredTrial], document: dict[str, Any]) -> None:
    """Let trials be uncounted that ended after the file was written, or at that moment."""
    completed = document["stats"].get("n_completed_trials")
    running = document["stats"].get("n_running_trials")
    written = time_of(document.get("updated_at"))
    is_utc = str(document.get("updated_at")).endswith("Z")  # the first write of a run has local time
    late: list[StoredTrial] = []
    early: list[StoredTrial] = []
    for stored in unlisted:
        (late if written is None or not is_utc or ended(stored) >= written else early).append(stored)
    if isinstance(running, int) and len(early) <= running:
        late, early = unlisted, []
    for stored in early:
        counted.problems.append(Problem(stored.trial.name, "extra", "result.json does not list it"))
    silent = sorted((stored for stored in counted.trials if not stored.is_listed), key=ended)
    too_many = len(counted.trials) - completed if type(completed) is int and completed >= 0 else 0
    dropped = silent[max(len(silent) - too_many, 0) :] if too_many > 0 else []
    names = {stored.trial.name for stored in dropped}
    counted.trials = [stored for stored in counted.trials if stored.trial.name not in names]
    counted.late = late = [*late, *dropped]
    if late:
        named = _named([stored.trial.name for stored in late])
        counted.remarks.append(f"trials that ended when the file had been written, and are not in it: {named}")


def _named(names: list[str]) -> str:
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
