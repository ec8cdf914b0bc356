from __future__ import annotations

import json
from itertools import product
from typing import Any

import pytest

from reimpl.job_plan import Agent, metrics_of_sources, planned_trials, read_tasks, trial_name
from reimpl.metric_script import MetricScript
from reimpl.retries import Retries
from tests.reimpl.jobs import HUGE, STEPS, counts, file, group, job, names, only, stats, task, txt


class TestPlan:
    """Trials are planned for each attempt, for each task, for each agent."""

    def test_order(self) -> None:
        tasks = read_tasks({"tasks": [{"name": "t"}, {"name": "u"}]})
        agents = [Agent("a", None), Agent("b", None)]
        planned = [(each.name[-1], each.task.name, each.agent.name) for each in planned_trials(tasks, agents, 2, 0)]
        expected = [(task, agent) for _, task, agent in product(range(2), "tu", "ab")]
        assert planned == [(str(number), *each) for number, each in enumerate(expected)]

    def test_a_name_is_cut_and_loses_what_is_at_its_end(self) -> None:
        assert trial_name("t", 0, 3) == "t__0000003"
        assert trial_name("x_-_", 2, 0) == "x__2000000"
        assert trial_name("n" * 31 + "-yz", 0, 0) == "n" * 31 + "__0000000"
        assert trial_name("-", 0, 0) == "__0000000"
        assert trial_name("X", 0, 0) == "X__0000000"

    def test_plays_begin_again(self) -> None:
        run = job(task("t", txt("0"), txt("1")), n_attempts=3)
        assert [trial.rewards for trial in run.trials] == [{"reward": 0.0}, {"reward": 1.0}, {"reward": 0.0}]

    def test_the_jobs_own_tasks_come_first(self) -> None:
        datasets = [{"name": "d", "tasks": [{"name": "u"}]}]
        assert names(job({"name": "t"}, datasets=datasets)) == ["t__0000000", "u__0000001"]

    def test_a_model_stands_behind_the_first_slash(self) -> None:
        models = (None, "", "m", "p/m", "p/q/m", "p/")
        assert [Agent("a", model).short_model for model in models] == [None, "", "m", "m", "q/m", ""]

    def test_without_tasks_nothing_is_written(self) -> None:
        [run] = job().runs
        assert (run.ended, run.error and run.error.type, run.result) == ("raised", "ValueError", None)

    @pytest.mark.parametrize("nobody", [{"n_attempts": 0}, {"n_attempts": -1}, {"agents": []}])
    def test_without_trials_it_is_finished(self, nobody: Any) -> None:
        run = job({"name": "t"}, **nobody)
        assert (run.runs[0].ended, run.trials, stats(run)["evals"]) == ("finished", [], {})


class TestMetricsOfSources:
    """A dataset has the metrics of the job, a registry's its own before; where there would be none, a mean."""

    def test_default(self) -> None:
        assert metrics_of_sources({"datasets": [{"name": "d"}]}) == {"adhoc": ["mean"], "d": ["mean"]}

    def test_own_metrics_are_a_registrys(self) -> None:
        datasets = [
            {"name": "d", "registry": True, "metrics": ["max"]},
            {"name": "e", "metrics": ["max"]},
        ]
        found = metrics_of_sources({"datasets": datasets, "metrics": ["sum"]})
        assert found == {"adhoc": ["sum"], "d": ["max", "sum"], "e": ["sum"]}

    def test_one_name_adds_up(self) -> None:
        twice = {"datasets": [{"name": "d"}, {"name": "d"}, {"name": "adhoc"}]}
        assert metrics_of_sources(twice) == {"adhoc": ["mean"], "d": ["mean"]}
        assert metrics_of_sources({**twice, "metrics": ["sum"]}) == {"adhoc": ["sum"] * 2, "d": ["sum"] * 2}

    def test_underscores_lose_them_when_the_job_is_finished(self) -> None:
        datasets = [{"name": "a__b", "tasks": [{"name": "t"}, {"name": "u"}]}]
        run = job(datasets=datasets, resume=[{"after": 1}])
        assert group(run, "agent__a__b", 0)["metrics"] == [{"mean": 1.0}]
        assert group(run, "agent__a__b")["metrics"] == []


