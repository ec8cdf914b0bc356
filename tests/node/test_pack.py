"""An exported pack is run in another language.

Needs Node 20, and is therefore left out of the default run: `pytest tests/node`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from parity.export import export


def test_a_pack_is_run_without_python(tmp_path: Path) -> None:
    export(tmp_path / "pack")
    node = shutil.which("node")
    assert node, "Node is not installed"
    # Node is all that the tests can find.
    bin_ = tmp_path / "bin"
    bin_.mkdir()
    (bin_ / "node").symlink_to(node)
    done = subprocess.run(
        [bin_ / "node", "--test", Path(__file__).with_name("pack.test.mjs")],
        env={"PATH": os.fspath(bin_), "PACK": os.fspath(tmp_path / "pack")},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "# pass 20\n" in done.stdout.replace("ℹ", "#")
