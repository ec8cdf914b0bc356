"""Faults that people make, each with the inputs that tell it: on them the wrong rule gives another outcome."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tests.miniatures import naive_sum

Input = Mapping[str, Any]
Tells = Callable[[Any], bool]

FAULTS: dict[str, tuple[str, Tells]] = {}
"""Each fault's name, the surface it belongs to, and whether an input tells it."""


def told_on(surface: str) -> Callable[[Tells], Tells]:
    def enter(tells: Tells) -> Tells:
        FAULTS[tells.__name__] = (surface, tells)
        return tells

    return enter


# --- metric -----------------------------------------------------------------------------------------------------------


def values_of(rewards: list[Any]) -> Iterator[list[Any]]:
    """Yield the lists that a metric aggregates."""
    names = sorted({name for each in rewards if each for name in each})
    if len(names) <= 1:
        yield [next(iter((each or {}).values()), 0) for each in rewards]
    else:
        yield from ([(each or {}).get(name, 0) for each in rewards] for name in names)


def differ(a: Callable[[list[Any]], Any], b: Callable[[list[Any]], Any], lists: Iterator[list[Any]]) -> bool:
    """Tell whether two ways to aggregate give different bits on one of the lists."""
    for values in lists:
        try:
            if repr(a(values)) != repr(b(values)):
                return True
        except (OverflowError, ValueError):
            continue
    return False


@told_on("metric")
def naive_summation(input: Input) -> bool:
    return input["metric"] in ("mean", "sum") and differ(sum, naive_sum, values_of(input["rewards"]))


@told_on("metric")
def exact_summation(input: Input) -> bool:
    floats = (values for values in values_of(input["rewards"]) if any(type(value) is float for value in values))
    return input["metric"] in ("mean", "sum") and differ(sum, math.fsum, floats)


@told_on("metric")
def sum_of_ints_a_float(input: Input) -> bool:
    return input["metric"] == "sum" and differ(sum, lambda values: float(sum(values)), values_of(input["rewards"]))


@told_on("metric")
def ties_to_the_last(input: Input) -> bool:
    best = {"max": max, "min": min}.get(input["metric"])
    if best is None or not input["rewards"]:
        return False
    return differ(best, lambda values: best(reversed(values)), values_of(input["rewards"]))


@told_on("metric")
def none_skipped(input: Input) -> bool:
    return (
        input["metric"] == "mean"
        and None in input["rewards"]
        and any(any(each.values()) for each in input["rewards"] if each)
    )


@told_on("metric")
def several_keys_under_the_metrics_name(input: Input) -> bool:
    return len({name for each in input["rewards"] if each for name in each}) > 1


@told_on("metric")
def keys_sorted_as_utf_16(input: Input) -> bool:
    names = {name for each in input["rewards"] if each for name in each}
    return sorted(names) != sorted(names, key=lambda name: name.encode("utf-16-be", "surrogatepass"))


@told_on("metric")
def nan_ignored_by_max(input: Input) -> bool:
    lists = values_of(input["rewards"])
    return input["metric"] in ("max", "min") and any(values[0] != values[0] for values in lists if len(values) > 1)


# --- pass_at_k --------------------------------------------------------------------------------------------------------


def key_of(trial: Input) -> str:
    return "__".join(part for part in (trial["agent"], trial["model"], trial["source"] or "adhoc") if part)


def successes(trials: list[Any]) -> Iterator[list[list[int]]]:
    """Yield, for each group that has a pass@k, the successes of each task."""
    groups: dict[str, list[Any]] = defaultdict(list)
    for trial in trials:
        groups[key_of(trial)].append(trial)
    for group in groups.values():
        tasks: dict[str, list[Any]] = defaultdict(list)
        for trial in group:
            rewards = trial["rewards"] if trial["verified"] else None
            tasks[trial["task"]].append(
                0 if rewards is None else next(iter(rewards.values()), 2) + 2 * (len(rewards) - 1)
            )
        counts = list(tasks.values())
        if min(map(len, counts)) > 1 and all(value in (0, 1) for values in counts for value in values):
            yield counts


def loop(n: int, c: int, k: int) -> float:
    return 1.0 - math.prod((n - c - i) / (n - i) for i in range(k))


