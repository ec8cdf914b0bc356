"""`parity sheet`: a report as a page and a badge."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from parity import schemas
from parity.atomic import require_writable, write_atomically
from parity.badge import badge as as_badge
from parity.codec import Json
from parity.errors import CannotRunError
from parity.sheet import sheet as as_sheet


def sheet(
    report: Annotated[Path, typer.Argument(metavar="REPORT", help="A report that --json wrote.")],
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the sheet, one HTML page.", show_default=False)
    ] = None,
    badge: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the badge, an SVG picture.", show_default=False)
    ] = None,
) -> None:
    """Write a conformance sheet or a badge that shows how an implementation stands."""
    wanted = [(path, write) for path, write in ((html, as_sheet), (badge, as_badge)) if path is not None]
    if not wanted:
        raise CannotRunError("nothing to write: name a file with --html, with --badge or with both")
    for path, _ in wanted:
        require_writable(path)
    document = _read(report)
    for path, write in wanted:
        write_atomically(path, write(document))


def _read(path: Path) -> Json:
    try:
        document = json.loads(path.read_bytes())
    except OSError as error:
        raise CannotRunError(f"{path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise CannotRunError(f"{path}: not JSON ({error}): write it again with --json") from None
    if problem := schemas.validate("report", document):
        raise CannotRunError(f"{path}: not a report: {problem}")
    return document
