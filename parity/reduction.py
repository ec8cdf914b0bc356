"""Leaving out what a case does not need, and what makes one ask for nothing.

Hypothesis makes the choices smaller that a case was drawn from, and an exhaustive case was not drawn at all. Either may
hold parts that do not matter, several of which only all at once can go, and numbers that are odder than need be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from parity.codec import Json, decode
from parity.judge import Finding
from parity.shape import fault
from parity.surfaces import SURFACES

Check = Callable[[Sequence[Mapping[str, Any]]], list[Finding | None]]
"""Takes inputs of a surface, and returns what each of them shows."""

_PLAIN = {"int": ("0", "1"), "float": ("0.0", "1.0", "0.5"), "bytes": ("", "0", "1", "{}", '{"reward": 0}')}
"""By tag, numbers and contents of files that mean nothing by themselves."""
_ODD = "rewards"
"""The field of which null is not plain: no rewards count as 0, which is a rule of its own."""


MOST = 5000
"""Inputs that are tried for one case; of whole jobs a fifth."""
_FEW = 20
"""A list up to this long is left out by sublists of every length, a longer one by halves, quarters and so on."""


def reduced(finding: Finding, check: Check, most: int = MOST) -> Finding:
    """Leave parts out of a finding's case and make others plain, as long as it still shows its fingerprint."""
    left = most // SURFACES[finding.case.surface].weight
    start = 0
    while left > 0:
        for index, input in _from(start, finding.case.input):
            if left > 0 and not fault(finding.case.surface, input):
                left -= 1
                [found] = check([decode(input)])
                if found and finding.fingerprint in found.fingerprints:
                    finding, start = found.about(finding.fingerprint), index
                    break
        else:
            break
    return finding


def _from(start: int, value: Json) -> Iterator[tuple[int, Json]]:
    """Yield what may take a value's place, from where the last one did: most of what failed before would fail again."""
    yield from islice(enumerate(_with_less(value)), start, None)
    yield from islice(enumerate(_with_less(value)), start)


def _with_less(value: Json) -> Iterator[Json]:
    """Yield a value with a part of it left out or made plainer: the most first, and what stands highest."""
    if isinstance(value, dict):
        yield from _plainer(value)
        yield from ({name: value[name] for name in value if name != left_out} for left_out in value)
        yield from ({**value, name: None} for name in value if name != _ODD and value[name] is not None)
        texts = ((name, text) for name, text in value.items() if name not in _PLAIN and isinstance(text, str))
        yield from ({**value, name: text.partition(".")[0]} for name, text in texts if "." in text)  # such as a time
        yield from ({**value, name: less} for name, item in value.items() for less in _with_less(item))
    elif isinstance(value, list):
        for size in _sizes(len(value)):
            yield from ([*value[:start], *value[start + size :]] for start in range(len(value) - size + 1))
        for index, item in enumerate(value):
            yield from ([*value[:index], less, *value[index + 1 :]] for less in _with_less(item))


def _sizes(length: int) -> Iterator[int]:
    while length > _FEW:
        yield length
        length //= 2
    yield from range(length, 0, -1)


def _plainer(value: dict[str, Json]) -> Iterator[Json]:
    """Yield what is shorter and plain, in the place of an encoded number or file."""
    for tag in _PLAIN.keys() & value.keys():
        yield from ({tag: text} for text in _PLAIN[tag] if len(text) < len(value[tag]))
