"""JSON text byte for byte as harbor's result files have it: pydantic 2.14's rendering with an indent of four.

It differs from :func:`json.dumps` in numbers (``1e-05`` is ``0.00001``, ``1e-06`` is ``1e-6``, nan is ``null``),
in keys (numbers are spelled as Python's ``repr``) and in text that is not valid Unicode (an error in a value, silently
replaced in a key).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from io import BytesIO
from typing import TypeAlias, cast

from reimpl.numerals import MAX_INT_DIGITS

Json: TypeAlias = "str | int | float | Sequence[Json] | JsonMapping | None"
JsonMapping: TypeAlias = "Mapping[str, Json] | Mapping[int, Json] | Mapping[int | float, Json]"

_INDENT = "    "
# CPython converts ints of up to 640 digits to text whatever its digit limit is set to.
_SPLIT_DIGITS = 512
_SHORT = 10**_SPLIT_DIGITS
_TOO_LONG = 10**MAX_INT_DIGITS

_CHUNK = 4096

_quote = json.JSONEncoder(ensure_ascii=False).encode


class PydanticSerializationError(ValueError):
    """The value has no JSON text; named after the error harbor fails with."""


def render(value: Json) -> bytes:
    """Render a value with an indent of four, ``": "`` after keys and no newline at the end."""
    out = BytesIO()
    _write(out, value, "\n")
    return out.getvalue()


def float_text(value: float) -> str:
    """Spell a float as a JSON value: the digits of ``repr``, an exponent below 1e-5 and from 1e16 on, never padded."""
    text = repr(value)
    if "n" in text:  # nan, inf and -inf
        return "null"
    mantissa, mark, exponent = text.partition("e")
    if not mark:
        return text
    if exponent == "-05":
        sign = "-" if text[0] == "-" else ""
        return f"{sign}0.0000{mantissa.replace('-', '').replace('.', '')}"
    return f"{mantissa}e{int(exponent):+}"


def int_text(value: int) -> str:
    """Spell an int of any size; the digit limit of CPython does not apply to values."""
    if -_SHORT < value < _SHORT:
        return str(value)
    if value < 0:
        return "-" + int_text(-value)
    # Halving keeps the work near that of the multiplication; each half knows how many digits it stands for.
    digits = _SPLIT_DIGITS
    while value >= 10 ** (2 * digits):
        digits *= 2
    high, low = divmod(value, 10**digits)
    return int_text(high) + int_text(low).zfill(digits)


def limited_text(value: float) -> str:
    """Spell a number as ``str()`` does; an int of more than 4300 digits is refused in the words of CPython 3.12.

    The limit is written out because it can be changed, and because older versions lack it or word it differently.
    """
    if not isinstance(value, int):
        return repr(value)
    if not -_TOO_LONG < value < _TOO_LONG:
        raise ValueError(
            f"Exceeds the limit ({MAX_INT_DIGITS} digits) for integer string conversion; "
            "use sys.set_int_max_str_digits() to increase the limit"
        )
    return int_text(value)


def number_key(value: float) -> str:
    """Spell a number as a key: Python's ``repr``, so ``1e-05``, ``nan`` and ``inf`` appear as such."""
    try:
        return limited_text(value)
    except ValueError as error:
        raise PydanticSerializationError(f"Error serializing to JSON: ValueError: {error}") from None


def timestamp_text(value: datetime) -> str:
    """Spell a time: no fraction at zero microseconds, ``Z`` for an offset of zero, other offsets to the minute."""
    text = value.replace(tzinfo=None).isoformat()
    offset = value.utcoffset()
    if offset is None:
        return text
    # Offsets are rounded to whole seconds, halves away from zero, and then cut to whole minutes.
    seconds = (abs(offset) + timedelta(microseconds=500_000)) // timedelta(seconds=1)
    if not seconds:
        return f"{text}Z"
    sign = "-" if offset < timedelta(0) else "+"
    return f"{text}{sign}{seconds // 3600:02}:{seconds // 60 % 60:02}"


def text_key(value: str) -> bytes:
    """Quote a text key; every lone surrogate becomes three U+FFFD, one for each byte it would have had."""
    try:
        return _quote(value).encode()
    except UnicodeEncodeError:
        replaced = ("\ufffd\ufffd\ufffd" if "\ud800" <= char <= "\udfff" else char for char in value)
        return _quote("".join(replaced)).encode()


def _key(key: str | float) -> bytes:
    return text_key(key) if isinstance(key, str) else f'"{number_key(key)}"'.encode()


def _write(out: BytesIO, value: Json, newline: str) -> None:
    """Write one value; ``newline`` is the line break with the indent of the enclosing container."""
    if isinstance(value, str):
        out.write(_text(value))
    elif value is None:
        out.write(b"null")
    elif isinstance(value, bool):
        out.write(b"true" if value else b"false")
    elif isinstance(value, int):
        out.write(int_text(value).encode())
    elif isinstance(value, float):
        out.write(float_text(value).encode())
    elif not value:
        out.write(b"{}" if isinstance(value, Mapping) else b"[]")
    elif isinstance(value, Mapping):
        _write_mapping(out, value, newline)
    else:
        _write_sequence(out, value, newline)


def _write_mapping(out: BytesIO, value: JsonMapping, newline: str) -> None:
    inner = newline + _INDENT
    start, separator = f"{{{inner}".encode(), f",{inner}".encode()
    for key, item in value.items():
        out.write(start)
        out.write(_key(key))
        out.write(b": ")
        _write(out, item, inner)
        start = separator
    out.write(f"{newline}}}".encode())


def _write_sequence(out: BytesIO, value: Sequence[Json], newline: str) -> None:
    inner = newline + _INDENT
    if isinstance(value[0], str) and set(map(type, value)) == {str}:
        # The lists of trial names; what a script gives may hold other things besides.
        _write_texts(out, cast("Sequence[str]", value), inner)
    else:
        start, separator = f"[{inner}".encode(), f",{inner}".encode()
        for item in value:
            out.write(start)
            _write(out, item, inner)
            start = separator
    out.write(f"{newline}]".encode())


def _write_texts(out: BytesIO, values: Sequence[str], newline: str) -> None:
    """Quote many texts at a time: trial names are nearly all of a result file."""
    start, separator = f"[{newline}", f",{newline}"
    # A million names joined at once would take the memory of the file twice more.
    for first in range(0, len(values), _CHUNK):
        texts = values[first : first + _CHUNK]
        try:
            out.write((start + separator.join(map(_quote, texts))).encode())
        except UnicodeEncodeError:
            # The error speaks of a position in one text: the first that fails by itself.
            for text in texts:
                _text(text)
            raise
        start = separator


def _text(value: str) -> bytes:
    """Quote a text value; one that is not valid Unicode has no JSON text."""
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise PydanticSerializationError(f"Error serializing to JSON: UnicodeEncodeError: {error}") from None
    return _quote(value).encode()
