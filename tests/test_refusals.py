"""What cannot be compared is refused in one line that says what to do, with exit code 2."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from parity import corpus
from parity.__main__ import main
from parity.errors import CannotRunError
from tests.cli import ROOT, parity

GOOD = next(iter(sorted((ROOT / "corpus" / "metric").glob("*.json"))))


def refusal(*arguments: str, cwd: Path = ROOT, stdin: str = "") -> str:
    """Run the command, and return the one line it refused with."""
    done = parity(*arguments, cwd=cwd, stdin=stdin)
    assert done.returncode == 2, done.stdout + done.stderr
    assert not done.stdout
    [line] = done.stderr.splitlines()
    assert line.startswith("parity: ")
    return line


class TestCommand:
    """Each mistake of a user gives one clear line."""

    def test_an_unknown_surface_is_named_with_the_nearest(self) -> None:
        assert "did you mean metric?" in refusal("run", "metrik")

    def test_a_surface_like_no_other_gets_the_list(self) -> None:
        assert "choose from reward_files, metric" in refusal("run", "zzz")

    def test_a_report_that_cannot_be_written_is_refused_before_the_work(self, tmp_path: Path) -> None:
        assert "does not exist" in refusal("run", "metric", "--json", str(tmp_path / "no" / "report.json"))
        assert "is a folder" in refusal("run", "metric", "--json", str(tmp_path))

    def test_a_missing_path_is_named(self) -> None:
        assert "no/such/place: no such file or folder" in refusal("replay", "no/such/place")

    def test_a_case_that_is_none_is_named(self) -> None:
        assert "no case id" in refusal("show", "0000000000000000")
        assert "not JSON" in refusal("show", '{"surface": ')
        assert "unknown surface 'x'" in refusal("show", '{"surface": "x", "input": {}}')
        assert "must hold metric, rewards" in refusal("show", '{"surface": "metric", "input": {}}')

    @pytest.mark.parametrize(
        ("surface", "input", "fault"),
        [
            ("metric", {"metric": "median", "rewards": []}, "metric must be one of: mean, max, min, sum"),
            ("metric", {"metric": "mean", "rewards": "abc"}, "rewards must be a list"),
            ("metric", {"metric": "mean", "rewards": [{"dict": [["a", None]]}]}, "rewards [0] ['a'] must be a number"),
            ("outcome", {"result.json": "x"}, "result.json must be null"),
            ("pass_at_k", {"trials": [{"task": "t"}]}, "trials [0] must hold task, name, source, agent"),
            (
                "job_stats",
                {"n_total_trials": None, "n_retries": {"int": "0"}, "steps": [{"op": "remove", "trial": {"int": "0"}}]},
                "steps [0] refers to trial 0, and 0 were seen before it",
            ),
        ],
    )
    def test_a_case_that_does_not_fit_its_surface_is_refused(self, surface: str, input: Any, fault: str) -> None:
        assert f"the input of {surface} {fault}" in refusal("show", json.dumps({"surface": surface, "input": input}))

    def test_an_empty_folder_is_refused(self, tmp_path: Path) -> None:
        assert "no corpus files in this folder" in refusal("replay", str(tmp_path))

    def test_adding_a_case_twice_is_refused(self) -> None:
        words = ("--name", "again", "--note", "Again.")
        assert "is in the corpus already: metric/" in refusal("corpus", "add", str(GOOD), *words)
        assert "use small letters" in refusal("corpus", "add", str(GOOD), "--name", "A b", "--note", "Again.")

    def test_a_request_that_is_no_json_ends_the_conversation(self) -> None:
        assert "one JSON object a line" in refusal("serve", "reimpl", stdin="hello\n")


@pytest.mark.parametrize(("package", "extra"), [("hypothesis", "harness"), ("typer", "replay")])
def test_a_missing_package_is_named_with_the_way_to_get_it(package: str, extra: str) -> None:
    hidden = f"import sys; sys.modules[{package!r}] = None; sys.argv = ['parity', 'run', 'metric']"
    program = f"{hidden}; from parity.__main__ import main; main()"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == f"parity: {package} is not installed: run `pip install 'harbor-parity[{extra}]'`\n"


class TestHarborVersion:
    """Only harbor 0.13.1 is compared with."""

    def refused(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], verb: str) -> str:
        monkeypatch.setattr(sys, "argv", ["parity", verb])
        with pytest.raises(SystemExit) as stop:
            main()
        assert stop.value.code == 2
        [line] = capsys.readouterr().err.splitlines()
        return str(line)

    @pytest.mark.parametrize("verb", ["run", "replay"])
    def test_another_version_is_refused(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], verb: str
    ) -> None:
        monkeypatch.setattr(metadata, "version", lambda _: "0.14.0")
        line = self.refused(monkeypatch, capsys, verb)
        assert "harbor 0.14.0 is installed" in line
        assert "pip install harbor==0.13.1" in line

    @pytest.mark.parametrize("verb", ["run", "replay"])
    def test_no_harbor_is_refused(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], verb: str
    ) -> None:
        def missing(name: str) -> str:
            raise metadata.PackageNotFoundError(name)

        monkeypatch.setattr(metadata, "version", missing)
        assert "harbor is not installed: run `pip install harbor==0.13.1`" in self.refused(monkeypatch, capsys, verb)


class TestCorpusFile:
    """A corpus file that does not hold is refused, with its path and its fault."""

    def write(self, folder: Path, **changes: Any) -> Path:
        data = json.loads(GOOD.read_bytes())
        data.update(changes)
        path = folder / "metric" / "broken.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps({name: item for name, item in data.items() if item != "removed"}))
        return path

    @pytest.mark.parametrize(
        ("changes", "fault"),
        [
            ({"case": "0" * 16}, "the id is '0000000000000000'"),
            ({"surface": "metrik"}, "unknown surface 'metrik'"),
            ({"surface": "removed"}, "not a case"),
            ({"input": {"metric": "mean", "rewards": [1]}}, "bare number"),
            ({"input": []}, "the input of metric must hold metric, rewards"),
            ({"note": "removed"}, "must hold case, surface, note"),
            ({"expect": {}}, "expect must be an outcome"),
            ({"expect": {"value": {"float": "abc"}}}, "expect value float must be a float as Python writes it"),
            ({"expect": {"value": {"float": "0.10"}}}, "not written as Python's repr writes it"),
            ({"note": 3}, "note must be text"),
        ],
    )
    def test_fault_is_named(self, tmp_path: Path, changes: dict[str, Any], fault: str) -> None:
        path = self.write(tmp_path, **changes)
        with pytest.raises(CannotRunError, match=fault) as refused:
            corpus.read(path)
        assert str(refused.value).startswith(str(path))

    def test_a_file_in_the_wrong_folder_is_refused(self, tmp_path: Path) -> None:
        path = tmp_path / GOOD.name
        path.write_bytes(GOOD.read_bytes())
        with pytest.raises(CannotRunError, match="belongs in the folder metric/"):
            corpus.read(path)

    @pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[" * 100_000, b"7"])
    def test_what_is_no_json_object_is_one_line_for_the_user(self, tmp_path: Path, content: bytes) -> None:
        path = self.write(tmp_path)
        path.write_bytes(content)
        assert str(path) in refusal("replay", str(path))


def test_a_corpus_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    entry = corpus.read(GOOD)
    path = tmp_path / "metric" / GOOD.name
    corpus.write(corpus.Entry(path, entry.case, entry.note, entry.expect, entry.oracle, entry.found))
    assert path.read_bytes() == GOOD.read_bytes()
    assert [file.name for file in path.parent.iterdir()] == [GOOD.name]
