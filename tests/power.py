"""How soon the gallery's wrong implementations are found, by the default run and by naive strategies: `nox -s power`.

Each miniature is hunted as `parity run` would: the exhaustive tier, then generated cases. The generated cases are also
hunted alone, and so are as many cases of the strategies that one writes first. Cases and CPU seconds are those until
the first finding; the size is that of the minimal case of the default run, in characters as a report shows it.
"""

from __future__ import annotations

import json
import math
import multiprocessing
import os
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from itertools import product
from typing import Any
from unittest.mock import patch

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy
from rich import box
from rich.console import Console
from rich.table import Table

from parity import exhaustive, strategies
from parity.case import Case
from parity.cli.run import EXAMPLES
from parity.codec import Record, encode
from parity.implementation import ORACLE, REIMPL, Implementation, outcome_of
from parity.judge import Judge, diverging
from parity.pool import cores
from parity.report import console
from parity.scratch import scratch
from parity.search import Unit, search, visit
from parity.session import Plan, units
from parity.surfaces import LIVE, chosen
from parity.telling import own
from parity.text import value_text
from tests.miniatures import GALLERY

SEEDS = (0, 1, 2)

# --- Naive strategies -------------------------------------------------------------------------------------------------

_METRICS = ("mean", "max", "min", "sum")
_count = st.integers(min_value=0)
_report = st.none() | _count
_number = st.one_of(st.integers(), st.floats())
_name = st.one_of(st.just("reward"), st.text())
_rewards = st.none() | st.dictionaries(_name, _number).map(own)
_document = st.dictionaries(_name, st.one_of(_number, st.booleans(), st.text(), st.none()))


def _record(**fields: SearchStrategy[Any]) -> SearchStrategy[Record]:
    return st.fixed_dictionaries(fields).map(Record)


def _result(fields: Record) -> Record:
    return fields if fields["verified"] else Record({**fields, "rewards": None})


_trial = _record(
    task=st.text(),
    name=st.text(),
    source=st.none() | st.text(),
    agent=st.text(),
    model=st.none() | st.text(),
    verified=st.booleans(),
    rewards=_rewards,
    exception=st.none() | st.text(),
    tokens=st.none() | _record(input=_report, cache=_report, output=_report, cost_usd=st.none() | st.floats()),
).map(_result)


def _reward_files() -> SearchStrategy[Record]:
    txt = st.one_of(st.none(), st.binary(), _number.map(lambda number: repr(number).encode()))
    document = st.one_of(st.none(), st.binary(), _document.map(lambda value: json.dumps(value).encode()))
    return _record(**{"reward.txt": txt, "reward.json": document})


def _metric() -> SearchStrategy[Record]:
    return _record(metric=st.sampled_from(_METRICS), rewards=st.lists(_rewards))


def _pass_at_k() -> SearchStrategy[Record]:
    return _record(trials=st.lists(_trial))


@st.composite
def _job_stats(draw: DrawFn) -> Record:
    steps: list[Record] = []
    seen = 0
    for op, trial, index in draw(st.lists(st.tuples(st.sampled_from(("add", "remove", "replace")), _trial, _count))):
        if op == "remove" and seen:
            steps.append(Record(op=op, trial=index % seen))
        elif op != "remove":
            again = op == "replace" and seen
            steps.append(Record(op=op, trial=trial, previous=index % seen) if again else Record(op="add", trial=trial))
            seen += 1
    return Record(n_total_trials=draw(st.none() | _count), n_retries=draw(_count), steps=steps)


def _multi_step() -> SearchStrategy[Record]:
    step = _record(verified=st.booleans(), rewards=_rewards).map(_result)
    return _record(strategy=st.sampled_from((None, "mean", "final")), steps=st.lists(step))


def _min_reward() -> SearchStrategy[Record]:
    return _record(rewards=_rewards, min_reward=st.one_of(_number, st.dictionaries(_name, _number)))


def _job_result() -> SearchStrategy[Record]:
    moment = st.datetimes().map(lambda value: value.isoformat())
    return _record(
        id=st.uuids().map(str),
        started_at=moment,
        finished_at=moment,
        n_attempts=st.integers(1, 5),
        n_retries=_count,
        metrics=st.dictionaries(st.just("adhoc") | st.text(), st.lists(st.sampled_from(_METRICS))),
        trials=st.lists(_trial),
    )


NAIVE: dict[str, Callable[[], SearchStrategy[Record]]] = {
    "reward_files": _reward_files,
    "metric": _metric,
    "pass_at_k": _pass_at_k,
    "job_stats": _job_stats,
    "multi_step": _multi_step,
    "min_reward": _min_reward,
    "job_result": _job_result,
}

