"""Metric scripts: real ones, which the real `uv` runs, made from what the case says they do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

_SCRIPT = """\
import json, sys

given, asked = (sys.argv[sys.argv.index(flag) + 1] for flag in ("-i", "-o"))
output = {output!r}
if output == "input":
    output = json.dumps({{"rewards": open(given, encoding="utf-8").read()}}).encode()
if output is not None:
    with open(asked, "wb") as file:
        file.write(output)
sys.stderr.write({stderr!r})
sys.exit({exit_code!r})
"""


def source(script: Mapping[str, Any]) -> str:
    """Write a script that leaves this output, says this on standard error and ends with this exit code."""
    settings = {"output": None, "stderr": "", "exit_code": 0} | dict(script)
    return _SCRIPT.format(**settings)
