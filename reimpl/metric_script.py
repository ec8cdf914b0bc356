"""A metric that is a script: what it writes is taken as it is."""

from __future__ import annotations

import errno
import json
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from reimpl.metrics import Rewards

if TYPE_CHECKING:
    from reimpl.render import Json

_OUTPUT = "<temporary>/metric.json"


class MetricScript(NamedTuple):
    """A script by what it does: it writes ``output``, complains on standard error and ends with an exit code.

    With ``"input"`` it writes what it was given: the rewards of a group, one trial a line.
    """

    output: bytes | str | None = None
    exit_code: int = 0
    stderr: str = ""

    def compute(self, rewards: Sequence[Rewards | None]) -> Json:
        """Run the script over the rewards of a group's trials.

        Raises:
            RuntimeError: Its exit code is not 0.
            FileNotFoundError: It wrote nothing.
            ValueError: What it wrote is not JSON.

        """
        if self.exit_code % 256:  # a process has no more to say
            raise RuntimeError(f"Failed to compute custom metric: {self.stderr}")
        if self.output is None:
            raise FileNotFoundError(errno.ENOENT, "No such file or directory", _OUTPUT)
        if isinstance(self.output, bytes):
            return _loads(self.output.decode())
        return {"rewards": "".join(f"{json.dumps(each)}\n" for each in rewards)}


def _loads(text: str) -> Json:
    try:
        value: Json = json.loads(text)
    except json.JSONDecodeError as error:
        if not error.msg.startswith("Illegal trailing comma"):
            raise
        # Python 3.12 does not know this error: it goes on to the bracket, and misses what should stand before it.
        bracket = re.compile(r"[ \t\n\r]*").match(text, error.pos + 1).end()  # type: ignore[union-attr]
        missing = "value" if text[bracket] == "]" else "property name enclosed in double quotes"
        raise json.JSONDecodeError(f"Expecting {missing}", text, bracket) from None
    return value
