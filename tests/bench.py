"""Speed and memory, as ratios measured side by side in one run: `nox -s bench`.

Seconds differ between machines, so every figure compares two things measured here, one after the other. What needs a
fresh process (imports, peak memory) gets one; a child prints its figures as JSON.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any

from rich.table import Table

from parity.cli.run import EXAMPLES
from parity.environments import OUR_PYTHON
from parity.implementation import HARBOR_VERSION, ORACLE, REIMPL, Run, Side
from parity.judge import Judge
from parity.processes import cores
from parity.program import Program
from parity.report import console
from parity.scratch import scratch
from parity.search import Unit, drawn, search
from parity.session import Nobody, Plan, compare, units
from parity.surfaces import LIVE
from parity.upgrade import Workbench
from tests.stock_job import stock_run

HARBOR_IMPORTS = "import harbor.job, harbor.verifier.verifier, harbor.metrics.mean"
ROUNDS = 5


@dataclass(frozen=True)
class Figure:
    """One ratio, and the target it is to keep."""

    label: str
    ratio: float
    target: str = ""
    held: bool = True


# --- Children ---------------------------------------------------------------------------------------------------------


def trial_fields(number: int) -> dict[str, Any]:
    """Return one trial of a large job: five attempts at each task, two agents, some failures."""
    return {
        "task": f"task-{number // 10}",
        "name": f"task-{number // 10}__{number:07x}",
        "source": "bench",
        "agent": "agent-a" if number % 2 else "agent-b",
        "model": "some-model",
        "verified": number % 50 != 0,
        "rewards": {"reward": number * 7919 % 4 / 3},
        "exception": "AgentTimeoutError" if number % 50 == 0 else None,
        "tokens": {"input": number, "cache": 0, "output": 7, "cost_usd": 0.01},
    }


def job(trials: Any) -> dict[str, Any]:
    """Return the fields of a job with these trials."""
    moments = {"started_at": "2026-01-01T00:00:00", "finished_at": "2026-01-02T00:00:00.5"}
    numbers = {"n_attempts": 5, "n_retries": 0}
    return {"id": "0" * 32, **moments, **numbers, "metrics": {"bench": ["mean"]}, "trials": trials}


def harbor_job(n_trials: int) -> bytes:
    """Let harbor assemble the result of a job."""
    from oracle.job_result import answer

    return answer(job(trial_fields(number) for number in range(n_trials)))


def reimpl_job(n_trials: int) -> bytes:
    """Let reimpl render the result of the same job."""
    from reimpl import TokenUsage, Trial, job_result_json

    def trials() -> Iterator[Trial]:
        for number in range(n_trials):
            fields = trial_fields(number)
            tokens = TokenUsage(**fields.pop("tokens"))
            rewards = fields.pop("rewards")
            yield Trial(**fields, rewards=rewards if fields["verified"] else None, tokens=tokens)

    fields = job(trials())
    del fields["n_attempts"]
    return job_result_json(**fields)


JOBS: dict[str, Callable[[int], bytes]] = {"harbor": harbor_job, "reimpl": reimpl_job}


def measure_job(side: str, n_trials: int) -> None:
    """Print time and growth of peak memory for one job, after a small one that loads everything."""
    with scratch():
        JOBS[side](10)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        written: list[int] = []
        seconds = _seconds(lambda: written.append(len(JOBS[side](n_trials))))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    sys.stdout.write(json.dumps({"seconds": seconds, "kib": peak - before, "bytes": written[0]}))


def child(*arguments: str) -> Any:
    """Run this module in a fresh process and return what it printed."""
    done = subprocess.run([sys.executable, "-m", "tests.bench", *arguments], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


# --- Figures ----------------------------------------------------------------------------------------------------------


def imports() -> Iterator[Figure]:
    """Compare import times, median of several fresh processes each, taking turns, with all bytecode compiled before."""
    statements = {"harbor": HARBOR_IMPORTS, "reimpl": "import reimpl"}
    seconds: dict[str, list[float]] = {name: [] for name in statements}
    with tempfile.TemporaryDirectory() as compiled:
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        environment["PYTHONPYCACHEPREFIX"] = compiled
        for _ in range(1 + ROUNDS):
            for name, statement in statements.items():
                timed = f"import time; t = time.process_time(); {statement}; print(time.process_time() - t)"
                command = [sys.executable, "-c", timed]
                done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
                seconds[name].append(float(done.stdout))
    theirs, ours = (statistics.median(times[1:]) for times in seconds.values())
    ratio = theirs / ours
    yield Figure(f"import: harbor {theirs:.2f} s, reimpl {ours * 1000:.0f} ms", ratio, "≥ 20", ratio >= 20)


def jobs() -> Iterator[Figure]:
    """Compare job results at 100 000 trials, and how ours grows to a million."""
    theirs, ours = child("job", "harbor", "100000"), child("job", "reimpl", "100000")
    assert theirs["bytes"] == ours["bytes"]
    faster, smaller = theirs["seconds"] / ours["seconds"], ours["kib"] / theirs["kib"]
    label = f"job_result, 100 000 trials: harbor {theirs['seconds']:.1f} s, reimpl {ours['seconds']:.2f} s"
    yield Figure(label, faster, "≥ 5", faster >= 5)
    label = f"its peak memory: reimpl {ours['kib'] / 1024:.0f} MiB, harbor {theirs['kib'] / 1024:.0f} MiB"
    yield Figure(label, smaller, "≤ 0.25", smaller <= 0.25)
    each = {size: child("job", "reimpl", str(size))["seconds"] / size for size in (10_000, 100_000, 1_000_000)}
    growth = each[1_000_000] / each[10_000]
    label = "reimpl, µs a trial at 10 000, 100 000, 1 000 000: " + ", ".join(
        f"{1e6 * one:.1f}" for one in each.values()
    )
    yield Figure(label, growth, "≤ 1.5", growth <= 1.5)


def harness() -> Iterator[Figure]:
    """Compare the harness with bare calls of both sides in turn, on the cases of the default run."""
    judge, doors = Judge(REIMPL, ORACLE), (REIMPL.load(), ORACLE.load())
    spent = bare = 0.0
    for surface in LIVE.values():
        work = list(units(Plan([surface], EXAMPLES, 0, 1)))
        inputs = [input for unit in work for input in drawn(unit)]
        _call(doors, surface.name, inputs[:1])  # the first call imports what the surface needs
        if surface.name == "reward_files":
            ours, theirs = (_seconds(partial(_call, (run,), surface.name, inputs[::10])) for run in doors)
            yield Figure("reward_files, a case: harbor's time over reimpl's", theirs / ours)
        calls = _seconds(partial(_call, doors, surface.name, inputs))
        seconds = _seconds(partial(_search_all, work, judge))
        spent, bare = spent + seconds, bare + calls
        label = f"  {surface.name}: {len(inputs):,} cases, harness {seconds:.1f} s, bare {calls:.1f} s"
        yield Figure(label, seconds / calls)
    label = f"harness over bare calls, all surfaces: {spent:.1f} s, {bare:.1f} s"
    yield Figure(label, spent / bare, "≤ 1.5", spent / bare <= 1.5)


def whole_jobs() -> Iterator[Figure]:
    """Compare a job of 300 trials through the deep oracle with harbor's own run of it, the best of three each."""
    job = {"tasks": [{"name": f"t{number}", "plays": [[{"reward.txt": b"1"}]]} for number in range(300)]}
    runs: list[Callable[[Any], object]] = [partial(ORACLE.load(), "job_run"), stock_run]
    ours, stock = (min(_seconds(partial(run, job)) for _ in range(3)) for run in runs)
    label = f"job_run, 300 trials: the deep oracle {ours:.2f} s, harbor itself {stock:.2f} s"
    yield Figure(label, ours / stock, "≤ 1.3", ours <= 1.3 * stock)


