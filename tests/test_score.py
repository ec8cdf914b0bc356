"""`parity score` prints the outcome line for a job directory."""

from __future__ import annotations

from pathlib import Path

import pytest

from oracle.door import run as harbor
from tests.cli import parity
from tests.properties.test_end_to_end import JOB, trial

FAILED = '{{"reason_code": "{}", "resolved": 0, "score": 0.0, "status": "failed", "total": 0}}'


def scored(job_dir: Path) -> str:
    done = parity("score", str(job_dir))
    assert (done.returncode, done.stderr) == (0, "")
    [line] = done.stdout.splitlines()
    return line.removeprefix("BASE_BENCHMARK_RESULT=")


class TestScore:
    """Every job directory has its line; what is no directory has none."""

    def test_a_result_that_harbor_wrote(self, tmp_path: Path) -> None:
        trials = [trial(number, {"value": {"reward": reward}}) for number, reward in enumerate((1.0, 0.5, 0.25))]
        job = harbor("job_result", {**JOB, "n_retries": 0, "metrics": {"adhoc": ["mean"]}, "trials": trials})
        (tmp_path / "result.json").write_bytes(job["value"])
        line = '{"reason_code": null, "resolved": 2, "score": 0.5625, "status": "completed", "total": 3}'
        assert scored(tmp_path) == line

    def test_a_missing_result(self, tmp_path: Path) -> None:
        assert scored(tmp_path) == FAILED.format("harbor_result_missing")

    @pytest.mark.parametrize("content", [b"", b'{"stats": {', b"[]", b"\xff", b'{"stats": null}'])
    def test_a_truncated_or_malformed_result(self, tmp_path: Path, content: bytes) -> None:
        (tmp_path / "result.json").write_bytes(content)
        assert scored(tmp_path) == FAILED.format("harbor_result_malformed")

    @pytest.mark.parametrize("make", ["nothing", "file"])
    def test_what_is_no_directory_is_refused(self, tmp_path: Path, make: str) -> None:
        path = tmp_path / "job"
        if make == "file":
            path.touch()
        done = parity("score", str(path))
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == f"parity: {path} is not a directory: name the one that holds the job's result.json\n"
