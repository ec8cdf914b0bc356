from __future__ import annotations

import json
import math
from datetime import datetime, timezone
from typing import Any

import pytest

from reimpl.json_text import parse_json
from reimpl.json_value import MAX_LEVELS, check_text, json_copy, json_text


class Spelled(float):
    def __repr__(self) -> str:
        return "Spelled()"


def nested(levels: int) -> list[Any]:
    value: list[Any] = [math.nan]
    for _ in range(levels - 1):
        value = [value]
    return value


class TestText:
    """The text of a value is that of json.dumps, where both have one."""

    @pytest.mark.parametrize(
        "value",
        [
            None,
            True,
            [],
            {},
            [[], {}],
            {"a": [1, 2.5, -0.0, 1e-7, 1e22], "": {"b": None, "c": False}},
            ["é😀\n\ud800", math.inf, -math.inf],
            [10**4299],
        ],
    )
    def test_values(self, value: object) -> None:
        assert json_text(value) == json.dumps(value)

    def test_nan(self) -> None:
        assert json_text([math.nan]) == "[NaN]"

    def test_subclasses_are_what_they_are_based_on(self) -> None:
        assert json_text([Spelled(0.5)]) == "[0.5]"


class TestRefusals:
    """What JSON would change is refused."""

    @pytest.mark.parametrize(
        ("value", "fault"),
        [
            ((1,), "holds a tuple, which JSON has not"),
            ([b""], "holds a bytes, which JSON has not"),
            ({"a": datetime.now(timezone.utc)}, "holds a datetime, which JSON has not"),
            ({1: 1}, "has the key 1, which is int and not text"),
            ([10**4300], "Exceeds the limit"),
            (["\ud83d\ude00"], "holds a character as two surrogates"),
            ({"\ud83d\ude00": 1}, "holds a character as two surrogates"),
        ],
    )
    def test_no_json(self, value: object, fault: str) -> None:
        with pytest.raises(ValueError, match=fault):
            json_text(value)

    def test_a_value_that_holds_itself(self) -> None:
        value: list[Any] = [1]
        value.append(value)
        with pytest.raises(ValueError, match="is nested too deeply"):
            json_text(value)

    def test_lone_surrogates_in_the_wrong_order_are_two_characters(self) -> None:
        assert check_text("\ude00\ud83d") == "\ude00\ud83d"


class TestNesting:
    """What is written can be read, at any depth and on every Python version."""

    def test_the_deepest(self) -> None:
        assert json_text(parse_json(json_text(nested(MAX_LEVELS)))) == json_text(nested(MAX_LEVELS))
        with pytest.raises(ValueError, match="is nested too deeply"):
            json_text(nested(MAX_LEVELS + 1))

    def test_levels_side_by_side_do_not_add_up(self) -> None:
        assert json_text([[[]]] * MAX_LEVELS).count("[") == 2 * MAX_LEVELS + 1

    def test_a_copy_leaves_room_for_a_record_around_it(self) -> None:
        assert json_text([json_copy(nested(MAX_LEVELS - 1))]) == json_text(nested(MAX_LEVELS))
        with pytest.raises(ValueError, match="is nested too deeply"):
            json_copy(nested(MAX_LEVELS))


class TestCopy:
    """A copy shares nothing with the original."""

    def test_it_does_not_follow_changes(self) -> None:
        value = {"a": [1, {"b": 2}]}
        copy = json_copy(value)
        value["a"].append(3)
        assert copy == {"a": [1, {"b": 2}]}
