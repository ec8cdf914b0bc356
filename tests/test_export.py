"""The pack: every case of the corpus, in a folder that says what it holds and how to run it."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import pytest

from parity import corpus, export
from parity.case import Case
from parity.codec import Json, canonical
from parity.compare import same
from parity.errors import CannotRunError
from parity.export import COMPARISONS, MANIFEST
from parity.schemas import validate
from parity.surfaces import SURFACES
from tests.cli import parity


@cache
def pack() -> export.Files:
    return export.pack()


@cache
def manifest() -> Json:
    return json.loads(pack()[MANIFEST])


@cache
def lines() -> list[Json]:
    paths = [file["path"] for file in manifest()["files"] if "surface" in file]
    return [json.loads(line) for path in paths for line in pack()[path].splitlines()]


def tree(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def bare_numbers(data: Json) -> Iterator[Json]:
    if isinstance(data, dict):
        for item in data.values():
            yield from bare_numbers(item)
    elif isinstance(data, list):
        for item in data:
            yield from bare_numbers(item)
    elif isinstance(data, (int, float)) and not isinstance(data, bool):
        yield data


def depth(data: Json) -> int:
    items = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    return 1 + max(map(depth, items), default=0)


class TestContents:
    """A pack is whole, and says the truth about itself."""

    def test_it_holds_each_case_of_the_corpus_once(self) -> None:
        entries = list(corpus.entries([corpus.folder()]))
        assert {line["case"] for line in lines()} == {entry.case.id for entry in entries}
        assert len(lines()) == len({line["case"] for line in lines()}) == manifest()["cases"]
        expected = {entry.case.id: entry.expect for entry in entries}
        assert all(line["expect"] == expected[line["case"]] for line in lines())
        named = {entry.name for entry in entries if entry.name != entry.case.id}
        assert {line["name"] for line in lines() if line["name"] != line["case"]} == named

    def test_every_line_and_the_manifest_fit_their_schemas(self) -> None:
        assert validate("pack-manifest", manifest()) is None
        assert [validate("pack-case", line) for line in lines()] == [None] * len(lines())

    def test_the_manifest_knows_every_other_file(self) -> None:
        files = {file["path"]: file for file in manifest()["files"]}
        assert list(files) == sorted(pack().keys() - {MANIFEST})
        for path, file in files.items():
            assert file["bytes"] == len(pack()[path])
            assert file["sha256"] == hashlib.sha256(pack()[path]).hexdigest()

    def test_it_counts_right(self) -> None:
        counts = Counter(line["surface"] for line in lines())
        assert {each["surface"]: each["cases"] for each in manifest()["surfaces"]} == dict(counts)
        assert list(SURFACES) == [each["surface"] for each in manifest()["surfaces"]]
        for file in manifest()["files"]:
            if "surface" in file:
                held = [json.loads(line) for line in pack()[file["path"]].splitlines()]
                assert {line["surface"] for line in held} == {file["surface"]}
                assert len(held) == file["cases"]

    def test_any_reader_of_json_can_read_it(self) -> None:
        for path, content in pack().items():
            if path.startswith("cases/") or path == MANIFEST:
                content.decode("ascii")
        # Numbers that a reader might round stand in texts.
        assert not list(bare_numbers(lines()))
        # serde_json, for one, goes no deeper than 128.
        assert max(map(depth, lines())) < 64

    def test_half_a_surrogate_pair_is_kept_apart(self) -> None:
        lone = {file["path"]: file["lone_surrogates"] for file in manifest()["files"] if "surface" in file}
        assert set(lone.values()) == {True, False}
        for path, is_lone in lone.items():
            for line in pack()[path].splitlines():
                text = json.dumps(json.loads(line), ensure_ascii=False)
                assert (re.search("[\ud800-\udfff]", text) is not None) is is_lone
                assert path.endswith("-surrogates.jsonl") is is_lone

    def test_the_readme_explains_every_comparison_and_field(self) -> None:
        text = pack()["README.md"].decode()
        for name in COMPARISONS:
            assert f"| `{name}` |" in text
        for field in lines()[0]:
            assert f"`{field}`" in text
        assert pack()["PACK_VERSION"].decode() == f"{manifest()['version']}\n"
        assert f"\n## {manifest()['version']}\n" in pack()["CHANGELOG.md"].decode()
        assert b"Apache License" in pack()["LICENSE"]


def agrees(compare: str, answer: Json, expect: Json) -> bool:
    """Compare as the words of the README say, and as a runner in another language does."""
    if compare == "any-error":
        return "error" in answer
    if compare == "error-type":
        return "error" in answer and answer["error"]["type"] == expect["error"]["type"]
    if compare == "any-key-order":
        return bool(with_sorted_pairs(answer) == with_sorted_pairs(expect))
    return bool(answer == expect)


def with_sorted_pairs(data: Json) -> Json:
    if isinstance(data, list):
        return [with_sorted_pairs(item) for item in data]
    if not isinstance(data, dict):
        return data
    fields = {name: with_sorted_pairs(item) for name, item in data.items()}
    return {"dict": sorted(fields["dict"], key=canonical)} if fields.keys() == {"dict"} else fields


def answers(expect: Json) -> Iterator[Json]:
    """Yield answers that are right, nearly right and wrong."""
    yield expect
    yield {"value": None}
    yield {"error": {"type": "Error", "message": ""}}
    if "error" in expect:
        yield {"error": {**expect["error"], "message": "in other words"}}
        yield {"error": {**expect["error"], "type": "OtherError"}}
        return
    text = canonical(expect["value"])
    yield {"value": export._reversed(expect["value"])}
    for old, new in (("float", "int"), ('"1.0"', '"1"'), ('"0.0"', '"-0.0"'), ("true", "false")):
        yield {"value": json.loads(text.replace(old, new))}


class TestComparisons:
    """A runner that follows the README agrees with the harness on every case."""

    def test_they_let_pass_what_the_relaxations_do(self) -> None:
        judged = Counter[tuple[str, bool]]()
        for line in lines():
            case = Case(line["surface"], line["input"])
            for answer in answers(line["expect"]):
                relaxed = [SURFACES[case.surface].relaxed(case.input, each) for each in (answer, line["expect"])]
                right = same(*relaxed)
                assert agrees(line["compare"], answer, line["expect"]) is right, (line["name"], answer)
                judged[line["compare"], right] += 1
        assert set(judged) == {(name, right) for name in COMPARISONS for right in (True, False)}

    def test_the_manifest_says_why(self) -> None:
        relaxed = [(surface.name, each.name) for surface in SURFACES.values() for each in surface.relaxations]
        assert [(each["surface"], each["name"]) for each in manifest()["relaxations"]] == relaxed
        assert manifest()["comparisons"] == COMPARISONS
        for each in manifest()["relaxations"]:
            names = [line["compare"] for line in lines() if line["surface"] == each["surface"]]
            assert sorted(set(names) - {"exact"}) == each["comparisons"]
            assert len(names) - names.count("exact") == each["cases"]


class TestIds:
    """The id of a case never changes, and no case is taken away."""

    RECORDED: ClassVar[dict[str, str]] = dict(
        line.split() for line in (corpus.folder() / "ids.txt").read_text(encoding="ascii").splitlines()
    )

    def test_every_case_that_was_ever_exported_is_still_there(self) -> None:
        gone = self.RECORDED.keys() - {line["case"] for line in lines()}
        assert not gone, f"restore the cases {sorted(gone)}: other projects name them"

    def test_every_case_names_the_version_it_came_with(self) -> None:
        new = sorted({line["case"] for line in lines()} - self.RECORDED.keys())
        assert not new, f"describe a new version in corpus/CHANGELOG.md, and add to corpus/ids.txt: {new}"
        assert set(self.RECORDED.values()) <= set(export.versions())

    def test_the_list_is_in_order(self) -> None:
        assert list(self.RECORDED) == sorted(self.RECORDED)

    def test_versions_fall(self) -> None:
        order = [export._order(version) for version in export.versions()]
        assert order == sorted(order, reverse=True)


class TestFolder:
    """A pack is written whole or not at all, and over nothing but an older pack."""

    def test_two_exports_are_the_same_to_the_byte(self, tmp_path: Path) -> None:
        assert export.export(tmp_path / "a") == export.export(tmp_path / "b") == len(pack())
        assert tree(tmp_path / "a") == tree(tmp_path / "b") == pack()

    def test_an_empty_folder_will_do(self, tmp_path: Path) -> None:
        (tmp_path / "pack").mkdir()
        export.export(tmp_path / "pack")
        assert tree(tmp_path / "pack") == pack()

    def older(self, folder: Path, version: str = "0.9") -> Path:
        export.export(folder)
        content = json.loads((folder / MANIFEST).read_bytes())
        content["version"] = version
        content["files"].append({"path": "cases/retired.jsonl", "bytes": 0, "sha256": "0" * 64})
        (folder / "cases" / "retired.jsonl").touch()
        (folder / MANIFEST).write_text(json.dumps(content), encoding="ascii")
        return folder

    def test_an_older_pack_is_replaced(self, tmp_path: Path) -> None:
        export.export(self.older(tmp_path / "pack"))
        assert tree(tmp_path / "pack") == pack()
        assert [path.name for path in tmp_path.iterdir()] == ["pack"]

    def test_a_newer_pack_is_not(self, tmp_path: Path) -> None:
        folder = self.older(tmp_path / "pack", "999.0")
        with pytest.raises(CannotRunError, match=r"it has version 999\.0, and this is "):
            export.export(folder)
        assert "cases/retired.jsonl" in tree(folder)

    def test_what_is_no_part_of_it_is_not_lost(self, tmp_path: Path) -> None:
        folder = self.older(tmp_path / "pack")
        (folder / "runner.rs").write_text("mine", encoding="ascii")
        with pytest.raises(CannotRunError, match=r"runner\.rs is no part of it"):
            export.export(folder)
        assert tree(folder)["runner.rs"] == b"mine"

    @pytest.mark.parametrize("content", [b"{}", b"[", b'{"pack": "another"}'])
    def test_a_folder_of_something_else_is_refused(self, tmp_path: Path, content: bytes) -> None:
        (tmp_path / MANIFEST).write_bytes(content)
        with pytest.raises(CannotRunError, match="it is not empty"):
            export.export(tmp_path)
        assert tree(tmp_path) == {MANIFEST: content}

    def test_a_place_that_cannot_be_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "file").touch()
        with pytest.raises(CannotRunError, match="it is no folder"):
            export.export(tmp_path / "file")
        with pytest.raises(CannotRunError, match=r"the folder .*no does not exist"):
            export.export(tmp_path / "no" / "pack")

    @pytest.mark.parametrize("method", ["write_bytes", "rename"])
    def test_a_full_disk_leaves_what_was_there(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str
    ) -> None:
        folder = self.older(tmp_path / "pack")
        before, calls, original = tree(folder), iter(range(100)), getattr(Path, method)

        def failing(path: Path, *arguments: Any) -> Any:
            if next(calls) == (1 if method == "rename" else 7):
                raise OSError(28, "No space left on device")
            return original(path, *arguments)

        monkeypatch.setattr(Path, method, failing)
        with pytest.raises(CannotRunError, match="No space left on device"):
            export.export(folder)
        assert tree(folder) == before
        assert [path.name for path in tmp_path.iterdir()] == ["pack"]

    def test_the_command(self, tmp_path: Path) -> None:
        done = parity("export", "pack", cwd=tmp_path)
        assert (done.returncode, done.stderr) == (0, "")
        assert (
            done.stdout
            == f"pack: version {export.version()} of the pack, {len(pack())} files; begin with pack/README.md\n"
        )
        assert tree(tmp_path / "pack") == pack()
        (tmp_path / "pack" / "more").touch()
        refused = parity("export", "pack", cwd=tmp_path)
        assert (refused.returncode, refused.stdout) == (2, "")
        assert len(refused.stderr.splitlines()) == 1
