"""The one door through which the harness asks: a surface and the fields of a case in, an outcome out.

A runner has no need of it; it uses the functions that ``reimpl`` exports.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isnan
from pathlib import Path
from typing import Any

from reimpl.coercion import coerce_min_reward, coerce_rewards
from reimpl.errors import ValidationError
from reimpl.evaluation import ingest_artifacts
from reimpl.job_records import JobRun
from reimpl.job_result import job_result_json
from reimpl.job_run import run_job
from reimpl.metrics import Rewards, compute_metric
from reimpl.multi_step import VerifierResult, min_reward_failure, trial_rewards
from reimpl.outcome import read_outcome
from reimpl.pass_at_k import pass_at_k
from reimpl.reason_code import normalize_reason_code
from reimpl.rewards import read_rewards
from reimpl.rubric import Dimension, DimensionScore, score_rubric
from reimpl.stats import JobStats
from reimpl.trial import TokenUsage, Trial


def run(surface: str, input: Mapping[str, Any]) -> dict[str, Any]:
    """Answer one case: ``{"value": …}``, or ``{"error": …}`` with what was raised."""
    answer = _ANSWERS.get(surface)
    if answer is None:
        raise ValueError(f"unknown surface {surface!r}: choose from {', '.join(SURFACES)}")
    try:
        return {"value": answer(input)}
    except ValidationError as error:
        return {"error": {"type": "ValidationError", "details": error.details}}
    except Exception as error:  # noqa: BLE001 - whatever the case raises is its outcome
        return {"error": {"type": type(error).__name__, "message": _scratch.hide(str(error))}}


def _reward_files(input: Mapping[str, Any]) -> Rewards | None:
    directory = _scratch.directory()
    for name in ("reward.txt", "reward.json"):
        _place(directory / name, input[name])
    return read_rewards(directory)


def _metric(input: Mapping[str, Any]) -> Rewards:
    return compute_metric(input["metric"], input["rewards"])


def _pass_at_k(input: Mapping[str, Any]) -> dict[str, dict[int, float]]:
    return pass_at_k([_trial(fields) for fields in input["trials"]])


def _job_stats(input: Mapping[str, Any]) -> bytes:
    stats = JobStats()
    seen: list[Trial] = []
    for step in input["steps"]:
        if step["op"] == "remove":
            stats.remove(seen[step["trial"]])
            continue
        trial = _trial(step["trial"])
        if step["op"] == "add":
            stats.add(trial)
        else:
            stats.replace(trial, seen[step["previous"]])
        seen.append(trial)
    stats.update_progress(n_total_trials=input["n_total_trials"], n_retries=input["n_retries"])
    return stats.to_json()


def _multi_step(input: Mapping[str, Any]) -> VerifierResult:
    strategy = input["strategy"]
    # The strategy belongs to the task, which is read before any step has a result.
    trial_rewards([], strategy)
    return trial_rewards([_verifier_result(step) for step in input["steps"]], strategy)


def _min_reward(input: Mapping[str, Any]) -> str | None:
    # The thresholds belong to the task, which is read before there are rewards.
    thresholds = coerce_min_reward(input["min_reward"])
    return min_reward_failure(coerce_rewards(input["rewards"]), thresholds)


def _job_result(input: Mapping[str, Any]) -> bytes:
    return job_result_json(
        id=input["id"],
        started_at=input["started_at"],
        finished_at=input["finished_at"],
        n_retries=input["n_retries"],
        metrics=input["metrics"],
        trials=[_trial(fields) for fields in input["trials"]],
    )


def _job_run(input: Mapping[str, Any]) -> JobRun:
    # Whatever a trial's reward files give is the outcome of another surface.
    return run_job(input, lambda files: run("reward_files", files))


def _outcome(input: Mapping[str, Any]) -> str:
    path = _scratch.directory() / "result.json"
    _place(path, input["result.json"])
    return read_outcome(path).line()


def _reason_code(input: Mapping[str, Any]) -> str | None:
    return normalize_reason_code(input["text"])


@dataclass(frozen=True)
class _Scored:
    """A rubric's reward and complete scores as the protocol writes them."""

    reward: float
    complete: list[list[str | float]]


