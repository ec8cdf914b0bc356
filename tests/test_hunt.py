"""`parity hunt` forgets nothing, whatever ends it, and says nothing twice."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from parity import session
from parity.codec import decode
from parity.corpus import BY_SEARCH, entries, folder
from parity.errors import CannotRunError
from parity.implementation import REIMPL
from parity.memory import Memory
from parity.search import Result, Unit
from parity.session import Nobody, Plan, compare, units
from parity.surfaces import chosen
from tests.cli import ROOT, parity
from tests.hunts import FINGERPRINT, WRONG, eventually, files, hunt, invoke, members, started, told_of

FAULTS = """

_right = run


def run(surface, input):
    outcome = _right(surface, input)
    if surface == "min_reward" and type(input["min_reward"]) is int and input["min_reward"] < -1:
        return {"value": "too low"} if outcome == {"value": None} else outcome
    if surface == "multi_step" and len(input["steps"]) > 5 and "value" in outcome:
        return {"value": None}
    if surface == "metric" and input["metric"] == "max" and len(input["rewards"]) > 3 and "value" in outcome:
        return {"error": {"type": "TooManyError", "message": "more than three"}}
    return outcome
"""
SMALLEST = {
    "metric outcome TooManyError ≠ a value": {"metric": "max", "rewards": [None] * 4},
    "min_reward value str ≠ null": {"rewards": {"reward": 0}, "min_reward": -2},
    "multi_step value null ≠ record": {"strategy": None, "steps": [{"verified": True, "rewards": {}}] * 6},
}
"""The fingerprints of these faults, each with its smallest case."""


def told(how: str, stderr: str) -> list[str]:
    """Return the fingerprints that a hunt told of in this way."""
    return sorted(re.findall(rf"^{how}: (.*): .*$", stderr, re.MULTILINE))


class TestAgain:
    """What was found once is not found again: it is still there."""

    def test_below_the_working_directory(self, tmp_path: Path) -> None:
        once = hunt("300", "--seed", "1", *WRONG, "--json", "report.json", cwd=tmp_path)
        kept = {path for path in tmp_path.rglob("*") if path.is_file()}
        again = hunt("300", "--seed", "2", *WRONG, cwd=tmp_path)
        assert (once.returncode, again.returncode) == (1, 1)
        [file] = (tmp_path / ".parity").glob("reimpl-against-*/min_reward/*.json")
        name = file.relative_to(tmp_path)
        assert f"found: {FINGERPRINT}: {name}" in once.stderr.splitlines()
        assert f"still there: {FINGERPRINT}: {name}" in again.stderr.splitlines()
        assert "found:" not in again.stderr
        assert {path for path in tmp_path.rglob("*") if path.is_file()} == kept
        [surface] = json.loads((tmp_path / "report.json").read_bytes())["surfaces"]
        assert [(each["fingerprint"], each["again"]) for each in surface["divergences"]] == [(FINGERPRINT, None)]

    def test_in_the_corpus(self, tmp_path: Path) -> None:
        for room in ("reimpl", "oracle", "parity", "schemas", *(f"corpus/{name.split()[0]}" for name in SMALLEST)):
            shutil.copytree(ROOT / room, tmp_path / room, ignore=shutil.ignore_patterns("__pycache__"))
        with (tmp_path / "reimpl" / "door.py").open("a", encoding="utf-8") as door:
            door.write(FAULTS)
        before = files(tmp_path / "corpus")
        options = ("hunt", "metric", "multi_step", "min_reward", "--examples", "300", "--save")
        once = parity(*options, "--seed", "1", cwd=tmp_path, PYTHONPATH=str(tmp_path))
        after = files(tmp_path / "corpus")
        again = parity(*options, "--seed", "2", cwd=tmp_path, PYTHONPATH=str(tmp_path))
        assert (once.returncode, again.returncode) == (1, 1), once.stderr + again.stderr
        assert told("found", once.stderr) == told("still there", again.stderr) == sorted(SMALLEST)
        assert told("found", again.stderr) == []
        assert files(tmp_path / "corpus") == after
        new = [json.loads(after[name]) for name in after.keys() - before.keys()]
        assert {each["note"]: decode(each["input"]) for each in new} == {
            f"A search found: {name}.": case for name, case in SMALLEST.items()
        }
        assert all((each["oracle"]["harbor"], each["found"]) == ("0.13.1", "hunt, seed 1") for each in new)
        # They expect what harbor answers, not what was wrong.
        linted = parity("corpus", "lint", cwd=tmp_path, PYTHONPATH=str(tmp_path))
        assert linted.stdout == f"{len(after)} corpus files: 0 problems\n"


def test_what_is_recalled_is_tried_once_a_process(tmp_path: Path) -> None:
    Memory(str(tmp_path), "metric").keep([b"one"])
    assert Memory(str(tmp_path), "metric").recalled() == [b"one"]
    Memory(str(tmp_path), "metric").keep([b"other"])  # as another machine does meanwhile
    assert Memory(str(tmp_path), "metric").recalled() == [b"other"]
    assert Memory(str(tmp_path), "min_reward").recalled() == []


class TestInterrupted:
    """What was told is on disk, whatever ends the hunt."""

    def test_by_kill_9(self, tmp_path: Path) -> None:
        with started(*WRONG, cwd=tmp_path) as running:
            file = tmp_path / told_of(running)
            workers = members(running.pid).keys() - {running.pid}
            environment = b"\0".join((Path("/proc", str(each)) / "environ").read_bytes() for each in workers)
            [place] = set(re.findall(rb"HYPOTHESIS_STORAGE_DIRECTORY=([^\0]*)", environment))
            assert Path(os.fsdecode(place)).is_dir()
            running.kill()
            running.wait()
            assert eventually(lambda: not members(running.pid)), "a worker stayed behind"
            assert not Path(os.fsdecode(place)).exists()
        assert list(file.parent.iterdir()) == [file]
        shown = parity("show", str(file))
        assert shown.returncode == 0, shown.stderr  # reimpl and harbor agree: it was another that was wrong
        assert f"A search found: {FINGERPRINT}." in shown.stdout

    def test_by_ctrl_c(self, tmp_path: Path) -> None:
        with started(*WRONG, "--json", "report.json", cwd=tmp_path) as running:
            file = told_of(running)
            os.killpg(running.pid, signal.SIGINT)  # as a terminal does it
            stdout, stderr = running.communicate(timeout=120)
            assert eventually(lambda: not members(running.pid)), "a worker stayed behind"
        assert running.returncode == 1
        assert "1 divergence, each with its smallest case above" in stdout
        assert "Traceback" not in stdout + stderr
        assert (tmp_path / file).is_file()
        assert json.loads((tmp_path / "report.json").read_bytes())["stopped"] is True


class TestNoise:
    """Whoever answers now this and now that is not deterministic, and both answers are told."""

    def test_both_answers_are_told(self, tmp_path: Path) -> None:
        options = ("--against", "tests.doors:low_threshold_by_hash", "--json", "report.json")
        done = hunt("300", "--seed", "1", *options, cwd=tmp_path)
        assert done.returncode == 1, done.stderr
        assert "tests.doors:low_threshold_by_hash is not deterministic here" in done.stdout
        [surface] = json.loads((tmp_path / "report.json").read_bytes())["surfaces"]
        [found] = surface["divergences"]
        answers = {found[name]["value"] for name in ("b", "again")}
        assert len(answers) == 2
        assert all(answer.startswith("too low, by ") for answer in answers)


class TestShards:
    """The shards of a hunt are disjoint, and together they are the whole."""

    @pytest.mark.parametrize("number", [2, 3, 7])
    def test_every_unit_and_every_case_of_the_corpus_is_in_one(
        self, number: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        done: list[Unit] = []

        def search_all(work: Iterator[Unit], *_: Any, **__: Any) -> Iterator[Result]:
            done.extend(work)
            return iter(())

        monkeypatch.setattr(session, "search_all", search_all)
        kept = list(entries([folder() / "min_reward"]))
        whole = Plan(chosen(["min_reward", "metric"]), 3000, 7, 1, sides=(REIMPL, REIMPL))
        replayed = []
        for part in range(1, number + 1):
            shard = Plan(whole.surfaces, 3000, 7, 1, sides=whole.sides, shard=(part, number))
            replayed += compare(shard, kept, Nobody()).replayed.entries
        everything = list(units(whole))
        assert len(done) == len(set(done)) == len(everything)
        assert set(done) == set(everything)
        assert sorted(entry.name for entry in replayed) == sorted(entry.name for entry in kept)

    def test_what_was_found_on_a_machine_is_replayed_whatever_its_shard(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(session, "search_all", lambda *_, **__: iter(()))
        own = list(entries([folder() / "min_reward"]))[:3]
        for part in range(1, 5):
            plan = Plan(chosen(["min_reward"]), 1, 7, 1, sides=(REIMPL, REIMPL), shard=(part, 4))
            assert compare(plan, [], Nobody(), own=own).replayed.entries == own

    def test_what_a_search_put_into_the_corpus_is_replayed_by_all_and_counted_by_one(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(session, "search_all", lambda *_, **__: iter(()))
        first, *rest = entries([folder() / "min_reward"])
        found = replace(first, found=f"{BY_SEARCH}1")
        shards = [
            Plan(chosen(["min_reward"]), 1, 7, 1, sides=(REIMPL, REIMPL), shard=(part, 4)) for part in range(1, 5)
        ]
        reports = [compare(shard, [found, *rest], Nobody()) for shard in shards]
        assert all(found in report.replayed.entries for report in reports)
        assert sum(report.tallies["min_reward"].corpus for report in reports) == 1 + len(rest)

    @pytest.mark.parametrize("text", ["0/2", "3/2", "1", "a/b", "1/0", "-1/2", "1/2/3", " 1/2", "1/2 ", "", "1/"])
    def test_a_text_that_is_no_shard_is_refused(self, text: str) -> None:
        refused = invoke("hunt", "--examples", "1", "--seed", "1", f"--shard={text}")
        assert isinstance(refused.exception, CannotRunError)
        assert str(refused.exception) == f"{text!r} is no shard: write 1/4 for the first of four"

    def test_shards_without_a_common_seed_are_refused(self) -> None:
        refused = invoke("hunt", "--examples", "1", "--shard", "1/2")
        assert isinstance(refused.exception, CannotRunError)
        assert "give each the same --seed" in str(refused.exception)


class TestRefusals:
    """What cannot be meant is refused before the work begins."""

    @pytest.mark.parametrize("options", [[], ["--minutes", "1", "--examples", "1"]])
    def test_a_hunt_needs_one_length(self, options: list[str]) -> None:
        assert "give either --minutes or --examples" in str(invoke("hunt", *options).exception)

    def test_only_what_harbor_answers_is_saved(self) -> None:
        refused = invoke("hunt", "--examples", "1", "--save", *WRONG)
        assert isinstance(refused.exception, CannotRunError)
        assert str(refused.exception) == "--save keeps what harbor answers: leave out --against"

    @pytest.mark.parametrize("door", ["nobody", "tests.doors:nobody", "no.such.module:run", "tests.doors"])
    def test_a_door_that_is_not_there_is_refused(self, door: str) -> None:
        refused = invoke("hunt", "--examples", "1", "--against", door)
        assert isinstance(refused.exception, CannotRunError)
        assert repr(door) in str(refused.exception)

    @pytest.mark.parametrize(
        "place",
        [
            "http://:secret@127.0.0.1",
            "REDIS://:secret@127.0.0.1",
            " redis://:secret@127.0.0.1",
            "redis://:12/secret@127.0.0.1",
            "redis://:12#secret@127.0.0.1",
            "redis://:12?secret@127.0.0.1",
            "redis://:sec/ret@127.0.0.1",
            "redis://[secret",
            "redis://127.0.0.1:secret",
        ],
    )
    def test_an_address_that_is_none_is_refused_without_its_password(self, place: str) -> None:
        with pytest.raises(CannotRunError, match="--database is a folder, or an address") as refused:
            Memory(place, "metric")
        assert not re.search("sec|ret@", str(refused.value))
