"""Leaving out what a case does not need, and what makes one ask for nothing.

Hypothesis makes the choices smaller that a case was drawn from, and an exhaustive case was not drawn at all. Either may
hold parts that do not matter, several of which only all at once can go, and numbers that are odder than need be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from parity.codec import Json, decode
from parity.judge import Finding
from parity.shape import fault

Check = Callable[[Sequence[Mapping[str, Any]]], list[Finding | None]]
"""Takes inputs of a surface, and returns what each of them shows."""

_PLAIN = {"int": ("0", "1"), "float": ("0.0", "1.0", "0.5"), "bytes": ("", "0", "1", "{}", '{"reward": 0}')}
"""By tag, numbers and contents of files that mean nothing by themselves."""
_ODD = "rewards"
"""The field of which null is not plain: no rewards count as 0, which is a rule of its own."""


def reduced(finding: Finding, check: Check) -> Finding:
    """Leave parts out of a finding's case and make others plain, as long as it still shows its fingerprint."""
    plainer: Finding | None = finding
    while plainer:
        finding = plainer
        plainer = next(filter(None, (_shown(finding, input, check) for input in _with_less(finding.case.input))), None)
    return finding


def _shown(finding: Finding, input: Json, check: Check) -> Finding | None:
    if fault(finding.case.surface, input):
        return None
    [found] = check([decode(input)])
    return found.about(finding.fingerprint) if found and finding.fingerprint in found.fingerprints else None


def _with_less(value: Json) -> Iterator[Json]:
    """Yield a value with a part of it left out or made plainer: the most first, and what stands highest."""
    if isinstance(value, dict):
        yield from _plainer(value)
        yield from ({name: value[name] for name in value if name != left_out} for left_out in value)
        yield from ({**value, name: None} for name in value if name != _ODD and value[name] is not None)
        yield from ({**value, name: less} for name, item in value.items() for less in _with_less(item))
    elif isinstance(value, list):
        for size in range(len(value), 0, -1):
            yield from ([*value[:start], *value[start + size :]] for start in range(len(value) - size + 1))
        for index, item in enumerate(value):
            yield from ([*value[:index], less, *value[index + 1 :]] for less in _with_less(item))


def _plainer(value: dict[str, Json]) -> Iterator[Json]:
    """Yield what is shorter and plain, in the place of an encoded number or file."""
    for tag in _PLAIN.keys() & value.keys():
        yield from ({tag: text} for text in _PLAIN[tag] if len(text) < len(value[tag]))
