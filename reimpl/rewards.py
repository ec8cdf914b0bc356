"""Reading the reward files a verifier leaves behind."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

from reimpl.coercion import coerce_rewards
from reimpl.errors import RewardFileEmptyError, RewardFileNotFoundError, VerifierOutputParseError
from reimpl.json_text import parse_json
from reimpl.numerals import text_to_float

if TYPE_CHECKING:
    import os
    from pathlib import Path

# What says "there is no such file" rather than "it cannot be looked at": a symlink that leads nowhere is no file.
ABSENT = frozenset({errno.ENOENT, errno.ENOTDIR, errno.EBADF, errno.ELOOP})


def read_rewards(verifier_dir: str | os.PathLike[str]) -> dict[str, int | float] | None:
    """Read the rewards of one trial from the directory its verifier wrote to.

    ``reward.json`` decides when it exists, whatever it holds, and is an object of names and numbers; ``null`` is
    allowed and means that there are no rewards. Otherwise ``reward.txt`` is one number and becomes ``{"reward": …}``.
    Both are UTF-8. A file is empty when it has no bytes, so white space alone is an unreadable file.

    Raises:
        RewardFileNotFoundError: There is neither file.
        RewardFileEmptyError: The file that decides is empty.
        VerifierOutputParseError: It is not a number, or not JSON.
        ValidationError: It is JSON, but not names with numbers.
        RecursionError: It is JSON nested deeper than harbor follows.
        OSError: It cannot be read, for example because it is a directory.

    """
    from pathlib import Path  # noqa: PLC0415  (it would be a quarter of the time it takes to import reimpl)

    json_path = Path(verifier_dir, "reward.json")
    text_path = Path(verifier_dir, "reward.txt")
    json_size = size_of(json_path)
    if json_size is not None:
        return coerce_rewards(_read_json(json_path, json_size))
    text_size = size_of(text_path)
    if text_size is not None:
        return {"reward": _read_number(text_path, text_size)}
    raise RewardFileNotFoundError(f"No reward file found at {text_path} or {json_path}")


def _read_json(path: Path, size: int) -> object:
    content = _content(path, size)
    try:
        return parse_json(content.decode())
    except ValueError as error:
        raise VerifierOutputParseError(f"Failed to parse rewards from JSON file {path}") from error


def _read_number(path: Path, size: int) -> float:
    content = _content(path, size)
    try:
        return text_to_float(content.decode())
    except ValueError as error:
        raise VerifierOutputParseError(f"Failed to parse rewards from text file {path}") from error


def size_of(path: Path) -> int | None:
    """Return the size of a file, following symlinks, or None where 3.12 says that it does not exist."""
    try:
        return path.stat().st_size
    except OSError as error:
        if error.errno in ABSENT:
            return None
        raise
    except ValueError:
        # A path no file can have, such as one with a NUL in it.
        return None


def _content(path: Path, size: int) -> bytes:
    if size == 0:
        raise RewardFileEmptyError(f"Reward file is empty at {path}")
    return path.read_bytes()
