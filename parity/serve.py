"""The wire: JSON Lines on standard input and output (docs/protocol.md, "Wire")."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from importlib import metadata
from typing import Any

from parity import shape
from parity.codec import CodecError, Json, decode
from parity.errors import CannotRunError
from parity.implementation import Implementation, Run, outcome_of, require_oracle
from parity.scratch import scratch
from parity.surfaces import LIVE, SURFACES

VERSION = 1
_HOLD = 0.05
"""Seconds that an answer may be held back while more requests wait: the asker must see that there is progress."""


def serve(implementation: Implementation, requests: int, answers: int) -> None:
    """Answer the requests of one file descriptor on another, in order, until `stop` or the end of the input."""
    if implementation.name == "oracle":
        require_oracle()
    with scratch():
        run, offered = implementation.load(), _offered(implementation)
        out = _Output(answers)
        for line in _lines(requests, out.flush):
            request = _request(line)
            if request["cmd"] == "stop":
                break
            if request["cmd"] == "start":
                out.add(json.dumps(_hello(implementation, request)))
            else:
                out.add(_answer(run, request, offered))
        out.flush()


def _lines(requests: int, before_waiting: Callable[[], None]) -> Iterator[bytes]:
    """Yield the lines that are not blank, and say so before waiting for more."""
    rest = b""
    while chunk := os.read(requests, 2**16):
        *lines, rest = (rest + chunk).split(b"\n")
        yield from filter(bytes.strip, lines)
        before_waiting()
    if rest.strip():
        yield rest


class _Output:
    """Lines on their way out: written together where requests come together, which is where most of the time goes."""

    def __init__(self, answers: int) -> None:
        self._answers = answers
        self._waiting: list[str] = []
        self._since = 0.0

    def add(self, line: str) -> None:
        """Take a line."""
        if not self._waiting:
            self._since = time.monotonic()
        self._waiting.append(line)
        if time.monotonic() - self._since > _HOLD:
            self.flush()

    def flush(self) -> None:
        """Write what waits."""
        data = memoryview("".join(line + "\n" for line in self._waiting).encode())
        while data:
            data = data[os.write(self._answers, data) :]
        self._waiting.clear()


def _request(line: bytes) -> dict[str, Any]:
    try:
        request = json.loads(line.decode())  # from bytes, it would guess the encoding first
    except ValueError as error:
        raise CannotRunError(f"a request is one JSON object a line, and this is not JSON ({error})") from None
    if not isinstance(request, dict) or request.get("cmd") not in ("start", "run", "stop"):
        raise CannotRunError("a request is an object whose 'cmd' is start, run or stop")
    return request


def _hello(implementation: Implementation, request: dict[str, Any]) -> Json:
    if request.get("version") != VERSION:
        raise CannotRunError(f"this speaks version {VERSION} of the protocol, not {request.get('version')!r}")
    return {
        "version": VERSION,
        "implementation": {
            "name": implementation.name,
            "version": metadata.version("harbor" if implementation.name == "oracle" else "harbor-parity"),
            "language": "python",
        },
        "surfaces": _offered(implementation),
    }


def _offered(implementation: Implementation) -> list[str]:
    """List the surfaces an implementation answers: there is no oracle for what is recorded."""
    return list(LIVE if implementation.name == "oracle" else SURFACES)


def _answer(run: Run, request: dict[str, Any], offered: list[str]) -> str:
    head, surface, data = f'{{"seq": {json.dumps(request.get("seq"))}, ', request.get("surface"), request.get("input")
    if surface not in offered:
        return _skipped(head, f"unknown surface {surface!r}")
    try:
        input = decode(data)
    except CodecError as error:
        return _skipped(head, f"the input is not encoded as docs/protocol.md says: {error}")
    problem = shape.fault(surface, data)
    if problem:
        return _skipped(head, f"the input of {surface} {problem}")
    return head + json.dumps(outcome_of(run, surface, input))[1:]


def _skipped(head: str, why: str) -> str:
    return f'{head}"skipped": {json.dumps(why)}}}'
