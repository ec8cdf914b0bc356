"""`parity run`: the main job."""

from __future__ import annotations

import secrets
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from parity import corpus
from parity.atomic import require_writable, write_atomically
from parity.implementation import HARBOR_VERSION, require_oracle
from parity.progress import rows
from parity.report import console, print_report
from parity.report_html import html as as_html
from parity.report_json import json_text as as_json
from parity.report_junit import junit as as_junit
from parity.report_markdown import markdown as as_markdown
from parity.surfaces import LIVE, chosen
from parity.text import counted

EXAMPLES = 1000
"""Generated cases a surface: with the exhaustive tier, about a minute on two cores."""


class Profile(str, Enum):
    """Whether two runs see the same generated cases."""

    ci = "ci"
    nightly = "nightly"


def run(
    surfaces: Annotated[
        list[str] | None,
        typer.Argument(metavar="SURFACE", help="Surfaces to compare (default: all).", show_default=False),
    ] = None,
    examples: Annotated[int, typer.Option(min=0, help="Generated cases a surface.")] = EXAMPLES,
    seed: Annotated[
        int | None,
        typer.Option(min=0, help="Seed of the generated cases (default: 0, nightly: random).", show_default=False),
    ] = None,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Worker processes (default: one a core).", show_default=False)
    ] = None,
    profile: Annotated[
        Profile, typer.Option(help="ci: the same cases every time; nightly: other cases every time.")
    ] = Profile.ci,
    minutes: Annotated[
        float | None,
        typer.Option(min=0, help="Generate for this long, however many cases that is.", show_default=False),
    ] = None,
    json: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the report as JSON.", show_default=False)
    ] = None,
    junit: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the report as JUnit XML.", show_default=False)
    ] = None,
    markdown: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the report as Markdown.", show_default=False)
    ] = None,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the report as one HTML page.", show_default=False)
    ] = None,
) -> None:
    """Compare reimpl with harbor: replay the corpus, then exhaustive and generated cases on every surface."""
    from parity.pool import cores  # noqa: PLC0415  (searching needs Hypothesis; the other verbs do not)
    from parity.session import Plan, compare  # noqa: PLC0415

    if seed is None:
        seed = secrets.randbits(32) if profile is Profile.nightly else 0
    plan = Plan(chosen(surfaces), examples, seed, jobs or cores(), minutes)
    live = any(surface.name in LIVE for surface in plan.surfaces)
    if live:
        require_oracle()
    wanted = [
        (path, write)
        for path, write in ((json, as_json), (junit, as_junit), (markdown, as_markdown), (html, as_html))
        if path is not None
    ]
    for path, _ in wanted:
        require_writable(path)
    out = console()
    truth = f"harbor {HARBOR_VERSION}" if live else "recordings"
    out.print(f"reimpl against {truth}: seed {seed}, {counted(plan.jobs, 'worker')}")
    entries = list(corpus.entries([corpus.folder()]))
    with rows(console(stderr=True), plan.expected()) as progress:
        report = compare(plan, entries, progress)
    print_report(out, report)
    for path, write in wanted:
        write_atomically(path, write(report))
    raise typer.Exit(report.exit_code)
