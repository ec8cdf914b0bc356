"""Each relaxation is needed, because the oracle disagrees with itself, and covers no more than that."""

from __future__ import annotations

import json

from parity.case import Case
from parity.codec import Json, Record
from parity.judge import diverging
from parity.surfaces import JOB_KEY_ORDER, LIVE, MEAN_KEY_ORDER
from tests.cli import parity

KEYS = ("alpha", "correctness", "style", "speed")
STEPS = [Record(verified=True, rewards=dict.fromkeys(KEYS, 1.0))]


def case(strategy: str | None) -> Case:
    return Case.of("multi_step", Record(strategy=strategy, steps=STEPS))


def oracle_outcome(case: Case, hash_seed: int) -> Json:
    """Ask the oracle in a fresh process under this hash seed."""
    request = {"cmd": "run", "seq": 1, **case.to_json()}
    done = parity("serve", "oracle", stdin=json.dumps(request) + "\n", PYTHONHASHSEED=str(hash_seed))
    answer = json.loads(done.stdout)
    del answer["seq"]
    return answer


class TestMultiStepMeanKeyOrder:
    """harbor builds a mean's keys from a set, so their order follows the hash seed, and nothing else does."""

    def test_the_oracle_disagrees_with_itself_under_other_hash_seeds(self) -> None:
        outcomes = [oracle_outcome(case("mean"), seed) for seed in range(4)]
        orders = {tuple(key for key, _ in outcome["value"]["rewards"]["dict"]) for outcome in outcomes}
        assert len(orders) > 1
        assert {frozenset(order) for order in orders} == {frozenset(KEYS)}
        assert all(diverging(case("mean"), outcomes[0], other) is None for other in outcomes[1:])

    def test_so_does_the_message_when_two_keys_overflow(self) -> None:
        rewards = ({"a": 10**400, "b": 0.5, "c": 10**400, "d": 0.5}, {"b": 10**400, "d": 10**400})
        steps = [Record(verified=True, rewards=each) for each in rewards]
        two = Case.of("multi_step", Record(strategy="mean", steps=steps))
        outcomes = [oracle_outcome(two, seed) for seed in range(6)]
        assert {outcome["error"]["type"] for outcome in outcomes} == {"OverflowError"}
        assert len({outcome["error"]["message"] for outcome in outcomes}) == 2
        assert all(diverging(two, outcomes[0], other) is None for other in outcomes[1:])

    def test_one_key_overflows_with_one_message(self) -> None:
        one = Case.of("multi_step", Record(strategy="mean", steps=[Record(verified=True, rewards={"a": 10**400})]))
        other: Json = {"error": {"type": "OverflowError", "message": "int too large to convert to float"}}
        assert diverging(one, oracle_outcome(one, 0), other) is not None

    def test_a_value_still_counts(self) -> None:
        one: Json = {
            "value": {"verified": True, "rewards": {"dict": [["a", {"float": "1.0"}], ["b", {"float": "0.0"}]]}}
        }
        other: Json = {
            "value": {"verified": True, "rewards": {"dict": [["b", {"float": "-0.0"}], ["a", {"float": "1.0"}]]}}
        }
        found = diverging(case("mean"), one, other)
        assert found is not None
        assert [each.path for each in found.divergences] == ['value.rewards["b"]']

    def test_the_final_step_keeps_its_order(self) -> None:
        one: Json = {"value": {"verified": True, "rewards": {"dict": [["a", {"int": "1"}], ["b", {"int": "1"}]]}}}
        other: Json = {"value": {"verified": True, "rewards": {"dict": [["b", {"int": "1"}], ["a", {"int": "1"}]]}}}
        assert diverging(case("final"), one, other) is not None
        assert diverging(case(None), one, other) is None


def job(strategy: str | None) -> Case:
    rewards = json.dumps(dict.fromkeys(KEYS, 1)).encode()
    play = Record(steps=[Record({"reward.json": rewards})])
    task = Record(name="t", steps=[Record(name="s")], plays=[[play]], **({"strategy": strategy} if strategy else {}))
    return Case.of("job_run", Record(tasks=[task]))


class TestJobRunMeanKeyOrder:
    """In a whole job the same order is that of the trial and of the statistics in its file, and nothing else is."""

    def test_the_oracle_disagrees_with_itself_under_other_hash_seeds(self) -> None:
        outcomes = [oracle_outcome(job(None), seed) for seed in range(3)]
        files = [outcome["value"]["runs"][0]["result"]["bytes"] for outcome in outcomes]
        assert len(set(files)) > 1
        assert len({tuple(sorted(file.replace(",", "").splitlines())) for file in files}) == 1
        assert all(diverging(job(None), outcomes[0], other) is None for other in outcomes[1:])

    def test_so_does_what_is_refused_when_a_job_is_resumed(self) -> None:
        rewards = json.dumps(dict.fromkeys(KEYS, float("nan"))).encode()
        play = Record(steps=[Record({"reward.json": rewards})])
        task = Record(name="t", steps=[Record(name="s")], plays=[[play]])
        resumed = Case.of("job_run", Record(tasks=[task], resume=[Record()]))
        outcomes = [oracle_outcome(resumed, seed) for seed in range(3)]
        details = [outcome["value"]["runs"][1]["error"]["details"] for outcome in outcomes]
        assert len(set(map(str, details))) > 1
        assert all(diverging(resumed, outcomes[0], other) is None for other in outcomes[1:])
        details[1][-1]["type"] = "other"
        assert diverging(resumed, *outcomes[:2]) is not None

    def test_all_else_in_the_file_still_counts(self) -> None:
        one = oracle_outcome(job(None), 0)
        for old, new in (
            ('"alpha": 1.0', '"alpha": 1'),
            ("t__0000000", "t__0000001"),
            ('"1.0": [', '"1": ['),
            ('{\n    "id"', '{\n   "id"'),
            ('"n_trials": 1', '"n_trials": 2'),
            ('"pass_at_k": {},\n                "reward_stats"', '"reward_stats"'),
        ):
            other = json.loads(json.dumps(one))
            file = other["value"]["runs"][0]["result"]
            assert old in file["bytes"]
            file["bytes"] = file["bytes"].replace(old, new, 1)
            assert diverging(job(None), one, other) is not None, old

    def test_the_final_step_keeps_its_order(self) -> None:
        one = oracle_outcome(job("final"), 0)
        other = json.loads(json.dumps(one))
        other["value"]["trials"][0]["rewards"]["dict"].reverse()
        assert diverging(job("final"), one, other) is not None
        assert diverging(job(None), one, other) is None

    def test_so_does_a_trial_without_steps(self) -> None:
        one = oracle_outcome(job(None), 0)
        one["value"]["trials"][0]["steps"] = None
        other = json.loads(json.dumps(one))
        other["value"]["trials"][0]["rewards"]["dict"].reverse()
        assert diverging(job(None), one, other) is not None


def test_they_are_the_only_relaxations_of_live_surfaces() -> None:
    relaxations = [relaxation for surface in LIVE.values() for relaxation in surface.relaxations]
    assert relaxations == [MEAN_KEY_ORDER, JOB_KEY_ORDER]
