"""Every claim of the documents that a surface can show, held against reimpl and against harbor or the recordings.

The specification document's headings are lost, so its sections go by the numbers it uses itself: 1.1 precedence, 1.2
reward.txt, 1.3 reward.json, 1.4 exceptions, 2 verifier result, 3.1 choice of metrics, 3.2 aggregation, 3.3 final
assembly, 4.1 which trials, 4.2 which k, 4.3 estimator, 4.4 attempts, 4.5 multi-step, 5 consumer, 6 precision, 7
checklist. Those of the scoring document go by a word. The claims stand in `tests/claims_*.py`.
"""

from __future__ import annotations

import json
from functools import cache

import pytest

from parity.codec import Json
from parity.corpus import Entry, entries, folder
from parity.judge import diverging
from parity.surfaces import LIVE
from tests import (
    claims_checklist,
    claims_consumer,
    claims_metrics,
    claims_pass_at_k,
    claims_precision,
    claims_reward_files,
    claims_scoring,
)
from tests.claims import Claim
from tests.cli import parity

CLAIMS: list[Claim] = [
    *claims_reward_files.CLAIMS,
    *claims_metrics.CLAIMS,
    *claims_pass_at_k.CLAIMS,
    *claims_consumer.CLAIMS,
    *claims_precision.CLAIMS,
    *claims_checklist.CLAIMS,
    *claims_scoring.CLAIMS,
]
OF_LIVE_SURFACES = [claim for claim in CLAIMS if claim.surface in LIVE]


@cache
def corpus() -> dict[str, Entry]:
    """Read the cases once that somebody named; those that a search saved wait for their rule."""
    return {entry.name: entry for entry in entries([folder()]) if not entry.is_row and not entry.is_by_search}


@cache
def answers(implementation: str) -> dict[str, Json]:
    """Let an implementation answer the case of every claim that it can, in a process of its own."""
    claims = OF_LIVE_SURFACES if implementation == "oracle" else CLAIMS
    names = sorted({claim.case for claim in claims})
    requests = [{"cmd": "run", "seq": name, **corpus()[name].case.to_json()} for name in names]
    answered = parity("serve", implementation, stdin="".join(json.dumps(request) + "\n" for request in requests))
    assert answered.returncode == 0, answered.stderr
    given = [json.loads(line) for line in answered.stdout.splitlines()]
    return {answer.pop("seq"): answer for answer in given}


class TestClaims:
    """A claim of a document holds, or there is an erratum about it."""

    @pytest.mark.parametrize("claim", CLAIMS, ids=str)
    def test_of_what_was_recorded(self, claim: Claim) -> None:
        assert claim.says(corpus()[claim.case].expect) is (claim.erratum is None)

    @pytest.mark.parametrize("claim", CLAIMS, ids=str)
    def test_of_reimpl(self, claim: Claim) -> None:
        self.check(claim, "reimpl")

    @pytest.mark.parametrize("claim", OF_LIVE_SURFACES, ids=str)
    def test_of_harbor(self, claim: Claim) -> None:
        self.check(claim, "oracle")

    @staticmethod
    def check(claim: Claim, implementation: str) -> None:
        """Hold the claim against a live outcome, which must be the recorded one: else any fault would be an erratum."""
        entry, outcome = corpus()[claim.case], answers(implementation)[claim.case]
        assert diverging(entry.case, outcome, entry.expect) is None
        assert claim.says(outcome) is (claim.erratum is None)


class TestCoverage:
    """The table and the corpus agree on which case belongs to which section."""

    def test_every_section_that_a_surface_can_show_has_claims(self) -> None:
        shown = ["1.1", "1.2", "1.3", "1.4", "2", "3.1", "3.2", "3.3", "4.1", "4.2", "4.3", "4.4", "4.5", "5", "6", "7"]
        scoring = [f"scoring {section}" for section in ("contract", "gates", "result", "rollup")]
        assert sorted({claim.section for claim in CLAIMS}) == shown + scoring

    def test_a_case_says_which_sections_it_was_made_for(self) -> None:
        claimed = {(claim.origin, claim.case) for claim in CLAIMS}
        recorded = {
            (origin, name)
            for name, entry in corpus().items()
            for origin in entry.found.split(", ")
            if not origin.startswith("fact ")
        }
        assert claimed == recorded
