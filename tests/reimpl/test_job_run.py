from __future__ import annotations

import json
from itertools import product
from typing import Any

import pytest

from reimpl import door
from reimpl.job_plan import Agent, metrics_of_sources, planned_trials, read_tasks, trial_name
from reimpl.job_records import Failure, JobRun, TrialRecord
from reimpl.job_run import run_job
from reimpl.job_try import TryResult, run_try
from reimpl.metric_script import MetricScript
from reimpl.retries import Retries

Play = dict[str, Any]
UNHEALTHY = Failure("HealthcheckError", "Healthcheck failed after 3 consecutive retries: healthcheck")
TIMED_OUT = Failure("AgentTimeoutError", "Agent execution timed out after 60.0 seconds")
HUGE = f'{{"reward": {10**400}}}'.encode()


def txt(text: str, **more: Any) -> Play:
    return {"reward.txt": text.encode(), **more}


def task(name: str, *plays: Play, **more: Any) -> dict[str, Any]:
    """Declare a task whose trials have these plays, each in its only try."""
    return {"name": name, "plays": [[play] for play in plays], **more}


def job(*tasks: dict[str, Any], **more: Any) -> JobRun:
    return run_job({"tasks": list(tasks), **more}, lambda files: door.run("reward_files", files))


def file(run: JobRun, number: int = -1) -> Any:
    result = run.runs[number].result
    assert result is not None
    return json.loads(result)


def stats(run: JobRun, number: int = -1) -> Any:
    return file(run, number)["stats"]


def group(run: JobRun, key: str = "agent__adhoc", number: int = -1) -> Any:
    return stats(run, number)["evals"][key]


def counts(run: JobRun, number: int = -1) -> tuple[int, ...]:
    names = ("completed", "errored", "running", "pending", "cancelled")
    return tuple(stats(run, number)[f"n_{name}_trials"] for name in names)


def only(run: JobRun) -> TrialRecord:
    [trial] = run.trials
    return trial


def names(run: JobRun) -> list[str]:
    return [trial.name for trial in run.trials]


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


def tried(play: Play, *, verify: bool = True, **fields: Any) -> TryResult:
    [found] = read_tasks({"tasks": [{"name": "t", **fields}]})
    return run_try(found, play, (lambda files: door.run("reward_files", files)) if verify else None)


def failed(play: Play, **fields: Any) -> tuple[str | None, bool]:
    done = tried({"reward.txt": b"1", **play}, **fields)
    return done.exception and done.exception.type, done.result.verified


class TestTry:
    """A phase that fails ends the try, but for an agent that timed out or whose exit code is not 0."""

    @pytest.mark.parametrize(
        ("play", "expected"),
        [
            ({}, (None, True)),
            ({"start": "hang"}, ("EnvironmentStartTimeoutError", False)),
            ({"start": "OSError"}, ("OSError", False)),
            ({"start": "fail"}, (None, True)),
            ({"health": "fail"}, ("HealthcheckError", False)),
            ({"health": "TimeoutError"}, ("TimeoutError", False)),
            ({"install": "AgentTimeoutError"}, ("AgentSetupTimeoutError", False)),
            ({"agent": "hang"}, ("AgentTimeoutError", True)),
            ({"agent": "EnvironmentStartTimeoutError"}, ("AgentTimeoutError", True)),
            ({"agent": "NonZeroAgentExitCodeError"}, ("NonZeroAgentExitCodeError", True)),
            ({"agent": "RuntimeError"}, ("RuntimeError", False)),
            ({"upload": "hang"}, ("VerifierTimeoutError", False)),
            ({"upload": "TimeoutError"}, ("AddTestsDirError", False)),
            ({"verifier": "TimeoutError"}, ("VerifierTimeoutError", False)),
            ({"verifier": "OSError"}, ("OSError", False)),
            ({"verifier": "fail"}, (None, True)),
            ({"reward.txt": b""}, ("RewardFileEmptyError", False)),
            ({"stop": "OSError"}, ("OSError", True)),
            ({"stop": "CancelledError"}, (None, True)),
            ({"agent": "hang", "verifier": "OSError"}, ("AgentTimeoutError", False)),
            ({"agent": "hang", "stop": "OSError"}, ("AgentTimeoutError", True)),
        ],
    )
    def test_phases(self, play: Play, expected: Any) -> None:
        assert failed(play) == expected

    def test_messages(self) -> None:
        assert tried({"agent": "E: a: b"}).exception == Failure("E", "a: b")
        assert tried({"agent": "E"}).exception == Failure("E", "")
        assert tried({"start": "hang"}).exception == Failure(
            "EnvironmentStartTimeoutError", "Environment start timed out after 600.0 seconds"
        )
        assert tried({"reward.json": b"[]"}).exception == Failure("ValidationError", None)

    @pytest.mark.parametrize("phase", ["start", "health", "install", "agent", "upload", "verifier"])
    def test_cancelled(self, phase: str) -> None:
        done = tried(txt("1", **{phase: "CancelledError: x"}))
        assert done.cancelled == done.exception == Failure("CancelledError", "x")
        assert not done.result.verified

    def test_cancelled_late_keeps_the_first_exception(self) -> None:
        done = tried(txt("1", agent="hang", verifier="CancelledError"))
        assert done.exception == TIMED_OUT
        assert done.cancelled == Failure("CancelledError", "")

    def test_a_separate_verifier_has_no_upload_and_starts_when_the_agents_environment_stopped(self) -> None:
        assert failed({"upload": "OSError"}, separate=True) == (None, True)
        assert failed({"reward.txt": b"x", "stop": "OSError"}, separate=True) == ("OSError", False)
        assert failed({"reward.txt": b"x", "stop": "OSError"}) == ("VerifierOutputParseError", False)

    def test_without_a_verifier_nothing_is_read(self) -> None:
        done = tried(txt("x", upload="hang", verifier="OSError"), verify=False)
        assert (done.exception, done.result.verified) == (None, False)

    def test_tokens_are_spent_by_an_agent_that_starts(self) -> None:
        tokens = {"tokens": {"input": 1, "cost_usd": 0.5}}
        assert tried({**tokens, "agent": "E"}).tokens == (1, None, None, 0.5)
        assert tried({**tokens, "install": "E"}).tokens is None