class TestRetries:
    """A failed try is followed by another, unless its exception is excluded or not included."""

    @pytest.mark.parametrize(
        ("fields", "exception", "wanted"),
        [
            ({}, "E", True),
            ({}, "AgentTimeoutError", False),
            ({"exclude_exceptions": []}, "AgentTimeoutError", True),
            ({"exclude_exceptions": None}, "AgentTimeoutError", True),
            ({"exclude_exceptions": ["E"]}, "E", False),
            ({"include_exceptions": ["E"]}, "F", False),
            ({"include_exceptions": []}, "F", True),
            ({"include_exceptions": ["E"], "exclude_exceptions": ["E"]}, "E", False),
        ],
    )
    def test_which(self, fields: Any, exception: str, wanted: bool) -> None:
        retries = Retries.read({"max_retries": 1, **fields})
        assert retries.wanted(1, exception) is wanted
        assert not retries.wanted(2, exception)
        assert not Retries.read(fields).wanted(1, exception)

    def test_the_last_try_is_the_trial(self) -> None:
        tries = [txt("0", agent="E", tokens={"input": 5}), txt("1", tokens={"input": 1})]
        run = job({"name": "t", "plays": [tries]}, retry={"max_retries": 3})
        assert only(run).rewards == {"reward": 1.0}
        assert (stats(run)["n_retries"], stats(run)["n_input_tokens"]) == (1, 1)
        assert group(run)["exception_stats"] == {}

    def test_a_failed_try_leaves_empty_buckets_while_the_job_runs(self) -> None:
        tries = [txt("0", stop="E"), txt("1")]
        run = job({"name": "t", "plays": [tries]}, {"name": "u"}, retry={"max_retries": 1}, resume=[{"after": 1}])
        assert group(run, number=0)["reward_stats"]["reward"] == {"0.0": [], "1.0": ["t__0000000"]}
        assert group(run, number=0)["exception_stats"] == {"E": []}
        assert stats(run, 0)["n_retries"] == stats(run)["n_retries"] == 1

    def test_a_cancelled_trial_is_not_tried_again(self) -> None:
        assert only(job(task("t", {"agent": "CancelledError"}), retry={"max_retries": 1})).exception is not None


class TestEnds:
    """A job finishes, raises what cancelled a trial, or crashes; then the next trial has just begun."""

    def test_a_crash_in_a_metric(self) -> None:
        run = job(task("t"), task("u", {"reward.json": HUGE}), task("v"), task("w"))
        assert run.runs[0].error is not None
        assert [each.type for each in run.runs[0].error.errors] == ["OverflowError"]
        assert run.runs[0].error.message == "unhandled errors in a TaskGroup (1 sub-exception)"
        assert [trial.finished for trial in run.trials] == [True, True, False]
        assert counts(run) == (1, 0, 1, 2, 0)
        assert run.runs[0].late is not None
        assert json.loads(run.runs[0].late)["stats"]["n_completed_trials"] == 2

    def test_a_crash_in_the_display(self) -> None:
        run = job(task("t", source="nowhere"))
        assert run.runs[0].error is not None
        assert run.runs[0].error.errors[0][:2] == ("IndexError", "list index out of range")
        assert (run.runs[0].late, counts(run)) == (None, (1, 0, 0, 0, 0))

    def test_the_display_looks_at_the_first_try(self) -> None:
        tries = [txt("0", agent="E"), {"reward.json": HUGE}]
        run = job({"name": "t", "plays": [tries]}, retry={"max_retries": 1}, metrics=["sum"])
        assert run.runs[0].ended == "finished"

    def test_a_refused_task(self) -> None:
        run = job(task("t"), task("u", strategy="max"), task("v"))
        assert run.runs[0].error is not None
        [error] = run.runs[0].error.errors
        assert [tuple(each) for each in error.details] == [(["multi_step_reward_strategy"], "enum")]
        assert names(run) == ["t__0000000", "v__0000002"]

    def test_a_dataset_may_have_no_tasks(self) -> None:
        assert names(job({"name": "t"}, datasets=[{"name": "d"}])) == ["t__0000000"]

    def test_refused_tasks_of_a_local_dataset_are_left_out(self) -> None:
        bad = {"name": "u", "steps": [{"name": "s", "min_reward": "word"}]}
        assert names(job({"name": "t"}, datasets=[{"name": "d", "tasks": [bad]}])) == ["t__0000000"]

    def test_a_cancelled_trial(self) -> None:
        run = job(task("t", {"agent": "CancelledError: x"}), task("u"))
        assert run.runs[0].error is not None
        assert (run.runs[0].ended, run.runs[0].error[:2]) == ("raised", ("CancelledError", "x"))
        assert (counts(run), file(run)["finished_at"]) == ((2, 1, 0, 0, 1), None)

    def test_nans_of_the_literal_share_a_bucket(self) -> None:
        literal = {"reward.json": b'{"reward": NaN}'}
        run = job(task("t", literal), task("u", txt("nan")), task("v", literal))
        buckets = (run.runs[0].result or b"").decode().split('"nan": [')[1:]
        assert [[name for name in ("t__", "u__", "v__") if name in bucket] for bucket in buckets] == [
            ["t__", "v__"],
            ["u__"],
        ]


