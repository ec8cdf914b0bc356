"""`parity score`: a job's outcome line."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from parity.errors import CannotRunError
from reimpl import read_outcome


def score(
    job_dir: Annotated[
        Path, typer.Argument(metavar="JOB_DIR", help="The directory of a job: the one that holds result.json.")
    ],
) -> None:
    """Print the BASE_BENCHMARK_RESULT line for a job directory that a runner wrote.

    A missing or malformed result.json is an outcome like any other: the line says so, and the exit code is 0.
    """
    if not job_dir.is_dir():
        raise CannotRunError(f"{job_dir} is not a directory: name the one that holds the job's result.json")
    try:
        typer.echo(read_outcome(job_dir / "result.json").line())
    except (OSError, ValueError) as error:
        raise CannotRunError(f"{job_dir}: no outcome can be told ({error})") from error
