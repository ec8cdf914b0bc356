"""A declared job on stock harbor: its own loop, threads, clock, ids and progress display.

The stubs are those of the oracle, and so are the names of trials, which tell the stubs which play to give.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import os
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import rich.console
import rich.live
import rich.progress

from oracle import job_run, scratch
from oracle.job_run import patches, records
from oracle.job_run.imports import JOB, TRIAL_CONFIG
from oracle.job_run.layout import Layout
from oracle.job_run.records import JobRun, Run
from oracle.job_run.stage import Stage

_DISPLAY = {**vars(rich.console), **vars(rich.live), **vars(rich.progress)}


def stock_run(job: Mapping[str, Any]) -> JobRun:
    """Run a job, and resume it, as harbor does; what interrupts it cancels it."""
    root = Path(os.path.realpath(scratch.directory()), "stock")
    root.mkdir()
    try:
        layout = Layout(str(root), job)
        runs = [_run(layout, number, *each) for number, each in enumerate(job_run._runs(job))]
        return JobRun(runs, records.trials(layout.job_directory, layout.root))
    finally:
        shutil.rmtree(root)


def die_in(directory: str, job: Mapping[str, Any], after: int) -> None:
    """Run a job in this process, and end the process in the trial after so many, without a word to anybody."""
    layout = Layout(directory, job)
    _run(layout, 0, {"after": after}, [], lambda: os._exit(7))


def stable(result: bytes) -> bytes:
    """Write the id and the times of a stock result as the oracle writes those of a first run."""
    result = re.sub(rb'(?m)^    "id": "[-0-9a-f]+"', b'    "id": "%s"' % str(patches.identity()).encode(), result)
    return re.sub(rb'(?m)^(    "\w+_at": ")[-0-9T:.]+(Z?")', rb"\g<1>2000-01-01T00:00:00\2", result)


def _run(
    layout: Layout,
    number: int,
    interruption: Mapping[str, Any],
    order: list[int],
    interrupt: Callable[[], object] | None = None,
) -> Run:
    async def main() -> None:
        cancel = asyncio.current_task().cancel  # type: ignore[union-attr]
        Stage.current = Stage(layout.plays, interrupt or cancel, interruption.get("after"))
        await job_run._job(layout, layout.config())

    layout.order_trials(order)
    ended, error = "finished", None
    with _stock_harbor(number), patches.closed_logs(), contextlib.redirect_stdout(io.StringIO()):
        try:
            asyncio.run(main())
        except (Exception, asyncio.CancelledError) as exc:  # noqa: BLE001 -- whatever harbor raises is the outcome
            ended, error = "raised", records.fault(exc, layout.root)
    path = Path(layout.job_directory, "result.json")
    return Run(ended, error, stable(path.read_bytes()) if path.exists() else None, None)


@contextlib.contextmanager
def _stock_harbor(number: int) -> Iterator[None]:
    """Undo what another surface may have put into harbor for good."""
    patches.Clock.run, patches.Suffixes.planned = number, 0
    names = {name: _DISPLAY[name] for name in patches._SHOWN} | {"datetime": datetime, "uuid4": uuid4}
    with patches._replaced(JOB, **names), patches._replaced(TRIAL_CONFIG, ShortUUID=patches.Suffixes):
        yield
