"""Limits: how much time, memory and output a program under test may use."""

from __future__ import annotations

from dataclasses import dataclass

KIB, MIB, GIB = 2**10, 2**20, 2**30


@dataclass(frozen=True)
class Limits:
    """What a program may use before it is ended; the defaults are generous for anything that only scores."""

    seconds: float = 10.0
    """Time for one case: from its request, or the answer before, to its answer."""
    start_seconds: float = 60.0
    """Time from the start of the program to its first answer, the handshake."""
    stop_seconds: float = 2.0
    """Time from `stop` to the end of the program."""
    memory: int = 2 * GIB
    """Bytes of memory, the program and its children together."""
    answer: int = 16 * MIB
    """Bytes of one answer."""
    processes: int = 256
    """Processes, the program and its children together."""
    fault_seconds: float = 120.0
    """Time that the faults of one surface may cost in all: its other cases are then no longer asked."""


def amount(size: int) -> str:
    """Write a number of bytes in the largest unit that fits: 2 GiB, 1.5 MiB."""
    for unit, name in ((GIB, "GiB"), (MIB, "MiB"), (KIB, "KiB")):
        if size >= unit:
            return f"{size / unit:.3g} {name}"
    return f"{size} bytes"
