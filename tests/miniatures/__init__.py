"""Tiny wrong implementations: reimpl with one rule broken, each in a way that people break it.

They test the harness: an implementation that is wrong must be found. Each has a door of its own, reached as
`tests.miniatures:<name>`, and its docstring states the fault.
"""

from tests.miniatures import attempts, jobs, readers, recordings, statistics, steps, summaries, tables
from tests.miniatures.gallery import DOORS, GALLERY, Run, naive_sum

__all__ = [
    "GALLERY",
    "attempts",
    "jobs",
    "naive_sum",
    "readers",
    "recordings",
    "statistics",
    "steps",
    "summaries",
    "tables",
]


def __getattr__(name: str) -> Run:
    """Return the door of a miniature."""
    if name not in DOORS:
        raise AttributeError(f"there is no miniature {name}")
    return DOORS[name]
