"""The audit of one job directory, from its files to the findings."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from parity.audit.compute import Computed, Computer, is_same
from parity.audit.counting import Counted, counted_trials, plan_problems
from parity.audit.figures import ABSENT, COUNTERS, GROUP, STATS, TOKENS, Judge
from parity.audit.files import Folder, UnreadError, parsed
from parity.audit.findings import Audit, Figure, Problem, Verdict, shown
from parity.audit.job import Job, read_job
from parity.audit.live import live_counters, settled_evals
from parity.audit.order import Order, candidates, planned
from parity.audit.trials import TrialReader, Trials
from reimpl.outcome import outcome_line

_FIELDS = frozenset({"id", "started_at", "updated_at", "finished_at", "n_total_trials", "stats", "trial_results"})

Track = Callable[[list[str]], Iterable[str]]
"""Goes through the names of directories, and may show how far it is."""


class NoJobError(Exception):
    """There is no job directory to audit; the message is the end of a sentence about it."""


def audit_job(path: str | os.PathLike[str], track: Track = iter) -> Audit:
    """Audit a job directory.

    Raises:
        NoJobError: It is no directory, or holds nothing that harbor writes.

    """
    try:
        folder = Folder(path)
    except (OSError, ValueError) as error:
        raise NoJobError(f"cannot be read as a directory ({error})") from error
    with folder, tempfile.TemporaryDirectory(prefix="audit-") as scratch:
        job = read_job(folder)
        reader = TrialReader(Path(scratch), reads_alike=job.reads_alike())
        for name in track(folder.folder_names()):
            reader.read(folder, name)
        return _Auditor(Audit(os.fspath(path)), job, reader.close()).audit(folder)


class _Auditor:
    def __init__(self, audit: Audit, job: Job, trials: Trials) -> None:
        self._audit = audit
        self._job = job
        self._trials = trials

    def audit(self, folder: Folder) -> Audit:
        """Judge the result file, if there is one."""
        found = self._audit
        found.release = self._job.release
        found.trials = len(self._trials.finished)
        found.problems += self._trials.problems
        try:
            content = folder.read("result.json")
            if content is None:
                self._without_result()
            else:
                self._result(content)
        except UnreadError as error:
            found.problems.append(Problem("", "malformed", f"result.json {error}"))
        except RecursionError:
            found.problems.append(Problem("", "malformed", "result.json is nested too deeply to be judged"))
        found.remarks += [*self._job.remarks, *self._trials.remarks]
        return found

    def _without_result(self) -> None:
        if not self._trials.finished and not self._job.is_found:
            raise NoJobError("holds no job: there is neither result.json nor config.json nor a trial's result")
        self._audit.state = "without a result"
        self._audit.outcome = outcome_line(None)
        self._audit.problems.append(Problem("", "missing", "there is no result.json"))

    def _result(self, content: bytes) -> None:
        found = self._audit
        try:
            found.outcome = outcome_line(content)
        except ValueError as error:
            found.remarks.append(f"the consumer has no outcome for this result: {error}")
        document = _object(parsed(content), "no JSON object")
        stats = _object(document.get("stats"), "without stats")
        evals = _object(stats.get("evals"), "without evals in its stats")
        is_finished = document.get("finished_at") is not None
        found.state = "finished" if is_finished else "not finished"
        if not is_finished:
            evals = settled_evals(evals)
        found.remarks += _unknown_fields(document, stats, evals)
        counted = counted_trials(self._trials, document, evals)
        found.problems += counted.problems
        found.remarks += counted.remarks
        self._judge(document, stats, evals, counted)

    def _judge(self, document: dict[str, Any], stats: dict[str, Any], evals: dict[str, Any], counted: Counted) -> None:
        found, job = self._audit, self._job
        is_finished = found.state == "finished"
        plan = planned(job, counted.trials)
        if plan is not None and is_finished:
            found.problems += plan_problems(plan, counted, self._trials)
        total = self._total(document, counted)
        computer = Computer(job, evals, is_finished=is_finished, n_total_trials=total)
        orders = candidates(counted.trials, plan, evals, is_finished=is_finished)
        order, computed = _best(computer, orders, stats, evals)
        found.order = order.by
        found.order_recovered = order.is_told and not any(_unequal_lists(computed, evals))
        judge = Judge(
            computed,
            order.trials,
            is_finished=is_finished,
            is_recovered=found.order_recovered,
            must_have_all=job.reads_alike(),
        )
        found.figures.append(judge.plain("n_total_trials", document.get("n_total_trials", ABSENT), total))
        found.figures += self._counters(judge, stats, computed.stats, counted, total)
        found.figures += judge.groups(evals)
        found.figures.append(self._outcome(document, computed, total))

    def _total(self, document: dict[str, Any], counted: Counted) -> int:
        """Count the trials that there should be: those planned, or where there is no plan those that are there."""
        if self._job.plan is not None:
            return len(self._job.plan)
        recorded = document.get("n_total_trials")
        if self._audit.state != "finished" and type(recorded) is int:
            self._audit.remarks.append("without a plan the number of all trials is not judged")
            return recorded
        return len(counted.trials)

    def _counters(
        self, judge: Judge, stats: dict[str, Any], computed: dict[str, Any], counted: Counted, total: int
    ) -> Iterator[Figure]:
        is_finished = self._audit.state == "finished"
        for name in COUNTERS if is_finished else COUNTERS[:2]:
            yield judge.plain(f"stats.{name}", stats.get(name, ABSENT), computed[name])
        if not is_finished:
            begun = len(self._trials.unfinished) + len(counted.late)
            yield from live_counters(stats, computed, total, begun, self._job.n_concurrent)
        yield self._retries(stats.get("n_retries", ABSENT))
        has_retries = not is_finished and bool(stats.get("n_retries"))
        figures = [judge.plain(f"stats.{name}", stats.get(name, ABSENT), computed[name]) for name in TOKENS]
        for figure in [*figures, judge.cost(stats.get("cost_usd", ABSENT))]:
            if has_retries and figure.verdict is not Verdict.FOLLOWS:
                note = "tries that failed were added and taken out again, and their files are gone"
                yield Figure(figure.path, Verdict.NOT_JUDGED, figure.recorded, figure.computed, note)
            else:
                yield figure

    def _retries(self, recorded: Any) -> Figure:
        """Judge the number of retries, of which the trials tell nothing: the directories of failed tries are gone."""
        path, told = "stats.n_retries", "" if recorded is ABSENT else repr(recorded)
        if self._job.max_retries == 0 and is_same(recorded, 0):
            return Figure(path, Verdict.FOLLOWS, told, "0")
        if recorded is not ABSENT and (type(recorded) is not int or recorded < 0 or self._job.max_retries == 0):
            return Figure(path, Verdict.DIFFERS, told, "", "the job's settings allow no such number")
        return Figure(path, Verdict.NOT_JUDGED, told, "", "no file tells how often a trial was tried")

    def _outcome(self, document: dict[str, Any], computed: Computed, total: int) -> Figure:
        """Judge the consumer's line: it follows if all it is made of does, or if it is the same all the same."""
        recorded = self._audit.outcome or ""
        if not self._audit.failed:
            return Figure("outcome", Verdict.FOLLOWS, recorded, recorded)
        result = {**document, "n_total_trials": total, "stats": computed.stats}
        try:
            line = outcome_line(json.dumps(result).encode())
        except (ValueError, RecursionError) as error:
            return Figure("outcome", Verdict.NOT_JUDGED, recorded, "", f"the trials give no outcome: {error}")
        return Figure("outcome", Verdict.FOLLOWS if line == recorded else Verdict.DIFFERS, recorded, line)


