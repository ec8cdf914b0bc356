"""A case is told with nothing in it that its difference does not need."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from parity.codec import Record, encode
from parity.implementation import ORACLE, Implementation
from parity.judge import Finding, Judge
from parity.reduction import reduced
from parity.shape import fault


def attempts(failures: int) -> Record:
    """Return the attempts of a task of which the last succeeds."""
    names = ("source", "model", "exception", "tokens")
    trial = Record(task="t", agent="a", verified=True, **dict.fromkeys(names))
    rewards = [{"reward": 0}] * failures + [{"reward": 1}]
    return Record(trials=[Record(trial, name=f"t__{i}", rewards=each) for i, each in enumerate(rewards)])


def job(**metrics: list[str]) -> Record:
    times = dict.fromkeys(("started_at", "finished_at"), "2026-01-02T03:04:05")
    return Record(attempts(3), id=str(UUID(int=0)), **times, n_attempts=1, n_retries=0, metrics=metrics)


class Wrong:
    """A miniature that is compared with harbor."""

    def __init__(self, name: str, surface: str) -> None:
        self._judge, self._surface = Judge(Implementation(name, f"tests.miniatures:{name}"), ORACLE), surface

    def check(self, inputs: Any) -> list[Finding | None]:
        return self._judge.findings(self._surface, inputs)

    def reduced(self, input: Record) -> Finding:
        [finding] = self.check([input])
        assert finding
        return reduced(finding, self.check)


class TestReduced:
    """Parts are left out as long as the case shows the same."""

    def test_what_can_only_go_together_goes(self) -> None:
        wrong = Wrong("closed_form", "pass_at_k")
        assert wrong.check([attempts(6), attempts(7)]) == [None, None]
        assert wrong.reduced(attempts(8)).case.input["trials"] == encode(attempts(8)["trials"][4:])

    def test_nothing_is_left_of_what_does_not_matter(self) -> None:
        odd = Record(job(adhoc=["mean", "max"], c=["sum"]), finished_at="2026-01-02T03:04:05.100000")
        least = Wrong("newline_at_the_end", "job_result").reduced(odd).case.input
        assert least == encode(Record(job(), trials=[]))

    def test_what_need_not_be_odd_is_not(self) -> None:
        files = Record({"reward.txt": b"-0.0\n", "reward.json": b' {"reward": "x"}'})
        least = Wrong("txt_before_json", "reward_files").reduced(files).case.input
        assert least == encode(Record({"reward.txt": b"0", "reward.json": b"0"}))
        threshold = Record(rewards={"speed": 17}, min_reward=-7.25)
        least = Wrong("missing_reward_is_zero", "min_reward").reduced(threshold).case.input
        assert least == encode(Record(rewards={}, min_reward=0.0))

    def test_what_may_be_absent_is(self) -> None:
        plain = Record(attempts(0)["trials"][0], rewards={})
        odd = Record(plain, model="m", source="d", exception="RuntimeError", rewards={"reward": 1})
        tokens = [Record(input=1, cache=0, output=2, cost_usd=cost) for cost in (0.1, 0.2, 0.3)]
        steps = [Record(op="add", trial=Record(odd, tokens=each)) for each in tokens]
        added = Record(n_total_trials=3, n_retries=0, steps=steps)
        least = Wrong("cost_with_sum", "job_stats").reduced(added).case.native()["steps"]
        left = [Record(dict.fromkeys(each), cost_usd=each["cost_usd"]) for each in tokens]
        assert [step["trial"] for step in least] == [Record(plain, tokens=each) for each in left]

    @pytest.mark.parametrize("most", [0, 1, 10])
    def test_no_more_than_so_many_inputs_are_tried(self, most: int) -> None:
        wrong = Wrong("closed_form", "pass_at_k")
        [finding] = wrong.check([attempts(40)])
        assert finding
        tried: list[Any] = []

        def check(inputs: Any) -> list[Finding | None]:
            tried.extend(inputs)
            return wrong.check(inputs)

        least = reduced(finding, check, most)
        assert len(tried) == most
        assert least.fingerprint == finding.fingerprint

    def test_what_is_left_shows_the_same_fingerprint(self) -> None:
        wrong = Wrong("ties_to_the_last", "metric")
        rewards = [{"reward": 0, "speed": 0.0}, {"reward": 0.0, "speed": 0}]
        [finding] = wrong.check([Record(metric="max", rewards=rewards)])
        assert finding
        assert len(finding.fingerprints) > 1
        for name in finding.fingerprints:
            assert reduced(finding.about(name), wrong.check).fingerprint == name

    def test_what_is_left_is_a_case(self) -> None:
        heard: list[Any] = []
        wrong = Wrong("closed_form", "pass_at_k")
        [finding] = wrong.check([attempts(4)])
        assert finding

        def check(inputs: Any) -> list[Finding | None]:
            heard.extend(inputs)
            return [None] * len(inputs)

        assert reduced(finding, check) is finding
        assert heard
        assert not any(fault("pass_at_k", encode(input)) for input in heard)
