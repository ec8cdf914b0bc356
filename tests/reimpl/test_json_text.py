from __future__ import annotations

import itertools
import json
import random
import sys

import pytest

from reimpl.json_text import MAX_DEPTH, parse_json

ARRAY = "maximum recursion depth exceeded while decoding a JSON array from a unicode string"
OBJECT = "maximum recursion depth exceeded while decoding a JSON object from a unicode string"
CALL = "maximum recursion depth exceeded while calling a Python object"
BARE = "maximum recursion depth exceeded"


def read(text: str) -> str:
    try:
        return repr(parse_json(text))
    except ValueError:
        return "refused"


def standard(text: str) -> str:
    try:
        return repr(json.loads(text))
    except ValueError:
        return "refused"


def arrays(depth: int, leaf: str = "") -> str:
    return "[" * depth + leaf + "]" * depth


class TestGrammar:
    """Shallow documents are read as json.loads reads them."""

    @pytest.mark.parametrize("alphabet", ['{}[]":,1a', "01-.eE+ ", '"\\u00dD8c/n\n', "[,] 1\x0c\xa0\ufeff"])
    def test_every_short_text(self, alphabet: str) -> None:
        for length in range(6):
            for characters in itertools.product(alphabet, repeat=length):
                text = "".join(characters)
                assert read(text) == standard(text), text

    @pytest.mark.parametrize("inside", ['\\u00dD8c"', 'd8c\\u0"'])
    def test_every_ending_of_a_string(self, inside: str) -> None:
        for characters in itertools.product(inside, repeat=4):
            for start in ('"', '"\\ud83d', '"\\ud83d\\u', '"\\ud83d\\ude0', '"\\'):
                text = start + "".join(characters) + '"'
                assert read(text) == standard(text), text

    def test_random_tokens(self) -> None:
        rng = random.Random(7)  # noqa: S311 - the same texts in every run
        tokens = ["{", "}", "[", "]", ",", ":", '"a"', '"b"', "1", "-0", "1.5", "1e5", "null", "true", "NaN"]
        tokens += ["-Infinity", "Infinity", "false", " ", "\n", '"\\ud800"', "{}", "[]", '{"a":1}', "[1,2]", "-", "01"]
        for _ in range(50_000):
            text = "".join(rng.choices(tokens, k=rng.randrange(8)))
            assert read(text) == standard(text), text
            text = "{" + ",".join(f'"{rng.choice("abc")}":{rng.choice(tokens)}' for _ in range(rng.randrange(4))) + "}"
            assert read(text) == standard(text), text

    def test_the_last_of_duplicate_keys_wins_in_the_place_of_the_first(self) -> None:
        assert read('{"a": 1, "b": 2, "a": 3}') == "{'a': 3, 'b': 2}"

    def test_every_escape(self) -> None:
        assert parse_json(r'"\b\f\n\r\t\/\"\\\u0041"') == '\b\f\n\r\t/"\\A'

    def test_a_surrogate_pair_is_one_character(self) -> None:
        assert parse_json('"\\ud83d\\ude00 \\ude00\\ud83d"') == "\U0001f600 \ude00\ud83d"

    def test_an_int_has_at_most_4300_digits(self) -> None:
        assert parse_json("-" + "9" * 4300) == -(10**4300) + 1
        assert read("9" * 4301) == "refused"
        assert read("9" * 4301 + ".0") == "inf"
        assert read("0." + "1" * 5000) == "0.1111111111111111"


class TestFaults:
    """Whoever reads the message learns what is wrong."""

    @pytest.mark.parametrize(
        ("text", "fault"),
        [
            ("", "no value"),
            ("[nul]", "no value"),
            ("1 2", "more text after the value"),
            ("[1 2]", "neither a comma nor the end"),
            ('{"a" 1}', "no colon after a key"),
            ("{1: 1}", "no string"),
            ("9" * 4301, "too many digits for an int"),
        ],
    )
    def test_messages(self, text: str, fault: str) -> None:
        with pytest.raises(ValueError, match=f"^{fault}$"):
            parse_json(text)


