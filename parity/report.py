"""What a user reads at the end: the table, then every divergence explained."""

from __future__ import annotations

import shlex
from difflib import SequenceMatcher

from rich.console import Console, Group, RenderableType
from rich.markup import escape
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from parity.codec import Json
from parity.judge import Finding
from parity.saved import save
from parity.surfaces import LIVE, SURFACES
from parity.tally import Report, Tally
from parity.text import counted, divergence_text, outcome_text, value_text

_LONG = 16
"""Outcomes of more lines than this are shown where they differ."""


def console(*, stderr: bool = False) -> Console:
    """Return a console: colour and full width on a terminal, plain text of a fixed width in a pipe."""
    made = Console(stderr=stderr, highlight=False, soft_wrap=False)
    return made if made.is_terminal else Console(stderr=stderr, highlight=False, width=100, color_system=None)


def print_report(out: Console, report: Report) -> None:
    """Print every divergence, the table, the relaxations and the verdict."""
    for finding in report.findings:
        path = save(finding, f"parity run, seed {report.plan.seed}")
        out.print(finding_panel(finding, str(path), ("reimpl", truth_of(finding.case.surface))))
    for entry, finding in report.replayed.drifted:
        out.print(finding_panel(finding, entry.name, ("harbor now", "recorded")))
    out.print(table(list(report.tallies.values())))
    for surface in report.plan.surfaces:
        for relaxation in surface.relaxations:
            out.print(f"relaxed: {surface.name}: {relaxation.name}: {relaxation.reason}", soft_wrap=True)
    for surface in report.plan.surfaces:
        if surface.recorded:
            out.print(f"recorded: {surface.name}: {surface.recorded}", soft_wrap=True)
    _print_verdict(out, report)


def _print_verdict(out: Console, report: Report) -> None:
    found, drifted = len(report.findings), len(report.replayed.drifted)
    if drifted:
        told = counted(drifted, "recorded outcome")
        out.print(f"[bold red]{told} that harbor no longer gives[/]: is the environment another?")
    if found:
        out.print(f"[bold red]{counted(found, 'divergence')}[/], each with its smallest case above")
    elif report.stopped:
        out.print("[bold yellow]stopped before the end[/], with no divergence so far")
    elif not drifted:
        cases = sum(tally.cases for tally in report.tallies.values())
        live = sum(name in LIVE for name in report.tallies)
        out.print(
            f"[bold green]parity[/]: no divergence on {counted(cases, 'case')} "
            f"({counted(live, 'surface')} against harbor itself, {len(report.tallies) - live} against recordings)"
        )


def truth_of(surface: str) -> str:
    """Name what a surface's outcomes are held against."""
    return "harbor" if surface in LIVE else "recorded"


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


def finding_panel(finding: Finding, handle: str | None, names: tuple[str, str]) -> Panel:
    """Explain one divergence: input, both outcomes, where they differ, the rule, and how to see it again."""
    case = finding.case
    lines: list[RenderableType] = []
    if finding.note:
        lines.append(Text(finding.note, style="italic"))
    lines += [Text("input", style="bold"), Text(input_text(case.input)), _outcomes(finding, names)]
    lines.append(Text("differs at", style="bold"))
    lines += [Text(f"  {divergence_text(divergence)}") for divergence in finding.divergences[:12]]
    if len(finding.divergences) > 12:
        lines.append(Text(f"  … and {len(finding.divergences) - 12} more places"))
    lines.append(Text(f"rule        {SURFACES[case.surface].rules}"))
    if finding.seen > 1:
        lines.append(Text(f"seen        {finding.seen:,} times"))
    if handle is not None:
        lines.append(Text(f"see again   parity show {shlex.quote(handle)}"))
    return Panel(Group(*lines), title=escape(finding.fingerprint), title_align="left", border_style="red")


def input_text(input: Json) -> str:
    """Write a case's input, a field a line."""
    return "\n".join(f"  {name}: {_indented(value_text(field), len(name) + 4)}" for name, field in input.items())


def _indented(text: str, by: int) -> str:
    return text.replace("\n", "\n" + " " * by)


def _outcomes(finding: Finding, names: tuple[str, str]) -> Table:
    """Put both outcomes side by side."""
    made = Table(*names, expand=True, show_lines=False)
    for column in made.columns:
        column.ratio, column.overflow = 1, "fold"
    made.add_row(*(Text(side) for side in _telling_lines(outcome_text(finding.a), outcome_text(finding.b))))
    return made


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
