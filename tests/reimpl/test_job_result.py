from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime, timezone
from typing import Any
from uuid import UUID

import pytest

from reimpl import job_result
from reimpl.job_result import job_result_json
from reimpl.metrics import compute_metric
from reimpl.pass_at_k import pass_at_k
from reimpl.render import PydanticSerializationError
from reimpl.trial import TokenUsage, Trial

ID = "00000000-0000-4000-8000-00000000000a"


def trial(name: str, reward: float | None = None, **fields: Any) -> Trial:
    fields = {"task": "t", "agent": "a", "rewards": None if reward is None else {"reward": reward}} | fields
    return Trial(name=name, **fields)


def rendered(*trials: Trial, metrics: dict[str, list[str]] | None = None, **fields: Any) -> bytes:
    times = {"started_at": "2024-01-02T03:04:05", "finished_at": "2024-01-02T03:04:06.5"}
    return job_result_json(**{"id": ID, "metrics": metrics or {"adhoc": ["mean"]}, "trials": trials} | times | fields)


def evals(*trials: Trial, metrics: dict[str, list[str]] | None = None) -> Any:
    return json.loads(rendered(*trials, metrics=metrics))["stats"]["evals"]


class TestFile:
    """The file has harbor's fields in harbor's order."""

    def test_whole(self) -> None:
        usage = TokenUsage(input=10, output=2, cost_usd=1e-05)
        result = rendered(trial("x", 1.0, tokens=usage), trial("y", 0, exception="E"), n_retries=3)
        assert result.decode().split("\n") == [
            "{",
            f'    "id": "{ID}",',
            '    "started_at": "2024-01-02T03:04:05",',
            '    "updated_at": "2024-01-02T03:04:06.500000",',
            '    "finished_at": "2024-01-02T03:04:06.500000",',
            '    "n_total_trials": 2,',
            '    "stats": {',
            '        "n_completed_trials": 2,',
            '        "n_errored_trials": 1,',
            '        "n_running_trials": 0,',
            '        "n_pending_trials": 0,',
            '        "n_cancelled_trials": 0,',
            '        "n_retries": 3,',
            '        "evals": {',
            '            "a__adhoc": {',
            '                "n_trials": 2,',
            '                "n_errors": 1,',
            '                "metrics": [',
            "                    {",
            '                        "mean": 0.5',
            "                    }",
            "                ],",
            '                "pass_at_k": {',
            '                    "2": 1.0',
            "                },",
            '                "reward_stats": {',
            '                    "reward": {',
            '                        "1.0": [',
            '                            "x"',
            "                        ],",
            '                        "0": [',
            '                            "y"',
            "                        ]",
            "                    }",
            "                },",
            '                "exception_stats": {',
            '                    "E": [',
            '                        "y"',
            "                    ]",
            "                }",
            "            }",
            "        },",
            '        "n_input_tokens": 10,',
            '        "n_cache_tokens": null,',
            '        "n_output_tokens": 2,',
            '        "cost_usd": 0.00001',
            "    }",
            "}",
        ]

    def test_no_trials(self) -> None:
        assert b'"n_total_trials": 0,' in rendered()
        assert b'"evals": {},' in rendered()

    def test_trials_are_read_once(self) -> None:
        trials = (trial("x", 1.0), trial("y", 0.0))
        lazily: Iterator[Trial] = iter(trials)
        assert rendered(trials=lazily) == rendered(*trials)
        assert list(lazily) == []

    def test_cancelled_trials_are_counted_by_name(self) -> None:
        cancelled = [trial(name, exception="CancelledError") for name in ("x", "y", "x")]
        assert b'"n_errored_trials": 3,' in rendered(*cancelled)
        assert b'"n_cancelled_trials": 2,' in rendered(*cancelled)


class TestMetricsFromElsewhere:
    """A metric may be computed elsewhere, from the rewards of a group's trials in order."""

    def test_it_is_given_none_for_a_trial_without_a_result(self) -> None:
        given: list[Any] = []
        metrics: Any = {"adhoc": ["mean", lambda rewards: given.append(list(rewards))]}
        trials = (trial("x", 0.5), trial("y", 1, verified=False), trial("z"))
        found = json.loads(rendered(*trials, metrics=metrics))["stats"]["evals"]["a__adhoc"]["metrics"]
        assert given == [[{"reward": 0.5}, None, None]]
        assert found == [{"mean": 0.5 / 3}, None]


