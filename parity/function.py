"""Functions: an implementation in Python needs no wire; its door is called in this process."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from parity.answer import check_outcome
from parity.codec import CodecError, Json
from parity.errors import CannotRunError
from parity.fault import FaultError
from parity.implementation import Answers, Run, outcome_of


@dataclass(frozen=True)
class Function:
    """A door of somebody else, `package.module:function`: what it returns is checked, and what it raises is an outcome.

    It takes a surface and an input, and returns `{"value": …}` or `{"error": {"type": …, "message": …}}`; what it
    raises is an error too.
    """

    name: str
    door: str

    def load(self) -> Run:
        """Import the door; modules are looked for in the current directory too."""
        here = str(Path.cwd())
        if here not in sys.path:
            sys.path.insert(0, here)
        module, _, function = self.door.partition(":")
        try:
            run: Run = getattr(import_module(module), function)
        except (ImportError, AttributeError, ValueError) as error:
            raise CannotRunError(f"{self.door!r} is no function written package.module:function ({error})") from None
        if not callable(run):
            raise CannotRunError(f"{self.door!r} is not a function")
        return run

    def start(self) -> Answers:
        """Import the door, and return what encodes its outcomes and catches what it raises."""
        run = self.load()
        return lambda surface, inputs: [_answer(run, surface, input) for input in inputs]


def _answer(run: Run, surface: str, input: Mapping[str, Any]) -> Json:
    try:
        outcome = run(surface, input)
    except Exception as error:  # noqa: BLE001  (whatever it raises is what it makes of the case)
        return {"error": {"type": type(error).__name__, "message": str(error)}}
    try:
        encoded = outcome_of(lambda *_: outcome, surface, input)
        check_outcome({**outcome, **encoded})  # with what the encoding leaves out
    except (CodecError, FaultError, TypeError, KeyError, AttributeError, RecursionError) as error:
        message = f"it returned {repr(outcome)[:200]} ({error}): return {_WANTED}"
        return FaultError("returned what is no outcome", message).answer("")
    return encoded


_WANTED = (
    "{'value': …} or {'error': {'type': …, 'message': …}}, made of int, float, str, bytes, bool, None, list and dict"
)