def _rubric(input: Mapping[str, Any]) -> _Scored:
    scored = score_rubric(
        [Dimension(**fields) for fields in input["dimensions"]],
        [DimensionScore(**fields) for fields in input["scores"]],
        input["rollup_strategy"],
    )
    return _Scored(
        scored.reward,
        [[score.dimension_id, score.score, score.max_score, score.evidence] for score in scored.complete],
    )


def _evaluation(input: Mapping[str, Any]) -> dict[str, Any]:
    directory = _scratch.directory()
    for name in ("reward.json", "details.json"):
        _place(directory / name, input[name])
    flags = {name: input[name] for name in ("output_parseable", "schema_valid")}
    return ingest_artifacts(directory, **flags).to_dict()


_ANSWERS: dict[str, Callable[[Mapping[str, Any]], Any]] = {
    "reward_files": _reward_files,
    "metric": _metric,
    "pass_at_k": _pass_at_k,
    "job_stats": _job_stats,
    "multi_step": _multi_step,
    "min_reward": _min_reward,
    "job_result": _job_result,
    "job_run": _job_run,
    "outcome": _outcome,
    "reason_code": _reason_code,
    "rubric": _rubric,
    "evaluation": _evaluation,
}

SURFACES: tuple[str, ...] = tuple(_ANSWERS)


def _verifier_result(fields: Mapping[str, Any]) -> VerifierResult:
    if not fields["verified"]:
        return VerifierResult(verified=False)
    return VerifierResult(verified=True, rewards=coerce_rewards(fields["rewards"]))


def _trial(fields: Mapping[str, Any]) -> Trial:
    tokens = fields["tokens"]
    return Trial(
        task=fields["task"],
        name=fields["name"],
        source=fields["source"],
        agent=fields["agent"],
        model=fields["model"],
        verified=fields["verified"],
        # Without a verifier result nobody reads the rewards.
        rewards=_own(coerce_rewards(fields["rewards"])) if fields["verified"] else fields["rewards"],
        exception=fields["exception"],
        tokens=None if tokens is None else TokenUsage(**tokens),
    )


def _own(rewards: Rewards | None) -> Rewards | None:
    """Give a trial nans of its own: the statistics tell them apart by object, and a case is data without objects."""
    if rewards is None:
        return None
    return {
        name: float("nan") if isinstance(value, float) and isnan(value) else value for name, value in rewards.items()
    }


class _Scratch:
    """The verifier directory of this process: made once, because a run reads hundreds of thousands of cases."""

    def __init__(self) -> None:
        self._directories: dict[int, Path] = {}

    def directory(self) -> Path:
        # A forked process must neither share the directory of its parent nor remove it.
        process = os.getpid()
        if process not in self._directories:
            self._directories = {process: Path(tempfile.mkdtemp())}
            atexit.register(self.remove)
        return self._directories[process]

    def hide(self, message: str) -> str:
        """Write the directory as ``<verifier>``."""
        for directory in self._directories.values():
            message = message.replace(str(directory), "<verifier>")
        return message

    def remove(self) -> None:
        """Remove the directory, if it is one of this process."""
        if os.getpid() in self._directories:
            shutil.rmtree(self.directory(), ignore_errors=True)


_scratch = _Scratch()


def _place(path: Path, file: bytes | Mapping[str, str] | None) -> None:
    """Put a file, a directory, a dangling symlink or nothing where the previous case left something."""
    try:
        path.unlink(missing_ok=True)
    except OSError:
        path.rmdir()
    if file is None:
        return
    if isinstance(file, bytes):
        path.write_bytes(file)
    elif file["kind"] == "directory":
        path.mkdir()
    else:
        path.symlink_to("nowhere")
