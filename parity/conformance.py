"""How an implementation stands by a JSON report: what a sheet and a badge say of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from parity.codec import Json
from parity.implementation import HARBOR_VERSION
from parity.surfaces import SURFACES
from parity.text import counted

_WHOLE = "exact"
"""The level at which everything counts: it needs no mention."""


@dataclass(frozen=True)
class Row:
    """What was compared on one surface."""

    surface: str
    cases: int
    divergences: list[Json]

    @property
    def agreed(self) -> int:
        """Cases on which the implementation answers like harbor."""
        return max(0, self.cases - sum(int(each["seen"]) for each in self.divergences))


@dataclass(frozen=True)
class Conformance:
    """A JSON report, read for what it says of the implementation under test."""

    report: Json

    @property
    def name(self) -> str:
        """The implementation, with its version if it told it."""
        return str(self.report["a"])

    @property
    def truth(self) -> str:
        """What it is compared with."""
        if self.report["b"] != "oracle":
            return str(self.report["b"])
        return f"harbor {self.report.get('oracle', {}).get('harbor', HARBOR_VERSION)}"

    @property
    def level(self) -> str:
        """How much of an outcome counted."""
        return str(self.report.get("level", _WHOLE))

    @cached_property
    def rows(self) -> list[Row]:
        """The surfaces that were compared."""
        return [
            Row(each["surface"], sum(each["cases"].values()), each["divergences"]) for each in self.report["surfaces"]
        ]

    @property
    def cases(self) -> int:
        """All cases compared."""
        return sum(row.cases for row in self.rows)

    @property
    def divergences(self) -> int:
        """All divergences, known or not: to know of one does not make it right."""
        return sum(len(row.divergences) for row in self.rows)

    @property
    def agreeing(self) -> int:
        """Surfaces without a divergence."""
        return sum(not row.divergences and row.cases > 0 for row in self.rows)

    @property
    def unfinished(self) -> str:
        """Why nothing final can be said, or nothing."""
        if self.report.get("stopped"):
            return "the comparison was stopped before its end"
        if self.report.get("partial"):
            return str(self.report["partial"])
        if self.report.get("drifted"):
            return "the harbor that was asked does not answer what was recorded of it"
        return "" if self.cases else "nothing was compared"

    @property
    def state(self) -> str:
        """`parity`, `diverged` or `stopped`: what is coloured by."""
        if self.divergences:
            return "diverged"
        return "stopped" if self.unfinished else "parity"

    @property
    def verdict(self) -> str:
        """The outcome in few words: what a badge has room for."""
        if self.divergences:
            return counted(self.divergences, "divergence")
        if self.unfinished:
            return "unfinished"
        level = "" if self.level == _WHOLE else f" ({self.level})"
        return f"conformant {self.agreeing}/{len(SURFACES)}{level}"