class TestResume:
    """What finished stays, in the order of the directory; the rest is run under new names."""

    def test_a_killed_job(self) -> None:
        run = job(task("t"), task("u"), task("v"), resume=[{"after": 1}])
        assert [each.ended for each in run.runs] == ["killed", "finished"]
        assert counts(run, 0) == (1, 0, 1, 1, 0)
        assert names(run) == ["t__0000000", "u__1000001", "v__1000002"]
        assert (file(run)["started_at"], file(run)["finished_at"]) == ("2000-01-01T00:00:00", "2000-01-02T00:00:00")

    def test_the_order_of_the_directory(self) -> None:
        one = {"reward.json": b'{"reward": 1}'}
        tasks = task("t", txt("1e16"), one, txt("-1e16"))
        runs = [job(tasks, n_attempts=3, resume=[{"order": order}]) for order in ([], [0, 2, 1])]
        assert [group(run)["metrics"] for run in runs] == [[{"mean": 0.0}], [{"mean": 1 / 3}]]

    def test_an_interrupted_trial_is_not_run_again(self) -> None:
        run = job(task("t", {"agent": "CancelledError: x"}), task("u"), resume=[{"after": 1, "by": "cancel"}])
        assert run.runs[0].error is not None
        assert (run.runs[0].error[:2], run.runs[1].ended) == (("CancelledError", ""), "finished")
        assert (names(run), counts(run)) == (["t__0000000", "u__0000001"], (2, 2, 0, 0, 2))

    @pytest.mark.parametrize("text", ["nan", "inf"])
    def test_a_reward_that_is_null_on_disk(self, text: str) -> None:
        run = job(task("t", txt(text)), resume=[{}])
        assert run.runs[1].error is not None
        assert [tuple(each) for each in run.runs[1].error.details] == [
            (["verifier_result", "rewards", "reward", "float"], "float_type"),
            (["verifier_result", "rewards", "reward", "int"], "int_type"),
        ]
        assert run.runs[1].result == run.runs[0].result

    def test_a_null_in_a_step(self) -> None:
        steps = {"steps": [txt("nan"), txt("1")]}
        run = job(task("t", steps, steps=STEPS[:2], strategy="final"), resume=[{}])
        assert run.runs[1].error is not None
        assert run.runs[1].error.details[0].loc[:2] == ["step_results", 0]

    def test_equal_attempts_are_interchangeable(self) -> None:
        agents = [{"name": "a"}, {"name": "a"}]
        run = job(task("t", txt("0"), txt("1")), agents=agents, resume=[{"after": 1}])
        assert names(run) == ["t__0000000", "t__1000001"]

    def test_exclusions_of_null(self) -> None:
        run = job(task("t"), retry={"exclude_exceptions": None}, resume=[{}])
        assert run.runs[1].error is not None
        assert run.runs[1].error.type == "FileExistsError"

    def test_a_file_that_cannot_be_read(self) -> None:
        long = {"reward.json": b'{"reward": %s}' % (b"9" * 4300)}
        tasks = task("t", {"reward.json": b'{"reward": 1}'}, long, long)
        run = job(tasks, n_attempts=3, metrics=["min", "sum"], resume=[{"after": 9}])
        assert run.runs[1].error is not None
        assert [tuple(each) for each in run.runs[1].error.details] == [([], "json_invalid")]

    def test_a_crash_as_a_retry_begins(self) -> None:
        tries = [{"reward.json": HUGE.replace(b" 1", b" -1"), "stop": "E"}, txt("1")]
        tasks = (task("t", {"reward.json": HUGE}), {"name": "u", "plays": [tries]}, task("v"))
        run = job(*tasks, retry={"max_retries": 1}, resume=[{}])
        assert [each.finished for each in run.trials] == [True, False, False]
        assert (stats(run)["n_retries"], counts(run)) == (0, (2, 1, 0, 1, 0))
        assert json.loads(run.runs[1].late or b"")["stats"]["n_retries"] == 1


