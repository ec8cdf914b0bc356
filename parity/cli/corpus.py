"""`parity corpus`: the folder of kept cases."""

from __future__ import annotations

import re
from typing import Annotated

import typer

from oracle.versions import versions
from parity import corpus
from parity.atomic import write_atomically
from parity.errors import CannotRunError
from parity.implementation import ORACLE, oracle_installed, outcome_of, require_oracle
from parity.lint import is_canonical, problems
from parity.scratch import scratch
from parity.surfaces import LIVE
from parity.text import counted

group = typer.Typer(name="corpus", help="Keep cases in the corpus.", no_args_is_help=True)


@group.command()
def add(
    case: Annotated[
        str, typer.Argument(metavar="CASE_OR_FILE", help="A case as JSON, or a file that a run saved below .parity.")
    ],
    name: Annotated[str, typer.Option(help="What is wrong, in words with hyphens: the name of the file.")],
    note: Annotated[str, typer.Option(help="The rule, in one sentence.")],
    found: Annotated[str, typer.Option(help="Where it comes from, such as `fact 27`.")] = "hunt",
) -> None:
    """Write a case into the corpus, with harbor's outcome."""
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name):
        raise CannotRunError(f"{name!r} is no name for a corpus file: use small letters, digits and hyphens")
    given, _ = corpus.find(case)
    if given.surface not in LIVE:
        raise CannotRunError(f"{given.surface} has no live oracle that could say what to expect")
    require_oracle()
    _refuse_duplicates(given.id)
    path = corpus.folder() / given.surface / f"{name}.json"
    if path.exists():
        raise CannotRunError(f"{path} exists already: choose another name")
    with scratch():
        expect = outcome_of(ORACLE.load(), given.surface, given.native())
    if "skipped" in expect:
        raise CannotRunError(f"harbor cannot run the case: {expect['skipped']}")
    corpus.write(corpus.Entry(path, given, note, expect, versions(), found))
    typer.echo(f"{path}: now name {given.surface}/{name} in docs/facts.md, beside its fact")


@group.command()
def lint() -> None:
    """Check every corpus file: readable, canonical, in its folder, no duplicate, and what harbor answers today."""
    live = oracle_installed()
    if live:
        require_oracle()
    folder = corpus.folder()
    found = list(problems(folder, live=live))
    for problem in found:
        typer.echo(problem)
    asked = "" if live else "; harbor is not installed, so no expectation was checked"
    typer.echo(f"{counted(len(corpus.files(folder)), 'corpus file')}: {counted(len(found), 'problem')}{asked}")
    raise typer.Exit(1 if found else 0)


@group.command()
def fmt() -> None:
    """Write every corpus file in canonical form."""
    changed = 0
    for path in corpus.files(corpus.folder()):
        if not is_canonical(path):
            write_atomically(path, corpus.text_of(list(corpus.entries([path])), path))
            typer.echo(path)
            changed += 1
    typer.echo(f"{counted(changed, 'file')} changed")


def _refuse_duplicates(case_id: str) -> None:
    for entry in corpus.entries([corpus.folder()]):
        if entry.case.id == case_id:
            raise CannotRunError(f"the case is in the corpus already: {entry.name}")
