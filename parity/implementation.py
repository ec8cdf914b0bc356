"""Implementations: who answers cases, in this process through a door, `run(surface, input)`, or in another."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module, metadata
from importlib.util import find_spec
from typing import Any, Protocol

from parity.codec import Json, encode
from parity.errors import CannotRunError

HARBOR_VERSION = "0.13.1"

_ABSENT = "AbsentError"
"""What the oracle raises if something that a case needs is not installed; parity knows it by name alone."""

Run = Callable[[str, Mapping[str, Any]], dict[str, Any]]
"""A door: takes a surface and an input, and returns an outcome of Python values."""

Answers = Callable[[str, Sequence[Mapping[str, Any]]], list[Json]]
"""An implementation at work: takes a surface and inputs, and returns their encoded outcomes, in order."""


class Side(Protocol):
    """One of the two that are compared; it travels to worker processes, and is started there."""

    @property
    def name(self) -> str:
        """What reports call it."""

    def start(self) -> Answers:
        """Get it ready to answer."""


@dataclass(frozen=True)
class Implementation:
    """A name and the place of a door in this process, written `module:function`."""

    name: str
    door: str

    def load(self) -> Run:
        """Import the door."""
        module, _, function = self.door.partition(":")
        run: Run = getattr(import_module(module), function)
        return run

    def start(self) -> Answers:
        """Import the door, and return what encodes the outcomes it gives."""
        run = self.load()
        return lambda surface, inputs: [outcome_of(run, surface, input) for input in inputs]


REIMPL = Implementation("reimpl", "reimpl.door:run")
ORACLE = Implementation("oracle", "oracle.door:run")
RECORDINGS = Implementation("recordings", "")
"""What harbor answered when the corpus was made: it is read, and never started."""
BY_NAME = {implementation.name: implementation for implementation in (REIMPL, ORACLE)}


def outcome_of(run: Run, surface: str, input: Mapping[str, Any]) -> Json:
    """Return the encoded outcome of one case, or why there is none."""
    try:
        outcome = run(surface, input)
    except Exception as missing:
        if type(missing).__name__ != _ABSENT:
            raise
        return {"skipped": str(missing)}
    if "value" in outcome:
        return {"value": encode(outcome["value"])}
    error = outcome["error"]
    if "details" not in error:
        return {"error": error}
    details = [{"loc": encode(detail["loc"]), "type": detail["type"]} for detail in error["details"]]
    return {"error": {**error, "details": details}}


def oracle_installed() -> bool:
    """Tell whether any harbor is installed."""
    return find_spec("harbor") is not None


def require_oracle() -> None:
    """Refuse to run unless the harbor that is installed is the one compared with."""
    try:
        found = metadata.version("harbor")
    except metadata.PackageNotFoundError:
        raise CannotRunError(
            f"harbor is not installed: run `pip install harbor=={HARBOR_VERSION}`, "
            "or compare with the recorded outcomes alone (`parity replay --recorded`)"
        ) from None
    if found != HARBOR_VERSION:
        raise CannotRunError(
            f"harbor {found} is installed, and this compares with {HARBOR_VERSION}: "
            f"run `pip install harbor=={HARBOR_VERSION}`"
        )
