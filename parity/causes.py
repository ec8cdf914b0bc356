"""Causes: which of the places where one case differs bring about the others.

A trial of a whole job that has another reward changes what is written of its group, of the job and of every run after
it. That is one fault, so only the trial's place gives it a name; the others are shown with it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from parity.compare import Divergence

Layers = tuple[str, ...]
"""Patterns of general paths with their kinds: what one finds comes before, and explains, what those after it find."""
_REST = ""
_EXCEPTION = r"\.exception(?!\.message)"
"""An exception but for its words, which bring nothing about."""

_GROUPS = (r"value(\.runs\[\d+\]\.\w+)?(\.stats)?\.evals", (r"\.evals\[\*\] only", _REST))
"""A group that only one side has holds what the others lack."""
_JOB: tuple[tuple[str, Layers], ...] = (
    (r"value\.trials\[\d+\](\.steps\[\d+\])?\.exception", (r"\.exception\.type", _REST)),
    (r"value\.trials\[\d+\]\.steps\[\d+\]", (r"\.name", _EXCEPTION, r"\.verified", _REST)),
    (
        r"value\.trials\[\d+\]",
        (r"\.finished", r"\.trials\[\*\]\.name", r"\.steps(?!.*\.message)", _EXCEPTION, r"\.verified", _REST),
    ),
    (r"value\.runs\[\d+\]\.\w+(?=\.stats|\.n_total_trials)", (r"\.n_total_trials|\.n_retries", _REST)),
    (r"value\.runs\[\d+\]", (r"\.ended", r"\.error(?!.*\.message)", _REST)),
    # A trial that did not come to its end is no cause of the job's end, nor are an exception's words; any other is.
    (r"value(?!.*\.exception\.message$)", (r"\.trials\[\*\]\.(?!finished)", r"\.ended", r"\.trials", _REST)),
)

SCOPES: dict[str, tuple[tuple[str, Layers], ...]] = {
    "pass_at_k": ((r"value", (r"^value\[\*\] only", _REST)),),
    "job_stats": (_GROUPS,),
    "job_result": (_GROUPS,),
    "job_run": (_GROUPS, *_JOB),
}
"""By surface, parts of an outcome, the inner ones first: of what differs in a part, only the first layer is a cause."""


def causes(surface: str, found: Sequence[Divergence]) -> list[Divergence]:
    """Return the divergences of a case that no other of them brings about: never none."""
    left = list(found)
    for part, layers in SCOPES.get(surface, ()):
        inside: dict[str, list[Divergence]] = {}
        for each in left:
            if place := re.match(part, each.path):
                inside.setdefault(place[0], []).append(each)
        effects = {each for some in inside.values() for each in _effects(some, layers)}
        left = [each for each in left if each not in effects]
    return left


def _effects(found: list[Divergence], layers: Layers) -> list[Divergence]:
    """Return what is not in the first layer that holds anything."""
    for layer in layers:
        effects = [each for each in found if not re.search(layer, f"{each.general_path} {each.kind}")]
        if len(effects) < len(found):
            return effects
    return []
