"""`parity upgrade`: a change in another release is found, shrunk and named; what cannot run says so in a line.

These make environments with harbor in them, and so need a package index: `nox -s upgrade-tests` runs them.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from parity import corpus
from parity.case import Case
from parity.codec import Record
from parity.environments import OUR_PYTHON, Recipe, cache, worker
from parity.errors import CannotRunError
from parity.implementation import ORACLE
from parity.session import Nobody, Plan
from parity.upgrade import Workbench, compared
from tests.cli import parity
from tests.upgrade.wheels import planted

QUICK = ("--examples", "300", "--minutes", "0.3")


def upgrade(cwd: Path, *arguments: str) -> tuple[subprocess.CompletedProcess[str], dict[str, Any]]:
    """Run the verb, and return what it printed and its report."""
    done = parity("upgrade", *arguments, "--json", "report.json", cwd=cwd)
    report = cwd / "report.json"
    return done, json.loads(report.read_bytes()) if report.exists() else {}


class TestChanges:
    """Each planted change is found, and named for what it is."""

    def test_a_metric_changes_values_and_scores(self, tmp_path: Path) -> None:
        wheel = planted(
            tmp_path,
            "mean",
            "harbor/metrics/mean.py",
            "sum(values) / len(values)",
            "sum(v / len(values) for v in values)",
        )
        done, report = upgrade(tmp_path, str(wheel), *QUICK)
        assert done.returncode == 1, done.stderr
        kinds = {change["fingerprint"]: (change["kind"], change["changes_score"]) for change in report["changes"]}
        assert kinds["metric value[*] float differs"] == ("value changed", True)
        assert {fingerprint.split()[0] for fingerprint in kinds} <= {"metric", "job_result", "job_run"}
        [release] = report["releases"]
        assert "of them change" in release["verdict"]
        assert release["verdict"] in done.stdout.replace("\n", " ")

    def test_an_error_message_changes_no_score(self, tmp_path: Path) -> None:
        wheel = planted(
            tmp_path, "words", "harbor/verifier/verifier.py", "Failed to parse rewards from text file", "Cannot read"
        )
        done, report = upgrade(tmp_path, str(wheel), *QUICK)
        assert done.returncode == 1, done.stderr
        assert {change["surface"] for change in report["changes"]} == {"reward_files", "job_run"}
        kinds = {(change["kind"], change["changes_score"]) for change in report["changes"]}
        assert kinds == {("error text only", False)}
        assert "changes, 0 of them change a score" in done.stdout

    def test_a_change_that_is_known_for_the_release_is_none(self, tmp_path: Path) -> None:
        wheel = planted(tmp_path, "known", "harbor/verifier/verifier.py", "rewards from text file", "rewards from file")
        entry = (
            "[[divergence]]\nfingerprint = 'reward_files error.message str differs'\n"
            "reason = 'only words'\nsince = 2026-01-01\nreleases = '>=0.13.2'\n"
        )
        (tmp_path / "known.toml").write_text(entry)
        done, report = upgrade(tmp_path, str(wheel), *QUICK)
        assert done.returncode == 1  # a wheel of 0.13.1 is not among the releases that the entry is about
        assert "reward_files error.message str differs" in report["releases"][0]["new"]


class TestIdentity:
    """Harbor against itself is identical."""

    def test_in_an_environment_of_its_own(self, tmp_path: Path) -> None:
        done, report = upgrade(tmp_path, "0.13.1", *QUICK)
        assert done.returncode == 0, done.stdout + done.stderr
        assert report["changes"] == []
        assert set(report["releases"][0]["surfaces"].values()) == {"identical"}

    def test_another_pydantic_renders_otherwise(self, tmp_path: Path) -> None:
        done, report = upgrade(tmp_path, "--with", "pydantic==2.12.5", *QUICK)
        assert done.returncode == 1, done.stdout + done.stderr
        assert {change["surface"] for change in report["changes"]} <= {"job_stats", "job_result", "job_run"}
        assert {change["kind"] for change in report["changes"]} == {"rendering only"}
        assert "harbor 0.13.1 with pydantic==2.12.5" in done.stdout


class TestTrouble:
    """What cannot run is one clear line, and the others go on."""

    def test_a_version_that_does_not_exist(self, tmp_path: Path) -> None:
        done, report = upgrade(tmp_path, "9.9.9", "0.13.1", *QUICK)
        assert done.returncode == 2
        assert "harbor 9.9.9: could not run: " in done.stdout
        assert [release["release"] for release in report["releases"] if not release["problem"]] == ["0.13.1"]

    def test_a_wheel_that_is_not_there(self, tmp_path: Path) -> None:
        done, _ = upgrade(tmp_path, "./nothing.whl", *QUICK)
        assert done.returncode == 2
        assert "nothing.whl: No such file or directory" in done.stdout

    def test_a_broken_environment_is_made_again(self, capsys: pytest.CaptureFixture[str]) -> None:
        recipe = Recipe("0.13.1", OUR_PYTHON, ("pydantic==2.12.5",))
        worker(recipe, print)
        [harbor] = (cache() / recipe.name).rglob("site-packages/harbor")
        shutil.rmtree(harbor)
        capsys.readouterr()
        assert worker(recipe, print).hello().version == "0.13.1"
        assert "making an environment" in capsys.readouterr().out

    def test_an_environment_deleted_on_the_way(self) -> None:
        bench = Workbench(OUR_PYTHON, ("pydantic==2.12.5",), print)
        release = bench.release("0.13.1")
        folder = cache() / Recipe("0.13.1", OUR_PYTHON, ("pydantic==2.12.5",)).name
        away = folder.rename(folder.with_name("moved-away"))
        try:
            entries = corpus.entries([corpus.folder() / "metric"])
            with pytest.raises(CannotRunError, match="no handshake"):
                compared(bench.first("0.13.1"), release, Plan([], 10, 0, 1, minutes=0), entries, Nobody())
        finally:
            away.rename(folder)

    def test_a_killed_worker_is_started_again(self) -> None:
        program = worker(Recipe("0.13.1", OUR_PYTHON, ("pydantic==2.12.5",)), print)
        case = Case.of("metric", Record(metric="mean", rewards=[{"reward": 0.5}]))
        answers = program.start()
        before = answers("metric", [case.native()])
        subprocess.run(
            ["pkill", "-9", "-n", "-f", str(cache() / program.name)], check=True
        )  # the newest: not its warden
        [fault] = answers("metric", [case.native()])
        assert fault["fault"]["kind"] == "crashed, but not when asked alone"
        assert answers("metric", [case.native()]) == before == ORACLE.start()("metric", [case.native()])


class TestIsolation:
    """An environment holds a release and `oracle/`, and nothing else of ours."""

    def test_nothing_of_the_harness_is_visible(self, tmp_path: Path) -> None:
        program = worker(Recipe("0.13.1", OUR_PYTHON, ("pydantic==2.12.5",)), print)
        [path] = [value for name, value in program.environment if name == "PYTHONPATH"]
        assert [each.name for each in Path(path).iterdir()] == ["oracle"]
        for module in ("parity", "reimpl", "hypothesis"):
            asked = subprocess.run(
                [program.command[0], "-c", f"import {module}"],
                cwd=tmp_path,
                env={"PYTHONPATH": path},
                capture_output=True,
                check=False,
            )
            assert b"ModuleNotFoundError" in asked.stderr
