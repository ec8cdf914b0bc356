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
from parity.cli.run import EXAMPLES
from parity.codec import Record
from parity.implementation import ORACLE, REIMPL, Implementation
from parity.judge import Finding, Judge
from parity.pool import cores
from parity.report import console
from parity.scratch import scratch
from parity.search import Unit, visit
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
    """Characters of the minimal case, if the hunt went on to find it."""


MISSED = Hunt(math.inf, 0.0)


def judge_of(name: str) -> Judge:
    """Return the judge of a miniature."""
    return Judge(Implementation(name, f"tests.miniatures:{name}"), ORACLE)


def work_of(surface: str, tier: str, seed: int) -> list[Unit]:
    """List the units of a tier of the default run."""
    return [unit for unit in units(Plan(chosen([surface]), EXAMPLES, seed, jobs=1)) if unit.tier == tier]


def hunt(name: str, tier: str, seed: int) -> Hunt:
    """Do units of work up to the first that has a finding."""
    judge, judged, first, started = judge_of(name), 0, MISSED, time.process_time()
    plainest: Finding | None = None

    def check(input: Mapping[str, Any]) -> Finding | None:
        nonlocal judged, first, plainest
        judged += 1
        finding = judge.finding(GALLERY[name], input)
        if finding is not None:
            if plainest is None:
                first = Hunt(judged, time.process_time() - started)
            if plainest is None or finding.size < plainest.size:
                plainest = finding
        return finding

    for unit in work_of(GALLERY[name], tier, seed):
        visit(unit, check)
        if plainest is not None:
            return replace(first, size=len(value_text(plainest.case.input)))
    return replace(MISSED, seconds=time.process_time() - started)


def hunt_as_the_run(name: str) -> list[Hunt]:
    """Hunt with the default run of each seed; they have the exhaustive tier in common, and it comes first."""
    tier = hunt(name, "exhaustive", 0)
    if found(tier):
        return [tier] * len(SEEDS)
    before = exhaustive.count(GALLERY[name])
    later = [hunt(name, "generated", seed) for seed in SEEDS]
    return [Hunt(before + each.cases, tier.seconds + each.seconds, each.size) for each in later]


def hunt_with(kind: str, surface: str, seed: int) -> dict[str, Hunt]:
    """Hunt every miniature of a surface with the same generated cases, or as many naive ones.

    Until something is found, cases do not depend on what they are given to. So they are drawn once, which takes
    longest, and timed with reimpl.
    """
    right, started, cases = Judge(REIMPL, ORACLE), time.process_time(), []

    def check(input: Mapping[str, Any]) -> None:
        assert right.finding(surface, input) is None, f"reimpl and harbor differ on {input}"
        cases.append((input, time.process_time() - started))

    with patch.object(strategies, surface, NAIVE[surface] if kind == "naive" else getattr(strategies, surface)):
        for unit in work_of(surface, "generated", seed):
            visit(unit, check)
    hunts: dict[str, Hunt] = {}
    for name in (name for name, each in GALLERY.items() if each == surface):
        judge = judge_of(name)
        finds = (
            Hunt(number, seconds)
            for number, (input, seconds) in enumerate(cases, 1)
            if judge.finding(surface, input) is not None
        )
        hunts[name] = next(finds, MISSED)
    return hunts


@dataclass(frozen=True)
class Row:
    """The hunts of one miniature, for each seed."""

    name: str
    run: list[Hunt]
    generated: list[Hunt]
    naive: list[Hunt]


def start_worker(place: str) -> None:
    """Keep case directories in one place, and import what is needed for a finding before anything is measured."""
    tempfile.tempdir = place
    for surface, naive in NAIVE.items():
        unit, inputs = Unit(surface, "generated", 0, examples=20), list[Any]()
        for strategy in (getattr(strategies, surface), naive):
            with patch.object(strategies, surface, strategy):
                visit(unit, inputs.append)
        judge = judge_of(next(name for name, each in GALLERY.items() if each == surface))
        for input in inputs:
            judge.finding(surface, input)


def hunt_all(surfaces: list[str]) -> list[Row]:
    """Hunt the miniatures of these surfaces, on all cores."""
    names = sorted(
        (name for name in GALLERY if GALLERY[name] in surfaces), key=lambda name: surfaces.index(GALLERY[name])
    )
    with scratch() as place:
        os.environ.update(PYTHONHASHSEED="0", HYPOTHESIS_STORAGE_DIRECTORY=str(place))
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(cores(), context, start_worker, (str(place),)) as pool:
            plans = list(product(("naive", "generated"), surfaces, SEEDS))
            drawn = [pool.submit(hunt_with, *plan) for plan in plans]
            runs = list(pool.map(hunt_as_the_run, names))
            hunts: dict[tuple[str, str], list[Hunt]] = defaultdict(list)
            for (kind, _, _), future in zip(plans, drawn, strict=True):
                for name, each in future.result().items():
                    hunts[kind, name].append(each)
    rows = zip(names, runs, strict=True)
    return [Row(name, run, hunts["generated", name], hunts["naive", name]) for name, run in rows]


# --- Telling ----------------------------------------------------------------------------------------------------------


def found(hunt: Hunt) -> bool:
    return hunt.cases < math.inf


def median(hunts: list[Hunt]) -> Hunt:
    """Return the hunt in the middle."""
    return sorted(hunts, key=lambda each: each.cases)[len(hunts) // 2]


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
        size = median(row.run).size
        made.add_row(f"  {row.name}", *cells(row.run), f"{size}", *cells(row.generated), *cells(row.naive))
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
