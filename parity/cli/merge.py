"""`parity merge`: the reports of several machines as one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from parity.cli.session import Files, HtmlFile, JsonFile, KnownFile, MarkdownFile, known_list
from parity.errors import CannotRunError
from parity.report import console, print_report


def merge(
    reports: Annotated[list[Path], typer.Argument(metavar="REPORT", help="Reports that --json wrote.")],
    known: KnownFile = None,
    json: JsonFile = None,
    markdown: MarkdownFile = None,
    html: HtmlFile = None,
) -> None:
    """Merge the JSON reports of a hunt's shards, and say what came of all of them."""
    from parity.merge import merged, read  # noqa: PLC0415  (a plan needs Hypothesis)

    files = Files(json, None, markdown, html)
    files.require_writable(*reports, known)
    twice = next((path for path in reports if reports.count(path) > 1), None)
    if twice is not None:
        raise CannotRunError(f"{twice} is there twice: name each report once")
    report = merged([read(path) for path in reports], known_list(known))
    files.write(report)
    print_report(console(), report)
    raise typer.Exit(report.exit_code)
