"""Faults: what a program did instead of answering. A fault is never an outcome."""

from __future__ import annotations

from parity.codec import Json

ALONE = ", but not when asked alone"
"""Added to a kind of fault that needs the cases before it."""

TOO_MUCH = "printed more than its answers"
OUT_OF_ORDER = "answered out of order"


class FaultError(Exception):
    """A program did something else than answer."""

    def __init__(self, kind: str, message: str, *, early: bool = False) -> None:
        super().__init__(message)
        self.kind = kind
        """What it did, in words that follow `program`, the same for every case: part of the fingerprint."""
        self.message = message
        """What happened, and what to change."""
        self.early = early
        """It happened before the case was sent, so the case before it may be the cause."""
        self.in_step = False
        """It is the content of one answer that is wrong: those that follow can still be told apart."""

    def answer(self, words: str) -> Json:
        """Return what stands in place of an outcome."""
        return {"fault": {"kind": self.kind, "message": self.message, "stderr": words}}


def in_company(fault: Json, hint: str = "") -> Json:
    """Return the fault of a case that is answered well when it is asked alone."""
    told = hint or "Asked alone, this case is answered: look for what is carried over from one case to the next."
    inner = fault["fault"]
    return {"fault": {**inner, "kind": inner["kind"] + ALONE, "message": f"{inner['message']}. {told}"}}
