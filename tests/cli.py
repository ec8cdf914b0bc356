"""Running the command as a user does: in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def parity(*arguments: str, cwd: Path = ROOT, stdin: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """Run `parity` with these arguments."""
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    return subprocess.run(
        [sys.executable, "-m", "parity", *arguments],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=600,
        env={**os.environ, "PYTHONPATH": path, "COLUMNS": "120", **environment},
    )
