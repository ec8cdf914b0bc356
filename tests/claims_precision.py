"""Section 6 of the specification document: precision."""

from __future__ import annotations

import math
from fractions import Fraction

from tests.claims import INF, NAN, about, at_k, job_group, line, metric, metrics, value

TENTHS = [0.1] * 10

CLAIMS = [
    *about(
        "6",
        "reward_files",
        ("0 is exact", "txt-zero", value({"reward": 0.0})),
        ("1 is exact", "txt-one", value({"reward": 1.0})),
        ("round to nearest", "txt-rounds-to-the-nearest-double", value({"reward": 2.0**53})),
    ),
    *about(
        "6",
        "metric",
        ("2/3", "single-key-is-named-by-the-metric", value({"mean": 0.6666666666666666})),
        ("1/3", "no-rewards-count-as-zero", value({"mean": 0.3333333333333333})),
        ("sum adds left to right", "mean-is-compensated", value({"mean": 0.09999999999999999}), 10),
        ("sum adds left to right", "sum-is-compensated", value({"sum": 0.9999999999999999}), 10),
        ("sum adds left to right", "sum-keeps-what-cancels", value({"sum": 0.0}), 10),
        (
            "math.fsum diverges",
            "mean-is-compensated",
            metric("mean", lambda mean: mean != math.fsum(TENTHS) / len(TENTHS)),
            11,
        ),
        (
            "Sum is exact",
            "sum-of-three-tenths",
            metric("sum", lambda total: Fraction(total) == Fraction(0.1) + Fraction(0.2) + Fraction(0.3)),
            12,
        ),
        ("Max is exact", "max-compares-int-with-float-exactly", value({"max": 2**53 + 1})),
        ("the order counts", "mean-order-large-small-large", value({"mean": 0.0})),
        ("the order counts", "mean-order-large-large-small", value({"mean": 1 / 3})),
        ("nan propagates", "mean-of-nan", value({"mean": NAN})),
        ("inf propagates", "mean-of-infinity-and-a-number", value({"mean": INF})),
        ("inf may end as nan", "sum-of-opposite-infinities-is-nan", value({"sum": NAN})),
    ),
    *about(
        "6",
        "job_result",
        (
            "sum adds left to right",
            "reward-mean-is-compensated",
            metrics("a__adhoc", {"mean": 0.09999999999999999}),
            10,
        ),
        (
            "the order is kept",
            "trials-keep-their-order",
            job_group("a__adhoc", "reward_stats", "reward", "1", is_=["z__1", "a__1", "m__1"]),
        ),
    ),
    *about(
        "6",
        "pass_at_k",
        ("pass@k multiplies in turn", "n5-c1-is-not-0.4", at_k(2, 1.0 - 1.0 * (4 / 5) * (3 / 4))),
        ("then sum and division", "mean-over-tasks-is-compensated", at_k(2, 0.8333333333333334)),
    ),
    *about(
        "6",
        "outcome",
        ("sum adds left to right", "score-is-compensated", line(score=0.09999999999999999), 10),
    ),
]
