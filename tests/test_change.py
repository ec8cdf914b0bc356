"""A change between two releases has a kind, and reaches a score or does not."""

from __future__ import annotations

from typing import Any

import pytest

from parity.case import Case
from parity.change import changes_score, kind_of
from parity.codec import Json, Record, encode
from parity.implementation import ORACLE, REIMPL
from parity.judge import Finding, diverging

JOB = b'{"stats": {"evals": {"g": {"metrics": [{"mean": %s}], "pass_at_k": {}}}, "n_retries": %s}}'
WAS, RENDERED, RETRIED, SCORED = (
    JOB % each for each in ((b"1e16", b"0"), (b"1e+16", b"0"), (b"1e16", b"1"), (b"2", b"0"))
)


def value(given: Any) -> Json:
    return {"value": encode(given)}


def error(name: str, message: str) -> Json:
    return {"error": {"type": name, "message": message}}


def run(result: bytes | None, message: str = "x") -> Json:
    trial = Record(name="t", exception=Record(type="E", message=message))
    return value(Record(runs=[Record(ended="finished", error=None, result=result, late=None)], trials=[trial]))


def finding(surface: str, before: Json, after: Json) -> Finding:
    found = diverging(Case(surface, {}), before, after)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("surface", "before", "after", "kind"),
    [
        ("metric", value({"mean": 1.0}), error("ValueError", "x"), "rejected now"),
        ("metric", error("ValueError", "x"), value({"mean": 1.0}), "accepted now"),
        ("metric", value({"mean": 1.0}), value({"mean": 1}), "value changed"),
        ("metric", error("ValueError", "x"), error("ValueError", "y"), "error text only"),
        ("metric", error("ValueError", "x"), error("KeyError", "x"), "error type changed"),
        ("job_result", value(WAS), value(RENDERED), "rendering only"),
        ("job_result", value(WAS), value(SCORED), "value changed"),
        ("job_run", run(WAS), run(RENDERED), "rendering only"),
        ("job_run", run(WAS), run(SCORED), "value changed"),
        ("job_run", run(WAS), run(None), "value changed"),
        ("job_run", run(WAS), run(WAS, message="y"), "error text only"),
        ("job_run", run(WAS), run(SCORED, message="y"), "value changed"),
    ],
)
def test_every_change_has_a_kind(surface: str, before: Json, after: Json, kind: str) -> None:
    assert kind_of(finding(surface, before, after)) == kind


@pytest.mark.parametrize(
    ("surface", "before", "after", "scores"),
    [
        ("reward_files", value({"reward": 1.0}), value({"reward": 0.0}), True),
        ("reward_files", value({"reward": 1.0}), value({"reward": 1}), False),
        ("reward_files", error("E", "x"), error("E", "y"), False),
        ("min_reward", value(None), value("too low"), True),
        ("min_reward", value("too low"), value("below"), False),
        ("job_result", value(WAS), value(RENDERED), False),
        ("job_result", value(WAS), value(RETRIED), False),
        ("job_result", value(WAS), value(SCORED), True),
        ("job_run", run(WAS), run(RETRIED), False),
        ("job_run", run(WAS), run(SCORED), True),
        ("job_run", run(WAS), run(None), True),
        ("job_run", run(None), run(None, message="y"), False),
    ],
)
def test_it_changes_a_score_if_the_end_of_the_pipe_differs(
    surface: str, before: Json, after: Json, scores: bool
) -> None:
    assert changes_score(finding(surface, before, after), ORACLE.start(), REIMPL.start()) is scores
