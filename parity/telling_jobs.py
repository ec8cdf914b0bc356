"""Telling jobs: tasks, agents, metrics, retries and what happens in a try, the plainest first.

Like `parity.telling`, for the surface `job_run`. What a job's declaration can leave out is left out where it is plain.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

from parity import telling
from parity.codec import Record

Action = tuple[str, str]
"""A phase, and what it does."""


def _json(text: str) -> Record:
    return Record({"reward.json": text.encode("ascii")})


def _txt(text: str) -> Record:
    return Record({"reward.txt": text.encode("utf-8")})


PLAIN = _txt("1")
HUGE = "1" + "0" * 400

# Rewards that tell in a job: who is first, how they are added up, and what a file cannot say.
REWARDED = (
    *map(_txt, ("0", "0.5", "0.1", "0.2", "0.3", "1e16", "-1e16")),
    *map(_json, ('{"reward": 1}', '{"reward": 0}', '{"reward": true}', '{"reward": 2}')),
)
SHAPED = tuple(
    map(
        _json,
        (
            "null",
            "{}",
            '{"speed": 1}',
            '{"reward": 0.1, "speed": 1}',
            '{"speed": 0.2, "reward": 1, "a": -0.0}',
            '{"\\ud800": 1}',
        ),
    )
)
# These keys look alike in a file, which keeps the last. Not for steps: which is last in a mean follows the hash seed.
ALIKE = _json('{"\\ud800": 1, "\\udfff": 2, "a": 3}')
NOT_FINITE = (*map(_txt, ("nan", "inf", "-inf")), *map(_json, ('{"reward": NaN, "speed": 1}', '{"reward": -1e999}')))
LIMITS = (
    *map(_txt, ("-0", "1e-5", "1.5e-7", "9007199254740993")),
    *map(_json, ('{"reward": 9007199254740993}', '{"reward": 9223372036854775808}', f'{{"reward": {HUGE[:300]}}}')),
)
CRASHING = (*map(_json, (f'{{"reward": {HUGE}}}', f'{{"reward": -{HUGE}}}', f'{{"speed": {HUGE}, "reward": 0.5}}')),)
UNREADABLE = tuple(
    Record({name: content})
    for name, contents in (("reward.txt", telling.TXT_FILES), ("reward.json", telling.JSON_FILES))
    for content in contents
)
BAD = tuple(map(_json, ('{"reward": "x"}', '{"reward": [1]}', "[1]", "[" * 20_000)))

# --- What a phase does ------------------------------------------------------------------------------------------------

RAISED = (
    "RuntimeError",
    "CancelledError",
    "TimeoutError",
    "RuntimeError: a: b",
    "AgentTimeoutError: late",
    "VerifierTimeoutError",
    "NonZeroAgentExitCodeError: exit 1",
    "HealthcheckError: ill",
    "CancelledError: stop",
    "AgentSetupTimeoutError",
    "EnvironmentStartTimeoutError: 1",
)
TIMED = ("start", "install", "agent", "upload", "verifier")
PHASES = ("agent", "verifier", "start", "install", "upload", "health", "stop")
STEP_PHASES = ("agent", "verifier", "setup", "health", "upload")


def actions(phase: str) -> tuple[Action, ...]:
    """List what a phase may do, besides succeeding."""
    words = ("hang", "fail") if phase in TIMED else ("fail",)
    return tuple((phase, action) for action in (*words, *RAISED))


ACTIONS = tuple(action for phase in PHASES for action in actions(phase))
STEP_ACTIONS = tuple(action for phase in STEP_PHASES for action in actions(phase))
# The first exception is kept, whatever comes later.
TWO_ACTIONS = tuple(
    product(
        (("agent", "hang"), ("agent", "NonZeroAgentExitCodeError"), ("agent", "RuntimeError"), ("start", "fail")),
        (("verifier", "hang"), ("verifier", "OSError"), ("verifier", "CancelledError"), ("stop", "RuntimeError: stop")),
    )
)
# Their costs are added one by one.
TOKENS = (
    Record(input=1, cache=0, output=2, cost_usd=0.1),
    Record(input=10, cost_usd=0.2),
    Record(cost_usd=0.3),
    Record(input=None, output=0),
    Record(),
    Record(cost_usd=-0.0),
    Record(input=2**63, cache=7, cost_usd=1e-05),
)

# --- Tasks ------------------------------------------------------------------------------------------------------------

# A trial's name is cut short and loses what is at its end; pass@k goes by the task's name.
TASK_NAMES = ("t", "u", "v", "t", "w", "a__b", "x_-_", "n" * 31 + "--yz", 'é" \U0001f600', "-")
STEP_NAMES = ("s1", "s2", "s3", "s1", 'it\'s "é"')
STRATEGIES: tuple[str | None, ...] = (None, "final", "mean")
REFUSED: tuple[dict[str, Any], ...] = (
    {"strategy": "max"},
    {"strategy": ""},
    {"steps": [Record(name="s1", min_reward="word")]},
    {"strategy": "Mean", "steps": [Record(name="s1"), Record(name="s2", min_reward={"a": 1, "b": "x"})]},
    {"steps": [Record(name="s1", min_reward=10**400)]},
)
BARS: tuple[Any, ...] = (
    None,
    0.5,
    1,
    0,
    {"reward": 0.5},
    "0.5",
    True,
    {"speed": 1, "reward": 0},
    {},
    float("nan"),
    float("-inf"),
    float("inf"),
)

# --- Datasets, agents, metrics, retries -------------------------------------------------------------------------------

Home = tuple[str | None, bool | None]
"""A source, and whether it is a registry's dataset (True), a local one (False) or none (None)."""

