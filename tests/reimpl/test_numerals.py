from __future__ import annotations

import itertools

import pytest

from reimpl.numerals import WHITESPACE, text_to_float

# No character beyond the first two planes is a digit or a space.
CHARACTERS = [chr(code) for code in range(0x20000)]


def read(text: str) -> str:
    try:
        return repr(text_to_float(text))
    except ValueError:
        return "refused"


def builtin(text: str) -> str:
    try:
        return repr(float(text))
    except ValueError:
        return "refused"


class TestGrammar:
    """ASCII text is read as float() reads it on every Python."""

    def test_every_short_text(self) -> None:
        for length in range(5):
            for characters in itertools.product("01_.e+- \tnaif", repeat=length):
                text = "".join(characters)
                assert read(text) == builtin(text), text

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("1_000", "1000.0"),
            ("1e1_0", "10000000000.0"),
            ("iNfInItY", "inf"),
            ("-nan", "nan"),
            ("1e400", "inf"),
            ("-1e-400", "-0.0"),
            ("-0", "-0.0"),
            ("1" * 5000, "inf"),
            ("0" * 5000 + "1", "1.0"),
            ("1__0", "refused"),
            ("1_.5", "refused"),
            ("0x10", "refused"),
            ("1\n0", "refused"),
            ("1\0", "refused"),
            ("\x1c1", "refused"),
        ],
    )
    def test_recorded(self, text: str, expected: str) -> None:
        assert read(text) == expected


class TestScripts:
    """The digits and spaces of Unicode 15.0 count, and no others, even where Python knows other ones."""

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("١٢", "12.0"),
            ("１.５", "1.5"),
            ("１_０", "10.0"),
            ("-１e１", "-10.0"),
            ("𝟏", "1.0"),
            ("\U00011f51", "1.0"),  # Kawi, since Unicode 15.0
            ("\U0001e4f3", "3.0"),  # Nag Mundari, since Unicode 15.0
            ("\U00016ac5", "5.0"),  # Tangsa, since Unicode 14.0
            ("\U00010d41", "refused"),  # Garay, a digit since Unicode 16.0
            ("\u30001\xa0", "1.0"),
            ("\u2028١\x85", "1.0"),
            ("²", "refused"),
            ("½", "refused"),
            ("−1", "refused"),
            ("１．５", "refused"),
            ("\ufeff1", "refused"),
            ("\u200b1", "refused"),
            ("１\x1c", "refused"),
            ("1\u30002", "refused"),
            ("ınf", "refused"),
        ],
    )
    def test_recorded(self, text: str, expected: str) -> None:
        assert read(text) == expected

    def test_a_digit_that_only_newer_pythons_know(self) -> None:
        with pytest.raises(ValueError, match=r"^not a number$"):
            text_to_float("\U00010d41")

    def test_there_are_680_digits(self) -> None:
        digits = [character for character in CHARACTERS if read(character) != "refused"]
        assert len(digits) == 680
        assert sorted(map(read, digits)) == sorted(f"{value}.0" for value in range(10) for _ in range(68))

    def test_every_character_like_the_builtin(self) -> None:
        for character in CHARACTERS:
            for text in (character + "1", "1" + character + "0"):
                assert read(text) == builtin(text), text

    def test_white_space(self) -> None:
        assert len(WHITESPACE) == 25
        for space in WHITESPACE:
            assert read(f"{space}1{space}{space}") == "1.0"
            assert read(f"1{space}1") == "refused"
