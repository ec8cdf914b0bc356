"""The encoding of docs/protocol.md with the standard library alone: a case comes in by it, an outcome goes out."""

from __future__ import annotations

import dataclasses
from typing import Any

Json = Any

# Python refuses to turn more than 4300 digits into an integer, or back, in one step.
_DIGITS = 4000
_CHUNK = 10**_DIGITS


class CodecError(ValueError):
    """The JSON encodes no value."""


def decode(data: Json) -> Any:
    """Turn encoded JSON into the Python value it stands for; records and dicts both become dicts."""
    kind = type(data)
    if kind is dict:
        if len(data) == 1:
            [(tag, body)] = data.items()
            if tag in _TAGS:
                return _tagged(tag, body)
        return {name: decode(item) for name, item in data.items()}
    if kind is list:
        return [decode(item) for item in data]
    if kind is int or kind is float:
        raise CodecError(f"a bare number ({data!r}) is not a value")
    return data


def _tagged(tag: str, body: Json) -> Any:
    try:
        return _TAGS[tag](body)
    except CodecError:
        raise
    except (ValueError, TypeError, AttributeError, IndexError):
        raise CodecError(f"{tag} cannot hold {str(body)[:60]!r}") from None


def _float(body: str) -> float:
    number = float(body)
    if repr(number) != body:
        raise CodecError(f"float {str(body)[:60]!r} is not written as Python's repr writes it")
    return number


def _int(body: str) -> int:
    digits = body.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()) or (digits[0] == "0" and body != "0"):
        raise CodecError(f"int {body[:60]!r} is not a plain decimal number")
    number = 0
    for start in range(0, len(digits), _DIGITS):
        piece = digits[start : start + _DIGITS]
        number = number * 10 ** len(piece) + int(piece)
    return -number if body.startswith("-") else number


def _bytes(body: str) -> bytes:
    return body.encode("latin-1")


def _dict(body: Json) -> dict[Any, Any]:
    result = {decode(key): decode(item) for key, item in body}
    if len(result) != len(body):
        raise CodecError("dict holds the same key twice")
    return result


_TAGS = {"float": _float, "int": _int, "bytes": _bytes, "dict": _dict}


def encode(value: Any) -> Json:
    """Turn a Python value into JSON that keeps types, bits and order; a dataclass instance is a record."""
    kind = type(value)
    if value is None or kind is str or kind is bool:
        return value
    if kind is float:
        return {"float": repr(value)}
    if kind is int:
        return {"int": str(value) if -_CHUNK < value < _CHUNK else _long(value)}
    if kind is dict:
        return {"dict": [[encode(key), encode(item)] for key, item in value.items()]}
    if kind is bytes:
        return {"bytes": value.decode("latin-1")}
    if kind is list or kind is tuple:
        return [encode(item) for item in value]
    if dataclasses.is_dataclass(value):
        return {field.name: encode(getattr(value, field.name)) for field in dataclasses.fields(value)}
    raise CodecError(f"a {kind.__name__} has no encoding")


def _long(number: int) -> str:
    sign, rest, pieces = ("-" if number < 0 else ""), abs(number), []
    while rest:
        rest, piece = divmod(rest, _CHUNK)
        pieces.append(str(piece).rjust(_DIGITS, "0"))
    return sign + "".join(reversed(pieces)).lstrip("0")
