"""Inputs of cases read from a fuzzer's bytes, in the way of atheris's own examples.

They have the fields and the kinds of values that the naive strategies have.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, TypeVar
from uuid import UUID

import atheris

from parity.codec import Record
from parity.telling import DANGLING, DIRECTORY, own
from tests.power.naive import METRICS, STRATEGIES

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

    def moment(self) -> str:
        return (datetime(1, 1, 1) + timedelta(microseconds=self.count(10**16))).isoformat()  # noqa: DTZ001


def _reward_files(data: Provider) -> Record:
    txt = data.file(lambda: repr(data.number()))
    document = data.file(lambda: json.dumps(data.dictionary(data.json_value)))
    return Record({"reward.txt": txt, "reward.json": document})


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
        metrics={
            "adhoc" if data.flag() else data.text(): [data.pick(METRICS) for _ in range(data.count(4))]
            for _ in range(data.count(4))
        },
        trials=data.items(data.trial),
    )


INPUTS: dict[str, Callable[[Provider], Record]] = {
    "reward_files": _reward_files,
    "metric": _metric,
    "pass_at_k": _pass_at_k,
    "job_stats": _job_stats,
    "multi_step": _multi_step,
    "min_reward": _min_reward,
    "job_result": _job_result,
}
