"""Hypothesis strategies: one function a surface, each drawing the input of a case.

Hypothesis costs by the draw, and spends most of its examples on swapping draws of one kind for each other. So a case is
a handful of draws of different kinds:

- a list over a pool is one draw: a byte (or a character) an item, which shrinks item by item;
- a list of trials is such a string over a small cast (groups, outcomes, tokens …) drawn once for the case, because a
  job has few of each and trials must meet to tell anything;
- whatever depends on an earlier draw is reduced with `%` instead of being drawn again.

Pools hold their plainest value first: that is where Hypothesis shrinks to. It tries a list of nothing but that value
before it tries a shorter one, so a value whose repetition tells something (0.1) is never the first.
"""

from __future__ import annotations

import json
import math
from itertools import chain, product, zip_longest
from typing import TYPE_CHECKING, Any, TypeVar

from hypothesis import strategies as st
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

from parity import strategies_job_run, telling
from parity.codec import Record
from parity.telling import FRACTIONS, KEYS, NUMBERS, SHAPES, ZERO_ONE, Outcome, Rewards, own, single, trial, verified

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from hypothesis.strategies import DrawFn, SearchStrategy

# Hypothesis draws constants from whatever code of ours is loaded: the cases of a seed would change with every edit and
# every import. There is no setting for it.
providers._get_local_constants = Constants  # noqa: SLF001

T = TypeVar("T")


def _pick(pool: Sequence[T]) -> SearchStrategy[T]:
    """Draw an item of a pool, which may be too long for Hypothesis to spell out in its messages.

    Beyond the first few hundred, Hypothesis prefers the front.
    """
    return st.sampled_from(range(len(pool))).map(lambda pick: pool[pick])


def _rarely(*kinds: SearchStrategy[T]) -> SearchStrategy[T]:
    """Draw any of several kinds, which `one_of` within `one_of` would make as likely as every other."""
    return st.sampled_from(kinds).flatmap(lambda kind: kind)


def _picked(pool: Sequence[T], picks: Iterable[int]) -> list[T]:
    return [pool[pick % len(pool)] for pick in picks]


# --- reward_files -----------------------------------------------------------------------------------------------------

# What goes before and after the text, and its encoding: one oddity at a time, because it hides all else about the file.
_PLAIN = ("", "", "utf-8")
_DRESSES = (
    *((_PLAIN, ("", "\n", "utf-8"), (" ", "", "utf-8")) * 30),
    *((before, space, "utf-8") for space in telling.SPACES for before in ("", space)),
    *(("", "", codec) for codec in ("utf-8-sig", "utf-16", "utf-16-le", "utf-32") * 4),
    # Without a character that is not ASCII these would be UTF-8.
    *(("", after, codec) for after in ("", "\xa0") for codec in ("latin-1", "cp1252") * 3),
)
_dress = _pick(_DRESSES)
# Numbers put together, most of which can be read.
_WHOLES = ("0", "1", "nan", "inf", "1_0", "0.0", ".5", "5.", "infinity", *telling.LATE_DIGITS[1::10], "\u0663")
_STEMS = tuple(sign + whole for whole in _WHOLES for sign in ("", "-", "+"))
_ENDS = ("", "", "", "", "e5", "E-5", "e400", "_0", ".0", "\n0")
_plain_numeral = st.one_of(
    st.sampled_from(telling.NUMERALS),
    st.tuples(_pick(_STEMS), _pick(_ENDS)).map("".join),
)
_TEXTS = (
    st.text("01_.e-+ nfi\n\u0663" + telling.NO_SPACES, max_size=6),
    # Which digits there are follows the version of Unicode, so the latest are the most telling.
    st.text("1._-" + telling.LATE_DIGITS + telling.NEW_DIGITS + telling.SCRIPTS, max_size=4),
)
_numeral = st.one_of(
    _plain_numeral,
    _pick((*telling.NUMERALS, *telling.NEAR_NUMERALS, *telling.LONG_NUMERALS)),
    _rarely(*_TEXTS),
    st.floats().map(repr),
)
_WRITERS: tuple[Callable[[str], str], ...] = (
    json.dumps,
    lambda text: json.dumps(text, ensure_ascii=False),
    '"{}"'.format,
)
_writer = st.sampled_from(_WRITERS)


@st.composite
def _string(draw: DrawFn) -> str:
    text, (before, after, _), write = draw(_numeral), draw(_dress), draw(_writer)
    return write(before + text + after)


