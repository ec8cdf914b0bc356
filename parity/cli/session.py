"""What the verbs that search have in common: their options, and a session from its first line to its exit code."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from parity import corpus, known
from parity.atomic import require_writable, write_atomically
from parity.errors import CannotRunError
from parity.implementation import HARBOR_VERSION, ORACLE, require_oracle
from parity.judge import Finding
from parity.progress import Rows, rows
from parity.replay import Replay
from parity.report import console, print_report
from parity.report_html import html as as_html
from parity.report_json import json_text as as_json
from parity.report_junit import junit as as_junit
from parity.report_markdown import markdown as as_markdown
from parity.shelf import Shelf
from parity.surfaces import LIVE
from parity.tally import Report
from parity.text import counted

if TYPE_CHECKING:  # searching needs Hypothesis; the other verbs do not
    from parity.session import Plan

Surfaces = Annotated[
    list[str] | None,
    typer.Argument(metavar="SURFACE", help="Surfaces to compare (default: all).", show_default=False),
]
Jobs = Annotated[
    int | None, typer.Option(min=1, metavar="N", help="Worker processes (default: one a core).", show_default=False)
]
KnownFile = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help=f"Known divergences (default: {known.FILE} if it is there).", show_default=False),
]
JsonFile = Annotated[Path | None, typer.Option(metavar="FILE", help="Write the report as JSON.", show_default=False)]
JunitFile = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Write the report as JUnit XML.", show_default=False)
]
MarkdownFile = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Write the report as Markdown.", show_default=False)
]
HtmlFile = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Write the report as one HTML page.", show_default=False)
]


@dataclass(frozen=True)
class Files:
    """The reports that are wanted."""

    json: Path | None = None
    junit: Path | None = None
    markdown: Path | None = None
    html: Path | None = None

    def require_writable(self, *read: Path | None) -> None:
        """Refuse a path before the work begins, not after it: one that is written twice, or read as well."""
        names = [path.resolve() for path in read if path is not None]
        for path, _ in self._wanted():
            require_writable(path)
            if path.resolve() in names and not path.is_char_device():
                raise CannotRunError(f"{path} is named twice: give each report a file of its own")
            names.append(path.resolve())

    def write(self, report: Report) -> None:
        """Write the report in every form that is wanted."""
        for path, text in self._wanted():
            write_atomically(path, text(report))

    def _wanted(self) -> list[tuple[Path, Callable[[Report], str]]]:
        forms = ((self.json, as_json), (self.junit, as_junit), (self.markdown, as_markdown), (self.html, as_html))
        return [(path, form) for path, form in forms if path is not None]


class _Keeper:
    """Watches a session: a finding is written first, and told of then."""

    def __init__(self, progress: Rows, shelf: Shelf, kept: dict[str, str]) -> None:
        self.moved = progress.moved
        self._progress = progress
        self._shelf = shelf
        self._kept = kept

    def replayed(self, replay: Replay) -> None:
        """Let the shelf know."""
        self._shelf.replayed(replay)

    def found(self, finding: Finding) -> None:
        """Write a finding, and say where it is, unless that was said before."""
        is_new = not self._shelf.path_of(finding).exists()
        path = os.path.relpath(self._shelf.put(finding))
        if self._kept.get(finding.fingerprint) != path:
            self._progress.say(f"{'found' if is_new else 'still there'}: {finding.fingerprint}: {path}")
        self._kept[finding.fingerprint] = path
        self._progress.found(finding)


def known_list(path: Path | None) -> list[known.Known]:
    """Read the list that was named, or the one that lies here, if any."""
    if path is None and not known.FILE.exists():
        return []
    # What is about a release belongs to `parity upgrade`.
    return [each for each in known.read(path or known.FILE) if not each.releases]


def shard_of(text: str) -> tuple[int, int]:
    """Read which part of the work is meant: `2/8` is the second of eight."""
    match = re.fullmatch(r"([1-9]\d{0,5})/([1-9]\d{0,5})", text)
    if match is None or int(match[1]) > int(match[2]):
        raise CannotRunError(f"{text!r} is no shard: write 1/4 for the first of four")
    return int(match[1]), int(match[2])


def conduct(plan: Plan, shelf: Shelf, known_file: Path | None, files: Files) -> NoReturn:
    """Carry out a session and end with its exit code."""
    from parity.session import compare  # noqa: PLC0415  (searching needs Hypothesis; the other verbs do not)

    live = any(surface.name in LIVE for surface in plan.surfaces)
    if live and ORACLE in plan.sides:
        require_oracle()
    files.require_writable(known_file)
    listed = known_list(known_file)
    out = console()
    names = [f"harbor {HARBOR_VERSION}" if side == ORACLE else side.name for side in plan.sides]
    contest = f"{names[0]} against {names[1] if live else 'recordings'}"
    out.print(f"{contest}: seed {plan.seed}, {counted(plan.jobs, 'worker')}", markup=False, emoji=False)
    entries = corpus.entries([corpus.folder()])
    kept: dict[str, str] = {}
    with rows(console(stderr=True), plan.expected()) as progress:
        report = compare(plan, entries, _Keeper(progress, shelf, kept), own=shelf.entries())
    report.known, report.files = listed, kept
    files.write(report)  # first: what reads the screen may have gone away
    print_report(out, report)
    raise typer.Exit(report.exit_code)
