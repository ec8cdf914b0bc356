"""The strategies draw cases that tell: each fault in `told` is told by at least one case in 250."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings

from parity import shape, strategies
from parity.codec import Record, decode, encode
from parity.surfaces import LIVE
from tests.properties import told, told_of_files

EXAMPLES = 1000


@cache
def drawn(surface: str) -> list[Record]:
    cases: list[Record] = []

    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(getattr(strategies, surface)())
    def collect(case: Record) -> None:
        cases.append(case)

    collect()
    return cases


class TestPower:
    """A fault that people make is told by generated cases, soon."""

    @pytest.mark.parametrize("fault", told.FAULTS)
    def test_the_fault_is_told(self, fault: str) -> None:
        surface, tells = told.FAULTS[fault]
        assert sum(map(tells, drawn(surface))) >= EXAMPLES / 250


@pytest.mark.parametrize("surface", LIVE)
class TestInputs:
    """What is drawn is a case: it has the surface's fields, it is encoded without loss, and it shrinks to nothing."""

    def test_it_has_the_shape_of_the_surface(self, surface: str) -> None:
        assert {shape.fault(surface, encode(case)) for case in drawn(surface)} == {None}

    def test_it_survives_its_encoding(self, surface: str) -> None:
        for case in drawn(surface):
            assert encode(decode(encode(case))) == encode(case)

    def test_no_nan_is_shared(self, surface: str) -> None:
        """A dict finds a nan again by identity, so a shared one would tell what no encoded case can."""
        for case in drawn(surface):
            nans = list(nans_as_rewards(case))
            assert len({id(nan) for nan in nans}) == len(nans)

    def test_few_cases_come_twice(self, surface: str) -> None:
        cases = {json.dumps(encode(case)) for case in drawn(surface)}
        assert len(cases) > 0.7 * EXAMPLES


def nans_as_rewards(value: Any) -> Iterator[float]:
    if isinstance(value, dict):
        for name, item in value.items():
            if name not in ("tokens", "min_reward"):
                yield from nans_as_rewards(item)
    elif isinstance(value, list):
        for item in value:
            yield from nans_as_rewards(item)
    elif isinstance(value, float) and math.isnan(value):
        yield value


class TestSteps:
    """Operations on statistics refer to trials seen before them."""

    def test_indices_are_valid(self) -> None:
        for case in drawn("job_stats"):
            seen = 0
            for step in case["steps"]:
                assert step["op"] == "add" or step.get("previous", step["trial"]) in range(seen)
                seen += step["op"] != "remove"


class TestShrinking:
    """A fault is shrunk to a case that a person reads at a glance."""

    @pytest.mark.parametrize(
        ("surface", "tells", "longest"),
        [
            ("reward_files", told_of_files.strip_for_emptiness, 45),
            ("reward_files", told_of_files.negative_zero_lost, 50),
            ("reward_files", told_of_files.python_float_for_strings, 80),
            ("metric", told.naive_summation, 130),
            ("metric", told.none_skipped, 60),
            ("metric", told.ties_to_the_last, 65),
            ("multi_step", told.missing_key_left_out, 120),
            ("min_reward", told.threshold_must_be_exceeded, 50),
            ("job_stats", told.negative_zero_as_a_key, 240),
            ("job_stats", told.cancelled_not_counted, 500),
            ("pass_at_k", told.pass_at_one, 330),
        ],
    )
    def test_the_minimal_case_is_short(self, surface: str, tells: told.Tells, longest: int) -> None:
        profile = settings(max_examples=5000, derandomize=True, database=None, deadline=None)
        found = find(getattr(strategies, surface)(), tells, settings=profile)
        assert len(str(found)) <= longest, found

    @pytest.mark.parametrize("surface", LIVE)
    def test_the_plainest_case_is_next_to_nothing(self, surface: str) -> None:
        found = find(getattr(strategies, surface)(), lambda _: True, settings=settings(derandomize=True, database=None))
        assert len(str(found)) <= 330, found
