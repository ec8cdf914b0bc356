from __future__ import annotations

import math
import random
import struct
from datetime import datetime, timedelta, timezone

import pytest

from reimpl.render import (
    Json,
    PydanticSerializationError,
    float_text,
    int_text,
    number_key,
    render,
    text_key,
    timestamp_text,
)

TIME = datetime(2024, 1, 2, 3, 4, 5)  # noqa: DTZ001 — harbor's own times are naive


class TestFloatValues:
    """A float value has the digits of repr and an exponent only below 1e-5 and from 1e16 on, without padding."""

    @pytest.mark.parametrize(
        ("value", "text"),
        [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.0, "1.0"),
            (0.1, "0.1"),
            (1 / 3, "0.3333333333333333"),
            (0.0001, "0.0001"),
            (1e-05, "0.00001"),
            (-1e-05, "-0.00001"),
            (1.2345e-05, "0.000012345"),
            (9.999999999999999e-05, "0.00009999999999999999"),
            (math.nextafter(1e-05, 0), "9.999999999999999e-6"),
            (1e-06, "1e-6"),
            (-1.5e-07, "-1.5e-7"),
            (1e-10, "1e-10"),
            (1e-100, "1e-100"),
            (5e-324, "5e-324"),
            (9999999999999998.0, "9999999999999998.0"),
            (1e16, "1e+16"),
            (1.2345678901234568e17, "1.2345678901234568e+17"),
            (1e22, "1e+22"),
            (-1.7976931348623157e308, "-1.7976931348623157e+308"),
        ],
    )
    def test_spelling(self, value: float, text: str) -> None:
        assert float_text(value) == text

    @pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
    def test_not_finite_is_null(self, value: float) -> None:
        assert float_text(value) == "null"

    def test_every_finite_float_reads_back(self) -> None:
        rng = random.Random(49)  # noqa: S311 — a fixed sample
        for _ in range(20_000):
            (value,) = struct.unpack("<d", rng.getrandbits(64).to_bytes(8, "little"))
            if math.isfinite(value):
                assert struct.pack("<d", float(float_text(value))) == struct.pack("<d", value)


class TestInts:
    """An int value of any size is its digits; as a key it may have 4300 of them."""

    @pytest.mark.parametrize("value", [0, 1, -1, 2**63, -(2**63) - 1, 10**400])
    def test_digits(self, value: int) -> None:
        assert int_text(value) == str(value)

    @pytest.mark.parametrize("digits", [511, 512, 513, 1024, 1025, 4300, 4301, 10_000])
    def test_past_the_digit_limit(self, digits: int) -> None:
        assert int_text(10**digits) == "1" + "0" * digits
        assert int_text(10**digits - 1) == "9" * digits
        assert int_text(-(10**digits)) == "-1" + "0" * digits

    def test_inner_zeros_are_kept(self) -> None:
        assert int_text(7 * 10**5000 + 3 * 10**600 + 1) == "7" + "0" * 4399 + "3" + "0" * 599 + "1"

    def test_key_of_4300_digits(self) -> None:
        assert number_key(-(10**4300 - 1)) == "-" + "9" * 4300

    @pytest.mark.parametrize("sign", [1, -1])
    def test_longer_key_is_an_error(self, sign: int) -> None:
        with pytest.raises(PydanticSerializationError) as caught:
            render({"k": {sign * 10**4300: ["n"]}})
        assert str(caught.value) == (
            "Error serializing to JSON: ValueError: Exceeds the limit (4300 digits) for integer string conversion; "
            "use sys.set_int_max_str_digits() to increase the limit"
        )


class TestNumberKeys:
    """A number as a key is spelled as Python's repr."""

    @pytest.mark.parametrize(
        ("value", "text"),
        [
            (1, "1"),
            (1.0, "1.0"),
            (-0.0, "-0.0"),
            (1e-05, "1e-05"),
            (1.5e-07, "1.5e-07"),
            (1e16, "1e+16"),
            (math.nan, "nan"),
            (math.inf, "inf"),
            (-math.inf, "-inf"),
        ],
    )
    def test_spelling(self, value: float, text: str) -> None:
        assert number_key(value) == text


