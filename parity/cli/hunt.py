"""`parity hunt`: a long search that forgets nothing."""

from __future__ import annotations

import secrets
from typing import Annotated

import typer

from parity import corpus
from parity.cli.session import (
    Files,
    HtmlFile,
    Jobs,
    JsonFile,
    JunitFile,
    KnownFile,
    MarkdownFile,
    Surfaces,
    conduct,
    shard_of,
)
from parity.errors import CannotRunError
from parity.implementation import BY_NAME, ORACLE, REIMPL, Implementation
from parity.processes import cores
from parity.shelf import CorpusShelf, Shelf, folder_of
from parity.surfaces import LIVE, chosen

ROUND = 5000
"""Generated cases a surface in each round of a hunt that goes by minutes."""


def hunt(
    surfaces: Surfaces = None,
    minutes: Annotated[
        float | None, typer.Option(min=0, metavar="M", help="Hunt for this long.", show_default=False)
    ] = None,
    examples: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Hunt for so many cases a surface.", show_default=False)
    ] = None,
    jobs: Jobs = None,
    against: Annotated[
        str, typer.Option(metavar="IMPL", help="Whom reimpl is compared with: oracle, or a door, module:function.")
    ] = ORACLE.name,
    save: Annotated[
        bool, typer.Option("--save", help="Write each new minimal case into the corpus, not below .parity.")
    ] = False,
    seed: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="Seed (default: another each time).", show_default=False)
    ] = None,
    shard: Annotated[str, typer.Option(metavar="I/N", help="Do the I-th of N parts of the work.")] = "1/1",
    database: Annotated[
        str, typer.Option(metavar="PLACE", help="Folder or redis:// address of Hypothesis's example database.")
    ] = ".parity/examples",
    known: KnownFile = None,
    json: JsonFile = None,
    junit: JunitFile = None,
    markdown: MarkdownFile = None,
    html: HtmlFile = None,
) -> None:
    """Search for divergences on all cores, and keep every one: shrunk, written at once, and known to later hunts."""
    from parity.memory import Memory  # noqa: PLC0415  (searching needs Hypothesis; the other verbs do not)
    from parity.session import Plan  # noqa: PLC0415

    if (minutes is None) == (examples is None):
        raise CannotRunError("how long? give either --minutes or --examples")
    other = BY_NAME.get(against) or _door(against)
    if save and other != ORACLE:
        raise CannotRunError("--save keeps what harbor answers: leave out --against")
    part = shard_of(shard)
    if seed is None and part[1] > 1:
        raise CannotRunError("shards are parts of one hunt if they have one seed: give each the same --seed")
    seed = secrets.randbits(32) if seed is None else seed
    plan = Plan(
        chosen(surfaces),
        examples or ROUND,
        seed,
        jobs or cores(),
        minutes,
        sides=(REIMPL, other),
        shard=part,
        memory=database,
    )
    Memory(database, next(iter(LIVE))).recalled()  # refuse a server that is not there before the work begins
    shelf = Shelf(folder_of(plan.sides), seed)
    if save:
        shelf = CorpusShelf(seed, corpus.entries([corpus.folder()]), shelf)
    conduct(plan, shelf, known, Files(json, junit, markdown, html))


def _door(text: str) -> Implementation:
    """Return the implementation behind a door that is written `module:function`."""
    made = Implementation(text, text)
    try:
        made.load()
    except (ImportError, AttributeError, ValueError) as error:
        raise CannotRunError(
            f"{text!r} is not among {', '.join(BY_NAME)}, and no door module:function ({error})"
        ) from None
    return made
