"""The wire of docs/protocol.md: requests come in and answers go out, one JSON object a line."""

from __future__ import annotations

import json
import os
import platform
from typing import TYPE_CHECKING, Any

from oracle import door
from oracle.codec import CodecError, decode, encode
from oracle.offer import offer
from oracle.release import AbsentError
from oracle.versions import versions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oracle.codec import Json

VERSION = 1

# Answers are kept while more requests wait, as a write for each would take longer than most cases; but no more than
# this many, so that the other side sees progress.
_BATCH = 64


class RequestError(ValueError):
    """What came in is no request of the protocol."""


def serve(requests: int, answers: int) -> None:
    """Answer the requests from one file descriptor on another, in order, until `stop` or the end of the input."""
    hello: dict[str, Any] = {"surfaces": [], "absent": {}}
    batch: list[str] = []
    for line in _lines(requests):
        if line is None or len(batch) == _BATCH:
            _write(answers, batch)
            batch = []
        if line is None or not line.strip():
            continue
        request = _request(line)
        if request["cmd"] == "stop":
            break
        if request["cmd"] == "start":
            answer = hello = _hello(request)
        else:
            answer = _answer(request, hello)
        batch.append(json.dumps(answer))
    _write(answers, batch)


def _lines(requests: int) -> Iterator[bytes | None]:
    """Give each line as it comes, and None when no whole line is waiting."""
    rest = b""
    while chunk := os.read(requests, 1 << 20):
        *lines, rest = (rest + chunk).split(b"\n")
        yield from lines
        yield None
    yield rest


def _write(answers: int, batch: list[str]) -> None:
    data = memoryview("".join(f"{answer}\n" for answer in batch).encode())
    while data:
        data = data[os.write(answers, data) :]


def _request(line: bytes) -> dict[str, Any]:
    try:
        request = json.loads(line)
    except ValueError as error:
        raise RequestError(f"a request is one JSON object a line, and this is not JSON ({error})") from None
    if not isinstance(request, dict) or request.get("cmd") not in {"start", "run", "stop"}:
        raise RequestError("a request is an object whose 'cmd' is start, run or stop")
    return request


def _hello(request: dict[str, Any]) -> dict[str, Any]:
    if request.get("version") != VERSION:
        raise RequestError(f"this speaks version {VERSION} of the protocol, not {request.get('version')!r}")
    surfaces, absent = offer()
    found = versions()
    return {
        "version": VERSION,
        "implementation": {"name": "harbor", "version": found.get("harbor", ""), "language": "python"},
        "surfaces": surfaces,
        "absent": absent,
        "python": platform.python_version(),
        "pydantic": found.get("pydantic", ""),
    }


def _answer(request: dict[str, Any], hello: dict[str, Any]) -> Json:
    seq, surface = request.get("seq"), str(request.get("surface"))
    if surface not in hello["surfaces"]:
        return {"seq": seq, "skipped": hello["absent"].get(surface, f"unknown surface {surface!r}")}
    try:
        input = decode(request.get("input"))
    except CodecError as error:
        return {"seq": seq, "skipped": f"the input is not encoded as docs/protocol.md says: {error}"}
    try:
        outcome = door.run(surface, input)
    except AbsentError as error:
        return {"seq": seq, "skipped": str(error)}
    except Exception as error:  # noqa: BLE001
        # Not of harbor: the case has another shape than docs/protocol.md says, or the oracle does not fit the release.
        return {"seq": seq, "skipped": f"the oracle cannot run this case: {type(error).__name__}: {error}"}
    return {"seq": seq, **_encoded(outcome)}


def _encoded(outcome: dict[str, Any]) -> Json:
    if "value" in outcome:
        return {"value": encode(outcome["value"])}
    error = outcome["error"]
    if "details" not in error:
        return {"error": error}
    details = [{"loc": encode(detail["loc"]), "type": detail["type"]} for detail in error["details"]]
    return {"error": {**error, "details": details}}
