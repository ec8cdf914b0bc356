"""What became of the mutants, held against the list of those that are equivalent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from pathlib import Path

import tomllib
from rich import box
from rich.table import Table

from tests.mutants.mutation import Mutant
from tests.mutants.suite import STAGES

LIST = Path(__file__).with_name("equivalents.toml")
TIME = "time"
COLUMNS = (*STAGES, TIME)
"""What kills mutants: the stages of the suite, and not coming to an end."""

Name = tuple[str, str, str]
"""Where a mutant is, and its line before and after the change."""


def listed(modules: Collection[str], path: Path = LIST) -> set[Name]:
    """Read which mutants of these modules are equivalent."""
    found = set[Name]()
    for entry in tomllib.loads(path.read_text(encoding="utf-8"))["equivalent"]:
        assert entry["reason"], f"no reason is given for {entry['mutants']}"
        for where, was, now in entry["mutants"]:
            assert (where, was, now) not in found, f"listed twice: {where}: {was} → {now}"
            if where.partition(".")[0] in modules:
                found.add((where, was, now))
    return found


class Tally:
    """What killed each mutant, or that it survives."""

    def __init__(self) -> None:
        self.killers: dict[str, Counter[str]] = {}
        self.survivors: dict[Name, Mutant] = {}
        self._killed: dict[Name, str] = {}

    @property
    def judged(self) -> int:
        """The number of mutants so far."""
        return len(self._killed) + len(self.survivors)

    def take(self, mutant: Mutant, killer: str | None) -> None:
        """Take in a verdict."""
        counts = self.killers.setdefault(mutant.module, Counter())
        if killer is None:
            self.survivors[mutant.name] = mutant
        else:
            self._killed[mutant.name] = killer
            counts[killer] += 1

    def faults(self, equivalent: set[Name]) -> list[str]:
        """Say which survivors are not listed, and which entries of the list are wrong."""
        shown = {name: f"{name[0]}\n  - {name[1]}\n  + {name[2]}" for name in [*equivalent, *self.survivors]}
        return [
            *(f"survives: {shown[name]}" for name in self.survivors if name not in equivalent),
            *(
                f"listed as equivalent, and killed by {self._killed[name]}: {shown[name]}"
                for name in sorted(equivalent & self._killed.keys())
            ),
            *(
                f"listed as equivalent, and there is no such mutant: {shown[name]}"
                for name in sorted(equivalent - self._killed.keys() - self.survivors.keys())
            ),
        ]


def table(tally: Tally, equivalent: set[Name]) -> Table:
    """Lay out what killed how many mutants of each module."""
    equivalents = Counter(mutant.module for name, mutant in tally.survivors.items() if name in equivalent)
    survivors = Counter(mutant.module for name, mutant in tally.survivors.items() if name not in equivalent)
    laid = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), show_footer=True)
    columns = {name: Counter({module: each[name] for module, each in tally.killers.items()}) for name in COLUMNS}
    columns |= {"equivalent": equivalents, "survivors": survivors}
    columns = {"mutants": sum(columns.values(), Counter())} | columns
    laid.add_column("module", "all", no_wrap=True)
    for name, column in columns.items():
        laid.add_column(name, str(column.total()), justify="right", no_wrap=True)
    for module in sorted(tally.killers):
        laid.add_row(module, *(str(column[module] or "·") for column in columns.values()))
    return laid
