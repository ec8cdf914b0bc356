"""What the default run compares, recorded once: the cases do not depend on the mutant, and neither does harbor."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from parity import corpus
from parity.cli.run import EXAMPLES
from parity.codec import Json, encode
from parity.compare import same
from parity.implementation import ORACLE, Run, outcome_of
from parity.search import Unit, drawn
from parity.session import Plan, units
from parity.surfaces import SURFACES, chosen


@dataclass(frozen=True)
class Recording:
    """A case and harbor's outcome, or the one that the corpus expects."""

    surface: str
    input: Mapping[str, Any]
    truth: Json

    def diverges(self, run: Run) -> bool:
        """Give the case to an implementation."""
        given = outcome_of(run, self.surface, self.input)
        if same(given, self.truth):
            return False
        relaxed, input = SURFACES[self.surface].relaxed, encode(self.input)
        return not same(relaxed(input, given), relaxed(input, self.truth))


def corpus_recordings() -> list[Recording]:
    """Read the corpus."""
    return [
        Recording(entry.case.surface, entry.case.native(), entry.expect) for entry in corpus.entries([corpus.folder()])
    ]


def default_units() -> list[Unit]:
    """List the units of `parity run` with its default settings."""
    return list(units(Plan(chosen(None), EXAMPLES, seed=0, jobs=1)))


def unit_recordings(unit: Unit) -> list[Recording]:
    """Ask harbor about every case of a unit."""
    oracle = ORACLE.load()
    return [Recording(unit.surface, input, outcome_of(oracle, unit.surface, input)) for input in drawn(unit)]
