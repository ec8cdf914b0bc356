"""From reward files to the outcome line: the same line whether harbor or reimpl did the work in between."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from oracle.door import run as harbor
from parity import strategies
from parity.implementation import Run
from reimpl.door import run as reimpl

JOB = {"id": "0" * 32, "started_at": "2026-01-01T00:00:00", "finished_at": "2026-01-02T00:00:00", "n_attempts": 1}
METRICS = st.lists(st.sampled_from(["mean", "max", "min", "sum"]), min_size=1, max_size=2, unique=True)


def trial(number: int, read: dict[str, Any]) -> dict[str, Any]:
    """Make a trial of what came of reading its reward files, as a runner does."""
    failed = read.get("error")
    return {
        "task": f"t{number % 3}",
        "name": f"t{number}",
        "source": None,
        "agent": "a" if number % 2 else "b",
        "model": None,
        "verified": failed is None,
        "rewards": read.get("value"),
        "exception": failed and failed["type"],
        "tokens": None,
    }


def line(score: Run, files: Sequence[Mapping[str, Any]], metrics: list[str]) -> object:
    """Go the whole way, each stage up to the job result on the given side."""
    trials = [trial(number, score("reward_files", case)) for number, case in enumerate(files)]
    job = score("job_result", {**JOB, "n_retries": 0, "metrics": {"adhoc": metrics}, "trials": trials})
    if "error" in job:
        return job
    return reimpl("outcome", {"result.json": job["value"]})["value"]


class TestWholeWay:
    """Reward files in, one line out: harbor's stages and reimpl's end in the same line."""

    @settings(max_examples=300, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
    @given(st.lists(strategies.reward_files(), max_size=5), METRICS)
    def test_the_lines_are_equal(self, files: Sequence[Mapping[str, Any]], metrics: list[str]) -> None:
        ours, theirs = line(reimpl, files, metrics), line(harbor, files, metrics)
        assert ours == theirs

    def test_a_plain_job_is_scored(self) -> None:
        files = [{"reward.txt": text, "reward.json": None} for text in (b"1\n", b"0\n", b"1\n")]
        # Agent b got 1 and 1, agent a got 0: the score is the mean of their means, and 1.5 rounds to 2.
        told = '{"reason_code": null, "resolved": 2, "score": 0.5, "status": "completed", "total": 3}'
        assert line(harbor, files, ["mean"]) == line(reimpl, files, ["mean"]) == f"BASE_BENCHMARK_RESULT={told}"
