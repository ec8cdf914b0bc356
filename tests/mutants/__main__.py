"""`python -m tests.mutants [MODULE…]`: judge the mutants of reimpl, or of some of its modules."""

from __future__ import annotations

import multiprocessing
import os
import sys
import time
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from rich.console import Console

from parity.implementation import require_oracle
from parity.processes import cores, settle
from parity.report import console
from parity.scratch import scratch
from tests.mutants.mutation import Mutant, mutants_of, planted
from tests.mutants.processes import Died, each_in_its_own
from tests.mutants.reach import Reach
from tests.mutants.recordings import Recording, corpus_recordings, default_units, unit_recordings
from tests.mutants.suite import STAGES, TIERS, Suite
from tests.mutants.tally import TIME, Tally, listed, table
from tests.mutants.uses import modules

# Wrong in a way that each part of the suite must notice by itself.
WRONG = ("metrics", "    return max(values)\n", "    return min(values)\n")
# What must kill a planted mutant when it is given to these stages.
PLANTED: tuple[tuple[tuple[str, str, str], tuple[str, ...], str | None], ...] = (
    *((WRONG, (stage,), stage) for stage in (*TIERS, "tests")),
    (("render", "        digits *= 2\n", "        digits *= 1\n"), STAGES, TIME),
    (("stats", "import annotations", "import no_such_feature"), STAGES, "import"),
    (("stats", "in this order a nan becomes 0", "a comment changes nothing"), STAGES, None),
)


class Progress:
    """One line that is written over on a terminal, a line now and then in a pipe."""

    def __init__(self, out: Console) -> None:
        self._out = out
        self._started = time.monotonic()
        self._spoken = 0.0

    @property
    def clock(self) -> str:
        """The time since the start."""
        minutes, seconds = divmod(round(time.monotonic() - self._started), 60)
        return f"{minutes} min {seconds} s"

    def tell(self, text: str, *, at_once: bool = False) -> None:
        """Say how far the work has come."""
        now = time.monotonic()
        if at_once or now - self._spoken >= (0.2 if self._out.is_terminal else 30):
            self._spoken = now
            self._out.print(f"{self.clock}: {text:<70}", end="\r" if self._out.is_terminal else "\n", soft_wrap=True)


def prepare(chosen: list[str], progress: Progress, place: Path) -> tuple[Suite, list[Mutant]]:
    """Record what harbor answers, and make the mutants, on all cores."""
    recordings: dict[str, list[Recording]] = {tier: [] for tier in TIERS}
    recordings["corpus"] = corpus_recordings()
    mutants: dict[str, list[Mutant]] = {}
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(cores(), context, settle, (str(place),)) as pool:
        units = {pool.submit(unit_recordings, unit): unit for unit in default_units()}
        made = {pool.submit(mutants_of, module): module for module in chosen}
        futures: list[Future[Any]] = [*units, *made]
        for number, future in enumerate(as_completed(futures), start=1):
            if future in units:
                recordings[units[future].tier] += future.result()
            else:
                mutants[made[future]] = future.result()
            progress.tell(f"asking harbor and making mutants, {number} of {len(futures)} parts done")
    return Suite(recordings), [mutant for module in chosen for mutant in mutants[module]]


def killed_by(verdict: str | Died | None) -> str | None:
    """Name what killed a mutant."""
    return TIME if isinstance(verdict, Died) else verdict


def judged_alone(suite: Suite, reach: Reach, mutant: Mutant, stages: tuple[str, ...], place: Path) -> str | None:
    """Judge one mutant."""
    [(_, verdict)] = each_in_its_own([mutant], lambda each, folder: suite.judge(each, reach, folder, stages), 1, place)
    return killed_by(verdict)


def check_the_judge(suite: Suite, place: Path) -> Reach:
    """See that reimpl survives as it is, and that planted mutants are killed by what ought to kill them."""
    [(_, explored)] = each_in_its_own(["reimpl"], lambda _, folder: suite.explore(folder), 1, place)
    assert not isinstance(explored, Died), "reimpl as it is did not come to an end"
    stage, reach = explored
    assert stage is None, f"reimpl as it is fails: {stage}"
    for change, stages, expected in PLANTED:
        killer = judged_alone(suite, reach, planted(*change), stages, place)
        assert killer == expected, f"a planted mutant is killed by {killer}, and not by {expected}: {change}"
    return reach


def judge_all(suite: Suite, mutants: list[Mutant], progress: Progress, place: Path) -> Tally:
    """Judge every mutant on all cores."""
    progress.tell("judging reimpl as it is, and planted mutants", at_once=True)
    reach = check_the_judge(suite, place)
    tally = Tally()
    verdicts = each_in_its_own(mutants, lambda mutant, folder: suite.judge(mutant, reach, folder), cores(), place)
    for mutant, verdict in verdicts:
        tally.take(mutant, killed_by(verdict))
        progress.tell(f"{tally.judged} of {len(mutants)} mutants judged, {len(tally.survivors)} survive")
    return tally


def main() -> None:
    """Judge the mutants; one that survives unlisted, or is listed and does not, is an exit code of 1."""
    require_oracle()
    chosen = [module for module in modules() if module in (sys.argv[1:] or modules())]
    out, progress = console(), Progress(console(stderr=True))
    # Test files are run by pytest again and again, which other plugins would make slower.
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    with scratch() as place:
        suite, mutants = prepare(chosen, progress, place)
        tally = judge_all(suite, mutants, progress, place)
    equivalent = listed(chosen)
    faults = tally.faults(equivalent)
    for fault in faults:
        out.print(fault, soft_wrap=True, markup=False)
    out.print(table(tally, equivalent))
    out.print(f"{len(mutants)} mutants on {cores()} cores in {progress.clock}")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
