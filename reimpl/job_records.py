"""What a job leaves behind, told in records: how each run ended, and the trials on disk."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from reimpl.errors import ErrorDetail

StoredRewards = dict[str, "int | float | None"]
"""Rewards as a file has them: nan and the infinities are null there."""


class Failure(NamedTuple):
    """An exception that a trial or a step recorded; one of validation is told without its message."""

    type: str
    message: str | None


class StepRecord(NamedTuple):
    """One step of a trial, as far as it got."""

    name: str
    verified: bool
    rewards: StoredRewards | None
    exception: Failure | None


class TrialRecord(NamedTuple):
    """A trial's directory; one without a result of its own is not finished."""

    name: str
    finished: bool = False
    verified: bool = False
    rewards: StoredRewards | None = None
    exception: Failure | None = None
    steps: list[StepRecord] | None = None


class Detail(NamedTuple):
    """One fault in a value: where it is and what kind it is."""

    loc: list[str | int]
    type: str


class Fault(NamedTuple):
    """What a run raised; ``errors`` are those of a group."""

    type: str
    message: str | None
    details: list[Detail]
    errors: list[Fault]


class Run(NamedTuple):
    """One run of a job: how it ended, and the ``result.json`` it left.

    Where the last write of a crash may or may not happen, ``late`` is the file with it.
    """

    ended: str
    error: Fault | None
    result: bytes | None
    late: bytes | None = None


class JobRun(NamedTuple):
    """All runs of a job, and the directories of trials after the last."""

    runs: list[Run]
    trials: list[TrialRecord]


def fault(error: Exception) -> Fault:
    """Tell of an exception."""
    return Fault(type(error).__name__, str(error), [], [])


def refusal(details: list[ErrorDetail]) -> Fault:
    """Tell of values that are refused."""
    return Fault("ValidationError", None, [Detail(detail["loc"], detail["type"]) for detail in details], [])


def group_of(errors: list[Fault]) -> Fault:
    """Tell of exceptions that end a job together."""
    count = "1 sub-exception" if len(errors) == 1 else f"{len(errors)} sub-exceptions"
    return Fault("ExceptionGroup", f"unhandled errors in a TaskGroup ({count})", [], errors)
