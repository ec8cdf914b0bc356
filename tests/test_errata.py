"""docs/errata.md names, for each place where a document is off, the cases that show it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

import pytest

from parity.corpus import entries, folder
from parity.surfaces import LIVE
from reimpl import (
    REASON_CODES,
    RewardFileNotFoundError,
    normalize_reason_code,
    normalize_reason_code_as_printed,
)
from tests.cli import ROOT
from tests.test_specification import CLAIMS, corpus


@dataclass(frozen=True)
class Erratum:
    number: int
    title: str
    group: str
    sections: list[str]
    document: str
    authority: str
    truth: str
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
    assert names[:2] + names[3:] == ("Section", "The document", "Cases"), heading
    section, document, truth, cases = bodies
    named = re.findall(r"`([^`]+)`", cases)
    return Erratum(int(number), title, group, section.split(", "), document, names[2], truth, named)


WRONG = [erratum for erratum in errata() if "wrong" in erratum.group]


class TestErrata:
    """An erratum is numbered, and shown by cases of the corpus."""

    def test_numbers_count_up_from_one(self) -> None:
        assert [erratum.number for erratum in errata()] == list(range(1, len(errata()) + 1))

    def test_every_group_is_there(self) -> None:
        groups = [
            "Where the document is wrong",
            "Where the document is silent, and silence misleads",
            "Where the document is wrong about its consumer",
            "Where the document is silent about its consumer",
            "Where the scoring document is wrong",
            "Where the scoring document is silent",
        ]
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
        assert erratum.truth.endswith(".")

    @pytest.mark.parametrize("erratum", errata(), ids=lambda erratum: f"{erratum.number} {erratum.title}")
    def test_the_wheel_is_named_only_where_it_was_asked(self, erratum: Erratum) -> None:
        live = any(case.partition("/")[0] in LIVE for case in erratum.cases)
        assert erratum.authority == ("The wheel" if live else "The recordings")


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


class TestReasonCodes:
    """What the errata count in the recordings, and the three answers that they tell apart."""

    ROWS: ClassVar = [
        (entry.case.native()["text"], entry.expect["value"])
        for entry in entries([folder() / "reason_code" / "vectors.jsonl"])
    ]

    @staticmethod
    def truth(number: int) -> str:
        return errata()[number - 1].truth

    def test_rows_outside_the_set(self) -> None:
        codes = [code for _, code in self.ROWS if code not in REASON_CODES]
        outside = len(codes) - codes.count(None)
        assert f"{outside} of the {len(self.ROWS)} rows" in self.truth(39)
        assert f"{codes.count(None)} more have no code" in self.truth(39)

    def test_rows_against_the_printed_rule(self) -> None:
        against = [(text, code) for text, code in self.ROWS if normalize_reason_code_as_printed(text) != code]
        assert f"{len(against)} of the {len(self.ROWS)} rows" in self.truth(38)
        assert all("reward" in text.lower() and code not in REASON_CODES for text, code in against)

    def test_rows_in_which_a_name_decided_before_the_printed_rule(self) -> None:
        before = [
            text
            for text, code in self.ROWS
            if text and "reward" in text.lower() and "missing" not in text.lower() and "empty" not in text.lower()
            if code != "harbor_reward_parse_error" and code in REASON_CODES
        ]
        assert f"In {len(before)} more rows" in self.truth(38)

    def test_three_answers_for_a_missing_reward_file(self) -> None:
        entry = corpus()["reason_code/no-reward-file-is-its-own-text"]
        text = entry.case.native()["text"]
        assert normalize_reason_code(text) == entry.expect["value"]
        assert normalize_reason_code_as_printed(text) == "harbor_reward_parse_error"
        assert RewardFileNotFoundError.reason_code == "harbor_reward_missing"