def binary(trials: list[Any]) -> list[Any]:
    return [trial for trial in trials if not isinstance(next(iter((trial["rewards"] or {}).values()), 0), str)]


@told_on("pass_at_k")
def closed_form(input: Input) -> bool:
    pairs = [(len(task), int(sum(task))) for group in successes(binary(input["trials"])) for task in group]
    return any(n - c >= 2 and loop(n, c, 2) != 1 - math.comb(n - c, 2) / math.comb(n, 2) for n, c in pairs)


@told_on("pass_at_k")
def naive_mean_over_tasks(input: Input) -> bool:
    lists = ([loop(len(task), int(sum(task)), 2) for task in group] for group in successes(binary(input["trials"])))
    return differ(sum, naive_sum, lists)


@told_on("pass_at_k")
def pass_at_one(input: Input) -> bool:
    return any(successes(binary(input["trials"])))


@told_on("pass_at_k")
def group_without_model(input: Input) -> bool:
    with_model = list(successes(binary(input["trials"])))
    without = list(successes([{**trial, "model": None} for trial in binary(input["trials"])]))
    return with_model != without


@told_on("pass_at_k")
def no_result_left_out(input: Input) -> bool:
    given = binary(input["trials"])
    return any(successes(given)) and any(trial["rewards"] is None for trial in given)


@told_on("pass_at_k")
def keys_never_collide(input: Input) -> bool:
    parts: dict[str, set[Any]] = defaultdict(set)
    for trial in input["trials"]:
        parts[key_of(trial)].add((trial["agent"], trial["model"], trial["source"]))
    return any(len(found) > 1 for found in parts.values())


@told_on("pass_at_k")
def empty_rewards_count_as_failure(input: Input) -> bool:
    others = [trial for trial in binary(input["trials"]) if trial["rewards"] != {}]
    return len(others) < len(binary(input["trials"])) and any(successes(others))


# --- job_stats --------------------------------------------------------------------------------------------------------


def added(input: Input) -> list[Any]:
    return [step["trial"] for step in input["steps"] if step["op"] != "remove"]


def buckets(trials: list[Any]) -> Iterator[tuple[str, str, Any]]:
    for trial in trials:
        for name, value in ((trial["verified"] and trial["rewards"]) or {}).items():
            yield key_of(trial), name, value


@told_on("job_stats")
def costs_with_sum(input: Input) -> bool:
    costs = [trial["tokens"]["cost_usd"] for trial in added(input) if trial["tokens"]]
    return differ(sum, naive_sum, iter([[cost for cost in costs if cost is not None]]))


@told_on("job_stats")
def nan_by_its_name(input: Input) -> bool:
    costs = [trial["tokens"]["cost_usd"] for trial in added(input) if trial["tokens"]]
    return any(cost is not None and not math.isfinite(cost) for cost in costs)


@told_on("job_stats")
def reward_stats_sorted(input: Input) -> bool:
    names: dict[str, dict[str, None]] = defaultdict(dict)
    for key, name, _ in buckets(added(input)):
        names[key][name] = None
    return any(list(found) != sorted(found) for found in names.values())


@told_on("job_stats")
def float_keys_as_values(input: Input) -> bool:
    floats = [value for _, _, value in buckets(added(input)) if isinstance(value, float)]
    return any(value != value or 0 < abs(value) < 1e-4 for value in floats)  # noqa: PLR0124


@told_on("job_stats")
def a_bucket_for_each_type(input: Input) -> bool:
    found: dict[Any, set[type]] = defaultdict(set)
    for bucket in buckets(added(input)):
        found[bucket].add(type(bucket[2]))
    return any(len(types) > 1 for types in found.values())


@told_on("job_stats")
def shared_bucket_of_nans(input: Input) -> bool:
    nans = [(key, name) for key, name, value in buckets(added(input)) if value != value]  # noqa: PLR0124
    return len(nans) > len(set(nans))


@told_on("job_stats")
def negative_zero_as_a_key(input: Input) -> bool:
    first: dict[Any, Any] = {}
    for bucket in buckets(added(input)):
        first.setdefault(bucket, bucket[2])
    return any(repr(value) == "-0.0" for value in first.values())


