from __future__ import annotations

import math
import os
import resource
import subprocess
import sys
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from reimpl import read_rewards
from reimpl.artifacts import write_artifacts
from reimpl.evaluation import ingest_artifacts
from reimpl.json_value import json_text
from reimpl.records import EvaluationError
from reimpl.rubric import Dimension, DimensionScore, score_rubric

ROOT = Path(__file__).parents[2]
OLD = {"reward.json": '{"reward": 0.25}\n', "details.json": '{"old": 1}\n'}
NEW = {"reward.json": '{"reward": 0.5}\n', "details.json": '{"new": {"evidence": "\\u00e9"}}\n'}
NEW_DETAILS = {"new": {"evidence": "é"}}


def content(directory: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in directory.iterdir()}


@pytest.fixture
def old(tmp_path: Path) -> Path:
    write_artifacts(tmp_path, 0.25, {"old": 1})
    assert content(tmp_path) == OLD
    return tmp_path


class TestReadBack:
    """What was written is read back by the evaluation and as harbor's rewards."""

    @pytest.mark.parametrize(
        ("reward", "text"),
        [(0.93, "0.93"), (1, "1.0"), (0, "0.0"), (True, "1.0"), (5e-324, "5e-324"), (-0.0, "-0.0")],
    )
    def test_rewards(self, tmp_path: Path, reward: float, text: str) -> None:
        write_artifacts(tmp_path, reward)
        assert content(tmp_path) == {"reward.json": f'{{"reward": {text}}}\n'}
        assert repr(read_rewards(tmp_path)) == f"{{'reward': {text}}}"
        result = ingest_artifacts(tmp_path, output_parseable=True, schema_valid=True)
        assert repr(result.reward) == text
        assert result.validity.verifier_completed
        assert result.breakdown is None

    def test_a_rubric(self, tmp_path: Path) -> None:
        rubric = [Dimension("units", 1.0), Dimension("style", 3.0, 5.0)]
        score = score_rubric(rubric, [DimensionScore("style", 4, 5.0, 'says "ok"\ud800')])
        write_artifacts(str(tmp_path), score.reward, score.details())
        result = ingest_artifacts(tmp_path, output_parseable=True, schema_valid=True)
        assert result.reward == score.reward == 0.6
        assert result.breakdown == score.details()
        assert read_rewards(tmp_path) == {"reward": 0.6}

    def test_details_of_any_kind_of_mapping(self, tmp_path: Path) -> None:
        write_artifacts(tmp_path, 0.5, MappingProxyType(NEW_DETAILS))
        assert content(tmp_path) == NEW

    def test_details_that_no_strict_reader_takes(self, tmp_path: Path) -> None:
        write_artifacts(tmp_path, 1.0, {"a": [math.nan, -math.inf]})
        result = ingest_artifacts(tmp_path, output_parseable=True, schema_valid=True)
        assert repr(result.breakdown) == "{'a': [nan, -inf]}"


class TestReplacing:
    """New files replace the old ones, and nothing else is left behind."""

    def test_both(self, old: Path) -> None:
        write_artifacts(old, 0.5, NEW_DETAILS)
        assert content(old) == NEW

    def test_details_of_an_earlier_reward_go(self, old: Path) -> None:
        write_artifacts(old, 0.5)
        assert content(old) == {"reward.json": NEW["reward.json"]}

    def test_other_files_stay(self, old: Path) -> None:
        (old / "reward.txt").write_text("1")
        write_artifacts(old, 0.5, NEW_DETAILS)
        assert content(old) == {**NEW, "reward.txt": "1"}

    def test_a_link_is_replaced_and_not_followed(self, tmp_path: Path) -> None:
        (tmp_path / "elsewhere").write_text("kept")
        (tmp_path / "reward.json").symlink_to("elsewhere")
        write_artifacts(tmp_path, 0.5)
        assert content(tmp_path) == {"elsewhere": "kept", "reward.json": NEW["reward.json"]}

    def test_everybody_may_read_what_the_umask_allows(self, tmp_path: Path) -> None:
        before = os.umask(0o022)
        try:
            write_artifacts(tmp_path, 0.5)
        finally:
            os.umask(before)
        assert (tmp_path / "reward.json").stat().st_mode & 0o777 == 0o644


