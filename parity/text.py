"""Cases and outcomes as a person reads them."""

from __future__ import annotations

import pprint
from typing import Any

from parity.codec import Json, Record, decode, integer_text
from parity.compare import Divergence, ulps

_LONG = 400
"""A single text or number longer than this is shown by its ends and its length."""

_LAST_WORDS = 8
"""Lines of a program's standard error that are shown with its fault: the cause stands at the end."""


def counted(number: int, noun: str) -> str:
    """Write a number with its noun: 1 case, 2 cases."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def value_text(data: Json) -> str:
    """Write an encoded value as Python would, bytes of a rendered file as the lines they are."""
    if isinstance(data, dict) and data.keys() == {"bytes"} and "\n" in data["bytes"]:
        return str(data["bytes"].encode("latin-1").decode("utf-8", "backslashreplace"))
    return pprint.pformat(_plain(decode(data)), width=110, sort_dicts=False)


def input_text(input: Json) -> str:
    """Write a case's input, a field a line."""
    return "\n".join(f"  {name}: {_indented(value_text(field), len(name) + 4)}" for name, field in input.items())


def _indented(text: str, by: int) -> str:
    return text.replace("\n", "\n" + " " * by)


def outcome_text(outcome: Json) -> str:
    """Write an encoded outcome: its value, or its error as Python prints one; or what a program did instead."""
    if "value" in outcome:
        return value_text(outcome["value"])
    if "fault" in outcome:
        return _printable(_fault_text(outcome["fault"]))
    if "skipped" in outcome:
        return _printable(f"skipped: {outcome['skipped']}")
    return _printable(_error_text(outcome["error"]))


def _fault_text(fault: Json) -> str:
    lines = fault["stderr"].splitlines()[-_LAST_WORDS:]
    words = ["its last words:", *lines] if lines else []
    return "\n".join([f"The program {fault['kind']}: {fault['message']}", *words])


def _error_text(error: Json) -> str:
    if "details" not in error:
        return f"{error['type']}: {error.get('message', '(no message)')}"
    lines = [f"{error['type']}:"]
    lines += [f"  {'.'.join(map(str, decode(detail['loc'])))}: {detail['type']}" for detail in error["details"]]
    return "\n".join(lines)


def _printable(text: str) -> str:
    """Escape lone surrogates, which no terminal takes."""
    return text.encode("utf-8", "backslashreplace").decode()


def divergence_text(divergence: Divergence) -> str:
    """Write one divergence: where, what kind, and both sides; floats with their bits."""
    line = (
        f"{divergence.path}: {divergence.kind}: {_side(divergence, divergence.a)} | {_side(divergence, divergence.b)}"
    )
    distance = ulps(divergence.a, divergence.b) if divergence.kind in ("float differs", "number differs") else None
    return f"{line} ({distance} ULP apart)" if distance else line


def _side(divergence: Divergence, text: str) -> str:
    if divergence.kind == "float differs":
        return f"{text} ({float(text).hex()})"
    return text if len(text) <= _LONG else f"{text[:60]}…{text[-20:]} ({len(text)} characters)"


class _Ends:
    """A long text or number, shown by its ends."""

    def __init__(self, text: str, unit: str) -> None:
        self._text = f"{text[:60]}…{text[-20:]} ({len(text)} {unit})"

    def __repr__(self) -> str:
        return self._text


# What a trial has when nothing is said about it.
_USUAL = {"source": None, "model": None, "verified": True, "exception": None, "tokens": None}


def _plain(value: Any) -> Any:
    """Leave out what a trial has anyway, and the middle of what is long."""
    if isinstance(value, (str, bytes)) and len(value) > _LONG:
        return _Ends(repr(value), "characters")
    if isinstance(value, int) and abs(value) >= 10**_LONG:
        return _Ends(integer_text(value), "digits")
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, Record) and "task" in value:
        value = {name: item for name, item in value.items() if name not in _USUAL or item != _USUAL[name]}
    if isinstance(value, dict):
        return {_plain(name): _plain(item) for name, item in value.items()}
    return value