class TestScript:
    """What a script writes is taken as it is."""

    def test_value(self) -> None:
        assert MetricScript(b'["a", 1, true]').compute([]) == ["a", 1, True]

    def test_its_own_input(self) -> None:
        rewards = [{"é": float("nan"), "b": 1e-07}, None]
        assert MetricScript("input").compute(rewards) == {"rewards": '{"\\u00e9": NaN, "b": 1e-07}\nnull\n'}

    @pytest.mark.parametrize(
        ("script", "type_", "message"),
        [
            (MetricScript(b"{}", 3, "no"), RuntimeError, "Failed to compute custom metric: no"),
            (MetricScript(b"{}", 1), RuntimeError, "Failed to compute custom metric: "),
            (MetricScript(), FileNotFoundError, "[Errno 2] No such file or directory: '<temporary>/metric.json'"),
            (MetricScript(b'{"a": 1, }'), ValueError,
             "Expecting property name enclosed in double quotes: line 1 column 10 (char 9)"),
            (MetricScript(b"[1,]"), ValueError, "Expecting value: line 1 column 4 (char 3)"),
        ],
    )  # fmt: skip
    def test_failures(self, script: MetricScript, type_: type[Exception], message: str) -> None:
        with pytest.raises(type_) as caught:
            script.compute([])
        assert str(caught.value) == message

    @pytest.mark.parametrize(
        ("text", "newer", "message"),
        [
            ("[1,]", "Illegal trailing comma before end of array", "Expecting value: line 1 column 4 (char 3)"),
            ("[1 , \t]", "Illegal trailing comma before end of array", "Expecting value: line 1 column 7 (char 6)"),
            ('{"a": 1 ,\n }', "Illegal trailing comma before end of object",
             "Expecting property name enclosed in double quotes: line 2 column 2 (char 11)"),
            ("[,]", "Expecting value", "Expecting value: line 1 column 2 (char 1)"),
        ],
    )  # fmt: skip
    def test_a_trailing_comma_is_told_as_on_3_12(
        self, monkeypatch: pytest.MonkeyPatch, text: str, newer: str, message: str
    ) -> None:
        def loads(text: str) -> None:
            raise json.JSONDecodeError(newer, text, text.index(","))  # as Python 3.13 does

        monkeypatch.setattr(json, "loads", loads)
        with pytest.raises(json.JSONDecodeError) as caught:
            MetricScript(text.encode()).compute([])
        assert str(caught.value) == message

    def test_an_exit_code_has_eight_bits(self) -> None:
        assert MetricScript(b"1", 256).compute([]) == 1

    @pytest.mark.parametrize(
        ("output", "message"),
        [
            (b"{}", "coroutine raised StopIteration"),
            (b"[1]", "'list' object has no attribute 'items'"),
            (b'{"a": "x"}', "Unknown format code 'f' for object of type 'str'"),
            (b'{"a": null}', "unsupported format string passed to NoneType.__format__"),
        ],
    )
    def test_the_display_formats_its_first_value(self, output: bytes, message: str) -> None:
        run = job(task("t"), metrics=[{"uv-script": {"output": output}}])
        assert run.runs[0].error is not None
        assert run.runs[0].error.errors[0].message == message

    def test_in_the_file(self) -> None:
        script = {"uv-script": {"output": b'["a", true, NaN, {"x": []}]'}}
        assert group(job(task("t"), metrics=["mean", script]))["metrics"] == [
            {"mean": 1.0},
            ["a", True, None, {"x": []}],
        ]
