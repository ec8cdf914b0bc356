"""The handshake: what a program says of itself."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from parity.codec import Json
from parity.fault import FaultError

_EXPECTED = (
    '{"version": 1, "implementation": {"name": "…", "version": "…", "language": "…"}, "surfaces": ["reward_files", …]}'
)


@dataclass(frozen=True)
class Hello:
    """A program's answer to `start`."""

    name: str
    version: str
    language: str
    surfaces: tuple[str, ...]
    absent: dict[str, str] = field(default_factory=dict)
    """Surfaces it knows of and does not offer, with the reason."""
    details: dict[str, Any] = field(default_factory=dict)
    """All that it said, as it said it."""
    isolation: tuple[str, ...] = ()
    """What it is shut off from: the `network`, and the `processes` of others."""

    @property
    def title(self) -> str:
        """What reports call it: its name and version."""
        return f"{self.name} {self.version}".strip()


def hello_of(line: bytes, version: int, isolation: tuple[str, ...] = ()) -> Hello:
    """Read the answer to `start`; raise a fault that says what to change."""
    try:
        told = json.loads(line)
    except (ValueError, RecursionError):
        text = line[:200].decode("utf-8", "backslashreplace")
        raise _wrong(f"its first line of output is not JSON: {json.dumps(text[:100])}") from None
    if not isinstance(told, dict):
        raise _wrong("its first line of output is not a JSON object")
    if told.get("version") != version or isinstance(told.get("version"), bool):
        raise _wrong(f'"version" must be {version}, and is {_clip(told.get("version"))}')
    implementation = told.get("implementation")
    if not isinstance(implementation, dict) or not isinstance(implementation.get("name"), str):
        raise _wrong(f'"implementation" must hold a name, and is {_clip(implementation)}')
    surfaces = told.get("surfaces")
    if not isinstance(surfaces, list) or not surfaces or not all(isinstance(name, str) for name in surfaces):
        raise _wrong(f'"surfaces" must list the names of the surfaces it offers, and is {_clip(surfaces)}')
    absent = told.get("absent")
    return Hello(
        name=implementation["name"],
        version=_text(implementation.get("version")),
        language=_text(implementation.get("language")),
        surfaces=tuple(surfaces),
        absent={name: _text(why) for name, why in absent.items()} if isinstance(absent, dict) else {},
        details=told,
        isolation=isolation,
    )


def _wrong(what: str) -> FaultError:
    return FaultError("shook hands wrongly", f"{what}; the answer to start looks like {_EXPECTED}")


def _text(data: Json) -> str:
    return data if isinstance(data, str) else ""


def _clip(data: Json) -> str:
    text = json.dumps(data)
    return text if len(text) <= 100 else text[:97] + "…"
