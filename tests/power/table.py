"""The table of `nox -s power`, and what follows from it."""

from __future__ import annotations

from dataclasses import dataclass

from rich import box
from rich.console import Console
from rich.table import Table

from parity.cli.run import EXAMPLES
from parity.processes import cores
from tests.miniatures import GALLERY
from tests.power.hunt import COLUMNS, Hunt, median

BASELINES = ("naive", "atheris")
WIDTH = 130


@dataclass(frozen=True)
class Row:
    """The hunts of one miniature, by column; each with every seed."""

    name: str
    budget: float
    """CPU seconds of each hunt but the run's, which goes to its end."""
    hunts: dict[str, list[Hunt]]
    size: int
    """Characters of the run's minimal case, with the seed in the middle."""

    def middle(self, column: str) -> Hunt:
        """Return the hunt of the seed in the middle."""
        return median(self.hunts[column])


def tell(out: Console, rows: list[Row]) -> None:
    """Print the table and what follows from it."""
    out.width = max(out.width, WIDTH)  # a table that is cut says nothing
    out.print(f"{len(rows)} miniatures, {cores()} cores; run: parity run --examples {EXAMPLES}")
    out.print(
        "cases and CPU seconds until found, with the seed in the middle; size of the run's minimal case in characters"
    )
    out.print(_table(rows))
    for column in COLUMNS:
        out.print(_sum(column, rows), soft_wrap=True)
    for baseline in BASELINES:
        for by, digits in (("cases", 0), ("seconds", 2)):
            out.print(_comparison(baseline, rows, by, digits), soft_wrap=True)


def _table(rows: list[Row]) -> Table:
    """Lay out the hunts, surface by surface."""
    made = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    made.add_column("miniature", no_wrap=True)
    for column in COLUMNS:
        for heading in (column, "s", "size")[: 3 if column == "run" else 2]:
            made.add_column(heading, justify="right", no_wrap=True)
    surface = ""
    for row in rows:
        if GALLERY[row.name] != surface:
            surface = GALLERY[row.name]
            made.add_section()
            n_seeds = len(row.hunts["run"])
            made.add_row(f"[bold]{surface}[/]: {row.budget:g} s, {n_seeds} seed{'s' * (n_seeds > 1)}")
        run, *others = (_cells(row.hunts[column]) for column in COLUMNS)
        made.add_row(f"  {row.name}", *run, str(row.size), *(cell for cells in others for cell in cells))
    return made


def _cells(hunts: list[Hunt]) -> tuple[str, str]:
    """Write the hunt in the middle; how many found the miniature is told when not all did."""
    middle, n_found = median(hunts), sum(each.found for each in hunts)
    share = "" if n_found in (0, len(hunts)) else f"({n_found}/{len(hunts)}) "
    return (f"{share}{middle.cases:,.0f}", f"{middle.seconds:.2f}") if middle.found else (f"{share}–", "")


def _sum(column: str, rows: list[Row]) -> str:
    """Say how many miniatures a column found within the time."""
    shares = [[each.found and each.seconds <= row.budget for each in row.hunts[column]] for row in rows]
    every, some = sum(map(all, shares)), sum(map(any, shares))
    return f"{column}: {every} of {len(rows)} found in time with every seed, {some} with at least one"


def _comparison(baseline: str, rows: list[Row], by: str, digits: int) -> str:
    """Say which miniatures a baseline finds sooner than the run, as far as the table shows it."""
    both = [
        (row.name, *(round(getattr(row.middle(column), by), digits) for column in (baseline, "run")))
        for row in rows
        if row.middle(baseline).found
    ]
    sooner = [
        f"{name} ({theirs:,.{digits}f} against {ours:,.{digits}f})" for name, theirs, ours in both if theirs < ours
    ]
    return f"{baseline} is sooner than the run by {by} on {len(sooner)}: {', '.join(sooner)}"
