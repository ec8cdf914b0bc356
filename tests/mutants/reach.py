"""Which cases and which tests call which functions of reimpl."""

from __future__ import annotations

import os
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType

from tests.mutants import uses
from tests.mutants.mutation import Mutant
from tests.mutants.uses import REIMPL, Function

Called = frozenset[Function]


class Calls:
    """The functions of reimpl that were called since they were last asked for."""

    def __init__(self) -> None:
        self._codes = set[CodeType]()
        self._functions: dict[frozenset[CodeType], Called] = {}
        self._since = time.process_time()
        self.seconds = 0.0
        """CPU time between the last two times they were asked for."""

    def started(self, code: CodeType, offset: int) -> object:
        """Note a call."""
        del offset
        if code.co_filename.startswith(_FOLDER):
            self._codes.add(code)
            return None
        return sys.monitoring.DISABLE

    def taken(self) -> Called:
        """Return what was called, and begin anew."""
        now = time.process_time()
        self.seconds, self._since = now - self._since, now
        codes = frozenset(self._codes)
        self._codes.clear()
        if codes not in self._functions:
            self._functions[codes] = frozenset((Path(code.co_filename).stem, _outermost(code)) for code in codes)
        return self._functions[codes]


_FOLDER = str(REIMPL) + os.sep


def _outermost(code: CodeType) -> str:
    return code.co_qualname.partition(".<locals>")[0]


@contextmanager
def watching() -> Iterator[Calls]:
    """Note all calls of functions of reimpl."""
    calls, monitoring, tool = Calls(), sys.monitoring, sys.monitoring.PROFILER_ID
    monitoring.use_tool_id(tool, "mutants")
    monitoring.register_callback(tool, monitoring.events.PY_START, calls.started)
    monitoring.set_events(tool, monitoring.events.PY_START)
    try:
        yield calls
    finally:
        monitoring.set_events(tool, 0)
        monitoring.free_tool_id(tool)


@dataclass
class Reach:
    """What calls what when nothing is changed."""

    at_import: Called = frozenset()
    paths: dict[Called, int] = field(default_factory=dict)
    """Every set of functions that some case calls, numbered."""
    path_of_case: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    """The path of each case, by tier."""
    called_by_test: dict[str, tuple[Called, float]] = field(default_factory=dict)
    """What each test calls, and its seconds."""
    called_by_file: dict[str, Called] = field(default_factory=dict)
    """What is called while a test file is collected."""

    def add_case(self, tier: str, called: Called) -> None:
        """Note what the next case calls."""
        self.path_of_case[tier].append(self.paths.setdefault(called, len(self.paths)))

    def add_file(self, name: str, called: Called) -> None:
        """Note what collecting tests calls."""
        file = name.partition("::")[0]
        self.called_by_file[file] = self.called_by_file.get(file, frozenset()) | called

    def add_test(self, name: str, called: Called, seconds: float) -> None:
        """Note what a test calls."""
        self.called_by_test[name] = called, seconds

    def cases(self, tier: str, mutant: Mutant) -> list[int]:
        """List the cases of a tier that can notice a mutant, one of each path first."""
        touched = self._touched(mutant)
        wanted = {path for called, path in self.paths.items() if not called.isdisjoint(touched)}
        seen = set[int]()
        first: list[int] = []
        rest: list[int] = []
        for case, path in enumerate(self.path_of_case[tier]):
            if path in wanted:
                (rest if path in seen else first).append(case)
                seen.add(path)
        return first + rest

    def tests(self, mutant: Mutant, telling: set[str]) -> dict[str, float]:
        """Return the tests that can notice a mutant with their seconds; those of a telling file can always."""
        touched = self._touched(mutant)
        telling |= {Path(file).name for file, called in self.called_by_file.items() if not called.isdisjoint(touched)}
        return {
            name: seconds
            for name, (called, seconds) in self.called_by_test.items()
            if not called.isdisjoint(touched) or Path(name.partition("::")[0]).name in telling
        }

    def _touched(self, mutant: Mutant) -> Called:
        """Return the functions that a mutant may touch, those included that use what others made at import."""
        return mutant.touched | uses.users_of_results(mutant.touched & self.at_import)