# --- Hunting ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Hunt:
    """What came of one hunt; without a finding, `cases` is infinite."""

    cases: float
    seconds: float
    size: int = 0
    """Characters of the plainest case found in the same unit."""


def found(hunt: Hunt) -> bool:
    """Tell whether a hunt found its miniature."""
    return hunt.cases < math.inf


def median(hunts: list[Hunt]) -> Hunt:
    """Return the hunt in the middle."""
    return sorted(hunts, key=lambda each: each.cases)[len(hunts) // 2]


def miniatures_of(surface: str) -> dict[str, Implementation]:
    """Return the miniatures of a surface by name."""
    return {name: Implementation(name, f"tests.miniatures:{name}") for name, each in GALLERY.items() if each == surface}


def units_of(surface: str, tier: str, seed: int) -> list[Unit]:
    """List the units of one tier of the default run."""
    return [unit for unit in units(Plan(chosen([surface]), EXAMPLES, seed, jobs=1)) if unit.tier == tier]


def size_of(case: Case) -> tuple[int, str]:
    """Return what makes one case plainer than another, as the run sees it."""
    return len(str(case.input)), str(case.input)


class Pack:
    """Hunts all miniatures of a surface with the same cases.

    A case does not depend on what was found before, so it is drawn once and harbor is asked once. The clock counts what
    a hunt of one miniature would take: drawing, harbor and, for the miniature, reimpl.
    """

    def __init__(self, surface: str) -> None:
        self.surface = surface
        self.hunts: dict[str, Hunt] = {}
        self._plainest: dict[str, Case] = {}
        self._cases = 0
        self._paused = 0.0
        self._started = time.process_time()
        self._right, self._oracle = REIMPL.load(), ORACLE.load()
        self._hunted = {name: wrong.load() for name, wrong in miniatures_of(surface).items()}

    def judge(self, input: Mapping[str, Any]) -> None:
        """Give a case to all miniatures that are still hunted."""
        self._cases += 1
        truth = outcome_of(self._oracle, self.surface, input)
        right = outcome_of(self._right, self.surface, input)
        seconds = self._seconds()
        case = Case(self.surface, encode(input))
        assert right == truth or diverging(case, right, truth) is None, f"reimpl and harbor differ on {input}"
        for name, wrong in self._hunted.items():
            given = outcome_of(wrong, self.surface, input)
            if given == truth or not self._is_plainer(name, case) or diverging(case, given, truth) is None:
                continue
            self.hunts.setdefault(name, Hunt(self._cases, seconds))
            self._plainest[name] = case
        self._paused += self._seconds() - seconds

    def end_unit(self) -> None:
        """Hunt no longer what was found, and keep its minimal case."""
        for name in self._plainest.keys() & self._hunted.keys():
            del self._hunted[name]
            self.hunts[name] = replace(self.hunts[name], size=len(value_text(self._plainest[name].input)))

    def end(self) -> dict[str, Hunt]:
        """Return all hunts."""
        seconds = self._seconds()
        return self.hunts | {name: Hunt(math.inf, seconds) for name in self._hunted if name not in self.hunts}

    def _seconds(self) -> float:
        return time.process_time() - self._started - self._paused

    def _is_plainer(self, name: str, case: Case) -> bool:
        return name not in self._plainest or size_of(case) < size_of(self._plainest[name])


def hunt_with(kind: str, surface: str, seed: int) -> dict[str, Hunt]:
    """Hunt with the `exhaustive` tier, with `generated` cases or with as many `naive` ones."""
    pack = Pack(surface)
    strategy = NAIVE[surface] if kind == "naive" else getattr(strategies, surface)
    with patch.object(strategies, surface, strategy):
        for unit in units_of(surface, "exhaustive" if kind == "exhaustive" else "generated", seed):
            visit(unit, pack.judge)
            pack.end_unit()
    return pack.end()


def minimal_size(name: str, seed: int) -> int:
    """Return the size of the minimal case that the generated cases of a seed lead to."""
    judge, surface = Judge(miniatures_of(GALLERY[name])[name], ORACLE), GALLERY[name]
    for unit in units_of(surface, "generated", seed):
        findings = search(unit, judge, lambda *_: None).findings.values()
        if findings:
            return len(value_text(min(findings, key=lambda finding: finding.size).case.input))
    return 0


@dataclass(frozen=True)
class Row:
    """The hunts of one miniature, for each seed."""

    name: str
    run: list[Hunt]
    generated: list[Hunt]
    naive: list[Hunt]
    size: int
    """Characters of the run's minimal case: that of the seed in the middle, if it is a generated one."""


def start_worker(place: str) -> None:
    """Keep case directories in one place, and import what is needed for a finding before anything is measured."""
    tempfile.tempdir = place
    for surface, naive in NAIVE.items():
        pack = Pack(surface)
        for strategy in (getattr(strategies, surface), naive):
            with patch.object(strategies, surface, strategy):
                visit(Unit(surface, "generated", 0, examples=20), pack.judge)


def hunt_all(surfaces: list[str]) -> list[Row]:
    """Hunt the miniatures of these surfaces, on all cores."""
    with scratch() as place:
        os.environ.update(PYTHONHASHSEED="0", HYPOTHESIS_STORAGE_DIRECTORY=str(place))
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(cores(), context, start_worker, (str(place),)) as pool:
            # The exhaustive tier is the same for every seed, and takes longest.
            plans = [("exhaustive", surface, 0) for surface in surfaces]
            plans += product(("naive", "generated"), surfaces, SEEDS)
            hunts: dict[tuple[str, str], list[Hunt]] = defaultdict(list)
            for (kind, _, _), done in zip(plans, pool.map(hunt_with, *zip(*plans, strict=True)), strict=True):
                for name, each in done.items():
                    hunts[kind, name].append(each)
            names = [name for surface in surfaces for name in miniatures_of(surface)]
            later = [name for name in names if not found(hunts["exhaustive", name][0])]
            seeds = [hunts["generated", name].index(median(hunts["generated", name])) for name in later]
            sizes = dict(zip(later, pool.map(minimal_size, later, [SEEDS[seed] for seed in seeds]), strict=True))
    return [
        Row(
            name,
            run_of(hunts["exhaustive", name][0], hunts["generated", name], GALLERY[name]),
            hunts["generated", name],
            hunts["naive", name],
            sizes.get(name, hunts["exhaustive", name][0].size),
        )
        for name in names
    ]


def run_of(tier: Hunt, generated: list[Hunt], surface: str) -> list[Hunt]:
    """Put the default run together: the exhaustive tier, and then the generated cases of each seed."""
    if found(tier):
        return [tier] * len(generated)
    before = exhaustive.count(surface)
    return [Hunt(before + each.cases, tier.seconds + each.seconds) for each in generated]


# --- Telling ----------------------------------------------------------------------------------------------------------


def cells(hunts: list[Hunt]) -> tuple[str, str]:
    """Write the median of a miniature's hunts; how many found it is told when not all did."""
    middle, n_found = median(hunts), sum(map(found, hunts))
    share = "" if n_found in (0, len(hunts)) else f"({n_found}/{len(hunts)}) "
    return (f"{share}{middle.cases:,.0f}", f"{middle.seconds:.2f}") if found(middle) else (f"{share}–", "")


def table(rows: list[Row]) -> Table:
    """Lay out the hunts, surface by surface."""
    made = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    made.add_column("miniature", no_wrap=True)
    for figure in ("run", "s", "size", "generated", "s", "naive", "s"):
        made.add_column(figure, justify="right", no_wrap=True)
    surface = ""
    for row in rows:
        if GALLERY[row.name] != surface:
            surface = GALLERY[row.name]
            made.add_section()
            made.add_row(f"[bold]{surface}[/]")
        made.add_row(f"  {row.name}", *cells(row.run), str(row.size), *cells(row.generated), *cells(row.naive))
    return made


def tell(out: Console, rows: list[Row]) -> None:
    """Print the table and what follows from it."""
    out.print(table(rows))
    for kind in ("run", "generated", "naive"):
        shares = [sum(map(found, getattr(row, kind))) for row in rows]
        every, some = sum(share == len(SEEDS) for share in shares), sum(share > 0 for share in shares)
        out.print(f"{kind}: {every} of {len(rows)} found with every seed, {some} with at least one")
    for kind in ("generated", "run"):
        both = [(row.name, median(row.naive).cases, median(getattr(row, kind)).cases) for row in rows]
        sooner = [f"{name} ({naive:,.0f} against {ours:,.0f})" for name, naive, ours in both if naive < ours]
        out.print(f"naive is sooner than {kind} on {len(sooner)}: {', '.join(sooner)}", soft_wrap=True)


def main() -> None:
    """Hunt the gallery, or the miniatures of some live surfaces; one that the run misses is an exit code of 1."""
    surfaces = [surface for surface in LIVE if surface in (sys.argv[1:] or LIVE)]
    rows = hunt_all(surfaces)
    out = console()
    seeds = ", ".join(map(str, SEEDS))
    out.print(f"{len(rows)} miniatures, {EXAMPLES} generated cases, {cores()} cores; median of seeds {seeds}:")
    out.print("cases and CPU seconds until found, and size of the minimal case in characters")
    tell(out, rows)
    sys.exit(not all(found(each) for row in rows for each in row.run))


if __name__ == "__main__":
    main()
