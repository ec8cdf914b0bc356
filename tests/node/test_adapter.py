"""The example in JavaScript is checked for real: what is found in it is what docs/check.md says.

Needs Node 20, and is therefore left out of the default run: `pytest tests/node`.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from tests.cli import ROOT, parity

ADAPTER = str(ROOT / "examples/node/adapter.mjs")


def test_what_the_check_finds(tmp_path: Path) -> None:
    assert shutil.which("node"), "Node is not installed"
    done = parity("check", "--recorded", "--json", "report.json", "--", "node", ADAPTER, cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    surfaces = json.loads((tmp_path / "report.json").read_text())["surfaces"]
    found = {each["fingerprint"] for surface in surfaces for each in surface["divergences"]}
    assert {
        "reward_files value[*] int ≠ float",
        "reward_files value[*] int differs",
        "reward_files outcome VerifierOutputParseError ≠ a value",
        "metric value[*] float differs",
    } <= found


def test_what_smoke_says(tmp_path: Path) -> None:
    done = parity("smoke", "--", "node", ADAPTER, cwd=tmp_path)
    assert done.returncode == 1
    assert "FAIL  int and float are kept apart" in done.stdout
    assert "ok    stop is honoured" in done.stdout
