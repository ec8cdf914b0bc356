from __future__ import annotations

from typing import Any

import pytest

from reimpl import compute_metric

NAN = float("nan")


def metric(name: str, *rewards: dict[str, Any] | None) -> str:
    return repr(compute_metric(name, rewards))


def single(name: str, *values: float) -> str:
    return metric(name, *({"reward": value} for value in values))


class TestShape:
    """One reward name in the group gives the metric's name; several give one entry a reward name, sorted."""

    def test_one_name(self) -> None:
        assert single("mean", 1, 0, 1) == "{'mean': 0.6666666666666666}"
        assert metric("sum", {"a": 1}, {}, None, {"a": 2}) == "{'sum': 3}"

    def test_several_names(self) -> None:
        rewards = ({"speed": 0.5, "correctness": 1}, {"correctness": 0, "speed": 1.0})
        assert metric("mean", *rewards) == "{'correctness': 0.5, 'speed': 0.75}"
        assert metric("max", *rewards) == "{'correctness': 1, 'speed': 1.0}"
        assert metric("min", *rewards) == "{'correctness': 0, 'speed': 0.5}"
        assert metric("sum", *rewards) == "{'correctness': 1, 'speed': 1.5}"

    def test_names_are_those_of_the_group(self) -> None:
        assert metric("mean", {"a": 1}, {"b": 2}) == "{'a': 0.5, 'b': 1.0}"

    def test_names_are_sorted_by_code_point(self) -> None:
        names = ["😀", "é", "a", "_", "B", "9", "10", "", "\uffff", "\ud800"]
        expected = ["", "10", "9", "B", "_", "a", "é", "\ud800", "\uffff", "😀"]
        assert list(compute_metric("max", [dict.fromkeys(names, 1)])) == expected

    def test_a_reward_called_mean(self) -> None:
        assert metric("max", {"mean": 1, "x": 3}) == "{'mean': 1, 'x': 3}"


class TestMissing:
    """What is missing counts as 0."""

    def test_nothing_at_all(self) -> None:
        groups: list[list[dict[str, Any] | None]] = [[{}], [None], [{}, None]]
        for rewards in groups:
            assert metric("mean", *rewards) == "{'mean': 0.0}"
            assert metric("max", *rewards) == "{'max': 0}"
            assert metric("min", *rewards) == "{'min': 0}"
            assert metric("sum", *rewards) == "{'sum': 0}"

    def test_some(self) -> None:
        assert metric("mean", {"reward": 1}, None, None) == "{'mean': 0.3333333333333333}"
        assert metric("max", {"reward": -1}, None) == "{'max': 0}"
        assert metric("min", {"a": 1, "b": 2}, {"a": 3}) == "{'a': 1, 'b': 0}"

    def test_no_trials(self) -> None:
        with pytest.raises(ZeroDivisionError, match=r"^division by zero$"):
            metric("mean")
        with pytest.raises(ValueError, match=r"^max\(\) iterable argument is empty$"):
            metric("max")
        with pytest.raises(ValueError, match=r"^min\(\) iterable argument is empty$"):
            metric("min")
        assert metric("sum") == "{'sum': 0}"


class TestNumbers:
    """Sums follow CPython 3.12; max and min return one of the values as it is."""

    def test_compensation(self) -> None:
        assert single("mean", *[0.1] * 10) == "{'mean': 0.1}"
        assert single("mean", 0.1, 0.2, 0.3) == "{'mean': 0.19999999999999998}"
        assert single("mean", 1e16, 1, -1e16) == "{'mean': 0.0}"
        assert single("mean", 1e16, -1e16, 1) == "{'mean': 0.3333333333333333}"

    def test_types(self) -> None:
        assert single("sum", 1, 2) == "{'sum': 3}"
        assert single("sum", 1, 2.0) == "{'sum': 3.0}"
        assert single("mean", 1, 1) == "{'mean': 1.0}"
        assert single("max", 1, 1.0) == "{'max': 1}"
        assert single("max", 1.0, 1) == "{'max': 1.0}"
        assert single("min", 0.0, -0.0) == "{'min': 0.0}"
        assert single("max", True, 1) == "{'max': True}"
        assert single("sum", True, True) == "{'sum': 2}"

    def test_nan_depends_on_its_place(self) -> None:
        assert single("max", NAN, 1.0) == "{'max': nan}"
        assert single("max", 1.0, NAN) == "{'max': 1.0}"
        assert single("max", 0.0, NAN, 2.0) == "{'max': 2.0}"
        assert single("min", NAN, 1.0) == "{'min': nan}"
        assert single("mean", 1.0, NAN) == "{'mean': nan}"

    def test_huge_ints(self) -> None:
        assert single("mean", *[10**308] * 20) == "{'mean': 1e+308}"
        assert single("sum", 10**400) == repr({"sum": 10**400})
        with pytest.raises(OverflowError, match=r"^integer division result too large for a float$"):
            single("mean", 10**400)
        with pytest.raises(OverflowError, match=r"^int too large to convert to float$"):
            single("sum", 0.5, 10**400)


class TestName:
    """A metric that does not exist is refused."""

    def test_unknown(self) -> None:
        with pytest.raises(ValueError, match="unknown metric 'median': choose from mean, max, min, sum"):
            metric("median", {"reward": 1})
