"""How soon the gallery's wrong implementations are found: `nox -s power [-- SURFACE… --seconds S --seeds N]`.

Each miniature is hunted as `parity run` would, and within a few CPU seconds by the exhaustive tier alone, by the
strategies that one writes first, and by a coverage-guided fuzzer. One that the run misses is an exit code of 1.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from itertools import product
from typing import TypeVar

from parity.processes import cores, environment
from parity.report import console
from parity.scratch import scratch
from parity.surfaces import LIVE
from tests.miniatures import GALLERY
from tests.power.hunt import COLUMNS, hunt, median, miniatures_of, minimal_size, warm_up
from tests.power.table import Row, tell

SECONDS = 2.5
"""CPU time of a hunt for one miniature, times the surface's weight: what the generated cases of a run take at most."""
SEEDS = 3

T = TypeVar("T")


def main() -> None:
    """Hunt the gallery and print the table."""
    parser = argparse.ArgumentParser(prog="power", description="How soon the gallery's wrong implementations are found")
    parser.add_argument("surfaces", nargs="*", metavar="SURFACE", help="one of: " + ", ".join(LIVE))
    parser.add_argument("--seconds", type=float, default=SECONDS, help="CPU time of a hunt for one miniature")
    parser.add_argument("--seeds", type=int, default=SEEDS, help="how often everything is measured")
    options = parser.parse_args()
    if unknown := set(options.surfaces) - LIVE.keys():
        parser.error(f"not a live surface: {', '.join(sorted(unknown))}")
    surfaces = [surface for surface in LIVE if surface in (options.surfaces or LIVE)]
    with started_pool() as pool:
        rows = hunt_all(pool, surfaces, range(options.seeds), options.seconds)
    tell(console(), rows)
    sys.exit(not all(each.found for row in rows for each in row.hunts["run"]))


@contextmanager
def started_pool() -> Iterator[ProcessPoolExecutor]:
    """Start a process a core, all of which keep their files in one place."""
    context = multiprocessing.get_context("spawn")
    with (
        scratch() as place,
        environment(PYTHONHASHSEED="0", HYPOTHESIS_STORAGE_DIRECTORY=str(place), TMPDIR=str(place)),
        ProcessPoolExecutor(cores(), context, warm_up) as pool,
    ):
        yield pool


def hunt_all(pool: ProcessPoolExecutor, surfaces: list[str], seeds: range, budget: float) -> list[Row]:
    """Hunt the miniatures of these surfaces for every column, and shrink what the run found."""
    # The fuzzer takes longest. The exhaustive tier is the same for every seed, and whole jobs take too long for three.
    plans = [
        (column, surface, seed)
        for column, surface, seed in product(reversed(COLUMNS), surfaces, seeds)
        if seed == 0 or (column != "exhaustive" and LIVE[surface].weight == 1)
    ]
    budgets = {surface: budget * LIVE[surface].weight for surface in surfaces}
    done = results({plan: pool.submit(hunt, *plan, budgets[plan[1]]) for plan in plans})
    hunts = {
        name: {column: [done[plan][name] for plan in plans if plan[:2] == (column, surface)] for column in COLUMNS}
        for surface in surfaces
        for name in miniatures_of(surface)
    }
    units = {name: median(each["run"]).unit for name, each in hunts.items()}
    sizes = results({(name,): pool.submit(minimal_size, name, unit) for name, unit in units.items() if unit})
    return [Row(name, budgets[GALLERY[name]], each, sizes.get((name,), 0)) for name, each in hunts.items()]


def results(futures: dict[tuple[str | int, ...], Future[T]]) -> dict[tuple[str | int, ...], T]:
    """Wait for all of them, telling which has come."""
    plans = {future: plan for plan, future in futures.items()}
    for number, future in enumerate(as_completed(plans), 1):
        sys.stderr.write(f"[{number}/{len(plans)}] {' '.join(map(str, plans[future]))}\n")
    return {plan: future.result() for plan, future in futures.items()}


if __name__ == "__main__":
    main()
