"""The errors harbor records for a trial, by the names it records them under.

A runner that reports the class name and the message of what it caught reports what harbor would.
"""

from __future__ import annotations

from typing import ClassVar, TypedDict


class RewardFileNotFoundError(FileNotFoundError):
    """The verifier left neither reward file."""

    reason_code: ClassVar[str] = "harbor_reward_missing"


class RewardFileEmptyError(Exception):
    """The reward file has no bytes; one that holds only spaces is not empty but unreadable."""

    reason_code: ClassVar[str] = "harbor_reward_empty"


class VerifierOutputParseError(Exception):
    """The reward file holds no number (``reward.txt``) or no JSON (``reward.json``)."""

    reason_code: ClassVar[str] = "harbor_reward_parse_error"


class ErrorDetail(TypedDict):
    """One fault in a value: where it is and what kind it is."""

    loc: list[str | int]
    type: str


class ValidationError(ValueError):
    """The rewards are JSON, but not names with numbers; ``details`` lists every fault in order."""

    def __init__(self, details: list[ErrorDetail]) -> None:
        super().__init__(details)
        self.details = details

    def __str__(self) -> str:
        """List the faults in one line."""
        return "; ".join(f"{'.'.join(map(str, detail['loc']))}: {detail['type']}" for detail in self.details)
