"""The shape of a case: what its input must look like before an implementation sees it (docs/protocol.md).

A case that does not fit is somebody's mistake, and not a case on which implementations can diverge. The schemas say
nearly all of it; what no schema can say is here.
"""

from __future__ import annotations

import json
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


def _names(input: Json) -> str | None:
    """Check the names of a job's datasets, that its tasks can be directories, and that all its texts are Unicode."""
    for number, dataset in enumerate(input.get("datasets", ())):
        place, names = f"datasets [{number}]", [task["name"] for task in dataset.get("tasks", ())]
        if dataset.get("registry"):
            if set("/@") & set(dataset["name"]):
                return f"{place} name must be without / and @, as it is the name of a registry's dataset"
        elif schemas.validate("input#/$defs/file_name", dataset["name"]):
            return f"{place} name must be the name of a directory, as the dataset is local"
        elif len(set(names)) < len(names):
            return f"{place} tasks must have names that differ, as they are in one directory"
    tasks = [*input.get("tasks", ()), *(task for each in input.get("datasets", ()) for task in each.get("tasks", ()))]
    named = [*tasks, *(step for task in tasks for step in task.get("steps") or ()), *input.get("datasets", ())]
    if any(len(each["name"].encode("utf-8", "surrogatepass")) > _LONGEST_NAME for each in named):
        return f"must have no name of more than {_LONGEST_NAME} bytes"
    try:
        json.dumps(input, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return "must have no lone surrogate"
    return None


_LONGEST_NAME = 200
"""Bytes of a name, to which a file system lets something be added."""

_BEYOND = {"job_stats": _references, "job_result": _calendar, "job_run": _names}
