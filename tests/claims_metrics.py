"""Section 3 of the specification document: metrics and the final assembly."""

from __future__ import annotations

from tests.claims import about, error, field, group, job_group, metrics, value

CLAIMS = [
    *about(
        "3.1",
        "job_result",
        ("adhoc", "plain", metrics("a__adhoc", {"mean": 1.0})),
    ),
    *about(
        "3.2",
        "metric",
        ("one key", "single-key-is-named-by-the-metric", value({"mean": 2 / 3})),
        ("one trial", "mean-of-one-trial", value({"mean": 1.0})),
        ("row Mean", "single-key-other-than-reward", value({"mean": 0.5})),
        ("row Max", "single-key-max", value({"max": 1})),
        ("row Min", "single-key-min", value({"min": 0})),
        ("row Sum", "single-key-sum", value({"sum": 1.5})),
        ("several keys", "several-keys-mean-has-no-mean-key", value({"correctness": 0.5, "speed": 0.75})),
        ("several keys, Max", "several-keys-max", value({"correctness": 1, "speed": 1.0})),
        ("several keys, Min", "several-keys-min", value({"correctness": 0, "speed": 0.5})),
        ("several keys, Sum", "several-keys-sum", value({"correctness": 1, "speed": 1.5})),
        ("None is 0", "no-rewards-count-as-zero", value({"mean": 1 / 3})),
        ("None is 0, each key", "no-rewards-count-as-zero-for-each-key", value({"a": 0.5, "b": 1.0})),
        ("a missing key is 0", "missing-key-counts-as-zero", value({"a": 1.0, "b": 0.5})),
        ("{} is 0", "empty-rewards-count-as-zero", value({"mean": 0.5})),
        ("no trials", "mean-of-no-trials", error("ZeroDivisionError")),
    ),
    *about(
        "3.3",
        "job_stats",
        ("agent__model__dataset", "group-key-with-model", group("agent__model__set", "n_trials", is_=1)),
        ("agent__dataset", "group-key-without-model", group("agent__set", "n_trials", is_=1)),
        ("source or adhoc", "group-key-without-source", group("agent__adhoc", "n_trials", is_=1)),
        ("n_trials", "empty-rewards-count-in-n-trials", group("a__adhoc", "n_trials", is_=1)),
        ("n_trials", "null-rewards-do-not-count-in-n-trials", group("a__adhoc", "n_trials", is_=0)),
        ("n_errors", "an-errored-trial-is-completed", group("a__adhoc", "n_errors", is_=1)),
        ("n_errors", "exception-stats-by-class", group("a__adhoc", "n_errors", is_=3)),
        ("n_errored_trials", "a-trial-without-result-is-completed", field("n_errored_trials", is_=1)),
        ("n_cancelled_trials", "cancelled-trials-are-counted", field("n_cancelled_trials", is_=1)),
        (
            "reward_stats",
            "reward-keys-are-not-sorted",
            group(
                "a__adhoc",
                "reward_stats",
                is_={"b": {"1": ["t__0"]}, "a": {"2": ["t__0"], "1": ["t__1"]}, "c": {"1": ["t__1"]}},
            ),
        ),
        ("token totals", "tokens-are-added", field("n_output_tokens", is_=33)),
    ),
    *about(
        "3.3",
        "job_result",
        (
            "the last part names the dataset",
            "dataset-ending-in-adhoc-takes-its-metrics",
            metrics("a__x__adhoc", {"mean": 1.0}),
        ),
        (
            "one entry a metric",
            "metrics-keep-int-and-float",
            metrics("a__adhoc", {"mean": 0.75}, {"max": 1}, {"min": 0.5}, {"sum": 1.5}),
        ),
        (
            "default: one dict from Mean",
            "dataset-with-double-underscore-loses-metrics",
            metrics("a__my__bench", {"mean": 1.0}),
            6,
        ),
        ("rewards of None take part", "null-rewards-are-in-the-mean", metrics("a__adhoc", {"mean": 0.5})),
        ("no verifier result takes part", "no-verifier-result-is-in-the-mean", metrics("a__adhoc", {"mean": 0.0})),
        ("pass@k is stored", "pass-at-k-keys-are-strings", job_group("a__adhoc", "pass_at_k", is_={"2": 1.0})),
        ("n_total_trials", "plain", field("n_total_trials", is_=1)),
        ("n_cancelled_trials", "cancelled-trials", field("stats", "n_cancelled_trials", is_=1)),
    ),
]
