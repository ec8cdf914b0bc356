"""The strategy of the surface `job_run`: small jobs in which much happens.

A job takes the oracle as long as a thousand other cases, so each has a few trials, and what happens in them is mostly
harmless: trials must meet in a group to tell anything, and a crash hides what would have followed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from parity import telling_jobs
from parity.codec import Record
from parity.telling_jobs import ACTIONS, STEP_ACTIONS, STEP_PHASES, TWO_ACTIONS

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

_TRIALS = 6
"""The most trials that are planned."""
_PLAYS = 3
"""The most trials of a task whose plays differ."""

_REWARDED, _FEW = telling_jobs.REWARDED, telling_jobs.REWARDED[:5]
# A job is all of a kind: a crash in each would hide what else there is. None stands for files of all kinds.
_FILE_KINDS = (
    _REWARDED,
    (*_FEW, *telling_jobs.SHAPED),
    (*_FEW, *telling_jobs.UNREADABLE, *telling_jobs.BAD),
    (*_FEW, *telling_jobs.NOT_FINITE),
    (*_FEW, *telling_jobs.LIMITS, *telling_jobs.SHAPED),
    (*_FEW, *telling_jobs.CRASHING),
    None,
)


def _mostly(plain: Any, pool: Sequence[Any], times: int) -> SearchStrategy[Any]:
    """Draw the plain value so many times as often as all of a pool."""
    return st.integers(0, times).flatmap(lambda roll: st.sampled_from(pool) if roll == times else st.just(plain))


_homes = _mostly(telling_jobs.HOMES[0], telling_jobs.HOMES[1:], 1)
_agents = _mostly(telling_jobs.AGENTS[0], telling_jobs.AGENTS[1:], 1)
_attempts = _mostly(1, (*(2, 3, 4, 5) * 3, 0), 1)
_metrics = _mostly(None, telling_jobs.METRICS, 1)
_retry = _mostly(None, telling_jobs.RETRIES, 1)
_refused = _mostly(None, telling_jobs.REFUSED, 12)
_verify = _mostly(None, (False,), 12)
_file_kind = st.sampled_from(_FILE_KINDS)
_actions = _mostly((), [*((each,) for each in ACTIONS), *TWO_ACTIONS], 2)
_step_actions = _mostly((), [(each,) for each in STEP_ACTIONS], 3)
_outer_actions = _mostly((), [(each,) for each in ACTIONS if each[0] not in STEP_PHASES], 4)
_tokens = _mostly(None, telling_jobs.TOKENS, 2)
# Mostly thresholds that a reward may equal: what is odd about one stops the steps whatever the reward.
_bars = st.lists(_mostly(None, telling_jobs.BARS[1:4] * 3 + telling_jobs.BARS[4:], 1), min_size=1, max_size=4)
_strategy = st.sampled_from(telling_jobs.STRATEGIES)
_step_kinds = st.one_of(st.just([False] * 4), st.lists(st.booleans(), min_size=1, max_size=4))
_resume = st.tuples(
    st.sampled_from((None, 0, 1, 2, 3, 4)),
    st.sampled_from((None, None, "cancel")),
    st.sampled_from(telling_jobs.ORDERS),
)
_resumes: SearchStrategy[list[Any]] = st.one_of(st.just([]), st.lists(_resume, min_size=1, max_size=2))


@st.composite
def job_run(draw: DrawFn, any_files: SearchStrategy[Record]) -> Record:
    """Draw a job: where its tasks come from, who tries them how often, what happens then, and how it is resumed."""
    homes, agents, n_tasks = draw(_homes), draw(_agents), draw(st.integers(1, 4))
    fits = max(1, _TRIALS // max(1, n_tasks * len(agents)))
    n_attempts, retry = min(draw(_attempts), fits), draw(_retry)
    tasks = draw(_tasks(n_tasks, any_files, (len(agents) * n_attempts, 1 + (retry or _ONCE)["max_retries"])))
    resumes = draw(_resumes)
    metrics = draw(_metrics)
    return telling_jobs.job(
        homes,
        tasks,
        _own_metrics(draw, homes),
        agents=None if agents == telling_jobs.AGENTS[0] else telling_jobs.agents(agents),
        n_attempts=None if n_attempts == 1 else n_attempts,
        metrics=metrics and list(metrics),
        retry=retry and Record(retry),
        verify=draw(_verify),
        resume=[telling_jobs.resume(*each) for each in resumes] or None,
    )


_ONCE = Record(max_retries=0)


def _own_metrics(draw: DrawFn, homes: tuple[telling_jobs.Home, ...]) -> list[str]:
    """Draw the metrics of a registry's dataset, if there is one."""
    is_registry = any(kind for _, kind in homes)
    return list((draw(_metrics) if is_registry else None) or ())


@st.composite
def _tasks(draw: DrawFn, number: int, any_files: SearchStrategy[Record], counts: tuple[int, int]) -> list[Record]:
    """Draw the tasks; those with steps have the same, and at most one is refused."""
    file_kind, has_steps = draw(_file_kind), (draw(_step_kinds) * number)[:number]
    files = any_files if file_kind is None else st.sampled_from(file_kind)
    if file_kind is not None and not any(has_steps):
        files = st.sampled_from((*file_kind, telling_jobs.ALIKE))
    stepped = draw(_stepped) if any(has_steps) else {}
    name, refused = draw(st.integers(0, len(telling_jobs.TASK_NAMES) - 1)), draw(_refused)
    found: list[Record] = []
    for place, is_stepped in enumerate(has_steps):
        fields: dict[str, Any] = {"name": telling_jobs.TASK_NAMES[(name + place) % len(telling_jobs.TASK_NAMES)]}
        if is_stepped:
            fields |= stepped
            play = _play_of_steps(files, len(stepped["steps"]))
        else:
            play = _play(files, _actions)
        n_trials, n_tries = max(1, min(counts[0], _PLAYS)), counts[1]
        plays = draw(st.lists(st.lists(play, min_size=1, max_size=n_tries), max_size=n_trials))
        if plays:
            fields["plays"] = plays
        found.append(Record(fields))
    if refused is not None:
        found[number // 2].update(refused)
    return found


def _fields_of_steps(bars: list[Any], strategy: str | None, separate: bool | None) -> dict[str, Any]:
    said = {"steps": telling_jobs.steps(bars), "strategy": strategy, "separate": separate}
    return {name: value for name, value in said.items() if value is not None}


_stepped = st.builds(_fields_of_steps, _bars, _strategy, _mostly(None, (True,), 6))


def _play(
    files: SearchStrategy[Record], actions: SearchStrategy[tuple[telling_jobs.Action, ...]]
) -> SearchStrategy[Record]:
    return st.builds(telling_jobs.play, files, actions, _tokens)


def _play_of_steps(files: SearchStrategy[Record], n_steps: int) -> SearchStrategy[Record]:
    steps = st.lists(_play(files, _step_actions), max_size=n_steps)
    return st.builds(lambda actions, steps: telling_jobs.play(Record(), actions, None, steps), _outer_actions, steps)
