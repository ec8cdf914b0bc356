"""Values that JSON can hold without loss, and their text.

:func:`json.dumps` does not do this job: it gives up on nesting at a depth that depends on the Python version, turns
tuples into lists and number keys into text, and writes ints that cannot be read back. What :func:`json_text` writes,
:func:`reimpl.json_text.parse_json` reads back bit for bit, nan and lone surrogates included; all else it refuses.
"""

from __future__ import annotations

import json
import re
from typing import cast

from reimpl.json_text import MAX_DEPTH, parse_json
from reimpl.render import limited_text

MAX_LEVELS = MAX_DEPTH - 1
"""The deepest nesting that is written; the reader can follow it whatever the deepest level holds."""

_NOT_FINITE = {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}
_quote = json.JSONEncoder().encode
_split_character = re.compile("[\ud800-\udbff][\udc00-\udfff]").search


class _Mark(str):
    """Punctuation and keys that wait to be written, as opposed to text that is a value."""

    __slots__ = ()


def json_text(value: object) -> str:
    """Write a value as JSON in one line of ASCII; ``ValueError`` says what in it is not JSON."""
    parts: list[str] = []
    levels = 0
    # What is still to be written, the next of it last: a stack of its own instead of the one that Python limits.
    waiting: list[object] = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, _Mark):
            levels -= item in ("]", "}")
            parts.append(item)
        elif isinstance(item, (list, dict)):
            levels += 1
            if levels > MAX_LEVELS:
                raise ValueError("is nested too deeply")
            parts.append("[" if isinstance(item, list) else "{")
            waiting += reversed(_content(item))
        else:
            parts.append(_scalar_text(item))
    return "".join(parts)


def json_copy(value: object) -> object:
    """Copy a JSON value, so that nobody else can change it; ``ValueError`` says what in it is not JSON.

    There is room for one level around it: a record that holds the copy can be written too.
    """
    (copy,) = cast("list[object]", parse_json(json_text([value])))
    return copy


def check_text(text: str) -> str:
    """Return a text that JSON gives back as it is: one without a character split into its two surrogates."""
    if _split_character(text):
        raise ValueError("holds a character as two surrogates, which JSON would join")
    return text


def _content(container: list[object] | dict[object, object]) -> list[object]:
    """List the members of a container with all that goes between and after them."""
    content: list[object] = []
    if isinstance(container, list):
        for item in container:
            content += (item, _Mark(", "))
        return [*content[:-1], _Mark("]")]
    for key, item in container.items():
        if not isinstance(key, str):
            raise ValueError(f"has the key {key!r}, which is {type(key).__name__} and not text")  # noqa: TRY004
        content += (_Mark(f"{_quote(check_text(key))}: "), item, _Mark(", "))
    return [*content[:-1], _Mark("}")]


def _scalar_text(value: object) -> str:
    if isinstance(value, str):
        return _quote(check_text(value))
    if value is None or isinstance(value, bool):
        return _quote(value)
    if isinstance(value, int):
        return limited_text(int(value))
    if not isinstance(value, float):
        raise ValueError(f"holds a {type(value).__name__}, which JSON has not")  # noqa: TRY004
    # A subclass, such as the float of numpy, may spell itself in its own way.
    text = repr(float(value))
    return _NOT_FINITE.get(text, text)
