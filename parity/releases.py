"""Harbor's releases, as the package index lists them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from functools import cache

from parity.errors import CannotRunError

OLDEST = "0.6.0"
"""The first release that `--all` covers: the scoring of older ones is another."""


def released(python: str) -> list[str]:
    """Return the releases for a Python, oldest first, without those under development."""
    return sorted((version for version in _listed(python) if re.fullmatch(r"[\d.]+", version)), key=order)


def covered(python: str) -> list[str]:
    """Return the releases from the oldest that is covered."""
    return [version for version in released(python) if order(version) >= order(OLDEST)]


def order(version: str) -> tuple[int, ...]:
    """Return what versions are sorted by; what is no release sorts before all."""
    return tuple(map(int, version.split("."))) if re.fullmatch(r"\d+(\.\d+)*", version) else ()


@cache
def _listed(python: str) -> list[str]:
    # pip knows the index that the user has set up; its answer is meant for programs.
    command = [sys.executable, "-m", "pip", "index", "versions", "harbor", "--json"]
    command += ["--python-version", python, "--only-binary", ":all:", "--disable-pip-version-check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    try:
        versions: list[str] = json.loads(done.stdout)["versions"]
    except (ValueError, KeyError):
        last = (done.stderr.strip().splitlines() or ["pip said nothing"])[-1]
        if "No module named pip" in last:
            last = "run `pip install 'harbor-parity[upgrade]'`"
        raise CannotRunError(f"the package index cannot be asked for harbor's releases: {last}") from None
    return versions
