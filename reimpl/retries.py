"""Which failed tries are followed by another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

EXCLUDED = (
    "AgentTimeoutError",
    "VerifierTimeoutError",
    "RewardFileNotFoundError",
    "RewardFileEmptyError",
    "VerifierOutputParseError",
)
"""What is not tried again unless the job says otherwise."""


class Retries(NamedTuple):
    """How often a trial is tried again, and after which exceptions; an empty list is no list."""

    at_most: int
    include: Sequence[str] | None
    exclude: Sequence[str] | None

    @classmethod
    def read(cls, fields: Mapping[str, Any]) -> Retries:
        """Read the job's declaration."""
        return cls(
            fields.get("max_retries", 0),
            fields.get("include_exceptions"),
            fields.get("exclude_exceptions", EXCLUDED),
        )

    def wanted(self, n_tries: int, exception: str) -> bool:
        """Tell whether a trial is tried again after this many tries, the last with this exception."""
        if n_tries > self.at_most or exception in (self.exclude or ()):
            return False
        return not self.include or exception in self.include
