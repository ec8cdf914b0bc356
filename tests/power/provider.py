"""Inputs of cases read from a fuzzer's bytes, in the way of atheris's own examples.

They have the fields and the kinds of values that the naive strategies have.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, TypeVar
from uuid import UUID

import atheris

from parity.codec import Record
from parity.telling import DANGLING, DIRECTORY, own
from tests.power.naive import ACTIONS, FILE_NAME, METRICS, STRATEGIES

T = TypeVar("T")

LONGEST = 20
"""Items of a list, or characters of a text."""


class Provider:
    """Turns bytes into values; when they are used up, every number is 0 and every text empty."""

    def __init__(self, data: bytes) -> None:
        self._data = atheris.FuzzedDataProvider(data)

    def flag(self) -> bool:
        return bool(self._data.ConsumeBool())

    def count(self, most: int = 2**63 - 1) -> int:
        return int(self._data.ConsumeIntInRange(0, most))

    def text(self) -> str:
        return str(self._data.ConsumeUnicodeNoSurrogates(self.count(LONGEST)))

    def content(self) -> bytes:
        return bytes(self._data.ConsumeBytes(self.count(4 * LONGEST)))

    def decimal(self) -> float:
        return float(self._data.ConsumeFloat())

    def number(self) -> int | float:
        return int(self._data.ConsumeInt(16)) if self.flag() else self.decimal()

    def pick(self, values: tuple[T, ...]) -> T:
        return values[self.count(len(values) - 1)]

    def optional(self, read: Callable[[], T]) -> T | None:
        return read() if self.flag() else None

    def items(self, read: Callable[[], T]) -> list[T]:
        return [read() for _ in range(self.count(LONGEST))]

    def dictionary(self, read: Callable[[], T]) -> dict[str, T]:
        return {"reward" if self.flag() else self.text(): read() for _ in range(self.count(4))}

    def rewards(self) -> dict[str, Any] | None:
        return own(self.optional(lambda: self.dictionary(self.number)))

    def result(self) -> Record:
        verified = self.flag()
        return Record(verified=verified, rewards=self.rewards() if verified else None)

    def tokens(self) -> Record:
        counts = {name: self.optional(self.count) for name in ("input", "cache", "output")}
        return Record(counts, cost_usd=self.optional(self.decimal))

    def trial(self) -> Record:
        return Record(
            task=self.text(),
            name=self.text(),
            source=self.optional(self.text),
            agent=self.text(),
            model=self.optional(self.text),
            **self.result(),
            exception=self.optional(self.text),
            tokens=self.optional(self.tokens),
        )

    def json_value(self) -> Any:
        reads: tuple[Callable[[], Any], ...] = (self.number, self.flag, self.text, lambda: None)
        return self.pick(reads)()

    def file(self, written: Callable[[], str]) -> Any:
        kind = self.pick(("bytes", "written", None, DIRECTORY, DANGLING))
        return self.content() if kind == "bytes" else written().encode() if kind == "written" else kind

    def files(self) -> dict[str, Any]:
        txt = self.file(lambda: repr(self.number()))
        return {"reward.txt": txt, "reward.json": self.file(lambda: json.dumps(self.dictionary(self.json_value)))}

    def metrics(self) -> list[str]:
        return [self.pick(METRICS) for _ in range(self.count(4))]

    def few(self, read: Callable[[], T]) -> list[T]:
        return [read() for _ in range(self.count(3))]

    def moment(self) -> str:
        return (datetime(1, 1, 1) + timedelta(microseconds=self.count(10**16))).isoformat()  # noqa: DTZ001


def _reward_files(data: Provider) -> Record:
    return Record(data.files())


def _metric(data: Provider) -> Record:
    return Record(metric=data.pick(METRICS), rewards=data.items(data.rewards))


def _pass_at_k(data: Provider) -> Record:
    return Record(trials=data.items(data.trial))


def _job_stats(data: Provider) -> Record:
    steps: list[Record] = []
    seen = 0
    for _ in range(data.count(LONGEST)):
        op = data.pick(("add", "remove", "replace")) if seen else "add"
        if op == "remove":
            steps.append(Record(op=op, trial=data.count(seen - 1)))
            continue
        previous = {"previous": data.count(seen - 1)} if op == "replace" else {}
        steps.append(Record(op=op, trial=data.trial(), **previous))
        seen += 1
    return Record(n_total_trials=data.optional(data.count), n_retries=data.count(), steps=steps)


def _multi_step(data: Provider) -> Record:
    return Record(strategy=data.pick(STRATEGIES), steps=data.items(data.result))


def _min_reward(data: Provider) -> Record:
    threshold = data.number() if data.flag() else data.dictionary(data.number)
    return Record(rewards=data.rewards(), min_reward=threshold)


def _job_result(data: Provider) -> Record:
    return Record(
        id=str(UUID(int=data.count())),
        started_at=data.moment(),
        finished_at=data.moment(),
        n_attempts=1 + data.count(4),
        n_retries=data.count(),
        metrics={"adhoc" if data.flag() else data.text(): data.metrics() for _ in range(data.count(4))},
        trials=data.items(data.trial),
    )


# --- Whole jobs -------------------------------------------------------------------------------------------------------


def _file_name(data: Provider) -> str:
    return data.pick(tuple(FILE_NAME)) + "".join(data.few(lambda: data.pick(tuple(FILE_NAME))))


def _spent(data: Provider) -> Record:
    tokens = data.tokens()
    finite = tokens["cost_usd"] is not None and math.isfinite(tokens["cost_usd"])
    return Record(tokens, cost_usd=tokens["cost_usd"] if finite else None)


def _played(data: Provider, timed: tuple[str, ...], others: tuple[str, ...]) -> Record:
    """Read files, tokens and what each phase does; what is null is left out, which says the same."""
    said = {**data.files(), "tokens": data.optional(lambda: _spent(data))}
    said |= {phase: data.pick((*ACTIONS, "hang")) for phase in timed}
    said |= {phase: data.pick(ACTIONS) for phase in others}
    return Record({name: value for name, value in said.items() if value is not None})


def _play(data: Provider) -> Record:
    play = _played(data, ("start", "install", "agent", "upload", "verifier"), ("health", "stop"))
    return Record(play, steps=data.few(lambda: _played(data, ("agent", "upload", "verifier"), ("setup", "health"))))


def _step(data: Provider) -> Record:
    threshold = data.optional(lambda: data.number() if data.flag() else data.dictionary(data.number))
    return Record(name=_file_name(data), min_reward=threshold)


def _task(data: Provider) -> Record:
    return Record(
        name=_file_name(data),
        steps=data.optional(lambda: data.few(lambda: _step(data))),
        strategy=data.pick(STRATEGIES),
        separate=data.flag(),
        plays=data.few(lambda: data.few(lambda: _play(data))),
    )


def _dataset(data: Provider) -> Record:
    tasks = {task["name"]: task for task in data.few(lambda: _task(data))}  # they are directories
    return Record(name=_file_name(data), registry=data.flag(), metrics=data.metrics(), tasks=list(tasks.values()))


def _resumed(data: Provider) -> Record:
    after, by = data.optional(lambda: data.count(3)), data.pick(("kill", "cancel"))
    return Record(after=after, by=by, order=list(dict.fromkeys(data.few(lambda: data.count(3)))))


def _job_run(data: Provider) -> Record:
    agents = [Record(name=data.text(), model=data.optional(data.text)) for _ in range(1 + data.count(1))]
    return Record(
        tasks=data.few(lambda: Record(_task(data), source=data.optional(data.text))),
        datasets=data.few(lambda: _dataset(data))[:2],
        agents=agents,
        n_attempts=data.count(3),
        metrics=data.metrics(),
        retry=Record(max_retries=data.count(3)),
        verify=data.flag(),
        resume=data.few(lambda: _resumed(data))[:2],
    )


INPUTS: dict[str, Callable[[Provider], Record]] = {
    "reward_files": _reward_files,
    "metric": _metric,
    "pass_at_k": _pass_at_k,
    "job_stats": _job_stats,
    "multi_step": _multi_step,
    "min_reward": _min_reward,
    "job_result": _job_result,
    "job_run": _job_run,
}
