"""What every report says: the verdict, and each divergence with its sides, its rule and the way to see it again."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass

from parity.codec import Json, canonical
from parity.corpus import Entry
from parity.implementation import HARBOR_VERSION, ORACLE
from parity.judge import Finding
from parity.known import Known
from parity.surfaces import LIVE, SURFACES
from parity.tally import Report
from parity.text import counted, divergence_text, input_text, outcome_text

_LONGEST_COMMAND = 4000
"""A case longer than this is named by its file instead of being written out in a command."""
_RULES = 3
"""Rules told of one divergence."""


@dataclass(frozen=True)
class Verdict:
    """What came of a session, in two sentences."""

    state: str
    """`parity`, `diverged` or `stopped`: what a page colours by."""
    headline: str
    detail: str


@dataclass(frozen=True)
class Item:
    """A divergence as a report shows it."""

    finding: Finding
    sides: tuple[tuple[str, Json], ...]
    """Who gave which outcome: two, or three if one of them gives now this and now that."""
    rule: str
    command: str
    """Shows it again, wherever the report is read."""
    file: str = ""
    """Keeps it, where the session was."""
    remark: str = ""
    """Why it is not simply a fault: it is known, or harbor is not deterministic, or it has drifted."""
    is_known: bool = False
    """It fails no run."""
    seen: int = 1
    """How many cases showed it."""
    drifted: bool = False
    """It is harbor that differs from what was recorded of it."""


def verdict(report: Report) -> Verdict:
    """Say what came of a session."""
    blamed, drifted, stale = len(report.blamed), len(report.replayed.drifted), len(report.stale)
    cases = sum(tally.cases for tally in report.tallies.values())
    live = sum(name in LIVE for name in report.tallies)
    other = "harbor itself" if report.plan.sides[1] == ORACLE else "the other side"
    where = f"{counted(live, 'surface')} against {other}, {len(report.tallies) - live} against recordings"
    said = [f"{counted(cases, 'case')} compared: {where}."]
    if report.partial:
        said.append(f"This is not all: {report.partial}.")
    if report.excuses:
        said.append(f"{counted(len(report.excuses), 'divergence')} known.")
    if drifted:
        said.append(f"Harbor no longer gives {drifted:,} of the recorded outcomes: is the environment another?")
    if stale:
        said.append(f"{counted(stale, 'divergence')} on the list of known ones no longer occurred: remove the entries.")
    detail = " ".join(said)
    if blamed:
        return Verdict("diverged", counted(blamed, "divergence"), detail)
    if drifted:
        return Verdict("diverged", f"{counted(drifted, 'recorded outcome')} drifted", detail)
    if stale:
        return Verdict("diverged", "The list of known divergences is not true", detail)
    if report.stopped:
        return Verdict("stopped", "Stopped, with no divergence so far", detail)
    return Verdict("parity", f"Parity: no {'new ' if report.excuses else ''}divergence", detail)


def contest(report: Report) -> str:
    """Name the two sides of a session."""
    if not any(name in LIVE for name in report.tallies):
        return f"{report.plan.sides[0].name} against recorded outcomes"
    names = [f"harbor {HARBOR_VERSION}" if side == ORACLE else side.name for side in report.plan.sides]
    return " against ".join(names)


def found_items(report: Report) -> Iterator[Item]:
    """Yield every divergence, one a fingerprint."""
    in_corpus = {entry.case.id: entry for entry, _ in report.replayed.diverged}
    excuses, unexcused = report.excuses, report.unexcused
    for finding in report.findings:
        name, entry = finding.fingerprint, in_corpus.get(finding.case.id)
        yield diverged_item(report, finding, entry, blamed=next(iter(unexcused[name]), ""), excuse=excuses.get(name))


def diverged_item(
    report: Report, finding: Finding, entry: Entry | None = None, *, blamed: str, excuse: Known | None = None
) -> Item:
    """Return a divergence between the two sides, told under the name that it is blamed for, if it is for any."""
    left, right = report.plan.sides
    truth = truth_of(finding.case.surface) if right == ORACLE or finding.case.surface not in LIVE else right.name
    sides: tuple[tuple[str, Json], ...] = ((left.name, finding.a), (truth, finding.b))
    file = report.files.get(finding.fingerprint, "")
    remark = f"known since {excuse.since}: {excuse.reason}" if excuse and not blamed else ""
    if blamed:
        finding = finding.about(blamed)
    if finding.again is not None:
        sides += ((f"{truth}, asked again", finding.again),)
        remark = "oracle is not deterministic here" if right == ORACLE else f"{truth} is not deterministic here"
    command, seen = _command(finding, entry, file), report.tallies[finding.case.surface].seen[finding.fingerprint]
    rule = _rule(report, finding)
    return Item(finding, sides, rule, command, file, remark, is_known=not blamed, seen=max(1, seen))


def drifted_item(entry: Entry, finding: Finding) -> Item:
    """Return a divergence between harbor and what was recorded of it."""
    sides = (("harbor now", finding.a), ("recorded", finding.b))
    remark, command = "drifted from its recording", _command(finding, entry, "")
    return Item(finding, sides, entry.found, command, remark=remark, drifted=True)


def truth_of(surface: str) -> str:
    """Name what a surface's outcomes are held against."""
    return "harbor" if surface in LIVE else "recorded"


