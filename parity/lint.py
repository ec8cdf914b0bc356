"""What is wrong with a corpus, file by file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from parity import corpus
from parity.corpus import Entry
from parity.errors import CannotRunError
from parity.implementation import ORACLE
from parity.judge import diverging
from parity.scratch import scratch
from parity.surfaces import LIVE


def problems(folder: Path, *, live: bool) -> Iterator[str]:
    """Yield a line for each fault: a file that cannot be read, is not canonical, is a duplicate, or is stale."""
    read: list[Entry] = []
    for path in corpus.files(folder):
        try:
            read += corpus.entries([path])
        except CannotRunError as error:
            yield str(error)
            continue
        if not is_canonical(path):
            yield f"{path}: not in canonical form: run `parity corpus fmt`"
    yield from _duplicates(read)
    if live:
        yield from _stale(entry for entry in read if entry.case.surface in LIVE)


def is_canonical(path: Path) -> bool:
    """Tell whether a file's text is what the tool itself would write."""
    return path.read_text(encoding="utf-8") == corpus.text_of(corpus.entries([path]), path)


def _duplicates(entries: Iterable[Entry]) -> Iterator[str]:
    """Yield the cases that have two names; a row of recordings may have one besides."""
    first: dict[str, Path] = {}
    for entry in entries:
        if not entry.is_row:
            before = first.setdefault(entry.case.id, entry.path)
            if before != entry.path:
                yield f"{entry.path}: the same case as {before}: remove one"


def _stale(entries: Iterable[Entry]) -> Iterator[str]:
    with scratch():
        answers = ORACLE.start()
        for entry in entries:
            [outcome] = answers(entry.case.surface, [entry.case.native()])
            if diverging(entry.case, outcome, entry.expect):
                yield f"{entry.path}: harbor answers something else now: see `parity show {entry.name}`"
