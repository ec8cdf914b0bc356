"""Surface `metric`: harbor's `Mean`, `Max`, `Min` and `Sum` on a list of rewards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harbor.metrics.max import Max
from harbor.metrics.mean import Mean
from harbor.metrics.min import Min
from harbor.metrics.sum import Sum

if TYPE_CHECKING:
    from collections.abc import Mapping

    from harbor.metrics.base import BaseMetric

METRICS: dict[str, BaseMetric[Any]] = {"mean": Mean(), "max": Max(), "min": Min(), "sum": Sum()}


def answer(input: Mapping[str, Any]) -> dict[str, Any]:
    """Give the metric that harbor computes over the rewards."""
    value: dict[str, Any] = METRICS[input["metric"]].compute(input["rewards"])
    return value