class TestIdAndTimes:
    """An id and times are taken as values or as the text of a result file, and written in one form."""

    @pytest.mark.parametrize("text", [ID, ID.upper(), ID.replace("-", ""), f"{{{ID}}}", f"urn:uuid:{ID}"])
    def test_id_forms(self, text: str) -> None:
        assert rendered(id=text) == rendered(id=UUID(text)) == rendered()

    @pytest.mark.parametrize(
        ("text", "written"),
        [
            ("2024-01-02T03:04:05", "2024-01-02T03:04:05"),
            ("2024-01-02 03:04:05", "2024-01-02T03:04:05"),
            ("2024-01-02T03:04:05.000000", "2024-01-02T03:04:05"),
            ("2024-01-02T03:04:05.5", "2024-01-02T03:04:05.500000"),
            ("2024-01-02T03:04:05.123456789", "2024-01-02T03:04:05.123456"),
            ("2024-01-02T03:04:05Z", "2024-01-02T03:04:05Z"),
            ("2024-01-02T03:04:05+00:00", "2024-01-02T03:04:05Z"),
            ("2024-01-02T03:04:05.000001-05:30", "2024-01-02T03:04:05.000001-05:30"),
            ("2024-01-02T03:04:05+00:00:30", "2024-01-02T03:04:05+00:00"),
        ],
    )
    def test_time_forms(self, text: str, written: str) -> None:
        assert f'"started_at": "{written}",' in rendered(started_at=text).decode()
        assert rendered(finished_at=text).decode().count(f'"{written}"') == (
            3 if written == "2024-01-02T03:04:05" else 2
        )

    def test_time_as_a_value(self) -> None:
        moment = datetime(2024, 1, 2, 3, 4, 5, tzinfo=timezone.utc)
        assert rendered(started_at=moment) == rendered(started_at="2024-01-02T03:04:05Z")

    def test_python_is_given_no_z(self, monkeypatch: pytest.MonkeyPatch) -> None:
        class Datetime(datetime):
            """One that reads what that of Python 3.10 does."""

            @classmethod
            def fromisoformat(cls, text: str, /) -> Datetime:
                assert "Z" not in text
                return super().fromisoformat(text)

        monkeypatch.setattr(job_result, "datetime", Datetime)
        assert b'"started_at": "2024-01-02T03:04:05Z",' in rendered(started_at="2024-01-02T03:04:05Z")

    @pytest.mark.parametrize("text", ["", "now", "2024-01-02", "20240102T030405", "2024-13-02T03:04:05", "1704164645"])
    def test_not_a_time(self, text: str) -> None:
        with pytest.raises(ValueError, match=r".+"):
            rendered(started_at=text)

    def test_not_an_id(self) -> None:
        with pytest.raises(ValueError, match="badly formed"):
            rendered(id="x")


