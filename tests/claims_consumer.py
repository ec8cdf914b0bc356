"""Section 5 of the specification document, and what others say of the consumer: its line and its reason codes."""

from __future__ import annotations

from parity.codec import Json
from reimpl import REASON_CODES
from tests.claims import about, line, value

MISSING = 'BASE_BENCHMARK_RESULT={"reason_code": "harbor_result_missing", "resolved": 0, "score": 0.0, '
PLAIN = 'BASE_BENCHMARK_RESULT={"reason_code": null, "resolved": 2, "score": 0.5, "status": "completed", "total": 4}'


def in_the_set(outcome: Json) -> bool:
    """Claim one of the valid codes."""
    return outcome["value"] in REASON_CODES


CLAIMS = [
    *about(
        "1.4",
        "reason_code",
        ("reward and missing", "reward-missing", value("harbor_reward_missing")),
        ("in lower case", "reward-missing-in-capitals", value("harbor_reward_missing")),
        ("missing is the first rule", "missing-before-parse", value("harbor_reward_missing")),
        ("reward and empty", "reward-file-is-empty", value("harbor_reward_empty")),
        ("reward and parse", "reward-text-not-parsed", value("harbor_reward_parse_error")),
        ("reward and malformed", "reward-malformed", value("harbor_reward_parse_error")),
        (
            "reward, as the third rule is printed",
            "reward-without-another-word-is-its-own-text",
            value("harbor_reward_parse_error"),
            38,
        ),
        (
            "No reward file found, as the third rule is printed",
            "no-reward-file-is-its-own-text",
            value("harbor_reward_parse_error"),
            38,
        ),
        ("row NotFound", "no-reward-file-is-its-own-text", value("harbor_reward_missing"), 37),
        ("row Empty", "reward-file-is-empty", value("harbor_reward_empty")),
        ("row Parse, text", "reward-text-not-parsed", value("harbor_reward_parse_error")),
        ("row Parse, JSON", "reward-json-not-parsed", value("harbor_reward_parse_error")),
        ("valid", "valid-harbor-reward-empty", value("harbor_reward_empty")),
        ("valid", "valid-harbor-reward-missing", value("harbor_reward_missing")),
        ("valid", "valid-harbor-reward-parse-error", value("harbor_reward_parse_error")),
        ("valid", "valid-harbor-result-missing", value("harbor_result_missing")),
        ("valid", "valid-harbor-result-malformed", value("harbor_result_malformed")),
        ("codes from this set", "no-reward-file-is-its-own-text", in_the_set, 39),
    ),
    *about(
        "3.3",
        "outcome",
        ("only three counts and the metrics are read", "other-counts-are-ignored", line(status="completed", total=2)),
    ),
    *about(
        "4.4",
        "outcome",
        ("the score does not read pass_at_k", "pass-at-k-is-not-read", line(score=0.5)),
    ),
    *about(
        "5",
        "outcome",
        ("the line, keys sorted", "plain", value(PLAIN)),
        ("no file", "no-result-file", value(MISSING + '"status": "failed", "total": 0}')),
        ("flat over groups and entries", "flat-mean-over-groups", line(score=2 / 3)),
        ("mean, if there is one", "mean-key-hides-the-others", line(score=1.0)),
        ("else every value", "several-keys-are-several-samples", line(score=0.75)),
        ("else every value: max and min", "max-and-min-are-samples", line(score=0.625)),
        ("else every value: sum", "sum-as-score", line(score=3.0)),
        ("no values: 0.0", "empty-metrics-score-zero", line(score=0.0)),
        ("not driven by the score", "zero-score-is-completed", line(status="completed", score=0.0)),
        ("failed by errors", "errored-is-failed", line(status="failed", score=1.0)),
        ("completed if and only if 0", "errored-below-zero-is-failed", line(status="failed")),
        ("round(score * total)", "plain", line(resolved=2)),
        ("round(0.5) = 0", "rounds-half-of-1-is-none", line(resolved=0)),
        ("round(1.5) = 2", "rounds-half-of-3-is-2", line(resolved=2)),
        ("round(2.5) = 2", "rounds-half-of-5-is-2", line(resolved=2)),
        ("total is n_total_trials", "plain", line(total=4)),
        ("else completed + errored", "no-total-resolves-none", line(total=3)),
        ("resolved is by n_total_trials", "no-total-resolves-none", line(score=0.5, resolved=0)),
        ("0 is not truthy", "total-zero-falls-back", line(total=3)),
        ("None on a clean parse", "plain", line(reason_code=None)),
        ("any exception", "zero-bytes-are-malformed", line(reason_code="harbor_result_malformed")),
        ("any exception", "truncated-file-is-malformed", line(reason_code="harbor_result_malformed", total=0)),
    ),
    *about(
        "5",
        "reason_code",
        ("any reason string is canonicalised", "code-inside-a-text-is-not-found", in_the_set, 39),
    ),
]
