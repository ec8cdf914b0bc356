"""The command line: one module a verb."""

from __future__ import annotations

import typer

from parity.cli import replay, run, score, serve, show, surfaces

app = typer.Typer(
    name="parity",
    help="Prove, bit for bit, whether an implementation scores like harbor 0.13.1.",
    epilog="Exit codes: 0 parity, 1 divergence, 2 could not run.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for verb in (run, replay, show, surfaces, serve, score):
    app.command()(getattr(verb, verb.__name__.rpartition(".")[2]))
