"""JSON text to values as CPython 3.12's ``json.loads`` reads it, with the same answer on every Python version.

Beyond the JSON standard that means: ``NaN``, ``Infinity`` and ``-Infinity`` are numbers, the last of duplicate keys
wins, lone surrogates may be escaped, and an int of more than 4300 digits is refused.

Nesting is why the standard library does not do this job here. ``json.loads`` gives up at a depth that depends on the
Python version (about 1000 up to 3.11, 1500 on 3.12, 10000 on 3.13) and on how deep the caller's own stack is. It then
raises ``RecursionError``, which harbor lets through instead of calling the file unreadable. The reader below keeps its
own stack, so it gives up at ``MAX_DEPTH`` wherever it is called from. It reads from left to right like the original:
whichever of a fault and the level too many comes first in the text decides the error.

Reporting a fault takes levels too. In the last levels there are not enough of them left, and there a fault ends in
``RecursionError`` as well, as it does on CPython 3.12.
"""

from __future__ import annotations

import re
from math import inf, nan

from reimpl.numerals import MAX_INT_DIGITS

MAX_DEPTH = 1493
"""The deepest nesting harbor's ``Verifier.verify()`` accepts on CPython 3.12.1 when little else is on the stack.

Inside harbor the limit moves with the stack; here it is this number, whatever the stack.
"""

_space = re.compile(r"[ \t\n\r]*").match
_number = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?").match
_string = re.compile(r'"([^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})[^"\\\x00-\x1f]*)*)"').match
_escapes = re.compile(r"\\(?:u(....)|(.))")
_SHORT_ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_CONSTANTS: dict[str, object] = {
    "null": None,
    "true": True,
    "false": False,
    "NaN": nan,
    "Infinity": inf,
    "-Infinity": -inf,
}
_EXCEEDED = "maximum recursion depth exceeded"
_OPEN = object()


def parse_json(text: str, max_depth: int = MAX_DEPTH) -> object:
    """Read one JSON document; ``ValueError`` when it is none, ``RecursionError`` when it is nested too deeply."""
    return _Reader(text, max_depth).document()


class _Reader:
    """A position in the text, and the arrays and objects that are open there."""

    __slots__ = ("keys", "max_depth", "parents", "position", "text")

    def __init__(self, text: str, max_depth: int) -> None:
        self.text = text
        self.max_depth = max_depth
        self.position = 0
        self.parents: list[list[object] | dict[str, object]] = []
        self.keys: list[str] = []

    def document(self) -> object:
        self.skip_space()
        while True:
            value = self.begin()
            while value is not _OPEN:
                if not self.parents:
                    self.skip_space()
                    if self.position != len(self.text):
                        raise ValueError("more text after the value")
                    return value
                value = self.attach(value)

    def begin(self) -> object:
        """Read the value that starts here, or open it and go to the first value inside."""
        opener = self.peek()
        if opener not in ("[", "{"):
            return self.string() if opener == '"' else self.number()
        if len(self.parents) == self.max_depth:
            kind = "array" if opener == "[" else "object"
            raise RecursionError(f"{_EXCEEDED} while decoding a JSON {kind} from a unicode string")
        self.position += 1
        self.skip_space()
        value: list[object] | dict[str, object] = [] if opener == "[" else {}
        if self.peek() == ("]" if opener == "[" else "}"):
            self.position += 1
            return value
        self.parents.append(value)
        if opener == "{":
            self.keys.append(self.key())
        return _OPEN

    def attach(self, value: object) -> object:
        """Put a complete value into its parent, then go to the next value inside or return the closed parent."""
        parent = self.parents[-1]
        if isinstance(parent, dict):
            parent[self.keys.pop()] = value
        else:
            parent.append(value)
        self.skip_space()
        mark = self.peek()
        self.position += 1
        if mark == ",":
            self.skip_space()
            if isinstance(parent, dict):
                self.keys.append(self.key())
            return _OPEN
        if mark != ("}" if isinstance(parent, dict) else "]"):
            raise self.fault("neither a comma nor the end")
        return self.parents.pop()

    def key(self) -> str:
        key = self.string()
        self.skip_space()
        if self.peek() != ":":
            raise self.fault("no colon after a key")
        self.position += 1
        self.skip_space()
        return key

    def string(self) -> str:
        match = _string(self.text, self.position)
        if match is None:
            raise self.fault("no string")
        self.position = match.end()
        content = match[1]
        if "\\" not in content:
            return content
        content = _escapes.sub(_unescape, content)
        # Two escaped surrogates that belong together are one character; UTF-16 joins exactly those.
        return content.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")

    def number(self) -> object:
        match = _number(self.text, self.position)
        if match is None:
            return self.constant()
        self.position = match.end()
        if match[2] or match[3]:
            return float(match[0])
        if len(match[1]) > MAX_INT_DIGITS:
            self.take_level()
            raise ValueError("too many digits for an int")
        return int(match[0])

    def constant(self) -> object:
        for name, constant in _CONSTANTS.items():
            if self.text.startswith(name, self.position):
                if isinstance(constant, float):
                    self.take_level()
                self.position += len(name)
                return constant
        self.take_level()
        raise ValueError("no value")

    def take_level(self) -> None:
        """Fail where the original calls a function and there is no level left for it."""
        if len(self.parents) == self.max_depth:
            raise RecursionError(f"{_EXCEEDED} while calling a Python object")

    def fault(self, what: str) -> Exception:
        """Choose the error of a fault by the levels left to report it; the original takes up to four."""
        levels_left = self.max_depth - len(self.parents)
        if levels_left > 3:
            return ValueError(what)
        return RecursionError(_EXCEEDED if levels_left in (1, 2) else f"{_EXCEEDED} while calling a Python object")

    def peek(self) -> str:
        return self.text[self.position : self.position + 1]

    def skip_space(self) -> None:
        match = _space(self.text, self.position)
        if match:
            self.position = match.end()


def _unescape(match: re.Match[str]) -> str:
    if match[1]:
        return chr(int(match[1], 16))
    return _SHORT_ESCAPES.get(match[2], match[2])
