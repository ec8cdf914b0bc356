"""`parity show`: one case, both outcomes, and where they differ."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from parity import corpus
from parity.case import Case
from parity.errors import CannotRunError
from parity.implementation import ORACLE, REIMPL, answer, require_oracle
from parity.judge import diverging
from parity.report import console, finding_panel, input_text
from parity.scratch import scratch
from parity.surfaces import SURFACES
from parity.text import outcome_text


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
    require_oracle()
    found, note = _find(case)
    with scratch():
        a, b = (answer(side.load(), found) for side in (REIMPL, ORACLE))
    out = console()
    finding = diverging(found, a, b, note)
    if finding is not None:
        out.print(finding_panel(finding, None, ("reimpl", "harbor")))
        raise typer.Exit(1)
    if note:
        out.print(note, style="italic", markup=False)
    out.print(f"[bold]{found.surface}[/] case {found.id}")
    out.print(input_text(found.input), markup=False)
    out.print("[bold]outcome of both[/]")
    out.print(outcome_text(b), markup=False)
    out.print(f"[green]no divergence[/] (rule: {SURFACES[found.surface].rules})")


def _find(text: str) -> tuple[Case, str]:
    """Return the case this text names, and its note if it has one."""
    if text.lstrip().startswith("{"):
        return corpus.read_case(text, "the case"), ""
    for path in (Path(text), corpus.folder() / f"{text}.json"):
        if path.is_file():
            entry = corpus.read(path)
            return entry.case, entry.note
    for file in corpus.files([corpus.folder()]):
        entry = corpus.read(file)
        if entry.case.id == text:
            return entry.case, entry.note
    raise CannotRunError(f"{text!r} is no file, no case as JSON, no corpus name and no case id")
