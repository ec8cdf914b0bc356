"""`parity check`: where any implementation, in any language, differs from harbor."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from parity import corpus
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
    surroundings,
)
from parity.cli.run import EXAMPLES
from parity.cli.session import (
    Files,
    HtmlFile,
    Jobs,
    JsonFile,
    JunitFile,
    KnownFile,
    MarkdownFile,
    conduct,
    known_list,
)
from parity.errors import CannotRunError
from parity.function import Function
from parity.implementation import ORACLE, RECORDINGS, Side
from parity.level import Level
from parity.processes import cores
from parity.program import Program
from parity.replay import Replay, replay
from parity.report import console, print_report
from parity.scratch import scratch
from parity.shelf import Shelf, folder_of
from parity.surfaces import SURFACES, Surface, chosen
from parity.tally import Report, Tally

if TYPE_CHECKING:  # searching needs Hypothesis; the other verbs do not
    from parity.session import Plan


def check(
    command: Command = None,
    surface: Annotated[
        list[str] | None,
        typer.Option(
            metavar="S", help="Compare this surface (repeatable; default: all it offers).", show_default=False
        ),
    ] = None,
    python: Annotated[
        str | None,
        typer.Option(metavar="MODULE:FUNCTION", help="Check a Python function, without a wire.", show_default=False),
    ] = None,
    examples: Annotated[
        int, typer.Option(min=0, metavar="N", help="Generated cases a surface; of whole jobs a fifth.")
    ] = EXAMPLES,
    minutes: Annotated[
        float | None, typer.Option(min=0, metavar="M", help="Generate for this long instead.", show_default=False)
    ] = None,
    recorded: Annotated[
        bool, typer.Option("--recorded", help="Replay the corpus alone: harbor is not needed.")
    ] = False,
    exact: Annotated[bool, typer.Option("--exact", help="Everything counts (the default).")] = False,
    values: Annotated[bool, typer.Option("--values", help="Of an error only its type counts.")] = False,
    verdict: Annotated[
        bool, typer.Option("--verdict", help="Only whether it is accepted counts, and the numbers.")
    ] = False,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Seed of the generated cases.")] = 0,
    jobs: Jobs = None,
    seconds: Seconds = 10,
    start_seconds: StartSeconds = 60,
    memory: Memory = "2G",
    answer: Answer = "16M",
    env: Env = None,
    directory: Directory = None,
    network: Network = False,
    known: KnownFile = None,
    json: JsonFile = None,
    junit: JunitFile = None,
    markdown: MarkdownFile = None,
    html: HtmlFile = None,
) -> None:
    """Compare a program that speaks docs/protocol.md, or a Python function, with harbor: every divergence, shrunk."""
    from parity.session import Plan  # noqa: PLC0415  (searching needs Hypothesis; the other verbs do not)

    if (python is None) == (not command):
        raise CannotRunError("what is to be checked? give either --python MODULE:FUNCTION or -- COMMAND…")
    side: Side
    if python is not None:
        side, surfaces = _function(python, surface)
    else:
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
        side, surfaces = _program(program, surface)
    level = _level(exact=exact, values=values, verdict=verdict)
    plan = Plan(surfaces, examples, seed, jobs or cores(), minutes, sides=(side, ORACLE), level=level)
    files = Files(json, junit, markdown, html)
    if not recorded:
        conduct(plan, Shelf(folder_of(plan.sides), seed), known, files)
    files.require_writable(known)
    listed = known_list(known)
    report = _replayed(replace(plan, examples=0, minutes=None, sides=(side, RECORDINGS)))
    report.known = [each for each in listed if each.fingerprint in report.shown]  # others may need a search to show
    files.write(report)
    print_report(console(), report)
    raise typer.Exit(report.exit_code)


def _level(**asked: bool) -> Level:
    named = [name for name, wanted in asked.items() if wanted]
    if len(named) > 1:
        raise CannotRunError(f"one level at a time, not {' and '.join('--' + name for name in named)}")
    return Level(named[0]) if named else Level.exact


def _function(door: str, wanted: list[str] | None) -> tuple[Function, list[Surface]]:
    """Return a function that can be imported; it cannot say which surfaces it offers, so they are named."""
    if not wanted:
        raise CannotRunError("which surface does the function answer? name it with --surface, such as reward_files")
    function = Function(door, door)
    function.load()
    return function, chosen(wanted)


def _program(program: Program, wanted: list[str] | None) -> tuple[Program, list[Surface]]:
    """Shake hands, and return the program by the name it gives itself, and what to compare."""
    with scratch():
        hello = program.hello()
    offered = [name for name in hello.surfaces if name in SURFACES]
    missing = [each.name for each in chosen(wanted) if each.name not in offered] if wanted else []
    if missing or not offered:
        told = ", ".join(offered) or "none that there is"
        raise CannotRunError(f"{hello.title} does not offer {', '.join(missing) or 'a surface'}: it offers {told}")
    out = console()
    out.print(f"{hello.title}: {program.name} ({surroundings(hello)})", markup=False, soft_wrap=True)
    left = [name for name in SURFACES if name not in offered]
    if left and not wanted:
        out.print(f"not offered, so not compared: {', '.join(left)}", soft_wrap=True)
    return replace(program, name=hello.title), chosen(wanted or offered)


def _replayed(plan: Plan) -> Report:
    """Replay the corpus against what was recorded, and nothing else."""
    report = Report(plan, {surface.name: Tally(surface.name) for surface in plan.surfaces}, Replay(level=plan.level))
    entries = [entry for entry in corpus.entries([corpus.folder()]) if entry.case.surface in report.tallies]
    report.take_replay(replay(entries, sides=plan.sides, recorded=True, result=report.replayed))
    return report
