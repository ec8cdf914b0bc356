"""The shelf: where findings are kept, one file a fingerprint, in the form in which the corpus takes them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from pathlib import Path

from oracle.versions import versions
from parity import corpus
from parity.corpus import Entry
from parity.implementation import ORACLE, Side
from parity.judge import Finding
from parity.replay import Replay

FOLDER = Path(".parity")


class Shelf:
    """Keeps the plainest finding of each fingerprint in a folder, as soon as it is told of it."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        self._found = f"{corpus.BY_SEARCH}{seed}"

    def entries(self) -> list[Entry]:
        """Return what earlier sessions put here, so that it is not searched for again."""
        return corpus.kept(self.folder)

    def replayed(self, replay: Replay) -> None:
        """Hear what became of the cases that were kept: here a newer one takes the place of any."""

    def path_of(self, finding: Finding) -> Path:
        """Return where a finding belongs."""
        return self.folder / finding.case.surface / f"{file_name(finding.fingerprint)}.json"

    def put(self, finding: Finding) -> Path:
        """Write a finding, in the place of one with the same fingerprint that is larger."""
        path = self.path_of(finding)
        note = f"A search found: {finding.fingerprint}."
        corpus.write(Entry(path, finding.case, note, finding.b, versions(), self._found))
        return path


class CorpusShelf(Shelf):
    """The corpus as a shelf: what it holds already stays as it is, and what has no certain outcome goes elsewhere."""

    def __init__(self, seed: int, entries: Iterable[Entry], doubtful: Shelf) -> None:
        super().__init__(corpus.folder(), seed)
        self._doubtful = doubtful
        self._known = {entry.case.id: entry.path for entry in entries}
        self._written: dict[str, Path] = {}
        """By fingerprint, what this session wrote."""
        self._mended = set[Path]()

    def entries(self) -> list[Entry]:
        """Return nothing: the corpus is replayed anyway."""
        return []

    def replayed(self, replay: Replay) -> None:
        """Hear which cases no longer diverge: what has their fingerprint now is told beside them."""
        self._mended = {entry.path for entry in replay.entries} - {entry.path for entry, _ in replay.diverged}

    def path_of(self, finding: Finding) -> Path:
        """Return where a finding belongs: where its case is already, if it is."""
        if finding.again is not None:
            return self._doubtful.path_of(finding)
        path = self._known.get(finding.case.id) or super().path_of(finding)
        return path.with_stem(f"{path.stem}-{finding.case.id[:6]}") if path in self._mended else path

    def put(self, finding: Finding) -> Path:
        """Write a finding unless the corpus has its case, or had its fingerprint from an earlier search.

        What this session wrote itself makes room for a plainer case, wherever that is.
        """
        if finding.again is not None:
            return self._doubtful.put(finding)
        path, before = self.path_of(finding), self._written.pop(finding.fingerprint, None)
        if path == before or not path.exists():
            super().put(finding)
            self._written[finding.fingerprint] = path
        if before not in (None, path):
            before.unlink(missing_ok=True)
        return path


def file_name(fingerprint: str) -> str:
    """Return a name that says what is wrong; the letters at its end keep similar fingerprints apart."""
    words = re.sub(r"[^a-z0-9]+", "-", fingerprint.partition(" ")[2].lower()).strip("-")
    return f"{words[:60].strip('-')}-{hashlib.sha256(fingerprint.encode()).hexdigest()[:6]}"


def folder_of(sides: tuple[Side, Side]) -> Path:
    """Return where the findings about two sides are kept: those about other sides are none of theirs."""
    a, b = (re.sub(r"[^A-Za-z0-9.]+", "-", side.name).strip("-")[:60] for side in sides)
    return FOLDER / (a if sides[1] == ORACLE else f"{a}-against-{b}")
