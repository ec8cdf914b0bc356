"""The baseline of a coverage-guided fuzzer: atheris on the miniatures of one surface.

It is a program of its own, because code is instrumented as it is imported, and because atheris never returns: each
miniature is hunted in a fork, which ends itself when it has found a divergence or used up its CPU seconds. A line of
JSON tells how each hunt went.
"""

from __future__ import annotations

import json
import os
import sys
import time
from importlib import import_module
from typing import NoReturn

import atheris

WARM_UP = 20
"""Cases before the clock starts, which import what is imported late."""


def main(surface: str, seed: int, budget: float) -> None:
    """Hunt every miniature of the surface for the CPU seconds of the budget."""
    # Pydantic's core, which reads rewards and renders results for harbor, is no Python: it stays dark.
    with atheris.instrument_imports(include=["harbor", "oracle", "reimpl", "tests"]):
        for module in ("tests.miniatures", f"oracle.{surface}"):
            import_module(module)
    from parity.compare import divergences
    from tests.power.hunt import miniatures_of

    divergences({"value": True}, {"value": False})  # imports what the first finding needs
    for name in miniatures_of(surface):
        if (child := os.fork()) == 0:
            fuzz(surface, name, seed, budget)
        _, status = os.waitpid(child, 0)
        assert status == 0, f"the hunt for {name} ended with status {status}"


def fuzz(surface: str, name: str, seed: int, budget: float) -> NoReturn:
    """Fuzz until the miniature is found or the budget used up, tell so, and end the process."""
    from parity.codec import encode
    from parity.implementation import ORACLE, REIMPL
    from parity.judge import Judge
    from parity.shape import fault
    from tests.power.hunt import miniatures_of
    from tests.power.provider import INPUTS, Provider

    read = INPUTS[surface]
    judge, right = (Judge(each, ORACLE) for each in (miniatures_of(surface)[name], REIMPL))
    for start in range(WARM_UP):
        input = read(Provider(bytes(range(start, start + 200))))
        assert fault(surface, encode(input)) is None, input
        judge.finding(surface, input)
    cases, started = 0, 0.0

    def try_bytes(data: bytes) -> None:
        nonlocal cases
        cases += 1
        input = read(Provider(data))
        found = judge.finding(surface, input) is not None
        seconds = time.process_time() - started
        if found or seconds >= budget:
            told = {"name": name, "found": found, "cases": cases, "seconds": seconds}
            os.write(sys.stdout.fileno(), json.dumps(told).encode() + b"\n")
            os._exit(right.finding(surface, input) is not None)  # else instrumentation has changed what code does

    # libFuzzer takes the seed 0 for none. A limit of memory would count harbor's too.
    atheris.Setup([sys.argv[0], f"-seed={seed + 1}", "-rss_limit_mb=0"], try_bytes)
    started = time.process_time()
    atheris.Fuzz()
    raise AssertionError("atheris never returns")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]))
