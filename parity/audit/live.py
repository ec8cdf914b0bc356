"""The result of a job that did not finish: written at every turn of a trial, so some figures may lag behind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from parity.audit.files import pairs_of
from parity.audit.findings import Figure, Verdict


def settled_evals(evals: dict[str, Any]) -> dict[str, Any]:
    """Leave out what failed tries left behind: groups without trials, and buckets without names."""
    return {key: _settled(group) for key, group in evals.items() if not _is_empty(group)}


def live_counters(
    stats: dict[str, Any], computed: dict[str, Any], total: int, begun: int, n_concurrent: int | None
) -> Iterator[Figure]:
    """Judge the counters that a running job has besides those of trials that ended.

    ``begun`` trials have a directory and are not counted as ended.
    """
    running, completed = stats.get("n_running_trials"), stats.get("n_completed_trials")
    left = total - completed if type(completed) is int else total
    yield _running(running, begun, n_concurrent or begun, left)
    if type(running) is int and type(completed) is int:
        pending = max(0, total - completed - running)
        is_right = stats.get("n_pending_trials") == pending
        verdict = Verdict.FOLLOWS if is_right else Verdict.DIFFERS
        yield Figure("stats.n_pending_trials", verdict, repr(stats.get("n_pending_trials")), str(pending))
    yield _cancelled(stats, computed, begun)


def _running(recorded: Any, begun: int, n_concurrent: int, left: int) -> Figure:
    """Judge the running trials by the directories of those that began and are not counted as ended."""
    # Of trials that begin when the job falls, as many as run at once may not have been written.
    fewest = max(begun - n_concurrent, 0)
    path, told = "stats.n_running_trials", str(begun) if fewest == begun else f"{fewest} to {begun}"
    if type(recorded) is int and fewest <= recorded <= begun:
        return Figure(path, Verdict.FOLLOWS, repr(recorded), told)
    if type(recorded) is int and begun < recorded <= left:
        note = "directories of trials without a result are removed when a job is resumed, even if that is refused"
        return Figure(path, Verdict.NOT_JUDGED, repr(recorded), told, note)
    return Figure(path, Verdict.DIFFERS, repr(recorded), told)


def _cancelled(stats: dict[str, Any], computed: dict[str, Any], begun: int) -> Figure:
    """Judge the cancelled trials: one that had failed before keeps that exception, so its file does not tell."""
    recorded, told = stats.get("n_cancelled_trials"), computed["n_cancelled_trials"]
    path = "stats.n_cancelled_trials"
    if recorded == told and type(recorded) is int:
        return Figure(path, Verdict.FOLLOWS, repr(recorded), repr(told))
    if type(recorded) is int and told < recorded <= computed["n_errored_trials"] + begun:
        note = "trials may have been cancelled that had failed before, or that had not ended"
        return Figure(path, Verdict.NOT_JUDGED, repr(recorded), repr(told), note)
    return Figure(path, Verdict.DIFFERS, repr(recorded), repr(told))


def _is_empty(group: Any) -> bool:
    if not isinstance(group, dict) or group.get("n_trials") or group.get("n_errors") or group.get("metrics"):
        return False
    settled = _settled(group)
    return not settled.get("reward_stats") and not settled.get("exception_stats")


def _settled(group: Any) -> Any:
    if not isinstance(group, dict):
        return group
    settled = dict(group)
    rewards, exceptions = group.get("reward_stats"), group.get("exception_stats")
    if isinstance(rewards, dict):
        buckets = {key: _named(value) for key, value in rewards.items()}
        settled["reward_stats"] = {key: value for key, value in buckets.items() if value != {}}
    if isinstance(exceptions, dict):
        settled["exception_stats"] = _named(exceptions)
    return settled


def _named(buckets: Any) -> Any:
    """Leave out buckets without names; one object for two nans stays as it is."""
    if not isinstance(buckets, dict) or all(names != [] for _, names in pairs_of(buckets)):
        return buckets
    return {key: names for key, names in pairs_of(buckets) if names != []}
