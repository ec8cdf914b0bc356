"""The bounded-exhaustive tier: every case up to a size, the plainest first, the same on every run."""

from __future__ import annotations

import json
import math
from functools import cache
from itertools import chain, islice, permutations, product
from typing import TYPE_CHECKING, Any

from parity import exhaustive_job_run, telling
from parity.codec import Record
from parity.telling import BARS, NO_RESULT, own, single, trial, verified

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from parity.telling import Outcome

    Planned = tuple[Callable[..., Record], tuple[Any, ...]]
    """How to build a case, and of what: cases of other slices are counted past without being built."""


def cases(surface: str, part: int = 0, parts: int = 1) -> Iterator[Record]:
    """Yield the inputs of a surface's tier, or every `parts`-th of them from the `part`-th on."""
    return (build(*of) for build, of in islice(_planned(surface), part, None, parts))


def count(surface: str, part: int = 0, parts: int = 1) -> int:
    """Return how many cases a surface's tier has, or a slice of it."""
    return len(range(part, _size(surface), parts))


@cache
def _size(surface: str) -> int:
    return sum(1 for _ in _planned(surface))


def _planned(surface: str) -> Iterator[Planned]:
    return _TIERS[surface]() if surface in _TIERS else iter(())


def _lists(pool: tuple[Any, ...], sizes: range) -> Iterator[tuple[Any, ...]]:
    return chain.from_iterable(product(pool, repeat=size) for size in sizes)


# --- reward_files -----------------------------------------------------------------------------------------------------

# Every text of up to four of these: all the grammar of a number.
_GRAMMAR = ("1", "0", "_", ".", "e", "-", "+", " ", "nan", "inf", "\u0663")
# Every one or two of these with those, and every two around a 1: what may stand at a number's side.
_NEIGHBOURS = (
    *("E", "inity", "x", "0x", ",", '"', "\\", "/", "true", "null", "[", "{"),
    *("\n", "\t", "\r", "\x0b", "\x1c", "\x1f", "\x85", "\xa0", "\u2003", "\u3000"),
    *("\x00", "\u200b", "\ufeff", "\u2212", "\xb2", "\uff11", "\U00011f51", "\ud800"),
)
# Every two of these in one object: a name that comes twice, spelled alike or not, and values of every kind.
_MEMBERS = tuple(f"{name}: {value}" for name in telling.NAMES[:3] for value in (*telling.LITERALS[:9], "[]", '"x"'))
_CODECS = ("utf-8-sig", "utf-16", "utf-16-le", "utf-32", "latin-1")


def _files(txt: Any, json: Any) -> Record:
    return Record({"reward.txt": txt, "reward.json": json})


def _txt(text: str) -> Record:
    return _files(text.encode("utf-8", "surrogatepass"), None)


def _json(value: str) -> Record:
    return _files(None, f'{{"reward": {value}}}'.encode("utf-8", "surrogatepass"))


def _json_string(text: str) -> Record:
    return _json(json.dumps(text))


def _members(members: tuple[str, ...]) -> Record:
    return _files(None, f"{{{', '.join(members)}}}".encode())


def _contents() -> Iterator[bytes]:
    """List what is no number and no object, or not in UTF-8."""
    yield from telling.BROKEN
    yield from (document.encode() for document in telling.DOCUMENTS)
    for text in ("1", "1\xa0", '{"reward": 1}', '{"\xe9": 1}'):
        yield from (text.encode(codec) for codec in _CODECS)


@cache
def _characters() -> tuple[str, ...]:
    """List every other character that is a number or a space to Python, and digits that are none to it yet."""
    found = (each for each in map(chr, range(128, 0x110000)) if each.isnumeric() or each.isspace())
    return tuple(each for each in chain(found, telling.NEW_DIGITS) if each not in _GRAMMAR + _NEIGHBOURS)


def _texts(size: int) -> Iterator[str]:
    yield from map("".join, product(_GRAMMAR, repeat=size))
    pairs = (pair for pair in product(_GRAMMAR + _NEIGHBOURS, repeat=2) if not set(pair) <= set(_GRAMMAR))
    if size == 1:
        yield from chain(_NEIGHBOURS, _characters())
    elif size == 2:
        yield from chain(map("".join, pairs), map("1{}".format, _characters()))
    elif size == 3:
        yield from map("1".join, pairs)


def _reward_files() -> Iterator[Planned]:
    for files in product(telling.TXT_FILES, telling.JSON_FILES):
        yield _files, files
    for content in _contents():
        yield _files, (content, None)
        yield _files, (None, content)
    for value in (*telling.LITERALS, *telling.NEAR_LITERALS, *telling.DEEP):
        yield _json, (value,)
    for numeral, form in product(telling.LONG_NUMERALS, (_txt, _json, _json_string)):
        yield form, (numeral,)
    for members in product(_MEMBERS, repeat=2):
        yield _members, (members,)
    for text in chain.from_iterable(map(_texts, range(5))):
        for form in (_txt, _json, _json_string):
            yield form, (text,)


# --- metric -----------------------------------------------------------------------------------------------------------

