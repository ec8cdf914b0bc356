"""Every claim of the specification document that a surface can show, held against reimpl and against harbor.

The document's headings are lost, so its sections go by the numbers it uses itself: 1.1 precedence, 1.2 reward.txt,
1.3 reward.json, 1.4 exceptions, 2 verifier result, 3.1 choice of metrics, 3.2 aggregation, 3.3 final assembly,
4.1 which trials, 4.2 which k, 4.3 estimator, 4.4 attempts, 4.5 multi-step, 6 precision, 7 checklist.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from parity.codec import Json, decode, encode
from parity.corpus import Entry, entries, folder
from parity.judge import diverging
from parity.surfaces import LIVE
from tests.cli import parity

Says = Callable[[Json], bool]
NAN, INF = float("nan"), float("inf")
PARSE = "VerifierOutputParseError"


@dataclass(frozen=True)
class Claim:
    """What the document says of a corpus case; where it is wrong, the erratum's number."""

    section: str
    words: str
    case: str
    says: Says
    erratum: int | None = None

    def __str__(self) -> str:
        return f"{self.section} {self.words} [{self.case}]"


def value(expected: Any) -> Says:
    """Claim this value, to the bit."""
    return lambda outcome: bool(outcome == {"value": encode(expected)})


def a_value() -> Says:
    """Claim that there is a value, whichever."""
    return lambda outcome: "value" in outcome


def error(*types: str, text: str = "") -> Says:
    """Claim an error of one of these types, with this in its message."""
    return lambda outcome: (
        "error" in outcome and outcome["error"]["type"] in types and text in outcome["error"].get("message", "")
    )


def rewards(**expected: float) -> Says:
    """Claim these rewards of a multi-step trial; the order of their keys is open."""
    pairs = encode(expected)["dict"]
    return lambda outcome: (
        outcome.get("value", {}).get("verified") is True
        and sorted(outcome["value"]["rewards"]["dict"]) == sorted(pairs)
    )


def field(*path: str | int, is_: Any) -> Says:
    """Claim that the rendered file holds this at the path, int and float told apart, and the order of keys."""

    def says(outcome: Json) -> bool:
        node = json.loads(decode(outcome["value"]))
        for step in path:
            node = node[step]
        return bool(encode(node) == encode(is_))

    return says


def group(name: str, *path: str | int, is_: Any) -> Says:
    """Claim what the statistics hold for a group of trials."""
    return field("evals", name, *path, is_=is_)


def job_group(name: str, *path: str | int, is_: Any) -> Says:
    """Claim what a job's file holds for a group of trials."""
    return field("stats", "evals", name, *path, is_=is_)


def metrics(name: str, *entries: Mapping[str, float]) -> Says:
    """Claim the metrics that a job's file holds for a group of trials."""
    return job_group(name, "metrics", is_=list(entries))


def k_values(*expected: int) -> Says:
    """Claim which k a lone group has."""
    return lambda outcome: [k for by_k in decode(outcome["value"]).values() for k in by_k] == list(expected)


def at_k(k: int, expected: float) -> Says:
    """Claim pass@k of a lone group."""
    return lambda outcome: [encode(by_k[k]) for by_k in decode(outcome["value"]).values()] == [encode(expected)]


def metric(name: str, check: Callable[[float], bool]) -> Says:
    """Claim something of a metric's number."""
    return lambda outcome: check(decode(outcome["value"])[name])


def about(section: str, surface: str, *rows: tuple[str, str, Says] | tuple[str, str, Says, int]) -> list[Claim]:
    """Make the claims of a section on a surface: words, case, what is said, and the erratum where that is wrong."""
    return [Claim(section, row[0], f"{surface}/{row[1]}", *row[2:]) for row in rows]


