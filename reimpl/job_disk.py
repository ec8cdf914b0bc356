"""The directory of a job: its ``result.json`` and the directories of its trials, from one run to the next."""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite
from typing import Any, NamedTuple

from reimpl.errors import ErrorDetail, ValidationError
from reimpl.job_plan import PlannedTrial
from reimpl.job_records import StepRecord, StoredRewards, TrialRecord
from reimpl.job_try import StepResult, TryResult
from reimpl.json_text import parse_json
from reimpl.metrics import Rewards
from reimpl.multi_step import VerifierResult
from reimpl.trial import TokenUsage, Trial

_SUFFIX = 7


class StoredTrial(NamedTuple):
    """The directory of a finished trial, and what a later run needs to know of it."""

    planned: PlannedTrial
    record: TrialRecord
    tokens: TokenUsage | None

    def trial(self) -> Trial:
        """Read the trial back; what its file has as null is refused.

        Raises:
            ValidationError: A reward of the trial or of one of its steps was nan or infinite.

        """
        record = self.record
        faults = list(_null_faults([], record.rewards))
        for number, step in enumerate(record.steps or ()):
            faults += _null_faults(["step_results", number], step.rewards)
        if faults:
            raise ValidationError(faults)
        rewards = None if record.rewards is None else {k: v for k, v in record.rewards.items() if v is not None}
        result = VerifierResult(verified=record.verified, rewards=rewards)
        return scored_trial(self.planned, record.name, result, record.exception and record.exception.type, self.tokens)


def scored_trial(
    planned: PlannedTrial, name: str, result: VerifierResult, exception: str | None, tokens: TokenUsage | None
) -> Trial:
    """Describe a trial that ended as the statistics need it."""
    return Trial(
        task=planned.task.name,
        name=name,
        agent=planned.agent.name,
        model=planned.agent.short_model,
        source=planned.task.source,
        rewards=result.rewards,
        verified=result.verified,
        exception=exception,
        tokens=tokens,
    )


class JobDisk:
    """What is on disk; trials are listed by their suffixes, which is the order in which they began."""

    def __init__(self) -> None:
        self.file: bytes | None = None
        self._trials: dict[str, StoredTrial | None] = {}

    def begin(self, name: str) -> None:
        """Make the directory of a trial, in the place of that of a failed try."""
        self._trials[name] = None

    def store(self, planned: PlannedTrial, done: TryResult) -> None:
        """Write the result of a try into the directory of its trial."""
        record = TrialRecord(
            name=planned.name,
            finished=True,
            verified=done.result.verified,
            rewards=_stored(done.result.rewards),
            exception=done.exception,
            steps=None if done.steps is None else [_step(step) for step in done.steps],
        )
        self._trials[planned.name] = StoredTrial(planned, record, done.tokens)

    def reopen(self, order: Iterable[int]) -> list[Trial]:
        """Read the finished trials in the order of the directory, and remove the others on the way."""
        names = sorted(self._trials, key=_suffix)
        places = dict.fromkeys((*(place for place in order if place < len(names)), *range(len(names))))
        found: list[Trial] = []
        for name in (names[place] for place in places):
            stored = self._trials[name]
            if stored is None:
                del self._trials[name]
            else:
                found.append(stored.trial())
        return found

    def read_retries(self) -> int:
        """Read the retries so far from the file of the job.

        Raises:
            ValidationError: The file holds an int of more than 4300 digits, which can be written and not read.

        """
        if self.file is None:
            return 0
        try:
            job: Any = parse_json(self.file.decode())
        except ValueError:
            raise ValidationError([{"loc": [], "type": "json_invalid"}]) from None
        n_retries: int = job["stats"]["n_retries"]
        return n_retries

    def records(self) -> list[TrialRecord]:
        """List the directories of trials."""
        trials = ((name, self._trials[name]) for name in sorted(self._trials, key=_suffix))
        return [TrialRecord(name) if stored is None else stored.record for name, stored in trials]


def _step(step: StepResult) -> StepRecord:
    return StepRecord(step.name, step.result.verified, _stored(step.result.rewards), step.exception)


def _suffix(name: str) -> str:
    return name[-_SUFFIX:]


def _stored(rewards: Rewards | None) -> StoredRewards | None:
    """Write rewards as JSON does: nan and the infinities as null, and a lone surrogate in a key as three U+FFFD."""
    if rewards is None:
        return None
    return {
        key.encode(errors="surrogatepass").decode(errors="replace"): value
        if isinstance(value, int) or isfinite(value)
        else None
        for key, value in rewards.items()
    }


def _null_faults(place: list[str | int], rewards: StoredRewards | None) -> Iterable[ErrorDetail]:
    for key, value in (rewards or {}).items():
        if value is None:
            loc = [*place, "verifier_result", "rewards", key]
            yield {"loc": [*loc, "float"], "type": "float_type"}
            yield {"loc": [*loc, "int"], "type": "int_type"}
