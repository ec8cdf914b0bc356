"""One try of a trial: its phases in order, what each does when it fails, and the rewards that come of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from reimpl.job_plan import PLAIN, Play, Task
from reimpl.job_records import Failure
from reimpl.multi_step import VerifierResult, min_reward_failure, trial_rewards
from reimpl.stats import CANCELLED, Number
from reimpl.trial import TokenUsage

Verify = Callable[[Play], Mapping[str, Any]]
"""Reads the reward files of a play: ``{"value": rewards}``, or ``{"error": …}`` with what was raised."""

NO_RESULT = VerifierResult(verified=False)

_START_TIMEOUT = Failure("EnvironmentStartTimeoutError", "Environment start timed out after 600.0 seconds")
_INSTALL_TIMEOUT = Failure("AgentSetupTimeoutError", "Agent setup timed out after 360.0 seconds")
_AGENT_TIMEOUT = Failure("AgentTimeoutError", "Agent execution timed out after 60.0 seconds")
_VERIFIER_TIMEOUT = Failure("VerifierTimeoutError", "Verifier execution timed out after 600.0 seconds")
# Within a step nobody gives a timeout of the verifier a name.
_STEP_TIMEOUT = Failure("TimeoutError", "")
_NO_TESTS = Failure("AddTestsDirError", "Failed to add tests directory to environment.")
_UNHEALTHY = Failure("HealthcheckError", "Healthcheck failed after 3 consecutive retries: healthcheck")

_TIMEOUTS = frozenset(
    {
        "TimeoutError",
        "AgentTimeoutError",
        "AgentSetupTimeoutError",
        "EnvironmentStartTimeoutError",
        "VerifierTimeoutError",
    }
)
# A verifier runs all the same after these.
_TOLERATED = frozenset({"AgentTimeoutError", "NonZeroAgentExitCodeError"})


class _Phase(NamedTuple):
    """What becomes of a phase that hangs, fails, or raises a timeout or anything else; None: it is taken as it is."""

    hang: Failure | None = None
    timeout: Failure | None = None
    other: Failure | None = None
    fail: Failure | None = None


_START = _Phase(hang=_START_TIMEOUT, timeout=_START_TIMEOUT)
_HEALTH = _Phase(fail=_UNHEALTHY)
_INSTALL = _Phase(hang=_INSTALL_TIMEOUT, timeout=_INSTALL_TIMEOUT)
_AGENT = _Phase(hang=_AGENT_TIMEOUT, timeout=_AGENT_TIMEOUT)
_UPLOAD = _Phase(hang=_VERIFIER_TIMEOUT, timeout=_NO_TESTS, other=_NO_TESTS)
_VERIFIER = _Phase(hang=_VERIFIER_TIMEOUT, timeout=_VERIFIER_TIMEOUT)
_STOP = _Phase()
_STEP_UPLOAD = _UPLOAD._replace(hang=_STEP_TIMEOUT)
_STEP_VERIFIER = _Phase(hang=_STEP_TIMEOUT)


class _FailedError(Exception):
    """A phase failed."""

    def __init__(self, failure: Failure) -> None:
        self.failure = failure


class _CancelledError(_FailedError):
    """A phase was cancelled, which ends the try whatever the phase is."""


class StepResult:
    """What has come of one step so far; the first exception is kept."""

    __slots__ = ("exception", "name", "result")

    def __init__(self, name: str) -> None:
        self.name = name
        self.result = NO_RESULT
        self.exception: Failure | None = None

    def keep(self, failure: Failure) -> None:
        """Record an exception, if there is none yet."""
        self.exception = self.exception or failure


class TryResult:
    """What has come of a try so far; the first exception is kept.

    ``cancelled`` is what cancelled it, also where an earlier exception is kept.
    """

    __slots__ = ("cancelled", "exception", "result", "steps", "tokens")

    def __init__(self) -> None:
        self.result = NO_RESULT
        self.exception: Failure | None = None
        self.steps: list[StepResult] | None = None
        self.tokens: TokenUsage | None = None
        self.cancelled: Failure | None = None

    def keep(self, failure: Failure) -> None:
        """Record an exception, if there is none yet."""
        self.exception = self.exception or failure


def run_try(task: Task, play: Play, verify: Verify | None) -> TryResult:
    """Run one try of a trial; without a verifier no rewards are read."""
    done = TryResult()
    try:
        for name, phase in (("start", _START), ("health", _HEALTH), ("install", _INSTALL)):
            _act(phase, play.get(name))
        if task.steps:
            _run_steps(done, task, play, verify)
        else:
            _run_agent_and_verifier(done, task, play, verify)
    except _CancelledError as error:
        done.cancelled = error.failure
        done.keep(error.failure)
    except _FailedError as error:
        done.keep(error.failure)
    _stop(done, play)
    return done


def _stop(done: TryResult, play: Play) -> None:
    """Stop the environment; done twice, it fails as it did the first time, so that nothing changes."""
    try:
        _act(_STOP, play.get("stop"))
    except _CancelledError:
        pass  # cancelling what ends anyway is nothing
    except _FailedError as error:
        done.keep(error.failure)


def _run_agent_and_verifier(done: TryResult, task: Task, play: Play, verify: Verify | None) -> None:
    done.tokens = _tokens(play)
    try:
        _act(_AGENT, play.get("agent"))
    except _FailedError as error:
        if error.failure.type not in _TOLERATED:
            raise
        done.keep(error.failure)
    if verify is None:
        return
    if task.separate:
        _stop(done, play)
    done.result = _verified(verify, play, _VERIFIER, None if task.separate else _UPLOAD)


def _run_steps(done: TryResult, task: Task, play: Play, verify: Verify | None) -> None:
    """Run the steps until one ends the trial, and select the trial's rewards from theirs."""
    plays = play.get("steps", ())
    done.steps = []
    for number, fields in enumerate(task.steps):
        step = StepResult(fields["name"])
        done.steps.append(step)
        step_play = plays[number] if number < len(plays) else PLAIN
        if _set_up(step, step_play):
            done.tokens = _added(done.tokens, _tokens(step_play))
            _run_agent(step, step_play)
            if verify is not None:
                if task.separate and number == len(task.steps) - 1:
                    _stop(done, play)
                _run_verifier(step, step_play, verify, None if task.separate else _STEP_UPLOAD)
        if _ends_the_trial(step, None if verify is None else fields.get("min_reward")):
            break
    try:
        done.result = selected_rewards(task, [step.result for step in done.steps])
    except OverflowError as error:
        done.keep(Failure("OverflowError", str(error)))


