"""A finished trial: the only input that metrics, pass@k, the stats and the job result need.

Trials are named tuples: they cannot be changed, and they are quick to make, which matters in a job of a million.
"""

from __future__ import annotations

from typing import NamedTuple

ADHOC = "adhoc"
"""The dataset name of trials that come from no dataset."""


class TokenUsage(NamedTuple):
    """What an agent reported about one trial; ``None`` means it did not say, which is not the same as zero."""

    input: int | None = None
    cache: int | None = None
    output: int | None = None
    cost_usd: float | None = None


class Trial(NamedTuple):
    """One finished attempt at one task.

    ``rewards`` is what :func:`reimpl.read_rewards` returned, with ints and floats told apart. ``None`` means there
    were none; set ``verified`` to False when the verifier failed, so that there is no verifier result at all.
    ``exception`` is the class name of the exception that ended the trial; a trial can have it and rewards at once.
    """

    task: str
    name: str
    agent: str
    model: str | None = None
    source: str | None = None
    rewards: dict[str, int | float] | None = None
    verified: bool = True
    exception: str | None = None
    tokens: TokenUsage | None = None


def evals_key(trial: Trial) -> str:
    """Name the group a trial is scored in: ``agent__model__dataset``, or ``agent__dataset`` without a model.

    Parts are joined as they are, so different trials can share a key: agent ``a__b`` without a model and agent ``a``
    with model ``b`` pool when their dataset is the same.
    """
    dataset = trial.source or ADHOC
    if trial.model:
        return f"{trial.agent}__{trial.model}__{dataset}"
    return f"{trial.agent}__{dataset}"
