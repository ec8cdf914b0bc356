"""What `write_artifacts` writes, harbor reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from oracle import door
from reimpl import read_rewards
from reimpl.artifacts import write_artifacts
from reimpl.rubric import Dimension, DimensionScore, score_rubric


def read_by_harbor(directory: Path) -> str:
    """Give harbor the bytes that were written."""
    outcome = door.run("reward_files", {"reward.txt": None, "reward.json": (directory / "reward.json").read_bytes()})
    return repr(outcome)


@pytest.mark.parametrize("reward", [0.0, 1.0, 0.93, 1 / 3, 5e-324, 1e-05, 0.9999999999999999, -0.0])
def test_a_reward(tmp_path: Path, reward: float) -> None:
    write_artifacts(tmp_path, reward, {"a": {"score": reward, "max_score": 1.0, "evidence": "é"}})
    assert read_by_harbor(tmp_path) == repr({"value": {"reward": reward}})
    assert read_rewards(tmp_path) == {"reward": reward}


def test_the_reward_of_a_rubric(tmp_path: Path) -> None:
    rubric = [Dimension("units", 1.0, 5.0), Dimension("style", 2.0, 10.0)]
    score = score_rubric(rubric, [DimensionScore("units", 4, 5.0, "one wrong"), DimensionScore("style", 7.5, 10.0)])
    write_artifacts(tmp_path, score.reward, score.details())
    assert read_by_harbor(tmp_path) == "{'value': {'reward': 0.7667}}"
