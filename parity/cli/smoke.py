"""`parity smoke`: whether an adapter is fit to be checked."""

from __future__ import annotations

import typer
from rich.markup import escape

from parity.cli.program import (
    Answer,
    Command,
    Directory,
    Env,
    Memory,
    Network,
    Seconds,
    StartSeconds,
    program_of,
)
from parity.report import console
from parity.scratch import scratch
from parity.smoke import Result
from parity.smoke import smoke as results_of
from parity.text import counted


def smoke(
    command: Command = None,
    seconds: Seconds = 10,
    start_seconds: StartSeconds = 60,
    memory: Memory = "2G",
    answer: Answer = "16M",
    env: Env = None,
    directory: Directory = None,
    network: Network = False,
) -> None:
    """Try a program that speaks the protocol, in a minute: each failure says what to change."""
    program = program_of(
        command,
        seconds=seconds,
        start_seconds=start_seconds,
        memory=memory,
        answer=answer,
        env=env,
        directory=directory,
        network=network,
    )
    out = console()
    failed = skipped = 0
    with scratch():
        for result in results_of(program):
            failed, skipped = failed + bool(result.advice), skipped + bool(result.skipped)
            out.print(_line(result), soft_wrap=True)
            if result.words:
                out.print(
                    "      its last words:\n" + _indented(result.words), markup=False, style="dim", soft_wrap=True
                )
    if failed:
        out.print(
            f"[bold red]{counted(failed, 'check')} failed[/]: change what the lines above say, and run this again"
        )
    else:
        left = f" ({counted(skipped, 'check')} not tried)" if skipped else ""
        out.print(f"[bold green]fit to be checked[/]{left}: now run `parity check -- {escape(program.name)}`")
    raise typer.Exit(1 if failed else 0)


def _line(result: Result) -> str:
    if result.advice:
        return f"[bold red]FAIL[/]  {result.name}: {escape(result.advice)}"
    if result.skipped:
        return f"[yellow]--[/]    {result.name}: not tried, it {result.skipped}"
    return f"[green]ok[/]    {result.name}"


def _indented(text: str) -> str:
    return "\n".join(f"      {line}" for line in text.splitlines()[-12:])
