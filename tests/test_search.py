"""A unit tells of every fingerprint that its cases show, each in a case as small as it gets."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from parity import search
from parity.case import Case
from parity.codec import Record, encode
from parity.judge import Finding, diverging, news
from parity.search import GRACE, Unit, visit
from tests.hunts import two_places

INT, BOOL = two_places("int").fingerprint, two_places("bool").fingerprint
TIERS = (Unit("metric", "generated", 0, examples=200, seed=1), Unit("metric", "exhaustive", 0, parts=100))


def differing(input: Mapping[str, Any], *kinds: str) -> Finding | None:
    """Return the case of an input, with divergences of these kinds."""
    if not kinds:
        return None
    finding = two_places(*kinds)
    return diverging(Case("metric", encode(input)), finding.a, finding.b)


def some_alone(input: Mapping[str, Any]) -> Finding | None:
    """Differ in one way by the metric, and in another by the number of rewards."""
    kinds = (("int", input["metric"] == "max"), ("bool", len(input["rewards"]) > 1))
    return differing(input, *(kind for kind, shows in kinds if shows))


def always_both(input: Mapping[str, Any]) -> Finding | None:
    """Differ in two ways at once, or in none."""
    return differing(input, *(("int", "bool") if len(input["rewards"]) > 1 else ()))


def told(unit: Unit, shows: Any, known: Mapping[str, Finding] = {}) -> dict[str, Finding]:
    """Return what a unit tells of that is new."""
    found: dict[str, Finding] = {}

    def check(inputs: Sequence[Mapping[str, Any]]) -> list[Finding | None]:
        return [shows(input) for input in inputs]

    def shrunk(finding: Finding) -> None:
        assert finding.fingerprint not in found
        found[finding.fingerprint] = finding

    visit(replace(unit, known=known), check, shrunk)
    return {name: finding for name, finding in found.items() if name not in known}


@pytest.mark.parametrize("unit", TIERS, ids=lambda unit: str(unit.tier))
class TestTold:
    """What is new is told, for itself if it comes alone."""

    def test_each_in_a_case_that_shows_nothing_else(self, unit: Unit) -> None:
        found = told(unit, some_alone)
        assert {name: finding.fingerprints for name, finding in found.items()} == {INT: (INT,), BOOL: (BOOL,)}
        assert found[INT].case.input == {"metric": "max", "rewards": []}
        assert len(found[BOOL].case.input["rewards"]) == 2

    def test_two_that_always_come_together_once(self, unit: Unit) -> None:
        [finding] = told(unit, always_both).values()
        assert set(finding.fingerprints) == {INT, BOOL}

    def test_what_is_known_in_company_does_not_hide_what_comes_alone(self, unit: Unit) -> None:
        found = told(unit, some_alone, {INT: two_places("int", "bool")})
        assert {name: finding.fingerprints for name, finding in found.items()} == {BOOL: (BOOL,)}

    def test_what_is_known_is_told_again_where_every_small_input_has_a_plainer_case(self, unit: Unit) -> None:
        before = differing({"metric": "max", "rewards": [{"reward": 0.5}, {"reward": 0.25}]}, "int", "bool")
        assert before
        again: list[Finding] = []
        known = replace(unit, known={before.fingerprint: before})
        visit(known, lambda inputs: [always_both(input) for input in inputs], again.append)
        assert [len(finding.case.input["rewards"]) for finding in again] == [2] * (unit.tier == "exhaustive")
        assert all(finding.size < before.size for finding in again)

    def test_what_always_comes_with_something_known_is_known(self, unit: Unit) -> None:
        assert told(unit, always_both, {INT: two_places("int", "bool")}) == {}


class TestKept:
    """A case that somebody wrote is made as small as any other, unless it then shows nothing that is new."""

    def made_small(self, shows: Any, **options: Any) -> list[tuple[str, int]]:
        large = shows(Record(metric="max", rewards=[{"reward": 0.5}] * 4))
        unit = Unit("metric", "kept", 0, kept=(large.about(BOOL),), **options)
        found: list[Finding] = []
        visit(unit, lambda inputs: [shows(input) for input in inputs], found.append)
        return [(finding.fingerprint, len(finding.case.input["rewards"])) for finding in found]

    def test_it_is_made_small(self) -> None:
        assert self.made_small(some_alone) == [(BOOL, 2)]

    def test_what_is_told_elsewhere_does_not_take_its_place(self) -> None:
        assert self.made_small(always_both, known={INT: two_places("int", "bool")}) == [(BOOL, 4)]

    def test_when_the_time_is_long_up_it_is_told_as_it_is(self) -> None:
        assert self.made_small(some_alone, deadline=time.monotonic() - GRACE) == [(BOOL, 4)]


def test_a_slice_is_judged_to_its_end_though_the_time_is_up() -> None:
    unit = replace(TIERS[1], deadline=time.monotonic() - GRACE)
    assert told(unit, some_alone).keys() == {INT, BOOL}


@pytest.mark.parametrize("unit", TIERS, ids=lambda unit: str(unit.tier))
def test_of_names_without_end_some_are_told(unit: Unit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MOST", 1)

    def named(input: Mapping[str, Any]) -> Finding | None:
        case = Case("metric", encode(input))
        return diverging(case, {"error": {"type": f"Error{case.id}", "message": ""}}, {"value": None})

    assert len(told(unit, named)) == 1


@pytest.mark.parametrize(
    ("shown", "before", "new"),
    [
        ("ab", [], "ab"),
        ("ab", ["a"], "b"),
        ("ab", ["ab"], ""),
        ("b", ["ab"], "b"),
        ("bc", ["abc"], "bc"),
        ("abc", ["ab", "b"], "c"),
    ],
)
def test_news_are_neither_told_nor_in_the_company_of_what_is(shown: str, before: list[str], new: str) -> None:
    kinds = {"a": "int", "b": "bool", "c": "str"}
    named = {letter: two_places(kind).fingerprint for letter, kind in kinds.items()}
    told = {named[letters[0]]: two_places(*(kinds[each] for each in letters)) for letters in before}
    assert news([named[each] for each in shown], told) == [named[each] for each in new]
