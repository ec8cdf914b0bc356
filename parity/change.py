"""A change: a divergence between two releases of harbor, what kind it is, and whether it changes a score."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any

from parity.codec import Json, Record, decode
from parity.implementation import Answers
from parity.judge import Finding

GONE = "surface gone"
APPEARED = "surface appeared"
_RENDERED = ("job_stats", "job_result", "job_run")


@dataclass(frozen=True)
class Change:
    """What one release does otherwise than the one it is compared with."""

    finding: Finding
    kind: str
    scores: bool
    """The end of the pipe differs: a mean, a pass@k, or the consumer's line."""
    since: str = ""
    """The release in which it first appeared, among those that were compared."""


def kind_of(finding: Finding) -> str:
    """Say what kind of change it is."""
    before, after = finding.a, finding.b
    if "value" in before and "error" in after:
        return "rejected now"
    if "error" in before and "value" in after:
        return "accepted now"
    if "error" in before and "error" in after:
        return "error text only" if before["error"]["type"] == after["error"]["type"] else "error type changed"
    if "value" in before and "value" in after:
        if all(each.path.endswith(".message") for each in finding.divergences):
            return "error text only"  # a trial's, in a job that ended as before
        one, other = decode(before["value"]), decode(after["value"])
        rendered = finding.case.surface in _RENDERED and _same(_read(one), _read(other))
        return "rendering only" if rendered else "value changed"
    return "worker failed"


def _read(value: Any) -> Any:
    """Put the data of rendered files in the place of their bytes."""
    if isinstance(value, dict):
        return {key: _read(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_read(item) for item in value]
    try:
        return json.loads(value) if isinstance(value, bytes) else value
    except ValueError:
        return value


def changes_score(finding: Finding, before: Answers, reimpl: Answers) -> bool:
    """Tell whether a change reaches the end of the pipe in a job whose other trials are ordinary."""
    one, other = (_end(finding, outcome, before, reimpl) for outcome in (finding.a, finding.b))
    return not _same(one, other)


def _end(finding: Finding, outcome: Json, before: Answers, reimpl: Answers) -> Any:
    """Return what comes out in the end if a surface gives this outcome and nothing else has changed."""
    surface = finding.case.surface
    value: Any = decode(outcome["value"]) if "value" in outcome else None
    if surface == "min_reward":
        return value is None if "value" in outcome else "error"
    if surface in ("metric", "pass_at_k"):
        return value if "value" in outcome else "error"
    if surface in ("job_stats", "job_result"):
        return _scores(value, reimpl) if "value" in outcome else "error"
    if surface == "job_run":
        return [_scores(run["result"], reimpl) for run in value["runs"]] if "value" in outcome else "error"
    rewards = value["rewards"] if surface == "multi_step" and value is not None else value
    [made] = before("job_result", [_job(rewards, failed="error" in outcome)])
    return _scores(decode(made["value"]), reimpl) if "value" in made else "error"


def _job(rewards: dict[str, Any] | None, *, failed: bool) -> Record:
    """Return a job of two tasks, three attempts each, one of which has these rewards."""
    ordinary = [_trial(number, {"reward": float(number % 2)}) for number in range(1, 6)]
    telling = _trial(0, None if failed else rewards, "VerifierOutputParseError" if failed else None)
    return Record(
        id="00000000-0000-4000-8000-000000000000",
        started_at="2026-01-01T12:00:00",
        finished_at="2026-01-01T13:00:00",
        n_attempts=3,
        n_retries=0,
        metrics={"adhoc": ["mean"]},
        trials=[telling, *ordinary],
    )


def _trial(number: int, rewards: dict[str, Any] | None, exception: str | None = None) -> Record:
    task = f"task-{number % 2}"
    return Record(
        task=task,
        name=f"{task}__{number}",
        source=None,
        agent="agent",
        model=None,
        verified=exception is None,
        rewards=rewards,
        exception=exception,
        tokens=None,
    )


def _scores(rendered: bytes | None, reimpl: Answers) -> Any:
    """Return the scores in a rendered file, if there is one: metrics, pass@k, and the consumer's line."""
    try:
        document = json.loads(rendered) if rendered is not None else {}
    except ValueError:
        return rendered
    stats = document.get("stats", document)
    groups = stats.get("evals", {}) if isinstance(stats, dict) else {}
    scores = {name: {key: group.get(key) for key in ("metrics", "pass_at_k")} for name, group in groups.items()}
    return [scores, *reimpl("outcome", [Record({"result.json": rendered})])]


def _same(one: Any, other: Any) -> bool:
    """Tell whether two scores are the same numbers: 1 and 1.0 are, and so are two nans."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, float) and isinstance(other, float) and math.isnan(one) and math.isnan(other):
        return True
    return (type(one) is not bool and type(other) is not bool and one == other) or one is other
