"""`parity export`: the corpus for other projects."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from parity.export import export as write_pack
from parity.export import version


def export(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="A new or empty folder, or an older pack, which is replaced.")
    ],
) -> None:
    """Write the corpus as a pack: cases, outcomes, schemas and hashes, to be run without Python."""
    count = write_pack(folder)
    typer.echo(f"{folder}: version {version()} of the pack, {count} files; begin with {folder / 'README.md'}")