THE_THREE = error("RewardFileNotFoundError", "RewardFileEmptyError", PARSE)
TENTHS = [0.1] * 10

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
    *about(
        "6",
        "reward_files",
        ("0 is exact", "txt-zero", value({"reward": 0.0})),
        ("1 is exact", "txt-one", value({"reward": 1.0})),
        ("round to nearest", "txt-rounds-to-the-nearest-double", value({"reward": 2.0**53})),
    ),
    *about(
        "6",
        "metric",
        ("2/3", "single-key-is-named-by-the-metric", value({"mean": 0.6666666666666666})),
        ("1/3", "no-rewards-count-as-zero", value({"mean": 0.3333333333333333})),
        ("sum adds left to right", "mean-is-compensated", value({"mean": 0.09999999999999999}), 10),
        ("sum adds left to right", "sum-is-compensated", value({"sum": 0.9999999999999999}), 10),
        ("sum adds left to right", "sum-keeps-what-cancels", value({"sum": 0.0}), 10),
        (
            "math.fsum diverges",
            "mean-is-compensated",
            metric("mean", lambda mean: mean != math.fsum(TENTHS) / len(TENTHS)),
            11,
        ),
        (
            "Sum is exact",
            "sum-of-three-tenths",
            metric("sum", lambda total: Fraction(total) == Fraction(0.1) + Fraction(0.2) + Fraction(0.3)),
            12,
        ),
        ("Max is exact", "max-compares-int-with-float-exactly", value({"max": 2**53 + 1})),
        ("the order counts", "mean-order-large-small-large", value({"mean": 0.0})),
        ("the order counts", "mean-order-large-large-small", value({"mean": 1 / 3})),
        ("nan propagates", "mean-of-nan", value({"mean": NAN})),
        ("inf propagates", "mean-of-infinity-and-a-number", value({"mean": INF})),
        ("inf may end as nan", "sum-of-opposite-infinities-is-nan", value({"sum": NAN})),
    ),
    *about(
        "6",
        "job_result",
        (
            "sum adds left to right",
            "reward-mean-is-compensated",
            metrics("a__adhoc", {"mean": 0.09999999999999999}),
            10,
        ),
        (
            "the order is kept",
            "trials-keep-their-order",
            job_group("a__adhoc", "reward_stats", "reward", "1", is_=["z__1", "a__1", "m__1"]),
        ),
    ),
    *about(
        "6",
        "pass_at_k",
        ("pass@k multiplies in turn", "n5-c1-is-not-0.4", at_k(2, 1.0 - 1.0 * (4 / 5) * (3 / 4))),
        ("then sum and division", "mean-over-tasks-is-compensated", at_k(2, 0.8333333333333334)),
    ),
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
]


@cache
def corpus() -> dict[str, Entry]:
    """Read the corpus once."""
    live = (entry for entry in entries([folder()]) if entry.case.surface in LIVE)
    return {entry.name: entry for entry in live}


@cache
def live(implementation: str) -> dict[str, Json]:
    """Let an implementation answer the case of every claim, in a process of its own."""
    names = sorted({claim.case for claim in CLAIMS})
    requests = [{"cmd": "run", "seq": name, **corpus()[name].case.to_json()} for name in names]
    answered = parity("serve", implementation, stdin="".join(json.dumps(request) + "\n" for request in requests))
    assert answered.returncode == 0, answered.stderr
    answers = [json.loads(line) for line in answered.stdout.splitlines()]
    return {answer.pop("seq"): answer for answer in answers}


class TestClaims:
    """A claim of the document holds, or there is an erratum about it."""

    @pytest.mark.parametrize("claim", CLAIMS, ids=str)
    def test_of_what_was_recorded(self, claim: Claim) -> None:
        assert claim.says(corpus()[claim.case].expect) is (claim.erratum is None)

    @pytest.mark.parametrize("claim", CLAIMS, ids=str)
    def test_of_reimpl(self, claim: Claim) -> None:
        self.check(claim, "reimpl")

    @pytest.mark.parametrize("claim", CLAIMS, ids=str)
    def test_of_harbor(self, claim: Claim) -> None:
        self.check(claim, "oracle")

    @staticmethod
    def check(claim: Claim, implementation: str) -> None:
        """Hold the claim against a live outcome, which must be the recorded one: else any fault would be an erratum."""
        entry, outcome = corpus()[claim.case], live(implementation)[claim.case]
        assert diverging(entry.case, outcome, entry.expect) is None
        assert claim.says(outcome) is (claim.erratum is None)


class TestCoverage:
    """The table and the corpus agree on which case belongs to which section."""

    def test_every_section_that_a_surface_can_show_has_claims(self) -> None:
        shown = ["1.1", "1.2", "1.3", "1.4", "2", "3.1", "3.2", "3.3", "4.1", "4.2", "4.3", "4.4", "4.5", "6", "7"]
        assert sorted({claim.section for claim in CLAIMS}) == shown

    def test_a_case_says_which_sections_it_was_made_for(self) -> None:
        claimed = {(claim.section, claim.case) for claim in CLAIMS}
        recorded = {
            (origin.removeprefix("spec "), name)
            for name, entry in corpus().items()
            for origin in entry.found.split(", ")
            if origin.startswith("spec ")
        }
        assert claimed == recorded
