"""The exhaustive tier of the surface `job_run`: every thing that can happen once, in jobs of a few trials."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

from parity import telling, telling_jobs
from parity.codec import Record
from parity.telling_jobs import BARS, HOMES, PHASES, REWARDED, STEP_PHASES, TIMED, play

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_HOME = HOMES[0]
_HALF, _TENTHS = REWARDED[1], REWARDED[2:5]
_BARRED = (_HALF, telling_jobs.PLAIN, REWARDED[0], telling_jobs.SHAPED[0])
"""What may equal a threshold, and nothing at all."""
_RAISED = ("RuntimeError: x", "CancelledError", "TimeoutError", "NonZeroAgentExitCodeError")
_FILES = (
    *telling_jobs.UNREADABLE,
    *telling_jobs.BAD,
    *telling_jobs.SHAPED,
    telling_jobs.ALIKE,
    *telling_jobs.NOT_FINITE,
    *telling_jobs.CRASHING,
)
# Two of these tell a sign that is lost, a tie, a nan that spreads and rewards that are missing.
_TELLING = (REWARDED[0], telling_jobs.LIMITS[0], telling_jobs.NOT_FINITE[0], telling_jobs.SHAPED[0])
# Both files at once, in a trial and in a step: which of them is read is the most that can be wrong in a job.
_BOTH = tuple(
    Record({"reward.txt": txt, "reward.json": json})
    for txt, json in product(telling.TXT_FILES[1:-1], (*telling.JSON_FILES[1:-1], b'{"speed": 1}'))
)
_LATE: tuple[telling_jobs.Action, ...] = (("agent", "hang"),)
"""An exception that leaves the verifier to be run, so that what becomes of a file shows in nothing else."""
_ENDS = (*product((None, 0, 1, 2, 3), (None,)), *product((0, 1, 2), ("cancel",)))


def planned() -> Iterator[tuple[Callable[..., Record], tuple[Any, ...]]]:
    """Plan the cases: how to build each, and of what."""
    yield _job, ([], {})
    yield from ((_trials, (attempts, good)) for attempts in range(7) for good in range(attempts + 1))
    yield _trials, (3, 1, 2, 2, 1)  # the fewest that tell how the mean over tasks is added up
    yield from ((_phases, (act,)) for phase in PHASES for act in _acts(phase))
    yield from ((_phases, acts) for acts in telling_jobs.TWO_ACTIONS)
    yield from ((_file, (files,)) for files in _FILES)
    yield from ((_homes, of) for of in product(HOMES, (None, ["sum", "mean"])))
    yield from ((_agents, (agents,)) for agents in telling_jobs.AGENTS)
    yield from ((_retry, of) for of in product(telling_jobs.RETRIES, (("agent", "RuntimeError"), ("agent", "hang"))))
    yield from ((_gate, of) for of in product(BARS[1:], _BARRED))
    yield from ((_refused, of) for of in product(telling_jobs.REFUSED, (HOMES[0], HOMES[1], (("d", True),))))
    yield from ((_all_refused, of) for of in product(telling_jobs.REFUSED, repeat=2))
    yield from ((_step, (*of, "final")) for phase in STEP_PHASES for of in _acts(phase))
    yield from ((_step, (*of, None)) for phase in STEP_PHASES for of in _acts(phase))
    yield from ((_spent, of) for of in product(telling_jobs.TOKENS, repeat=2))
    yield from ((_resume, (*end, order)) for end, order in product(_ENDS, telling_jobs.ORDERS[:4]))
    yield from product((_attempts, _steps, _crash), product(_TELLING, _TELLING, ("mean", "max", "sum")))
    yield from product((_file, _file_of_a_step), product(_BOTH, ((), _LATE)))


def _acts(phase: str) -> Iterator[telling_jobs.Action]:
    return product((phase,), ("hang", "fail", *_RAISED) if phase in TIMED else ("fail", *_RAISED))


def _job(tasks: list[Record], fields: dict[str, Any]) -> Record:
    return telling_jobs.job(_HOME, tasks, **fields)


def _trials(attempts: int, *good: int) -> Record:
    """Let so many of the attempts at each task succeed."""
    plays = [[[telling_jobs.PLAIN]] * number + [[REWARDED[0]]] * (attempts - number) for number in good]
    tasks = [Record(name=name, plays=each) for name, each in zip("tuvw", plays, strict=False)]
    return _job(tasks, {"n_attempts": attempts})


def _phases(*acts: telling_jobs.Action) -> Record:
    return _job([Record(name="t", plays=[[play(_HALF, acts)]]), Record(name="u")], {})


def _file(files: Record, acts: tuple[telling_jobs.Action, ...] = ()) -> Record:
    """Let two trials leave the same, beside a plain one."""
    return _job([*(Record(name=name, plays=[[play(files, acts)]]) for name in "tu"), Record(name="v")], {})


def _file_of_a_step(files: Record, acts: tuple[telling_jobs.Action, ...]) -> Record:
    plays = [[play(Record(), steps=[play(files, acts)])]]
    return _job([Record(name="t", steps=telling_jobs.steps((None,)), plays=plays)], {})


def _homes(homes: tuple[telling_jobs.Home, ...], metrics: list[str] | None) -> Record:
    tasks = [Record(name=name, plays=[[files]]) for name, files in zip("tuv", _TENTHS, strict=True)]
    return telling_jobs.job(homes, tasks, ["max"], metrics=metrics and list(metrics))


def _agents(agents: tuple[tuple[str, str | None], ...]) -> Record:
    """Let two agents try two tasks twice, with a reward of its own for each trial of a task."""
    plays = [[files] for files in REWARDED]
    tasks = [Record(name="t", plays=plays), Record(name="u")]
    return _job(tasks, {"agents": telling_jobs.agents(agents), "n_attempts": 2})


def _retry(retry: Record, action: telling_jobs.Action) -> Record:
    """Let the first try fail, and the second in another way; the job is interrupted, or nothing would be seen of it."""
    tries = [play(_HALF, (action,)), play(_HALF, (("stop", "OSError"),)), telling_jobs.PLAIN]
    tasks = [Record(name="t", plays=[tries]), Record(name="u")]
    return _job(tasks, {"retry": Record(retry), "resume": [telling_jobs.resume(1, None, ())]})


def _gate(bar: Any, files: Record) -> Record:
    task = Record(name="t", steps=telling_jobs.steps((bar, None)), plays=[[play(Record(), steps=[files])]])
    return _job([task], {})


def _refused(fields: dict[str, Any], homes: tuple[telling_jobs.Home, ...]) -> Record:
    return telling_jobs.job(homes, [Record(name="t"), Record(fields, name="u"), Record(name="v")])


def _all_refused(*fields: dict[str, Any]) -> Record:
    """Let no trial be run before tasks are refused."""
    return _job([Record(each, name=name) for name, each in zip("tu", fields, strict=True)], {})


def _step(phase: str, action: str, strategy: str | None) -> Record:
    """Let the second of three steps go wrong."""
    steps = [_TENTHS[0], play(_TENTHS[1], ((phase, action),)), _TENTHS[2]]
    fields = {"steps": telling_jobs.steps((None,) * 3), "plays": [[play(Record(), steps=steps)]]}
    return _job([Record(fields | ({"strategy": strategy} if strategy else {}), name="t"), Record(name="u")], {})


def _attempts(one: Record, other: Record, metric: str) -> Record:
    return _job([Record(name="t", plays=[[one], [other]])], {"n_attempts": 2, "metrics": [metric]})


def _steps(one: Record, other: Record, metric: str) -> Record:
    task = Record(name="t", steps=telling_jobs.steps((None,) * 2), plays=[[play(Record(), steps=[one, other])]])
    return _job([task], {"metrics": [metric]})


def _crash(one: Record, other: Record, metric: str) -> Record:
    """Let the job end in an error while another agent is at work."""
    tasks = [Record(name="t", plays=[[one]]), Record(name="v", plays=[[other]]), Record(name="u", source="nowhere")]
    return _job(tasks, {"agents": [Record(name="a"), Record(name="b")], "metrics": [metric]})


def _spent(*tokens: Record) -> Record:
    return _job(
        [Record(name=name, plays=[[play(_HALF, tokens=each)]]) for name, each in zip("tu", tokens, strict=True)], {}
    )


def _resume(after: int | None, by: str | None, order: list[int]) -> Record:
    tasks = [Record(name=name, plays=[[files]]) for name, files in zip("tuv", _TENTHS, strict=True)]
    return _job(tasks, {"resume": [telling_jobs.resume(after, by, order)]})
