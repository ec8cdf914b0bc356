"""Which lines of harbor's job, trial, queue and verifier code whole jobs execute: `nox -s oracle-coverage`.

It runs the cases of `job_run` through the oracle under coverage.py, and prints what they reach and what they miss.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import coverage
import harbor
from rich.table import Table

from parity import corpus
from parity.implementation import ORACLE, require_oracle
from parity.report import console
from parity.scratch import scratch
from parity.search import Unit, drawn

EXAMPLES = 500
FILES = (
    "job.py",
    *(f"trial/{name}.py" for name in ("queue", "trial", "single_step", "multi_step", "artifact_handler")),
    *(f"verifier/{name}.py" for name in ("verifier", "factory")),
    *(f"metrics/{name}.py" for name in ("factory", "mean", "max", "min", "sum", "uv_script")),
    "utils/pass_at_k.py",
    *(f"models/job/{name}.py" for name in ("result", "lock")),
    *(f"models/trial/{name}.py" for name in ("result", "paths")),
)


@dataclass(frozen=True)
class Reached:
    """The lines in the functions of a file, and those that no job reached, by function."""

    lines: int
    missed: dict[str, list[int]]

    @property
    def hit(self) -> int:
        """How many lines were reached."""
        return self.lines - sum(map(len, self.missed.values()))


def functions(file: Path) -> Iterator[tuple[range, str]]:
    """Yield the functions of a file, by the lines of their bodies."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield range(node.body[0].lineno, (node.end_lineno or 0) + 1), node.name


def reached(file: Path, tracer: coverage.Coverage) -> Reached:
    """Look at what was reached in the functions of a file."""
    bodies = list(functions(file))
    inside = {line for body, _ in bodies for line in body}
    _, statements, _, missing, _ = tracer.analysis2(str(file))
    missed: dict[str, list[int]] = {}
    for line in sorted(set(missing) & inside):
        _, innermost = min((len(body), name) for body, name in bodies if line in body)
        missed.setdefault(innermost, []).append(line)
    return Reached(len(set(statements) & inside), missed)


def main() -> None:
    """Run the corpus and generated jobs, and print the table."""
    require_oracle()
    inputs: list[Mapping[str, Any]] = [entry.case.native() for entry in corpus.entries([corpus.folder() / "job_run"])]
    inputs += drawn(Unit("job_run", "generated", 0, examples=EXAMPLES))
    root, run = Path(harbor.__file__).parent, ORACLE.load()
    tracer = coverage.Coverage(include=[str(root / name) for name in FILES], data_file=None)
    with scratch():
        run("job_run", inputs[0])  # importing is not running
        with tracer.collect():
            for input in inputs:
                run("job_run", input)
    table = Table("harbor's file", "lines of functions", "reached", "%", "not reached, by function")
    table.title = f"Executed by {len(inputs)} whole jobs"
    found = {name: reached(root / name, tracer) for name in FILES}
    for name, each in found.items():
        told = "; ".join(f"{function} {', '.join(map(str, lines))}" for function, lines in each.missed.items())
        table.add_row(name, str(each.lines), str(each.hit), f"{100 * each.hit / max(each.lines, 1):.0f}", told)
    out = console()
    out.print(table)
    lines, hit = (sum(getattr(each, name) for each in found.values()) for name in ("lines", "hit"))
    out.print(f"{hit} of {lines} lines ({100 * hit / lines:.1f} %)")


if __name__ == "__main__":
    main()
