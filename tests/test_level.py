"""A level decides how much of an outcome counts, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from parity.case import Case
from parity.codec import Json, Record, encode
from parity.judge import diverging
from parity.level import Level


def value(thing: Any) -> Json:
    return {"value": encode(thing)}


def error(type: str, message: str) -> Json:
    return {"error": {"type": type, "message": message}}


PAIRS: list[tuple[Json, Json, set[Level]]] = [
    (value(1), value(2), set(Level)),
    (value(1), value(1.0), {Level.exact, Level.values}),
    (value(0.0), value(-0.0), {Level.exact, Level.values}),
    (value(2**53 + 1), value(float(2**53)), set(Level)),
    (value(10**400), value(float("inf")), set(Level)),
    (value(float("nan")), value(float("nan")), set()),
    (value(float("nan")), value(0), set(Level)),
    (value(True), value(1), set(Level)),
    (value("1"), value(1), set(Level)),
    (value({"a": 1, "b": 2}), value({"b": 2, "a": 1.0}), {Level.exact, Level.values}),
    (value({"a": 1}), value({"b": 1}), set(Level)),
    (value([1, 2]), value([2, 1]), set(Level)),
    (value(b'{"a": 1,  "b": 1e2}'), value(b'{"b": 100.0, "a": 1}'), {Level.exact, Level.values}),
    (value(b'{"a": NaN}'), value(b'{"a": null}'), set(Level)),
    (value(b"not JSON"), value(b"not  JSON"), set(Level)),
    (error("A", "x"), error("A", "y"), {Level.exact}),
    (error("A", "x"), error("B", "x"), {Level.exact, Level.values}),
    (error("A", "x"), value(None), set(Level)),
    ({"fault": {"kind": "crashed", "message": "", "stderr": ""}}, error("A", ""), set(Level)),
    ({"skipped": "why"}, value(1), set()),
]


class TestLevels:
    """Two outcomes that differ at a level differ at every stricter one."""

    @pytest.mark.parametrize("level", list(Level))
    @pytest.mark.parametrize(("a", "b", "differ_at"), PAIRS)
    def test_what_counts(self, a: Json, b: Json, differ_at: set[Level], level: Level) -> None:
        case = Case.of("reason_code", Record(text=None))
        for left, right in ((a, b), (b, a)):
            assert (diverging(case, left, right, level=level) is not None) == (level in differ_at)

    def test_the_report_shows_the_outcomes_in_full(self) -> None:
        a, b = error("A", "of mine"), error("B", "of harbor's")
        finding = diverging(Case.of("reason_code", Record(text=None)), a, b, level=Level.values)
        assert finding is not None
        assert (finding.a, finding.b) == (a, b)

    def test_a_relaxation_bears_what_a_program_may_answer(self) -> None:
        case = Case.of("multi_step", Record(strategy="mean", steps=[]))
        answers: list[Json] = [value(None), value([]), value("x"), value({"rewards": 1}), {"skipped": "why"}]
        answers += [{"value": {"rewards": {"dict": []}}}, {"fault": {"kind": "crashed", "message": "", "stderr": ""}}]
        for answer in answers:
            for level in Level:
                diverging(case, answer, value(1), level=level)