_LONG = (*telling.LONG_NUMERALS[:2] * 4, *telling.LONG_NUMERALS[2:6])
_literal = _pick((*telling.LITERALS[:17] * 2, *telling.LITERALS, *_LONG, *telling.DEEP * 4))
_value = st.one_of(
    _literal,
    _string(),
    st.one_of(st.floats(), st.integers()).map(repr),
    st.sampled_from(telling.NEAR_LITERALS),
)
_name = st.sampled_from(telling.NAMES)
_MEMBERS = tuple(f"{name}: {value}" for value in telling.LITERALS[:28] for name in telling.NAMES)
_more_members = st.one_of(st.binary(max_size=2), st.binary(min_size=1, max_size=3))


@st.composite
def _object(draw: DrawFn) -> str:
    name, value, more = draw(_name), draw(_value), draw(_more_members)
    return "{" + ", ".join((f"{name}: {value}", *_picked(_MEMBERS, more))) + "}"


@st.composite
def _file(draw: DrawFn, text: SearchStrategy[str]) -> bytes:
    content, (before, after, codec) = draw(text), draw(_dress)
    return (before + content + after).encode(codec, "surrogatepass" if codec.startswith("utf") else "replace")


# Mostly one of them alone, because where reward.json is there it decides.
_BOTH = (*product(telling.TXT_FILES, (None,)), *product((None, b"1\n"), telling.JSON_FILES))
_both = _pick((*_BOTH * 3, *product(telling.TXT_FILES, telling.JSON_FILES)))
_odd = st.one_of(st.sampled_from(telling.BROKEN), st.binary(max_size=4))
_file_name = st.sampled_from(("reward.json", "reward.txt"))


def _rewarded(value: str) -> bytes:
    return f'{{"reward": {value}}}'.encode("utf-8", "surrogatepass")


@st.composite
def _one_file(draw: DrawFn, name: SearchStrategy[str], content: SearchStrategy[bytes]) -> Record:
    return Record({"reward.txt": None, "reward.json": None, draw(name): draw(content)})


def reward_files() -> SearchStrategy[Record]:
    """Draw what a verifier may leave behind: realistic, nearly right and hostile files; one, both or none."""
    txt, json = st.just("reward.txt"), st.just("reward.json")
    return st.one_of(
        _one_file(txt, _file(_numeral)),
        _one_file(json, _file(_object())),
        _one_file(json, _value.map(_rewarded)),
        _both.map(lambda files: Record({"reward.txt": files[0], "reward.json": files[1]})),
        _rarely(_one_file(json, _file(_pick(telling.DOCUMENTS))), _one_file(_file_name, _odd)),
        _one_file(txt, _file(_plain_numeral)),
        _one_file(json, _literal.map(_rewarded)),
    )


# --- metric -----------------------------------------------------------------------------------------------------------

_METRICS = ("mean", "max", "min", "sum")
_PAIRS = tuple(
    {first: a, second: b}
    for (first, second), a, b in product((KEYS[:2], ("b", "B"), KEYS[11:13]), FRACTIONS[:6], FRACTIONS[:6])
)
_key = st.one_of(st.sampled_from(KEYS), st.text("ab_\xe9\U0001f600\x00\n", max_size=3))
# Half of the lists are short: one value, or the same one twice, tells what more would hide.
_some = st.one_of(st.binary(max_size=3), st.binary(max_size=12))


@st.composite
def _general_rewards(draw: DrawFn) -> tuple[Rewards | None, ...]:
    key, x, n = draw(_key), draw(st.floats()), draw(st.integers())
    return ({"reward": 1}, {"reward": x}, {"reward": n}, {"reward": x / 3}, {key: n}, {"reward": n, key: x}, None)


# A list is all of a kind: a nan or a huge int among the fractions would hide how they are summed.
# None stands for general numbers.
_KINDS: tuple[tuple[Rewards | None, ...] | None, ...] = (
    (*single(telling.BINARY), None, {}),
    (*single(FRACTIONS), None),
    (*single(FRACTIONS), *single(telling.LIMITS)),
    single((1, math.nan, -0.0, *telling.NOT_FINITE)),
    single((0, -0.0, 0.0)),
    (*single(NUMBERS), *SHAPES),
    (*_PAIRS, *SHAPES),
    None,
)
_metric_and_kind = _pick(tuple(product(_METRICS, _KINDS)))


@st.composite
def metric(draw: DrawFn) -> Record:
    """Draw a metric and the rewards it aggregates."""
    name, kind = draw(_metric_and_kind)
    rewards = _picked(kind or draw(_general_rewards()), draw(_some))
    return Record(metric=name, rewards=[own(each) for each in rewards])


# --- trials -----------------------------------------------------------------------------------------------------------

