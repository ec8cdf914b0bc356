"""The one encoding of cases and outcomes: JSON that loses nothing (docs/protocol.md, "Values")."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from json.encoder import encode_basestring_ascii as _quoted
from typing import Any

Json = Any

# Python refuses to turn longer integers into text or back, in one step: a sum of rewards may have a digit more.
_DIGITS = 4000
_CHUNK = 10**_DIGITS


class Record(dict[str, Any]):
    """A mapping with fixed fields, encoded as a plain JSON object; any other dict is data and keeps its order."""


class CodecError(ValueError):
    """The value has no encoding, or the text encodes no value."""


def encode(value: Any) -> Json:
    """Turn a Python value into JSON that keeps types, bits and order."""
    kind = type(value)
    if value is None or kind is str or kind is bool:
        return value
    if kind is float:
        return {"float": repr(value)}
    if kind is int:
        return {"int": integer_text(value)}
    if kind is bytes:
        return {"bytes": value.decode("latin-1")}
    if kind is list or kind is tuple:
        return [encode(item) for item in value]
    if kind is Record:
        return {name: encode(item) for name, item in value.items()}
    if kind is dict:
        return {"dict": [[encode(key), encode(item)] for key, item in value.items()]}
    if dataclasses.is_dataclass(value):
        return {field.name: encode(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if hasattr(value, "_fields"):  # a named tuple
        return {name: encode(getattr(value, name)) for name in value._fields}
    raise CodecError(f"a {kind.__name__} has no encoding")


def text_of(value: Any) -> str:
    """Write a value's encoding as JSON text: `json.dumps(encode(value))`, in one pass because the wire needs many."""
    kind = type(value)
    if kind is str:
        return _quoted(value)
    if value is None:
        return "null"
    if kind is bool:
        return "true" if value else "false"
    if kind is float:
        return f'{{"float": "{value!r}"}}'
    if kind is int:
        return f'{{"int": "{integer_text(value)}"}}'
    if kind is dict:
        return '{"dict": [' + ", ".join([f"[{text_of(key)}, {text_of(item)}]" for key, item in value.items()]) + "]}"
    if kind is Record:
        return "{" + ", ".join([f"{_quoted(name)}: {text_of(item)}" for name, item in value.items()]) + "}"
    if kind is list:
        return "[" + ", ".join([text_of(item) for item in value]) + "]"
    return json.dumps(encode(value))


def decode(data: Json) -> Any:
    """Turn encoded JSON back into the Python value it stands for."""
    kind = type(data)
    if data is None or kind is str or kind is bool:
        return data
    if kind is list:
        return [decode(item) for item in data]
    if kind is not dict:
        raise CodecError(f'a bare number ({data!r}) is not a value: write {{"int": "…"}} or {{"float": "…"}}')
    if len(data) == 1:
        [tag] = data
        if tag in _TAGS:
            return _tagged(tag, data[tag])
    return Record([(name, decode(item)) for name, item in data.items()])


def _tagged(tag: str, body: Json) -> Any:
    try:
        return _TAGS[tag](body)
    except (ValueError, TypeError, AttributeError) as error:
        if isinstance(error, CodecError):
            raise
        raise CodecError(f"{tag} cannot hold {_clipped(body)}") from error


def _clipped(body: Json) -> str:
    text = json.dumps(body)
    return text if len(text) <= 60 else text[:57] + "…"


def _decode_float(body: str) -> float:
    number = float(body)
    if repr(number) != body:
        raise CodecError(f"float {_clipped(body)} is not written as Python's repr writes it")
    return number


def _decode_int(body: str) -> int:
    digits = body.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()) or (digits[0] == "0" and body != "0"):
        raise CodecError(f"int {_clipped(body)} is not a plain decimal number")
    if len(digits) <= _DIGITS:
        return int(body)
    number = 0
    for start in range(0, len(digits), _DIGITS):
        piece = digits[start : start + _DIGITS]
        number = number * 10 ** len(piece) + int(piece)
    return -number if body.startswith("-") else number


def _decode_bytes(body: str) -> bytes:
    return body.encode("latin-1")


def _decode_dict(body: Json) -> dict[Any, Any]:
    result = {decode(key): decode(item) for key, item in body}
    if len(result) != len(body):
        raise CodecError("dict holds the same key twice")
    return result


_TAGS = {"float": _decode_float, "int": _decode_int, "bytes": _decode_bytes, "dict": _decode_dict}


def integer_text(number: int) -> str:
    """Write an integer of any size in decimal."""
    if -_CHUNK < number < _CHUNK:
        return str(number)
    sign, rest, pieces = ("-" if number < 0 else ""), abs(number), []
    while rest:
        rest, piece = divmod(rest, _CHUNK)
        pieces.append(str(piece).rjust(_DIGITS, "0"))
    return sign + "".join(reversed(pieces)).lstrip("0")


def canonical(data: Json) -> str:
    """Write encoded JSON in the one form that is hashed."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def case_id(surface: str, input: Json) -> str:
    """Name a case by its content: 16 hexadecimal digits of a hash over surface and encoded input."""
    return hashlib.sha256(canonical({"surface": surface, "input": input}).encode()).hexdigest()[:16]
