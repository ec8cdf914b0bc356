"""Tiny wrong implementations: reimpl with one rule broken, each in a way that people break it.

They test the harness: an implementation that is wrong must be found. Each is a door of its own, reached as
`tests.miniatures:<name>`, and its docstring states the fault.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any
from unittest.mock import patch

from reimpl import (
    coercion,
    door,
    job_result,
    json_text,
    metrics,
    multi_step,
    normalize_reason_code_as_printed,
    outcome,
    render,
    rewards,
    rubric,
    stats,
)
from reimpl.numerals import text_to_float

# The package exports a function of this name, which hides the module.
pass_at_k: Any = import_module("reimpl.pass_at_k")

Run = Callable[[str, Mapping[str, Any]], dict[str, Any]]

GALLERY: dict[str, str] = {}
"""Each miniature's name and the surface on which it is wrong."""


def wrong_on(surface: str) -> Callable[[Run], Run]:
    """Enter a miniature into the gallery."""

    def enter(run: Run) -> Run:
        GALLERY[run.__name__] = surface
        return run

    return enter


def naive_sum(values: Sequence[int | float]) -> int | float:
    """Add from left to right, as `sum()` did before Python 3.12."""
    total: int | float = 0
    for value in values:
        total += value
    return total


# --- reward_files -----------------------------------------------------------------------------------------------------


@wrong_on("reward_files")
def txt_before_json(surface: str, input: Mapping[str, Any]) -> dict[str, Any]:
    """Reads reward.txt first."""
    both = input["reward.txt"] is not None and input["reward.json"] is not None
    return door.run(surface, {**input, "reward.json": None} if both else input)


@wrong_on("reward_files")
def strip_for_emptiness(surface: str, input: Mapping[str, Any]) -> dict[str, Any]:
    """Calls a file of white space empty."""
    stripped = {name: b"" if isinstance(file, bytes) and not file.strip() else file for name, file in input.items()}
    return door.run(surface, stripped)


@wrong_on("reward_files")
def every_reward_a_float(surface: str, input: Mapping[str, Any]) -> dict[str, Any]:
    """Gives 1.0 for 1."""
    with patch.object(rewards, "coerce_rewards", lambda value: _floats(coercion.coerce_rewards(value))):
        return door.run(surface, input)


def _floats(found: dict[str, int | float] | None) -> dict[str, float] | None:
    return found and {name: float(value) if abs(value) < 2**53 else value for name, value in found.items()}


@wrong_on("reward_files")
def negative_zero_lost(surface: str, input: Mapping[str, Any]) -> dict[str, Any]:
    """Adds 0.0 to a reward read from text, so that -0.0 becomes 0.0."""
    with patch.object(rewards, "text_to_float", lambda text: text_to_float(text) + 0.0):
        return door.run(surface, input)


@wrong_on("reward_files")
def verbatim_json(surface: str, input: Mapping[str, Any]) -> dict[str, Any]:
    """Believes the document: reward.json is returned as it was parsed."""
    with patch.object(rewards, "coerce_rewards", lambda value: value):
        return door.run(surface, input)


@wrong_on("reward_files")
def python_float_for_strings(surface: str, input: Mapping[str, Any]) -> dict[str, Any]:
    """Parses a reward that is a string with Python's `float()`."""

    def parsed(text: str) -> float | None:
        try:
            return float(text)
        except ValueError:
            return None

    with patch.object(coercion, "_float_of", parsed):
        return door.run(surface, input)


@wrong_on("reward_files")
def digit_limit_off_by_one(surface: str, input: Mapping[str, Any]) -> dict[str, Any]:
    """Refuses an integer of 4300 digits."""
    with patch.object(json_text, "MAX_INT_DIGITS", 4299):
        return door.run(surface, input)


# --- metric -----------------------------------------------------------------------------------------------------------


@wrong_on("metric")
def naive_summation(surface: str, input: Mapping[str, Any]) -> dict[str, Any]:
    """Adds from left to right without compensation."""
    with patch.object(metrics, "total", naive_sum), patch.dict(metrics._AGGREGATES, sum=naive_sum):
        return door.run(surface, input)


@wrong_on("metric")
def exact_summation(surface: str, input: Mapping[str, Any]) -> dict[str, Any]:
    """Adds with `math.fsum`, which compensates for ints too."""

    def fsum(values: Sequence[int | float]) -> int | float:
        floats = any(isinstance(value, float) for value in values)
        small = all(math.isfinite(value) and abs(value) < 1e300 for value in values)
        return math.fsum(values) if floats and small else sum(values)

    with patch.object(metrics, "total", fsum), patch.dict(metrics._AGGREGATES, sum=fsum):
        return door.run(surface, input)


