"""`parity upgrade`: what another harbor release scores otherwise."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from parity import corpus
from parity.atomic import require_writable, write_atomically
from parity.cli.run import EXAMPLES
from parity.cli.session import HtmlFile, Jobs, JsonFile, KnownFile, MarkdownFile
from parity.environments import OUR_PYTHON
from parity.errors import CannotRunError
from parity.implementation import HARBOR_VERSION
from parity.known import FILE, Known, read
from parity.processes import cores
from parity.progress import rows
from parity.releases import covered, order, released
from parity.report import console
from parity.scratch import scratch
from parity.shelf import FOLDER

if TYPE_CHECKING:  # comparing needs Hypothesis; the other verbs do not
    from parity.session import Plan
    from parity.upgrade import Release, Upgrade, Workbench


def upgrade(
    versions: Annotated[
        list[str] | None,
        typer.Argument(metavar="VERSION", help="Releases, `latest`, or wheels (./x.whl).", show_default=False),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Every release from 0.6.0 on.")] = False,
    start: Annotated[
        str, typer.Option("--from", metavar="VERSION", help="The release to compare with.")
    ] = HARBOR_VERSION,
    python: Annotated[str, typer.Option(metavar="3.N", help="The Python that the releases run on.")] = OUR_PYTHON,
    pins: Annotated[
        list[str] | None,
        typer.Option("--with", metavar="NAME==VERSION", help="Install this too (may be repeated).", show_default=False),
    ] = None,
    overrides: Annotated[
        list[str] | None,
        typer.Option(
            "--override",
            metavar="REQUIREMENT",
            help="Install this whatever harbor declares (may be repeated).",
            show_default=False,
        ),
    ] = None,
    examples: Annotated[
        int, typer.Option(min=0, metavar="N", help="Generated cases a surface; of whole jobs a fifth.")
    ] = EXAMPLES,
    minutes: Annotated[
        float | None, typer.Option(min=0, metavar="M", help="Time for each release.", show_default=False)
    ] = None,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Seed of the generated cases.")] = 0,
    jobs: Jobs = None,
    bisect: Annotated[
        str | None,
        typer.Option(metavar="FINGERPRINT", help="Find the release that brought a change.", show_default=False),
    ] = None,
    known: KnownFile = None,
    json: JsonFile = None,
    markdown: MarkdownFile = None,
    html: HtmlFile = None,
) -> None:
    """Compare harbor releases with 0.13.1: which scoring changes, shown by the smallest input for each change."""
    from parity.session import Plan  # noqa: PLC0415  (comparing needs Hypothesis)
    from parity.upgrade import Workbench, stale  # noqa: PLC0415
    from parity.upgrade_html import html as html_page  # noqa: PLC0415
    from parity.upgrade_markdown import markdown as markdown_text  # noqa: PLC0415
    from parity.upgrade_report import json_text, print_told  # noqa: PLC0415
    from parity.upgrade_summary import Told  # noqa: PLC0415

    for path in (json, markdown, html):
        if path is not None:
            require_writable(path)
    listed = read(known or FILE) if known or FILE.exists() else []
    out = console()
    bench = Workbench(
        python,
        tuple(pins or ()),
        lambda line: out.print(line, markup=False, soft_wrap=True),
        tuple(overrides or ()),
    )
    before = bench.first(start)
    if bisect is not None:
        with scratch():  # as below
            out.print(_bisected(bench, before, bisect), markup=False, soft_wrap=True)
        return
    wanted = _wanted(versions or [], every=every, python=python)
    if not wanted and (pins or python != OUR_PYTHON):
        wanted = [start]
    if not wanted:
        raise CannotRunError("which release? name some, or `latest`, or give --all, --python or --with")
    plan = Plan([], examples, seed, jobs or cores(), minutes)
    with scratch():  # one for all, because the oracle in this process keeps its directory
        done = _compared(out, bench, before, wanted, plan, listed)
    told = Told(before, done, stale(done, listed), bench.overrides)
    print_told(out, told)
    for path, form in ((json, json_text), (markdown, markdown_text), (html, html_page)):
        if path is not None:
            write_atomically(path, form(told))
    raise typer.Exit(told.exit_code)


def _wanted(versions: list[str], *, every: bool, python: str) -> list[str]:
    """Return the releases that are meant, oldest first, wheels behind them."""
    named = [released(python)[-1] if version == "latest" else version for version in versions]
    return sorted({*named, *(covered(python) if every else [])}, key=lambda each: (not order(each), order(each), each))


def _compared(
    out: Console, bench: Workbench, before: Release, wanted: list[str], plan: Plan, listed: list[Known]
) -> list[Upgrade]:
    """Compare each release; one that cannot be compared does not keep the others from it."""
    from parity.upgrade import Upgrade, compared, dated, excused  # noqa: PLC0415  (comparing needs Hypothesis)

    done: list[Upgrade] = []
    for version in wanted:
        try:
            release = bench.release(version)
            expected = dict.fromkeys(release.surfaces, None)
            with rows(console(stderr=True), expected) as progress:
                made = compared(before, release, plan, corpus.entries([corpus.folder()]), progress)
        except CannotRunError as error:
            made = Upgrade(bench.title(version), version, problem=str(error))
        made.known = excused(made, listed, date.today())  # noqa: DTZ011  (a day of the user's calendar)
        out.print(f"harbor {made.title}: {made.verdict}", markup=False, soft_wrap=True)
        done.append(made)
        if made.report is not None and made.report.stopped:
            break
    dated(done, before)
    return done


def _bisected(bench: Workbench, before: Release, fingerprint: str) -> str:
    """Find the release that brought a change that an earlier comparison found."""
    note = f"A search found: {fingerprint}."
    found = [entry for entry in corpus.kept(FOLDER) if entry.note == note and "-against-harbor-" in str(entry.path)]
    if not found:
        raise CannotRunError(
            f"{fingerprint!r}: no comparison found this change here: run `parity upgrade VERSION` first"
        )
    # The same words may tell of a change in later releases and of another in earlier ones.
    ways = {order(_version(entry)) > order(before.title): entry for entry in found}
    return "\n".join(_traced(bench, before, fingerprint, entry) for entry in ways.values())


def _version(entry: corpus.Entry) -> str:
    """Return the release that a finding on the shelf is about."""
    return entry.path.parent.parent.name.rpartition("-against-harbor-")[2]


def _traced(bench: Workbench, before: Release, fingerprint: str, entry: corpus.Entry) -> str:
    """Look between the start and the release of a finding for the first that has it."""
    from parity.upgrade import bisected  # noqa: PLC0415  (comparing needs Hypothesis)

    version = _version(entry)
    newer = order(version) > order(before.title)
    low, high = sorted((order(version), order(before.title)))
    way = [each for each in released(OUR_PYTHON) if low <= order(each) <= high and each != before.title]
    way.sort(key=order, reverse=not newer)
    first = bisected(entry.case, fingerprint, before, way, bench.release)
    return f"{fingerprint}: first in harbor {first}, of {len(way)} releases between {before.title} and {version}"
