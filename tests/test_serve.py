"""`parity serve` speaks the wire of docs/protocol.md."""

from __future__ import annotations

import json
from typing import Any

import pytest

from parity.surfaces import LIVE, SURFACES
from tests.cli import parity

MEAN = {"metric": "mean", "rewards": [{"dict": [["reward", {"int": "1"}]]}, None]}


def conversation(side: str, *requests: dict[str, Any]) -> list[dict[str, Any]]:
    done = parity("serve", side, stdin="".join(json.dumps(request) + "\n" for request in requests))
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("side", ["reimpl", "oracle"])
class TestWire:
    """Handshake, answers in order with their `seq`, and an end."""

    def test_a_conversation(self, side: str) -> None:
        hello, *answers = conversation(
            side,
            {"cmd": "start", "version": 1},
            {"cmd": "run", "seq": 1, "surface": "metric", "input": MEAN},
            {"cmd": "run", "seq": 2, "surface": "metric", "input": {"metric": "max", "rewards": []}},
            {
                "cmd": "run",
                "seq": 3,
                "surface": "reward_files",
                "input": {"reward.txt": {"bytes": "x"}, "reward.json": None},
            },
            {"cmd": "run", "seq": 4, "surface": "nothing", "input": {}},
            {"cmd": "run", "seq": 5, "surface": "metric", "input": {"metric": "mean", "rewards": [1]}},
            {"cmd": "run", "seq": 7, "surface": "pass_at_k", "input": {"trials": [{"task": "t"}]}},
            {"cmd": "stop"},
            {"cmd": "run", "seq": 6, "surface": "metric", "input": MEAN},
        )
        assert hello["version"] == 1
        assert hello["implementation"]["name"] == side
        assert hello["implementation"]["language"] == "python"
        assert hello["surfaces"] == list(LIVE if side == "oracle" else SURFACES)
        assert answers == [
            {"seq": 1, "value": {"dict": [["mean", {"float": "0.5"}]]}},
            {"seq": 2, "error": {"type": "ValueError", "message": "max() iterable argument is empty"}},
            {
                "seq": 3,
                "error": {
                    "type": "VerifierOutputParseError",
                    "message": "Failed to parse rewards from text file <verifier>/reward.txt",
                },
            },
            {"seq": 4, "skipped": "unknown surface 'nothing'"},
            {"seq": 5, "skipped": answers[4]["skipped"]},
            {"seq": 7, "skipped": answers[5]["skipped"]},
        ]
        assert "bare number" in answers[4]["skipped"]
        assert "must hold task, name" in answers[5]["skipped"]

    def test_another_version_is_refused(self, side: str) -> None:
        done = parity("serve", side, stdin='{"cmd": "start", "version": 2}\n')
        assert done.returncode == 2
        assert "version 1" in done.stderr
