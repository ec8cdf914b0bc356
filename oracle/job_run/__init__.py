"""Surface `job_run`: harbor's whole job, from its configuration to its result file, on trials that play a part.

The environment and the agent are stubs that harbor loads through its own configuration; all else is harbor's: planning,
queue, trials, hooks, verifier, retries, resuming, metrics, files. Time, chance and the progress display are replaced.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from oracle import scratch
from oracle.job_run.imports import JOB
from oracle.job_run.layout import Layout
from oracle.job_run.loop import InstantLoop
from oracle.job_run.patches import closed_logs, stable, undisturbed, uv_alone
from oracle.job_run.records import JobRun, Run, fault, trials
from oracle.job_run.stage import Stage

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from harbor.models.job.config import JobConfig


def answer(input: Mapping[str, Any]) -> JobRun:
    """Run the job of a case, interrupt and resume it as the case says, and give what it leaves behind."""
    root = os.path.realpath(f"{scratch.directory()}/job_run")  # as harbor writes it
    os.mkdir(root)  # noqa: PTH102
    try:
        layout = Layout(root, input)
        with undisturbed(), uv_alone() if layout.has_scripts else contextlib.nullcontext():
            runs = [_run(layout, number, *each) for number, each in enumerate(_runs(input))]
        return JobRun(runs, trials(layout.job_directory, root))
    finally:
        shutil.rmtree(root)


def _runs(input: Mapping[str, Any]) -> list[tuple[Mapping[str, Any], list[int]]]:
    """Pair the interruption of each run with the order in which it finds the trials of those before."""
    resumed = input.get("resume", [])
    return list(zip([*resumed, {}], [[], *(each.get("order", []) for each in resumed)], strict=True))


def _run(layout: Layout, number: int, interruption: Mapping[str, Any], order: list[int]) -> Run:
    layout.order_trials(order)
    config = layout.config()
    after = interruption.get("after")
    killed = interruption.get("by", "kill") == "kill"
    late = Late(layout)
    with stable(number), closed_logs(), contextlib.closing(InstantLoop(late.look)) as loop:
        job = loop.create_task(_job(layout, config))
        Stage.current = Stage(layout.plays, loop.stop if killed else job.cancel, after)
        try:
            return _ended(layout, loop, job, late)
        finally:
            if not job.done():
                _die(layout, loop)


async def _job(layout: Layout, config: JobConfig) -> None:
    job = await JOB.Job.create(config)
    Stage.current.agents = max(len(layout.agents), 1)
    Stage.current.trials_an_attempt = max(len(job) // max(layout.attempts, 1), 1)
    await job.run()


def _ended(layout: Layout, loop: InstantLoop, job: asyncio.Task[None], late: Late) -> Run:
    """Run the job to its end, and look at the result file that it left."""
    job.add_done_callback(lambda _: loop.stop())
    loop.run_forever()
    result = _result(layout)
    if not job.done():
        return Run("killed", None, result, None)
    try:
        job.result()
    except (Exception, asyncio.CancelledError) as exc:  # noqa: BLE001 -- whatever harbor raises is the outcome
        return Run("raised", fault(exc, layout.root), result, late.file)
    return Run("finished", None, result, None)


def _result(layout: Layout) -> bytes | None:
    try:
        return Path(layout.job_directory, "result.json").read_bytes()
    except FileNotFoundError:
        return None


class Late:
    """The result file as it is if a write that the end of a run overtook was made after all."""

    def __init__(self, layout: Layout) -> None:
        self.file: bytes | None = None
        self._layout = layout

    def look(self, work: Callable[[], object]) -> None:
        """Do this work now, as the thread that began it would have, look at the file, and put back the one before.

        Later would not do: some releases change the job in memory once more when it has failed.
        """
        before = _result(self._layout)
        if before is None:
            return
        work()
        self.file = _result(self._layout)
        Path(self._layout.job_directory, "result.json").write_bytes(before)


def _die(layout: Layout, loop: InstantLoop) -> None:
    """End a job as if its process were gone: what it would still do, it does where nobody looks."""
    kept = f"{layout.root}/kept"
    os.rename(layout.job_directory, kept)  # noqa: PTH104
    tasks = asyncio.all_tasks(loop)
    for task in tasks:
        task.cancel()
    loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
    shutil.rmtree(layout.job_directory, ignore_errors=True)
    os.rename(kept, layout.job_directory)  # noqa: PTH104
