"""What an adapter easily loses on the way: cases whose outcome is plain, if the encoding is right."""

from __future__ import annotations

from dataclasses import dataclass

from parity.codec import Json


@dataclass(frozen=True)
class Kept:
    """Something that must come through, shown by a case of the first of these surfaces that a program offers."""

    name: str
    advice: str
    cases: dict[str, tuple[Json, Json]]
    """By surface: an encoded input, and its outcome."""


def _json_file(text: str, *pairs: tuple[str, Json]) -> tuple[Json, Json]:
    """Return a reward.json with this text, and the rewards in it."""
    bytes_ = text.encode().decode("latin-1")
    return {"reward.txt": None, "reward.json": {"bytes": bytes_}}, _rewards(*pairs)


def _text_file(text: str, number: str) -> tuple[Json, Json]:
    """Return a reward.txt with this text, and the reward in it."""
    return {"reward.txt": {"bytes": text}, "reward.json": None}, _rewards(("reward", {"float": number}))


def _last_step(*pairs: tuple[str, Json]) -> tuple[Json, Json]:
    """Return a trial of one step with these rewards, which are the trial's own."""
    value = _rewards(*pairs)["value"]
    steps = [{"verified": True, "rewards": value}]
    return {"strategy": "final", "steps": steps}, {"value": {"verified": True, "rewards": value}}


def _rewards(*pairs: tuple[str, Json]) -> Json:
    return {"value": {"dict": [[key, item] for key, item in pairs]}}


def _largest(*numbers: Json, is_: Json) -> tuple[Json, Json]:
    """Return the metric `max` over trials with these rewards, and its value."""
    rewards = [{"dict": [["reward", number]]} for number in numbers]
    return {"metric": "max", "rewards": rewards}, _rewards(("max", is_))


_ONE, _TWO, _ONE_POINT = {"int": "1"}, {"int": "2"}, {"float": "1.0"}
_NAN, _INF, _ZERO = {"float": "nan"}, {"float": "-inf"}, {"float": "-0.0"}
_LARGE = {"int": "9007199254740993"}

KEPT = (
    Kept(
        "int and float are kept apart",
        '1 is {"int": "1"} and 1.0 is {"float": "1.0"}: harbor keeps the type, and so must the reader of the JSON',
        {
            "reward_files": _json_file('{"a": 1, "b": 1.0}', ("a", _ONE), ("b", _ONE_POINT)),
            "multi_step": _last_step(("a", _ONE), ("b", _ONE_POINT)),
            "metric": _largest(_ONE, _TWO, is_=_TWO),
        },
    ),
    Kept(
        "nan",
        'harbor takes nan for a number: write it as {"float": "nan"}',
        {
            "reward_files": _text_file("nan", "nan"),
            "multi_step": _last_step(("a", _NAN)),
            "metric": _largest(_NAN, is_=_NAN),
        },
    ),
    Kept(
        "infinity",
        'harbor takes infinity for a number: write it as {"float": "inf"} or {"float": "-inf"}',
        {
            "reward_files": _text_file("-inf", "-inf"),
            "multi_step": _last_step(("a", _INF)),
            "metric": _largest(_INF, is_=_INF),
        },
    ),
    Kept(
        "the sign of zero",
        'minus zero is {"float": "-0.0"}: many languages drop the sign when they write it',
        {
            "reward_files": _text_file("-0.0", "-0.0"),
            "multi_step": _last_step(("a", _ZERO)),
            "metric": _largest(_ZERO, is_=_ZERO),
        },
    ),
    Kept(
        "integers beyond 2**53",
        "an int has any number of digits: read it as an integer of arbitrary size, not as a double",
        {
            "reward_files": _json_file('{"a": 9007199254740993}', ("a", _LARGE)),
            "multi_step": _last_step(("a", _LARGE)),
            "metric": _largest(_LARGE, is_=_LARGE),
        },
    ),
    Kept(
        "small numbers are written as Python writes them",
        'write a float with the fewest digits that give it back, as Python does: {"float": "1e-07"}',
        {
            "reward_files": _text_file("0.0000001", "1e-07"),
            "multi_step": _last_step(("a", {"float": "1e-07"})),
            "metric": _largest({"float": "1e-07"}, is_={"float": "1e-07"}),
        },
    ),
    Kept(
        "bytes are one character each",
        'a file travels as {"bytes": …}, a character for each byte: turn it into bytes (latin-1), and read those as '
        "UTF-8",
        {"reward_files": _json_file('{"é": 1}', ("é", _ONE))},
    ),
    Kept(
        "the order of keys",
        "harbor keeps the order of the file: use an ordered map",
        {
            "reward_files": _json_file(
                '{"b": 1, "a": 2, "10": 1, "9": 2}', *zip(("b", "a", "10", "9"), (_ONE, _TWO) * 2, strict=True)
            ),
            "multi_step": _last_step(*zip(("b", "a", "10", "9"), (_ONE, _TWO) * 2, strict=True)),
        },
    ),
    Kept(
        "half of a surrogate pair",
        r'"\ud800" is text in JSON and in Python: keep it, and write it as the escape \ud800',
        {
            "reward_files": _json_file('{"\\ud800": 1}', ("\ud800", _ONE)),
            "multi_step": _last_step(("\ud800", _ONE)),
        },
    ),
)
