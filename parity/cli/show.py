"""`parity show`: one case, both outcomes, and where they differ."""

from __future__ import annotations

from typing import Annotated

import typer

from parity import corpus
from parity.case import Case
from parity.codec import Json
from parity.implementation import ORACLE, REIMPL, oracle_installed, outcome_of, require_oracle
from parity.judge import diverging
from parity.report import console, panel
from parity.scratch import scratch
from parity.summary import Item, truth_of
from parity.surfaces import LIVE, SURFACES
from parity.text import input_text, outcome_text


def show(
    case: Annotated[
        str,
        typer.Argument(
            metavar="CASE_OR_FILE",
            help='A file, a case as JSON (\'{"surface": …, "input": …}\'), a corpus name (metric/…) or a case id.',
        ),
    ],
) -> None:
    """Show a case: input, both outcomes, where they differ, and the note if it is in the corpus."""
    found, entry = corpus.find(case)
    surface = SURFACES[found.surface]
    with scratch():
        outcome = outcome_of(REIMPL.load(), found.surface, found.native())
        truth = _truth(found, entry)
    out = console()
    finding = None if truth is None else diverging(found, outcome, truth, entry.note if entry else "")
    if finding is not None:
        sides = (("reimpl", finding.a), (truth_of(found.surface), finding.b))
        out.print(panel(Item(finding, sides, entry.found if entry else surface.rules, ""), command=False))
        raise typer.Exit(1)
    if entry is not None:
        out.print(entry.note, style="italic", markup=False)
    out.print(f"[bold]{found.surface}[/] case {found.id}")
    out.print(input_text(found.input), markup=False)
    if truth is None:
        out.print("[bold]outcome of reimpl[/] (nothing to compare with: the surface is recorded, this case is not)")
    else:
        out.print(f"[bold]outcome of reimpl and {truth_of(found.surface)}[/]")
    out.print(outcome_text(outcome), markup=False)
    out.print(f"rule: {surface.rules}" if truth is None else f"[green]no divergence[/] (rule: {surface.rules})")


def _truth(case: Case, entry: corpus.Entry | None) -> Json | None:
    """Return what harbor answers, or what was recorded where there is no live oracle."""
    if entry is not None and (case.surface not in LIVE or not oracle_installed()):
        return entry.expect
    if case.surface not in LIVE:
        return None
    require_oracle()
    return outcome_of(ORACLE.load(), case.surface, case.native())
