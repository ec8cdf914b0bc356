"""The surfaces: what each compares, and the relaxations that belong to it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches

from parity.codec import Json, canonical
from parity.errors import CannotRunError


@dataclass(frozen=True)
class Relaxation:
    """A named exception to bit-exactness, for one field of one surface."""

    name: str
    reason: str
    apply: Callable[[Json, Json], Json]
    """Takes the encoded input and an encoded outcome, and returns the outcome to compare."""


@dataclass(frozen=True)
class Surface:
    """One scoring behaviour, by its name in docs/protocol.md."""

    name: str
    summary: str
    rules: str
    """Where the rule stands: the section of the specification and the facts."""
    relaxations: tuple[Relaxation, ...] = ()
    recorded: str = ""
    """Where the outcomes come from if there is no live oracle: they can be replayed, and not searched."""
    weight: int = 1
    """How many times a case takes the oracle what one of another surface does: that many fewer are generated."""

    def relaxed(self, input: Json, outcome: Json) -> Json:
        """Return the outcome as it is compared."""
        for relaxation in self.relaxations:
            outcome = relaxation.apply(input, outcome)
        return outcome


def _any_key_order_of_a_mean(input: Json, outcome: Json) -> Json:
    if input["strategy"] == "final":
        return outcome
    if "error" in outcome:
        # Two keys may overflow with different messages, and the one that comes first is told.
        names = {key for step in input["steps"] if step["rewards"] for key, _ in step["rewards"]["dict"]}
        if outcome["error"]["type"] == "OverflowError" and len(names) > 1:
            return {"error": {"type": "OverflowError", "message": "of the first key"}}
        return outcome
    match outcome:
        case {"value": {"rewards": {"dict": pairs}}}:
            return {"value": {**outcome["value"], "rewards": {"dict": sorted(pairs, key=canonical)}}}
    return outcome


MEAN_KEY_ORDER = Relaxation(
    name="multi-step-mean-key-order",
    reason="harbor iterates a set of strings, so which key comes first follows the process's hash seed (fact 91)",
    apply=_any_key_order_of_a_mean,
)


def _any_key_order_in_a_job(input: Json, outcome: Json) -> Json:
    """Do the same for a whole job: in the trials that have steps, and in the statistics of its files."""
    owners = ({"tasks": input.get("tasks", ())}, *input.get("datasets", ()))
    tasks = (task for owner in owners for task in owner.get("tasks", ()))
    if not any(task.get("steps") and task.get("strategy") != "final" for task in tasks):
        return outcome
    match outcome:
        case {"value": {"runs": [*runs], "trials": [*trials]}}:
            return {"value": {"runs": [*map(_run_in_order, runs)], "trials": [*map(_trial_in_order, trials)]}}
    return outcome


def _trial_in_order(trial: Json) -> Json:
    match trial:
        case {"steps": [*_], "rewards": {"dict": pairs}}:
            return {**trial, "rewards": {"dict": sorted(pairs, key=canonical)}}
        case {"steps": [*steps], "exception": {"type": "OverflowError"}}:
            rewards = (step["rewards"] for step in steps if step["rewards"])
            if len({key for each in rewards for key, _ in each["dict"]}) > 1:
                return {**trial, "exception": {"type": "OverflowError", "message": "of the first key"}}
    return trial


def _run_in_order(run: Json) -> Json:
    match run:
        case {"error": error, "result": result, "late": late}:
            files = {"result": result and _file_in_order(result), "late": late and _file_in_order(late)}
            return {**run, "error": error and _error_in_order(error), **files}
    return run


def _error_in_order(error: Json) -> Json:
    """Sort what is said of the mean of a trial that a resumed run cannot read back."""
    match error:
        case {"details": [*details]}:
            means = [each for each in details if each["loc"][:2] == ["verifier_result", "rewards"]]
            others = [each for each in details if each not in means]
            return {**error, "details": sorted(means, key=canonical) + others}
    return error


def _file_in_order(file: Json) -> Json:
    """Sort the keys of `reward_stats` in a rendered file; all its other bytes stay as they are."""
    match file:
        case {"bytes": str(text)}:
            return {"bytes": _REWARD_STATS.sub(_sorted_keys, text)}
    return file


_REWARD_STATS = re.compile(r'(?<=\n {16}"reward_stats": \{\n).*?(?=\n {16}\})', re.DOTALL)


def _sorted_keys(match: re.Match[str]) -> str:
    return ",\n".join(sorted(re.split(r",\n(?= {20}\S)", match[0])))


JOB_KEY_ORDER = Relaxation(
    name="job-run-mean-key-order",
    reason="the order of keys of a multi-step mean follows the hash seed (fact 91), and with it that of reward_stats, "
    "and of what is refused when a job is resumed",
    apply=_any_key_order_in_a_job,
)


def _any_error(input: Json, outcome: Json) -> Json:
    del input
    return {"error": {"type": "an error", "message": ""}} if "error" in outcome else outcome


RECORDED_ERRORS = Relaxation(
    name="recorded-errors",
    reason="the recordings say that an input is refused, in the words of other programs or in none",
    apply=_any_error,
)

_ALL = (
    Surface(
        name="reward_files",
        summary="reward.txt and reward.json → rewards",
        rules="spec 1, facts 1 to 26",
    ),
    Surface(
        name="metric",
        summary="mean, max, min and sum over trials' rewards",
        rules="spec 3, facts 27 to 45",
    ),
    Surface(
        name="pass_at_k",
        summary="pass@k for each group of trials",
        rules="spec 4, facts 60 to 68",
    ),
    Surface(
        name="job_stats",
        summary="statistics while trials come, go and are replaced",
        rules="spec 3, facts 38 and 46 to 58",
    ),
    Surface(
        name="multi_step",
        summary="a trial's rewards from those of its steps",
        rules="spec 4, facts 87 to 91",
        relaxations=(MEAN_KEY_ORDER,),
    ),
    Surface(
        name="min_reward",
        summary="whether a step's rewards let the trial go on",
        rules="fact 92",
    ),
    Surface(
        name="job_result",
        summary="the bytes of a finished job's result.json",
        rules="spec 3, facts 46 to 58 and 69",
    ),
    Surface(
        name="job_run",
        summary="a whole job: its trials, and result.json after every run",
        rules="spec 2 to 4, facts 57 to 93",
        relaxations=(JOB_KEY_ORDER,),
        weight=5,
    ),
    Surface(
        name="outcome",
        summary="a job's result.json → the consumer's BASE_BENCHMARK_RESULT line",
        rules="spec 5, facts 94 to 104",
        recorded="the block printed in section 5 of the specification document, executed",
    ),
    Surface(
        name="reason_code",
        summary="the text of a failure → a reason code",
        rules="spec 1.4, facts 105 to 109",
        recorded="a hand transcription of the consumer's normaliser, executed: the weakest of the recordings",
    ),
    Surface(
        name="rubric",
        summary="scores of dimensions → one reward",
        rules="scoring document, reward rollup",
        relaxations=(RECORDED_ERRORS,),
        recorded="the original scorer, executed; refusals were set by hand",
    ),
    Surface(
        name="evaluation",
        summary="reward.json and details.json → an evaluation result",
        rules="scoring document, verifier contract and validity gates",
        relaxations=(RECORDED_ERRORS,),
        recorded="the original ingestion code, executed",
    ),
)
SURFACES: dict[str, Surface] = {surface.name: surface for surface in _ALL}
LIVE: dict[str, Surface] = {surface.name: surface for surface in _ALL if not surface.recorded}
"""The surfaces that a live oracle answers."""


def chosen(names: list[str] | None) -> list[Surface]:
    """Return the surfaces of these names, or all of them, in the order of the table."""
    for name in names or ():
        if name not in SURFACES:
            close = get_close_matches(name, SURFACES, 1)
            hint = f"did you mean {close[0]}?" if close else f"choose from {', '.join(SURFACES)}"
            raise CannotRunError(f"unknown surface {name!r}: {hint}")
    return [surface for surface in SURFACES.values() if not names or surface.name in names]
