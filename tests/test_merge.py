"""`parity merge`: what the shards of a hunt report is, together, what the whole hunt would have reported."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from parity.corpus import entries, folder
from parity.errors import CannotRunError
from parity.implementation import REIMPL
from parity.merge import read
from parity.session import Nobody, Plan, compare
from parity.surfaces import chosen
from parity.tally import Report
from tests.hunts import FINGERPRINT, invoke, low_threshold, report, two_places, written


def counts(path: Path) -> list[tuple[str, dict[str, int]]]:
    return [(each["surface"], each["cases"]) for each in json.loads(path.read_bytes())["surfaces"]]


def refusal(*reports: Path) -> str:
    refused = invoke("merge", *reports)
    assert isinstance(refused.exception, CannotRunError)
    assert "\n" not in str(refused.exception)
    return str(refused.exception)


def test_shards_add_up_to_the_whole_hunt(tmp_path: Path) -> None:
    def hunted(shard: tuple[int, int]) -> Report:
        plan = Plan(chosen(["min_reward"]), 1000, 7, 1, sides=(REIMPL, REIMPL), shard=shard)
        return compare(plan, entries([folder() / "min_reward"]), Nobody())

    whole = written(tmp_path / "whole.json", hunted((1, 1)))
    shards = [written(tmp_path / f"{part}.json", hunted((part, 2))) for part in (1, 2)]
    done = invoke("merge", *shards, "--json", tmp_path / "merged.json")
    assert done.exit_code == 0, done.output
    assert counts(tmp_path / "merged.json") == counts(whole)
    assert all(counts(shard) != counts(whole) for shard in shards)
    partial = [json.loads(path.read_bytes())["partial"] for path in (*shards, tmp_path / "merged.json", whole)]
    assert partial == ["it is shard 1 of 2", "it is shard 2 of 2", "", ""]


class TestFindings:
    """A divergence that several shards found is one, in its plainest case, seen by all of them."""

    def test_it_is_told_once(self, tmp_path: Path) -> None:
        one = written(tmp_path / "1.json", report(low_threshold(-1000), shard=(1, 2), seen=3))
        two = written(tmp_path / "2.json", report(low_threshold(-2), shard=(2, 2), seen=4))
        forms = {form: tmp_path / f"merged.{form}" for form in ("json", "html", "markdown")}
        done = invoke("merge", one, two, *(word for form, path in forms.items() for word in (f"--{form}", path)))
        assert done.exit_code == 1, done.output
        assert "1 divergence, each with its smallest case above" in done.stdout
        [surface] = json.loads(forms["json"].read_bytes())["surfaces"]
        [found] = surface["divergences"]
        assert (found["fingerprint"], found["seen"]) == (FINGERPRINT, 7)
        assert found["input"]["min_reward"] == {"int": "-2"}
        assert "1 divergence" in forms["html"].read_text(encoding="utf-8")
        assert "1 divergence" in forms["markdown"].read_text(encoding="utf-8")

    def test_a_case_that_is_told_under_its_second_name_keeps_it(self, tmp_path: Path) -> None:
        told = report(two_places("int"), two_places("int", "bool", length=2), surface="metric")
        path = written(tmp_path / "1.json", told)
        assert len(told.findings) == 2
        assert {each.fingerprint: each.case.id for each in read(path).findings} == {
            each.fingerprint: each.case.id for each in told.findings
        }

    def test_merging_one_report_changes_nothing(self, tmp_path: Path) -> None:
        before = written(tmp_path / "before.json", report(low_threshold()))
        assert invoke("merge", before, "--json", tmp_path / "after.json").exit_code == 1
        assert (tmp_path / "after.json").read_bytes() == before.read_bytes()

    def test_a_missing_shard_makes_it_partial(self, tmp_path: Path) -> None:
        shards = [written(tmp_path / f"{part}.json", report(shard=(part, 3))) for part in (1, 3)]
        done = invoke("merge", *shards, "--json", tmp_path / "merged.json")
        assert done.exit_code == 0
        assert "this is not all: it is 2 of 3 shards" in done.stdout
        assert json.loads((tmp_path / "merged.json").read_bytes())["partial"] == "it is 2 of 3 shards"

    def test_shards_can_be_merged_one_after_the_other(self, tmp_path: Path) -> None:
        one, two, three = (written(tmp_path / f"{part}.json", report(shard=(part, 3))) for part in (1, 2, 3))
        some, whole = tmp_path / "some.json", tmp_path / "whole.json"
        invoke("merge", three, one, "--json", some)
        assert refusal(some, three) == "shard 3/3 is there twice: name each report once"
        assert "this is not all" not in invoke("merge", some, two, "--json", whole).stdout
        told = json.loads(whole.read_bytes())
        assert (told["shard"], told["shards"], told["partial"]) == ([1, 1], [1], "")

    def test_what_was_partial_stays_so(self, tmp_path: Path) -> None:
        short, whole = report(minutes=0), report(surface="metric")
        short.tallies["min_reward"].exhaustive = 1
        reports = [written(tmp_path / f"{number}.json", each) for number, each in enumerate((whole, short))]
        for order in (reports, reports[::-1]):
            assert "this is not all: the time was up" in invoke("merge", *order).stdout

    def test_a_stopped_shard_makes_it_stopped(self, tmp_path: Path) -> None:
        one = written(tmp_path / "1.json", report(shard=(1, 2), stopped=True))
        two = written(tmp_path / "2.json", report(shard=(2, 2)))
        assert invoke("merge", one, two).exit_code == 130


class TestRefusals:
    """What does not belong together is not added up."""

    def test_the_same_shard_twice(self, tmp_path: Path) -> None:
        one, copy = (written(tmp_path / name, report(shard=(1, 2))) for name in ("1.json", "copy.json"))
        assert refusal(one, copy) == "shard 1/2 is there twice: name each report once"

    def test_the_same_file_twice(self, tmp_path: Path) -> None:
        one = written(tmp_path / "1.json", report())
        assert refusal(one, one) == f"{one} is there twice: name each report once"

    @pytest.mark.parametrize("form", ["--json", "--html"])
    def test_a_report_that_would_take_the_place_of_what_is_read(self, tmp_path: Path, form: str) -> None:
        one = written(tmp_path / "1.json", report())
        before = one.read_bytes()
        refused = invoke("merge", one, form, one)
        assert str(refused.exception) == f"{one} is named twice: give each report a file of its own"
        assert one.read_bytes() == before

    def test_other_sides(self, tmp_path: Path) -> None:
        one = written(tmp_path / "1.json", report(shard=(1, 2)))
        two = written(tmp_path / "2.json", report(shard=(2, 2), other="right"))
        assert "compare different implementations" in refusal(one, two)

    @pytest.mark.parametrize("other", [{"shard": (2, 3)}, {"seed": 8}, {"surface": "metric"}])
    def test_shards_of_another_hunt(self, tmp_path: Path, other: dict[str, Any]) -> None:
        one = written(tmp_path / "1.json", report(shard=(1, 2)))
        two = written(tmp_path / "2.json", report(**{"shard": (2, 2), **other}))
        assert "differ in surfaces, seed, length or number" in refusal(one, two)

    @pytest.mark.parametrize(
        ("damage", "fault"),
        [
            (lambda text: text[: len(text) // 2], "not JSON"),
            (lambda _: "[]", "not a report of version"),
            (lambda text: text.replace('"version": 1', '"version": 99'), "not a report of version"),
            (lambda text: text.replace('"kind": "run"', '"kind": "walk"'), "not a report of version"),
            (lambda text: text.replace('"seed"', '"sead"'), "the report is damaged (KeyError: 'seed')"),
            (lambda text: text.replace('"too low"', "null"), "its outcomes do not differ"),
            (lambda text: text.replace('"corpus": 3', '"corpse": 3'), "the report is damaged (TypeError: "),
            (lambda text: text.replace('"surface": "min_reward"', '"surface": "max_reward"'), "unknown surface"),
        ],
    )
    def test_a_damaged_report(self, tmp_path: Path, damage: Callable[[str], str], fault: str) -> None:
        path = written(tmp_path / "1.json", report(low_threshold()))
        path.write_text(damage(path.read_text(encoding="utf-8")), encoding="utf-8")
        told = refusal(path)
        assert told.startswith(str(path))
        assert fault in told

    def test_a_report_that_is_not_there(self, tmp_path: Path) -> None:
        assert refusal(tmp_path / "none.json") == f"{tmp_path / 'none.json'}: No such file or directory"
