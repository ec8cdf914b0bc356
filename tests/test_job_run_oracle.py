"""The deep oracle: harbor's whole job, made to run the same way each time without becoming another job."""

from __future__ import annotations

import itertools
import logging
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import warnings
from pathlib import Path
from typing import Any

import pytest

from oracle import door, job_run, scratch
from oracle.job_run import records
from oracle.job_run.imports import HOOKS, JOB, TRIAL_CONFIG
from oracle.job_run.records import JobRun, Run
from oracle.release import AbsentError
from tests.stock_job import stable, stock_run

Json = dict[str, Any]

HUGE = b'{"reward": 1%s}' % (b"0" * 400)


def run(job: Json) -> JobRun:
    outcome: JobRun = door.run("job_run", job)["value"]
    return outcome


def task(name: str, *plays: Json | list[Json], **settings: Any) -> Json:
    return {"name": name, "plays": [play if isinstance(play, list) else [play] for play in plays], **settings}


def reward(text: str, **phases: str) -> Json:
    return {"reward.txt": text.encode(), **phases}


STEPS = [{"name": "one", "min_reward": 0.5}, {"name": "two"}]

# Jobs that end in every way a job can, and leave behind what a job can leave.
JOBS: dict[str, Json] = {
    "plain": {"tasks": [task("t", reward("1"), reward("0"))], "n_attempts": 2, "agents": [{"name": "a", "model": "m"}]},
    "errors": {"tasks": [task("t", {}), task("u", reward("word")), task("v", reward("1", agent="RuntimeError: x"))]},
    "steps": {
        "tasks": [
            task("t", {"steps": [reward("0.7"), reward("1", agent="NonZeroAgentExitCodeError: 1")]}, steps=STEPS),
            task("u", {"steps": [reward("0.4"), reward("1")]}, steps=STEPS, strategy="final", separate=True),
        ]
    },
    "datasets": {
        "datasets": [
            {
                "name": "d",
                "registry": True,
                "metrics": ["max"],
                "tasks": [task("t", reward("1")), task("t", reward("0"))],
            },
            {"name": "a__b", "tasks": [task("z", reward("0.1")), task("a", reward("0.2"))]},
        ],
        "metrics": ["sum"],
    },
    "retries": {
        "tasks": [
            task("t", [reward("0", agent="AError"), reward("1")]),
            task("u", [reward("0", stop="BError: stuck")]),
        ],
        "retry": {"max_retries": 1, "min_wait_sec": 0.0},
    },
    "cancelled": {"tasks": [task("t", reward("1")), task("u", reward("1", verifier="CancelledError: x")), task("v")]},
    "interrupted": {
        "tasks": [task(name, reward(f"0.{name}")) for name in "1234"],
        "resume": [{"after": 2, "by": "cancel", "order": [2, 0, 1]}],
    },
    "crash": {"tasks": [task("t", reward("1")), task("u", {"reward.json": HUGE}), task("v"), task("w")]},
    "crash of the display": {"tasks": [task("t", reward("1"), source="nowhere"), task("v")]},
    "refused task": {"tasks": [task("t"), task("u", steps=STEPS, strategy="max"), task("v")]},
    "refused resume": {"tasks": [task("t", reward("nan")), task("u")], "resume": [{}]},
    "nothing": {},
}
KILLED: Json = {
    "tasks": [task(name, reward(f"0.{name}")) for name in "1234"],
    "resume": [{"after": 2, "order": [1, 0]}],
}
LONG: Json = {
    "tasks": [
        task("t", reward("0.1"), [reward("0", agent="AError"), reward("0.2")]),
        task("u", {"steps": [reward("0.7"), reward("1")]}, steps=STEPS),
        task("v", reward("1", agent="NonZeroAgentExitCodeError: 1")),
    ],
    "n_attempts": 2,
    "agents": [{"name": "a"}, {"name": "b", "model": "m"}],
}
SCRIPTED: Json = {
    "tasks": [
        task("t", reward("1")),
        task("u", {"reward.json": b'{"\xc3\xa9": NaN}'}),
        task("v", {"reward.json": b"null"}),
    ],
    "metrics": ["sum", {"uv-script": {"output": "input"}}],
}


