"""The oracle's own codec says the same as the harness's: each has one, since each must run without the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle import codec as of_oracle
from parity import codec as of_harness
from tests.properties.test_codec import VALUES

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from(["7", "-7", "-0", "01", "1_0", "", "-", "0.1", "0.10", "nan", "-0.0", "1e400"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["int", "float", "bytes", "dict", "task"]), inner, max_size=2)
        | st.builds(lambda pairs: {"dict": pairs}, st.lists(st.lists(inner, min_size=2, max_size=2), max_size=3))
    ),
    max_leaves=8,
)


@dataclass(frozen=True)
class Answer:
    verified: bool
    rewards: dict[str, float] | None


def plain(value: Any) -> Any:
    """Return a value by its bits, and a record as a dict: the oracle has no use for the difference."""
    if isinstance(value, dict):
        return [(plain(key), plain(item)) for key, item in value.items()]
    if isinstance(value, list):
        return [plain(item) for item in value]
    return type(value).__name__, value.hex() if isinstance(value, float) else value


def refusal(decode: Any, data: Any, error: type[Exception]) -> bool:
    try:
        decode(data)
    except (error, TypeError):  # a list as a key of a dict is a TypeError to both
        return True
    return False


class TestAgreement:
    """What one codec writes the other reads, and neither reads what the other refuses."""

    @given(VALUES)
    def test_both_decode_the_same_value(self, value: Any) -> None:
        encoded = of_harness.encode(value)
        assert plain(of_oracle.decode(encoded)) == plain(of_harness.decode(encoded))

    @given(VALUES.filter(lambda value: type(value) is not of_harness.Record))
    def test_both_encode_the_same_json(self, value: Any) -> None:
        value = of_oracle.decode(of_harness.encode(value))
        assert of_oracle.encode(value) == of_harness.encode(value)

    @given(JSON)
    def test_both_refuse_the_same_json(self, data: Any) -> None:
        ours = refusal(of_oracle.decode, data, of_oracle.CodecError)
        assert ours == refusal(of_harness.decode, data, of_harness.CodecError)

    def test_both_encode_what_an_outcome_may_hold(self) -> None:
        for value in (Answer(verified=True, rewards={"a": 1.0}), (1, "a"), 7 - 10**9000, {2: 0.5}):
            assert of_oracle.encode(value) == of_harness.encode(value)

    def test_both_refuse_a_value_without_encoding(self) -> None:
        for codec in (of_oracle, of_harness):
            with pytest.raises(ValueError, match="a set has no encoding"):
                codec.encode({1, 2})
