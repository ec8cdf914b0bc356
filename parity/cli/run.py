"""`parity run`: the main job."""

from __future__ import annotations

import secrets
from enum import Enum
from typing import Annotated

import typer

from parity.cli.session import Files, HtmlFile, Jobs, JsonFile, JunitFile, KnownFile, MarkdownFile, Surfaces, conduct
from parity.processes import cores
from parity.shelf import Shelf, folder_of
from parity.surfaces import chosen

EXAMPLES = 1000
"""Generated cases a surface: with the exhaustive tier, about a minute on two cores."""


class Profile(str, Enum):
    """Whether two runs see the same generated cases."""

    ci = "ci"
    nightly = "nightly"


def run(
    surfaces: Surfaces = None,
    examples: Annotated[
        int, typer.Option(min=0, metavar="N", help="Generated cases a surface; of whole jobs a fifth.")
    ] = EXAMPLES,
    seed: Annotated[
        int | None,
        typer.Option(
            min=0, metavar="N", help="Seed of the generated cases (default: 0, nightly: random).", show_default=False
        ),
    ] = None,
    jobs: Jobs = None,
    profile: Annotated[
        Profile, typer.Option(help="ci: the same cases every time; nightly: other cases every time.")
    ] = Profile.ci,
    minutes: Annotated[
        float | None,
        typer.Option(
            min=0, metavar="M", help="Generate for this long, however many cases that is.", show_default=False
        ),
    ] = None,
    known: KnownFile = None,
    json: JsonFile = None,
    junit: JunitFile = None,
    markdown: MarkdownFile = None,
    html: HtmlFile = None,
) -> None:
    """Compare reimpl with harbor: replay the corpus, then exhaustive and generated cases on every surface."""
    from parity.session import Plan  # noqa: PLC0415  (searching needs Hypothesis; the other verbs do not)

    if seed is None:
        seed = secrets.randbits(32) if profile is Profile.nightly else 0
    plan = Plan(chosen(surfaces), examples, seed, jobs or cores(), minutes)
    conduct(plan, Shelf(folder_of(plan.sides), seed), known, Files(json, junit, markdown, html))
