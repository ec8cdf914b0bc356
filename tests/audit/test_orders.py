"""Figures that depend on the order of the trials, and what is known of it."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from itertools import permutations
from typing import Any

import pytest

from parity.audit import Verdict, audit_job
from parity.audit.reach import Mean, Number, Reach, is_same_in_every_order, plain_sum, reach
from reimpl.summation import total
from tests.audit.figures import change, failed
from tests.audit.jobs import Run, document


class TestOrders:
    """Where the order is not known, the bits of a sum decide."""

    @pytest.mark.parametrize("seed", range(200))
    def test_a_proof_holds_in_every_order(self, seed: int) -> None:
        chance = random.Random(seed)  # noqa: S311
        kinds: list[Callable[[], Number]] = [
            lambda: chance.choice([0.0, 0.5, 1.0, 0]),
            lambda: chance.choice([0.1, 0.2, 0.7, 0]),
            chance.random,
            lambda: chance.choice([1e16, -1e16, 1.0, 0.1]),
            lambda: chance.choice([1e16, 1, 3, -1e16, 0.1]),
            lambda: chance.choice([5e-324, 1e308, -1e308, 2**70, math.inf]),
        ]
        values = [chance.choice(kinds[seed % 6 :])() for _ in range(chance.randint(1, 6))]
        for fold in (total, plain_sum):
            if is_same_in_every_order(values, compensated=fold is total):
                sums = {json_text(fold, order) for order in permutations(values)}
                assert len(sums) == 1, values

    @pytest.mark.parametrize(
        ("values", "recorded", "expected"),
        [
            ([1e16, 1, -1e16], 0.0, Reach.SOME),
            ([1e16, 1, -1e16], 1 / 3, Reach.SOME),
            ([1e16, 1, -1e16], 1.0, Reach.NONE),
            ([0.1] * 30 + [3] * 3, 0.3636363636363637, Reach.SOME),
            ([0.1] * 30 + [3] * 3, 0.36363636363636376, Reach.NONE),
            ([0.1] * 30 + [3] * 3, 0.5, Reach.NONE),
            ([0.3 * 10**n for n in range(20)] + [3, 5], 1e18, Reach.NONE),
        ],
    )
    def test_any_order(self, values: list[Number], recorded: float, expected: Reach) -> None:
        found = reach(values, Mean(len(values)), lambda value: value == recorded, recorded)
        assert found is expected

    def test_a_search_that_ends_undecided(self) -> None:
        values = [0.1 * number for number in range(1, 40)] + [3] * 10
        near = math.nextafter(math.nextafter(sum(values), 0), 0)
        assert reach(values, total, lambda _: False, near) is Reach.UNKNOWN

    def test_figures_that_depend_on_an_unknown_order(self, run: Run) -> None:
        """Equal values leave open what came between them, and a resumed run may have found them anyhow."""
        plays = [document(f'{{"reward": {value}}}') for value in ("1e16", "1", "-1e16", "1e16", "1", "-1e16")]
        job = run({"tasks": [{"name": "t", "plays": plays}], "n_attempts": 6})
        mean = ("stats", "evals", "agent__adhoc", "metrics", 0, "mean")
        recorded = audit_job(job)
        assert recorded.follows
        (job / "lock.json").unlink()
        for trial in job.glob("*/result.json"):
            change(trial, "started_at", to=None)
            change(trial, "finished_at", to=None)
        # The names are drawn by lot, and the order of the directory, which is one of those it may have been, with them.
        told = {
            (Verdict.FOLLOWS, "it depends on the order of the trials, and this one gives it"),
            (Verdict.SOME_ORDER, "some order gives it"),
        }
        change(job / "result.json", *mean[:3], "reward_stats", "reward", "-1e+16", to=lambda names: names[::-1])
        [figure] = [figure for figure in audit_job(job).figures if figure.path.endswith("metrics[0].mean")]
        assert (figure.verdict, figure.note) in told
        change(job / "result.json", *mean, to=1 / 3)
        [figure] = [figure for figure in audit_job(job).figures if figure.path.endswith("metrics[0].mean")]
        assert (figure.verdict, figure.note) in told
        change(job / "result.json", *mean, to=0.125)
        assert "stats.evals.agent__adhoc.metrics[0].mean" in failed(audit_job(job))


def json_text(fold: Callable[[Any], Number], values: tuple[Number, ...]) -> str:
    """Spell a sum as a file has it."""
    try:
        value = fold(values)
    except OverflowError as error:
        return str(error)
    return "null" if isinstance(value, float) and not math.isfinite(value) else repr(value)
