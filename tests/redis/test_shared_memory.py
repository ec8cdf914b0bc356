"""Machines that hunt together share what they found, on a real Redis server.

Needs Debian's `redis-server`, and is therefore left out of the default run: `pytest tests/redis`.
"""

from __future__ import annotations

import json
import re
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.hunts import FINGERPRINT, WRONG, eventually, hunt, started, told_of

PASSWORD = "open/sesame#7"  # noqa: S105  (of a server that lives as long as a test)
ESCAPED = "open%2Fsesame%237"


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


def answers(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def server(folder: Path, port: int, *options: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a server on loopback that keeps everything in memory."""
    options = ("--bind", "127.0.0.1", "--port", str(port), "--save", "", "--appendonly", "no", *options)
    with subprocess.Popen(["redis-server", *options], cwd=folder, stdout=subprocess.DEVNULL) as running:
        try:
            assert eventually(lambda: answers(port) or running.poll() is not None)
            assert running.poll() is None, "redis-server did not start"
            yield running
        finally:
            running.kill()


@pytest.fixture
def port() -> int:
    return free_port()


@pytest.fixture
def address(tmp_path: Path, port: int) -> Iterator[str]:
    with server(tmp_path, port):
        yield f"redis://127.0.0.1:{port}"


def machine(folder: Path, name: str) -> Path:
    """Make a working directory of its own: nothing but the server is shared."""
    place = folder / name
    place.mkdir()
    return place


def test_what_one_machine_found_another_recalls(tmp_path: Path, address: str) -> None:
    one = hunt("300", "--seed", "1", *WRONG, "--database", address, cwd=machine(tmp_path, "one"))
    few = ("1", "--seed", "2", *WRONG)
    other = hunt(*few, "--database", address, cwd=machine(tmp_path, "other"))
    alone = hunt(*few, cwd=machine(tmp_path, "alone"))
    assert f"found: {FINGERPRINT}: " in one.stderr
    assert f"found: {FINGERPRINT}: " in other.stderr
    assert "found: " not in alone.stderr  # so it was not chance
    assert (one.returncode, other.returncode, alone.returncode) == (1, 1, 0)
    assert not (tmp_path / "one" / ".parity" / "examples").exists()


class TestServerThatIsGone:
    """A server that cannot be reached is told in one line, and takes nothing with it."""

    def test_before_the_hunt(self, tmp_path: Path, port: int) -> None:
        done = hunt("1", "--database", f"redis://127.0.0.1:{port}", cwd=tmp_path)
        assert (done.returncode, done.stdout) == (2, "")
        [line] = done.stderr.splitlines()
        assert line.startswith("parity: the Redis server at 127.0.0.1 cannot be used (")
        assert line.endswith("): start it, or leave out --database")

    def test_during_the_hunt(self, tmp_path: Path, port: int) -> None:
        with (
            server(tmp_path, port) as running,
            started(*WRONG, "--database", f"redis://127.0.0.1:{port}", cwd=tmp_path) as hunting,
        ):
            file = tmp_path / told_of(hunting)
            running.kill()
            stdout, stderr = hunting.communicate(timeout=300)
        assert hunting.returncode == 2
        assert "Traceback" not in stdout + stderr
        *progress, line = stderr.splitlines()
        assert line.startswith("parity: the Redis server at 127.0.0.1 cannot be used (")
        assert all(re.match(r"\d+ s: |found: |still there: ", each) for each in progress)
        assert json.loads(file.read_bytes())["surface"] == "min_reward"


class TestPassword:
    """The password in an address is told to the server, and to nobody else."""

    def test_it_opens_the_server_and_stands_nowhere(self, tmp_path: Path, port: int) -> None:
        place = machine(tmp_path, "place")
        reports = [word for form in ("json", "junit", "markdown", "html") for word in (f"--{form}", f"report.{form}")]
        with server(tmp_path, port, "--requirepass", PASSWORD):
            database = f"redis://:{ESCAPED}@127.0.0.1:{port}"
            done = hunt("300", "--seed", "1", *WRONG, "--database", database, *reports, cwd=place)
        assert done.returncode == 1, done.stderr
        texts = [done.stdout, done.stderr, *(path.read_text() for path in place.rglob("*") if path.is_file())]
        assert len(texts) == 2 + 4 + 1
        assert not any("sesame" in text for text in texts)

    @pytest.mark.parametrize("password", ["wrong-sesame", "", PASSWORD])
    def test_a_refusal_does_not_tell_it(self, tmp_path: Path, port: int, password: str) -> None:
        with server(tmp_path, port, "--requirepass", PASSWORD):
            done = hunt("1", "--database", f"redis://:{password}@127.0.0.1:{port}", cwd=tmp_path)
        assert (done.returncode, done.stdout) == (2, "")
        [line] = done.stderr.splitlines()
        assert "sesame" not in line
        assert "open" not in line
