"""Scores trials like harbor 0.13.1, bit for bit, with the standard library alone.

A runner reads what a verifier wrote with :func:`read_rewards`, describes each finished trial as a :class:`Trial`, and
gets harbor's ``result.json`` from :func:`job_result_json`. The parts of that file are available one by one:
:func:`compute_metric`, :func:`pass_at_k` and :class:`JobStats`. Tasks of several steps have :func:`trial_rewards` and
:func:`min_reward_failure`.

Two more systems stand on the same files. The consumer of a job makes one line of its ``result.json``:
:func:`read_outcome`, with reason codes from :func:`normalize_reason_code`. An evaluation reads ``reward.json`` and
``details.json`` into an :class:`EvaluationResult`: a verifier calls :func:`score_rubric` and :func:`write_artifacts`,
and :func:`ingest_artifacts` reads them back.

Results are the same on every Python from 3.10 on: those of harbor on CPython 3.12.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from reimpl.errors import (
    ErrorDetail,
    RewardFileEmptyError,
    RewardFileNotFoundError,
    ValidationError,
    VerifierOutputParseError,
)
from reimpl.job_result import job_result_json
from reimpl.metrics import compute_metric
from reimpl.multi_step import VerifierResult, min_reward_failure, trial_rewards
from reimpl.pass_at_k import pass_at_k
from reimpl.render import PydanticSerializationError
from reimpl.rewards import read_rewards
from reimpl.stats import JobStats
from reimpl.trial import TokenUsage, Trial, evals_key

if TYPE_CHECKING:
    from reimpl.artifacts import write_artifacts
    from reimpl.evaluation import (
        Annotation,
        ConfidenceMetadata,
        ErrorTag,
        EvaluationResult,
        ValidityCheck,
        VerifierSpec,
        ingest_artifacts,
    )
    from reimpl.outcome import Outcome, outcome_line, read_outcome
    from reimpl.reason_code import (
        FINAL,
        REASON_CODES,
        RETRYABLE,
        normalize_reason_code,
        normalize_reason_code_as_printed,
    )
    from reimpl.records import EvaluationError
    from reimpl.rubric import Dimension, DimensionScore, RubricError, RubricScore, score_rubric

# A runner that scores trials does not pay for the consumer and the evaluations: together they take longer to import
# than all the rest.
_ON_DEMAND = {
    "artifacts": ("write_artifacts",),
    "evaluation": (
        *("Annotation", "ConfidenceMetadata", "ErrorTag", "EvaluationResult", "ValidityCheck", "VerifierSpec"),
        "ingest_artifacts",
    ),
    "outcome": ("Outcome", "outcome_line", "read_outcome"),
    "reason_code": (
        *("FINAL", "REASON_CODES", "RETRYABLE"),
        *("normalize_reason_code", "normalize_reason_code_as_printed"),
    ),
    "records": ("EvaluationError",),
    "rubric": ("Dimension", "DimensionScore", "RubricError", "RubricScore", "score_rubric"),
}


def __getattr__(name: str) -> Any:
    """Import a name of the consumer or of the evaluations when it is first asked for."""
    for module, names in _ON_DEMAND.items():
        if name in names:
            return getattr(import_module(f"reimpl.{module}"), name)
    raise AttributeError(f"module 'reimpl' has no attribute {name!r}")


__all__ = [
    "FINAL",
    "REASON_CODES",
    "RETRYABLE",
    "Annotation",
    "ConfidenceMetadata",
    "Dimension",
    "DimensionScore",
    "ErrorDetail",
    "ErrorTag",
    "EvaluationError",
    "EvaluationResult",
    "JobStats",
    "Outcome",
    "PydanticSerializationError",
    "RewardFileEmptyError",
    "RewardFileNotFoundError",
    "RubricError",
    "RubricScore",
    "TokenUsage",
    "Trial",
    "ValidationError",
    "ValidityCheck",
    "VerifierOutputParseError",
    "VerifierResult",
    "VerifierSpec",
    "compute_metric",
    "evals_key",
    "ingest_artifacts",
    "job_result_json",
    "min_reward_failure",
    "normalize_reason_code",
    "normalize_reason_code_as_printed",
    "outcome_line",
    "pass_at_k",
    "read_outcome",
    "read_rewards",
    "score_rubric",
    "trial_rewards",
    "write_artifacts",
]
