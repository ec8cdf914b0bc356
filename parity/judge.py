"""The judge: gives one case to two implementations and says where they diverge."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from parity.case import Case
from parity.codec import Json, encode
from parity.compare import Divergence, divergences, fingerprint, same
from parity.implementation import Implementation, outcome_of
from parity.surfaces import SURFACES


@dataclass(frozen=True)
class Finding:
    """A case on which two implementations diverge."""

    case: Case
    a: Json
    b: Json
    divergences: tuple[Divergence, ...]
    seen: int = 1
    """How often this fingerprint came up."""
    note: str = ""
    """Why the case is in the corpus, if it is."""

    @property
    def fingerprint(self) -> str:
        """The fault's name: that of the first divergence."""
        return fingerprint(self.case.surface, self.divergences[0])

    @property
    def size(self) -> tuple[int, str]:
        """What makes one case plainer than another with the same fault."""
        text = str(self.case.input)
        return len(text), text


def merged(one: Finding, other: Finding) -> Finding:
    """Keep the plainer of two findings of one fingerprint, and count both."""
    return replace(min(one, other, key=lambda finding: finding.size), seen=one.seen + other.seen)


class Judge:
    """Compares two implementations, case by case."""

    def __init__(self, a: Implementation, b: Implementation) -> None:
        self._a = a.load()
        self._b = b.load()

    def finding(self, surface: str, input: Mapping[str, Any]) -> Finding | None:
        """Run a case on both sides; None means that they agree to the last bit."""
        a = outcome_of(self._a, surface, input)
        b = outcome_of(self._b, surface, input)
        if same(a, b):  # nearly always, so no case is encoded and no relaxation worked out for it
            return None
        return diverging(Case(surface, encode(input)), a, b)


def diverging(case: Case, a: Json, b: Json, note: str = "") -> Finding | None:
    """Compare two encoded outcomes of a case under the surface's relaxations."""
    relaxed = SURFACES[case.surface].relaxed
    found = divergences(relaxed(case.input, a), relaxed(case.input, b))
    return Finding(case, a, b, tuple(found), note=note) if found else None