_OUTCOME_KINDS: tuple[tuple[Outcome, ...] | None, ...] = (
    ZERO_ONE,
    verified((*single(FRACTIONS), None)),
    verified(single((1, *telling.NOT_FINITE, -0.0, 0.0))),
    verified(single((*telling.BINARY, *telling.RENDERED))),
    (*ZERO_ONE, *verified((*single((*NUMBERS, *telling.COERCED)), *SHAPES))),
    verified((*_PAIRS, *SHAPES)),
    (*verified(SHAPES), telling.NO_RESULT),
    None,
)
_outcome_kind = _pick(_OUTCOME_KINDS)
_few_outcomes = st.binary(max_size=7)
_CONFUSED = (*telling.CONFUSED * 10, *telling.CONFUSED[:2] * 10)
_few_groups = _pick((*((group,) for group in telling.GROUPS), *_CONFUSED, *product(telling.GROUPS, repeat=2)))
_few_exceptions = _pick((*product(telling.EXCEPTIONS), *product(telling.EXCEPTIONS, repeat=2)))
_few_tokens = _pick((*product(telling.TOKENS), *(telling.COSTS,) * 40, *product(telling.TOKENS, repeat=2)))
# A role tells outcome (8), group (4) and name (8) of a trial apart. Hypothesis draws evenly from up to 256 characters.
_FIRST = 0x4E00
_ROLES = "".join(map(chr, range(_FIRST, _FIRST + 256)))
# A group of fifteen trials tells more about sums than one of five, which is what Hypothesis makes of `max_size` alone.
_roles = st.one_of(st.text(_ROLES, max_size=20), st.text(_ROLES, min_size=8, max_size=20))


