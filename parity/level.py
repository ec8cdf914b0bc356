"""Levels: how much of an outcome counts, for an implementation that does not aim at everything (docs/check.md)."""

from __future__ import annotations

import json
from enum import Enum

from parity.codec import Json, canonical


class Level(str, Enum):
    """How much of an outcome is compared."""

    exact = "exact"
    """Everything."""
    values = "values"
    """Values in full, and of an error its type: neither its message nor its details."""
    verdict = "verdict"
    """Whether the input is accepted, and the numbers: neither the kind of error, nor int or float, nor any order."""

    def apply(self, outcome: Json) -> Json:
        """Return what is compared of an encoded outcome; a fault or a skipped case is not an outcome, and stays."""
        if self is Level.exact or ("value" not in outcome and "error" not in outcome):
            return outcome
        if "error" in outcome:
            return {"error": {"type": outcome["error"]["type"] if self is Level.values else "an error"}}
        return outcome if self is Level.values else {"value": _plain(outcome["value"])}


def _plain(data: Json) -> Json:
    """Return a value with numbers as real numbers, and what is in a dict in one order."""
    if isinstance(data, list):
        return [_plain(item) for item in data]
    if not isinstance(data, dict):
        return data
    if len(data) == 1:
        [(tag, body)] = data.items()
        if tag in ("int", "float"):
            return _real(body)
        if tag == "dict":
            return {"dict": sorted(([_plain(key), _plain(item)] for key, item in body), key=canonical)}
        if tag == "bytes":
            return _file(body)
    return {name: _plain(item) for name, item in data.items()}


def _real(text: str) -> Json:
    """Return one spelling for a real number: 1, 1.0 and 1e0 are the same, and so are 0.0 and -0.0."""
    if text.removeprefix("-").isdecimal():
        return {"int": "0" if text == "-0" else text}
    number = float(text)
    return {"int": str(int(number))} if number.is_integer() else {"float": repr(number)}


def _file(text: str) -> Json:
    """Return what a rendered file says, if it is JSON: white space, order and the spelling of numbers do not count."""
    try:
        return json.loads(
            text.encode("latin-1"),
            object_pairs_hook=_object,
            parse_int=_real,
            parse_float=_real,
            parse_constant=_constant,
        )
    except (ValueError, RecursionError):
        return {"bytes": text}


def _object(pairs: list[tuple[str, Json]]) -> Json:
    return {"dict": sorted(([key, item] for key, item in pairs), key=canonical)}


def _constant(text: str) -> Json:
    return {"float": {"NaN": "nan", "Infinity": "inf", "-Infinity": "-inf"}[text]}
