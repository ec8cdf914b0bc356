"""Marks: which pieces of two texts differ, for a reader's eye. They explain, and decide nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import takewhile
from operator import eq

_MOST = 1_000_000
"""Pairs of tokens: aligning more would take seconds, so then everything between the common ends is marked."""
# A number is one token, sign and exponent included: a reader wants to see 0.1 against 0.2, and not 1 against 2.
_TOKEN = re.compile(r"[\w.+-]+|\s+|.", re.DOTALL)


@dataclass(frozen=True)
class Piece:
    """A piece of a text."""

    text: str
    differs: bool


def marked(a: str, b: str) -> tuple[list[Piece], list[Piece]]:
    """Cut two texts into pieces that both have and pieces that differ."""
    left: list[Piece] = []
    right: list[Piece] = []
    for same, one, other in _by_lines(a, b):
        for side, text in ((left, one), (right, other)):
            if text:
                side.append(Piece(text, not same))
    return left, right


def marked_characters(a: str, b: str) -> tuple[list[Piece], list[Piece]]:
    """Cut two spellings of one thing into their common ends and what lies between."""
    head, tail = _common_ends(a, b)
    return _cut(a, head, tail), _cut(b, head, tail)


def _cut(text: str, head: int, tail: int) -> list[Piece]:
    end = len(text) - tail
    pieces = (Piece(text[:head], False), Piece(text[head:end], True), Piece(text[end:], False))
    return [piece for piece in pieces if piece.text]


def _common_ends(a: Sequence[str], b: Sequence[str]) -> tuple[int, int]:
    """Count what two sequences share at their beginning, and then at their end."""
    head = sum(takewhile(bool, map(eq, a, b)))
    left = min(len(a), len(b)) - head
    return head, sum(takewhile(bool, map(eq, a[::-1][:left], b[::-1][:left])))


def _by_lines(a: str, b: str) -> Iterator[tuple[bool, str, str]]:
    """Align lines first: that is how rendered files are read, and it keeps the work small."""
    for same, one, other in _aligned(a.splitlines(keepends=True), b.splitlines(keepends=True)):
        if same or not one or not other:
            yield same, "".join(one), "".join(other)
            continue
        for alike, some, others in _aligned(_TOKEN.findall("".join(one)), _TOKEN.findall("".join(other))):
            yield alike, "".join(some), "".join(others)


def _aligned(a: Sequence[str], b: Sequence[str]) -> Iterator[tuple[bool, Sequence[str], Sequence[str]]]:
    head, tail = _common_ends(a, b)
    yield True, a[:head], b[:head]
    x, y = a[head : len(a) - tail], b[head : len(b) - tail]
    if len(x) * len(y) > _MOST:
        yield False, x, y
    else:
        for kind, i, j, k, m in SequenceMatcher(None, x, y, autojunk=False).get_opcodes():
            yield kind == "equal", x[i:j], y[k:m]
    yield True, a[len(a) - tail :], b[len(b) - tail :]
