"""`parity known`: the list of divergences that somebody accepted."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from parity import known
from parity.errors import CannotRunError
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
    before = known.read(path) if path.exists() else []
    unseen = sorted({each.surface for each in before} - told.tallies.keys())
    why = told.partial or (f"it left out {', '.join(unseen)}" if unseen else "")
    if why:
        raise CannotRunError(f"{report}: {why}, so it cannot tell what no longer occurs: compare everything first")
    found = {finding.fingerprint for finding in told.findings}
    known.write(path, known.updated(before, found, reason, told.today))
    names = {each.fingerprint for each in before}
    typer.echo(f"{path}: {counted(len(found), 'divergence')}, {len(found - names)} new, {len(names - found)} gone")
