"""`parity serve`: an implementation on the wire."""

from __future__ import annotations

import sys
from enum import Enum
from typing import Annotated

import typer

from parity.implementation import BY_NAME
from parity.serve import serve as answer_requests


class Side(str, Enum):
    """The implementations that can be served."""

    reimpl = "reimpl"
    oracle = "oracle"


def serve(implementation: Annotated[Side, typer.Argument(help="Whose outcomes to serve.")]) -> None:
    """Answer cases on standard input, one JSON object a line (see docs/protocol.md)."""
    answer_requests(BY_NAME[implementation.value], sys.stdin.fileno(), sys.stdout.fileno())