class TestRefusals:
    """What may not be written changes nothing."""

    @pytest.mark.parametrize(
        ("reward", "fault"),
        [
            (math.nan, "is nan: a reward must be between 0.0 and 1.0"),
            (math.inf, "is inf: a reward must be between 0.0 and 1.0"),
            (1.0000000000000002, "is 1.0000000000000002: a reward must be between 0.0 and 1.0"),
            (-5e-324, "is -5e-324: a reward must be between 0.0 and 1.0"),
            (10**400, "is too large"),
            ("1", "is text, not a number"),
            (None, "is null, not a number"),
        ],
        ids=repr,
    )
    def test_rewards(self, old: Path, reward: Any, fault: str) -> None:
        with pytest.raises(EvaluationError) as raised:
            write_artifacts(old, reward, NEW_DETAILS)
        assert str(raised.value) == f"reward.json: the reward {fault}"
        assert content(old) == OLD

    @pytest.mark.parametrize(
        ("details", "fault"),
        [
            ([1], "is an array, not an object"),
            ({1: 1}, "has the key 1, which is int and not text"),
            ({"a": {1, 2}}, "holds a set, which JSON has not"),
        ],
    )
    def test_details(self, old: Path, details: Any, fault: str) -> None:
        with pytest.raises(EvaluationError) as raised:
            write_artifacts(old, 0.5, details)
        assert str(raised.value) == f"details.json: {fault}"
        assert content(old) == OLD

    def test_details_too_deep_to_be_read_back(self, old: Path) -> None:
        deep: dict[str, Any] = {}
        for _ in range(1491):
            deep = {"a": deep}
        with pytest.raises(EvaluationError, match=r"details\.json: is nested too deeply"):
            write_artifacts(old, 0.5, deep)
        write_artifacts(old, 0.5, deep["a"])
        breakdown = ingest_artifacts(old, output_parseable=True, schema_valid=True).breakdown
        # By text, because == gives up on such a depth.
        assert json_text(breakdown) == json_text(deep["a"])

    def test_no_directory(self, tmp_path: Path) -> None:
        with pytest.raises(FileNotFoundError):
            write_artifacts(tmp_path / "gone", 0.5)
        assert content(tmp_path) == {}


class TestCrashes:
    """Whatever interrupts the writer, each file is the old one or the new one."""

    @pytest.mark.parametrize("failing", ["os.fsync", "pathlib.Path.replace"])
    @pytest.mark.parametrize("call", [1, 2])
    def test_an_exception_leaves_nothing_behind(
        self, old: Path, monkeypatch: pytest.MonkeyPatch, failing: str, call: int
    ) -> None:
        module, _, name = failing.rpartition(".")
        owner = os if module == "os" else Path
        real, calls = getattr(owner, name), 0

        def fail(*arguments: Any) -> Any:
            nonlocal calls
            calls += 1
            if calls == call:
                raise KeyboardInterrupt
            return real(*arguments)

        monkeypatch.setattr(owner, name, fail)
        with pytest.raises(KeyboardInterrupt):
            write_artifacts(old, 0.5, NEW_DETAILS)
        halfway = {**OLD, "details.json": NEW["details.json"]}
        assert content(old) == (halfway if (name, call) == ("replace", 2) else OLD)

    @pytest.mark.parametrize("space", range(0, 40, 3))
    def test_a_full_disk(self, old: Path, space: int) -> None:
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (space, hard))
        try:
            with pytest.raises(OSError, match="File too large"):
                write_artifacts(old, 0.5, {"new": "x" * 40})
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert content(old) == OLD

    def test_a_kill_at_any_moment(self, old: Path) -> None:
        states = []
        for moment in range(1, 20):
            write_artifacts(old, 0.25, {"old": 1})
            command = [sys.executable, "-c", KILLED, str(old), str(moment)]
            killed = subprocess.run(command, cwd=ROOT, check=False).returncode
            left = content(old)
            states.append(tuple(left[name] == NEW[name] for name in NEW))
            assert all(left[name] in (OLD[name], NEW[name]) for name in NEW)
            for path in set(left) - set(NEW):
                (old / path).unlink()
            if not killed:
                break
        assert killed == 0
        # The reward is new only when its details are.
        assert sorted(set(states)) == [(False, False), (False, True), (True, True)]


KILLED = """
import os, sys
from reimpl.artifacts import write_artifacts

directory, moment = sys.argv[1], int(sys.argv[2])
seen = 0

def kill(event, arguments):
    global seen
    if event in ("open", "os.rename", "os.remove") and directory in str(arguments[0]):
        seen += 1
        if seen == moment:
            os._exit(9)

sys.addaudithook(kill)
write_artifacts(directory, 0.5, {"new": {"evidence": "\\u00e9"}})
"""
