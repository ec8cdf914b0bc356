"""The order in which a job counted its trials, as far as its files tell.

A finished job counts them in the order of its plan, and before that what earlier runs left, in the order of the
directory. A job that did not finish counts them in the order in which they ended. The lists of names in the result
say for some trials which came first; where no order of the above gives those lists, one is pieced together from them.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any, NamedTuple

from parity.audit.files import pairs_of
from parity.audit.job import Job, Key, planned_keys
from parity.audit.trials import StoredTrial

_LAST = datetime.max  # noqa: DTZ901 — times here are in UTC without saying so

_PAUSES = 32
"""Moments in which nothing ran that are tried as the beginning of a resumed run."""


class Order(NamedTuple):
    """One order of the trials, and where it comes from."""

    by: str
    trials: list[StoredTrial]
    is_told: bool = True
    """Whether the job's files tell it, apart from the lists that are to be judged."""


class Plan(NamedTuple):
    """The plan of ``lock.json`` beside the trials that are there."""

    trials: list[StoredTrial]
    missing: list[dict[str, Any]]
    extra: list[StoredTrial]


def planned(job: Job, trials: list[StoredTrial]) -> Plan | None:
    """Find the trials of the plan; None if there is no plan, or one of a form that is not known.

    Equal attempts are taken in the order in which they began.
    """
    if job.plan is None:
        return None
    for number in (0, 1):
        waiting: defaultdict[Key, list[StoredTrial]] = defaultdict(list)
        for stored in sorted(trials, key=started, reverse=True):
            waiting[stored.keys[number]].append(stored)
        found: list[StoredTrial] = []
        missing: list[dict[str, Any]] = []
        for entry in job.plan:
            equal = waiting[planned_keys(entry)[number]]
            if equal:
                found.append(equal.pop())
            else:
                missing.append(entry)
        extra = [stored for left in waiting.values() for stored in left]
        if not (missing and extra):
            return Plan(found, missing, extra)
    # Both at once look like keys that do not fit, unless most of them do.
    return Plan(found, missing, extra) if len(found) > len(extra) else None


def started(stored: StoredTrial) -> datetime:
    """Give the time at which a trial began; its last try, if it had several."""
    return stored.started_at or _LAST


def ended(stored: StoredTrial) -> datetime:
    """Give the time at which a trial ended."""
    return stored.finished_at or _LAST


def candidates(
    trials: list[StoredTrial], plan: Plan | None, evals: dict[str, Any], *, is_finished: bool
) -> Iterator[Order]:
    """Go through the orders that a job may have had, the likeliest first."""
    by_end = Order("the times at which trials ended", sorted(trials, key=ended))
    by_start = Order("the times at which trials began", sorted(trials, key=started))
    listed = Order("the directory, as if the job was resumed when all had ended", trials)
    known = {stored.trial.name for stored in trials}
    orders = [by_end, by_start, listed]
    if is_finished:
        orders = [by_start, listed, by_end]
        if plan is not None:
            told = [stored for stored in plan.trials if stored.trial.name in known]
            rest = {stored.trial.name for stored in told}
            told += [stored for stored in by_start.trials if stored.trial.name not in rest]
            orders.insert(0, Order("the plan in lock.json", told))
    yield from orders
    yield from _resumed(orders[0].trials, trials)
    pieced = pieced_together(orders[0].trials, evals)
    if pieced is not None:
        yield Order("the lists in result.json", pieced, is_told=False)


def _resumed(order: list[StoredTrial], listed: list[StoredTrial]) -> Iterator[Order]:
    """Let a run have been resumed in each of the longest pauses: what was there counts first, as it is listed."""
    pauses: list[tuple[timedelta, datetime]] = []
    end = datetime.min  # noqa: DTZ901
    for stored in sorted(listed, key=started):
        if started(stored) >= end > datetime.min:  # noqa: DTZ901
            pauses.append((started(stored) - end, end))
        end = max(end, ended(stored))
    for _, pause in heapq.nlargest(_PAUSES, pauses):
        earlier = [stored for stored in listed if ended(stored) <= pause]
        later = [stored for stored in order if ended(stored) > pause]
        yield Order("the directory and then the plan, as if the job was resumed", earlier + later)


def pieced_together(trials: list[StoredTrial], evals: dict[str, Any]) -> list[StoredTrial] | None:
    """Order trials so that the lists of names come out as recorded, and otherwise as given; None if nothing can."""
    by_name = {stored.trial.name: place for place, stored in enumerate(trials)}
    after: defaultdict[int, set[int]] = defaultdict(set)
    n_before = [0] * len(trials)
    for earlier, later in _precedences(evals):
        a, b = by_name.get(earlier), by_name.get(later)
        if a is not None and b is not None and a != b and b not in after[a]:
            after[a].add(b)
            n_before[b] += 1
    ready = [place for place, number in enumerate(n_before) if not number]
    heapq.heapify(ready)
    found: list[StoredTrial] = []
    while ready:
        place = heapq.heappop(ready)
        found.append(trials[place])
        for following in after[place]:
            n_before[following] -= 1
            if not n_before[following]:
                heapq.heappush(ready, following)
    return found if len(found) == len(trials) else None


def name_lists(group: Any) -> Iterator[list[list[str]]]:
    """Give the lists of names of a group, those of one reward or of all exceptions together, in their order."""
    if not isinstance(group, dict):
        return
    rewards = group.get("reward_stats")
    for _, buckets in pairs_of(rewards) if isinstance(rewards, dict) else ():
        yield _lists(buckets)
    yield _lists(group.get("exception_stats"))


def _lists(buckets: Any) -> list[list[str]]:
    pairs = pairs_of(buckets) if isinstance(buckets, dict) else []
    return [[name for name in names if isinstance(name, str)] for _, names in pairs if isinstance(names, list)]


def _precedences(evals: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Say which trial came before which: within a list, and the first of a list before the first of the next."""
    for group in evals.values():
        for lists in name_lists(group):
            firsts = [names[0] for names in lists if names]
            yield from _neighbours(firsts)
            for names in lists:
                yield from _neighbours(names)


def _neighbours(names: list[str]) -> Iterable[tuple[str, str]]:
    return pairwise(names)
