"""The consumer's one-line verdict on a job: ``BASE_BENCHMARK_RESULT=`` and a small JSON object.

The consumer reads the ``result.json`` that harbor wrote and looks at four things in it: the number of trials, how many
completed, how many ended in an error, and the metrics of every evals group. The rules are those of the specification
document's section 5, executed on CPython 3.12; the consumer itself was not available.

The answers are the same on every Python version. How deep a result may be nested depends on the version; the limit of
3.12 holds here on all of them. No file harbor writes comes near.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from reimpl.json_text import MAX_DEPTH, parse_json
from reimpl.numerals import MAX_INT_DIGITS, WHITESPACE, text_to_float
from reimpl.render import limited_text
from reimpl.rewards import size_of
from reimpl.summation import total as add_up

if TYPE_CHECKING:
    import os

# The consumer parses with nothing on the stack, where harbor's verifier has four levels of its own.
_MAX_DEPTH = MAX_DEPTH + 4


@dataclass(frozen=True)
class Outcome:
    """What the consumer makes of a job; the score of a job that could not be read is 0.0."""

    status: str
    score: float
    resolved: int
    total: int
    reason_code: str | None

    def line(self) -> str:
        """Write the outcome as the consumer prints it, keys sorted and numbers as Python spells them.

        Raises:
            ValueError: The total has more than 4300 digits; the consumer ends with the same error instead of a line.

        """
        return (
            f'BASE_BENCHMARK_RESULT={{"reason_code": {json.dumps(self.reason_code)}, "resolved": {self.resolved}, '
            f'"score": {self.score!r}, "status": {json.dumps(self.status)}, "total": {limited_text(self.total)}}}'
        )


def outcome_line(result_json: bytes | None) -> str:
    """Write the line for the content of ``result.json``; None says that there is no such file."""
    return outcome(result_json).line()


def outcome(result_json: bytes | None) -> Outcome:
    """Judge a job by the content of its ``result.json``; None says that there is no such file.

    Whatever cannot be read makes the whole result malformed: there is no outcome made of the parts that can.
    """
    if result_json is None:
        return _unread("harbor_result_missing")
    try:
        return _judged(parse_json(result_json.decode(), _MAX_DEPTH))
    except (ArithmeticError, RecursionError, TypeError, ValueError):  # what is wrong is not told
        return _unread("harbor_result_malformed")


def read_outcome(path: str | os.PathLike[str]) -> Outcome:
    """Judge a job by its ``result.json``, which is missing when a symlink leads nowhere and malformed as a directory.

    Raises:
        OSError: It cannot even be said whether there is such a file, for example for want of permission.

    """
    file = Path(path)
    if size_of(file) is None:
        return outcome(None)
    try:
        content = file.read_bytes()
    except OSError:
        return _unread("harbor_result_malformed")
    return outcome(content)


def _unread(reason_code: str) -> Outcome:
    return Outcome(status="failed", score=0.0, resolved=0, total=0, reason_code=reason_code)


def _judged(result: object) -> Outcome:
    """Judge a parsed result: the status is by the errored trials alone, and the score is not held to [0, 1]."""
    fields = _object(result)
    stats = _object(fields.get("stats", {}))
    trials = _count(fields.get("n_total_trials"))
    completed = _count(stats.get("n_completed_trials"))
    errored = _count(stats.get("n_errored_trials"))
    values = list(_metric_values(stats))
    score = add_up(values) / len(values) if values else 0.0
    return Outcome(
        status="failed" if errored else "completed",
        score=score,
        # Halves go to the even neighbour. A nan or an infinity has none, which makes the result malformed.
        resolved=round(score * trials),
        total=trials or completed + errored,
        reason_code=None,
    )


def _metric_values(stats: dict[str, object]) -> Iterator[float]:
    """Go through all metrics of all evals groups: ``"mean"`` speaks for its metric, otherwise every value counts."""
    for group in _object(stats.get("evals", {})).values():
        for item in _list(_object(group).get("metrics", [])):
            metric = _object(item)
            if "mean" in metric:
                yield _number(metric["mean"])
            else:
                yield from map(_number, metric.values())


def _object(value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise TypeError
    return value


def _list(value: object) -> list[object]:
    if isinstance(value, list):
        return value
    # The consumer only loops over it, so that an empty text or object is as good as an empty list.
    if isinstance(value, (str, dict)) and not value:
        return []
    raise TypeError


def _number(value: object) -> float:
    if isinstance(value, str):
        return text_to_float(value)
    if isinstance(value, (int, float)):
        return float(value)
    raise TypeError


def _count(value: object) -> int:
    """Read a count: absent or empty is 0, text is read as ``int()`` reads it, and a float loses its fraction."""
    if not value:
        return 0
    if isinstance(value, str):
        return _text_to_int(value)
    if isinstance(value, (int, float)):
        return int(value)
    raise TypeError


def _text_to_int(text: str) -> int:
    """Read an int as CPython 3.12's ``int(text)`` does; ``ValueError`` when it is not one."""
    plain = text.strip(WHITESPACE)
    if not plain.isascii():
        # A digit of another script is a number by itself, and text_to_float knows those of 3.12.
        plain = "".join(char if char.isascii() else f"{text_to_float(char):.0f}" for char in plain)
    # Leading zeros count as digits too.
    if sum(map(str.isdigit, plain)) > MAX_INT_DIGITS:
        raise ValueError
    return int(plain)
