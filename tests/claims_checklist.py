"""Section 7 of the specification document: the checklist."""

from __future__ import annotations

from tests.claims import PARSE, about, error, field, group, line, metrics, value

CLAIMS = [
    *about(
        "7",
        "reward_files",
        ("json over txt", "json-wins-over-txt", value({"reward": 1})),
        ("0 bytes: empty", "zero-bytes-is-empty", error("RewardFileEmptyError", text="empty")),
        ("json.loads verbatim", "json-is-coerced-not-verbatim", value({"correctness": 1, "speed": "0.5"}), 1),
        ("the message contains missing", "no-reward-file", error("RewardFileNotFoundError", text="missing"), 13),
        ("the message contains parse", "txt-word", error(PARSE, text="parse")),
    ),
    *about(
        "7",
        "job_stats",
        ("None", "null-rewards-do-not-count-in-n-trials", group("a__adhoc", "n_trials", is_=0)),
        ("0.0", "a-failing-reward-counts-in-n-trials", group("a__adhoc", "n_trials", is_=1)),
    ),
    *about(
        "7",
        "metric",
        ("None is 0", "no-rewards-count-as-zero", value({"mean": 1 / 3})),
        ("a missing key is 0", "missing-key-counts-as-zero", value({"a": 1.0, "b": 0.5})),
        ("named by key", "several-keys-mean-has-no-mean-key", value({"correctness": 0.5, "speed": 0.75})),
    ),
    *about(
        "7",
        "job_result",
        ("metrics is a list", "plain", metrics("a__adhoc", {"mean": 1.0})),
        ("n_completed_trials", "plain", field("stats", "n_completed_trials", is_=1)),
    ),
    *about(
        "7",
        "pass_at_k",
        ("strictly binary", "a-fraction-disables-the-group", value({})),
        ("each group by itself", "another-group-is-not-disabled", value({"b__adhoc": {2: 1.0}})),
    ),
    *about(
        "7",
        "reason_code",
        ("the matcher works: missing", "no-reward-file-is-its-own-text", value("harbor_reward_missing"), 37),
        ("the matcher works: empty", "reward-file-is-empty", value("harbor_reward_empty")),
        ("the matcher works: parse", "reward-text-not-parsed", value("harbor_reward_parse_error")),
        ("the matcher works: parse", "reward-json-not-parsed", value("harbor_reward_parse_error")),
    ),
    *about(
        "7",
        "outcome",
        ("score is the flat mean", "flat-mean-over-groups", line(score=2 / 3)),
        ("mean, else all values", "several-keys-are-several-samples", line(score=0.75)),
        ("status by the errors", "zero-score-is-completed", line(status="completed", score=0.0)),
        ("status by the errors", "errored-is-failed", line(status="failed", score=1.0)),
        ("banker's rounding", "rounds-half-of-1-is-none", line(resolved=0)),
        ("reason_code None", "plain", line(reason_code=None)),
        ("reason_code missing", "no-result-file", line(reason_code="harbor_result_missing")),
        ("reason_code malformed", "truncated-file-is-malformed", line(reason_code="harbor_result_malformed")),
    ),
]