def _object(value: Any, otherwise: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise UnreadError(f"is {otherwise}")
    return value


def _unknown_fields(document: dict[str, Any], stats: dict[str, Any], evals: dict[str, Any]) -> Iterator[str]:
    """Name the fields that are not those of 0.13.1; they are not judged."""
    groups = [group for group in evals.values() if isinstance(group, dict)]
    unknown = [*(document.keys() - _FIELDS), *(f"stats.{name}" for name in stats.keys() - STATS)]
    unknown += {f"stats.evals.*.{name}" for group in groups for name in group.keys() - {*GROUP}}
    if unknown:
        yield f"fields that are not known, and not judged: {shown(', '.join(sorted(unknown)))}"


def _best(
    computer: Computer, orders: Iterator[Order], stats: dict[str, Any], evals: dict[str, Any]
) -> tuple[Order, Computed]:
    """Take the first order that gives everything recorded, or else the one that gives most."""
    best: tuple[int, Order, Computed] | None = None
    for order in orders:
        computed = computer.compute(order.trials)
        unequal = len([*_unequal_lists(computed, evals)]) + (
            not is_same(stats.get("cost_usd"), computed.stats["cost_usd"])
        )
        for key, group in computed.stats["evals"].items():
            own = evals.get(key)
            unequal += sum(
                not isinstance(own, dict) or not is_same(own.get(name), group[name])
                for name in ("metrics", "pass_at_k")
            )
        if best is None or unequal < best[0]:
            best = unequal, order, computed
        if not unequal:
            break
    if best is None:
        raise AssertionError("there is always an order")
    return best[1], best[2]


def _unequal_lists(computed: Computed, evals: dict[str, Any]) -> Iterator[str]:
    """Name the groups whose lists of names, or whose places, are not as recorded."""
    groups = computed.stats["evals"]
    if list(groups) != list(evals):
        yield ""
    for key, group in groups.items():
        own = evals.get(key)
        for name in ("reward_stats", "exception_stats"):
            if not isinstance(own, dict) or not is_same(own.get(name), group[name]):
                yield key
