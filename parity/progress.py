"""Progress while a run works."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TaskID, TextColumn, TimeElapsedColumn
from rich.text import Text

from parity.judge import Finding
from parity.replay import Replay
from parity.text import counted

_PAUSE = 10.0
"""Seconds between two lines of progress in a pipe."""


class Rate(ProgressColumn):
    """Cases a second, once there is a second to speak of."""

    def render(self, task: Task) -> Text:
        """Write the rate, or nothing yet."""
        return Text(f"{task.speed:,.0f}/s" if task.speed is not None else "", justify="right")


class Rows:
    """One row a surface on a terminal, a line now and then in a pipe: cases, rate, divergences."""

    def __init__(self, progress: Progress, expected: dict[str, int | None]) -> None:
        self._progress = progress
        self._tasks: dict[str, TaskID] = {
            name: progress.add_task(name, total=total, found=0) for name, total in expected.items()
        }
        self._found: dict[str, set[str]] = {}
        self._cases = 0
        self._started = self._spoken = time.monotonic()

    def replayed(self, replay: Replay) -> None:
        """Nothing: cases that were kept have no row."""

    def moved(self, surface: str, cases: int) -> None:
        """Take in how many more cases of a surface were judged."""
        self._cases += cases
        self._progress.update(self._tasks[surface], advance=cases)
        now = time.monotonic()
        if self._progress.disable and now - self._spoken >= _PAUSE:
            self._spoken = now
            found = counted(sum(map(len, self._found.values())), "divergence")
            self._progress.console.print(f"{now - self._started:.0f} s: {self._cases:,} cases, {found}")

    def found(self, finding: Finding) -> None:
        """Count a divergence, unless it was counted before."""
        surface = finding.case.surface
        fingerprints = self._found.setdefault(surface, set())
        fingerprints.add(finding.fingerprint)
        if surface in self._tasks:  # a surface that is only replayed has no row
            self._progress.update(self._tasks[surface], found=len(fingerprints))

    def say(self, line: str) -> None:
        """Write a line that stays, above the rows."""
        self._progress.console.print(line, markup=False, soft_wrap=True)


@contextmanager
def rows(out: Console, expected: dict[str, int | None]) -> Iterator[Rows]:
    """Show progress on each surface, with the number of cases expected, until the work is done."""
    columns = (
        TextColumn("{task.description:<12}"),
        BarColumn(bar_width=30),
        TextColumn("{task.completed:>9,.0f} cases"),
        Rate(),
        TextColumn("{task.fields[found]} divergences"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=out, transient=True, disable=not out.is_terminal) as progress:
        yield Rows(progress, expected)
