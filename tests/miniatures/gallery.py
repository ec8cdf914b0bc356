"""The gallery's list, and how a wrong implementation gets into it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar
from unittest.mock import patch

from reimpl import door

Input = Mapping[str, Any]
Answer = dict[str, Any]
Run = Callable[[str, Input], Answer]
Rule = TypeVar("Rule", bound=Callable[..., Any])

GALLERY: dict[str, str] = {}
"""Each miniature's name and the surface on which it is wrong."""
DOORS: dict[str, Run] = {}
"""The doors of the miniatures, by name."""


def wrong_on(surface: str) -> Callable[[Run], Run]:
    """Enter a miniature that is written as a door."""

    def enter(run: Run) -> Run:
        _enter(run, surface, run)
        return run

    return enter


def wrong_rule(surface: str, owner: Any, name: str) -> Callable[[Rule], Rule]:
    """Enter a miniature that is reimpl with this function in the place of one of its own."""

    def enter(rule: Rule) -> Rule:
        def run(surface: str, input: Input) -> Answer:
            with patch.object(owner, name, rule):
                return door.run(surface, input)

        _enter(rule, surface, run)
        return rule

    return enter


def _enter(fault: Callable[..., Any], surface: str, run: Run) -> None:
    """Give a door the name and the docstring of the function that states the fault."""
    name = fault.__name__
    assert name not in GALLERY, f"two miniatures are called {name}"
    run.__doc__ = fault.__doc__
    GALLERY[name] = surface
    DOORS[name] = run


def naive_sum(values: Sequence[int | float]) -> int | float:
    """Add from left to right, as `sum()` did before Python 3.12."""
    total: int | float = 0
    for value in values:
        total += value
    return total


def naive_mean(values: Sequence[int | float]) -> float:
    """Divide a naive sum."""
    return naive_sum(values) / len(values)
