"""Job directories."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from oracle import job_run
from oracle.job_run.layout import Layout
from tests.audit.jobs import JOBS, Job, Run


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Let harbor run a declared job, and keep its directory."""

    def run(job: Job) -> Path:
        root = tmp_path / "case"
        root.mkdir()
        layout = Layout(os.path.realpath(root), job)
        for number, each in enumerate(job_run._runs(job)):
            job_run._run(layout, number, *each)
        return Path(layout.job_directory)

    return run


@pytest.fixture
def job(run: Run) -> Path:
    """Give a job of eight trials, four rewards and three metrics."""
    return run({**JOBS["several agents and metrics"], "agents": [{"name": "a"}], "metrics": ["mean", "max", "sum"]})
