"""Naive strategies: the ones that one writes first, from the types of a case's fields.

The key `reward` comes half of the time, which is more than naive: without it hardly anything is scored.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from string import ascii_lowercase
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from parity.codec import Record
from parity.telling import DANGLING, DIRECTORY, own

ACTIONS = (None, "fail", "RuntimeError", "CancelledError", "TimeoutError")
FILE_NAME = ascii_lowercase + "_-"
METRICS = ("mean", "max", "min", "sum")
STRATEGIES = (None, "mean", "final")
_count = st.integers(min_value=0)
_report = st.none() | _count
_number = st.one_of(st.integers(), st.floats())
_name = st.one_of(st.just("reward"), st.text())
_rewards = st.none() | st.dictionaries(_name, _number).map(own)
_document = st.dictionaries(_name, st.one_of(_number, st.booleans(), st.text(), st.none()))


def _record(**fields: SearchStrategy[Any]) -> SearchStrategy[Record]:
    return st.fixed_dictionaries(fields).map(Record)


def _result(fields: Record) -> Record:
    return fields if fields["verified"] else Record({**fields, "rewards": None})


_trial = _record(
    task=st.text(),
    name=st.text(),
    source=st.none() | st.text(),
    agent=st.text(),
    model=st.none() | st.text(),
    verified=st.booleans(),
    rewards=_rewards,
    exception=st.none() | st.text(),
    tokens=st.none() | _record(input=_report, cache=_report, output=_report, cost_usd=st.none() | st.floats()),
).map(_result)


_file = st.one_of(st.none(), st.binary(), st.sampled_from((DIRECTORY, DANGLING)))
_txt = _number.map(lambda number: repr(number).encode())
_json = _document.map(lambda value: json.dumps(value).encode())
_files = {"reward.txt": _file | _txt, "reward.json": _file | _json}


def _reward_files() -> SearchStrategy[Record]:
    return _record(**_files)


def _metric() -> SearchStrategy[Record]:
    return _record(metric=st.sampled_from(METRICS), rewards=st.lists(_rewards))


def _pass_at_k() -> SearchStrategy[Record]:
    return _record(trials=st.lists(_trial))


@st.composite
def _job_stats(draw: DrawFn) -> Record:
    steps: list[Record] = []
    seen = 0
    for op, trial, index in draw(st.lists(st.tuples(st.sampled_from(("add", "remove", "replace")), _trial, _count))):
        if op == "remove" and seen:
            steps.append(Record(op=op, trial=index % seen))
        elif op != "remove":
            again = op == "replace" and seen
            steps.append(Record(op=op, trial=trial, previous=index % seen) if again else Record(op="add", trial=trial))
            seen += 1
    return Record(n_total_trials=draw(st.none() | _count), n_retries=draw(_count), steps=steps)


def _multi_step() -> SearchStrategy[Record]:
    step = _record(verified=st.booleans(), rewards=_rewards).map(_result)
    return _record(strategy=st.sampled_from(STRATEGIES), steps=st.lists(step))


def _min_reward() -> SearchStrategy[Record]:
    return _record(rewards=_rewards, min_reward=st.one_of(_number, st.dictionaries(_name, _number)))


def _job_result() -> SearchStrategy[Record]:
    moment = st.datetimes().map(lambda value: value.isoformat())
    return _record(
        id=st.uuids().map(str),
        started_at=moment,
        finished_at=moment,
        n_attempts=st.integers(1, 5),
        n_retries=_count,
        metrics=st.dictionaries(st.just("adhoc") | st.text(), st.lists(st.sampled_from(METRICS))),
        trials=st.lists(_trial),
    )


# --- Whole jobs -------------------------------------------------------------------------------------------------------

_file_name = st.text(FILE_NAME, min_size=1)
_finite = st.floats(allow_nan=False, allow_infinity=False)
_short_action = st.sampled_from(ACTIONS)
_action = st.sampled_from((*ACTIONS, "hang"))
_spent = st.none() | _record(input=_report, cache=_report, output=_report, cost_usd=st.none() | _finite)
_metrics = st.lists(st.sampled_from(METRICS))


def _said(**fields: SearchStrategy[Any]) -> SearchStrategy[Record]:
    """Leave out what is null, which says the same."""
    return _record(**fields).map(
        lambda record: Record({name: value for name, value in record.items() if value is not None})
    )


_step_play = _said(
    **_files,
    tokens=_spent,
    setup=_short_action,
    health=_short_action,
    agent=_action,
    upload=_action,
    verifier=_action,
)
_play = _said(
    **_files,
    tokens=_spent,
    start=_action,
    health=_short_action,
    install=_action,
    agent=_action,
    upload=_action,
    verifier=_action,
    stop=_short_action,
    steps=st.lists(_step_play, max_size=3),
)
_threshold = st.none() | _number | st.dictionaries(_name, _number)
_task = {
    "name": _file_name,
    "steps": st.none() | st.lists(_record(name=_file_name, min_reward=_threshold), max_size=3),
    "strategy": st.sampled_from(STRATEGIES),
    "separate": st.booleans(),
    "plays": st.lists(st.lists(_play, max_size=3), max_size=3),
}


def _job_run() -> SearchStrategy[Record]:
    tasks = st.lists(_record(**_task), max_size=3, unique_by=lambda task: task["name"])
    dataset = _record(name=_file_name, registry=st.booleans(), metrics=_metrics, tasks=tasks)
    few = st.integers(0, 3)
    again = _record(
        after=st.none() | few, by=st.sampled_from(("kill", "cancel")), order=st.lists(few, unique=True, max_size=3)
    )
    return _record(
        tasks=st.lists(_record(**_task, source=st.none() | st.text()), max_size=3),
        datasets=st.lists(dataset, max_size=2),
        agents=st.lists(_record(name=st.text(), model=st.none() | st.text()), min_size=1, max_size=2),
        n_attempts=few,
        metrics=_metrics,
        retry=_record(max_retries=few),
        verify=st.booleans(),
        resume=st.lists(again, max_size=2),
    )


NAIVE: dict[str, Callable[[], SearchStrategy[Record]]] = {
    "reward_files": _reward_files,
    "metric": _metric,
    "pass_at_k": _pass_at_k,
    "job_stats": _job_stats,
    "multi_step": _multi_step,
    "min_reward": _min_reward,
    "job_result": _job_result,
    "job_run": _job_run,
}
