"""The exhaustive tier holds every case up to a size, the plainest first, and can be cut into slices."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import islice, product
from typing import Any

import pytest

from parity import exhaustive, shape
from parity.codec import Record, decode, encode
from parity.surfaces import LIVE
from tests.miniatures import naive_sum


def first(surface: str, tells: Callable[[Record], bool]) -> Record:
    return next(case for case in exhaustive.cases(surface) if tells(case))


@pytest.mark.parametrize("surface", LIVE)
class TestSlices:
    """Slices together are the tier, case for case."""

    def test_the_count_is_the_number_of_cases(self, surface: str) -> None:
        assert exhaustive.count(surface) == sum(1 for _ in exhaustive.cases(surface))
        for part in range(3):
            assert exhaustive.count(surface, part, 3) == sum(1 for _ in exhaustive.cases(surface, part, 3))

    def test_slices_interleave_to_the_whole(self, surface: str) -> None:
        whole = [encode(case) for case in islice(exhaustive.cases(surface), 600)]
        slices = [[encode(case) for case in islice(exhaustive.cases(surface, part, 3), 200)] for part in range(3)]
        assert [slices[i % 3][i // 3] for i in range(len(whole))] == whole

    def test_cases_survive_their_encoding(self, surface: str) -> None:
        for case in islice(exhaustive.cases(surface), 0, None, 97):
            again = decode(encode(case))
            assert encode(again) == encode(case)
            assert shape.fault(surface, encode(case)) is None


class TestCompleteness:
    """Nothing below the bound is left out."""

    def test_every_text_is_read_from_both_files(self) -> None:
        files = {repr(case) for case in exhaustive.cases("reward_files")}
        texts = ["".join(text) for size in range(5) for text in product("10_.e-+ ", repeat=size)]
        for raw in (text.encode() for text in texts):
            for txt, json in ((raw, None), (None, b'{"reward": %s}' % raw), (None, b'{"reward": "%s"}' % raw)):
                assert repr({"reward.txt": txt, "reward.json": json}) in files

    def test_every_digit_of_every_script_is_read(self) -> None:
        files = {repr(case["reward.txt"]) for case in exhaustive.cases("reward_files")}
        assert all(
            repr(chr(point).encode()) in files for point in range(0x20000) if chr(point).isdecimal() and point > 57
        )

    def test_every_number_of_attempts_and_successes_is_counted(self) -> None:
        seen = set()
        for case in exhaustive.cases("pass_at_k"):
            if len({(trial["task"], trial["agent"]) for trial in case["trials"]}) == 1:
                values = [trial["rewards"] and trial["rewards"].get("reward") for trial in case["trials"]]
                seen.add((len(values), values.count(1)))
        assert {(n, c) for n in range(1, 21) for c in range(n + 1)} <= seen

    def test_steps_refer_to_trials_seen_before(self) -> None:
        for case in exhaustive.cases("job_stats"):
            seen = 0
            for step in case["steps"]:
                assert step["op"] == "add" or step.get("previous", step["trial"]) in range(seen)
                seen += step["op"] != "remove"


class TestOrder:
    """The first case that tells a fault is one that a person reads at a glance."""

    def test_white_space_is_told_by_a_space(self) -> None:
        case = first(
            "reward_files", lambda case: isinstance(case["reward.txt"], bytes) and case["reward.txt"].isspace()
        )
        assert case["reward.txt"] == b" "

    def test_naive_summation_is_told_by_three_numbers(self) -> None:
        def tells(case: Record) -> bool:
            values = [next(iter((each or {}).values()), 0) for each in case["rewards"]]
            return not math.isnan(sum(values)) and sum(values) != naive_sum(values)

        assert len(first("metric", tells)["rewards"]) == 3

    def test_the_closed_form_is_told_by_five_attempts(self) -> None:
        def tells(case: Record) -> bool:
            n = len(case["trials"])
            values: list[Any] = [trial["rewards"] and trial["rewards"].get("reward") for trial in case["trials"]]
            left = n - values.count(1)
            if n < 2 or left < 2 or len({trial["task"] for trial in case["trials"]}) > 1:
                return False
            return 1 - left / n * ((left - 1) / (n - 1)) != 1 - math.comb(left, 2) / math.comb(n, 2)

        case = first("pass_at_k", tells)
        assert [trial["rewards"] for trial in case["trials"]] == [{"reward": 1}] + [{"reward": 0}] * 4
