"""Changing the files of a job, and looking at what an audit found."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from parity.audit import Audit


def change(path: Path, *place: str | int, to: Any) -> None:
    """Change one value in a JSON file."""
    whole = json.loads(path.read_text())
    inner = whole
    for name in place[:-1]:
        inner = inner[name]
    inner[place[-1]] = to(inner[place[-1]]) if callable(to) else to
    path.write_text(json.dumps(whole, indent=4))


def failed(found: Audit) -> set[str]:
    return {figure.path for figure in found.failed}


def kinds(found: Audit) -> set[tuple[str, str]]:
    return {(problem.trial, problem.kind) for problem in found.problems}


def leaves(value: Any, place: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    if isinstance(value, (dict, list)):
        for name, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(item, (*place, name))
    else:
        yield place, value


def altered(value: Any) -> Any:
    if isinstance(value, str):
        return f"{value}x"
    return math.nextafter(value, math.inf) if isinstance(value, float) else (value or 0) + 1
