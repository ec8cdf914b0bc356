"""The wire, as a program sees it: what the gallery has in common."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

HELLO = {"version": 1, "implementation": {"name": "hostile"}, "surfaces": ["reason_code"]}


def say(message: Any) -> None:
    """Write one line, at once."""
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def cases() -> Iterator[tuple[int, str]]:
    """Shake hands, and yield the seq and text of each case until `stop`."""
    for line in sys.stdin:
        request = json.loads(line)
        if request["cmd"] == "start":
            say(HELLO)
        elif request["cmd"] == "stop":
            return
        else:
            yield request["seq"], request["input"]["text"]


def answer(seq: int, text: str) -> None:
    """Answer as one should: with the text of the case."""
    say({"seq": seq, "value": text})
