"""`parity audit`: whether the figures of a job directory follow from its trials."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from parity.atomic import require_writable, write_atomically
from parity.audit import Audit, NoJobError, Verdict, audit_job
from parity.audit.auditor import Track
from parity.audit.findings import escaped, shown
from parity.report import console
from parity.text import counted

_SHOWN = 20
"""Problems and figures of a kind that are shown; the JSON file has all."""
_WORDS = {
    Verdict.DIFFERS: "not",
    Verdict.SOME_ORDER: "in some order",
    Verdict.UNDECIDED: "not decided",
    Verdict.NOT_JUDGED: "not judged",
}


def audit(
    job_dirs: Annotated[
        list[Path], typer.Argument(metavar="JOB_DIR...", help="Directories of jobs: those that hold result.json.")
    ],
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write all findings to a file, for machines.")
    ] = None,
) -> None:
    """Say for each figure in a job's result.json whether it follows from the trials' own files.

    Exit codes: 0 all follow, 1 something does not or could not be decided, 2 not a job directory.
    """
    if json_file is not None:
        require_writable(json_file)
    out, code, jobs = console(), 0, []
    for path in job_dirs:
        try:
            with _progress(console(stderr=True)) as track:
                found = audit_job(path, track)
        except NoJobError as error:
            typer.echo(f"parity: {escaped(str(path))} {escaped(str(error))}", err=True)
            code = 2
            continue
        _print(out, found)
        jobs.append(found.to_json())
        code = max(code, 0 if found.follows else 1)
    if json_file is not None:
        _write(json_file, {"format": 1, "jobs": jobs})
    raise typer.Exit(code)


@contextmanager
def _progress(out: Console) -> Iterator[Track]:
    columns = (TextColumn("reading trials"), BarColumn(bar_width=30), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=out, transient=True, disable=not out.is_terminal) as progress:

        def track(names: list[str]) -> Iterable[str]:
            return progress.track(names)

        yield track


def _print(out: Console, found: Audit) -> None:
    release = "by a release that its files do not tell" if found.release is None else f"by harbor {found.release}"
    told = "recovered" if found.order_recovered else "not recovered, and taken"
    lines = [
        f"{escaped(found.directory)}: written {shown(release)}, {found.state}, {counted(found.trials, 'trial')}",
        f"order of the trials: {told} from {found.order}",
        *_problems(found),
        *_figures(found),
        *(f"remark: {shown(remark)}" for remark in _some(found.remarks, "remarks")),
        *([found.outcome] if found.outcome is not None else []),
    ]
    for line in lines:
        out.print(line, markup=False, highlight=False, soft_wrap=True)
    style = "green" if found.follows else "bold red"
    out.print(_verdict(found), style=style, markup=False, soft_wrap=True)


def _problems(found: Audit) -> Iterator[str]:
    for kind in dict.fromkeys(problem.kind for problem in found.problems):
        lines = [f"{p.trial}: {p.note}" if p.trial else p.note for p in found.problems if p.kind == kind]
        yield from (f"{kind}: {shown(line)}" for line in _some(lines, f"{kind} ones"))


def _figures(found: Audit) -> Iterator[str]:
    for verdict in (Verdict.DIFFERS, Verdict.UNDECIDED, Verdict.SOME_ORDER, Verdict.NOT_JUDGED, Verdict.FOLLOWS):
        lines = []
        for figure in found.figures:
            if figure.verdict is verdict and (figure.note or verdict is not Verdict.FOLLOWS):
                sides = f"recorded {shown(figure.recorded) or 'nothing'}"
                if figure.computed != figure.recorded and figure.computed:
                    sides += f", the trials give {shown(figure.computed)}"
                lines.append(f"{shown(figure.path)}: {sides}{figure.note and f' ({figure.note})'}")
        yield from (f"{verdict.value}: {escaped(line)}" for line in _some(lines, "figures"))


def _some(lines: list[str], noun: str) -> list[str]:
    if len(lines) <= _SHOWN:
        return lines
    return [*lines[:_SHOWN], f"… and {len(lines) - _SHOWN:,} more {noun}, see --json"]


def _verdict(found: Audit) -> str:
    counts = Counter(figure.verdict for figure in found.figures)
    told = [f"{counts[Verdict.FOLLOWS]:,} of {counted(len(found.figures), 'figure')} follow"]
    told += [f"{number:,} {_WORDS[verdict]}" for verdict, number in counts.items() if verdict in _WORDS]
    kinds = Counter(problem.kind for problem in found.problems)
    told += [f"{number:,} {kind}" for kind, number in kinds.items()]
    return f"{'everything judged follows' if found.follows else 'not everything follows'}: {', '.join(told)}"


def _write(path: Path, document: Any) -> None:
    write_atomically(path, json.dumps(document, ensure_ascii=True, indent=2) + "\n")
