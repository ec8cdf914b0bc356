"""What an audit says of a job directory."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Any

_LONG = 160
"""A text longer than this is shown by its ends."""


class Verdict(Enum):
    """Whether a figure follows from the trials."""

    FOLLOWS = "follows"
    SOME_ORDER = "follows in some order"
    DIFFERS = "does not follow"
    UNDECIDED = "not decided"
    NOT_JUDGED = "not judged"


FAILED = frozenset({Verdict.DIFFERS, Verdict.UNDECIDED})
"""Exit code 0 says that all was shown to follow, so what could not be decided is no reason for it."""


@dataclass(frozen=True)
class Figure:
    """One figure of ``result.json``: what is recorded, and what the trials give."""

    path: str
    verdict: Verdict
    recorded: str = ""
    computed: str = ""
    note: str = ""


@dataclass(frozen=True)
class Problem:
    """Something about one trial: missing, extra, changed, malformed."""

    trial: str
    kind: str
    note: str


@dataclass
class Audit:
    """All that is said of one job directory."""

    directory: str
    release: str | None = None
    state: str = "unknown"
    trials: int = 0
    order: str = "nothing"
    order_recovered: bool = False
    outcome: str | None = None
    figures: list[Figure] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    @property
    def failed(self) -> list[Figure]:
        """The figures that were not shown to follow."""
        return [figure for figure in self.figures if figure.verdict in FAILED]

    @property
    def follows(self) -> bool:
        """Whether everything that was judged follows, and nothing is wrong with a trial."""
        return not self.failed and not self.problems

    def to_json(self) -> dict[str, Any]:
        """Give all findings as JSON has them (docs/audit.md)."""
        return {
            "directory": escaped(self.directory),
            "follows": self.follows,
            "release": None if self.release is None else escaped(self.release),
            "state": self.state,
            "trials": self.trials,
            "order": {"by": self.order, "recovered": self.order_recovered},
            "outcome": self.outcome,
            "figures": [
                {
                    "figure": escaped(figure.path),
                    "verdict": figure.verdict.value,
                    "recorded": figure.recorded,
                    "computed": figure.computed,
                    "note": escaped(figure.note),
                }
                for figure in self.figures
            ],
            "problems": [
                {"trial": escaped(problem.trial), "kind": problem.kind, "note": escaped(problem.note)}
                for problem in self.problems
            ],
            "remarks": [escaped(remark) for remark in self.remarks],
        }


def escaped(text: str) -> str:
    """Write a text of unknown origin so that it stays on its line and does nothing to a terminal."""
    return "".join(char if char.isprintable() else _escape(char) for char in text)


def shown(text: str) -> str:
    """Shorten a text for the eye."""
    safe = escaped(text)
    return safe if len(safe) <= _LONG else f"{safe[:100]}…{safe[-40:]} ({len(safe):,} characters)"


def _escape(char: str) -> str:
    return char.encode("unicode_escape", "backslashreplace").decode("ascii")
