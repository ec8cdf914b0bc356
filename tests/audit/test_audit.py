"""`parity audit` says which figures of a job directory follow from its trials."""

from __future__ import annotations

import json
import math
import shutil
from pathlib import Path

import pytest

from parity.audit import NoJobError, Verdict, audit_job
from tests.audit.figures import altered, change, failed, kinds, leaves
from tests.audit.jobs import JOBS, Run
from tests.cli import parity


class TestJobsOfHarbor:
    """What harbor wrote follows from its trials."""

    @pytest.mark.parametrize("name", JOBS)
    def test_follows(self, run: Run, name: str) -> None:
        found = audit_job(run(JOBS[name]))
        assert (found.failed, found.problems) == ([], [])
        assert found.release == "0.13.1"
        assert found.state == ("not finished" if name in {"cancelled", "crashed"} else "finished")
        assert len(found.figures) > 10

    def test_the_order_of_the_plan(self, job: Path) -> None:
        found = audit_job(job)
        assert (found.order, found.order_recovered) == ("the plan in lock.json", True)

    def test_an_order_that_no_file_tells(self, run: Run) -> None:
        """The case decided how the directory was listed, so the lists alone tell what came first."""
        found = audit_job(run(JOBS["resumed"]))
        assert not found.order_recovered

    def test_without_plan_and_settings(self, job: Path) -> None:
        (job / "lock.json").unlink()
        (job / "config.json").unlink()
        found = audit_job(job)
        assert found.follows
        assert found.release is None
        assert {"there is no lock.json", "there is no config.json"} <= set(found.remarks)

    def test_another_release_may_have_other_fields(self, job: Path) -> None:
        change(job / "lock.json", "harbor", "version", to="1.2.3")
        change(job / "result.json", "stats", to=lambda stats: {**stats, "n_dreamt": 1})
        found = audit_job(job)
        assert (found.follows, found.release) == (True, "1.2.3")
        assert any("stats.n_dreamt" in remark for remark in found.remarks)

    def test_a_script_is_not_run(self, job: Path) -> None:
        change(job / "config.json", "metrics", 0, "type", to="uv-script")
        [figure] = [figure for figure in audit_job(job).figures if figure.path.endswith("metrics[0]")]
        assert figure.verdict is Verdict.NOT_JUDGED


class TestTampered:
    """What was changed is found, and named."""

    def test_a_reward_in_the_trial(self, job: Path) -> None:
        change(job / "u__0000001" / "result.json", "verifier_result", "rewards", "reward", to=0.0)
        found = audit_job(job)
        assert kinds(found) == {("u__0000001", "changed")}
        group = "stats.evals.a__adhoc"
        assert failed(found) == {
            f"{group}.metrics[0].mean",
            f"{group}.metrics[2].sum",
            f"{group}.reward_stats.reward",
            "outcome",
        }

    def test_a_reward_file(self, job: Path) -> None:
        (job / "u__0000001" / "verifier" / "reward.txt").write_text("0.99")
        found = audit_job(job)
        assert (failed(found), kinds(found)) == (set(), {("u__0000001", "changed")})

    def test_a_reward_file_that_is_gone(self, job: Path) -> None:
        (job / "u__0000001" / "verifier" / "reward.txt").unlink()
        assert kinds(audit_job(job)) == {("u__0000001", "changed")}

    def test_the_last_digit_of_a_metric(self, job: Path) -> None:
        place = ("stats", "evals", "a__adhoc", "metrics", 0, "mean")
        change(job / "result.json", *place, to=lambda mean: math.nextafter(mean, 2))
        found = audit_job(job)
        # Here the score, which is made of several metrics, is rounded to the same.
        assert failed(found) == {"stats.evals.a__adhoc.metrics[0].mean"}
        assert found.problems == []

    def test_a_removed_trial(self, job: Path) -> None:
        shutil.rmtree(job / "t__0000002")
        found = audit_job(job)
        assert kinds(found) == {("t__0000002", "missing")}
        assert "stats.n_completed_trials" in failed(found)

    def test_a_removed_trial_that_no_list_names(self, run: Run) -> None:
        job = run(JOBS["reward files that cannot be read"])
        shutil.rmtree(job / "t__0000003")
        found = audit_job(job)
        assert kinds(found) == {("", "missing")}
        assert failed(found) == {"stats.n_completed_trials", "stats.n_pending_trials"}

    def test_a_trial_without_a_result(self, job: Path) -> None:
        (job / "t__0000002" / "result.json").unlink()
        assert kinds(audit_job(job)) == {("t__0000002", "missing")}

    def test_an_extra_trial(self, job: Path) -> None:
        shutil.copytree(job / "t__0000000", job / "t__0000009")
        assert kinds(audit_job(job)) == {("t__0000009", "extra")}
        change(job / "t__0000009" / "result.json", "trial_name", to="t__0000009")
        found = audit_job(job)
        assert (kinds(found), failed(found)) == ({("t__0000009", "extra")}, set())

    def test_steps_that_give_another_reward(self, run: Run) -> None:
        job = run(JOBS["steps"])
        change(job / "final__0000001" / "result.json", "verifier_result", "rewards", "reward", to=0.5)
        assert ("final__0000001", "changed") in kinds(audit_job(job))

    @pytest.mark.parametrize("name", ["several agents and metrics", "pass@k, tokens and errors", "resumed"])
    def test_every_number_and_every_name(self, run: Run, name: str) -> None:
        job = run(JOBS[name])
        result = job / "result.json"
        content = result.read_bytes()
        for place, value in leaves(json.loads(content)):
            if place[-1] == "id" or str(place[-1]).endswith("_at"):
                continue
            change(result, *place, to=altered(value))
            assert not audit_job(job).follows, place
            result.write_bytes(content)
        assert audit_job(job).follows


class TestCommand:
    """`parity audit` ends with 0, 1 or 2, and tells machines the same."""

    def test_all_follow(self, job: Path, tmp_path: Path) -> None:
        done = parity("audit", str(job), "--json", str(tmp_path / "found.json"))
        assert (done.returncode, done.stderr) == (0, "")
        assert f"{job}: written by harbor 0.13.1, finished, 8 trials" in done.stdout
        assert "BASE_BENCHMARK_RESULT=" in done.stdout
        whole = json.loads((tmp_path / "found.json").read_text())
        assert whole["format"] == 1
        [found] = whole["jobs"]
        assert found["follows"] is True
        assert {"figure", "verdict", "recorded", "computed", "note"} == found["figures"][0].keys()

    def test_something_does_not(self, job: Path) -> None:
        change(job / "result.json", "stats", "n_errored_trials", to=3)
        done = parity("audit", str(job))
        assert done.returncode == 1
        assert "does not follow: stats.n_errored_trials: recorded 3, the trials give 0" in done.stdout

    def test_no_job(self, job: Path, tmp_path: Path) -> None:
        (tmp_path / "empty").mkdir()
        done = parity("audit", str(tmp_path / "empty"), str(tmp_path / "nothing"), str(job))
        assert done.returncode == 2
        assert done.stderr.count("parity: ") == 2
        assert "8 trials" in done.stdout

    def test_no_directory(self, tmp_path: Path) -> None:
        with pytest.raises(NoJobError):
            audit_job(tmp_path / "nothing")

    def test_a_job_without_a_result(self, job: Path) -> None:
        (job / "result.json").unlink()
        done = parity("audit", str(job))
        assert done.returncode == 1
        assert "harbor_result_missing" in done.stdout