HOMES: tuple[tuple[Home, ...], ...] = (
    ((None, None),),
    (("d", False),),
    ((None, None), ("d", False)),
    (("a__b", False),),
    (("a__b", True),),
    (("a__b", False), ("b", False)),
    (("d", True), (None, None)),
    (("d", False), ("d", True)),
    (("d", True), ("d", True)),
    (("adhoc", False), (None, None)),
    (("x__adhoc", False),),
    (("d__", False), ("", True)),
    (("_d", True), ("d", False)),
    (("d", None), ("d", False)),
    ((None, None), ("nowhere", None)),
    (("", None), ("adhoc", None)),
)
AGENTS: tuple[tuple[tuple[str, str | None], ...], ...] = (
    (("agent", None),),
    (("a", None), ("b", None)),
    (("a", "m"), ("a", None)),
    (("a__b", None), ("a", "b")),
    (("a", None), ("a", None)),
    (("a", "p/m"), ("a", "q/m")),
    (("a", ""), ("a", "p/")),
    (("a_", "x/y/z"),),
    (("b", None), ("a", None), ("c", "m")),
    (('é"', "m\n"),),
    (),
)
METRICS = (
    ("mean",),
    ("max",),
    ("sum", "mean"),
    ("min", "max", "mean", "sum"),
    ("mean", "mean"),
    ("mean", "sum"),
)
RETRIES = (
    Record(max_retries=1),
    Record(max_retries=2),
    Record(max_retries=1, exclude_exceptions=[]),
    Record(max_retries=1, include_exceptions=["RuntimeError"]),
    Record(max_retries=2, include_exceptions=["AgentTimeoutError"], exclude_exceptions=["RuntimeError"]),
    Record(max_retries=1, include_exceptions=[], exclude_exceptions=["RuntimeError"]),
    Record(max_retries=1, exclude_exceptions=None),
)


# Directories are listed in these orders when a job is resumed.
ORDERS: tuple[list[int], ...] = ([], [1, 0], [2, 1, 0], [1, 2, 0], [0, 2], [3, 0, 2, 1], [5, 4, 3, 2, 1])


def play(
    files: Record, actions: tuple[Action, ...] = (), tokens: Record | None = None, steps: list[Record] | None = None
) -> Record:
    """Put together what happens in a try or a step."""
    more = {"tokens": tokens and Record(tokens), "steps": steps}
    return Record({**files, **dict(actions), **{name: value for name, value in more.items() if value is not None}})


def steps(bars: Sequence[Any]) -> list[Record]:
    """Declare steps with these thresholds; None is left out."""
    named = zip(STEP_NAMES, bars, strict=False)
    return [Record(name=name) if bar is None else Record(name=name, min_reward=bar) for name, bar in named]


def resume(after: int | None, by: str | None, order: Sequence[int]) -> Record:
    """Declare how a run is interrupted, and in which order the next finds the directory."""
    said = {"after": after, "by": by, "order": list(order) or None}
    return Record({name: value for name, value in said.items() if value is not None})


def agents(declared: tuple[tuple[str, str | None], ...]) -> list[Record]:
    """Declare agents; no model is left out."""
    return [Record(name=name) if model is None else Record(name=name, model=model) for name, model in declared]


def job(homes: Sequence[Home], tasks: Sequence[Record], own_metrics: Sequence[str] = (), **fields: Any) -> Record:
    """Declare a job: tasks, dealt in turn to the homes, and the fields that are not None."""
    dealt = [(home, list(tasks[place :: len(homes)])) for place, home in enumerate(homes)]
    own = [_own_task(task, source) for (source, kind), some in dealt if kind is None for task in some]
    datasets = [_dataset(home, some, own_metrics) for home, some in dealt if home[1] is not None]
    made = {"tasks": own or None, "datasets": datasets or None, **fields}
    return Record({name: value for name, value in made.items() if value is not None})


def _own_task(task: Record, source: str | None) -> Record:
    return task if source is None else Record(task, source=source)


def _dataset(home: Home, tasks: list[Record], own_metrics: Sequence[str]) -> Record:
    """Declare a dataset; tasks in the directory of a local one need names that differ."""
    name, is_registry = home
    if is_registry:
        more = {"metrics": list(own_metrics)} if own_metrics else {}
        return Record(name=name, registry=True, **more, tasks=tasks)
    names = [task["name"] for task in tasks]
    own = [
        Record(task, name=f"{task['name']}{number}") if task["name"] in names[:number] else task
        for number, task in enumerate(tasks)
    ]
    return Record(name=name, tasks=own)
