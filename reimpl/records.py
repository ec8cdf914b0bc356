"""Records with checked fields, which turn into JSON and back without loss.

A record is a frozen dataclass whose fields each name their reader: a function that returns the value of the field,
given that value or what it looks like in JSON, and raises :class:`EvaluationError` with the fault.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from datetime import datetime, timedelta, timezone
from math import isfinite
from reprlib import repr as shortened
from typing import TYPE_CHECKING, Any, TypeVar

from reimpl.json_text import parse_json
from reimpl.json_value import check_text, json_copy, json_text

if TYPE_CHECKING:
    from typing import Self

T = TypeVar("T")
R = TypeVar("R", bound="Record")
Reader = Callable[[object], T]

_timestamp = re.compile(
    r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?:(:\d\d)(?:\.(\d{1,6}))?)?"
    r"(?:(Z)|([+-])(\d\d):([0-5]\d)(?::([0-5]\d)(?:\.(\d{6}))?)?)?",
    re.ASCII,
).fullmatch


class EvaluationError(ValueError):
    """An evaluation that breaks its contract; the message names the file or the field, and the fault."""


@dataclass(frozen=True, kw_only=True)
class Record:
    """A dataclass that checks its fields and refuses unknown ones."""

    def __post_init__(self) -> None:
        """Replace every field by what its reader makes of it."""
        for field in fields(self):
            try:
                value = field.metadata["reader"](getattr(self, field.name))
            except ValueError as error:
                raise EvaluationError(f"{field.name}: {error}") from error
            object.__setattr__(self, field.name, value)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields in order, as JSON has them; the dict shares nothing with the record."""
        return {field.name: _plain(getattr(self, field.name)) for field in fields(self)}

    def to_json(self) -> str:
        """Return the record as one line of JSON."""
        return json_text(self.to_dict())

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Make the record of its fields; one that is unknown or missing is an error, not a warning."""
        known = {field.name: field for field in fields(cls)}
        for name in data:
            if name not in known:
                raise EvaluationError(f"{cls.__name__} has no field {name!r}")
        for name, field in known.items():
            if name not in data and field.default is MISSING and field.default_factory is MISSING:
                raise EvaluationError(f"{cls.__name__} needs the field {name!r}")
        return cls(**data)

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """Read a record from JSON; bytes are UTF-8."""
        return cls.from_dict(json_object(text))


def json_object(text: str | bytes) -> dict[str, Any]:
    """Read a JSON document that must be an object."""
    value = json_document(text)
    if not isinstance(value, dict):
        raise EvaluationError(f"is {kind(value)}, not an object")
    return value


def json_document(text: str | bytes) -> object:
    """Read a JSON document; whatever is wrong with it is one error."""
    try:
        return parse_json(text.decode() if isinstance(text, bytes) else text)
    except ValueError as error:
        raise EvaluationError(f"is not JSON: {error}") from error
    except RecursionError as error:
        raise EvaluationError("is nested too deeply") from error


def kind(value: object) -> str:
    """Name the kind of a value as JSON does, where JSON has it."""
    return _KINDS.get(type(value), type(value).__name__)


_KINDS = {
    dict: "an object",
    list: "an array",
    str: "text",
    bool: "a boolean",
    int: "a number",
    float: "a number",
    type(None): "null",
}


def text(value: object) -> str:
    """Read a text."""
    if not isinstance(value, str):
        raise EvaluationError(f"is {kind(value)}, not text")
    return check_text(value)


def flag(value: object) -> bool:
    """Read a boolean; no number stands for one."""
    if not isinstance(value, bool):
        raise EvaluationError(f"is {kind(value)}, not a boolean")
    return value


def count(value: object) -> int:
    """Read a number of things."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise EvaluationError(f"is {kind(value)}, not a count")
    if not 0 <= value < 2**63:
        raise EvaluationError("is negative or too large for a count")
    return int(value)


def size(value: object) -> float:
    """Read a finite number from 0 on."""
    number = _float(value)
    if not (isfinite(number) and number >= 0):
        raise EvaluationError(f"is {number!r}, not a finite number from 0 on")
    return number


def reward(value: object) -> float:
    """Read a number from 0 to 1; true and false are 1 and 0, as they are in a reward file."""
    number = _float(value)
    if not 0 <= number <= 1:
        raise EvaluationError(f"is {number!r}: a reward must be between 0.0 and 1.0")
    return number


def timestamp(value: object) -> datetime:
    """Read a time, given as such or in ISO 8601; its zone is kept as an offset, which is what text can say."""
    if isinstance(value, str):
        return _timestamp_of(value)
    if not isinstance(value, datetime):
        raise EvaluationError(f"is {kind(value)}, not a time")
    offset = value.utcoffset()
    return value.replace(tzinfo=None if offset is None else timezone(offset), fold=0)


def json_mapping(value: object) -> dict[str, Any]:
    """Read any JSON object."""
    copy = json_copy(value)
    if not isinstance(copy, dict):
        raise EvaluationError(f"is {kind(copy)}, not an object")
    return copy


def choice(*names: str) -> Reader[str]:
    """Read one of these texts."""

    def read(value: object) -> str:
        for name in names:
            if value == name:
                return name
        raise EvaluationError(f"is {shortened(value)}: choose from {', '.join(names)}")

    return read


def optional(reader: Reader[T]) -> Reader[T | None]:
    """Read null, or what the reader reads."""

    def read(value: object) -> T | None:
        return None if value is None else reader(value)

    return read


def each(reader: Reader[T]) -> Reader[list[T]]:
    """Read a list of what the reader reads."""

    def read(value: object) -> list[T]:
        if not isinstance(value, list):
            raise EvaluationError(f"is {kind(value)}, not an array")
        items: list[T] = []
        for index, item in enumerate(value):
            try:
                items.append(reader(item))
            except ValueError as error:
                raise EvaluationError(f"{index}: {error}") from error
        return items

    return read


def record(cls: type[R]) -> Reader[R]:
    """Read a record of this class, given as such or as its fields."""

    def read(value: object) -> R:
        if isinstance(value, cls):
            return value
        if not isinstance(value, dict):
            raise EvaluationError(f"is {kind(value)}, not an object")
        return cls.from_dict(value)

    return read


def _float(value: object) -> float:
    if not isinstance(value, (int, float)):
        raise EvaluationError(f"is {kind(value)}, not a number")
    try:
        return float(value)
    except OverflowError:
        raise EvaluationError("is too large") from None


def _timestamp_of(text: str) -> datetime:
    """Read ISO 8601 in full: what ``fromisoformat`` takes beyond that depends on the Python version."""
    match = _timestamp(text)
    if match is None:
        raise EvaluationError(f"is {shortened(text)}, not a time such as 2026-01-31T12:00:00+00:00")
    date, time, seconds, fraction, utc, sign, *offset = match.groups("0")
    try:
        when = datetime.fromisoformat(f"{date}T{time}{':00' if seconds == '0' else seconds}.{fraction:0<6}")
        if utc == sign == "0":
            return when
        # By hand: ``fromisoformat`` loses the microseconds of an offset that has no whole second.
        hours, minutes, whole, micros = map(int, offset)
        away = timedelta(hours=hours, minutes=minutes, seconds=whole, microseconds=micros)
        return when.replace(tzinfo=timezone(-away if sign == "-" else away))
    except ValueError as error:
        raise EvaluationError(f"is {text!r}: {error}") from error


def _plain(value: object) -> object:
    """Turn the value of a field into what JSON has for it."""
    if isinstance(value, Record):
        return value.to_dict()
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return json_copy(value)
    return value.isoformat() if isinstance(value, datetime) else value