_REWARDS = (
    *single((0, 1, 1.0, -0.0, 0.1, 0.2, math.nan, 1e16, -1e16, 2**63)),
    *(None, {}, {"speed": 1}, {"speed": 1, "reward": 0.5}),
)
_SUMMANDS = (*single((1, 0.1, 0.2, 0.3, 1e16, -1e16, 2**63)), None)


def _metric_case(name: str, rewards: tuple[Any, ...]) -> Record:
    return Record(metric=name, rewards=[own(each) for each in rewards])


def _metric() -> Iterator[Planned]:
    # Size by size, and the metrics in turn: if they were the innermost loop, each of four slices would have one alone.
    for size in range(5):
        for of in product(("mean", "max", "min", "sum"), product(_REWARDS, repeat=size)):
            yield _metric_case, of
        if size == 1:  # every two names, in both orders
            for name, (one, other) in product(("mean", "max", "min", "sum"), permutations(telling.KEYS, 2)):
                yield _metric_case, (name, ({one: 1, other: 0.5},))
    for of in product(("mean", "sum"), product(_SUMMANDS, repeat=5)):
        yield _metric_case, of


# --- Trials -----------------------------------------------------------------------------------------------------------

_ONE_GROUP = telling.GROUPS[0]
_PLAIN = (_ONE_GROUP, telling.TASKS[0], (True, {"reward": 1}), (None, None))


def _varied() -> Iterator[tuple[Any, ...]]:
    """Vary the plain trial by its group, its names, its outcome or its ending, and put it with others."""
    outcomes = (*verified((*single((*telling.NUMBERS, *telling.COERCED)), *telling.SHAPES)), NO_RESULT)
    pools = (telling.GROUPS, telling.TASKS, outcomes, product(telling.EXCEPTIONS, telling.TOKENS))
    for place, pool in enumerate(pools):
        for value in pool:
            varied = (*_PLAIN[:place], value, *_PLAIN[place + 1 :])
            yield from ((varied,), (varied, varied), (_PLAIN, varied), (varied, _PLAIN))


# --- pass_at_k --------------------------------------------------------------------------------------------------------

_ATTEMPTS: tuple[Outcome, ...] = (*verified((*single((0, 1, 0.5)), None, {})), NO_RESULT)


def _trials_case(parts: tuple[Any, ...]) -> Record:
    return Record(
        trials=[trial(group, (task, f"{task}__{i}"), outcome) for i, (group, task, outcome) in enumerate(parts)]
    )


def _counted(tasks: tuple[tuple[int, int], ...]) -> tuple[tuple[Any, ...], ...]:
    """List the trials of tasks, each with its number of attempts and of successes among them."""
    outcomes = verified(single((0, 1)))
    named = zip("tuvw", tasks, strict=False)
    return tuple((_ONE_GROUP, task, outcomes[i < c]) for task, (n, c) in named for i in range(n))


def _counts_case(tasks: tuple[tuple[int, int], ...]) -> Record:
    return _trials_case(_counted(tasks))


def _attempts(most: int) -> tuple[tuple[int, int], ...]:
    """List every number of attempts and of successes among them."""
    return tuple((n, c) for n in range(1, most + 1) for c in range(n + 1))


def _varied_case(trials: tuple[Any, ...]) -> Record:
    return Record(trials=[trial(*parts) for parts in trials])


def _pass_at_k() -> Iterator[Planned]:
    for trials in _varied():
        yield _varied_case, (trials,)
    attempts = tuple(product((_ONE_GROUP,), "tu", _ATTEMPTS))
    # Which groups share a key: two trials of one task in one group have a pass@2, in two groups none.
    grouped = product(product(telling.GROUPS[1:], "t", _ATTEMPTS[:2]), product(telling.GROUPS, "t", _ATTEMPTS[:2]))
    for parts in chain(_lists(attempts, range(3)), grouped, _lists(attempts, range(3, 5))):
        yield _trials_case, (parts,)
    few = tuple((n, c) for n, c in _attempts(3) if n > 1)
    counts = (product(_attempts(most), repeat=tasks) for tasks, most in ((1, 20), (2, 8), (3, 4)))
    # It takes four tasks to show how the mean over tasks is added up.
    for tasks in sorted(chain(*counts, product(few, repeat=4)), key=_total):
        if _total(tasks) > 4:  # smaller ones are among the lists
            yield _counts_case, (tasks,)


def _total(tasks: tuple[tuple[int, int], ...]) -> int:
    return sum(n for n, _ in tasks)


# --- job_stats and job_result -----------------------------------------------------------------------------------------

_TRIALS = (
    trial(_ONE_GROUP, ("t", "t__1"), (True, {"reward": 1})),
    trial(_ONE_GROUP, ("t", "t__2"), (True, {"reward": 1.0}), ("RuntimeError", telling.TOKENS[1])),
    trial(_ONE_GROUP, ("t", "t__1"), (True, {"speed": -0.0, "reward": 0.5}), (None, telling.TOKENS[2])),
    trial(_ONE_GROUP, ("t", "t__3"), NO_RESULT, ("CancelledError", telling.TOKENS[3])),
    trial(telling.GROUPS[1], ("t", "t__1"), (True, None), (None, telling.TOKENS[9])),
)
_STEPS = (
    *(Record(op="add", trial=each) for each in _TRIALS),
    *(Record(op="remove", trial=i) for i in range(2)),
    *(Record(op="replace", trial=each, previous=i) for each in _TRIALS for i in range(2)),
)


