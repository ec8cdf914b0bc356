"""The encoding is the one docs/protocol.md describes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from parity.codec import CodecError, Record, case_id, decode, encode, integer_text


@dataclass(frozen=True)
class Answer:
    verified: bool
    rewards: dict[str, float] | None


class TestProtocolTable:
    """Each row of docs/protocol.md's table of values holds as written."""

    @pytest.mark.parametrize(
        ("value", "encoded"),
        [
            (None, None),
            (True, True),
            ("text", "text"),
            (7, {"int": "7"}),
            (0.1, {"float": "0.1"}),
            (float("nan"), {"float": "nan"}),
            (-0.0, {"float": "-0.0"}),
            (b"1\n\xff", {"bytes": "1\n\xff"}),
            ([1, "a"], [{"int": "1"}, "a"]),
            ({"k": 1, 2: None}, {"dict": [["k", {"int": "1"}], [{"int": "2"}, None]]}),
            (Record(task="t"), {"task": "t"}),
            (
                Answer(verified=True, rewards={"a": 1.0}),
                {"verified": True, "rewards": {"dict": [["a", {"float": "1.0"}]]}},
            ),
        ],
    )
    def test_value_has_its_encoding(self, value: Any, encoded: Any) -> None:
        assert encode(value) == encoded

    def test_an_id_is_stable_for_ever(self) -> None:
        """Files and other projects refer to cases by id, so this literal must never change."""
        input = {"reward.txt": {"bytes": "  "}, "reward.json": None}
        assert case_id("reward_files", input) == "5616a96c1f5d8353"


class TestRefusals:
    """What encodes nothing is refused with the reason."""

    @pytest.mark.parametrize(
        ("data", "reason"),
        [
            (1, "bare number"),
            (0.5, "bare number"),
            ({"float": "0.10"}, "not written as Python's repr"),
            ({"float": 1}, "not written as Python's repr"),
            ({"float": "x"}, "float cannot hold"),
            ({"int": "01"}, "not a plain decimal"),
            ({"int": ""}, "not a plain decimal"),
            ({"int": "-"}, "not a plain decimal"),
            ({"int": "1_0"}, "not a plain decimal"),
            ({"int": "-0"}, "not a plain decimal"),
            ({"int": 7}, "int cannot hold 7"),
            ({"bytes": "\u0100"}, "bytes cannot hold"),
            ({"dict": [["a", None], ["a", None]]}, "same key twice"),
            ({"dict": [["a"]]}, "dict cannot hold"),
            ({"dict": 3}, "dict cannot hold 3"),
        ],
    )
    def test_decoding_says_what_is_wrong(self, data: Any, reason: str) -> None:
        with pytest.raises(CodecError, match=reason):
            decode(data)

    def test_encoding_refuses_an_unknown_type(self) -> None:
        with pytest.raises(CodecError, match="a set has no encoding"):
            encode({1, 2})


@pytest.mark.parametrize("zeros", [0, 1, 3999, 4000, 4301, 8000, 12000])
def test_integers_of_any_size_travel(zeros: int) -> None:
    """Python itself refuses to write or read more than 4300 digits."""
    assert integer_text(7 * 10**zeros) == "7" + "0" * zeros
    assert integer_text(-7 * 10**zeros) == "-7" + "0" * zeros
    assert decode({"int": "-7" + "0" * zeros}) == -7 * 10**zeros
    assert decode(encode(10**zeros - 1)) == 10**zeros - 1