class TestMetrics:
    """A group has the metrics of the dataset named by the last part of its key, in their order."""

    def test_in_order_and_repeated(self) -> None:
        metrics = {"adhoc": ["sum", "max", "sum"]}
        assert evals(trial("x", 1), metrics=metrics)["a__adhoc"]["metrics"] == [{"sum": 1}, {"max": 1}, {"sum": 1}]

    def test_unknown_dataset_has_none(self) -> None:
        assert evals(trial("x", 1, source="other"))["a__other"]["metrics"] == []

    @pytest.mark.parametrize(
        ("source", "dataset"),
        [("my__bench", "bench"), ("x__adhoc", "adhoc"), ("a___b", "_b"), ("bench__", ""), ("_", "_")],
    )
    def test_last_part_of_the_key(self, source: str, dataset: str) -> None:
        (group,) = evals(trial("x", 1, source=source), metrics={source: ["min"], dataset: ["max"]}).values()
        assert group["metrics"] == [{"max": 1}]

    def test_underscores_at_a_seam_move_into_the_last_part(self) -> None:
        trials = [trial("x", 1, agent="a_", source="b")]
        assert evals(*trials, metrics={"b": ["mean"], "_b": ["max"]})["a___b"]["metrics"] == [{"max": 1}]

    def test_colliding_groups_are_scored_together(self) -> None:
        trials = [trial("x", 1, agent="a__b", source="c"), trial("y", 0, agent="a", model="b", source="c")]
        assert evals(*trials, metrics={"c": ["mean"]})["a__b__c"]["metrics"] == [{"mean": 0.5}]

    def test_no_verifier_result_counts_as_zero(self) -> None:
        trials = [trial("x", 1.0), trial("y", 1.0, verified=False), trial("z")]
        assert evals(*trials)["a__adhoc"]["metrics"] == [{"mean": 1 / 3}]

    def test_nan_is_null(self) -> None:
        assert evals(trial("x", float("nan")))["a__adhoc"]["metrics"] == [{"mean": None}]

    def test_a_failing_metric_fails_the_job(self) -> None:
        trials = [trial("x\ud800", 1), trial("y", 10**400, agent="b")]
        with pytest.raises(OverflowError, match="integer division result too large for a float"):
            rendered(*trials)
        with pytest.raises(PydanticSerializationError):
            rendered(*trials, metrics={"adhoc": ["max"]})

    def test_a_sum_past_the_digit_limit_is_written(self) -> None:
        result = rendered(trial("x", 9 * 10**4299), trial("y", 9 * 10**4299), metrics={"adhoc": ["sum"]})
        assert b'"sum": 18' + b"0" * 4299 in result


def mixed_trials() -> list[Trial]:
    """Trials of several groups: scarce keys, keys out of order, empty and missing rewards."""
    rewards: list[dict[str, int | float] | None] = [{"b": 1}, None, {"a": 0.5, "b": 2.0}, {}, {"c": -0.0}, {"b": 3}]
    return [
        Trial(task=f"t{number % 2}", name=f"n{number}", agent=agent, rewards=rewards[number % len(rewards)])
        for number in range(12)
        for agent in ("a", "b")
    ]


class TestInput:
    """Nothing is guessed: what is left out has one meaning, and what is no time is refused by name."""

    def test_no_retries_unless_told(self) -> None:
        assert rendered() == rendered(n_retries=0)

    @pytest.mark.parametrize("text", ["", "2024-01-02", "٢٠٢٤-٠١-٠٢T٠٣:٠٤:٠٥", "2024-01-02T03:04:05z"])
    def test_no_time(self, text: str) -> None:
        with pytest.raises(ValueError, match=f"^not a time as in a result file: '{text}'$"):
            rendered(started_at=text)


class TestOneRule:
    """What the file says of a group is what the metric and pass@k functions say of its trials."""

    @pytest.mark.parametrize("metric", ["mean", "max", "min", "sum"])
    def test_metrics(self, metric: str) -> None:
        trials = mixed_trials()
        expected = compute_metric(metric, [item.rewards for item in trials if item.agent == "a"])
        assert evals(*trials, metrics={"adhoc": [metric]})["a__adhoc"]["metrics"] == [expected]

    def test_pass_at_k(self) -> None:
        trials = [trial(f"n{n}", int(n % 3 == 0), task=f"t{n % 4}", agent=f"a{n % 2}") for n in range(88)]
        expected = pass_at_k(trials)
        assert [*expected["a0__adhoc"]] == [2, 4, 5, 8, 10, 15, 16, 20]
        found = {key: group["pass_at_k"] for key, group in evals(*trials).items()}
        assert found == {key: {str(k): value for k, value in ks.items()} for key, ks in expected.items()}

    @pytest.mark.parametrize("k", [2, 5, 256, 1000, 1980])
    def test_pass_at_k_is_the_product_of_its_own_factors(self, k: int) -> None:
        trials = [trial(f"n{n}", int(n % 100 == 0)) for n in range(2000)]
        product = 1.0
        for drawn in range(k):
            product *= (1980 - drawn) / (2000 - drawn)
        assert evals(*trials)["a__adhoc"]["pass_at_k"][str(k)] == 1.0 - product
