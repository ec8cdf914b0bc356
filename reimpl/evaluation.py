"""The evaluation of a trial: what its verifier wrote, whether that is valid, and what people say about it.

``spec/scoring.txt`` states the contract. Its fields are checked when a record is made, unknown ones are refused, and
every record turns into JSON and back without loss. Records cannot be changed: what is added makes a new one.

The reward is the one in ``reward.json``. Nothing else ever sets it: not the breakdown, not an annotation, and of the
validity flags only an output that does not parse rules out rewards other than 0.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from reprlib import repr as shortened
from typing import Any, Literal, TypeAlias, get_args

from reimpl import records as read
from reimpl.numerals import text_to_float
from reimpl.records import EvaluationError, Record
from reimpl.rewards import ABSENT

ErrorSource: TypeAlias = Literal["mechanical", "human", "judge"]
Judgment: TypeAlias = Literal["pass", "fail", "defer"]

REWARD_FILE = "reward.json"
DETAILS_FILE = "details.json"
MISSING_REWARD = "missing verifier reward artifact"
"""What the validity of an evaluation lists when there is no reward."""


@dataclass(frozen=True, kw_only=True)
class VerifierSpec(Record):
    """Where the verifier of a task is, what it reads and what it writes."""

    script: str = field(metadata={"reader": read.text})
    expected_output_path: str = field(metadata={"reader": read.text})
    reward_path: str = field(metadata={"reader": read.text})
    details_path: str | None = field(default=None, metadata={"reader": read.optional(read.text)})


@dataclass(frozen=True, kw_only=True)
class ValidityCheck(Record):
    """Whether the output was fit for scoring: did it parse, did it have the right shape, was there a reward."""

    output_parseable: bool = field(metadata={"reader": read.flag})
    schema_valid: bool = field(metadata={"reader": read.flag})
    verifier_completed: bool = field(metadata={"reader": read.flag})
    errors: list[str] = field(default_factory=list, metadata={"reader": read.each(read.text)})


@dataclass(frozen=True, kw_only=True)
class ErrorTag(Record):
    """A failure put into a category of the task's own, and who put it there."""

    category: str = field(metadata={"reader": read.text})
    description: str | None = field(default=None, metadata={"reader": read.optional(read.text)})
    source: ErrorSource = field(metadata={"reader": read.choice(*get_args(ErrorSource))})


@dataclass(frozen=True, kw_only=True)
class ConfidenceMetadata(Record):
    """How uncertain a reward is.

    The document names this record but not its fields; these are the least that "statistical metadata" can mean: how
    the uncertainty was found, from how many samples, and how large it is.
    """

    method: str = field(metadata={"reader": read.text})
    n_samples: int | None = field(default=None, metadata={"reader": read.optional(read.count)})
    standard_error: float | None = field(default=None, metadata={"reader": read.optional(read.size)})


@dataclass(frozen=True, kw_only=True)
class Annotation(Record):
    """What a reviewer says about a trial; it stands beside the reward and never replaces it."""

    reviewer_id: str = field(metadata={"reader": read.text})
    reviewer_discipline: str | None = field(default=None, metadata={"reader": read.optional(read.text)})
    timestamp: datetime = field(metadata={"reader": read.timestamp})
    judgment: Judgment = field(metadata={"reader": read.choice(*get_args(Judgment))})
    categories: list[str] = field(default_factory=list, metadata={"reader": read.each(read.text)})
    notes: str | None = field(default=None, metadata={"reader": read.optional(read.text)})


