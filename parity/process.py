"""A program under test as a process: lines to it and from it, never waiting for ever, and its end."""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import weakref
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from parity.fault import TOO_MUCH, FaultError
from parity.limits import Limits, amount

_CHUNK = 2**16
_LAST_WORDS = 2000
"""Bytes of standard error that are kept."""
_WARDEN = Path(__file__).with_name("warden.py")


class Process:
    """A running program; every method ends within its limits, whatever the program does."""

    def __init__(
        self,
        command: Sequence[str],
        limits: Limits,
        *,
        environment: dict[str, str],
        directory: str | None = None,
        isolation: Sequence[str] = (),
    ) -> None:
        self._limits = limits
        self._command = list(command)
        home = tempfile.mkdtemp(prefix="program-")
        lifeline, self._lifeline = os.pipe()
        self._status, status = os.pipe()
        orders = [lifeline, status, limits.memory, limits.processes, " ".join(isolation), home, directory or home]
        self._warden = subprocess.Popen(  # noqa: S603  (running what the user names is the whole point)
            [sys.executable, "-I", "-S", "-B", str(_WARDEN), *map(str, orders), *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=(lifeline, status),
            bufsize=0,
            start_new_session=True,
            env=_minimal(home) | environment,
        )
        os.close(lifeline)
        os.close(status)
        self._finish = weakref.finalize(self, _end, self._warden, self._lifeline, self._status, home)
        self._prepare_streams()
        self.answered = 0
        """How many lines it gave, the handshake included."""

    def _prepare_streams(self) -> None:
        streams = (self._warden.stdin, self._warden.stdout, self._warden.stderr)
        self._in, self._out, self._err = (stream.fileno() for stream in streams if stream is not None)
        self._poll = select.poll()
        for descriptor in (self._in, self._out, self._err, self._status):
            os.set_blocking(descriptor, False)
            # Of its input, the system tells without being asked that nobody reads it any more.
            self._poll.register(descriptor, 0 if descriptor == self._in else select.POLLIN)
        self._outgoing = memoryview(b"")
        self._lines: deque[bytes] = deque()
        self._rest = bytearray()
        self._words = bytearray()
        self._told = bytearray()
        self._deaf = False
        self._mute = False

    # --- Talking ------------------------------------------------------------------------------------------------------

    def send(self, data: bytes) -> None:
        """Give it lines to read, as it takes them: what it does not take now is sent while waiting for its answer."""
        self._outgoing = memoryview(bytes(self._outgoing) + data) if self._outgoing else memoryview(data)
        self._write()

    def line(self, seconds: float, option: str = "--seconds") -> bytes:
        """Return its next line of output; a program that gives none in time, which the option sets, is at fault."""
        if not self._lines:
            deadline = time.monotonic() + seconds
            while not self._lines:
                if self._mute:
                    raise self._death()
                left = deadline - time.monotonic()
                if left <= 0:
                    raise self._stall(seconds, option)
                self._pump(left)
                if len(self._rest) > self._limits.answer:
                    raise FaultError(
                        "flooded its output",
                        f"it wrote more than {amount(self._limits.answer)} without ending a line: an answer is one "
                        "line, and ends with a line feed (--answer sets the limit)",
                    )
        self.answered += 1
        return self._lines.popleft()

    def quiet(self) -> bool:
        """Tell whether it said nothing that was not asked for."""
        return not self._lines and not self._rest

    def check_quiet(self) -> None:
        """Refuse what it did without being asked: print, or end."""
        self._pump(0)
        if not self.quiet():
            raise self.unasked(early=True)
        if self._mute:
            raise self._death(early=True)

    def unasked(self, *, early: bool = False) -> FaultError:
        """Return the fault of a program that printed more than was asked for."""
        text = bytes(self._lines[0] if self._lines else self._rest)[:200].decode("utf-8", "backslashreplace")
        return FaultError(
            TOO_MUCH,
            f"it printed {json.dumps(text[:100])} after its answer: a request gets one line, its answer; print "
            "everything else to standard error",
            early=early,
        )

    # --- Input and output ---------------------------------------------------------------------------------------------

    def _pump(self, seconds: float) -> None:
        """Move what can be moved now, or wait for the first thing that can."""
        for descriptor, event in self._poll.poll(seconds * 1000):
            if descriptor == self._in:
                self._deaf = self._deaf or event & select.POLLERR != 0
                self._write()
            elif descriptor == self._out:
                self._hear()
            else:
                kept = self._words if descriptor == self._err else self._told
                data = _read(descriptor)
                kept += data or b""
                if data == b"":
                    self._poll.unregister(descriptor)
                elif len(kept) > 4 * _LAST_WORDS:
                    del kept[:-_LAST_WORDS]

    def _write(self) -> None:
        if not self._deaf and self._outgoing:
            try:
                self._outgoing = self._outgoing[_write_quietly(self._in, self._outgoing) :]
            except BlockingIOError:
                pass
            except BrokenPipeError:
                self._deaf = True
        if self._deaf:
            self._outgoing = memoryview(b"")
            with suppress(KeyError):
                self._poll.unregister(self._in)
        else:
            self._poll.modify(self._in, select.POLLOUT if self._outgoing else 0)

    def _hear(self) -> None:
        data = _read(self._out)
        if data == b"":
            self._mute = True
            self._poll.unregister(self._out)
        if not data:
            return
        first, *others = data.split(b"\n")
        self._rest += first
        for piece in others:
            self._lines.append(bytes(self._rest))
            self._rest = bytearray(piece)

    # --- Its end ------------------------------------------------------------------------------------------------------

    def stop(self) -> bool:
        """Ask it to stop, and tell whether it ended by itself; either way it is ended afterwards."""
        self.send(b'{"cmd": "stop"}\n')
        deadline = time.monotonic() + self._limits.stop_seconds
        while not self._verdict() and (left := deadline - time.monotonic()) > 0:
            self._pump(min(left, 0.5))
        ended = bool(self._verdict())
        self.end()
        return ended

    def end(self) -> None:
        """End it at once with all its children, and hear its last words."""
        if self._finish.alive:
            with suppress(BrokenPipeError):  # it was ended by the program
                _write_quietly(self._lifeline, memoryview(b"!"))
            self._hear_last_words()
            self._finish()

    @property
    def isolation(self) -> tuple[str, ...]:
        """What it is shut off from: the `network`, and the `processes` of others."""
        lines = [line.split() for line in self._told.decode("utf-8", "replace").splitlines()]
        return next((tuple(words[1:]) for words in lines if words[0] == "isolation"), ())

    def last_words(self) -> str:
        """Return the end of what it wrote on standard error."""
        text = bytes(self._words[-_LAST_WORDS:]).decode("utf-8", "backslashreplace")
        return text.strip()

    def _hear_last_words(self) -> None:
        deadline = time.monotonic() + 0.2  # a flood does not end
        while time.monotonic() < deadline and (data := _read(self._err)):
            self._words += data
            del self._words[: -4 * _LAST_WORDS]
        self._told += _read(self._status) or b""

    def _verdict(self) -> list[str]:
        """Return how it ended, in the warden's words: a limit that it passed goes before the signal that ended it."""
        lines = [line.split(" ", 1) for line in self._told.decode("utf-8", "replace").splitlines()]
        ends = [words for words in lines if words[0] != "isolation"]
        return min(ends, key=lambda words: words[0] in ("exit", "signal"), default=[])

    def _stall(self, seconds: float, option: str) -> FaultError:
        if self._deaf:
            return FaultError(
                "closed its input",
                "it closed its standard input and gave no answer: read requests until `stop` or the end of the input",
            )
        return FaultError(
            "stalled",
            f"it gave no answer within {seconds:g} s: does it flush standard output after each answer, and does it "
            f"answer without waiting for the next request? ({option} sets the limit)",
        )

    def _death(self, *, early: bool = False) -> FaultError:
        """Return the fault of a program that will not say any more."""
        deadline = time.monotonic() + 2
        while not (verdict := self._verdict()) and (left := deadline - time.monotonic()) > 0:
            self._pump(min(left, 0.1))
            if self._warden.poll() is not None:
                self._told += _read(self._status) or b""
                verdict = self._verdict()
                break
        kind, message = self._told_end(verdict)
        return FaultError(kind, message, early=early)

    def _told_end(self, verdict: list[str]) -> tuple[str, str]:
        limits = self._limits
        match verdict:
            case ["missing", why]:
                return (
                    "cannot start",
                    f"{self._command[0]!r} cannot be started: {why}: is it installed and on the PATH?",
                )
            case ["memory", size]:
                return "used too much memory", (
                    f"it used {amount(int(size))} of memory, and {amount(limits.memory)} are allowed "
                    "(--memory sets the limit)"
                )
            case ["processes", number]:
                return "started too many processes", (
                    f"it had {number} processes at once, and {limits.processes} are allowed"
                )
            case ["exit", "0"]:
                return "ended early", (
                    "it ended with exit code 0 before it answered: answer requests until `stop` or the end of the input"
                )
            case ["exit", code]:
                return "crashed", f"it ended with exit code {code} before it answered"
            case ["signal", number]:
                name = signal.Signals(int(number)).name if int(number) in list(signal.Signals) else f"signal {number}"
                return "crashed", f"it was ended by {name} before it answered"
        if self._warden.poll() is not None:
            return (
                "crashed",
                "it ended, and ended the process that watched over it: it must leave other processes alone",
            )
        return "closed its output", "it closed its standard output before it answered, and went on running"


def _minimal(home: str) -> dict[str, str]:
    """Return the environment of a program: where commands are, and an empty home."""
    return {"PATH": os.environ.get("PATH", os.defpath), "HOME": home, "TMPDIR": home, "LANG": "C.UTF-8"}


def _read(descriptor: int) -> bytes | None:
    """Read what is there: None if there is nothing yet, no bytes if there will be nothing any more."""
    try:
        return os.read(descriptor, _CHUNK)
    except BlockingIOError:
        return None


def _write_quietly(descriptor: int, data: memoryview) -> int:
    """Write what fits; a reader that is gone is an error here, and not the end of this process."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGPIPE])
    try:
        return os.write(descriptor, data[: 2**20])
    except BrokenPipeError:
        if signal.SIGPIPE in signal.sigpending():
            signal.sigwait([signal.SIGPIPE])
        raise
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end(warden: subprocess.Popen[bytes], lifeline: int, status: int, home: str) -> None:
    """End the program's input and let go of the lifeline: the warden then ends everything, and itself."""
    if warden.stdin is not None:
        warden.stdin.close()
    os.close(lifeline)
    try:
        warden.wait(10)
    except subprocess.TimeoutExpired:
        warden.kill()
        warden.wait()
    os.close(status)
    for stream in (warden.stdin, warden.stdout, warden.stderr):
        if stream is not None:
            with suppress(OSError):
                stream.close()
    shutil.rmtree(home, ignore_errors=True)
