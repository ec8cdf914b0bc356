"""docs/facts.md and the corpus belong together: a fact has cases or a reason, a case has a fact or a claim."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

import pytest

from parity.codec import Json
from parity.corpus import entries, folder
from parity.surfaces import LIVE, SURFACES
from tests.cli import ROOT
from tests.test_specification import CLAIMS, corpus

# The list the project began with; its gaps are part of it.
FIRST_LIST = [
    *range(1, 5),
    9,
    *range(11, 20),
    *range(21, 31),
    *range(32, 40),
    *range(41, 47),
    *range(48, 53),
    *range(54, 59),
    *range(60, 80),
    *range(81, 110),
]

ORIGIN = r"(fact \d+|spec [\d.]+|scoring [a-z]+)"
BLOCK = "the document's block, executed on CPython 3.12.1"
BY_THE_RULES = "the facts, by the rules that the rows of reason_code.jsonl show"


@dataclass(frozen=True)
class Fact:
    number: int
    surfaces: list[str]
    words: str
    cases: list[str]
    reason: str


@cache
def facts() -> list[Fact]:
    """Read the facts, each a point with its number, its surfaces and its words, and points below it."""
    text = (ROOT / "docs" / "facts.md").read_text(encoding="utf-8")
    parts = re.split(r"^- \*\*(\d+)\*\* ", text, flags=re.MULTILINE)[1:]
    return [_fact(int(number), body) for number, body in zip(parts[::2], parts[1::2], strict=True)]


def _fact(number: int, body: str) -> Fact:
    head = body.splitlines()[0]
    surfaces, words = re.fullmatch(r"(?:\(([^)]*)\) )?(.+)", head).groups(default="")  # type: ignore[union-attr]
    cases = re.search(r"^  - Cases: (.+)$", body, re.MULTILINE)
    reason = re.search(r"^  - No case: (.+)$", body, re.MULTILINE)
    return Fact(
        number,
        re.findall(r"`([^`]+)`", surfaces),
        words,
        re.findall(r"`([^`]+)`", cases[1]) if cases else [],
        reason[1] if reason else "",
    )


@cache
def recordings() -> dict[str, tuple[str, Json]]:
    """Read what was recorded elsewhere: each row's case and outcome, by the row."""
    rows = (entry for entry in entries([folder()]) if entry.path.suffix == ".jsonl")
    return {entry.found: (entry.case.id, entry.expect) for entry in rows}


def origins(found: str, kind: str) -> list[str]:
    """Pick the numbers of one kind of origin out of a corpus file's `found`."""
    return [origin.removeprefix(f"{kind} ") for origin in found.split(", ") if origin.startswith(f"{kind} ")]


class TestFacts:
    """A fact is told in one line, and shown by cases or not, for a reason."""

    def test_numbers_count_up(self) -> None:
        numbers = [fact.number for fact in facts()]
        assert numbers == sorted(set(numbers))

    def test_the_first_list_is_complete(self) -> None:
        assert [fact.number for fact in facts() if fact.number < 200] == FIRST_LIST

    @pytest.mark.parametrize("fact", facts(), ids=lambda fact: str(fact.number))
    def test_it_has_cases_or_a_reason(self, fact: Fact) -> None:
        assert bool(fact.cases) is not bool(fact.reason)

    @pytest.mark.parametrize("fact", facts(), ids=lambda fact: str(fact.number))
    def test_its_cases_exist_on_its_surfaces(self, fact: Fact) -> None:
        assert set(fact.cases) <= corpus().keys()
        assert set(fact.surfaces) == {case.partition("/")[0] for case in fact.cases}


class TestCorpus:
    """A corpus file says where it comes from, and is told of there."""

    @pytest.mark.parametrize("name", corpus())
    def test_it_comes_from_a_fact_or_a_claim(self, name: str) -> None:
        found = corpus()[name].found
        assert re.fullmatch(rf"{ORIGIN}(, {ORIGIN})*", found)

    def test_facts_and_files_name_each_other(self) -> None:
        told = {(fact.number, case) for fact in facts() for case in fact.cases}
        found = {(int(number), name) for name, entry in corpus().items() for number in origins(entry.found, "fact")}
        assert told == found

    def test_every_file_is_named_by_a_fact_or_a_claim(self) -> None:
        named = {case for fact in facts() for case in fact.cases} | {claim.case for claim in CLAIMS}
        assert corpus().keys() == named

    @pytest.mark.parametrize("name", [name for name in corpus() if corpus()[name].case.surface not in LIVE])
    def test_without_a_live_oracle_it_says_where_its_outcome_comes_from(self, name: str) -> None:
        entry = corpus()[name]
        [(kind, source)] = entry.oracle.items()
        assert kind == "recorded"
        row = re.fullmatch(r"(\w+\.jsonl, row \d+)(, set by hand)?", source)
        if row is None:
            assert source in {BLOCK, BY_THE_RULES}
        else:
            assert recordings()[row[1]] == (entry.case.id, entry.expect)
            assert bool(row[2]) is (entry.expect.get("error", {}).get("type") == "rejected")

    def test_every_note_is_a_sentence(self) -> None:
        for entry in corpus().values():
            assert entry.note.endswith("."), entry.name
            assert "\n" not in entry.note, entry.name


class TestRecordings:
    """docs/recordings.md counts what there is."""

    @pytest.mark.parametrize("surface", [name for name in SURFACES if name not in LIVE])
    def test_rows_and_named_cases(self, surface: str) -> None:
        text = (ROOT / "docs" / "recordings.md").read_text(encoding="utf-8")
        found = list(entries([folder() / surface]))
        rows = sum(entry.path.suffix == ".jsonl" for entry in found)
        assert f"\n| `{surface}` | {rows} | {len(found) - rows} |" in text
