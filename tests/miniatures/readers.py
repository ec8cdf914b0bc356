"""Wrong readers of reward files."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any
from unittest.mock import patch

from reimpl import coercion, door, json_text, numerals, rewards
from tests.miniatures.gallery import Answer, Input, wrong_on, wrong_rule

SURFACE = "reward_files"
Rewards = dict[str, int | float]

content_of = rewards._content
parse_json = json_text.parse_json
text_to_float = numerals.text_to_float
coerce_rewards = coercion.coerce_rewards
text_number_or_faults = coercion._text_number_or_faults


# --- Which file decides -----------------------------------------------------------------------------------------------


@wrong_on(SURFACE)
def txt_before_json(surface: str, input: Input) -> Answer:
    """Reads reward.txt first."""
    both = input["reward.txt"] is not None and input["reward.json"] is not None
    return door.run(surface, {**input, "reward.json": None} if both else input)


@wrong_on(SURFACE)
def json_falls_back_to_txt(surface: str, input: Input) -> Answer:
    """Reads reward.txt when reward.json is empty or no JSON."""
    found = door.run(surface, input)
    unread = found.get("error", {}).get("type") in ("RewardFileEmptyError", "VerifierOutputParseError")
    if unread and None not in input.values():
        return door.run(surface, {**input, "reward.json": None})
    return found


@wrong_on(SURFACE)
def strip_for_emptiness(surface: str, input: Input) -> Answer:
    """Calls a file of white space empty."""
    stripped = {name: b"" if isinstance(file, bytes) and not file.strip() else file for name, file in input.items()}
    return door.run(surface, stripped)


@wrong_rule(SURFACE, rewards, "size_of")
def directory_is_no_file(path: Path) -> int | None:
    """Passes over a directory, as `is_file()` does."""
    return path.stat().st_size if path.is_file() else None


@wrong_rule(SURFACE, rewards, "size_of")
def link_not_followed(path: Path) -> int | None:
    """Takes a symlink that leads nowhere for a file."""
    try:
        return path.lstat().st_size
    except FileNotFoundError:
        return None


# --- Bytes to text ----------------------------------------------------------------------------------------------------


@wrong_rule(SURFACE, rewards, "_content")
def byte_order_mark_skipped(path: Path, size: int) -> bytes:
    """Accepts a byte order mark, as `utf-8-sig` does."""
    return content_of(path, size).removeprefix(b"\xef\xbb\xbf")


@wrong_rule(SURFACE, rewards, "_content")
def bad_bytes_ignored(path: Path, size: int) -> bytes:
    """Leaves out bytes that are not UTF-8."""
    return content_of(path, size).decode("utf-8", "ignore").encode()


@wrong_rule(SURFACE, rewards, "_content")
def latin_1_for_bad_bytes(path: Path, size: int) -> bytes:
    """Reads a file that is not UTF-8 as latin-1."""
    content = content_of(path, size)
    try:
        content.decode()
    except UnicodeDecodeError:
        return content.decode("latin-1").encode()
    return content


@wrong_rule(SURFACE, rewards, "_read_json")
def encoding_detected(path: Path, size: int) -> object:
    """Lets the bytes of reward.json tell their encoding, as `json.loads(bytes)` does."""
    content = content_of(path, size)
    with patch.object(
        rewards, "_content", lambda *_: content.decode(json.detect_encoding(content), "replace").encode()
    ):
        return _read_json(path, size)


_read_json = rewards._read_json


# --- Text to number ---------------------------------------------------------------------------------------------------


@wrong_rule(SURFACE, rewards, "text_to_float")
def negative_zero_lost(text: str) -> float:
    """Adds 0.0 to a reward read from text, so that -0.0 becomes 0.0."""
    return text_to_float(text) + 0.0


@wrong_rule(SURFACE, rewards, "text_to_float")
def first_line_only(text: str) -> float:
    """Reads the first line of reward.txt."""
    return text_to_float("".join(text.splitlines()[:1]))


@wrong_rule(SURFACE, rewards, "text_to_float")
def ascii_digits_only(text: str) -> float:
    """Knows no digits but those of ASCII."""
    if not text.strip().isascii():
        raise ValueError("not a number")
    return text_to_float(text)


@wrong_rule(SURFACE, rewards, "text_to_float")
def digits_of_python_3_11(text: str) -> float:
    """Does not know the digits that came with Unicode 15, as Python 3.11 does not."""
    if any("\U00011f50" <= char <= "\U00011f59" or "\U0001e4f0" <= char <= "\U0001e4f9" for char in text):
        raise ValueError("not a number")
    return text_to_float(text)


@wrong_rule(SURFACE, rewards, "text_to_float")
def no_underscores(text: str) -> float:
    """Refuses 1_000, as every language but Python does."""
    if "_" in text:
        raise ValueError("not a number")
    return text_to_float(text)


@wrong_rule(SURFACE, rewards, "text_to_float")
def finite_numbers_only(text: str) -> float:
    """Refuses a reward that is nan or infinite."""
    if not math.isfinite(text_to_float(text)):
        raise ValueError("not a number")
    return text_to_float(text)


@wrong_rule(SURFACE, rewards, "text_to_float")
def whole_number_an_int(text: str) -> int | float:
    """Gives 1 for the text 1."""
    value = text_to_float(text)
    return int(value) if value.is_integer() else value


# --- JSON to values ---------------------------------------------------------------------------------------------------


@wrong_on(SURFACE)
def strict_json(surface: str, input: Input) -> Answer:
    """Refuses NaN and Infinity in reward.json, as the JSON standard does."""
    words = {name: value for name, value in json_text._CONSTANTS.items() if not isinstance(value, float)}
    with patch.dict(json_text._CONSTANTS, words, clear=True):
        return door.run(surface, input)


@wrong_rule(SURFACE, rewards, "parse_json")
def first_of_equal_keys(text: str) -> object:
    """Keeps the first value of a key that comes twice."""
    parse_json(text)
    return json.loads(text, object_pairs_hook=lambda pairs: {**dict(pairs), **dict(reversed(pairs))})


@wrong_rule(SURFACE, rewards, "parse_json")
def deep_nesting_a_parse_error(text: str) -> object:
    """Calls a file unreadable that is nested too deeply."""
    try:
        return parse_json(text)
    except RecursionError as error:
        raise ValueError("too deep") from error


@wrong_on(SURFACE)
def digit_limit_off_by_one(surface: str, input: Input) -> Answer:
    """Refuses an integer of 4300 digits."""
    with patch.object(json_text, "MAX_INT_DIGITS", 4299):
        return door.run(surface, input)


# --- Values to rewards ------------------------------------------------------------------------------------------------


@wrong_rule(SURFACE, rewards, "coerce_rewards")
def verbatim_json(value: object) -> object:
    """Believes the document: reward.json is returned as it was parsed."""
    return value


@wrong_rule(SURFACE, rewards, "coerce_rewards")
def every_reward_a_float(value: object) -> Rewards | None:
    """Gives 1.0 for 1."""
    found = coerce_rewards(value)
    return found and {name: float(number) if abs(number) < 2**53 else number for name, number in found.items()}


@wrong_rule(SURFACE, rewards, "coerce_rewards")
def booleans_are_ints(value: object) -> Rewards | None:
    """Gives 1 for true."""
    if isinstance(value, dict):
        value = {name: int(item) if isinstance(item, bool) else item for name, item in value.items()}
    return coerce_rewards(value)


@wrong_rule(SURFACE, rewards, "coerce_rewards")
def null_is_empty(value: object) -> Rewards:
    """Gives no rewards a name: {} for null."""
    return coerce_rewards(value) or {}


@wrong_rule(SURFACE, rewards, "coerce_rewards")
def clamped_to_one(value: object) -> Rewards | None:
    """Holds rewards to the range from 0 to 1."""
    found = coerce_rewards(value)
    return found and {name: 1.0 if number > 1 else 0.0 if number < 0 else number for name, number in found.items()}


@wrong_rule(SURFACE, rewards, "coerce_rewards")
def other_names_dropped(value: object) -> Rewards | None:
    """Keeps nothing but "reward"."""
    found = coerce_rewards(value)
    return found and {name: number for name, number in found.items() if name == "reward"}


@wrong_rule(SURFACE, coercion, "_float_of")
def python_float_for_strings(text: str) -> float | None:
    """Parses a reward that is a string with Python's `float()`."""
    try:
        return float(text)
    except ValueError:
        return None


@wrong_rule(SURFACE, coercion, "_text_number_or_faults")
def int_before_float(text: str) -> Any:
    """Reads a string as an int if it can: 1 for "1"."""
    whole = coercion._int_of(text) if text.isascii() else None
    return text_number_or_faults(text) if whole is None else whole


@wrong_on(SURFACE)
def bad_value_a_parse_error(surface: str, input: Input) -> Answer:
    """Reports a reward that is no number as the document says, like a file that is no JSON."""
    found = door.run(surface, input)
    if found.get("error", {}).get("type") != "ValidationError":
        return found
    message = "Failed to parse rewards from JSON file <verifier>/reward.json"
    return {"error": {"type": "VerifierOutputParseError", "message": message}}


@wrong_on(SURFACE)
def first_bad_value_only(surface: str, input: Input) -> Answer:
    """Stops at the first bad value instead of listing all of them."""
    found = door.run(surface, input)
    if "details" in found.get("error", {}):
        found["error"]["details"] = found["error"]["details"][:2]
    return found
