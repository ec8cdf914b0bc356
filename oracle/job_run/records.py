"""What a job leaves behind, as the outcome of a case."""

from __future__ import annotations

import json
import re
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from oracle.job_run.layout import trial_names

if TYPE_CHECKING:
    from collections.abc import Mapping

Rewards = dict[str, float | int | None] | None
"""Rewards as a trial's file has them, where nan and the infinities are null."""


@dataclass(frozen=True)
class Detail:
    """One of the places at which a validation failed."""

    loc: list[str | int]
    type: str


@dataclass(frozen=True)
class Fault:
    """An exception that ended a run; a group holds others, and a validation error tells its details alone."""

    type: str
    message: str | None
    details: list[Detail] = field(default_factory=list)
    errors: list[Fault] = field(default_factory=list)


@dataclass(frozen=True)
class Failure:
    """An exception that a trial or a step recorded; the text of a validation error names pydantic's release."""

    type: str
    message: str | None


@dataclass(frozen=True)
class Step:
    """A step that was begun."""

    name: str
    verified: bool
    rewards: Rewards
    exception: Failure | None


@dataclass(frozen=True)
class Trial:
    """A trial that has a directory; one without a result of its own is not finished."""

    name: str
    finished: bool
    verified: bool
    rewards: Rewards
    exception: Failure | None
    steps: list[Step] | None


@dataclass(frozen=True)
class Run:
    """One run of the job: how it ended, and its result file then."""

    ended: str
    error: Fault | None
    result: bytes | None
    late: bytes | None
    """What the file holds instead, if a write that the end of the run overtook was made after all."""


@dataclass(frozen=True)
class JobRun:
    """The runs of a job, and the trials that the last of them left."""

    runs: list[Run]
    trials: list[Trial]


def fault(exc: BaseException, root: str) -> Fault:
    """Describe an exception that harbor's job raised."""
    name = type(exc).__name__
    if name == "ValidationError" and hasattr(exc, "errors"):
        errors = exc.errors(include_url=False, include_context=False, include_input=False)
        return Fault(name, None, details=[Detail(list(error["loc"]), error["type"]) for error in errors])
    inner: tuple[BaseException, ...] = getattr(exc, "exceptions", ())  # of a group
    return Fault(name, _stable_text(str(exc), root), errors=[fault(each, root) for each in inner])


def trials(job_directory: str, root: str) -> list[Trial]:
    """Read the trials that are on disk, in the order in which they were begun."""
    return [_trial(Path(job_directory, name), root) for name in trial_names(job_directory)]


def _trial(directory: Path, root: str) -> Trial:
    try:
        result = json.loads((directory / "result.json").read_bytes())
    except FileNotFoundError:
        return Trial(directory.name, finished=False, verified=False, rewards=None, exception=None, steps=None)
    steps = result["step_results"]
    return Trial(
        directory.name,
        finished=True,
        **_outcome(result, f"{directory}/verifier", root),
        steps=steps and [Step(step["step_name"], **_outcome(step, f"{directory}/verifier", root)) for step in steps],
    )


def _outcome(result: Mapping[str, Any], verifier: str, root: str) -> dict[str, Any]:
    verified, exception = result["verifier_result"], result["exception_info"]
    return {
        "verified": verified is not None,
        "rewards": verified and verified["rewards"],
        "exception": exception and _failure(exception, verifier, root),
    }


def _failure(exception: Mapping[str, Any], verifier: str, root: str) -> Failure:
    name, message = exception["exception_type"], exception["exception_message"]
    if name == "ValidationError":
        return Failure(name, None)
    for file in ("reward.txt", "reward.json"):  # an OSError quotes the path, and escapes what is in it
        message = message.replace(repr(f"{verifier}/{file}"), f"'<verifier>/{file}'")
    return Failure(name, _stable_text(message.replace(verifier, "<verifier>"), root))


def _stable_text(text: str, root: str) -> str:
    """Write `<job>` for the directory of the case, and `<temporary>` for one that harbor made for a moment."""
    moment = re.escape(f"{tempfile.gettempdir()}/{tempfile.gettempprefix()}") + r"\w{8}"
    return re.sub(moment, "<temporary>", text.replace(root, "<job>"))
