from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from reimpl import door
from reimpl.door import SURFACES, run

TRIAL: dict[str, Any] = {
    "task": "t",
    "name": "n",
    "source": None,
    "agent": "a",
    "model": None,
    "verified": True,
    "rewards": {"reward": 1},
    "exception": None,
    "tokens": {"input": 1, "cache": None, "output": 2, "cost_usd": 0.5},
}


def files(text: Any = None, data: Any = None) -> Any:
    outcome = run("reward_files", {"reward.txt": text, "reward.json": data})
    return outcome.get("value", outcome.get("error"))


class TestSurfaces:
    """Every surface answers, and no other."""

    @pytest.mark.parametrize(
        ("surface", "input", "value"),
        [
            ("reward_files", {"reward.txt": b"1", "reward.json": None}, {"reward": 1.0}),
            ("metric", {"metric": "mean", "rewards": [{"reward": 1}, None]}, {"mean": 0.5}),
            ("pass_at_k", {"trials": [TRIAL, TRIAL]}, {"a__adhoc": {2: 1.0}}),
            ("min_reward", {"rewards": {"reward": "0.5"}, "min_reward": 1}, "reward=0.5 below min_reward 1.0"),
        ],
    )
    def test_values(self, surface: str, input: dict[str, Any], value: Any) -> None:
        assert run(surface, input) == {"value": value}

    def test_multi_step(self) -> None:
        steps = [{"verified": True, "rewards": {"a": "1"}}, {"verified": False, "rewards": {"a": "x"}}]
        result = run("multi_step", {"strategy": "final", "steps": steps})["value"]
        assert (result.verified, result.rewards) == (False, None)
        result = run("multi_step", {"strategy": None, "steps": steps})["value"]
        assert (result.verified, result.rewards) == (True, {"a": 1.0})

    def test_job_stats(self) -> None:
        failed = {**TRIAL, "rewards": None, "exception": "E"}
        steps = [
            {"op": "add", "trial": TRIAL},
            {"op": "replace", "trial": failed, "previous": 0},
            {"op": "add", "trial": TRIAL},
            {"op": "remove", "trial": 1},
        ]
        rendered = run("job_stats", {"n_total_trials": 3, "n_retries": 1, "steps": steps})["value"]
        stats = json.loads(rendered)
        assert (stats["n_completed_trials"], stats["n_errored_trials"], stats["n_pending_trials"]) == (1, 0, 2)
        assert stats["evals"]["a__adhoc"]["reward_stats"] == {"reward": {"1": ["n"]}}
        assert stats["evals"]["a__adhoc"]["exception_stats"] == {"E": []}

    def test_job_result(self) -> None:
        fields = {"id": "00000000-0000-0000-0000-000000000001", "n_attempts": 2, "n_retries": 0}
        times = {"started_at": "2025-01-01T00:00:00", "finished_at": "2025-01-01T00:00:01"}
        outcome = run("job_result", {**fields, **times, "metrics": {"adhoc": ["mean"]}, "trials": [TRIAL, TRIAL]})
        assert b'"mean": 1.0' in outcome["value"]
        assert b'"2": 1.0' in outcome["value"]

    def test_unknown(self) -> None:
        with pytest.raises(ValueError, match=rf"^unknown surface 'rubrik': choose from {', '.join(SURFACES)}$"):
            run("rubrik", {})
        assert len(SURFACES) == 12


class TestTrials:
    """A trial is what the fields of a case say, and nothing that two values share as objects."""

    def test_nobody_reads_the_rewards_of_an_unverified_trial(self) -> None:
        trial = {**TRIAL, "verified": False, "rewards": {"reward": "word"}}
        assert run("pass_at_k", {"trials": [trial, trial]}) == {"value": {"a__adhoc": {2: 0.0}}}

    def test_each_nan_is_its_own(self) -> None:
        nan = float("nan")
        steps = [{"op": "add", "trial": {**TRIAL, "name": name, "rewards": {"reward": nan}}} for name in "xy"]
        rendered = run("job_stats", {"n_total_trials": None, "n_retries": 0, "steps": steps})["value"]
        assert rendered.count(b'"nan": [') == 2


class TestErrors:
    """What a case raises is its outcome."""

    def test_message(self) -> None:
        assert files(b" ") == {
            "type": "VerifierOutputParseError",
            "message": "Failed to parse rewards from text file <verifier>/reward.txt",
        }

    def test_details(self) -> None:
        assert files(None, b"[]") == {
            "type": "ValidationError",
            "details": [{"loc": ["rewards"], "type": "dict_type"}],
        }

    def test_the_task_is_read_before_the_rewards(self) -> None:
        steps = [{"verified": True, "rewards": {"a": "x"}}]
        error = run("multi_step", {"strategy": "x", "steps": steps})["error"]
        assert error["details"][0]["loc"] == ["multi_step_reward_strategy"]
        error = run("min_reward", {"rewards": {"a": "x"}, "min_reward": "x"})["error"]
        assert error["details"][0]["loc"][0] == "min_reward"


class TestFiles:
    """A case finds its own files and nothing of the case before."""

    def test_kinds_follow_each_other(self) -> None:
        kinds: list[Any] = [b"1", None, {"kind": "directory"}, {"kind": "dangling-symlink"}]
        expected = [{"reward": 1.0}, "RewardFileNotFoundError", "IsADirectoryError", "RewardFileNotFoundError"]
        for first in kinds:
            for second, answer in zip(kinds, expected, strict=True):
                files(first, first)
                found = files(second)
                assert found == answer or found["type"] == answer

    def test_nothing_is_left_behind(self) -> None:
        scratch = door._Scratch()
        directory = scratch.directory()
        assert directory == scratch.directory()
        assert directory.is_dir()
        scratch.remove()
        assert not directory.exists()
        scratch.remove()  # somebody was sooner

    def test_only_the_directory_is_hidden(self) -> None:
        scratch = door._Scratch()
        assert scratch.hide("1.5 / 2") == "1.5 / 2"
        assert scratch.hide(f"{scratch.directory()}/a: 1.5 / 2") == "<verifier>/a: 1.5 / 2"

    def test_a_forked_process_has_its_own(self) -> None:
        # In a process of its own, because a test runner may have threads, and forking is for processes without.
        program = """if True:
            import os
            from reimpl.door import run
            one, two = ({"reward.txt": text, "reward.json": None} for text in (b"1", b"2"))
            run("reward_files", one)
            if os.fork() == 0:
                raise SystemExit(run("reward_files", two) != {"value": {"reward": 2.0}})
            assert os.wait()[1] == 0
            assert run("reward_files", one) == {"value": {"reward": 1.0}}
        """
        subprocess.run([sys.executable, "-c", program], check=True)