@told_on("job_stats")
def emptied_bucket_deleted(input: Input) -> bool:
    gone = [added(input)[step["trial"]] for step in input["steps"] if step["op"] == "remove"]
    return any(trial["verified"] and trial["rewards"] for trial in gone)


@told_on("job_stats")
def removed_twice(input: Input) -> bool:
    gone = [step.get("previous", step["trial"]) for step in input["steps"] if step["op"] != "add"]
    return len(gone) > len(set(gone))


@told_on("job_stats")
def cancelled_not_counted(input: Input) -> bool:
    return any(trial["exception"] == "CancelledError" for trial in added(input))


@told_on("job_stats")
def costs_below_zero(input: Input) -> bool:
    gone = [added(input)[step["trial"]] for step in input["steps"] if step["op"] == "remove"]
    return len(gone) > len({id(trial) for trial in gone}) and any(
        (trial["tokens"] or {}).get("cost_usd") for trial in gone
    )


# --- multi_step and min_reward ----------------------------------------------------------------------------------------


def step_values(input: Input) -> Iterator[list[Any]]:
    results = [step["rewards"] or {} for step in input["steps"] if step["verified"]]
    for name in {name for each in results for name in each}:
        values = [each.get(name, 0) for each in results]
        if input["strategy"] != "final" and not any(isinstance(value, str) for value in values):
            yield values


@told_on("multi_step")
def naive_mean_of_steps(input: Input) -> bool:
    return differ(sum, naive_sum, step_values(input))


@told_on("multi_step")
def missing_key_left_out(input: Input) -> bool:
    results = [step["rewards"] or {} for step in input["steps"] if step["verified"]]
    names = {name for each in results for name in each}
    return input["strategy"] != "final" and any(set(each) != names for each in results)


@told_on("multi_step")
def no_result_counted(input: Input) -> bool:
    there = [step["verified"] for step in input["steps"]]
    return input["strategy"] != "final" and any(there) and not all(there)


@told_on("multi_step")
def final_falls_back(input: Input) -> bool:
    there = [step["verified"] for step in input["steps"]]
    return input["strategy"] == "final" and any(there) and not there[-1]


@told_on("min_reward")
def threshold_must_be_exceeded(input: Input) -> bool:
    bar = input["min_reward"]
    thresholds = bar if isinstance(bar, dict) else {"reward": bar}
    return any(
        name in (input["rewards"] or {}) and input["rewards"][name] == value for name, value in thresholds.items()
    )


@told_on("min_reward")
def nan_fails(input: Input) -> bool:
    bar, rewards = input["min_reward"], input["rewards"] or {}
    return bar != bar or (isinstance(bar, float) and rewards.get("reward", 0) != rewards.get("reward", 0))  # noqa: PLR0124


@told_on("min_reward")
def missing_is_zero(input: Input) -> bool:
    bar = input["min_reward"]
    thresholds = bar if isinstance(bar, dict) else {"reward": bar}
    return any(name not in (input["rewards"] or {}) for name in thresholds)


# --- job_result -------------------------------------------------------------------------------------------------------


@told_on("job_result")
def dataset_with_underscores(input: Input) -> bool:
    return any("__" in (trial["source"] or "") and input["metrics"].get(trial["source"]) for trial in input["trials"])


@told_on("job_result")
def naive_mean_of_a_group(input: Input) -> bool:
    groups: dict[str, list[Any]] = defaultdict(list)
    for trial in input["trials"]:
        values = list((trial["rewards"] or {}).values()) if trial["verified"] else []
        groups[key_of(trial)].append(0 if not values or isinstance(values[0], str) else values[0])
    meant = (values for key, values in groups.items() if "mean" in input["metrics"].get(key.split("__")[-1], []))
    return differ(sum, naive_sum, meant)


@told_on("job_result")
def dataset_without_metrics(input: Input) -> bool:
    return any(not input["metrics"].get(trial["source"] or "adhoc") for trial in input["trials"])


@told_on("job_result")
def microseconds_always_written(input: Input) -> bool:
    return "." not in input["started_at"]
