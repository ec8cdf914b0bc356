"""Which lines and branches of harbor's own scoring code the cases execute: `nox -s oracle-coverage`.

It replays the corpus and a part of the searched cases through the oracle under coverage.py, and fails below 100 % of
what a case can reach. What no case can reach is listed with the reason; an entry that is reached after all fails too.
"""

from __future__ import annotations

import ast
import json
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import coverage
from rich.table import Table

from parity import corpus
from parity.implementation import ORACLE, Run, require_oracle
from parity.report import console
from parity.scratch import scratch
from parity.search import drawn
from parity.session import Plan, units
from parity.surfaces import LIVE, chosen

EXAMPLES = 500

Branch = tuple[int, int]


@dataclass(frozen=True)
class Source:
    """A file of harbor: the functions that score, and what in them no case can reach."""

    path: str
    functions: tuple[str, ...]
    """Names of functions; none means all."""
    first_line: int = 0
    """Where scoring begins in a function that does other things before."""
    unreachable: dict[str, tuple[tuple[int, ...], tuple[Branch, ...]]] = field(default_factory=dict)
    """Lines and branches no case can reach, by reason."""


LOADED = "completes a result that was loaded from an older or partial file; a job that runs passes complete ones"

SOURCES = (
    Source("verifier/verifier.py", ("_parse_reward_text", "_parse_reward_json")),
    Source("verifier/verifier.py", ("verify",), first_line=209),
    Source(
        "metrics/base.py",
        (),
        unreachable={"body of an abstract method": ((13,), ())},
    ),
    *(Source(f"metrics/{name}.py", ()) for name in ("mean", "max", "min", "sum")),
    Source(
        "utils/pass_at_k.py",
        (),
        unreachable={
            "validation leaves no reward that is neither int nor float": ((49,), ((48, 49),)),
            "a group has at least one trial, and each is recorded or ends the computation": ((56,), ((55, 56),)),
        },
    ),
    Source(
        "models/job/result.py",
        (),
        unreachable={
            LOADED: (
                (47, 56, 228, 233, 249, 254, 257, 263, 271, 274, 276, 279, 287, 288, 289, 294),
                (),
            ),
            "builds stats from bare counts; no scoring code calls it": ((102,), ()),
        },
    ),
    Source("trial/multi_step.py", ("_select_multi_step_reward", "_aggregate_step_rewards", "_min_reward_failure")),
    Source(
        "job.py",
        ("_is_cancelled_result", "_refresh_job_progress", "_write_job_result"),
        unreachable={"a job never asks for its trials in the result file": ((429,), ())},
    ),
    Source("job.py", ("run",), first_line=725),
)


def inputs() -> Iterator[tuple[str, Any]]:
    """Yield the corpus, then a part of every surface's searched cases."""
    for entry in corpus.entries([corpus.folder()]):
        if entry.case.surface in LIVE:
            yield entry.case.surface, entry.case.native()
    for unit in units(Plan(chosen(None), EXAMPLES, seed=0, jobs=1)):
        if unit.tier == "generated":
            yield from ((unit.surface, input) for input in drawn(unit))


def measure(run: Run) -> dict[str, Any]:
    """Run all cases under coverage.py, and return its report by file."""
    import harbor  # the package itself is small; what scores is imported by the oracle

    root = Path(harbor.__file__).parent
    files = {source.path: root / source.path for source in SOURCES}
    cases = list(inputs())
    tracer = coverage.Coverage(branch=True, include=[str(path) for path in files.values()], data_file=None)
    with tracer.collect():
        for surface, input in cases:
            run(surface, input)
    with tempfile.NamedTemporaryFile(suffix=".json") as report:
        tracer.json_report(outfile=report.name)
        measured = {Path(name).resolve(): data for name, data in json.load(report)["files"].items()}
    return {path: measured[file.resolve()] | {"file": file} for path, file in files.items()}


def lines_of(source: Source, file: Path) -> set[int]:
    """Return the lines of the bodies of a source's functions."""
    found: set[int] = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and (
            not source.functions or node.name in source.functions
        ):
            found |= set(range(node.body[0].lineno, (node.end_lineno or 0) + 1))
    return {line for line in found if line >= source.first_line}


@dataclass(frozen=True)
class Verdict:
    """What was reached of one source."""

    source: Source
    lines: int
    branches: int
    missed: list[str]
    stale: list[str]


def judge(source: Source, data: dict[str, Any]) -> Verdict:
    """Compare what was reached with what can be."""
    wanted = lines_of(source, data["file"])
    listed = {line for lines, _ in source.unreachable.values() for line in lines}
    listed_branches = {branch for _, branches in source.unreachable.values() for branch in branches}
    executed, missing = set(data["executed_lines"]) & wanted, set(data["missing_lines"]) & wanted
    taken = {(start, end) for start, end in data["executed_branches"] if start in wanted}
    untaken = {(start, end) for start, end in data["missing_branches"] if start in wanted}
    # A branch from or to a line that no case reaches is unreachable with it.
    untaken = {(start, end) for start, end in untaken if start not in listed and end not in listed}
    return Verdict(
        source,
        lines=len(executed),
        branches=len(taken),
        missed=[f"line {line}" for line in sorted(missing - listed)]
        + [f"branch {start}→{end}" for start, end in sorted(untaken - listed_branches)],
        stale=[f"line {line}" for line in sorted(listed & executed)]
        + [f"branch {start}→{end}" for start, end in sorted(listed_branches & taken)],
    )


def main() -> None:
    """Print what was reached; anything missed, or listed and reached after all, is an exit code of 1."""
    require_oracle()
    with scratch():
        measured = measure(ORACLE.load())
    verdicts = [judge(source, measured[source.path]) for source in SOURCES]
    table = Table("harbor's file", "functions", "lines", "branches", "missed", title="Executed by the cases")
    for verdict in verdicts:
        names = ", ".join(verdict.source.functions) or "all"
        missed = ", ".join(verdict.missed) or "none"
        table.add_row(verdict.source.path, names, str(verdict.lines), str(verdict.branches), missed)
    out = console()
    out.print(table)
    for verdict in verdicts:
        for reason, (lines, branches) in verdict.source.unreachable.items():
            places = [*map(str, lines), *(f"{start}→{end}" for start, end in branches)]
            out.print(f"not reachable in {verdict.source.path}: {', '.join(places)}: {reason}", soft_wrap=True)
        for place in verdict.stale:
            out.print(f"{verdict.source.path}: {place} is listed as unreachable, and was reached")
    lines, branches = (sum(getattr(verdict, name) for verdict in verdicts) for name in ("lines", "branches"))
    whole = not any(verdict.missed or verdict.stale for verdict in verdicts)
    out.print(
        f"{lines} lines and {branches} branches reached: " + ("all that can be" if whole else "not all that can be")
    )
    sys.exit(not whole)


if __name__ == "__main__":
    main()
