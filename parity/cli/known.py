"""`parity known`: the list of divergences that somebody accepted."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from parity import known
from parity.errors import CannotRunError
from parity.implementation import RECORDINGS
from parity.surfaces import LIVE
from parity.tally import Report
from parity.text import counted

group = typer.Typer(name="known", help="Keep the list of known divergences.", no_args_is_help=True)


@group.command()
def update(
    report: Annotated[Path, typer.Argument(metavar="REPORT", help="A report that --json wrote, of a whole run.")],
    reason: Annotated[str, typer.Option(help="Why the divergences that are new on the list are accepted.")],
    file: Annotated[
        Path | None, typer.Option("--known", metavar="FILE", help=f"The list (default: {known.FILE}).")
    ] = None,
) -> None:
    """Rewrite the list: what occurred stays or is added, and what no longer occurs goes."""
    from parity.merge import read  # noqa: PLC0415  (a plan needs Hypothesis)

    told, path = read(report), file or known.FILE
    if not reason.strip():
        raise CannotRunError("why are they accepted? give --reason some words")
    listed = known.read(path) if path.exists() else []
    elsewhere = [each for each in listed if each.releases]  # they belong to `parity upgrade`
    before = [each for each in listed if not each.releases]
    found, names = told.shown, {each.fingerprint for each in before}
    if why := told.partial or _left_out(told, names - found):
        raise CannotRunError(f"{report}: {why}, so it cannot tell what no longer occurs: compare everything first")
    known.write(path, [*known.updated(before, found, reason, told.today), *elsewhere])
    typer.echo(f"{path}: {counted(len(found), 'divergence')}, {len(found - names)} new, {len(names - found)} gone")


def _left_out(told: Report, gone: set[str]) -> str:
    """Say why divergences that a report has not seen may occur all the same, or nothing."""
    surfaces = {name.partition(" ")[0] for name in gone}
    if unseen := sorted(surfaces - told.tallies.keys()):
        return f"it left out {', '.join(unseen)}"
    is_replay = told.plan.sides[1] == RECORDINGS
    return "it replayed the corpus alone" if is_replay and surfaces & LIVE.keys() else ""