def _set_up(step: StepResult, play: Play) -> bool:
    """Tell whether the agent can start; what the healthcheck raises that is no failed check ends the trial."""
    setup = _Phase(fail=Failure("RuntimeError", f"Step '{step.name}' setup.sh exited with code 1: "))
    try:
        _act(setup, play.get("setup"))
    except _CancelledError:
        raise
    except _FailedError as error:
        step.keep(error.failure)
        return False
    try:
        _act(_HEALTH, play.get("health"))
    except _FailedError as error:
        if error.failure.type != _UNHEALTHY.type:
            raise
        step.keep(error.failure)
        return False
    return True


def _run_agent(step: StepResult, play: Play) -> None:
    """Run the agent of a step; whatever it raises stays in the step, and the verifier follows."""
    try:
        _act(_AGENT, play.get("agent"))
    except _CancelledError:
        raise
    except _FailedError as error:
        step.keep(error.failure)


def _run_verifier(step: StepResult, play: Play, verify: Verify, upload: _Phase | None) -> None:
    try:
        step.result = _verified(verify, play, _STEP_VERIFIER, upload)
    except _CancelledError:
        raise
    except _FailedError as error:
        step.keep(error.failure)


def _ends_the_trial(step: StepResult, min_reward: Any) -> bool:
    """Tell whether no step follows: this one failed without a result, or is below its threshold."""
    if step.exception is not None and not step.result.verified:
        return True
    return min_reward is not None and min_reward_failure(step.result.rewards, min_reward) is not None


def selected_rewards(task: Task, results: list[VerifierResult]) -> VerifierResult:
    """Select the rewards of a trial from those of the steps that were run."""
    return trial_rewards(results, task.strategy)


def _verified(verify: Verify, play: Play, verifier: _Phase, upload: _Phase | None) -> VerifierResult:
    if upload is not None:
        _act(upload, play.get("upload"))
    _act(verifier, play.get("verifier"))
    outcome = verify({name: play.get(name) for name in ("reward.txt", "reward.json")})
    if "error" in outcome:
        error = outcome["error"]
        raise _FailedError(Failure(error["type"], error.get("message")))
    # A nan is not copied: all that come from the literal of reward.json are one object, and share a bucket.
    return VerifierResult(verified=True, rewards=outcome["value"])


def _tokens(play: Play) -> TokenUsage | None:
    tokens = play.get("tokens")
    return None if tokens is None else TokenUsage(**tokens)


def _added(total: TokenUsage | None, tokens: TokenUsage | None) -> TokenUsage | None:
    """Add what a step reported; what nobody reported stays None."""
    if total is None or tokens is None:
        return total or tokens
    return TokenUsage(
        _sum(total.input, tokens.input),
        _sum(total.cache, tokens.cache),
        _sum(total.output, tokens.output),
        _sum(total.cost_usd, tokens.cost_usd),
    )


def _sum(total: Number | None, amount: Number | None) -> Number | None:
    return total if amount is None else (total or 0) + amount


def _act(phase: _Phase, action: str | None) -> None:
    """Do what the case says of a phase."""
    if action is None:
        return
    if action in ("hang", "fail"):
        failure = phase.hang if action == "hang" else phase.fail
        if failure is not None:
            raise _FailedError(failure)
        return
    kind, _, message = action.partition(": ")
    failure = Failure(kind, message)
    if kind == CANCELLED:
        raise _CancelledError(failure)
    raise _FailedError((phase.timeout if kind in _TIMEOUTS else phase.other) or failure)
