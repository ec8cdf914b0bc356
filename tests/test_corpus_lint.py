"""`parity corpus lint` finds whatever is wrong with a corpus, and `fmt` mends its form."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from parity import corpus
from parity.errors import CannotRunError
from parity.lint import problems
from tests.hunts import files, invoke


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A corpus of one surface that may be damaged; returns one of its files."""
    monkeypatch.setattr(corpus, "folder", lambda: tmp_path)
    shutil.copytree(corpus._PACKAGE.parent / "corpus" / "min_reward", tmp_path / "min_reward")
    return min((tmp_path / "min_reward").glob("*.json"))


def change(path: Path, **fields: Any) -> None:
    """Change fields of a corpus file, in canonical form."""
    path.write_text(json.dumps({**json.loads(path.read_bytes()), **fields}, indent=1) + "\n", encoding="utf-8")


def linted() -> tuple[int, list[str]]:
    """Return the exit code, and what was said before the last line."""
    done = invoke("corpus", "lint")
    *found, summary = done.stdout.splitlines()
    number = len(corpus.files(corpus.folder()))
    assert summary == f"{number} corpus files: {len(found)} problem{'s' * (len(found) != 1)}"
    return done.exit_code, found


def test_this_corpus_is_in_order() -> None:
    assert list(problems(corpus.folder(), live=True)) == []


class TestLint:
    """Each fault is found, with its file, and nothing else is."""

    def test_what_is_in_order_passes(self, kept: Path) -> None:
        assert kept.is_file()
        assert linted() == (0, [])

    def test_a_wrong_id(self, kept: Path) -> None:
        change(kept, case="0" * 16)
        code, [said] = linted()
        assert code == 1
        assert said.startswith(f"{kept}: the id is '0000000000000000', but the case's content gives")

    def test_a_stale_expectation(self, kept: Path) -> None:
        change(kept, expect={"value": "something else"})
        code, [said] = linted()
        assert code == 1
        assert said == f"{kept}: harbor answers something else now: see `parity show min_reward/{kept.stem}`"

    def test_a_duplicate(self, kept: Path) -> None:
        copy = kept.with_name("zzz.json")
        shutil.copy(kept, copy)
        assert linted() == (1, [f"{copy}: the same case as {kept}: remove one"])

    def test_a_file_in_the_wrong_folder(self, kept: Path) -> None:
        moved = kept.parent.with_name("metric") / kept.name
        moved.parent.mkdir()
        kept.rename(moved)
        assert linted() == (1, [f"{moved}: a min_reward case belongs in the folder min_reward/: move it"])

    @pytest.mark.parametrize(
        "form",
        [
            json.dumps,
            lambda data: json.dumps(data, indent=2) + "\n",
            lambda data: json.dumps(dict(reversed(data.items())), indent=1) + "\n",
            lambda data: json.dumps({**data, "note": "ä"}, indent=1, ensure_ascii=False) + "\n",
            lambda data: json.dumps(data, indent=1) + "\n\n",
        ],
    )
    def test_another_form(self, kept: Path, form: Callable[[dict[str, Any]], str]) -> None:
        kept.write_text(form(json.loads(kept.read_bytes())), encoding="utf-8")
        assert linted() == (1, [f"{kept}: not in canonical form: run `parity corpus fmt`"])

    def test_what_is_no_json(self, kept: Path) -> None:
        kept.write_text("{", encoding="utf-8")
        code, [said] = linted()
        assert code == 1
        assert said.startswith(f"{kept}: not JSON")

    def test_every_fault_is_told(self, kept: Path) -> None:
        others = sorted(kept.parent.glob("*.json"))[1:3]
        change(others[0], case="0" * 16)
        change(others[1], expect={"value": "something else"})
        kept.write_text("{", encoding="utf-8")
        code, said = linted()
        assert code == 1
        assert {line.partition(": ")[0] for line in said} == {str(path) for path in (kept, *others)}


class TestFormat:
    """`fmt` writes every file as the tool itself would, and touches no other."""

    def test_it_mends_the_form_and_nothing_else(self, kept: Path) -> None:
        before = files(kept.parent)
        kept.write_text(json.dumps(json.loads(before[kept.name])), encoding="utf-8")
        assert invoke("corpus", "fmt").stdout == f"{kept}\n1 file changed\n"
        assert files(kept.parent) == before
        assert invoke("corpus", "fmt").stdout == "0 files changed\n"

    def test_it_does_not_touch_what_is_wrong(self, kept: Path) -> None:
        change(kept, case="0" * 16)
        before = kept.read_bytes()
        assert isinstance(invoke("corpus", "fmt").exception, CannotRunError)
        assert kept.read_bytes() == before
