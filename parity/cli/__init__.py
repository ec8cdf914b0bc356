"""The command line: one module a verb."""

from __future__ import annotations

from importlib import metadata
from typing import Annotated

import typer

from parity.cli import (
    audit,
    check,
    corpus,
    export,
    hunt,
    known,
    merge,
    replay,
    run,
    score,
    serve,
    sheet,
    show,
    smoke,
    surfaces,
    upgrade,
)

app = typer.Typer(
    name="parity",
    epilog="Exit codes: 0 parity, 1 divergence, 2 could not run.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"parity {metadata.version('harbor-parity')}")
        raise typer.Exit


@app.callback()
def parity(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Prove, bit for bit, whether an implementation scores like harbor 0.13.1."""
    del version


for verb in (run, hunt, check, smoke, upgrade, merge, replay, show, surfaces, serve, export, sheet, score, audit):
    app.command()(getattr(verb, verb.__name__.rpartition(".")[2]))
app.add_typer(corpus.group)
app.add_typer(known.group)
