"""The encoding loses nothing."""

from __future__ import annotations

import json
import math
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from parity.codec import Record, canonical, case_id, decode, encode

HUGE = st.integers(4290, 9001).map(lambda zeros: 7 - 10**zeros)
NUMBERS = st.integers() | st.floats() | HUGE | st.sampled_from([-0.0, math.nan, 5e-324])
SCALARS = st.none() | st.booleans() | NUMBERS | st.text(st.characters()) | st.binary()
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters()) | st.integers(), inner, max_size=4)
        | st.dictionaries(st.text(min_size=1), inner, max_size=4).map(lambda fields: Record(wide=True, **fields))
    ),
    max_leaves=12,
)


def bits(value: Any) -> Any:
    """Return a value that compares equal only to one of the same type, bits and order."""
    if isinstance(value, Record):
        return "record", {name: bits(item) for name, item in value.items()}
    if isinstance(value, dict):
        return "dict", [(bits(key), bits(item)) for key, item in value.items()]
    if isinstance(value, list):
        return "list", [bits(item) for item in value]
    return type(value).__name__, value.hex() if isinstance(value, float) else value


class TestRoundTrip:
    """What is encoded comes back with the same types, bits and order, through JSON text too."""

    @given(VALUES)
    def test_decoding_undoes_encoding(self, value: Any) -> None:
        assert bits(decode(encode(value))) == bits(value)

    @given(VALUES)
    def test_the_encoding_survives_json_text(self, value: Any) -> None:
        encoded = encode(value)
        assert json.loads(json.dumps(encoded)) == encoded

    @given(VALUES, VALUES)
    def test_encodings_are_equal_only_for_equal_bits(self, one: Any, other: Any) -> None:
        assert (encode(one) == encode(other)) == (bits(one) == bits(other))


class TestIdentity:
    """A case's id depends on its content and on nothing else."""

    @given(VALUES)
    def test_the_order_of_fields_does_not_matter(self, value: Any) -> None:
        one = {"a": encode(value), "b": None}
        other = {"b": None, "a": encode(value)}
        assert case_id("metric", one) == case_id("metric", other)
        assert canonical(one) == canonical(other)

    @given(VALUES, VALUES)
    def test_other_content_has_another_id(self, one: Any, other: Any) -> None:
        same = encode(one) == encode(other)
        assert (case_id("metric", {"a": encode(one)}) == case_id("metric", {"a": encode(other)})) == same
