"""Faults in reading reward files, each with the inputs that tell it."""

from __future__ import annotations

import json
import math
from typing import Any

from parity.codec import Record
from tests.properties.told import Input, told_on


def text(file: Any) -> str | None:
    try:
        return file.decode() if isinstance(file, bytes) else None
    except ValueError:
        return None


def number(content: str | None) -> float | None:
    try:
        return None if content is None else float(content)
    except ValueError:
        return None


def members(input: Input) -> list[tuple[str, Any]]:
    """Return the members of an object in reward.json, duplicates included, or none."""
    content = text(input["reward.json"])
    try:
        pairs = json.loads(content or "", object_pairs_hook=list)
    except (ValueError, RecursionError):
        return []
    return [pair for pair in pairs if isinstance(pair, tuple)] if isinstance(pairs, list) else []


@told_on("reward_files")
def txt_before_json(input: Input) -> bool:
    return all(isinstance(file, bytes) for file in input.values())


@told_on("reward_files")
def a_directory_is_no_file(input: Input) -> bool:
    return Record(kind="directory") in input.values()


@told_on("reward_files")
def strip_for_emptiness(input: Input) -> bool:
    return any(isinstance(file, bytes) and file and not file.strip() for file in input.values())


@told_on("reward_files")
def floats_for_ints(input: Input) -> bool:
    return any(type(value) is int for _, value in members(input))


@told_on("reward_files")
def negative_zero_lost(input: Input) -> bool:
    value = number(text(input["reward.txt"]))
    return value == 0 and math.copysign(1, value) < 0


@told_on("reward_files")
def verbatim_json(input: Input) -> bool:
    return any(isinstance(value, bool) or number(value) is not None for _, value in strings_and_bools(input))


def strings_and_bools(input: Input) -> list[tuple[str, Any]]:
    return [(name, value) for name, value in members(input) if isinstance(value, (str, bool))]


@told_on("reward_files")
def python_float_for_strings(input: Input) -> bool:
    values = [value for _, value in members(input) if isinstance(value, str)]
    return any(number(value) is not None and not value.strip(" \n").isascii() for value in values)


@told_on("reward_files")
def byte_order_mark_skipped(input: Input) -> bool:
    return any(isinstance(file, bytes) and file.startswith(b"\xef\xbb\xbf") for file in input.values())


@told_on("reward_files")
def encoding_guessed_from_bytes(input: Input) -> bool:
    file = input["reward.json"]
    return isinstance(file, bytes) and text(file) is None and b'\x00"\x00' in file


@told_on("reward_files")
def first_line_only(input: Input) -> bool:
    content = text(input["reward.txt"])
    lines = (content or "").splitlines() or [""]
    return (number(lines[0]) is None) != (number(content) is None)


@told_on("reward_files")
def no_limit_of_digits(input: Input) -> bool:
    try:
        json.loads(text(input["reward.json"]) or "")
    except ValueError as error:
        return "4300" in str(error)
    except RecursionError:
        return False
    return False


@told_on("reward_files")
def digits_are_ascii(input: Input) -> bool:
    content = text(input["reward.txt"])
    return number(content) is not None and content is not None and any(ord(each) > 127 for each in content.strip())


@told_on("reward_files")
def recursion_error_caught(input: Input) -> bool:
    try:
        json.loads(text(input["reward.json"]) or "")
    except RecursionError:
        return True
    except ValueError:
        return False
    return False


@told_on("reward_files")
def first_of_equal_keys(input: Input) -> bool:
    found = members(input)
    return len(dict(found)) < len(found) and any(dict(found)[name] != value for name, value in found)


@told_on("reward_files")
def surrogates_refused(input: Input) -> bool:
    return any("\ud800" in name for name, _ in members(input))
