"""Adding numbers as CPython 3.12's ``sum()`` does, with the same bits on every Python version.

``sum()`` compensates for rounding since 3.12 (``sum([0.1] * 10)`` is ``1.0``, and ``0.9999999999999999`` before), and
3.14 compensates for ints among floats too, which 3.12 does not. Scores must not depend on the Python a runner happens
to have, so the rule of 3.12 is written out here.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from math import isfinite

# The builtin keeps ints in a C long, which has 64 bits where harbor runs.
_LONG_MIN, _LONG_MAX = -(2**63), 2**63 - 1


def has_the_rule(implementation: str, version: tuple[object, ...], platform: str) -> bool:
    """Tell whether the builtin of a Python is the rule of 3.12; the tests compare the two."""
    return implementation == "cpython" and (3, 12) <= version < (3, 14) and platform != "win32"


def total_by_rule(values: Iterable[int | float]) -> int | float:
    """Add up numbers by the rule of 3.12, written out.

    Ints are added exactly until a float appears; from then on floats are added with compensation and ints without.
    An int or a sum of ints outside 64 bits ends all compensation: what has been compensated is settled, and plain
    addition does the rest.
    """
    items = iter(values)
    total = 0
    for item in items:
        if isinstance(item, float):
            return _float_total(total + item, items)
        total += item
        if not (_LONG_MIN <= item <= _LONG_MAX and _LONG_MIN <= total <= _LONG_MAX):
            return _plain_total(total, items)
    return total


def _float_total(total: float, items: Iterator[int | float]) -> int | float:
    compensation = 0.0
    for item in items:
        if isinstance(item, float):
            subtotal = total + item
            if abs(total) >= abs(item):
                compensation += (total - subtotal) + item
            else:
                compensation += (item - subtotal) + total
            total = subtotal
        elif _LONG_MIN <= item <= _LONG_MAX:
            total += float(item)
        else:
            return _plain_total(_settled(total, compensation) + item, items)
    return _settled(total, compensation)


def _plain_total(total: float, items: Iterator[int | float]) -> int | float:
    for item in items:
        total += item
    return total


def _settled(total: float, compensation: float) -> float:
    # Adding a zero would turn -0.0 into 0.0, and adding nan would spoil an infinite total.
    return total + compensation if compensation and isfinite(compensation) else total


total: Callable[[Iterable[int | float]], int | float] = (
    sum if has_the_rule(sys.implementation.name, sys.version_info, sys.platform) else total_by_rule
)
"""Add up numbers as ``sum()`` does on CPython 3.12; where the builtin does, it is faster."""
