"""Answers: one line of a program's output, checked before it is compared (docs/protocol.md)."""

from __future__ import annotations

import json
import re
from typing import Any

from parity.codec import Json, decode
from parity.fault import OUT_OF_ORDER, TOO_MUCH, FaultError

_INT = re.compile(r"0|-?[1-9][0-9]*")
_DIGITS = 20_000
"""More digits than any number of harbor's has: it reads 4,300, and a sum has a few more."""
_DEPTH = 50


def answer_of(line: bytes, seq: int) -> Json:
    """Return the outcome in an answer, or `{"skipped": …}`; raise a fault that says what to change."""
    answer = _object(line)
    got = answer.pop("seq", None)
    if got != seq or type(got) is not int:
        raise _wrong_seq(got, seq)
    try:
        check_outcome(answer)
    except FaultError as error:
        error.in_step = True
        raise
    return answer


def check_outcome(answer: dict[str, Any]) -> None:
    """Refuse what is neither an outcome nor `{"skipped": …}`."""
    if len(answer) != 1:
        raise _nonsense(
            "no outcome",
            f"an answer holds seq and one of value, error and skipped, and this one holds {_names(answer)}",
        )
    if "value" in answer:
        _check(answer["value"])
    elif "error" in answer:
        _check_error(answer["error"])
    elif not isinstance(answer.get("skipped"), str):
        raise _nonsense("no outcome", f"an answer holds value, error or skipped (why, as text), not {_clip(answer)}")


def _object(line: bytes) -> dict[str, Any]:
    try:
        answer = json.loads(line.decode())  # from bytes, it would guess the encoding first
    except (ValueError, RecursionError):
        raise FaultError(
            "printed what is no JSON",
            f"it printed {_clip_bytes(line)} on standard output, which is not JSON: standard output is for answers "
            "alone, one JSON object a line; print everything else to standard error",
        ) from None
    if not isinstance(answer, dict):
        raise _nonsense("no object", f"an answer is a JSON object, and this is not one: {_clip(answer)}")
    return answer


def _wrong_seq(got: Json, seq: int) -> FaultError:
    if got is None:
        return _nonsense("no seq", f"the answer has no seq: copy the request's, here {seq}")
    if type(got) is not int:
        return _nonsense("seq is no number", f"seq is {_clip(got)}: copy the request's as it is, here {seq}")
    if 0 < got < seq:
        return FaultError(
            TOO_MUCH, f"it answered seq {got} again, where seq {seq} was next: a request gets one line, its answer"
        )
    return FaultError(
        OUT_OF_ORDER,
        f"it answered seq {got} where seq {seq} was next: answer each request once, in the order of the requests, "
        "and copy its seq",
    )


def _check(data: Json, depth: int = 0) -> None:
    """Refuse what encodes no value."""
    if data is None or isinstance(data, (str, bool)):
        return
    if depth > _DEPTH:
        raise _nonsense("too deep", f"the value is nested more than {_DEPTH} deep, and none of harbor's is")
    if isinstance(data, list):
        for item in data:
            _check(item, depth + 1)
    elif not isinstance(data, dict):
        tag = "int" if isinstance(data, int) else "float"
        told = f'{{"{tag}": "{_clip(data)}"}}'
        raise _nonsense(
            "a bare number", f"the number {_clip(data)} stands bare: write {told}, so that its type is kept"
        )
    elif len(data) == 1 and (tag := next(iter(data))) in _SCALARS:
        _SCALARS[tag](data[tag])
    elif data.keys() == {"dict"}:
        _check_dict(data["dict"], depth + 1)
    else:
        for item in data.values():
            _check(item, depth + 1)


def _check_float(body: Json) -> None:
    try:
        written = repr(float(body))
    except (ValueError, TypeError, OverflowError):
        words = 'holds no number: write it as text, such as "0.1" or "nan"'
        raise _nonsense("float", f'{{"float": {_clip(body)}}} {words}') from None
    if body != written:
        words = f'is to be written as Python writes it: {{"float": "{written}"}}'
        raise _nonsense("float", f'{{"float": {_clip(body)}}} {words}')


def _check_int(body: Json) -> None:
    if isinstance(body, str) and len(body) > _DIGITS:
        raise _nonsense("int", f"an int of {len(body):,} digits is longer than any that harbor can give")
    if not isinstance(body, str) or not _INT.fullmatch(body):
        words = 'holds no integer: write its digits as text, such as "7" or "-7"'
        raise _nonsense("int", f'{{"int": {_clip(body)}}} {words}')


def _check_bytes(body: Json) -> None:
    if not isinstance(body, str) or not (body.isascii() or max(body) <= "\xff"):
        words = "is to be text with one character of 0 to 255 for each byte"
        raise _nonsense("bytes", f'{{"bytes": {_clip(body)}}} {words}')


_SCALARS = {"float": _check_float, "int": _check_int, "bytes": _check_bytes}


def _check_dict(body: Json, depth: int) -> None:
    keys = set()
    for pair in body if isinstance(body, list) else [None]:
        if not isinstance(pair, list) or len(pair) != 2:
            raise _nonsense("dict", f'{{"dict": {_clip(body)}}} is to be a list of [key, value] pairs, in order')
        key, item = pair
        _check(key)
        if isinstance(key, list) or (isinstance(key, dict) and not key.keys() & _SCALARS.keys()):
            raise _nonsense("dict", f"the key of a dict is text or a number, not {_clip(key)}")
        keys.add(decode(key))
        _check(item, depth)
    if len(keys) != len(body):
        raise _nonsense("dict", f'{{"dict": {_clip(body)}}} holds the same key twice')


def _check_error(error: Json) -> None:
    """Refuse an error without a type, or with details that name no place."""
    if not isinstance(error, dict) or not isinstance(error.get("type"), str):
        raise _nonsense("error", f'an error is {{"type": …, "message": …}}, both text, and this is {_clip(error)}')
    if not _is_name(error["type"]):
        raise _nonsense("error", f"the type of an error is the name of a class, not {_clip(error['type'])}")
    if not isinstance(error.get("message", ""), str):
        raise _nonsense("error", f"the message of an error is text, not {_clip(error['message'])}")
    if not error.keys() <= {"type", "message", "details"}:
        raise _nonsense("error", f"an error holds type, message and details, and this one holds {_names(error)}")
    details = error.get("details", [])
    for detail in details if isinstance(details, list) else [details]:
        fits = isinstance(detail, dict) and detail.keys() == {"loc", "type"}
        if not fits or not isinstance(detail["loc"], list) or not _is_name(detail["type"]):
            raise _nonsense("details", f'details are a list of {{"loc": […], "type": …}}, and not {_clip(detail)}')
        _check(detail["loc"])


def _is_name(data: Json) -> bool:
    """Tell whether this can be part of a fingerprint."""
    return isinstance(data, str) and data.isprintable() and 0 < len(data) <= 200


def _nonsense(what: str, message: str) -> FaultError:
    return FaultError(f"answered nonsense ({what})", message)


def _names(answer: dict[str, Any]) -> str:
    return _short(", ".join(answer)) or "neither"


def _clip(data: Json) -> str:
    return _short(json.dumps(data))


def _clip_bytes(line: bytes) -> str:
    return json.dumps(_short(line[:400].decode("utf-8", "backslashreplace")))


def _short(text: str) -> str:
    return text if len(text) <= 100 else text[:97] + "…"
