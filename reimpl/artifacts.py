"""Writing the files a verifier leaves behind: the reward, and how it came about."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from reimpl.evaluation import DETAILS_FILE, REWARD_FILE
from reimpl.json_value import json_text
from reimpl.records import EvaluationError, json_mapping
from reimpl.records import reward as read_reward


def write_artifacts(
    verifier_dir: str | os.PathLike[str], reward: float, details: Mapping[str, Any] | None = None
) -> None:
    """Write ``reward.json`` and ``details.json`` into the directory of a verifier.

    The reward is a number from 0 to 1. Details are any JSON object, by custom one of dimensions with a ``score``, a
    ``max_score`` and ``evidence``; without details, those of an earlier reward are removed.

    Either file is at any time the old one or the new one, never a part of it, whenever the writer dies. The reward
    comes last: when it is there, the details that belong to it are there too.

    Raises:
        EvaluationError: The reward is not a number from 0 to 1, or the details are not JSON; nothing has been written.
        OSError: The directory cannot be written to.

    """
    texts: dict[str, str | None] = {
        DETAILS_FILE: None if details is None else _details_text(details),
        REWARD_FILE: _reward_text(reward),
    }
    with ExitStack() as leftovers:
        written: dict[Path, Path | None] = {}
        for name, text in texts.items():
            path = Path(verifier_dir, name)
            written[path] = None
            if text is not None:
                # Unlike a name from tempfile, this file gets the usual permissions: others must be able to read it.
                temporary = written[path] = path.with_name(f".{name}.{os.urandom(8).hex()}")
                leftovers.callback(temporary.unlink, missing_ok=True)
                _write(temporary, text)
        # Nothing has changed so far; all that is left is to rename.
        for path, new in written.items():
            if new is None:
                path.unlink(missing_ok=True)
            else:
                new.replace(path)


def _reward_text(reward: float) -> str:
    try:
        return json_text({"reward": read_reward(reward)}) + "\n"
    except ValueError as error:
        raise EvaluationError(f"{REWARD_FILE}: the reward {error}") from error


def _details_text(details: Mapping[str, Any]) -> str:
    try:
        # What can be written but is too deep to be read back is refused here.
        return json_text(json_mapping(dict(details) if isinstance(details, Mapping) else details)) + "\n"
    except ValueError as error:
        raise EvaluationError(f"{DETAILS_FILE}: {error}") from error


def _write(path: Path, text: str) -> None:
    with path.open("xb") as file:
        file.write(text.encode())
        file.flush()
        # Otherwise a machine that stops may keep the new name and lose the content.
        os.fsync(file.fileno())
