"""The ``result.json`` of a trial, read without trust: what is not as harbor writes it is refused."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timezone
from math import isfinite
from typing import Any

from reimpl.trial import TokenUsage

Rewards = dict[str, int | float]
StoredRewards = dict[str, int | float | None]
"""Rewards as a trial's file has them, where nan and the infinities are null."""

_TOKENS = ("n_input_tokens", "n_cache_tokens", "n_output_tokens", "cost_usd")


class MalformedError(Exception):
    """A trial's result is not what harbor writes; the message says where, as the end of a sentence about it."""


@dataclass(frozen=True)
class Verified:
    """What the verifier said of a trial or a step, with null for nan and the infinities."""

    verified: bool
    rewards: StoredRewards | None

    def agrees(self, rewards: Rewards | None) -> bool:
        """Compare with rewards to the last bit, and to the order of their keys."""
        return _spelled(stored_form(rewards)) == _spelled(self.rewards)

    def agrees_unordered(self, rewards: Rewards | None) -> bool:
        """Compare with rewards to the last bit; the order of keys in a mean is by chance."""
        own, other = _spelled(self.rewards), _spelled(stored_form(rewards))
        return own == other or (own is not None and other is not None and sorted(own) == sorted(other))


def stored_form(rewards: Rewards | None) -> StoredRewards | None:
    """Write rewards as a trial's file has them."""
    if rewards is None:
        return None
    return {
        stored_key(key): value if isinstance(value, int) or isfinite(value) else None for key, value in rewards.items()
    }


def stored_key(key: str) -> str:
    """Write a key as a file has it: three U+FFFD for a lone surrogate."""
    return key.encode("utf-8", "surrogatepass").decode("utf-8", "replace")


def part(value: Any, *names: str) -> dict[str, Any] | None:
    """Give an object some levels down, or None if there is none."""
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    if value is not None and not isinstance(value, dict):
        raise MalformedError(f"has no object as {names[-1]}")
    return value


def text(value: dict[str, Any] | None, name: str) -> str | None:
    """Give a text, or None if there is none."""
    found = None if value is None else value.get(name)
    if found is not None and not isinstance(found, str):
        raise MalformedError(f"has no text as {name}")
    return found


def exception_of(result: dict[str, Any]) -> str | None:
    """Name the class of the exception that a trial or a step ended with."""
    info = part(result, "exception_info")
    return None if info is None else text(info, "exception_type") or ""


def steps_of(result: dict[str, Any]) -> list[dict[str, Any]]:
    """List the steps of a trial that were begun."""
    steps = result.get("step_results") or []
    if not isinstance(steps, list) or not all(isinstance(step, dict) for step in steps):
        raise MalformedError("has no list of objects as step_results")
    return steps


def verified_of(result: dict[str, Any]) -> Verified:
    """Give what the verifier said."""
    said = part(result, "verifier_result")
    rewards = None if said is None else part(said, "rewards")
    for value in (rewards or {}).values():
        if value is not None and type(value) not in {int, float}:
            raise MalformedError("has a reward that is no number")
    return Verified(said is not None, rewards)


def tokens_of(result: dict[str, Any], steps: list[dict[str, Any]]) -> TokenUsage | None:
    """Give the tokens of a trial; those of steps add up, with plain addition."""
    spent: list[Any] | None = None
    for each in steps or [result]:
        agent = part(each, "agent_result")
        if agent is None:
            continue
        amounts = [_amount(agent, name) for name in _TOKENS]
        if spent is not None:
            amounts = [a if b is None else (a or 0) + b for a, b in zip(spent, amounts, strict=True)]
        spent = amounts
    return None if spent is None else TokenUsage(*spent)


def time_of(value: Any) -> datetime | None:
    """Read a time as harbor's files have it; one without a zone is taken as it stands."""
    if not isinstance(value, str):
        return None
    try:
        read = datetime.fromisoformat(value.replace("Z", "+00:00"))
        return read if read.tzinfo is None else read.astimezone(timezone.utc).replace(tzinfo=None)
    except (ValueError, OverflowError):
        return None


def _amount(agent: dict[str, Any], name: str) -> int | float | None:
    value = agent.get(name)
    if value is None or (type(value) is int and name != "cost_usd"):
        return value
    with suppress(OverflowError):
        if type(value) in {int, float} and name == "cost_usd":
            return float(value)
    raise MalformedError(f"has no number as {name}")


def _spelled(rewards: StoredRewards | None) -> list[tuple[str, str]] | None:
    """Tell 1 from 1.0 and the zeros from each other."""
    return None if rewards is None else [(key, repr(value)) for key, value in rewards.items()]
