"""Section 4 of the specification document: pass@k and tasks of several steps."""

from __future__ import annotations

from tests.claims import about, at_k, job_group, k_values, rewards, value

CLAIMS = [
    *about(
        "4.1",
        "pass_at_k",
        ("None is a failure", "null-rewards-are-failures", value({"a__adhoc": {2: 0.0}})),
        ("only with one binary key", "null-rewards-beside-a-success", value({}), 7),
        ("two keys disable", "two-keys-disable-the-group", value({})),
        ("other types disable", "bool-and-string-rewards-are-numbers", value({}), 27),
        ("a fraction disables", "a-fraction-disables-the-group", value({})),
        ("success = int(value)", "floats-count-as-binary", at_k(2, 1.0 - (2 / 3) * (1 / 2))),
        ("its own group alone", "another-group-is-not-disabled", value({"b__adhoc": {2: 1.0}})),
    ),
    *about(
        "4.2",
        "pass_at_k",
        ("row 1", "eligible-k-of-1-trials", k_values()),
        ("row 2", "eligible-k-of-2-trials", k_values(2)),
        ("row 3", "eligible-k-of-3-trials", k_values(2)),
        ("row 4", "eligible-k-of-4-trials", k_values(2, 4)),
        ("row 5", "n5-c0", k_values(2, 4, 5)),
        ("row 8", "eligible-k-of-8-trials", k_values(2, 4, 5, 8)),
        ("row 10", "n10-c3", k_values(2, 4, 5, 8, 10)),
        ("row 16", "eligible-k-of-16-trials", k_values(2, 4, 5, 8, 10, 15, 16)),
        ("row 20", "eligible-k-of-20-trials", k_values(2, 4, 5, 8, 10, 15, 16, 20)),
    ),
    *about(
        "4.3",
        "pass_at_k",
        ("(5, 0, 2) = 0.0", "n5-c0", at_k(2, 0.0)),
        ("(5, 1, 2) = 0.4", "n5-c1-is-not-0.4", at_k(2, 0.4), 8),
        ("(5, 5, 2) = 1.0", "n5-c5", at_k(2, 1.0)),
        ("(10, 3, 5) = 0.9166...", "n10-c3", at_k(5, 0.9166666666666667)),
        ("(4, 2, 2) = 0.8333...", "n4-c2", at_k(2, 0.8333333333333334)),
        ("(2, 1, 2) = 1.0", "n2-c1", at_k(2, 1.0)),
        ("mean over tasks", "mean-over-tasks-is-compensated", at_k(2, 0.8333333333333334)),
    ),
    *about(
        "4.4",
        "pass_at_k",
        ("one attempt: no k", "eligible-k-of-1-trials", value({})),
        ("only with -k 2 or more", "same-task-name-twice", value({}), 9),
    ),
    *about(
        "4.4",
        "job_result",
        ("one attempt: {}", "one-attempt-has-no-pass-at-k", job_group("a__adhoc", "pass_at_k", is_={})),
        (
            "only with -k 2 or more",
            "same-task-name-with-one-attempt-has-pass-at-k",
            job_group("a__adhoc", "pass_at_k", is_={}),
            9,
        ),
    ),
    *about(
        "4.5",
        "multi_step",
        ("FINAL is the last step", "final-is-the-last-step", rewards(b=0.5, a=0)),
        ("FINAL is verbatim", "final-keeps-types", rewards(reward=1)),
        ("MEAN when unset", "unset-strategy-is-mean", rewards(reward=0.5)),
        ("a missing key is 0", "mean-for-each-key", rewards(a=0.5, b=1.5)),
        ("no result: left out", "mean-leaves-out-steps-without-a-result", rewards(reward=1.0)),
        ("a result counts", "mean-counts-null-rewards-as-zero", rewards(reward=2 / 3)),
    ),
]
