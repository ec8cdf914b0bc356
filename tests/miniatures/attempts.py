"""Wrong pass@k."""

from __future__ import annotations

import math
from collections.abc import Iterator
from importlib import import_module
from typing import Any
from unittest.mock import patch

from reimpl import Trial, door, evals_key
from tests.miniatures.gallery import Answer, Input, naive_mean, wrong_on, wrong_rule

SURFACE = "pass_at_k"

# The package exports a function of this name, which hides the module.
pass_at_k: Any = import_module("reimpl.pass_at_k")

success = pass_at_k._success
eligible = pass_at_k._ks


# --- The estimate -----------------------------------------------------------------------------------------------------


@wrong_rule(SURFACE, pass_at_k, "_estimates")
def closed_form(trials: int, successes: int, ks: list[int]) -> Iterator[tuple[int, float]]:
    """Computes 1 - C(n - c, k) / C(n, k)."""
    for k in ks:
        yield k, 1.0 - math.comb(trials - successes, k) / math.comb(trials, k)


@wrong_rule(SURFACE, pass_at_k, "_estimates")
def product_over_successes(trials: int, successes: int, ks: list[int]) -> Iterator[tuple[int, float]]:
    """Multiplies 1 - k / i for i from n - c + 1 to n, the form that is best known."""
    failures = trials - successes
    for k in ks:
        yield k, 1.0 if failures < k else 1.0 - math.prod(1.0 - k / i for i in range(failures + 1, trials + 1))


@wrong_rule(SURFACE, pass_at_k, "_estimates")
def drawn_with_replacement(trials: int, successes: int, ks: list[int]) -> Iterator[tuple[int, float]]:
    """Computes 1 - (1 - c / n) ** k."""
    for k in ks:
        yield k, 1.0 - (1.0 - successes / trials) ** k


@wrong_rule(SURFACE, pass_at_k, "mean")
def naive_mean_over_tasks(values: list[float]) -> float:
    """Averages over the tasks without compensation."""
    return naive_mean(values)


# --- Which k ----------------------------------------------------------------------------------------------------------


@wrong_rule(SURFACE, pass_at_k, "_ks")
def pass_at_one(fewest: int) -> list[int]:
    """Reports pass@1 too."""
    return [1, *eligible(fewest)]


@wrong_rule(SURFACE, pass_at_k, "_ks")
def powers_of_two_alone(fewest: int) -> list[int]:
    """Reports powers of two alone, and not 5, 10, 15 and so on."""
    return [k for k in eligible(fewest) if k.bit_count() == 1]


@wrong_rule(SURFACE, pass_at_k, "_ks")
def every_k(fewest: int) -> list[int]:
    """Reports every k from 2 on."""
    return list(range(2, fewest + 1))


@wrong_on(SURFACE)
def most_attempts_decide(surface: str, input: Input) -> Answer:
    """Goes up to the attempts of the task that has the most."""
    with patch.object(pass_at_k, "min", max, create=True):
        return door.run(surface, input)


# --- What a success is ------------------------------------------------------------------------------------------------


@wrong_rule(SURFACE, pass_at_k, "_success")
def positive_is_success(trial: Trial) -> int | None:
    """Takes every reward above 0 for a success."""
    if not trial.verified or trial.rewards is None:
        return 0
    return int(max(trial.rewards.values()) > 0) if len(trial.rewards) == 1 else None


@wrong_rule(SURFACE, pass_at_k, "_success")
def empty_rewards_a_failure(trial: Trial) -> Any:
    """Takes {} for a failure."""
    return success(trial) if trial.rewards else 0


@wrong_rule(SURFACE, pass_at_k, "_success")
def reward_among_others(trial: Trial) -> Any:
    """Looks at "reward" alone when there are other rewards."""
    if trial.rewards and "reward" in trial.rewards:
        return success(trial._replace(rewards={"reward": trial.rewards["reward"]}))
    return success(trial)


@wrong_rule(SURFACE, pass_at_k, "_success")
def exception_a_failure(trial: Trial) -> Any:
    """Counts a trial that ended in an exception as a failure, whatever its reward."""
    return success(trial) if trial.exception is None else 0


@wrong_on(SURFACE)
def no_result_left_out(surface: str, input: Input) -> Answer:
    """Does not count trials without rewards as attempts."""
    kept = [trial for trial in input["trials"] if trial["verified"] and trial["rewards"] is not None]
    return door.run(surface, {"trials": kept})


# --- Groups -----------------------------------------------------------------------------------------------------------


@wrong_on(SURFACE)
def model_left_out_of_the_group(surface: str, input: Input) -> Answer:
    """Pools the models of an agent."""
    return door.run(surface, {"trials": [{**trial, "model": None} for trial in input["trials"]]})


@wrong_on(SURFACE)
def groups_never_collide(surface: str, input: Input) -> Answer:
    """Keeps groups apart whose keys are spelled alike."""
    groups: dict[Any, list[Any]] = {}
    for trial in input["trials"]:
        groups.setdefault((trial["agent"], trial["model"] or None, trial["source"] or "adhoc"), []).append(trial)
    found: dict[str, Any] = {}
    for trials in groups.values():
        found.update(door.run(surface, {"trials": trials})["value"])
    return {"value": found}


@wrong_on(SURFACE)
def groups_without_k_reported(surface: str, input: Input) -> Answer:
    """Reports {} for a group that has no pass@k."""
    keys = dict.fromkeys(evals_key(door._trial(trial)) for trial in input["trials"])
    found = door.run(surface, input)["value"]
    return {"value": {key: found.get(key, {}) for key in keys}}


@wrong_on(SURFACE)
def tasks_pooled(surface: str, input: Input) -> Answer:
    """Counts the attempts of a group instead of those of each task."""
    return door.run(surface, {"trials": [{**trial, "task": "t"} for trial in input["trials"]]})


@wrong_on(SURFACE)
def a_name_counts_once(surface: str, input: Input) -> Answer:
    """Takes trials of one name for one trial."""
    return door.run(surface, {"trials": list({trial["name"]: trial for trial in input["trials"]}.values())})
