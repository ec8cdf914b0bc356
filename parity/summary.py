"""What every written report says: the verdict, and each divergence with its sides and the way to see it again."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass

from parity.codec import canonical
from parity.corpus import Entry
from parity.implementation import HARBOR_VERSION, ORACLE
from parity.judge import Finding
from parity.report import input_text, truth_of
from parity.saved import FOLDER
from parity.surfaces import LIVE, SURFACES
from parity.tally import Report
from parity.text import counted, divergence_text, outcome_text

_LONGEST_COMMAND = 4000
"""A case longer than this is named by its file instead of being written out in a command."""


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
    names: tuple[str, str]
    """Who gave which outcome."""
    command: str
    """Shows it again."""
    drifted: bool = False
    """It is harbor that differs from what was recorded of it."""


def verdict(report: Report) -> Verdict:
    """Say what came of a session."""
    found, drifted = len(report.findings), len(report.replayed.drifted)
    cases = sum(tally.cases for tally in report.tallies.values())
    live = sum(name in LIVE for name in report.tallies)
    other = "harbor itself" if report.plan.sides[1] == ORACLE else "the other side"
    where = f"{counted(live, 'surface')} against {other}, {len(report.tallies) - live} against recordings"
    detail = f"{counted(cases, 'case')} compared: {where}."
    if report.stopped:
        detail += " The session was stopped before the end."
    if drifted:
        detail += f" Harbor no longer gives {drifted:,} of the recorded outcomes: is the environment another?"
    if found:
        return Verdict("diverged", counted(found, "divergence"), detail)
    if drifted:
        return Verdict("diverged", f"{counted(drifted, 'recorded outcome')} drifted", detail)
    if report.stopped:
        return Verdict("stopped", "Stopped, with no divergence so far", detail)
    return Verdict("parity", "Parity: no divergence", detail)


def contest(report: Report) -> str:
    """Name the two sides of a session."""
    if not any(name in LIVE for name in report.tallies):
        return f"{report.plan.sides[0].name} against recorded outcomes"
    other = report.plan.sides[1]
    return f"{report.plan.sides[0].name} against {f'harbor {HARBOR_VERSION}' if other == ORACLE else other.name}"


def found_items(report: Report) -> Iterator[Item]:
    """Yield every divergence, one a fingerprint."""
    in_corpus = {entry.case.id: entry for entry, _ in report.replayed.diverged}
    for finding in report.findings:
        yield diverged_item(report, finding, in_corpus.get(finding.case.id))


def diverged_item(report: Report, finding: Finding, entry: Entry | None) -> Item:
    """Return a divergence between the two sides."""
    left, right = report.plan.sides
    truth = truth_of(finding.case.surface) if right == ORACLE or finding.case.surface not in LIVE else right.name
    return Item(finding, (left.name, truth), _command(finding, entry))


def drifted_item(entry: Entry, finding: Finding) -> Item:
    """Return a divergence between harbor and what was recorded of it."""
    return Item(finding, ("harbor now", "recorded"), _command(finding, entry), drifted=True)


def _command(finding: Finding, entry: Entry | None) -> str:
    """Return a command that works wherever the report is read: a case of the corpus by name, another written out."""
    if entry is not None:
        return f"parity show {shlex.quote(entry.name)}"
    case = canonical(finding.case.to_json())
    if len(case) <= _LONGEST_COMMAND:
        return f"parity show {shlex.quote(case)}"
    return f"parity show {FOLDER}/{finding.case.surface}/*-{finding.case.id}.json"


def explanation(item: Item) -> str:
    """Explain a divergence in plain text."""
    finding = item.finding
    parts = [finding.fingerprint]
    if finding.note:
        parts.append(finding.note)
    parts.append(f"input\n{clipped(input_text(finding.case.input))}")
    parts += [
        f"{name}\n{clipped(outcome_text(outcome))}"
        for name, outcome in zip(item.names, (finding.a, finding.b), strict=True)
    ]
    parts.append("differs at\n" + places(finding))
    parts.append(f"rule: {SURFACES[finding.case.surface].rules}")
    parts.append(f"seen: {counted(finding.seen, 'time')}")
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
