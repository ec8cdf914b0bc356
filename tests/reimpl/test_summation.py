from __future__ import annotations

import random
import struct
import sys
from collections.abc import Callable

import pytest

from reimpl.summation import has_the_rule, total, total_by_rule

Number = int | float

# Recorded from sum() on CPython 3.12.1; 3.13.0 agrees.
RECORDED: list[tuple[list[Number], str]] = [
    ([], "0"),
    ([1, 2], "3"),
    ([0.1] * 10, "1.0"),
    ([0.1, 0.2, 0.3], "0.6"),
    ([1e16, 1.0, -1e16], "1.0"),
    ([1e16, 1, -1e16], "0.0"),
    ([1e16, -1e16, 1], "1.0"),
    ([-0.0], "0.0"),
    ([0, -0.0], "0.0"),
    ([True, 0.5], "1.5"),
    ([True, True], "2"),
    ([float("inf"), float("-inf")], "nan"),
    ([float("inf"), 1.0], "inf"),
    ([1e308, 1e308, -1e308], "inf"),
    ([float("nan"), 1], "nan"),
    ([2**63, 0.1, 0.2, 0.3], "9.223372036854776e+18"),
    ([2**62, 2**62, -(2**63), 0.1, 0.2, 0.3], "0.6000000000000001"),
    ([0.1, 0.2, 0.3, 2**63, -(2.0**63)], "0.0"),
    ([1e22, 1e6, 1e6, 1e6, 2**62, -(2**62), -1e22], "3000000.0"),
    ([1e22, 1e6, 1e6, 1e6, 2**63, -(2**63), -1e22], "2097152.0"),
    ([2**53, 1, 0.0], "9007199254740992.0"),
    ([0.0, 2**53 + 1], "9007199254740992.0"),
    ([10**400], repr(10**400)),
    ([-(2**63), 2**63 - 1, *[0.1] * 10], "2.7755575615628914e-17"),
    ([-(2**62), -(2**62), 2**63 - 1, *[0.1] * 10], "2.7755575615628914e-17"),
]


def random_number(rng: random.Random) -> Number:
    kind = rng.randrange(8)
    if kind == 0:
        return rng.choice([0, 1, True, False, -1, 2**53 + 1])
    if kind == 1:
        return rng.choice([2**62, 2**63 - 1, 2**63, -(2**63), -(2**63) - 1, 2**64, 10**30, -(10**30), 10**308])
    if kind == 2:
        return rng.randint(-(2**64), 2**64)
    if kind == 3:
        return rng.choice([0.0, -0.0, 1e16, -1e16, 1e308, -1e308, 5e-324, float("inf"), float("-inf"), float("nan")])
    if kind == 4:
        (number,) = struct.unpack("d", rng.randbytes(8))
        return float(number)
    return rng.choice([0.1, 0.2, 0.3, 0.7, rng.random(), rng.uniform(-1e17, 1e17)])


class TestRule:
    """Numbers add up as on CPython 3.12, whatever Python this is."""

    @pytest.mark.parametrize(("values", "expected"), RECORDED)
    @pytest.mark.parametrize("add_up", [total, total_by_rule])
    def test_recorded(self, add_up: Callable[[list[Number]], Number], values: list[Number], expected: str) -> None:
        assert repr(add_up(values)) == expected

    @pytest.mark.parametrize("add_up", [total, total_by_rule])
    @pytest.mark.parametrize("values", [[0.5, 10**400], [10**400, 0.5], [0.5, 1, 10**400, 0.5]])
    def test_an_int_no_float_can_hold(self, add_up: Callable[[list[Number]], Number], values: list[Number]) -> None:
        with pytest.raises(OverflowError, match=r"^int too large to convert to float$"):
            add_up(values)


class TestBuiltin:
    """On 3.12 and 3.13 the rule written out and the builtin are the same function."""

    @pytest.mark.parametrize(
        ("implementation", "version", "platform", "expected"),
        [
            ("cpython", (3, 11, 9), "linux", False),
            ("cpython", (3, 12), "linux", True),
            ("cpython", (3, 13, 1), "darwin", True),
            ("cpython", (3, 14), "linux", False),
            ("cpython", (3, 14, 1), "linux", False),
            ("cpython", (3, 12, 1), "win32", False),  # where a C long has 32 bits
            ("pypy", (3, 12, 1), "linux", False),
        ],
    )
    def test_where(self, implementation: str, version: tuple[int, ...], platform: str, expected: bool) -> None:
        assert has_the_rule(implementation, version, platform) is expected

    def test_it_is_used_there(self) -> None:
        here = sys.implementation.name, sys.version_info, sys.platform
        assert total is (sum if has_the_rule(*here) else total_by_rule)

    def test_random_lists(self) -> None:
        rng = random.Random(12)  # noqa: S311 - the same lists in every run
        for _ in range(50_000):
            values = [random_number(rng) for _ in range(rng.randrange(9))]
            try:
                expected = repr(sum(values))
            except OverflowError as error:
                expected = str(error)
            try:
                found = repr(total_by_rule(values))
            except OverflowError as error:
                found = str(error)
            assert found == expected, values

    def test_floats_alone(self) -> None:
        rng = random.Random(13)  # noqa: S311 - the same lists in every run
        for _ in range(5_000):
            values = [rng.uniform(-1, 1) * 10 ** rng.randint(-20, 20) for _ in range(rng.randrange(40))]
            assert repr(total_by_rule(values)) == repr(sum(values)), values
