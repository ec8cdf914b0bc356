from __future__ import annotations

import itertools

import pydantic
import pytest

from reimpl.coercion import coerce_min_reward, coerce_rewards
from reimpl.errors import ValidationError

NO_NUMBER = ("float_parsing", "int_parsing")


def faults(value: object) -> list[tuple[str, ...]]:
    with pytest.raises(ValidationError) as raised:
        coerce_rewards(value)
    return [(*map(str, detail["loc"]), detail["type"]) for detail in raised.value.details]


def outcome(value: object) -> str | tuple[str, ...]:
    try:
        return repr(coerce_rewards({"k": value}))
    except ValidationError as error:
        return tuple(detail["type"] for detail in error.details)


class TestNumbers:
    """Ints and floats stay what they are, and booleans become floats."""

    @pytest.mark.parametrize("value", [0, 1, -1, 2**64, 10**400, 0.5, -0.0, float("inf"), float("nan")])
    def test_numbers_stay(self, value: float) -> None:
        assert outcome(value) == repr({"k": value})

    def test_booleans(self) -> None:
        assert repr(coerce_rewards({"a": True, "b": False})) == "{'a': 1.0, 'b': 0.0}"

    def test_order_is_kept(self) -> None:
        assert repr(coerce_rewards({"z": 1, "a": "2", "": 3})) == "{'z': 1, 'a': 2.0, '': 3}"

    def test_nothing_is_allowed(self) -> None:
        assert coerce_rewards(None) is None
        assert coerce_rewards({}) == {}


class TestText:
    """Text is a float if the float grammar takes it, else an int if the int grammar does, else refused."""

    @pytest.mark.parametrize(
        ("text", "number"),
        [
            ("1", 1.0),
            (" 2.5 ", 2.5),
            ("007", 7.0),
            ("+5", 5.0),
            ("5.", 5.0),
            (".5", 0.5),
            ("-0", -0.0),
            ("1e400", float("inf")),
            ("-nan", float("nan")),
            ("iNfInItY", float("inf")),
            ("9007199254740993", 9007199254740992.0),
            ("9" * 4301, float("inf")),
            ("\u3000\x85\xa01\u2028", 1.0),
            ("1_0", 10.0),
            ("1_.5", 1.5),
            ("1._5", 1.5),
            ("1e_1", 10.0),
            ("i_n_f", float("inf")),
            ("+_1", 1.0),
            ("-_.5", -0.5),
        ],
    )
    def test_floats(self, text: str, number: float) -> None:
        assert outcome(text) == repr({"k": number})

    @pytest.mark.parametrize(
        ("text", "number"),
        [
            (" 1_0", 10),
            ("1_0\n", 10),
            (" 1_0.00", 10),
            (" -1_0", -10),
            (" +0_1", 1),
            ("0__1", 1),
            ("0-1", -1),
            ("00-1", -1),
            ("+0-1", -1),
            ("0-_1", -1),
            ("0_-1_0", -10),
            ("0-0", 0),
            ("0-1.0", -1),
            (" 1" + "_1" * 4299, int("1" * 4300)),
        ],
    )
    def test_ints_that_are_no_floats(self, text: str, number: int) -> None:
        assert outcome(text) == repr({"k": number})

    @pytest.mark.parametrize(
        "text",
        [
            *(
                "",
                " ",
                "x",
                "1__0",
                "_1",
                "1_",
                "1 0",
                "- 1",
                "+-1",
                "-0-1",
                "0-01",
                "0--1",
                "0-",
                "0x1",
                "0X1",
                "1e",
                ".",
                "e5",
            ),
            *(
                " 1_0.",
                " 1_0.5",
                " 1_0.X",
                " 1_0e0",
                " 1_.0",
                "١",
                "１",
                "²",
                "1\0",
                "\x1c1",
                "\ufeff1",
                "1,0",
                "infinit",
                "nan(1)",
            ),
            *(" 1" + "_1" * 4300, "0" * 5000 + "x", "x" * 5000, "0" + "1" * 4301 + "x", " " + "1" * 4301 + "x"),
        ],
    )
    def test_no_numbers(self, text: str) -> None:
        assert outcome(text) == NO_NUMBER

    @pytest.mark.parametrize("text", ["1" * 4301 + "x", "-" + "1" * 4301 + "_", "1" * 4301 + " 1", "9" * 4301 + ".x"])
    def test_too_many_digits_at_the_very_start(self, text: str) -> None:
        assert outcome(text) == ("float_parsing", "int_parsing_size")

    @pytest.mark.parametrize("text", ["\ud800", "1\udfff"])
    def test_lone_surrogates(self, text: str) -> None:
        assert outcome(text) == ("string_unicode", "string_unicode")