class TestStock:
    """On harbor's own loop, threads, clock, ids and display, a job leaves what the oracle says it leaves."""

    @pytest.mark.parametrize("job", JOBS.values(), ids=JOBS)
    def test_a_job_on_the_stock_loop(self, job: Json) -> None:
        ours, stock = run(job), stock_run(job)
        assert stock.trials == ours.trials
        assert [(each.ended, each.error) for each in stock.runs] == [(each.ended, each.error) for each in ours.runs]
        for one, other in zip(stock.runs, ours.runs, strict=True):
            # Which of the two is on disk depends on whether a thread was quicker than the loop.
            assert one.result in {_without_days(other.result), _without_days(other.late or other.result)}

    def test_a_process_that_is_killed(self, tmp_path: Path) -> None:
        """A real process that ends at once leaves what a killed run leaves."""
        [killed, _] = run(KILLED).runs
        program = f"from tests.stock_job import die_in; die_in({str(tmp_path)!r}, {KILLED!r}, 2)"
        assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 7
        assert stable((tmp_path / "jobs/job/result.json").read_bytes()) == killed.result
        assert [(trial.name, trial.finished) for trial in records.trials(f"{tmp_path}/jobs/job", str(tmp_path))] == [
            ("1__0000000", True),
            ("2__0000001", True),
            ("3__0000002", False),
        ]


class TestIsolation:
    """A case's outcome is the same whatever ran before it, and nothing of it stays behind."""

    def test_the_same_before_and_after_every_other(self) -> None:
        before = {name: run(job) for name, job in JOBS.items()}
        for one, other in itertools.permutations(("plain", "crash", "refused resume", "cancelled", "interrupted"), 2):
            run(JOBS[one])
            assert run(JOBS[other]) == before[other]

    def test_the_same_after_other_surfaces(self) -> None:
        trial: Json = {"task": "t", "name": "n", "source": None, "agent": "a", "model": None, "verified": True}
        trial |= {"rewards": {"reward": 1}, "exception": None, "tokens": None}
        result: Json = {"id": "0" * 32, "started_at": "2026-01-01", "finished_at": "2026-01-01", "n_attempts": 1}
        result |= {"n_retries": 0, "metrics": {"adhoc": ["mean"]}, "trials": [trial]}
        before = run(JOBS["plain"]), door.run("job_result", result)
        assert (run(JOBS["plain"]), door.run("job_result", result)) == before

    def test_nothing_stays_behind(self) -> None:
        for job in (*JOBS.values(), KILLED):
            run(job)  # imports and caches
        before = _surroundings()
        for job in (*JOBS.values(), KILLED):
            run(job)
        assert _surroundings() == before


class TestInterruption:
    """A job that is killed after any number of trials and resumed ends as if it had not been."""

    @pytest.mark.parametrize("after", range(13))
    def test_killed_after(self, after: int) -> None:
        whole, [*_, resumed] = run(LONG), run({**LONG, "resume": [{"after": after}]}).runs
        assert _without_runs(resumed.result) == _without_runs(whole.runs[-1].result)

    def test_killed_again_and_again(self) -> None:
        resumed = run({**LONG, "resume": [{"after": 2}] * 5})
        assert [each.ended for each in resumed.runs] == ["killed"] * 5 + ["finished"]
        assert _without_runs(resumed.runs[-1].result) == _without_runs(run(LONG).runs[-1].result)

    def test_the_order_of_the_directory_is_the_cases(self) -> None:
        rewards = ("1e16", "1", "-1e16")
        job: Json = {"tasks": [task(f"t{place}", reward(each)) for place, each in enumerate(rewards)]}
        job["tasks"][1]["plays"] = [[{"reward.json": b'{"reward": 1}'}]]
        means = {
            order: re.search(rb'"mean": (.*)', run({**job, "resume": [{"order": list(order)}]}).runs[-1].result or b"")
            for order in itertools.permutations(range(3))
        }
        assert {order: mean and float(mean[1]) for order, mean in means.items()} == {
            (0, 1, 2): 0.0,
            (2, 1, 0): 0.0,
            (0, 2, 1): 1 / 3,
            (2, 0, 1): 1 / 3,
            (1, 0, 2): 0.0,
            (1, 2, 0): 0.0,
        }


