"""Implementations: who answers a case. Each is reached through one door, `run(surface, input)`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module, metadata
from importlib.util import find_spec
from typing import Any

from parity.codec import Json, encode
from parity.errors import CannotRunError

HARBOR_VERSION = "0.13.1"

Run = Callable[[str, Mapping[str, Any]], dict[str, Any]]


@dataclass(frozen=True)
class Implementation:
    """A name and the place of its door, written `module:function` so that it can travel to another process."""

    name: str
    door: str

    def load(self) -> Run:
        """Import the door."""
        module, _, function = self.door.partition(":")
        run: Run = getattr(import_module(module), function)
        return run


REIMPL = Implementation("reimpl", "reimpl.door:run")
ORACLE = Implementation("oracle", "oracle.door:run")
BY_NAME = {implementation.name: implementation for implementation in (REIMPL, ORACLE)}


def outcome_of(run: Run, surface: str, input: Mapping[str, Any]) -> Json:
    """Return the encoded outcome of one case."""
    outcome = run(surface, input)
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
