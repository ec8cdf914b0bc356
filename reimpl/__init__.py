"""Scores trials like harbor 0.13.1, bit for bit, with the standard library alone.

A runner reads what a verifier wrote with :func:`read_rewards`, describes each finished trial as a :class:`Trial`, and
gets harbor's ``result.json`` from :func:`job_result_json`. The parts of that file are available one by one:
:func:`compute_metric`, :func:`pass_at_k` and :class:`JobStats`. Tasks of several steps have :func:`trial_rewards` and
:func:`min_reward_failure`.

Results are the same on every Python from 3.10 on: those of harbor on CPython 3.12.
"""

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

__all__ = [
    "ErrorDetail",
    "JobStats",
    "PydanticSerializationError",
    "RewardFileEmptyError",
    "RewardFileNotFoundError",
    "TokenUsage",
    "Trial",
    "ValidationError",
    "VerifierOutputParseError",
    "VerifierResult",
    "compute_metric",
    "evals_key",
    "job_result_json",
    "min_reward_failure",
    "pass_at_k",
    "read_rewards",
    "trial_rewards",
]
