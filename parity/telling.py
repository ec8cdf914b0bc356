"""Telling values: constants on which wrong implementations part from harbor, the plainest first.

Random floats and random text almost never tie, collide or straddle a limit. Both the strategies and the exhaustive tier
draw from these pools.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from parity.codec import Record

if TYPE_CHECKING:
    from collections.abc import Iterable

Rewards = dict[str, Any]
Outcome = tuple[bool, "Rewards | None"]
"""Whether there is a verifier result, and its rewards."""
Group = tuple[str, "str | None", "str | None"]
"""Agent, model and source."""
Ending = tuple["str | None", "Record | None"]
"""Exception and tokens."""


def _words(text: str) -> list[str]:
    return text.split("|")


def single(values: Iterable[Any]) -> tuple[Rewards, ...]:
    """Put each value into rewards of one key, as reward.txt does."""
    return tuple({"reward": value} for value in values)


def verified(rewards: Iterable[Rewards | None]) -> tuple[Outcome, ...]:
    """Put each rewards into a verifier result that exists."""
    return tuple((True, each) for each in rewards)


def own(rewards: Rewards | None) -> Rewards | None:
    """Copy pooled rewards, each nan as its own object: a dict finds a shared nan, and no encoded case shares one."""
    if rewards is None:
        return None
    return {key: float("nan") if value != value else value for key, value in rewards.items()}  # noqa: PLR0124


def trial(group: Group, names: tuple[str, str], outcome: Outcome, ending: Ending = (None, None)) -> Record:
    """Put a trial together; its task and its own name are the names."""
    (agent, model, source), (task, name), (exception, tokens) = group, names, ending
    return Record(
        task=task,
        name=name,
        source=source,
        agent=agent,
        model=model,
        verified=outcome[0],
        rewards=own(outcome[1]),
        exception=exception,
        tokens=tokens and Record(tokens),
    )


# --- Numbers ----------------------------------------------------------------------------------------------------------

BINARY = (0, 1, 1.0, 0.0, -0.0)
# Sums of these tell naive, compensated and exact summation apart.
FRACTIONS = (1, 0.1, 0.2, 0.3, 0.7, 0.6, 1e16, -1e16, 1e-16, 1.0)
# The edges of a double's integers, of a C long (where sum() changes its ways) and of a double's range.
LIMITS = (2**53, float(2**53), 2**53 + 1, 2**63 - 1, 2**63, -(2**63) - 1, 2.0**63, 1e308, -1e308, 10**308)
# Written differently as a value, as a key and by json.dumps.
RENDERED = (1e-05, 1.2345e-05, 1e-06, 1.5e-07, 0.0001, 1e15, 1e17, 1.5e300, 5e-324, 1 / 3, 123456789.125)
NOT_FINITE = (math.nan, math.inf, -math.inf)
NUMBERS = (*BINARY, *FRACTIONS, *NOT_FINITE, 2, -1, 0.5, 10**400, -(10**400), *LIMITS, *RENDERED)
# A verifier result turns these into floats before anything is scored.
COERCED = (True, False, "1", " 2.5 ", "nan", "-0")

# --- Rewards ----------------------------------------------------------------------------------------------------------

# Code points, UTF-16 units and locales sort these differently; a lone surrogate can come from a JSON escape.
KEYS = (
    "reward",
    "speed",
    "a",
    "mean",
    "B",
    "_",
    "",
    "10",
    "9",
    "é",
    "\ud800",
    "\uffff",
    "\U0001f600",
    '"\\/\n\x7f\u2028',
)
SHAPES: tuple[Rewards | None, ...] = (
    None,
    {},
    {"speed": 1},
    {"speed": 1, "reward": 0},
    {"reward": 0.5, "speed": 1},
    {"reward": 1.0, "a": 0.1, "B": 2},
)

# Thresholds a reward may have to reach.
BARS = (
    *(0.5, 0, 1, 1.0, -0.0, math.nan, 2**53 + 1, float(2**53), 1e-05, -math.inf, math.inf, 10**400),
    math.nextafter(0.5, 0),  # nearly enough, and not enough
)

# --- Text that may be a number ----------------------------------------------------------------------------------------

# Digits since Unicode 16, which CPython 3.12 does not know: Garay, Myanmar, Kirat Rai, outlined and Ol Onal.
NEW_DIGITS = "\U00010d40\U000116d0\U00016d70\U0001ccf0\U0001e5f0"
# Kawi and Nag Mundari digits came with Unicode 15: Python 3.11 does not know them.
LATE_DIGITS = "".join(chr(first + digit) for first in (0x11F50, 0x1E4F0) for digit in range(10))
# A digit of each script (each has ten in a row); no decimal digit of Unicode 15 lies above U+1FBF9.
SCRIPTS = "".join(chr(point) for point in range(128, 0x1FBFA) if chr(point).isdecimal())[1::10]
# What Python strips (Rust leaves U+001C to U+001F), and what looks like a space and is none.
SPACES = "\n \t\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000"
NO_SPACES = "\x00\u180e\u200b\u2060\ufeff"

NUMERALS = (
    *_words("0|1|0.5|1.0|-1|-0|-0.0|1e0|0.1|9007199254740993|1e16|1e-7|007|5.|.5|+1|1E5|1e23|2.2250738585072011e-308"),
    *_words("nan|inf|-inf|-nan|+nan|infinity|-Infinity|iNfInItY|1e400|-1e400|1e-400|-1e-400|1_000|1e1_0|1_0.0_1"),
    # Digits of other scripts: Arabic-Indic, fullwidth, mathematical, Kawi and Nag Mundari (Unicode 15).
    *_words("\u0661\u0662|\uff11.\uff15|\U0001d7cf|\uff11_\uff10|1e\u0665|\U00011f51|\U0001e4f1"),
)
NEAR_NUMERALS = (
    *_words("|pass|True|true|1,0|1 2|1\n0|\n1|1\r\n|1\r2|- 1|0x1p0|0x10|1.0f|1d0|1j|e5|.|1e|--1|1%|1e5.|$1|1/2"),
    *_words("nan(123)|snan|infinit|infinityx|1__0|_1|1_|1_.5|1._5|1e_5|1_e5|-_1|_|nan_|in_f"),
    # Fullwidth stop, superscript, fraction, minus sign, circled, Roman, Han, zero width space, BOM, NUL.
    *_words("\uff11\uff0e\uff15|\xb2|\xbd|\u22121|\u2460|\u2167|\u4e00|1\u200b|\ufeff1|1\x00|\x001"),
)
# Python converts at most 4300 digits to an int; signs, zeros, underscores and junk decide which digits count.
LONG_NUMERALS = (
    *("1" * digits for digits in (4300, 4301, 4299, 4302)),
    *(sign + "1" * digits for sign in "-+" for digits in (4300, 4301)),
    *("0" * 4300 + "1", "1" * 4301 + "x", "1_" * 4300 + "1", "1" * 400, " " + "1" * 4301),
    *("1" * 4301 + ".0", "0." + "1" * 5000, "1" * 4301 + "e-4300"),
)

# --- JSON text --------------------------------------------------------------------------------------------------------

LITERALS = (
    *_words("1|0|1.0|0.5|-0|-0.0|true|false|null|1e5|1E400|-1e400|NaN|Infinity|-Infinity|9007199254740993|0.1e1"),
    *_words('[]|{}|[1]|{"a": 1}|""|"x"|"1"|"true"|"1\\u0660"|"\\ud800"|"1\\ud800"|"\\u0031"|" 1\\n"|"1_0"'),
)
NEAR_LITERALS = _words('01|+1|.5|1.|0x1|nan|inf|-|1,|\'1\'|"1|1 // c|True|None|-NaN|"\t"|1\x00|"\\x31"|1 2|1_0|\uff11|')
# Well below and far beyond what any interpreter nests: where exactly the limit lies is no property of harbor.
DEEP = ("[" * 200 + "]" * 200, '{"a":' * 100 + "1" + "}" * 100, "[" * 100_000, '{"a":' * 100_000)
# The third name is "reward" again, and the pair of escapes one character.
NAMES = _words('"reward"|"speed"|"r\\u0065ward"|"\\ud800"|""|"\\u00e9"|"é"|"\\ud83d\\ude00"|"a\\u0000"')
DOCUMENTS = (
    *_words('null|[]|1|"1"|true|{}|[{"reward": 1}]|{|{"reward": 1,}|{"reward" 1}|{"reward": 1}{}|{,}'),
    *_words('{"reward": 1} x|\xa0{"reward": 1}|\x0c{"reward": 1}|{"reward": 1}\x00|// c\n{"reward": 1}'),
    *(
        "{'reward': 1}",
        "{reward: 1}",
        "{1: 1}",
        "[" * 100_000,
        '{"reward": 1, "reward": 1.0}',
        '\ufeff{"reward": 1}',
        "\r\n",
    ),
)

# --- Files ------------------------------------------------------------------------------------------------------------

DIRECTORY = Record(kind="directory")
DANGLING = Record(kind="dangling-symlink")
TXT_FILES = (None, b"1\n", b"", b" ", b"x", b"-0", DIRECTORY, DANGLING)
JSON_FILES = (
    None,
    b'{"reward": 0}',
    b'{"reward": 1.0}',
    b"",
    b" ",
    b"null",
    b"{}",
    b"x",
    b'{"reward": "x"}',
    DIRECTORY,
    DANGLING,
)
# Bare continuation, overlong "1", a surrogate, beyond U+10FFFF, cut short, latin-1.
BROKEN = (
    b"\xff",
    b"1\xa0",
    b"\x851",
    b'{"\xe9": 1}',
    b"\x80",
    b"\xc0\xb1",
    b"\xed\xa0\x80",
    b"\xf4\x90\x80\x80",
    b"1\xe2\x80",
    b'{"reward": 1}\xff',
)

# --- Trials -----------------------------------------------------------------------------------------------------------

# Several give the key `a__b__c`, and the text after the last `__` is not always the dataset.
GROUPS: tuple[Group, ...] = (
    ("a", None, None),
    ("a", "b", None),
    ("a__b", None, None),
    ("a", "", ""),
    ("a", "b", "c"),
    ("a__b", None, "c"),
    ("a", None, "b__c"),
    ("a", "_", "c"),
    ("a", None, "c"),
    ("a", "m", "c"),
    ("a", None, "x__adhoc"),
    ("a", None, "c__"),
    ('é"\\', "m/1\n", "d\u2028\x7f"),
)
# Groups of one key, and groups that a careless key confuses.
CONFUSED = (
    (GROUPS[4], GROUPS[5], GROUPS[6]),
    (GROUPS[1], GROUPS[2], GROUPS[0]),
    (GROUPS[0], GROUPS[3]),
    (GROUPS[8], GROUPS[9], GROUPS[4]),
    (GROUPS[8], GROUPS[7]),
    (GROUPS[0], GROUPS[10]),
)
# All that may follow the last `__` of those, and the names themselves.
DATASETS = ("adhoc", "c", "b__c", "_c", "c__", "", "x__adhoc", "d\u2028\x7f")
# Task and trial name; a retried trial keeps its name.
TASKS = (("t", "t__1"), ("t", "t__2"), ("u", "u__1"), ("t", "t__3"), ("u", "u__2"), ("v__", 'n"\\\x01é'))

NO_RESULT: Outcome = (False, None)
# Success, failure, or nothing at all: all that pass@k accepts.
ZERO_ONE = (*verified((*single(BINARY), None, {"speed": 1})), NO_RESULT)
# One of these and its group has no pass@k; the last two are turned into floats and do no harm.
SPOILERS = verified((*single((0.5, 2, math.nan, 5e-324, 10**400)), *SHAPES[1:5], *single((True, "1"))))


def _tokens(input: int | None, cache: int | None, output: int | None, cost_usd: float | None) -> Record:
    return Record(input=input, cache=cache, output=output, cost_usd=cost_usd)


TOKENS = (
    None,
    _tokens(1, 0, 2, 0.1),
    _tokens(10, None, 0, 0.2),
    _tokens(None, None, None, 0.3),
    _tokens(None, None, None, None),
    _tokens(0, 0, 0, 0.0),
    _tokens(2**63, 1, None, -0.0),
    _tokens(5, 7, 11, 1e16),
    _tokens(1, 1, 1, 1e-05),
    _tokens(None, 3, None, math.nan),
    _tokens(1, None, 1, math.inf),
)
# Costs are added one by one: 0.1, 0.2 and 0.3 tell it from sum().
COSTS = TOKENS[1:4]
EXCEPTIONS = (None, "RuntimeError", "CancelledError", "VerifierOutputParseError", 'CancelledErrorÉ"')
