"""Wrong implementations of the surfaces that have recorded outcomes alone."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from typing import Any
from unittest.mock import patch

from reimpl import Dimension, DimensionScore, door, normalize_reason_code_as_printed, outcome, reason_code, rubric
from reimpl.outcome import Outcome
from tests.miniatures.gallery import Answer, Input, naive_sum, wrong_on, wrong_rule

judged = outcome._judged
number = outcome._number
metric_values = outcome._metric_values
word = reason_code._word
weighted_mean = rubric._weighted_mean
score_rubric = rubric.score_rubric


# --- outcome ----------------------------------------------------------------------------------------------------------


@wrong_on("outcome")
def round_half_up(surface: str, input: Input) -> Answer:
    """Rounds a half up, as people do by hand."""
    with patch.object(outcome, "round", lambda number: math.floor(number + 0.5), create=True):
        return door.run(surface, input)


@wrong_on("outcome")
def resolved_cut(surface: str, input: Input) -> Answer:
    """Cuts the number of resolved trials to an int."""
    with patch.object(outcome, "round", int, create=True):
        return door.run(surface, input)


@wrong_rule("outcome", outcome, "_metric_values")
def only_the_mean_is_read(found: dict[str, Any]) -> Iterator[float]:
    """Scores by metrics called "mean" alone."""
    groups = found.get("evals", {})
    kept = {
        name: {**group, "metrics": [metric for metric in group.get("metrics", []) if "mean" in metric]}
        for name, group in groups.items()
    }
    return metric_values({**found, "evals": kept})


@wrong_rule("outcome", outcome, "_metric_values")
def groups_weigh_the_same(found: dict[str, Any]) -> Iterator[float]:
    """Takes the mean of each group before that of all groups."""
    for name, group in found.get("evals", {}).items():
        values = list(metric_values({"evals": {name: group}}))
        if values:
            yield sum(values) / len(values)


@wrong_rule("outcome", outcome, "_number")
def null_metric_is_zero(value: object) -> float:
    """Takes a metric that is null for 0."""
    return 0.0 if value is None else number(value)


@wrong_rule("outcome", outcome, "add_up")
def naive_score(values: Sequence[float]) -> float:
    """Averages metrics without compensation."""
    return naive_sum(values)


@wrong_rule("outcome", outcome, "_judged")
def score_clamped(result: object) -> Outcome:
    """Holds the score to the range from 0 to 1."""
    found = judged(result)
    return replace(found, score=min(max(found.score, 0.0), 1.0))


@wrong_rule("outcome", outcome, "_judged")
def failed_trials_not_added(result: Any) -> Outcome:
    """Knows that a completed trial may have failed: the total without a total is that of the completed ones."""
    found = judged(result)
    completed = outcome._count(result.get("stats", {}).get("n_completed_trials"))
    return found if outcome._count(result.get("n_total_trials")) else replace(found, total=completed)


@wrong_rule("outcome", outcome, "_judged")
def failed_without_a_score(result: object) -> Outcome:
    """Calls a job failed that scores nothing."""
    found = judged(result)
    return replace(found, status="completed" if found.score else "failed")


@wrong_rule("outcome", Outcome, "line")
def keys_as_declared(self: Outcome) -> str:
    """Does not sort the keys of the line."""
    return f"BASE_BENCHMARK_RESULT={json.dumps(asdict(self))}"


# --- reason_code ------------------------------------------------------------------------------------------------------


@wrong_rule("reason_code", door, "normalize_reason_code")
def printed_third_rule(text: str | None) -> str | None:
    """Follows the condition as it is printed, which is always true."""
    return normalize_reason_code_as_printed(text)


@wrong_on("reason_code")
def reward_before_names(surface: str, input: Input) -> Answer:
    """Looks for a reward before it looks for the name of a failure."""
    rules = [(found, code) for found, code in reason_code._REWARD_WORDS if "reward" in (word(input["text"]) or "")]
    with patch.object(reason_code, "_NAMES", (*rules, *reason_code._NAMES)):
        return door.run(surface, input)


@wrong_on("reason_code")
def not_found_is_missing(surface: str, input: Input) -> Answer:
    """Gives "No reward file found" the code that the document promises."""
    rules = (*reason_code._REWARD_WORDS, ("no_reward_file_found", "harbor_reward_missing"))
    with patch.object(reason_code, "_REWARD_WORDS", rules):
        return door.run(surface, input)


@wrong_rule("reason_code", reason_code, "_word")
def hyphens_kept(text: str | None) -> str | None:
    """Replaces white space and leaves hyphens."""
    return text and ("_".join(text.lower().split()) or None)


@wrong_rule("reason_code", reason_code, "_word")
def spaces_one_by_one(text: str | None) -> str | None:
    """Writes an underscore for each space of a stretch."""
    return text and (text.strip().lower().replace(" ", "_").replace("-", "_") or None)


@wrong_rule("reason_code", reason_code, "_word")
def capitals_kept(text: str | None) -> str | None:
    """Looks for names in the case they are written in."""
    return text and ("_".join(text.split()).replace("-", "_") or None)


# --- rubric -----------------------------------------------------------------------------------------------------------


@wrong_on("rubric")
def weights_not_normalised(surface: str, input: Input) -> Answer:
    """Takes the weighted sum for the weighted mean."""

    def weighted_sum(values: Sequence[float], weights: Sequence[float]) -> float:
        return sum(value * weight for value, weight in zip(values, weights, strict=True))

    with patch.dict(rubric._ROLLUPS, weighted_mean=weighted_sum):
        return door.run(surface, input)


@wrong_on("rubric")
def weights_ignored(surface: str, input: Input) -> Answer:
    """Takes the plain mean for the weighted mean."""
    with patch.dict(rubric._ROLLUPS, weighted_mean=lambda values, _: sum(values) / len(values)):
        return door.run(surface, input)


@wrong_on("rubric")
def clamped_after_the_mean(surface: str, input: Input) -> Answer:
    """Clamps the mean instead of each dimension."""

    def normalised(score: rubric.DimensionScore) -> float:
        return score.score / score.max_score if score.max_score > 0 else 0.0

    def clamped(values: Sequence[float], weights: Sequence[float]) -> float:
        return min(max(weighted_mean(values, weights), 0.0), 1.0)

    with patch.object(rubric, "_normalised", normalised), patch.dict(rubric._ROLLUPS, weighted_mean=clamped):
        return door.run(surface, input)


@wrong_rule("rubric", door, "score_rubric")
def first_score_counts(
    dimensions: list[Dimension], scores: list[DimensionScore], rollup_strategy: str
) -> rubric.RubricScore:
    """Keeps the first of several scores for one dimension."""
    first = {score.dimension_id: score for score in reversed(scores)}
    return score_rubric(dimensions, first.values() if dimensions else scores, rollup_strategy)


@wrong_rule("rubric", door, "score_rubric")
def unscored_left_out(
    dimensions: list[Dimension], scores: list[DimensionScore], rollup_strategy: str
) -> rubric.RubricScore:
    """Leaves dimensions without a score out of the reward."""
    scored = {score.dimension_id for score in scores}
    kept = [dimension for dimension in dimensions if dimension.id in scored]
    reward = score_rubric(kept, scores, rollup_strategy).reward
    return replace(score_rubric(dimensions, scores, rollup_strategy), reward=reward)


@wrong_rule("rubric", door, "score_rubric")
def maximum_of_the_dimension(
    dimensions: list[Dimension], scores: list[DimensionScore], rollup_strategy: str
) -> rubric.RubricScore:
    """Divides by the maximum of the rubric instead of the one that came with the score."""
    maxima = {dimension.id: dimension.max_score for dimension in dimensions}
    known = [replace(score, max_score=maxima.get(score.dimension_id, score.max_score)) for score in scores]
    reward = score_rubric(dimensions, known, rollup_strategy).reward
    return replace(score_rubric(dimensions, scores, rollup_strategy), reward=reward)


@wrong_on("rubric")
def reward_not_rounded(surface: str, input: Input) -> Answer:
    """Does not round the reward to four decimals."""
    with patch.object(rubric, "round", lambda value, _: value, create=True):
        return door.run(surface, input)


# --- evaluation -------------------------------------------------------------------------------------------------------


@wrong_on("evaluation")
def reward_recomputed_from_details(surface: str, input: Input) -> Answer:
    """Believes the details more than the reward."""
    found = door.run(surface, input)
    breakdown = found.get("value", {}).get("breakdown")
    if breakdown:
        scores = [part.get("score", 0.0) for part in breakdown.values() if isinstance(part, dict)]
        found["value"]["reward"] = sum(scores) / max(len(scores), 1)
    return found


@wrong_on("evaluation")
def schema_flag_forces_the_reward(surface: str, input: Input) -> Answer:
    """Gives nothing for an output of the wrong shape."""
    found = door.run(surface, input)
    if "value" in found and not input["schema_valid"]:
        found["value"]["reward"] = 0.0
    return found


@wrong_on("evaluation")
def unparseable_set_to_zero(surface: str, input: Input) -> Answer:
    """Sets the reward of an unparseable output to 0 instead of refusing it."""
    found = door.run(surface, {**input, "output_parseable": True})
    if "value" in found and not input["output_parseable"]:
        found["value"]["reward"] = 0.0
        found["value"]["validity"]["output_parseable"] = False
    return found


@wrong_on("evaluation")
def missing_reward_refused(surface: str, input: Input) -> Answer:
    """Refuses a trial without a reward file."""
    if input["reward.json"] is None:
        return {"error": {"type": "EvaluationError", "message": "no reward file"}}
    return door.run(surface, input)


@wrong_on("evaluation")
def missing_details_empty(surface: str, input: Input) -> Answer:
    """Gives {} for a breakdown that is not there."""
    found = door.run(surface, input)
    if "value" in found and found["value"]["breakdown"] is None:
        found["value"]["breakdown"] = {}
    return found


@wrong_on("evaluation")
def completed_by_the_reward(surface: str, input: Input) -> Answer:
    """Takes a reward of 0 for a verifier that did not complete."""
    found = door.run(surface, input)
    if "value" in found:
        found["value"]["validity"]["verifier_completed"] = found["value"]["reward"] > 0
    return found