class TestTime:
    """Waiting takes no time, and running little more than harbor itself."""

    def test_what_hangs_is_timed_out_at_once(self) -> None:
        phases = ("start", "install", "agent", "upload", "verifier")
        job = {"tasks": [task(phase, reward("1", **{phase: "hang"})) for phase in phases]}
        job["tasks"].append(task("health", reward("1", health="fail")))
        before = time.perf_counter()
        outcome = run({**job, "retry": {"max_retries": 1, "min_wait_sec": 60.0}})
        assert time.perf_counter() - before < 10  # 3 040 seconds by the clock of the job
        assert [trial.exception and trial.exception.type for trial in outcome.trials] == [
            "EnvironmentStartTimeoutError",
            "AgentSetupTimeoutError",
            "AgentTimeoutError",
            "VerifierTimeoutError",
            "VerifierTimeoutError",
            "HealthcheckError",
        ]

    def test_what_hangs_for_ever_is_no_case(self) -> None:
        with pytest.raises(RuntimeError, match="hangs for ever"):
            run({"tasks": [task("t", reward("1", stop="hang"))]})
        assert run(JOBS["plain"]) == run(JOBS["plain"])


class TestCtrlC:
    """Ctrl-C is for whoever runs the harness, and not for the job."""

    def test_the_job_comes_to_its_end_first(self, monkeypatch: pytest.MonkeyPatch) -> None:
        ended: list[Run] = []

        def interrupted(*arguments: Any) -> Run:
            signal.raise_signal(signal.SIGINT)
            ended.append(end(*arguments))
            return ended[-1]

        end = job_run._ended
        monkeypatch.setattr(job_run, "_ended", interrupted)
        with pytest.raises(KeyboardInterrupt):
            run(JOBS["plain"])
        monkeypatch.undo()
        assert ended == run(JOBS["plain"]).runs


class TestScripts:
    """A metric that is a script runs with the real uv, or there is no outcome."""

    def test_a_script_reads_the_rewards(self) -> None:
        before = dict(os.environ), Path.cwd()
        [finished] = run(SCRIPTED).runs
        assert rb'"rewards": "{\"reward\": 1.0}\n{\"\\u00e9\": NaN}\nnull\n"' in (finished.result or b"")
        assert (dict(os.environ), Path.cwd()) == before

    def test_without_uv_there_is_no_outcome(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
        with pytest.raises(AbsentError, match="uv"):
            run(SCRIPTED)


def _without_days(result: bytes | None) -> bytes | None:
    """Write all times as those of a first run."""
    return result and re.sub(rb'(?m)^(    "\w+_at": "2000-01-0)\d', rb"\g<1>1", result)


def _without_runs(result: bytes | None) -> bytes:
    """Leave out what tells one run from another: its day, and the first digit of the trials it planned."""
    return re.sub(rb"__\d(\d{6})", rb"__\1", _without_days(result) or b"")


def _surroundings() -> dict[str, Any]:
    trials = [name for name in logging.Logger.manager.loggerDict if ".trial.trial." in name]
    descriptors = Path("/proc/self/fd")
    replaced = [vars(JOB), vars(HOOKS), vars(TRIAL_CONFIG)]
    return {
        "loggers": trials,
        "handlers": list(logging.getLogger("harbor.utils.logger").handlers),
        "files": sorted(Path(scratch.directory()).iterdir()),
        "descriptors": len(list(descriptors.iterdir())) if descriptors.is_dir() else 0,
        "threads": threading.active_count(),
        "environment": dict(os.environ),
        "directory": Path.cwd(),
        "names": [{name: id(member) for name, member in module.items()} for module in replaced],
        "warnings": list(warnings.filters),
    }
