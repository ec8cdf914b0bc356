"""Doors that are wrong where only a search finds it: neither the corpus nor the exhaustive tier has such a case."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reimpl import door


def low_threshold(surface: str, input: Mapping[str, Any]) -> dict[str, Any]:
    """Stop at any whole threshold below -1."""
    outcome = door.run(surface, input)
    return {"value": "too low"} if _is_low(surface, input) and outcome == {"value": None} else outcome


def low_threshold_by_hash(surface: str, input: Mapping[str, Any]) -> dict[str, Any]:
    """Stop at any whole threshold below -1, in words that follow from the hash seed of the process."""
    outcome = low_threshold(surface, input)
    return outcome if outcome != {"value": "too low"} else {"value": f"too low, by {hash('x')}"}


def _is_low(surface: str, input: Mapping[str, Any]) -> bool:
    return surface == "min_reward" and type(input["min_reward"]) is int and input["min_reward"] < -1
