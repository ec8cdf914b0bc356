"""Surface `pass_at_k`: harbor's pass@k of every evals group."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harbor.utils.pass_at_k import compute_pass_at_k_by_evals

from oracle.trials import trial_result

if TYPE_CHECKING:
    from collections.abc import Mapping


def answer(input: Mapping[str, Any]) -> dict[str, dict[int, float]]:
    """Give pass@k by evals key, as harbor computes it from real trial results."""
    trials = [trial_result(trial) for trial in input["trials"]]
    value: dict[str, dict[int, float]] = compute_pass_at_k_by_evals(trials)
    return value
