"""Real trial results of harbor, made from a case's trials."""

from __future__ import annotations

import functools
import marshal
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID

from harbor.models.agent.context import AgentContext
from harbor.models.task.id import LocalTaskId
from harbor.models.trial.config import TaskConfig, TrialConfig
from harbor.models.trial.result import AgentInfo, ExceptionInfo, ModelInfo, TrialResult
from harbor.models.verifier.result import VerifierResult

if TYPE_CHECKING:
    from collections.abc import Mapping

# No score depends on these, so every trial shares them: making them takes longer than the rest of a trial.
ID = UUID(int=0)
MOMENT = datetime(2000, 1, 1, tzinfo=timezone.utc)
TASK = LocalTaskId(path=Path("task"))
CONFIG = TrialConfig(task=TaskConfig(path=Path("task")), trial_name="trial")


def trial_result(trial: Mapping[str, Any]) -> TrialResult:
    """Make harbor's own record of one trial, validated by harbor's own models."""
    return TrialResult(
        id=ID,
        task_name=trial["task"],
        trial_name=trial["name"],
        trial_uri="",
        task_id=TASK,
        source=trial["source"],
        task_checksum="",
        config=CONFIG,
        agent_info=_agent_info(trial["agent"], trial["model"]),
        agent_result=_agent_result(trial["tokens"]),
        verifier_result=verifier_result(trial),
        exception_info=_exception_info(trial["exception"]),
    )


def verifier_result(verified: Mapping[str, Any]) -> VerifierResult | None:
    """Make the verifier result of a trial or a step; without one, there is none."""
    if not verified["verified"]:
        return None
    # Harbor's buckets tell one nan object from another. A case is data and has no objects, so each trial gets its own,
    # as when each reads its own reward.txt; otherwise the outcome would change with who made the case.
    return VerifierResult(rewards=marshal.loads(marshal.dumps(verified["rewards"])))  # noqa: S302


@functools.lru_cache(maxsize=1024)
def _agent_info(agent: str, model: str | None) -> AgentInfo:
    # No score depends on the provider, and releases up to 0.5.0 insist on one.
    return AgentInfo(name=agent, version="", model_info=None if model is None else ModelInfo(name=model, provider=""))


@functools.lru_cache(maxsize=1024)
def _exception_info(exception: str | None) -> ExceptionInfo | None:
    if exception is None:
        return None
    return ExceptionInfo(exception_type=exception, exception_message="", exception_traceback="", occurred_at=MOMENT)


def _agent_result(tokens: Mapping[str, Any] | None) -> AgentContext | None:
    if tokens is None:
        return None
    return AgentContext(
        n_input_tokens=tokens["input"],
        n_cache_tokens=tokens["cache"],
        n_output_tokens=tokens["output"],
        cost_usd=tokens["cost_usd"],
    )