def _rule(report: Report, finding: Finding) -> str:
    """Say which rule is broken: that of the corpus cases in which the same shows, or all of the surface's."""
    same = [
        entry
        for entry, other in report.replayed.diverged
        if other.fingerprint == finding.fingerprint and not entry.is_by_search
    ]
    told = dict.fromkeys(f"{entry.found}: {entry.note}" for entry in sorted(same, key=lambda entry: entry.name))
    return " ".join(list(told)[:_RULES]) or SURFACES[finding.case.surface].rules


def _command(finding: Finding, entry: Entry | None, file: str) -> str:
    """Return a command that works wherever the report is read: a case of the corpus by name, another written out."""
    if entry is not None and not entry.is_by_search:
        return f"parity show {shlex.quote(entry.name)}"
    case = canonical(finding.case.to_json())
    return f"parity show {shlex.quote(file if file and len(case) > _LONGEST_COMMAND else case)}"


def explanation(item: Item) -> str:
    """Explain a divergence in plain text."""
    finding = item.finding
    parts = [finding.fingerprint, *filter(None, (item.remark, finding.note))]
    parts.append(f"input\n{clipped(input_text(finding.case.input))}")
    parts += [f"{name}\n{clipped(outcome_text(outcome))}" for name, outcome in item.sides]
    parts.append("differs at\n" + places(finding))
    parts.append(f"rule: {item.rule}")
    parts.append(f"seen: {counted(item.seen, 'time')}")
    parts.append(f"see again: {item.command}")
    return "\n\n".join(parts)


def places(finding: Finding, most: int = 12, limit: int = 1000) -> str:
    """List where the outcomes of a finding differ, a place a line."""
    lines = [clipped(divergence_text(divergence), limit) for divergence in finding.divergences[:most]]
    if len(finding.divergences) > most:
        lines.append(f"… and {len(finding.divergences) - most} more places")
    return "\n".join(lines)


def clipped(text: str, limit: int = 20_000) -> str:
    """Leave out the middle of a text that is longer than the limit, and say how much."""
    if len(text) <= limit:
        return text
    head, tail = limit * 3 // 4, limit // 4
    return f"{text[:head]} … ({len(text) - head - tail:,} characters left out) … {text[-tail:]}"


def visible(text: str) -> str:
    r"""Write what has no glyph as Python escapes it (`\x00`, `\ud800`, `\u202e`); a line break stays one.

    What is left can stand in XML, in HTML and in UTF-8, and cannot change how the text around it is shown.
    """
    if text.replace("\n", "").isprintable():
        return text
    return "".join(char if char.isprintable() or char == "\n" else _escaped(char) for char in text)


def visible_line(text: str) -> str:
    """Write a text on one line, with what has no glyph escaped."""
    return visible(text).replace("\n", r"\n")


def _escaped(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")
