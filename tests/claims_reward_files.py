"""Sections 1 and 2 of the specification document: reward files and the verifier's result."""

from __future__ import annotations

from tests.claims import INF, NAN, PARSE, THE_THREE, a_value, about, error, field, group, value

CLAIMS = [
    *about(
        "1.1",
        "reward_files",
        ("reward.json wins over reward.txt", "json-wins-over-txt", value({"reward": 1})),
        ("both present: txt ignored", "json-wins-with-another-key", value({"a": 1})),
        ("reward.txt otherwise", "txt-when-there-is-no-json", value({"reward": 0.25})),
        ("else RewardFileNotFoundError", "no-reward-file", error("RewardFileNotFoundError")),
    ),
    *about(
        "1.2",
        "reward_files",
        ("row 1", "txt-one", value({"reward": 1.0})),
        ("row 0", "txt-zero", value({"reward": 0.0})),
        ("row 1.0", "txt-one-point-zero", value({"reward": 1.0})),
        ("row 1 and a newline", "txt-newline-after-the-number", value({"reward": 1.0})),
        ("row 1, space and newline", "txt-space-and-newline-after-the-number", value({"reward": 1.0})),
        ("row 0.5", "txt-half", value({"reward": 0.5})),
        ("row 1e0", "txt-exponent", value({"reward": 1.0})),
        ("row -1", "txt-negative", value({"reward": -1.0})),
        ("row nan", "txt-nan", value({"reward": NAN})),
        ("row inf", "txt-inf", value({"reward": INF})),
        ("row of 0 bytes", "zero-bytes-is-empty", error("RewardFileEmptyError")),
        ("row of white space", "whitespace-only-is-not-empty", error(PARSE)),
        ("emptiness is the byte size", "newline-only-is-not-empty", error(PARSE)),
        ("row pass", "txt-word", error(PARSE)),
        ("row True", "txt-true", error(PARSE)),
        ("row 1,0", "txt-decimal-comma", error(PARSE)),
        ("a ValueError is a parse error", "txt-invalid-utf8", error(PARSE)),
    ),
    *about(
        "1.3",
        "reward_files",
        ("numbers: that exact dict", "json-numbers-pass-unchanged", value({"correctness": 1, "speed": 0.5})),
        ("the parsed object verbatim", "json-is-coerced-not-verbatim", value({"correctness": 1, "speed": "0.5"}), 1),
        ("bools verbatim", "json-true-becomes-one-point-zero", value({"reward": True}), 1),
        ("no validation here", "json-word-is-a-validation-error", a_value(), 2),
        ("0 bytes is empty", "json-zero-bytes-is-empty", error("RewardFileEmptyError")),
        ("the size decides", "json-whitespace-only-is-not-empty", error(PARSE)),
        ("bad JSON", "json-trailing-comma", error(PARSE)),
        ("json.loads", "json-white-space-around", value({"reward": 1})),
        ("JSONDecodeError is what is caught", "json-invalid-utf8", error("UnicodeDecodeError"), 4),
        ("JSONDecodeError is what is caught", "json-4301-digits-is-a-parse-error", error("ValueError"), 4),
    ),
    *about(
        "1.4",
        "reward_files",
        ("row NotFound", "no-reward-file", error("RewardFileNotFoundError", text="No reward file")),
        ("row Empty", "zero-bytes-is-empty", error("RewardFileEmptyError", text="Reward file is e")),
        ("row Parse, text", "whitespace-only-is-not-empty", error(PARSE, text="parse")),
        ("row Parse, JSON", "json-trailing-comma", error(PARSE, text="parse")),
        ("three classes", "json-null-value-is-a-validation-error", THE_THREE, 3),
        ("three classes", "json-arrays-nested-20000-deep", THE_THREE, 3),
        ("three classes", "json-directory", THE_THREE, 3),
    ),
    *about(
        "2",
        "reward_files",
        ("None: the trial errored", "json-top-level-null-is-no-rewards", lambda outcome: "error" in outcome, 5),
    ),
    *about(
        "2",
        "job_stats",
        ("None: the trial errored", "null-rewards-do-not-count-in-n-trials", field("n_errored_trials", is_=1), 5),
        ("None is not 0.0", "null-rewards-do-not-count-in-n-trials", group("a__adhoc", "reward_stats", is_={})),
        (
            "0.0 is a real reward",
            "a-failing-reward-counts-in-n-trials",
            group("a__adhoc", "reward_stats", "reward", is_={"0.0": ["t__1"]}),
        ),
    ),
]
