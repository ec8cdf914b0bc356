"""The shape of a case: what its input must look like before an implementation sees it (docs/protocol.md).

A case that does not fit is somebody's mistake, and not a case on which implementations can diverge.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

from parity.codec import Json

Check = Callable[[Json], str | None]
"""Returns what is wrong with an encoded value, or None."""


def fault(surface: str, input: Json) -> str | None:
    """Return what is wrong with a surface's encoded input, or None if it is a case."""
    return _INPUTS[surface](input)


def _one_of(*names: str) -> Check:
    return lambda data: None if data in names else f"must be one of: {', '.join(names)}"


def _tagged(data: Json, *tags: str) -> bool:
    return isinstance(data, dict) and len(data) == 1 and next(iter(data)) in tags


def _is(kind: type, words: str, data: Json) -> str | None:
    return None if isinstance(data, kind) else f"must be {words}"


def _or_null(check: Check) -> Check:
    return lambda data: None if data is None else check(data)


_text: Check = partial(_is, str, "text")
_flag: Check = partial(_is, bool, "true or false")


def _int(data: Json) -> str | None:
    return None if _tagged(data, "int") else 'must be an integer: {"int": "…"}'


def _number(data: Json) -> str | None:
    # A numeric text or a boolean is coerced, and how is one of the things compared.
    fits = _tagged(data, "int", "float") or isinstance(data, (str, bool))
    return None if fits else 'must be a number: {"int": "…"} or {"float": "…"}'


def _file(data: Json) -> str | None:
    fits = data is None or _tagged(data, "bytes") or data in ({"kind": "directory"}, {"kind": "dangling-symlink"})
    return None if fits else 'must be null, {"bytes": "…"}, {"kind": "directory"} or {"kind": "dangling-symlink"}'


def _dict_of(check: Check) -> Check:
    def found(data: Json) -> str | None:
        if not _tagged(data, "dict"):
            return 'must be a dict: {"dict": [[key, value], …]}'
        for key, value in data["dict"]:
            if not isinstance(key, str):
                return "must have text for keys"
            if problem := check(value):
                return f"[{key!r}] {problem}"
        return None

    return found


def _list_of(check: Check) -> Check:
    def found(data: Json) -> str | None:
        if not isinstance(data, list):
            return "must be a list"
        problems = ((number, check(item)) for number, item in enumerate(data))
        return next((f"[{number}] {problem}" for number, problem in problems if problem), None)

    return found


def _record(fields: Mapping[str, Check], *, optional: frozenset[str] = frozenset()) -> Check:
    def found(data: Json) -> str | None:
        if not isinstance(data, dict) or not (fields.keys() - optional <= data.keys() <= fields.keys()):
            return f"must hold {', '.join(fields)}, no less and no more"
        problems = ((name, fields[name](item)) for name, item in data.items())
        return next((f"{name} {problem}" for name, problem in problems if problem), None)

    return found


def _written_as(read: Callable[[str], Any], words: str) -> Check:
    def found(data: Json) -> str | None:
        try:
            read(data)
        except (ValueError, TypeError, AttributeError):
            return f"must be {words}"
        return None

    return found


_REWARDS = _or_null(_dict_of(_number))
_METRIC = _one_of("mean", "max", "min", "sum")
_TIME = _written_as(datetime.fromisoformat, "a time such as 2026-01-02T03:04:05")
_TOKENS = _record({name: _or_null(_int) for name in ("input", "cache", "output")} | {"cost_usd": _or_null(_number)})
_TRIAL = _record(
    {
        "task": _text,
        "name": _text,
        "source": _or_null(_text),
        "agent": _text,
        "model": _or_null(_text),
        "verified": _flag,
        "rewards": _REWARDS,
        "exception": _or_null(_text),
        "tokens": _or_null(_TOKENS),
    }
)
_OPERATIONS = {
    "add": _record({"op": _text, "trial": _TRIAL}),
    "remove": _record({"op": _text, "trial": _int}),
    "replace": _record({"op": _text, "trial": _TRIAL, "previous": _int}),
}


def _operations(data: Json) -> str | None:
    """Check each step, and that it refers to a trial seen before it."""
    if not isinstance(data, list):
        return "must be a list"
    seen = 0
    for number, step in enumerate(data):
        if not isinstance(step, dict) or step.get("op") not in _OPERATIONS:
            return f"[{number}] must have an op that is one of: {', '.join(_OPERATIONS)}"
        if problem := _OPERATIONS[step["op"]](step):
            return f"[{number}] {problem}"
        earlier = {"remove": step["trial"], "replace": step.get("previous")}.get(step["op"])
        if earlier is not None and not 0 <= int(earlier["int"]) < seen:
            return f"[{number}] refers to trial {earlier['int']}, and {seen} were seen before it"
        seen += step["op"] != "remove"
    return None


def _threshold(data: Json) -> str | None:
    return _dict_of(_number)(data) if _tagged(data, "dict") else _number(data)


_DIMENSION = _record(
    {"id": _text, "name": _text, "description": _text, "weight": _number, "max_score": _number, "eval_method": _text},
    optional=frozenset({"name", "description", "eval_method", "weight", "max_score"}),
)
_SCORE = _record(
    {"dimension_id": _text, "score": _number, "max_score": _number, "evidence": _text},
    optional=frozenset({"max_score", "evidence"}),
)

_INPUTS: dict[str, Check] = {
    "reward_files": _record({"reward.txt": _file, "reward.json": _file}),
    "metric": _record({"metric": _METRIC, "rewards": _list_of(_REWARDS)}),
    "pass_at_k": _record({"trials": _list_of(_TRIAL)}),
    "job_stats": _record({"n_total_trials": _or_null(_int), "n_retries": _int, "steps": _operations}),
    "multi_step": _record(
        {
            "strategy": _or_null(_text),  # one that is unknown is refused by harbor, and that is an outcome
            "steps": _list_of(_record({"verified": _flag, "rewards": _REWARDS})),
        }
    ),
    "min_reward": _record({"rewards": _REWARDS, "min_reward": _threshold}),
    "job_result": _record(
        {
            "id": _written_as(UUID, "a UUID"),
            "started_at": _TIME,
            "finished_at": _TIME,
            "n_attempts": _int,
            "n_retries": _int,
            "metrics": _dict_of(_list_of(_METRIC)),
            "trials": _list_of(_TRIAL),
        }
    ),
    "outcome": _record({"result.json": _file}),
    "reason_code": _record({"text": _or_null(_text)}),
    "rubric": _record({"dimensions": _list_of(_DIMENSION), "rollup_strategy": _text, "scores": _list_of(_SCORE)}),
    "evaluation": _record(
        {"reward.json": _file, "details.json": _file, "output_parseable": _flag, "schema_valid": _flag}
    ),
}
