"""Merging reports: what several machines compared, as if it had been one session."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from parity.case import Case
from parity.corpus import Entry
from parity.errors import CannotRunError
from parity.implementation import BY_NAME, Implementation
from parity.judge import Finding, diverging
from parity.known import Known
from parity.level import Level
from parity.replay import Replay
from parity.report_json import VERSION
from parity.session import Plan
from parity.surfaces import chosen
from parity.tally import Report, Tally


def read(path: Path) -> Report:
    """Read a JSON report, or say in one line why not."""
    try:
        data = json.loads(path.read_bytes())
    except OSError as error:
        raise CannotRunError(f"{path}: {error.strerror}") from None
    except ValueError as error:
        raise CannotRunError(f"{path}: not JSON ({error}): write it again with --json") from None
    if not isinstance(data, dict) or (data.get("kind"), data.get("version")) != ("run", VERSION):
        raise CannotRunError(f"{path}: not a report of version {VERSION}, as --json writes it")
    try:
        return _report(data)
    except (KeyError, TypeError, ValueError, AttributeError, CannotRunError) as error:
        raise CannotRunError(f"{path}: the report is damaged ({type(error).__name__}: {error})") from None


def merged(reports: Sequence[Report], known: list[Known]) -> Report:
    """Add up reports of one comparison; it is whole if the shards are, each of them to its end."""
    first = reports[0]
    for report in reports[1:]:
        if [side.name for side in report.plan.sides] != [side.name for side in first.plan.sides]:
            raise CannotRunError("these reports compare different implementations: merge each kind by itself")
        if report.plan.level != first.plan.level:
            raise CannotRunError("these reports were compared at different levels: merge each level by itself")
        if _hunt(report) != _hunt(first):
            raise CannotRunError("these reports are shards of hunts that differ in surfaces, seed, length or number")
    of = first.plan.shard[1]
    shards = sorted(number for report in reports for number in report.shards if of > 1)
    twice = next((number for number in shards if shards.count(number) > 1), None)
    if twice is not None:
        raise CannotRunError(f"shard {twice}/{of} is there twice: name each report once")
    whole = of == 1 or len(shards) == of
    names = [name for report in reports for name in report.tallies]
    total = Report(
        replace(first.plan, surfaces=chosen(names), shard=(1, 1) if whole else (shards[0], of)),
        {surface.name: Tally(surface.name) for surface in chosen(names)},
        Replay(),
        stopped=any(report.stopped for report in reports),
        known=known,
        today=max(report.today for report in reports),
        merged=() if whole else tuple(shards),
        shortfall=next((report.shortfall for report in reports if report.shortfall), ""),
    )
    for report in reports:
        _add(total, report)
    return total


def _hunt(report: Report) -> tuple[Any, ...]:
    """Return what shards of one hunt have in common; reports that are whole need not be of one."""
    plan, of = report.plan, report.plan.shard[1]
    return (of, plan.surfaces, plan.seed, plan.examples, plan.minutes) if of > 1 else (of,)


def _add(total: Report, report: Report) -> None:
    for name, tally in report.tallies.items():
        sum_up = total.tallies[name]
        sum_up.corpus += tally.corpus
        sum_up.exhaustive += tally.exhaustive
        sum_up.generated += tally.generated
        sum_up.seconds += tally.seconds
        sum_up.skipped += tally.skipped
        sum_up.seen += tally.seen
        for finding in tally.findings.values():
            sum_up.add(finding)
    total.replayed.drifted += report.replayed.drifted
    total.replayed.diverged += report.replayed.diverged


def _report(data: dict[str, Any]) -> Report:
    plan = Plan(
        chosen([each["surface"] for each in data["surfaces"]]),
        data["examples"],
        data["seed"],
        jobs=1,
        minutes=data["minutes"],
        sides=(_side(data["a"]), _side(data["b"])),
        shard=(data["shard"][0], data["shard"][1]),
        level=Level(data["level"]),
    )
    drifted = [(_entry(each), _finding(each)) for each in data["drifted"]]
    tallies = {each["surface"]: _tally(each, plan.level) for each in data["surfaces"]}
    report = Report(plan, tallies, Replay(drifted=drifted), data["stopped"], today=date.fromisoformat(data["date"]))
    report.known = [
        Known(each["fingerprint"], each["reason"], date.fromisoformat(each["since"]), _day(each["expires"]))
        for each in data["known"]
    ]
    report.merged = tuple(data["shards"])
    if plan.shard[1] == 1 and not report.stopped:
        report.shortfall = data["partial"]
    return report


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None


def _side(name: str) -> Implementation:
    """Return who a report speaks of; nobody is going to be asked anything."""
    return BY_NAME.get(name) or Implementation(name, "")


def _tally(data: dict[str, Any], level: Level) -> Tally:
    findings = [_told(each, level) for each in data["divergences"]]
    return Tally(
        data["surface"],
        **data["cases"],
        seconds=data["seconds"],
        findings={each.fingerprint: each for each in findings},
        seen=Counter({each["fingerprint"]: each["seen"] for each in data["divergences"]}),
        skipped=Counter(data["skipped"]),
    )


def _finding(data: dict[str, Any], level: Level = Level.exact) -> Finding:
    finding = diverging(Case(data["surface"], data["input"]), data["a"], data["b"], data["note"], level)
    if finding is None:
        raise ValueError(f"{data['fingerprint']}: its outcomes do not differ")
    return replace(finding, again=data["again"])


def _told(data: dict[str, Any], level: Level) -> Finding:
    return _finding(data, level).about(data["fingerprint"])


def _entry(data: dict[str, Any]) -> Entry:
    """Return a corpus entry that a report speaks of, without looking for its file."""
    case = Case(data["surface"], data["input"])
    return Entry(Path("corpus", f"{data['corpus']}.json"), case, data["note"], data["b"], {}, data["rule"])