def _stats_case(steps: tuple[Record, ...]) -> Record:
    return Record(n_total_trials=3, n_retries=0, steps=list(steps))


def _added_case(total: int | None, retries: int, trials: tuple[Any, ...]) -> Record:
    steps = [Record(op="add", trial=trial(*parts)) for parts in trials]
    return Record(n_total_trials=total, n_retries=retries, steps=steps)


def _valid(steps: tuple[Record, ...]) -> bool:
    """Tell whether each step refers to a trial that was seen before it."""
    seen = 0
    for step in steps:
        index = step["trial"] if step["op"] == "remove" else step.get("previous", -1)
        if index >= seen:
            return False
        seen += step["op"] != "remove"
    return True


def _job_stats() -> Iterator[Planned]:
    yield _stats_case, ((),)
    for trials in _varied():
        yield _added_case, (3, 0, trials)
        yield _added_case, (None, 1, trials)
    yield from ((_stats_case, (steps,)) for steps in _lists(_STEPS, range(1, 5)) if _valid(steps))


# Attempts and successes of tasks whose pass@k together tells how their mean is added up.
_ONE_GOOD = ((2, 1), (3, 1))


def _job_case(trials: tuple[Any, ...], metrics: dict[str, list[str]]) -> Record:
    return Record(
        id="00000000-0000-0000-0000-000000000000",
        started_at="2026-01-02T03:04:05",
        finished_at="2026-01-02T03:04:05.100000",
        n_attempts=1,
        n_retries=0,
        metrics=metrics,
        trials=[trial(*parts) for parts in trials],
    )


def _attempts_case(tasks: tuple[tuple[int, int], ...]) -> Record:
    return _job_case(
        tuple((group, (task, f"{task}__{i}"), outcome) for i, (group, task, outcome) in enumerate(_counted(tasks))),
        {"adhoc": ["mean"]},
    )


def _group_case(rewards: tuple[Any, ...], group: telling.Group, metrics: dict[str, list[str]]) -> Record:
    return _job_case(tuple((group, ("t", f"t__{i}"), (True, each)) for i, each in enumerate(rewards)), metrics)


def _job_result() -> Iterator[Planned]:
    """Plan every group against the metrics of every dataset: which name finds them is the telling part."""
    metrics = ({dataset: list(names)} for dataset in telling.DATASETS for names in (("mean",), ("max", "sum"), ()))
    yield _job_case, ((), {})
    for trials in _varied():
        yield _job_case, (trials, {"adhoc": ["mean"]})
    yield from ((_group_case, of) for of in product(_lists(_REWARDS[:4], range(1, 3)), telling.GROUPS, metrics))
    yield from ((_attempts_case, (tasks,)) for tasks in chain(product(_attempts(6)), product(_ONE_GOOD, repeat=4)))


# --- multi_step and min_reward ----------------------------------------------------------------------------------------

_STEP_OUTCOMES = (
    *verified((*single((0, 1, 0.1, 0.2, 0.3, 1e16, -1e16)), None, {"speed": 1})),
    NO_RESULT,
)
_TWO_BARS = tuple({"reward": a, "speed": b} for a, b in product(BARS, repeat=2))


def _multi_step_case(strategy: str | None, outcomes: tuple[Outcome, ...]) -> Record:
    return Record(
        strategy=strategy, steps=[Record(verified=is_there, rewards=own(each)) for is_there, each in outcomes]
    )


def _multi_step() -> Iterator[Planned]:
    for outcomes in _lists(_STEP_OUTCOMES, range(5)):
        for strategy in (None, "mean", "final"):
            yield _multi_step_case, (strategy, outcomes)


def _min_reward_case(rewards: dict[str, Any] | None, threshold: Any) -> Record:
    return Record(rewards=own(rewards), min_reward=threshold)


def _min_reward() -> Iterator[Planned]:
    rewards = (None, {}, {"speed": 1}, *single(BARS), *_TWO_BARS)
    swapped = ({"speed": b, "reward": a} for a, b in product(BARS[:3], repeat=2))
    thresholds = (*BARS, {}, {"speed": 0.5}, *_TWO_BARS, *swapped)
    both = sorted(
        product(rewards, thresholds), key=lambda both: sum(len(each) for each in both if isinstance(each, dict))
    )
    return ((_min_reward_case, of) for of in both)


_TIERS: dict[str, Callable[[], Iterator[Planned]]] = {
    "reward_files": _reward_files,
    "metric": _metric,
    "pass_at_k": _pass_at_k,
    "job_stats": _job_stats,
    "multi_step": _multi_step,
    "min_reward": _min_reward,
    "job_result": _job_result,
    "job_run": exhaustive_job_run.planned,
}
