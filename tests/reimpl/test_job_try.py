from __future__ import annotations

from typing import Any

import pytest

from reimpl import door
from reimpl.job_plan import read_tasks
from reimpl.job_records import Failure
from reimpl.job_try import TryResult, run_try
from tests.reimpl.jobs import HUGE, STEPS, TIMED_OUT, UNHEALTHY, Play, txt


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