@wrong_on("metric")
def ties_to_the_last(surface: str, input: Mapping[str, Any]) -> dict[str, Any]:
    """Keeps the last of equal values: 1.0 of [1, 1.0]."""
    last = {"max": lambda values: max(reversed(values)), "min": lambda values: min(reversed(values))}
    if not input["rewards"]:
        return door.run(surface, input)
    with patch.dict(metrics._AGGREGATES, last):
        return door.run(surface, input)


@wrong_on("metric")
def none_skipped(surface: str, input: Mapping[str, Any]) -> dict[str, Any]:
    """Leaves trials without rewards out of the mean."""
    return door.run(surface, {**input, "rewards": [each for each in input["rewards"] if each is not None]})


@wrong_on("metric")
def metric_name_for_every_key(surface: str, input: Mapping[str, Any]) -> dict[str, Any]:
    """Keeps the reward's name although there is only one."""
    outcome = door.run(surface, input)
    names = {name for each in input["rewards"] if each for name in each}
    if "value" not in outcome or len(names) != 1:
        return outcome
    return {"value": dict(zip(names, outcome["value"].values(), strict=True))}


# --- pass_at_k --------------------------------------------------------------------------------------------------------


@wrong_on("pass_at_k")
def closed_form(surface: str, input: Mapping[str, Any]) -> dict[str, Any]:
    """Computes 1 - C(n - c, k) / C(n, k)."""

    def estimates(trials: int, successes: int, ks: list[int]) -> Iterator[float]:
        for k in ks:
            yield 1.0 - math.comb(trials - successes, k) / math.comb(trials, k)

    with patch.object(pass_at_k, "_estimates", estimates):
        return door.run(surface, input)


@wrong_on("pass_at_k")
def pass_at_one(surface: str, input: Mapping[str, Any]) -> dict[str, Any]:
    """Reports pass@1 too."""
    eligible = pass_at_k._ks
    with patch.object(pass_at_k, "_ks", lambda fewest: [1, *eligible(fewest)]):
        return door.run(surface, input)


@wrong_on("pass_at_k")
def model_left_out_of_the_group(surface: str, input: Mapping[str, Any]) -> dict[str, Any]:
    """Pools the models of an agent."""
    return door.run(surface, {"trials": [{**trial, "model": None} for trial in input["trials"]]})


# --- job_stats and job_result -----------------------------------------------------------------------------------------


@wrong_on("job_stats")
def cost_with_sum(surface: str, input: Mapping[str, Any]) -> dict[str, Any]:
    """Adds costs with compensation, as `sum()` does."""
    outcome = door.run(surface, input)
    trials = [step["trial"] for step in input["steps"] if step["op"] == "add"]
    costs = [trial["tokens"]["cost_usd"] for trial in trials if trial["tokens"] is not None]
    costs = [float(cost) for cost in costs if cost is not None]
    if "error" in outcome or not costs or len(trials) < len(input["steps"]):
        return outcome
    line = f'"cost_usd": {render.float_text(sum(costs))}'.encode()
    return {"value": re.sub(rb'"cost_usd": [^\n]+', line, outcome["value"])}


@wrong_on("job_stats")
def reward_stats_sorted(surface: str, input: Mapping[str, Any]) -> dict[str, Any]:
    """Sorts the keys of reward_stats."""
    plain = stats.EvalStats.to_value

    def sorted_value(self: stats.EvalStats) -> dict[str, Any]:
        value: dict[str, Any] = plain(self)
        return {**value, "reward_stats": dict(sorted(value["reward_stats"].items()))}

    with patch.object(stats.EvalStats, "to_value", sorted_value):
        return door.run(surface, input)


@wrong_on("job_stats")
def nan_by_its_name(surface: str, input: Mapping[str, Any]) -> dict[str, Any]:
    """Writes NaN and Infinity where harbor writes null."""
    plain = render.float_text

    def spelled(value: float) -> str:
        return plain(value) if math.isfinite(value) else "NaN" if math.isnan(value) else "Infinity"

    with patch.object(render, "float_text", spelled):
        return door.run(surface, input)


@wrong_on("job_result")
def json_dumps_floats(surface: str, input: Mapping[str, Any]) -> dict[str, Any]:
    """Writes floats as Python's json does: 1e-05 where harbor writes 0.00001."""
    plain = render.float_text
    with patch.object(render, "float_text", lambda value: repr(value) if math.isfinite(value) else plain(value)):
        return door.run(surface, input)


@wrong_on("job_result")
def dataset_after_the_first_underscores(surface: str, input: Mapping[str, Any]) -> dict[str, Any]:
    """Finds the metrics of a dataset whose name holds `__`."""

    def dataset(key: str) -> str:
        known = [name for name in input["metrics"] if key.endswith(f"__{name}")]
        return max(known, key=len, default="")

    with patch.object(job_result, "_dataset", dataset):
        return door.run(surface, input)


