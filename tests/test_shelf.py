"""The shelf keeps one file a fingerprint, and the corpus as a shelf changes nothing that was there before."""

from __future__ import annotations

from pathlib import Path

import pytest

from parity import corpus
from parity.judge import Finding
from parity.replay import Replay
from parity.shelf import CorpusShelf, Shelf
from tests.hunts import files, low_threshold

LARGE, MIDDLING, SMALL = (low_threshold(threshold) for threshold in (-1000, -10, -2))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(corpus, "folder", lambda: tmp_path / "corpus")
    return tmp_path / "corpus"


def shelf(folder: Path) -> CorpusShelf:
    """Return the corpus as a session begins with it."""
    return CorpusShelf(1, corpus.kept(folder), Shelf(folder.with_name("doubtful"), 1))


def put(findings: list[Finding], folder: Path) -> list[Path]:
    """Keep findings in one session."""
    session = shelf(folder)
    return [session.put(finding) for finding in findings]


def by_hand(finding: Finding, folder: Path) -> Path:
    """Keep a finding's case under a name of somebody's choice."""
    path = folder / "min_reward" / "by-hand.json"
    Shelf(folder, 1).put(finding).rename(path)
    return path


class TestCorpus:
    """One file a fingerprint, the plainest case that the session came to."""

    def test_a_plainer_case_takes_the_place_of_the_session_s_own(self, folder: Path) -> None:
        one, other = put([LARGE, SMALL], folder)
        assert one == other
        assert [corpus.read(path).case.id for path in folder.rglob("*.json")] == [SMALL.case.id]

    def test_what_an_earlier_session_wrote_stays(self, folder: Path) -> None:
        put([LARGE], folder)
        before = files(folder)
        put([SMALL], folder)
        assert files(folder) == before

    def test_what_the_corpus_has_in_a_plainer_case_is_not_kept_twice(self, folder: Path) -> None:
        written = by_hand(SMALL, folder)
        before = files(folder)
        _, last = put([LARGE, SMALL], folder)
        assert last == written
        assert files(folder) == before

    def test_what_diverges_again_is_told_beside_what_was_mended(self, folder: Path) -> None:
        put([LARGE], folder)
        before = files(folder)
        session = shelf(folder)
        session.replayed(Replay(entries=corpus.kept(folder)))  # of which none diverges
        paths = [session.put(finding) for finding in (MIDDLING, SMALL)]
        assert {name: text for name, text in files(folder).items() if name in before} == before
        assert files(folder).keys() - before.keys() == {str(paths[-1].relative_to(folder))}
