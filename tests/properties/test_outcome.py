"""The outcome line and the reason codes obey laws that need no second implementation."""

from __future__ import annotations

import json
import math
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from reimpl.outcome import Outcome, outcome, outcome_line
from reimpl.reason_code import REASON_CODES, normalize_reason_code, normalize_reason_code_as_printed

# Half of a job's faults would make nearly every outcome malformed, so that most values are what harbor writes.
SCORES = st.floats(-1e9, 1e9) | st.integers(-5, 5) | st.sampled_from([0.1, 0.5, -0.0, 5e-324, "0.5", True])
HOSTILE = st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec="utf-8"), max_size=5)
METRICS = st.dictionaries(st.sampled_from(["mean", "max", "style", "speed"]), SCORES | HOSTILE, max_size=3)
PLAIN_METRICS = st.dictionaries(st.sampled_from(["mean", "max", "style", "speed"]), SCORES, max_size=3)
COUNTS = st.integers(-2, 300)


def jobs(metrics: st.SearchStrategy[Any], counts: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    groups = st.fixed_dictionaries({"metrics": st.lists(metrics, max_size=3)})
    stats = st.fixed_dictionaries(
        {"evals": st.dictionaries(st.text("ab_", max_size=3), groups, max_size=4)},
        optional={"n_completed_trials": counts, "n_errored_trials": counts},
    )
    return st.fixed_dictionaries({"stats": stats}, optional={"n_total_trials": counts})


PLAIN = jobs(PLAIN_METRICS, COUNTS)
RESULTS = PLAIN | jobs(METRICS, COUNTS | HOSTILE) | HOSTILE
CONTENTS = st.none() | st.binary(max_size=20) | RESULTS.map(lambda result: json.dumps(result).encode())

NAMES = [
    "AgentTimeoutError",
    "agent-timeout-error",
    "CanceledError",
    "verifier timeout error",
    "submission_code_failure",
]
WORDS = ["reward", "Reward", "missing", "EMPTY", "parse", "malformed", "found", "/x/reward.txt", " ", "-", "_", "\t"]
TEXTS = st.text() | st.lists(st.sampled_from([*NAMES, *WORDS, *sorted(REASON_CODES)]), max_size=6).map("".join)


class TestLine:
    """The line says all there is to the outcome."""

    @given(CONTENTS)
    def test_it_parses_back_to_the_outcome(self, content: bytes | None) -> None:
        prefix, text = outcome_line(content).split("=", 1)
        fields = json.loads(text)
        assert prefix == "BASE_BENCHMARK_RESULT"
        assert list(fields) == sorted(fields)
        # Their texts are compared because 0.0 equals -0.0.
        assert repr(Outcome(**fields)) == repr(outcome(content))

    @given(CONTENTS)
    def test_it_is_one_line_of_ascii(self, content: bytes | None) -> None:
        line = outcome_line(content)
        assert line.isascii()
        assert len(line.splitlines()) == 1


class TestOutcome:
    """What cannot be read has one outcome, and what can has a finite score."""

    @given(CONTENTS)
    def test_a_reason_code_means_that_nothing_was_read(self, content: bytes | None) -> None:
        result = outcome(content)
        assert math.isfinite(result.score)
        if result.reason_code is not None:
            assert result.reason_code in REASON_CODES
            assert repr(result)[: repr(result).index("reason_code")] == (
                "Outcome(status='failed', score=0.0, resolved=0, total=0, "
            )

    @given(PLAIN)
    def test_resolved_is_never_further_than_a_half_from_the_product(self, result: dict[str, Any]) -> None:
        found = outcome(json.dumps(result).encode())
        assert found.reason_code is None
        product = found.score * result.get("n_total_trials", 0)
        assert abs(found.resolved - product) <= 0.5
        if abs(found.resolved - product) == 0.5:
            assert found.resolved % 2 == 0

    @given(PLAIN, COUNTS)
    def test_the_score_does_not_decide_the_status(self, result: dict[str, Any], errored: int) -> None:
        result["stats"]["n_errored_trials"] = errored
        found = outcome(json.dumps(result).encode())
        assert found.status == ("failed" if errored else "completed")

    @given(st.lists(PLAIN_METRICS, max_size=6), st.integers(0, 6))
    def test_how_metrics_are_grouped_does_not_matter(self, metrics: list[Any], cut: int) -> None:
        one = {"stats": {"evals": {"a": {"metrics": metrics}}}}
        two = {"stats": {"evals": {"a": {"metrics": metrics[:cut]}, "b": {"metrics": metrics[cut:]}}}}
        assert outcome_line(json.dumps(one).encode()) == outcome_line(json.dumps(two).encode())


class TestReasonCodes:
    """A code stands for itself."""

    @given(st.sampled_from(sorted(REASON_CODES)))
    def test_valid_codes_stay_as_they_are(self, code: str) -> None:
        for spelling in (code, code.upper(), f" {code.replace('_', '-')}\n", code.replace("_", " ")):
            assert normalize_reason_code(spelling) == code
            assert normalize_reason_code_as_printed(spelling) == code

    @given(TEXTS)
    def test_the_code_of_a_code_is_itself(self, text: str) -> None:
        code = normalize_reason_code(text)
        assert normalize_reason_code(code) == code

    @given(TEXTS)
    def test_the_two_differ_only_where_a_reward_is_called_a_parse_error(self, text: str) -> None:
        recorded, printed = normalize_reason_code(text), normalize_reason_code_as_printed(text)
        if recorded != printed:
            assert printed == "harbor_reward_parse_error"
            assert "reward" in str(recorded)
            assert recorded not in REASON_CODES