# --- multi_step and min_reward ----------------------------------------------------------------------------------------


@wrong_on("multi_step")
def missing_key_left_out(surface: str, input: Mapping[str, Any]) -> dict[str, Any]:
    """Divides by the steps that have the reward."""
    outcome = door.run(surface, input)
    if input["strategy"] == "final" or "value" not in outcome or not outcome["value"].rewards:
        return outcome
    steps = [coercion.coerce_rewards(step["rewards"]) or {} for step in input["steps"] if step["verified"]]
    names = outcome["value"].rewards
    means = {name: metrics.mean([step[name] for step in steps if name in step]) for name in names}
    return {"value": multi_step.VerifierResult(verified=True, rewards=dict(means))}


@wrong_on("multi_step")
def last_step_with_a_result(surface: str, input: Mapping[str, Any]) -> dict[str, Any]:
    """Lets `final` fall back to an earlier step."""
    if input["strategy"] != "final":
        return door.run(surface, input)
    return door.run(surface, {**input, "steps": [step for step in input["steps"] if step["verified"]]})


@wrong_on("min_reward")
def threshold_must_be_exceeded(surface: str, input: Mapping[str, Any]) -> dict[str, Any]:
    """Stops at `<=`."""
    outcome = door.run(surface, input)
    threshold = input["min_reward"]
    reward = (input["rewards"] or {}).get("reward")
    if outcome == {"value": None} and type(threshold) in (int, float) and reward == threshold:
        return {"value": f"reward={reward} below min_reward {float(threshold)}"}
    return outcome


# --- recorded surfaces ------------------------------------------------------------------------------------------------


@wrong_on("outcome")
def round_half_up(surface: str, input: Mapping[str, Any]) -> dict[str, Any]:
    """Rounds a half up, as people do by hand."""
    with patch.object(outcome, "round", lambda number: math.floor(number + 0.5), create=True):
        return door.run(surface, input)


@wrong_on("outcome")
def only_the_mean_is_read(surface: str, input: Mapping[str, Any]) -> dict[str, Any]:
    """Scores by metrics called "mean" alone."""
    every = outcome._metric_values

    def means(found: dict[str, Any]) -> Iterator[float]:
        groups = found.get("evals", {})
        kept = {
            name: {**group, "metrics": [metric for metric in group.get("metrics", []) if "mean" in metric]}
            for name, group in groups.items()
        }
        return every({**found, "evals": kept})

    with patch.object(outcome, "_metric_values", means):
        return door.run(surface, input)


@wrong_on("reason_code")
def printed_third_rule(surface: str, input: Mapping[str, Any]) -> dict[str, Any]:
    """Follows the condition as it is printed, which is always true."""
    with patch.object(door, "normalize_reason_code", normalize_reason_code_as_printed):
        return door.run(surface, input)


@wrong_on("rubric")
def weights_not_normalised(surface: str, input: Mapping[str, Any]) -> dict[str, Any]:
    """Takes the weighted sum for the weighted mean."""

    def weighted_sum(values: Sequence[float], weights: Sequence[float]) -> float:
        return sum(value * weight for value, weight in zip(values, weights, strict=True))

    with patch.dict(rubric._ROLLUPS, weighted_mean=weighted_sum):
        return door.run(surface, input)


@wrong_on("rubric")
def clamped_after_the_mean(surface: str, input: Mapping[str, Any]) -> dict[str, Any]:
    """Clamps the mean instead of each dimension."""
    mean = rubric._weighted_mean

    def normalised(score: rubric.DimensionScore) -> float:
        return score.score / score.max_score if score.max_score > 0 else 0.0

    def clamped(values: Sequence[float], weights: Sequence[float]) -> float:
        return min(max(mean(values, weights), 0.0), 1.0)

    with patch.object(rubric, "_normalised", normalised), patch.dict(rubric._ROLLUPS, weighted_mean=clamped):
        return door.run(surface, input)


@wrong_on("evaluation")
def reward_recomputed_from_details(surface: str, input: Mapping[str, Any]) -> dict[str, Any]:
    """Believes the details more than the reward."""
    found = door.run(surface, input)
    breakdown = found.get("value", {}).get("breakdown")
    if breakdown:
        scores = [part.get("score", 0.0) for part in breakdown.values() if isinstance(part, dict)]
        found["value"]["reward"] = sum(scores) / max(len(scores), 1)
    return found


@wrong_on("evaluation")
def schema_flag_forces_the_reward(surface: str, input: Mapping[str, Any]) -> dict[str, Any]:
    """Gives nothing for an output of the wrong shape."""
    found = door.run(surface, input)
    if "value" in found and not input["schema_valid"]:
        found["value"]["reward"] = 0.0
    return found