@dataclass(frozen=True, kw_only=True)
class EvaluationResult(Record):
    """The reward of a trial with all that is known about it."""

    reward: float = field(metadata={"reader": read.reward})
    validity: ValidityCheck = field(metadata={"reader": read.record(ValidityCheck)})
    breakdown: dict[str, Any] | None = field(default=None, metadata={"reader": read.optional(read.json_mapping)})
    error_taxonomy: list[ErrorTag] | None = field(
        default=None, metadata={"reader": read.optional(read.each(read.record(ErrorTag)))}
    )
    confidence: ConfidenceMetadata | None = field(
        default=None, metadata={"reader": read.optional(read.record(ConfidenceMetadata))}
    )
    annotations: list[Annotation] | None = field(
        default=None, metadata={"reader": read.optional(read.each(read.record(Annotation)))}
    )

    def __post_init__(self) -> None:
        """Check the fields, and then the one rule between them."""
        super().__post_init__()
        if self.reward != 0 and not self.validity.output_parseable:
            raise EvaluationError(f"reward: is {self.reward!r}: unparseable outputs must have reward 0.0")

    def annotated(self, *annotations: Annotation) -> EvaluationResult:
        """Return the same evaluation with these annotations added; the reward stays what the verifier said."""
        return replace(self, annotations=[*(self.annotations or []), *annotations])


def ingest_artifacts(
    verifier_dir: str | os.PathLike[str], *, output_parseable: bool, schema_valid: bool
) -> EvaluationResult:
    """Evaluate a trial by the ``reward.json`` and ``details.json`` in the directory its verifier wrote to.

    The rules are those of :func:`ingest_files`.
    """
    return ingest_files(
        Path(verifier_dir, REWARD_FILE),
        Path(verifier_dir, DETAILS_FILE),
        output_parseable=output_parseable,
        schema_valid=schema_valid,
    )


def ingest_files(
    reward_path: str | os.PathLike[str],
    details_path: str | os.PathLike[str] | None = None,
    *,
    output_parseable: bool,
    schema_valid: bool,
) -> EvaluationResult:
    """Evaluate a trial by the files its verifier wrote.

    The reward file is an object with a ``"reward"`` from 0 to 1: a number, a boolean or the text of a number. Other
    names in it are ignored, and an object without a reward is worth 0. A file that is missing, or holds ``null``, is a
    verifier that did not complete and is worth 0 too. The details file is an object, ``null`` or missing, and becomes
    the breakdown as it is.

    Raises:
        EvaluationError: A file cannot be read or breaks these rules, or the output does not parse and yet has a reward.

    """
    document = _document(reward_path)
    breakdown = None if details_path is None else _breakdown(details_path)
    validity = ValidityCheck(
        output_parseable=output_parseable,
        schema_valid=schema_valid,
        verifier_completed=document is not None,
        errors=[MISSING_REWARD] if document is None else [],
    )
    reward = 0.0 if document is None else _reward(document, reward_path)
    if reward != 0 and not output_parseable:
        raise EvaluationError(f"{reward_path}: the reward is {reward!r}: unparseable outputs must have reward 0.0")
    return EvaluationResult(reward=reward, validity=validity, breakdown=breakdown)


def _reward(document: object, path: str | os.PathLike[str]) -> float:
    if not isinstance(document, dict):
        raise EvaluationError(f"{path}: is {read.kind(document)}, not an object")
    value: object = document.get("reward", 0.0)
    try:
        return read.reward(_number(value) if isinstance(value, str) else value)
    except ValueError as error:
        raise EvaluationError(f"{path}: the reward {error}") from error


def _number(text: str) -> float:
    try:
        return text_to_float(text)
    except ValueError:
        raise ValueError(f"is {shortened(text)}, not a number") from None


def _breakdown(path: str | os.PathLike[str]) -> dict[str, Any] | None:
    document = _document(path)
    try:
        return None if document is None else read.json_mapping(document)
    except ValueError as error:
        raise EvaluationError(f"{path}: {error}") from error


def _document(path: str | os.PathLike[str]) -> object:
    """Read a JSON file; one that is not there reads as ``null``."""
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        if error.errno in ABSENT:
            return None
        raise EvaluationError(f"{path}: cannot be read: {error.strerror}") from error
    except ValueError:
        # A path no file can have, such as one with a NUL in it.
        return None
    try:
        return read.json_document(content)
    except EvaluationError as error:
        raise EvaluationError(f"{path}: {error}") from error
