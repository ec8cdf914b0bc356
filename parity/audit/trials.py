"""The trials of a job directory: each trial's own result, and whether its reward files still say the same."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from parity.audit.files import MAX_REWARD, Folder, LinkError, UnreadError
from parity.audit.findings import Problem
from parity.audit.job import Key, trial_keys
from parity.audit.trial_result import (
    MalformedError,
    Rewards,
    Verified,
    exception_of,
    part,
    steps_of,
    stored_key,
    text,
    time_of,
    tokens_of,
    verified_of,
)
from reimpl import Trial, VerifierResult, read_rewards, trial_rewards

_REWARD_FILES = ("reward.json", "reward.txt")
_READING_ERRORS = frozenset(
    {
        *("RewardFileNotFoundError", "RewardFileEmptyError", "VerifierOutputParseError", "ValidationError"),
        *("RecursionError", "IsADirectoryError"),
    }
)
"""Exceptions of a trial that tell what its reward files were like."""


@dataclass(frozen=True)
class StoredTrial:
    """A trial that has a result."""

    trial: Trial
    started_at: datetime | None
    finished_at: datetime | None
    keys: tuple[Key, Key]
    doubtful: bool
    """A reward was nan or infinite, and no file tells which."""
    has_null: bool
    """A reward was nan or infinite, so that harbor cannot read it again: later releases run such a trial anew."""

    @property
    def is_listed(self) -> bool:
        """Whether the statistics list it by name."""
        return bool(self.trial.verified and self.trial.rewards) or self.trial.exception is not None


@dataclass
class Trials:
    """What the directories of trials hold, in the order in which the file system lists them."""

    finished: list[StoredTrial] = field(default_factory=list)
    unfinished: list[str] = field(default_factory=list)
    malformed: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class _Checked:
    """What the verifier said, with the values that null stands for as far as the reward files tell them."""

    verified: bool
    rewards: Rewards | None
    doubtful: bool = False


class TrialReader:
    """Reads the directories of trials one by one."""

    def __init__(self, scratch: Path, *, reads_alike: bool) -> None:
        self.trials = Trials()
        self._scratch = scratch
        self._reads_alike = reads_alike
        self._read_otherwise = 0

    def read(self, job: Folder, name: str) -> None:
        """Read one directory; whatever is wrong with it is said and does not stop the audit."""
        try:
            name.encode()
            folder = job.folder(name)
            if folder is not None:
                with folder:
                    self._read(folder, name)
        except UnicodeEncodeError:
            self.trials.malformed.append(name)
            self.trials.problems.append(
                Problem(name, "malformed", "its name is not UTF-8, which no trial of harbor is")
            )
        except (MalformedError, UnreadError) as error:
            self.trials.malformed.append(name)
            self.trials.problems.append(Problem(name, "malformed", f"its result.json {error}"))

    def close(self) -> Trials:
        """Say what was the same for many trials."""
        if self._read_otherwise:
            self.trials.remarks.append(
                f"reward files that 0.13.1 would read otherwise: {self._read_otherwise:,}; "
                "this release may have rules of its own, so they are not judged"
            )
        return self.trials

    def _read(self, folder: Folder, name: str) -> None:
        result = folder.document("result.json")
        if result is None:
            self._unfinished(folder, name)
        elif not isinstance(result, dict):
            raise MalformedError("is no JSON object")
        elif result.get("trial_name") != name:
            self.trials.malformed.append(name)
            self.trials.problems.append(Problem(name, "extra", "its result is that of a trial of another name"))
        else:
            self.trials.finished.append(self._stored(folder, name, result))

    def _unfinished(self, folder: Folder, name: str) -> None:
        try:
            is_trial = any(folder.read(each) is not None for each in ("config.json", "trial.log"))
        except UnreadError:
            is_trial = True
        if is_trial or "__" in name:
            self.trials.unfinished.append(name)
        else:
            self.trials.remarks.append(f"the directory {name} is no trial's")

    def _stored(self, folder: Folder, name: str, result: dict[str, Any]) -> StoredTrial:
        steps = steps_of(result)
        if steps:
            checked = self._selected(folder, name, result, steps)
        else:
            checked = self._checked(folder, ("verifier",), name, result)
        agent = part(result, "agent_info")
        trial = Trial(
            task=text(result, "task_name") or "",
            name=name,
            agent=text(agent, "name") or "",
            model=text(part(agent, "model_info"), "name"),
            source=text(result, "source"),
            rewards=checked.rewards,
            verified=checked.verified,
            exception=exception_of(result),
            tokens=tokens_of(result, steps),
        )
        times = time_of(result.get("started_at")), time_of(result.get("finished_at"))
        has_null = any(None in (verified_of(each).rewards or {}).values() for each in (result, *steps))
        return StoredTrial(trial, *times, trial_keys(result), checked.doubtful, has_null)

    def _selected(self, folder: Folder, name: str, result: dict[str, Any], steps: list[dict[str, Any]]) -> _Checked:
        """Check the files of each step, and whether the trial's rewards are selected from them by either strategy."""
        names = [text(step, "step_name") or "" for step in steps]
        uses = Counter(names)
        checked = [
            # Steps of one name share a directory, in which the last of them left its files.
            _guessed(verified_of(step))
            if uses[step_name] > 1
            else self._checked(folder, ("steps", step_name, "verifier"), name, step)
            for step, step_name in zip(steps, names, strict=True)
        ]
        own = verified_of(result)
        results = [VerifierResult(each.verified, each.rewards if each.verified else None) for each in checked]
        for strategy in ("mean", "final"):
            try:
                selected = trial_rewards(results, strategy)
            except OverflowError:
                continue
            if selected.verified == own.verified and own.agrees_unordered(selected.rewards):
                return _Checked(own.verified, _reordered(selected.rewards, own), any(each.doubtful for each in checked))
        if own.verified or exception_of(result) is None:
            self._changed(name, "its rewards are neither the mean nor the last of its steps'")
        return _guessed(own)

    def _checked(self, folder: Folder, place: tuple[str, ...], name: str, result: dict[str, Any]) -> _Checked:
        """Compare what the result has with what the reward files say now; the files know nan from infinity."""
        own, exception = verified_of(result), exception_of(result)
        where = f" in {'/'.join(place)}"
        now: Rewards | None = None
        error: str | None = None
        try:
            now = self._files(folder, place)
        except LinkError:
            self.trials.remarks.append(f"{name}: a link stands for the reward file{where}, and is not followed")
            return _guessed(own)
        except UnreadError as unread:
            self._changed(name, f"the reward file{where} {unread}")
            return _guessed(own)
        except Exception as raised:  # noqa: BLE001 — whatever reading raises is compared
            error = type(raised).__name__
        if own.verified and error is None:
            if own.agrees(now):
                return _Checked(own.verified, now)
            self._changed(name, f"the reward file{where} says otherwise now")
        elif own.verified:
            self._changed(name, f"the reward file{where} cannot be read any more ({error})", by_rule=True)
        elif exception in _READING_ERRORS and error != exception:
            told = "can be read now" if error is None else f"fails with {error} now"
            self._changed(name, f"the reward file{where} {told}, and not with {exception}", by_rule=True)
        return _guessed(own)

    def _changed(self, name: str, note: str, *, by_rule: bool = False) -> None:
        """Report a change; where it may be another release's rule that makes the difference, count it instead."""
        if by_rule and not self._reads_alike:
            self._read_otherwise += 1
        else:
            self.trials.problems.append(Problem(name, "changed", note))

    def _files(self, folder: Folder, place: tuple[str, ...]) -> Rewards | None:
        """Read reward files with reimpl, from a copy: the originals may be links, or pipes, or without end."""
        for each in _REWARD_FILES:
            path = self._scratch / each
            if path.is_dir():
                path.rmdir()
            path.unlink(missing_ok=True)
        verifier = folder.folder(*place)
        if verifier is not None:
            with verifier:
                for each in _REWARD_FILES:
                    self._copy(verifier, each)
        return read_rewards(self._scratch)

    def _copy(self, folder: Folder, name: str) -> None:
        try:
            content = folder.read(name, MAX_REWARD)
        except UnreadError as error:
            if not isinstance(error.__cause__, IsADirectoryError):
                raise
            (self._scratch / name).mkdir()
        else:
            if content is not None:
                (self._scratch / name).write_bytes(content)


def _guessed(own: Verified) -> _Checked:
    """Take every null for a nan."""
    if own.rewards is None:
        return _Checked(own.verified, None)
    rewards = {key: float("nan") if value is None else value for key, value in own.rewards.items()}
    return _Checked(own.verified, rewards, any(value is None for value in own.rewards.values()))


def _reordered(rewards: Rewards | None, own: Verified) -> Rewards | None:
    """Put the keys of a mean into the order that the file has."""
    if rewards is None or own.rewards is None:
        return rewards
    by_form = {stored_key(key): key for key in rewards}
    return {by_form[form]: rewards[by_form[form]] for form in own.rewards if form in by_form}
