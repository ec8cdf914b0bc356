"""The wire: JSON Lines on standard input and output (docs/protocol.md, "Wire")."""

from __future__ import annotations

import json
from collections.abc import Iterable
from importlib import metadata
from typing import Any, TextIO

from parity import shape
from parity.codec import CodecError, Json, decode
from parity.errors import CannotRunError
from parity.implementation import Implementation, Run, outcome_of, require_oracle
from parity.scratch import scratch
from parity.surfaces import LIVE, SURFACES

VERSION = 1


def serve(implementation: Implementation, requests: Iterable[str], answers: TextIO) -> None:
    """Answer requests, in order, until `stop` or the end of the input."""
    if implementation.name == "oracle":
        require_oracle()
    with scratch():
        run = implementation.load()
        for line in filter(str.strip, requests):
            request = _request(line)
            if request["cmd"] == "stop":
                return
            if request["cmd"] == "start":
                answer = _hello(implementation, request)
            else:
                answer = _answer(run, request, _offered(implementation))
            answers.write(json.dumps(answer) + "\n")
            answers.flush()


def _request(line: str) -> dict[str, Any]:
    try:
        request = json.loads(line)
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


def _answer(run: Run, request: dict[str, Any], offered: list[str]) -> Json:
    seq, surface = request.get("seq"), request.get("surface")
    if surface not in offered:
        return {"seq": seq, "skipped": f"unknown surface {surface!r}"}
    data = request.get("input")
    try:
        input = decode(data)
    except CodecError as error:
        return {"seq": seq, "skipped": f"the input is not encoded as docs/protocol.md says: {error}"}
    problem = shape.fault(surface, data)
    if problem:
        return {"seq": seq, "skipped": f"the input of {surface} {problem}"}
    return {"seq": seq, **outcome_of(run, surface, input)}
