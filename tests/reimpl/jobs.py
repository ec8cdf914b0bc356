"""Whole jobs, declared and run, and what is told of them."""

from __future__ import annotations

import json
from typing import Any

from reimpl import door
from reimpl.job_records import Failure, JobRun, TrialRecord
from reimpl.job_run import run_job

Play = dict[str, Any]
UNHEALTHY = Failure("HealthcheckError", "Healthcheck failed after 3 consecutive retries: healthcheck")
TIMED_OUT = Failure("AgentTimeoutError", "Agent execution timed out after 60.0 seconds")
HUGE = f'{{"reward": {10**400}}}'.encode()
STEPS = [{"name": "s1"}, {"name": "s2"}, {"name": "s3"}]


def txt(text: str, **more: Any) -> Play:
    return {"reward.txt": text.encode(), **more}


def task(name: str, *plays: Play, **more: Any) -> dict[str, Any]:
    """Declare a task whose trials have these plays, each in its only try."""
    return {"name": name, "plays": [[play] for play in plays], **more}


def job(*tasks: dict[str, Any], **more: Any) -> JobRun:
    return run_job({"tasks": list(tasks), **more}, lambda files: door.run("reward_files", files))


def file(run: JobRun, number: int = -1) -> Any:
    result = run.runs[number].result
    assert result is not None
    return json.loads(result)


def stats(run: JobRun, number: int = -1) -> Any:
    return file(run, number)["stats"]


def group(run: JobRun, key: str = "agent__adhoc", number: int = -1) -> Any:
    return stats(run, number)["evals"][key]


def counts(run: JobRun, number: int = -1) -> tuple[int, ...]:
    names = ("completed", "errored", "running", "pending", "cancelled")
    return tuple(stats(run, number)[f"n_{name}_trials"] for name in names)


def only(run: JobRun) -> TrialRecord:
    [trial] = run.trials
    return trial


def names(run: JobRun) -> list[str]:
    return [trial.name for trial in run.trials]
