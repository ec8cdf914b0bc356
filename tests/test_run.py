"""`parity run`: the table, the report for machines, and exit codes that mean something."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from parity import report
from parity.implementation import ORACLE, Implementation
from parity.report_json import report_json
from parity.session import Nobody, Plan, compare
from parity.surfaces import chosen
from parity.tally import Report
from tests.cli import ROOT, parity


class TestParity:
    """A run without divergence ends with the table and 0."""

    def test_table_and_json(self, tmp_path: Path) -> None:
        done = parity("run", "min_reward", "--examples", "100", "--json", str(tmp_path / "report.json"), cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert "parity: no divergence on" in done.stdout
        assert "\x1b" not in done.stdout
        written = json.loads((tmp_path / "report.json").read_bytes())
        assert (written["version"], written["kind"], written["seed"], written["stopped"]) == (1, "run", 0, False)
        [surface] = written["surfaces"]
        assert surface["surface"] == "min_reward"
        assert surface["divergences"] == []
        assert surface["cases"]["generated"] == 100
        assert surface["cases"]["corpus"] == len(list((ROOT / "corpus" / "min_reward").glob("*.json")))
        assert [file.name for file in tmp_path.iterdir()] == ["report.json"]

    def test_nightly_has_another_seed_each_time(self, tmp_path: Path) -> None:
        seeds = set()
        for number in range(2):
            file = tmp_path / f"{number}.json"
            done = parity("run", "min_reward", "--examples", "0", "--profile", "nightly", "--json", str(file))
            assert done.returncode == 0, done.stderr
            seeds.add(json.loads(file.read_bytes())["seed"])
        assert len(seeds) == 2

    def test_ctrl_c_reports_what_was_compared(self, tmp_path: Path) -> None:
        command = [sys.executable, "-m", "parity", "run", "--examples", "1000000"]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        with subprocess.Popen(
            command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as running:
            assert running.stderr is not None
            while "cases," not in running.stderr.readline():
                pass  # until the first line of progress: the workers are at work
            running.send_signal(signal.SIGINT)
            stdout, stderr = running.communicate(timeout=60)
        assert running.returncode == 130
        assert "stopped before the end, with no divergence so far" in stdout
        assert "Traceback" not in stderr


@pytest.fixture(scope="module")
def diverged() -> Report:
    wrong = Implementation("wrong", "tests.miniatures:threshold_must_be_exceeded")
    return compare(Plan(chosen(["min_reward"]), 200, 0, 1, sides=(wrong, ORACLE)), [], Nobody())


class TestDivergence:
    """A divergence is shown with everything needed to understand it and to see it again."""

    def test_on_a_terminal_or_in_a_pipe(self, diverged: Report, capsys: pytest.CaptureFixture[str]) -> None:
        report.print_report(report.console(), diverged)
        shown = capsys.readouterr().out
        assert diverged.exit_code == 1
        assert "min_reward value str ≠ null" in shown
        assert "rewards: {'reward': 0}" in shown
        assert "reward=0 below min_reward 0.0" in shown
        assert "fact 92" in shown
        assert "parity show" in shown
        diverged.files = {finding.fingerprint: "kept.json" for finding in diverged.findings}
        report.print_report(report.console(), diverged)
        assert "see again   parity show kept.json" in capsys.readouterr().out

    def test_for_machines(self, diverged: Report) -> None:
        written = report_json(diverged)
        [surface] = written["surfaces"]
        [found] = surface["divergences"]
        assert found["fingerprint"] == "min_reward value str ≠ null"
        assert found["b"] == {"value": None}
        assert found["differs"][0]["path"] == "value"
        assert json.loads(json.dumps(written)) == written


class TestShow:
    """`parity show` takes a corpus name, a case id, a file, or a case as JSON."""

    def test_all_four_name_the_same_case(self) -> None:
        file = ROOT / "corpus" / "metric" / "mean-is-compensated.json"
        entry = json.loads(file.read_bytes())
        case = json.dumps({"surface": entry["surface"], "input": entry["input"]})
        shown = [parity("show", text) for text in ("metric/mean-is-compensated", entry["case"], str(file), case)]
        assert [done.returncode for done in shown] == [0, 0, 0, 0]
        assert all(f"metric case {entry['case']}" in done.stdout for done in shown)
        assert all(entry["note"] in done.stdout for done in shown[:3])


def test_surfaces_are_listed_with_their_relaxations() -> None:
    done = parity("surfaces")
    assert done.returncode == 0
    assert "pass_at_k" in done.stdout
    assert "relaxation multi-step-mean-key-order (multi_step)" in done.stdout
