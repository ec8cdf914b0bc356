"""The judge: gives one case to two implementations and says where they diverge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from parity.case import Case
from parity.causes import causes
from parity.codec import Json, encode
from parity.compare import Divergence, divergences, fingerprint, same
from parity.implementation import Side
from parity.level import Level
from parity.surfaces import SURFACES

MOST = 100
"""Divergences that are looked for on a surface, about: who gives every error another name has no end of them."""


@dataclass(frozen=True)
class Finding:
    """A case on which two implementations diverge."""

    case: Case
    a: Json
    b: Json
    divergences: tuple[Divergence, ...]
    note: str = ""
    """Why the case is in the corpus, if it is."""
    again: Json | None = None
    """What `b` answered in another process, if that was something else: then it is not deterministic here."""

    @property
    def fingerprint(self) -> str:
        """The fault's name: that of the first divergence."""
        return self.fingerprints[0]

    @cached_property
    def fingerprints(self) -> tuple[str, ...]:
        """The names of all that differs, each once, without those of what other differences bring about."""
        surface = self.case.surface
        return tuple(dict.fromkeys(fingerprint(surface, each) for each in causes(surface, self.divergences)))

    def about(self, name: str) -> Finding:
        """Return the same finding, with this fingerprint first."""
        first = [each for each in self.divergences if fingerprint(self.case.surface, each) == name]
        return replace(self, divergences=_in_order(first, self.divergences))

    @property
    def size(self) -> tuple[int, str]:
        """What makes one case plainer than another: its length, to which what is not there adds nothing."""
        text = str(self.case.input)
        return len(text.replace("None", "")), text


def news(shown: Iterable[str], told: Mapping[str, Finding]) -> list[str]:
    """Return which fingerprints of a case are new: not told, nor in the company of one that was and is here as well.

    So two that always come together are told once, and one that comes alone too is told for itself.
    """
    names = list(shown)
    company = set[str]().union(*(told[name].fingerprints for name in names if name in told))
    return [name for name in names if name not in company and name not in told]


def charges(told: Collection[Finding]) -> dict[str, list[str]]:
    """Return, by fingerprint, what each finding answers for: that, and all beside it for which no other does."""
    taken = {finding.fingerprint for finding in told}
    charged = {}
    for finding in told:
        beside = [name for name in finding.fingerprints if name not in taken]
        taken.update(beside)
        charged[finding.fingerprint] = [finding.fingerprint, *beside]
    return charged


class Judge:
    """Compares two implementations, case by case."""

    def __init__(self, a: Side, b: Side, level: Level = Level.exact) -> None:
        self._a = a.start()
        self._b = b.start()
        self._level = level
        self.skipped: Counter[tuple[str, str]] = Counter()
        """Cases that a side did not answer, by surface and reason: they are no divergence, and prove nothing."""

    def finding(self, surface: str, input: Mapping[str, Any]) -> Finding | None:
        """Run a case on both sides; None means that they agree to the last bit."""
        [finding] = self.findings(surface, [input])
        return finding

    def findings(self, surface: str, inputs: Sequence[Mapping[str, Any]]) -> list[Finding | None]:
        """Run many cases on both sides: for a program that answers from afar, one by one would be slow."""
        both = zip(inputs, self._a(surface, inputs), self._b(surface, inputs), strict=True)
        # Nearly always both are the same, so no case is encoded and no relaxation worked out for it.
        return [None if same(a, b) else self._differing(surface, input, a, b) for input, a, b in both]

    def _differing(self, surface: str, input: Mapping[str, Any], a: Json, b: Json) -> Finding | None:
        for answer in (a, b):
            if "skipped" in answer:
                self.skipped[surface, answer["skipped"]] += 1
                return None
        return diverging(Case(surface, encode(input)), a, b, level=self._level)


def diverging(case: Case, a: Json, b: Json, note: str = "", level: Level = Level.exact) -> Finding | None:
    """Compare two encoded outcomes of a case under the surface's relaxations, at a level."""
    relaxed = SURFACES[case.surface].relaxed
    found = divergences(level.apply(relaxed(case.input, a)), level.apply(relaxed(case.input, b)))
    # By their names, so that two that come together have the same first one whichever place is before the other.
    ordered = _in_order(sorted(causes(case.surface, found), key=lambda each: fingerprint(case.surface, each)), found)
    return Finding(case, a, b, ordered, note=note) if found else None


def _in_order(first: Iterable[Divergence], found: Iterable[Divergence]) -> tuple[Divergence, ...]:
    """Put some of what was found before the rest."""
    return tuple(dict.fromkeys((*first, *found)))
