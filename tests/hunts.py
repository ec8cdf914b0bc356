"""Hunting as a user does, and reports as a hunt leaves them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import date
from pathlib import Path

from typer.testing import CliRunner, Result

from parity.case import Case
from parity.cli import app
from parity.codec import Json, encode
from parity.implementation import REIMPL, Implementation
from parity.judge import Finding, diverging
from parity.replay import Replay
from parity.report_json import json_text
from parity.session import Plan
from parity.surfaces import chosen
from parity.tally import Report, Tally
from tests.cli import ROOT, parity

WRONG = ("--against", "tests.doors:low_threshold")
FINGERPRINT = "min_reward value null ≠ str"
"""Of the only divergence there is with that door."""
FEW = ("min_reward", "--jobs", "1", "--examples")


def hunt(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Hunt on the surface that is soonest done."""
    return parity("hunt", *FEW, *arguments, cwd=cwd, **environment)


@contextmanager
def started(*arguments: str, cwd: Path) -> Iterator[subprocess.Popen[str]]:
    """Start a hunt in a process group of its own, and leave nothing of it."""
    with subprocess.Popen(
        [sys.executable, "-m", "parity", "hunt", "min_reward", "--jobs", "1", "--minutes", "30", *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,
    ) as running:
        try:
            yield running
        finally:
            with suppress(ProcessLookupError):
                os.killpg(running.pid, signal.SIGKILL)


def told_of(running: subprocess.Popen[str]) -> Path:
    """Wait until a hunt tells of a finding, and return the file that it names."""
    assert running.stderr is not None
    for line in running.stderr:
        if line.startswith("found: "):
            return Path(line.rpartition(": ")[2].strip())
    raise AssertionError("the hunt ended, and found nothing")


def members(group: int) -> dict[int, Path]:
    """Return the living processes of a group."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            state, _, of, *_ = (folder / "stat").read_text().rpartition(")")[2].split()
            if int(of) == group and state != "Z":
                found[int(folder.name)] = folder
    return found


def eventually(is_so: Callable[[], bool], seconds: float = 60) -> bool:
    """Wait until something is so, and tell whether it is."""
    deadline = time.monotonic() + seconds
    while not (so := is_so()) and time.monotonic() < deadline:
        time.sleep(0.05)
    return so


def files(folder: Path) -> dict[str, str]:
    """Return the text of every file below a folder that keeps findings."""
    return {str(path.relative_to(folder)): path.read_text(encoding="utf-8") for path in folder.rglob("*.json")}


def invoke(*arguments: str | Path) -> Result:
    """Run `parity` in this process; a refusal is the result's exception."""
    return CliRunner().invoke(app, [str(each) for each in arguments])


def low_threshold(threshold: int = -2) -> Finding:
    """Return what a hunt with the wrong door finds."""
    case = Case("min_reward", {"rewards": encode({"reward": 0}), "min_reward": encode(threshold)})
    finding = diverging(case, {"value": None}, {"value": "too low"})
    assert finding is not None
    return finding


def two_places(*kinds: str, length: int = 1) -> Finding:
    """Return a finding with divergences of these kinds, `int`, `bool` or `str`, about the first of them."""
    values: dict[str, Json] = {"int": {"int": "1"}, "bool": True, "str": "1"}
    wrong = {"dict": [[kind, values[kind]] for kind in kinds]}
    right = {"dict": [[kind, {"float": "1.0"}] for kind in kinds]}
    found = diverging(Case("metric", {"metric": "max", "rewards": [None] * length}), {"value": wrong}, {"value": right})
    assert found
    return next(found.about(name) for name in found.fingerprints if kinds[0] in name)


def report(  # noqa: PLR0913  (each is a matter of its own)
    *findings: Finding,
    shard: tuple[int, int] = (1, 1),
    stopped: bool = False,
    other: str = "wrong",
    seed: int = 7,
    surface: str = "min_reward",
    minutes: float | None = None,
    today: date = date(2026, 11, 18),
    seen: int = 1,
) -> Report:
    """Return the report of a hunt that had these findings."""
    plan = Plan(chosen([surface]), 100, seed, 1, minutes, sides=(REIMPL, Implementation(other, "")), shard=shard)
    tally = Tally(surface, corpus=3, exhaustive=20, generated=100, seconds=0.5)
    for finding in findings:
        tally.add(finding)
        tally.seen.update(dict.fromkeys(finding.fingerprints, seen))
    return Report(plan, {surface: tally}, Replay(), stopped, today=today)


def written(path: Path, told: Report) -> Path:
    """Write a report as --json does."""
    path.write_text(json_text(told), encoding="utf-8")
    return path
