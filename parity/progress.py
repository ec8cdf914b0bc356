"""Progress while a run works: live rows on a terminal, nothing in a pipe."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn


class Rows:
    """One row a surface: cases, rate, fingerprints."""

    def __init__(self, progress: Progress, expected: dict[str, int | None]) -> None:
        self._progress = progress
        self._tasks: dict[str, TaskID] = {
            name: progress.add_task(name, total=total, found=0) for name, total in expected.items()
        }
        self._found = dict.fromkeys(expected, 0)

    def moved(self, surface: str, cases: int, found: int) -> None:
        """Take in progress on a surface."""
        self._found[surface] += found
        self._progress.update(self._tasks[surface], advance=cases, found=self._found[surface])


@contextmanager
def rows(out: Console, expected: dict[str, int | None]) -> Iterator[Rows]:
    """Show a row for each surface, with the number of cases expected, until the work is done."""
    columns = (
        TextColumn("{task.description:<12}"),
        BarColumn(bar_width=30),
        TextColumn("{task.completed:>9,.0f} cases"),
        TextColumn("{task.speed:>8,.0f}/s", justify="right"),
        TextColumn("{task.fields[found]} fingerprints"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=out, transient=True, disable=not out.is_terminal) as progress:
        yield Rows(progress, expected)
