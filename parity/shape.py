"""The shape of a case: what its input must look like before an implementation sees it (docs/protocol.md).

A case that does not fit is somebody's mistake, and not a case on which implementations can diverge. The schemas say
nearly all of it; what no schema can say is here.
"""

from __future__ import annotations

from datetime import datetime

from parity import schemas
from parity.codec import Json, decode


def fault(surface: str, input: Json) -> str | None:
    """Return what is wrong with a surface's encoded input, or None if it is a case."""
    beyond = _BEYOND.get(surface)
    return schemas.validate(f"input#{surface}", input) or (beyond(input) if beyond else None)


def _references(input: Json) -> str | None:
    """Check that each step refers to a trial seen before it."""
    seen = 0
    for number, step in enumerate(input["steps"]):
        earlier = {"remove": step["trial"], "replace": step.get("previous")}.get(step["op"])
        if earlier is not None and not 0 <= decode(earlier) < seen:
            return f"steps [{number}] refers to trial {earlier['int']}, and {seen} were seen before it"
        seen += step["op"] != "remove"
    return None


def _calendar(input: Json) -> str | None:
    """Check that each time is on a day that the calendar has."""
    for name in ("started_at", "finished_at"):
        try:
            datetime.fromisoformat(input[name])
        except ValueError as error:
            return f"{name} is no time: {error}"
    return None


_BEYOND = {"job_stats": _references, "job_result": _calendar}
