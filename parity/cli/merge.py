"""`parity merge`: the reports of several machines as one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from parity.cli.session import Files, HtmlFile, JsonFile, KnownFile, MarkdownFile, known_list
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
    files.require_writable()
    report = merged([read(path) for path in reports], known_list(known))
    print_report(console(), report)
    files.write(report)
    raise typer.Exit(report.exit_code)
