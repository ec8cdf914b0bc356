"""The one way into the oracle: a surface and an input go in, an outcome comes out."""

from __future__ import annotations

import functools
import importlib
import logging
from typing import TYPE_CHECKING, Any

from oracle import release, scratch

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import TracebackType

SURFACES: tuple[str, ...] = (
    "reward_files",
    "metric",
    "pass_at_k",
    "job_stats",
    "multi_step",
    "min_reward",
    "job_result",
    "job_run",
)


def run(surface: str, input: Mapping[str, Any]) -> dict[str, Any]:
    """Run harbor's code for `surface` on `input`: its value, or the exception it raised, is the outcome.

    Where the installed release cannot run the case, there is no outcome: AbsentError says why.
    """
    if surface not in SURFACES:
        raise ValueError(f"unknown surface {surface!r}, expected one of {', '.join(SURFACES)}")
    answer = _surface(surface)
    try:
        return {"value": answer(input)}
    except Exception as exc:
        absence = release.absence(exc)
        if absence is not None:
            raise absence from exc
        if not _raised_by_harbor(exc.__traceback__):
            raise
        return {"error": _error(exc)}


@functools.cache
def _surface(surface: str) -> Callable[[Mapping[str, Any]], Any]:
    """Import a surface on first use, so that one a harbor release lacks does not take the others with it."""
    try:
        module = importlib.import_module(f"oracle.{surface}")
    except ImportError as error:
        raise release.lacking(error) from error
    logging.getLogger("harbor").setLevel(logging.CRITICAL + 1)
    logging.getLogger("harbor.utils.logger").setLevel(logging.CRITICAL + 1)
    answer: Callable[[Mapping[str, Any]], Any] = module.answer
    return answer


def _raised_by_harbor(traceback: TracebackType | None) -> bool:
    """Tell an exception of harbor, or of the pydantic under it, from a fault of this adapter or of the case."""
    owner = ""
    while traceback is not None:
        package = str(traceback.tb_frame.f_globals.get("__name__", "")).partition(".")[0]
        owner = package if package in {"harbor", "oracle", "pydantic"} else owner
        traceback = traceback.tb_next
    return owner != "oracle"


def _error(exc: Exception) -> dict[str, Any]:
    """Describe an exception; a validation error by its details, since its text names pydantic's release."""
    name = type(exc).__name__
    if name == "ValidationError" and hasattr(exc, "errors"):
        errors = exc.errors(include_url=False, include_context=False, include_input=False)
        return {"type": name, "details": [{"loc": list(error["loc"]), "type": error["type"]} for error in errors]}
    return {"type": name, "message": str(exc).replace(scratch.verifier_directory(), "<verifier>")}