def programs() -> Iterator[Figure]:
    """Compare whole runs of reimpl as a program, and of harbor in an environment of its own, with reimpl in process.

    The cases are those of the default run, on all cores, and waiting counts; environments are there before.
    """
    command = (sys.executable, "-m", "parity", "serve", "reimpl")
    bench = Workbench(OUR_PYTHON, (), console(stderr=True).print)
    _run_seconds(REIMPL, ORACLE)  # whatever is compiled or cached is so for all
    near = _run_seconds(REIMPL, ORACLE)
    far = _run_seconds(Program("reimpl", command), ORACLE)
    label = f"rate of `parity check -- parity serve reimpl`: {far:.1f} s, in process {near:.1f} s"
    yield Figure(label, near / far, "≥ 0.33", near / far >= 1 / 3)
    other = _run_seconds(ORACLE, bench.release(HARBOR_VERSION).side)
    yield Figure(f"`parity upgrade`, warm: {other:.1f} s, reimpl {near:.1f} s", other / near, "< 2", other < 2 * near)


def _run_seconds(a: Side, b: Side) -> float:
    """Return the seconds a run takes that finds nothing."""
    plan = Plan(list(LIVE.values()), EXAMPLES, 0, cores(), sides=(a, b))
    started = time.perf_counter()
    report = compare(plan, [], Nobody())
    seconds = time.perf_counter() - started
    assert not report.findings
    return seconds


def _call(doors: Sequence[Run], surface: str, inputs: list[Any]) -> None:
    for input in inputs:
        for run in doors:
            run(surface, input)


def _search_all(work: list[Unit], judge: Judge) -> None:
    for unit in work:
        search(unit, judge, Nobody())


def _seconds(work: Callable[[], object]) -> float:
    """Return the CPU time some work takes, so that other work on the machine does not count."""
    gc.collect()
    started = time.process_time()
    work()
    return time.process_time() - started


def main() -> None:
    """Print the table; a missed target is an exit code of 1."""
    table = Table("measured", "ratio", "target", "")
    missed = False
    with scratch():
        for figure in chain(imports(), jobs(), harness(), whole_jobs(), programs()):
            verdict = ("held" if figure.held else "MISSED") if figure.target else ""
            table.add_row(figure.label, f"{figure.ratio:.2f}", figure.target, verdict)
            missed |= not figure.held
    console().print(table)
    sys.exit(missed)


if __name__ == "__main__":
    if sys.argv[1:2] == ["job"]:
        measure_job(sys.argv[2], int(sys.argv[3]))
    else:
        main()
