"""docs/errata.md names, for each place where the specification document is off, the cases that show it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

import pytest

from tests.cli import ROOT
from tests.test_specification import CLAIMS, corpus


@dataclass(frozen=True)
class Erratum:
    number: int
    title: str
    group: str
    sections: list[str]
    document: str
    wheel: str
    cases: list[str]


@cache
def errata() -> list[Erratum]:
    """Read the errata, each a heading and four points."""
    found = []
    for chapter in (ROOT / "docs" / "errata.md").read_text(encoding="utf-8").split("\n## ")[1:]:
        group, *parts = chapter.split("\n### ")
        found += [_erratum(group.partition("\n")[0], part) for part in parts]
    return found


def _erratum(group: str, part: str) -> Erratum:
    heading, *points = [line for line in part.splitlines() if line]
    number, _, title = heading.partition(". ")
    names, bodies = zip(*(point.removeprefix("- ").split(": ", 1) for point in points), strict=True)
    assert names == ("Section", "The document", "The wheel", "Cases"), heading
    section, document, wheel, cases = bodies
    return Erratum(int(number), title, group, section.split(", "), document, wheel, re.findall(r"`([^`]+)`", cases))


WRONG = [erratum for erratum in errata() if "wrong" in erratum.group]


class TestErrata:
    """An erratum is numbered, and shown by cases of the corpus."""

    def test_numbers_count_up_from_one(self) -> None:
        assert [erratum.number for erratum in errata()] == list(range(1, len(errata()) + 1))

    def test_both_groups_are_there(self) -> None:
        groups = ["Where the document is wrong", "Where the document is silent, and silence misleads"]
        assert list(dict.fromkeys(erratum.group for erratum in errata())) == groups

    @pytest.mark.parametrize("erratum", errata(), ids=lambda erratum: f"{erratum.number} {erratum.title}")
    def test_its_cases_exist(self, erratum: Erratum) -> None:
        assert erratum.cases
        assert set(erratum.cases) <= corpus().keys()

    @pytest.mark.parametrize("erratum", errata(), ids=lambda erratum: f"{erratum.number} {erratum.title}")
    def test_it_tells_both_sides(self, erratum: Erratum) -> None:
        silent = erratum.document.startswith("silent about ")
        assert silent is (erratum not in WRONG)
        assert silent or '"' in erratum.document, "quote the document"
        assert erratum.wheel.endswith(".")


class TestContradiction:
    """What the document claims is untrue of the outcome that the case records."""

    @pytest.mark.parametrize("erratum", WRONG, ids=lambda erratum: f"{erratum.number} {erratum.title}")
    def test_a_recorded_outcome_contradicts_the_document(self, erratum: Erratum) -> None:
        claims = [claim for claim in CLAIMS if claim.erratum == erratum.number]
        assert claims
        for claim in claims:
            assert not claim.says(corpus()[claim.case].expect), claim

    def test_a_claim_that_fails_stands_in_its_erratum(self) -> None:
        by_number = {erratum.number: erratum for erratum in errata()}
        for claim in CLAIMS:
            if claim.erratum is not None:
                assert claim.case in by_number[claim.erratum].cases, claim
                assert claim.section in by_number[claim.erratum].sections, claim