@st.composite
def _trials(draw: DrawFn) -> list[Record]:
    """Draw a role for each trial, and the cast; exceptions and tokens are dealt in turn."""
    roles = draw(_roles)
    if not roles:  # whatever the cast, it is the same case
        return []
    groups, exceptions, tokens, kind = draw(_few_groups), draw(_few_exceptions), draw(_few_tokens), draw(_outcome_kind)
    outcomes = (kind[0], *_picked(kind, draw(_few_outcomes))) if kind else verified(draw(_general_rewards()))
    return [
        trial(
            groups[role // 8 % 4 % len(groups)],
            telling.TASKS[role // 32 % len(telling.TASKS)],
            outcomes[role % 8 % len(outcomes)],
            (exceptions[position % len(exceptions)], tokens[position % len(tokens)]),
        )
        for position, role in enumerate(ord(character) - _FIRST for character in roles)
    ]


# --- pass_at_k --------------------------------------------------------------------------------------------------------

# A spoiler every now and then: most groups of twenty attempts must still have a pass@k.
_ATTEMPTS = (ZERO_ONE * 36)[:247]
_spoiler = _pick((*telling.SPOILERS, *verified(({}, {"speed": 1, "reward": 1})) * 2))
_attempts = st.lists(st.binary(min_size=1, max_size=20), min_size=1, max_size=8)
_layout = st.integers(0, 3)


@st.composite
def _attempts_by_task(draw: DrawFn) -> list[Record]:
    """Draw the attempts of each task: task by task or, as a job does, attempt by attempt; in one group or more."""
    groups, layout, attempts = draw(_few_groups), draw(_layout), draw(_attempts)
    outcomes = (*_ATTEMPTS, *(draw(_spoiler),) * (256 - len(_ATTEMPTS)))
    rows = [
        [
            trial(groups[i * (layout // 2) % len(groups)], ("tuvwx"[i % 5], f"{i}__{j}"), outcome)
            for j, outcome in enumerate(_picked(outcomes, picks))
        ]
        for i, picks in enumerate(attempts)
    ]
    if layout % 2:
        rows = [[each for each in attempt if each] for attempt in zip_longest(*rows)]
    return [each for row in rows for each in row]


def pass_at_k() -> SearchStrategy[Record]:
    """Draw trials of a few tasks with many attempts each, or any trials."""
    return st.one_of(_attempts_by_task(), _trials()).map(lambda trials: Record(trials=trials))


# --- job_stats --------------------------------------------------------------------------------------------------------

# Some trials are added; then come, most of the time, up to three operations of any kind on any of them.
_OPERATIONS = (("add", 0), *product(("remove", "replace"), range(4)))
_SCRIPTS = (((),) * 60, *(product(_OPERATIONS, repeat=size) for size in (1, 2, 3)))
_n_added = st.integers(0, 8)
_operations = _pick(tuple(chain.from_iterable(_SCRIPTS)))
_counts = st.sampled_from(tuple(product((0, None, 3, 100), (0, 1, 7))))


@st.composite
def job_stats(draw: DrawFn) -> Record:
    """Draw the life of a job's statistics: trials added, removed (twice, perhaps) and replaced."""
    (total, retries), trials = draw(_counts), draw(_trials())
    script = (("add", 0),) * draw(_n_added) + draw(_operations) if trials else ()
    steps: list[Record] = []
    seen = 0
    for op, index in script:
        if op == "remove" and seen:
            steps.append(Record(op=op, trial=index % seen))
        else:
            new = Record(trials[seen % len(trials)])
            new["rewards"] = own(new["rewards"])
            again = op == "replace" and seen
            steps.append(Record(op=op, trial=new, previous=index % seen) if again else Record(op="add", trial=new))
            seen += 1
    return Record(n_total_trials=total, n_retries=retries, steps=steps)


# --- multi_step and min_reward ----------------------------------------------------------------------------------------

_STEP_KINDS: tuple[tuple[Outcome, ...] | None, ...] = (
    ZERO_ONE,
    (*verified(({"reward": 1}, None, {})), telling.NO_RESULT),
    (*verified((*single(FRACTIONS), None, {"speed": 0.3}, {"speed": 1, "reward": 0.1})), telling.NO_RESULT),
    (*ZERO_ONE, *verified((*single((*NUMBERS, *telling.COERCED)), *SHAPES))),
    None,
)
_strategy_and_kind = _pick(tuple(product((None, "mean", "final"), _STEP_KINDS)))


@st.composite
def multi_step(draw: DrawFn) -> Record:
    """Draw a strategy and the verifier results of a trial's steps."""
    strategy, kind = draw(_strategy_and_kind)
    outcomes = _picked(kind or verified(draw(_general_rewards())), draw(_some))
    steps = [Record(verified=is_there, rewards=own(rewards)) for is_there, rewards in outcomes]
    return Record(strategy=strategy, steps=steps)


# Rewards and thresholds come from one small pool, so that they are often equal.
_BARS: tuple[Any, ...] = telling.BARS
_TWO_BARS = tuple({"reward": a, "speed": b} for a, b in product(_BARS, repeat=2))
# Which threshold is checked first is told when both fail.
_TWO_THRESHOLDS = tuple(
    {key: bars[key] for key in (("reward", "speed"), ("speed", "reward"))[number % 2]}
    for number, bars in enumerate(_TWO_BARS)
)
_held = _pick((*single(_BARS) * 6, *_TWO_BARS, *({key: 1} for key in KEYS), *SHAPES))
_thresholds = _pick((*_BARS * 6, *_TWO_THRESHOLDS, *({key: 1, "reward": 0.5} for key in KEYS), {}))


@st.composite
def _general_bars(draw: DrawFn) -> tuple[Rewards, Any]:
    key, x, n = draw(_key), draw(st.floats()), draw(st.integers())
    return {"reward": x, key: n}, draw(st.sampled_from((n, x, {key: x}, 0.5)))


def min_reward() -> SearchStrategy[Record]:
    """Draw rewards and the threshold, or thresholds, they are held against."""
    return st.one_of(st.tuples(_held, _thresholds), _general_bars()).map(
        lambda drawn: Record(rewards=own(drawn[0]), min_reward=drawn[1])
    )


# --- job_result -------------------------------------------------------------------------------------------------------

_SECOND = "2026-01-02T03:04:05"
_TIMES = (_SECOND, f"{_SECOND}.123456", f"{_SECOND}.100000", f"{_SECOND}.000001")
_IDS = ("00000000-0000-0000-0000-000000000000", "123e4567-e89b-12d3-a456-426614174000")
# Identity, start, end, attempts and retries; None: a general moment.
_job = _pick((*product(_IDS, _TIMES, _TIMES, (1, 2), (0, 1, 7)), *(None,) * 40))
# Metrics of one dataset, of the two usual ones, of all; none; and the same one twice.
_SINGLE_METRICS = tuple({dataset: [name]} for name in _METRICS for dataset in telling.DATASETS)
_SEVERAL_METRICS: tuple[dict[str, list[str]], ...] = (
    {"adhoc": ["mean"], "c": ["mean"]},
    {"c": ["max", "mean"], "adhoc": ["min"]},
    {"adhoc": [], "c": ["sum", "sum"], "": ["mean"]},
    {dataset: list(_METRICS) for dataset in telling.DATASETS},
)
_metrics_of_datasets = _pick((*_SINGLE_METRICS, {}, *_SEVERAL_METRICS * 10))


@st.composite
def job_result(draw: DrawFn) -> Record:
    """Draw a finished job: its clock, its datasets with their metrics, and its trials."""
    job = draw(_job) or (str(draw(st.uuids())), draw(st.datetimes()).isoformat(), _SECOND, 1, 0)
    metrics = {dataset: list(names) for dataset, names in draw(_metrics_of_datasets).items()}
    id_, started_at, finished_at, n_attempts, n_retries = job
    return Record(
        id=id_,
        started_at=started_at,
        finished_at=finished_at,
        n_attempts=n_attempts,
        n_retries=n_retries,
        metrics=metrics,
        trials=draw(_trials()),
    )


def job_run() -> SearchStrategy[Record]:
    """Draw a whole job; now and then with files of all kinds, as above."""
    return strategies_job_run.job_run(reward_files())
