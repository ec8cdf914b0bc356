"""Laws of the files that are written whole or not at all."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from parity.atomic import write_atomically
from parity.errors import CannotRunError


def test_a_text_takes_the_place_of_the_old_one_and_nothing_else_is_left(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    report.write_text("a longer text that was here before")
    write_atomically(report, "new")
    assert report.read_text() == "new"
    assert list(tmp_path.iterdir()) == [report]


@pytest.mark.parametrize("before", ["old", None])
def test_a_link_stays_a_link(tmp_path: Path, before: str | None) -> None:
    target = tmp_path / "there" / "report.json"
    target.parent.mkdir()
    if before is not None:
        target.write_text(before)
    link = tmp_path / "link.json"
    link.symlink_to(target)
    write_atomically(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()), daemon=True)
    reader.start()
    write_atomically(pipe, "told")
    reader.join(timeout=30)
    assert read == ["told"]
    assert pipe.is_fifo()


def test_standard_output_can_be_named_as_the_file() -> None:
    program = "from pathlib import Path; from parity.atomic import *; write_atomically(Path('/dev/stdout'), 'told')"
    link = Path("/dev/stdout").readlink()
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "told")
    assert Path("/dev/stdout").readlink() == link


def test_a_full_disk_is_told_in_one_line() -> None:
    with pytest.raises(CannotRunError, match=r"^cannot write /dev/full: No space left on device$"):
        write_atomically(Path("/dev/full"), "told")
    assert Path("/dev/full").is_char_device()