STEPS = [{"name": "s1"}, {"name": "s2"}, {"name": "s3"}]


def stepped(*plays: Play, **fields: Any) -> TryResult:
    return tried({"steps": list(plays)}, **{"steps": STEPS, **fields})


def step_failures(done: TryResult) -> list[str | None]:
    return [step.exception and step.exception.type for step in done.steps or ()]


class TestSteps:
    """Failures of a step stay in it; one without a result, or below its threshold, is the last."""

    def test_the_verifier_runs_whatever_the_agent_raises(self) -> None:
        done = stepped(txt("1", agent="E"), txt("1"), txt("0"))
        assert (done.exception, step_failures(done)) == (None, ["E", None, None])
        assert done.result.rewards == {"reward": 2 / 3}

    @pytest.mark.parametrize(
        ("play", "failure"),
        [
            ({"setup": "fail"}, Failure("RuntimeError", "Step 's2' setup.sh exited with code 1: ")),
            ({"setup": "TimeoutError"}, Failure("TimeoutError", "")),
            ({"health": "fail"}, UNHEALTHY),
            ({"health": "HealthcheckError: x"}, Failure("HealthcheckError", "x")),
            ({"upload": "hang"}, Failure("TimeoutError", "")),
            ({"upload": "E"}, Failure("AddTestsDirError", "Failed to add tests directory to environment.")),
            ({"verifier": "hang"}, Failure("TimeoutError", "")),
            ({"verifier": "VerifierTimeoutError: x"}, Failure("VerifierTimeoutError", "x")),
            ({"agent": "hang", "verifier": "E"}, TIMED_OUT),
        ],
    )
    def test_a_step_without_a_result_is_the_last(self, play: Play, failure: Failure) -> None:
        done = stepped(txt("1"), txt("1", **play), txt("0"))
        assert done.steps is not None
        assert (done.exception, len(done.steps), done.steps[1].exception) == (None, 2, failure)
        assert done.result.rewards == {"reward": 1.0}

    def test_what_a_healthcheck_raises_ends_the_trial(self) -> None:
        done = stepped(txt("1"), txt("1", health="OSError"))
        assert (done.exception, step_failures(done)) == (Failure("OSError", ""), [None, None])
        assert not done.result.verified

    def test_before_the_first_step_there_are_none(self) -> None:
        assert tried({"start": "E"}, steps=STEPS).steps is None

    @pytest.mark.parametrize(
        ("reward", "bar", "length"),
        [("0.4", 0.5, 1), ("0.5", 0.5, 3), ("nan", 0.5, 3), ("0.4", {"x": 0}, 1), ("0.4", {}, 3), ("0.5", "0.5", 3)],
    )
    def test_thresholds(self, reward: str, bar: Any, length: int) -> None:
        steps = [{"name": "s1", "min_reward": bar}, *STEPS[1:]]
        assert len(stepped(txt(reward), steps=steps).steps or ()) == length

    def test_a_step_without_a_play_is_plain(self) -> None:
        assert stepped(txt("0")).result.rewards == {"reward": 2 / 3}

    def test_final(self) -> None:
        assert stepped(txt("1"), txt("1"), txt("0"), strategy="final").result.rewards == {"reward": 0.0}
        assert not stepped(txt("1"), txt("x"), strategy="final").result.verified

    def test_cancelled_in_a_step(self) -> None:
        done = stepped(txt("1"), txt("1", agent="hang", verifier="CancelledError"))
        assert done.exception == done.cancelled == Failure("CancelledError", "")
        assert (step_failures(done), done.result.verified) == ([None, "AgentTimeoutError"], False)

    def test_a_mean_that_overflows(self) -> None:
        done = stepped(txt("0.5"), {"reward.json": HUGE})
        assert done.exception == Failure("OverflowError", "int too large to convert to float")
        assert (len(done.steps or ()), done.result.verified) == (3, False)

    def test_separate_verifiers_stop_before_the_last(self) -> None:
        plays: Play = {"steps": [txt("1"), {"reward.json": HUGE}], "stop": "OSError"}
        exceptions = [tried(plays, steps=STEPS[:2], separate=separate).exception for separate in (True, False)]
        assert [each and each.type for each in exceptions] == ["OSError", "OverflowError"]

    def test_tokens_are_added(self) -> None:
        plays = [txt("1", tokens={"input": 1, "cost_usd": cost}) for cost in (0.1, 0.2, 0.3)]
        assert stepped(*plays).tokens == (3, None, None, 0.1 + 0.2 + 0.3)

    def test_what_one_step_did_not_report_is_nothing(self) -> None:
        reports = [{"input": 1, "cache": 2, "output": 3}, {"cache": 5, "output": 7, "cost_usd": 0.5}]
        assert stepped(*(txt("1", tokens=each) for each in reports)).tokens == (1, 7, 10, 0.5)


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