class TestDepth:
    """The depth that is too deep is the same on every Python, from every stack."""

    @pytest.mark.parametrize(
        ("text", "error"),
        [
            (arrays(MAX_DEPTH + 1), ARRAY),
            ("[" * (MAX_DEPTH + 1), ARRAY),
            ('{"a":' * (MAX_DEPTH + 1), OBJECT),
            (arrays(MAX_DEPTH, "{}"), OBJECT),
            ('{"a":' * MAX_DEPTH + "[", ARRAY),
            ("[[]," + "[" * MAX_DEPTH, ARRAY),
            ("[" * 100_000, ARRAY),
        ],
    )
    def test_too_deep(self, text: str, error: str) -> None:
        with pytest.raises(RecursionError) as raised:
            parse_json(text)
        assert str(raised.value) == error

    def test_as_deep_as_allowed(self) -> None:
        value = parse_json(arrays(MAX_DEPTH, "1"))
        for _ in range(MAX_DEPTH):
            assert isinstance(value, list)
            (value,) = value
        assert value == 1
        assert isinstance(parse_json('{"a":' * MAX_DEPTH + "1" + "}" * MAX_DEPTH), dict)

    def test_from_a_stack_that_is_nearly_full(self) -> None:
        def descend(levels: int) -> object:
            return descend(levels - 1) if levels else parse_json(arrays(MAX_DEPTH))

        frame, used = sys._getframe(), 0
        while frame.f_back is not None:
            frame, used = frame.f_back, used + 1
        assert isinstance(descend(sys.getrecursionlimit() - used - 30), list)

    @pytest.mark.parametrize("text", ["[x" + "[" * 3000, "[" * (MAX_DEPTH - 4) + "1 1", "[" * 1000 + "]" * 1001])
    def test_a_fault_that_comes_first_decides(self, text: str) -> None:
        assert read(text) == "refused"


class TestLastLevels:
    """In the last levels there is no room to report a fault, so that it ends in RecursionError, as on CPython 3.12."""

    @pytest.mark.parametrize("leaf", ["x", "1,", "-", "tru", "}", "", "9" * 4301])
    def test_no_value(self, leaf: str) -> None:
        if leaf:
            assert read(arrays(MAX_DEPTH - 1, leaf)) == "refused"
        with pytest.raises(RecursionError) as raised:
            parse_json("[" * MAX_DEPTH + leaf)
        assert str(raised.value) == CALL

    @pytest.mark.parametrize("leaf", ["NaN", "Infinity", "-Infinity"])
    def test_constants_that_take_a_call(self, leaf: str) -> None:
        assert isinstance(parse_json(arrays(MAX_DEPTH - 1, leaf)), list)
        with pytest.raises(RecursionError) as raised:
            parse_json(arrays(MAX_DEPTH, leaf))
        assert str(raised.value) == CALL

    @pytest.mark.parametrize("leaf", ["null", "true", "1", "1.5", "1e400", '"\\ud800"', "9" * 4300])
    def test_values_that_take_none(self, leaf: str) -> None:
        assert isinstance(parse_json(arrays(MAX_DEPTH, leaf)), list)

    @pytest.mark.parametrize("leaf", ["1x", "1 1", '"', '"\\x"', '"\n"', "01", "1."])
    @pytest.mark.parametrize(("room", "error"), [(0, CALL), (1, BARE), (2, BARE), (3, CALL)])
    def test_faults_of_form(self, leaf: str, room: int, error: str) -> None:
        with pytest.raises(RecursionError) as raised:
            parse_json(arrays(MAX_DEPTH - room, leaf))
        assert str(raised.value) == error
        assert read(arrays(MAX_DEPTH - 4, leaf)) == "refused"

    @pytest.mark.parametrize("leaf", ["{", '{"a"', '{"a":1', '{"a":1,', '{"a":1,}', "{a"])
    def test_faults_of_an_object(self, leaf: str) -> None:
        with pytest.raises(RecursionError) as raised:
            parse_json(arrays(MAX_DEPTH - 2, leaf))
        assert str(raised.value) == BARE