class TestText:
    """Text is raw UTF-8 but for quotes, backslashes and control characters."""

    @pytest.mark.parametrize(
        ("value", "text"),
        [
            ("", '""'),
            ("é\u2028\U0001f600", '"é\u2028\U0001f600"'),
            ("a/b\x7f\x80", '"a/b\x7f\x80"'),
            ('"\\', r'"\"\\"'),
            ("\b\f\n\r\t", r'"\b\f\n\r\t"'),
            ("\x00\x01\x0b\x1f", r'"\u0000\u0001\u000b\u001f"'),
        ],
    )
    def test_escapes(self, value: str, text: str) -> None:
        assert render(value) == text.encode()
        assert text_key(value) == text.encode()

    @pytest.mark.parametrize(
        ("value", "fault"),
        [
            ("\ud800", "character '\\ud800' in position 0"),
            ("é\udfffx", "character '\\udfff' in position 1"),
            ("\n\ud83d\ude00", "characters in position 1-2"),
            ("\ud800-\ud801", "character '\\ud800' in position 0"),
        ],
    )
    def test_surrogates_in_a_value_are_an_error(self, value: str, fault: str) -> None:
        for container in (value, ["first", value], {"k": {1: ["n", value, "\ud900"]}}):
            with pytest.raises(PydanticSerializationError) as caught:
                render(container)
            assert str(caught.value) == (
                f"Error serializing to JSON: UnicodeEncodeError: 'utf-8' codec can't encode {fault}: "
                "surrogates not allowed"
            )

    def test_surrogates_in_a_key_become_three_replacement_characters_each(self) -> None:
        assert text_key("a\ud83d\ude00b") == ('"a' + "\ufffd" * 6 + 'b"').encode()

    def test_the_first_fault_in_the_file_is_the_error(self) -> None:
        with pytest.raises(PydanticSerializationError, match="UnicodeEncodeError"):
            render({"a": {1: ["\ud800"]}, "b": {10**4300: ["n"]}})
        with pytest.raises(PydanticSerializationError, match="4300 digits"):
            render({"b": {10**4300: ["n"]}, "a": {1: ["\ud800"]}})

    def test_a_fault_far_down_a_long_list_is_found(self) -> None:
        names = [f"trial-{number}" for number in range(10_000)]
        with pytest.raises(PydanticSerializationError, match=r"'\\udc80' in position 3"):
            render([*names, "bad\udc80"])


class TestLayout:
    """Containers are indented by four, empty ones stay on their line, and the text ends without a newline."""

    def test_nested(self) -> None:
        numbers: dict[int | float, Json] = {1: ["x", "y"], 1.5: []}
        value: dict[str, Json] = {"a": {}, "b": [], "c": [{"d": 1, "e": None}], "f": numbers}
        assert render(value).decode().split("\n") == [
            "{",
            '    "a": {},',
            '    "b": [],',
            '    "c": [',
            "        {",
            '            "d": 1,',
            '            "e": null',
            "        }",
            "    ],",
            '    "f": {',
            '        "1": [',
            '            "x",',
            '            "y"',
            "        ],",
            '        "1.5": []',
            "    }",
            "}",
        ]

    def test_booleans_are_no_numbers(self) -> None:
        assert render([True, False, 1]) == b"[\n    true,\n    false,\n    1\n]"

    def test_keys_that_differ_can_be_spelled_alike(self) -> None:
        keys = ["\ud800", "\ud801", "\ufffd\ufffd\ufffd"]
        assert render(dict.fromkeys(keys, 1)).count("\ufffd\ufffd\ufffd".encode()) == 3
        assert render({float("nan"): 1, float("nan"): 2}).count(b'"nan"') == 2

    def test_long_lists_are_complete(self) -> None:
        names = [f"trial-{number}" for number in range(9_999)]
        assert render(names).decode() == "[\n    " + ",\n    ".join(f'"{name}"' for name in names) + "\n]"


class TestTimestamps:
    """A time has no fraction at zero microseconds, Z for an offset of zero, and other offsets to the minute."""

    @pytest.mark.parametrize(
        ("value", "text"),
        [
            (TIME, "2024-01-02T03:04:05"),
            (TIME.replace(microsecond=1), "2024-01-02T03:04:05.000001"),
            (TIME.replace(year=1), "0001-01-02T03:04:05"),
            (TIME.replace(tzinfo=timezone.utc), "2024-01-02T03:04:05Z"),
            (TIME.replace(microsecond=500000, tzinfo=timezone.utc), "2024-01-02T03:04:05.500000Z"),
        ],
    )
    def test_spelling(self, value: datetime, text: str) -> None:
        assert timestamp_text(value) == text

    @pytest.mark.parametrize(
        ("offset", "text"),
        [
            (timedelta(hours=2), "+02:00"),
            (timedelta(hours=-5, minutes=-30), "-05:30"),
            (timedelta(seconds=30), "+00:00"),
            (timedelta(seconds=-30), "-00:00"),
            (timedelta(seconds=-90), "-00:01"),
            (timedelta(microseconds=499_999), "Z"),
            (timedelta(microseconds=-499_999), "Z"),
            (timedelta(microseconds=500_000), "+00:00"),
            (timedelta(seconds=-59, microseconds=-500_000), "-00:01"),
            (timedelta(hours=24) - timedelta(microseconds=1), "+24:00"),
        ],
    )
    def test_offsets(self, offset: timedelta, text: str) -> None:
        assert timestamp_text(TIME.replace(tzinfo=timezone(offset))) == "2024-01-02T03:04:05" + text