class TestFaults:
    """Every bad value is told, in order, once for the float and once for the int it could not become."""

    def test_all_of_them(self) -> None:
        assert faults({"a": "x", "b": None, "c": True, "d": [1]}) == [
            ("rewards", "a", "float", "float_parsing"),
            ("rewards", "a", "int", "int_parsing"),
            ("rewards", "b", "float", "float_type"),
            ("rewards", "b", "int", "int_type"),
            ("rewards", "d", "float", "float_type"),
            ("rewards", "d", "int", "int_type"),
        ]

    @pytest.mark.parametrize("value", [[], [1], 1, 1.5, "x", True, ""])
    def test_no_object(self, value: object) -> None:
        assert faults(value) == [("rewards", "dict_type")]

    def test_a_surrogate_in_a_key_is_three_replacement_characters(self) -> None:
        assert coerce_rewards({"\ud800": 1}) == {"\ud800": 1}
        assert faults({"a\ud800\udc00é": None})[0] == ("rewards", "a" + 6 * "\ufffd" + "é", "float", "float_type")


class TestThresholds:
    """Thresholds are read like rewards, but become floats."""

    def test_floats(self) -> None:
        assert repr(coerce_min_reward(1)) == "1.0"
        assert repr(coerce_min_reward("1_0")) == "10.0"
        assert repr(coerce_min_reward({"a": True, "b": 2**53 + 1})) == "{'a': 1.0, 'b': 9007199254740992.0}"
        assert coerce_min_reward({}) == {}

    @pytest.mark.parametrize(
        ("value", "details"),
        [
            (10**400, [("min_reward", "float", "float_type"), ("min_reward", "dict[str,float]", "dict_type")]),
            ("x", [("min_reward", "float", "float_parsing"), ("min_reward", "dict[str,float]", "dict_type")]),
            (None, [("min_reward", "float", "float_type"), ("min_reward", "dict[str,float]", "dict_type")]),
            (
                {"a": " 1_0", "b": 1, "\ud800": 10**400},
                [
                    ("min_reward", "float", "float_type"),
                    ("min_reward", "dict[str,float]", "a", "float_parsing"),
                    ("min_reward", "dict[str,float]", 3 * "\ufffd", "float_type"),
                ],
            ),
        ],
    )
    def test_faults(self, value: object, details: list[tuple[str, ...]]) -> None:
        with pytest.raises(ValidationError) as raised:
            coerce_min_reward(value)
        assert [(*detail["loc"], detail["type"]) for detail in raised.value.details] == details


class TestPydantic:
    """pydantic says the same about every short text."""

    @pytest.mark.parametrize(
        ("alphabet", "longest"), [("01_.eE+- \xa0", 4), ("01_.-", 6), ("019_-. \n\x1c\0naifty١x\ud800", 3)]
    )
    def test_every_short_text(self, alphabet: str, longest: int) -> None:
        adapter = pydantic.TypeAdapter(dict[str, float | int])

        def expected(text: str) -> str | tuple[str, ...]:
            try:
                return repr(adapter.validate_python({"k": text}))
            except pydantic.ValidationError as error:
                return tuple(detail["type"] for detail in error.errors())

        for length in range(longest + 1):
            for characters in itertools.product(alphabet, repeat=length):
                text = "".join(characters)
                assert outcome(text) == expected(text), text
