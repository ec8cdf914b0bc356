"""On a terminal, in a pipe that closes, on a full disk: the command behaves, and its exit code never lies."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys

import pytest

from tests.cli import ROOT

PARITY = [sys.executable, "-m", "parity"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color", "COLUMNS": "100"}


def on_a_terminal(*arguments: str, **environment: str) -> tuple[int, str]:
    """Run the command on a pseudo-terminal, and return its exit code and all it wrote."""
    controller, terminal = pty.openpty()
    with subprocess.Popen(
        [*PARITY, *arguments],
        cwd=ROOT,
        env={**ENVIRONMENT, **environment},
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
    ) as running:
        os.close(terminal)
        written = b""
        while True:
            try:
                piece = os.read(controller, 65536)
            except OSError:  # the other end is closed
                break
            if not piece:
                break
            written += piece
    os.close(controller)
    return running.returncode, written.decode()


class TestTerminal:
    """A terminal shows live progress and colour."""

    def test_progress_lives_and_the_table_follows(self) -> None:
        code, written = on_a_terminal("run", "min_reward", "--examples", "200")
        assert code == 0, written
        assert re.search(r"min_reward.*[0-9,]+ cases", written)
        assert "\x1b[1;32mparity" in written

    def test_no_color_is_honoured(self) -> None:
        code, written = on_a_terminal("surfaces", NO_COLOR="1")
        assert code == 0
        assert not re.search(r"\x1b\[[0-9;]*3[0-9]", written)


class TestPipe:
    """What goes wrong on the way out is no divergence."""

    def test_a_reader_that_stops_reading_ends_the_command_quietly(self) -> None:
        with subprocess.Popen(
            [*PARITY, "surfaces"], cwd=ROOT, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as running:
            assert running.stdout is not None
            assert running.stderr is not None
            running.stdout.close()
            assert running.stderr.read() == b""
        assert running.returncode not in (1, 2)

    def test_a_full_disk_is_exit_code_2(self) -> None:
        with open("/dev/full", "w") as full:  # noqa: PTH123  (a device, and not a file)
            done = subprocess.run(
                [*PARITY, "surfaces"], cwd=ROOT, env=ENVIRONMENT, stdout=full, stderr=subprocess.PIPE, check=False
            )
        assert done.returncode == 2


@pytest.mark.parametrize("words", [[], ["--help"], ["run", "--help"], ["corpus", "--help"]])
def test_help_reads_to_the_end(words: list[str]) -> None:
    done = subprocess.run([*PARITY, *words], cwd=ROOT, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert "Usage:" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
