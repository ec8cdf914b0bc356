"""What a user reads at the end: every divergence explained, then the table."""

from __future__ import annotations

import shlex
from difflib import SequenceMatcher

from rich.console import Console, Group, RenderableType
from rich.markup import escape
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from parity.implementation import ORACLE
from parity.level import Level
from parity.marks import Piece, marked
from parity.summary import Item, drifted_item, found_items, verdict
from parity.surfaces import LIVE
from parity.tally import Report, Tally
from parity.text import counted, divergence_text, input_text, outcome_text

_LONG = 16
"""Outcomes of more lines than this are shown where they differ."""
_PLACES = 12
"""Places shown where two outcomes differ."""


def console(*, stderr: bool = False) -> Console:
    """Return a console: colour and full width on a terminal, plain text of a fixed width in a pipe."""
    made = Console(stderr=stderr, highlight=False, soft_wrap=False)
    return made if made.is_terminal else Console(stderr=stderr, highlight=False, width=100, color_system=None)


def print_report(out: Console, report: Report) -> None:
    """Print every divergence, the table, the relaxations and the verdict."""
    for item in found_items(report):
        out.print(panel(item))
    for entry, finding in report.replayed.drifted:
        out.print(panel(drifted_item(entry, finding)))
    out.print(table(list(report.tallies.values())))
    for surface in report.plan.surfaces:
        for relaxation in surface.relaxations:
            out.print(f"relaxed: {surface.name}: {relaxation.name}: {relaxation.reason}", soft_wrap=True)
    for surface in report.plan.surfaces:
        if surface.recorded:
            out.print(f"recorded: {surface.name}: {surface.recorded}", soft_wrap=True)
    for tally in report.tallies.values():
        for why, number in tally.skipped.items():
            told = f"skipped: {tally.surface}: {counted(number, 'case')}: {why}"
            out.print(told, markup=False, soft_wrap=True)
    if report.plan.level is not Level.exact:
        out.print(f"level: {report.plan.level.value}, so not everything of an outcome counts (docs/check.md)")
    _print_verdict(out, report)


def _print_verdict(out: Console, report: Report) -> None:
    said = verdict(report)
    for known in report.stale:
        out.print(f"[bold red]no longer occurs[/]: {escape(known.fingerprint)}: remove it from the list of known ones")
    if report.replayed.drifted:
        told = counted(len(report.replayed.drifted), "recorded outcome")
        out.print(f"[bold red]{told} that harbor no longer gives[/]: is the environment another?")
    if report.excuses:
        out.print(f"[yellow]{counted(len(report.excuses), 'divergence')} known[/], with the reasons above")
    if report.blamed:
        out.print(f"[bold red]{counted(len(report.blamed), 'divergence')}[/], each with its smallest case above")
    elif said.state == "stopped":
        out.print("[bold yellow]stopped before the end[/], with no divergence so far")
    elif said.state == "parity":
        cases = sum(tally.cases for tally in report.tallies.values())
        live = sum(name in LIVE for name in report.tallies)
        other = "harbor itself" if report.plan.sides[1] == ORACLE else escape(report.plan.sides[1].name)
        partial = f"; this is not all: {report.partial}" if report.partial else ""
        out.print(
            f"[bold green]parity[/]: no {'new ' if report.excuses else ''}divergence on {counted(cases, 'case')} "
            f"({counted(live, 'surface')} against {other}, {len(report.tallies) - live} against recordings)" + partial,
            soft_wrap=True,
        )


def table(tallies: list[Tally]) -> Table:
    """Return the table: surface, cases by where they came from, divergences, seconds."""
    made = Table("surface", title_justify="left", show_footer=True)
    columns = ("corpus", "exhaustive", "generated", "cases", "divergences", "seconds")
    totals = [sum(getattr(tally, name) for tally in tallies) for name in columns[:4]]
    totals += [sum(len(tally.findings) for tally in tallies)]
    footers = [f"{total:,}" for total in totals] + [f"{sum(tally.seconds for tally in tallies):.1f}"]
    for name, footer in zip(columns, footers, strict=True):
        made.add_column(name, footer, justify="right")
    for tally in tallies:
        counts = [f"{getattr(tally, name):,}" for name in columns[:4]]
        found = len(tally.findings)
        made.add_row(
            tally.surface,
            *counts,
            f"[bold red]{found}[/]" if found else "[green]0[/]",
            f"{tally.seconds:.1f}",
        )
    return made


def panel(item: Item, *, command: bool = True) -> Panel:
    """Explain one divergence: input, outcomes, where they differ, the rule, and how to see it again."""
    finding = item.finding
    lines: list[RenderableType] = []
    if item.remark:
        lines.append(Text(item.remark, style="bold yellow"))
    if finding.note:
        lines.append(Text(finding.note, style="italic"))
    lines += [Text("input", style="bold"), Text(input_text(finding.case.input)), _outcomes(item)]
    lines.append(Text("differs at", style="bold"))
    lines += [Text(f"  {divergence_text(divergence)}") for divergence in finding.divergences[:_PLACES]]
    if len(finding.divergences) > _PLACES:
        lines.append(Text(f"  … and {len(finding.divergences) - _PLACES} more places"))
    lines.append(Text(f"rule        {item.rule}"))
    if item.seen > 1:
        lines.append(Text(f"seen        {item.seen:,} times"))
    if command:
        shown = f"parity show {shlex.quote(item.file)}" if item.file else item.command
        lines.append(Text(f"see again   {shown}"))
    style = "yellow" if item.remark else "red"
    return Panel(Group(*lines), title=escape(finding.fingerprint), title_align="left", border_style=style)


def _outcomes(item: Item) -> Table:
    """Put the outcomes side by side, with what differs marked."""
    made = Table(*(escape(name) for name, _ in item.sides), expand=True, show_lines=False)
    for column in made.columns:
        column.ratio, column.overflow = 1, "fold"
    (_, a), (_, b), *again = item.sides
    left, right = _telling_lines(outcome_text(a), outcome_text(b))
    # Of a value and an error everything differs: marking all of it would mark nothing.
    alike = a.keys() == b.keys()
    pieces = marked(left, right) if alike else ([Piece(left, False)], [Piece(right, False)])
    made.add_row(*map(_marks, pieces), *(Text(outcome_text(outcome)) for _, outcome in again))
    return made


def _marks(pieces: list[Piece]) -> Text:
    return Text.assemble(*((piece.text, "bold red" if piece.differs else "") for piece in pieces))


def _telling_lines(a: str, b: str) -> tuple[str, str]:
    """Keep the lines of two long texts that differ, with a few around them."""
    left, right = a.splitlines(), b.splitlines()
    if max(len(left), len(right)) <= _LONG:
        return a, b
    shown: tuple[list[str], list[str]] = ([], [])
    for group in SequenceMatcher(None, left, right, autojunk=False).get_grouped_opcodes(3):
        (_, left_start, _, right_start, _), (_, _, left_end, _, right_end) = group[0], group[-1]
        for side, lines, start, end in ((0, left, left_start, left_end), (1, right, right_start, right_end)):
            shown[side].extend(["…"] * (start > 0) + lines[start:end] + ["…"] * (end < len(lines)))
    return "\n".join(shown[0]), "\n".join(shown[1])
