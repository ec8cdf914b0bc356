"""The judge of mutants: the parity suite, cheapest part first, and the tests of reimpl for what no surface reaches.

A mutant is judged in a process of its own, which imports reimpl with the change in it. It is given the cases and the
tests that call a changed function when nothing is changed: the others cannot tell.
"""

from __future__ import annotations

import os
import re
import resource
import signal
import sys
from collections.abc import Iterator, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType

import pytest

from parity.implementation import REIMPL as DOOR
from parity.implementation import Run
from tests.mutants.mutation import Mutant
from tests.mutants.reach import Calls, Reach, watching
from tests.mutants.recordings import Recording
from tests.mutants.uses import REIMPL

TESTS = Path(__file__).parents[1] / "reimpl"
SECONDS = 5
"""CPU time for one case or one test, in addition to what it takes when nothing is changed."""
MEMORY = 2 * 2**30
"""Bytes that a mutant may take beyond what it starts with."""

IMPORT, TIERS, TESTED = "import", ("corpus", "generated", "exhaustive"), "tests"
STAGES = (IMPORT, *TIERS, TESTED)
"""What may kill a mutant, in the order in which it is tried."""


class Suite:
    """Everything that can kill a mutant."""

    def __init__(self, recordings: dict[str, list[Recording]]) -> None:
        self._recordings = recordings
        self._files = sorted(TESTS.glob("test_*.py"))
        self._words = {file.name: frozenset(re.findall(r"\w+", file.read_text("utf-8"))) for file in self._files}

    def explore(self, place: Path) -> tuple[str | None, Reach]:
        """Judge reimpl as it is, see what calls what, and name the stage that fails if one does."""
        reach = Reach()
        with watching() as calls:
            run = _door()
            reach.at_import = calls.taken()
            for tier in TIERS:
                for case in self._recordings[tier]:
                    if case.diverges(run):
                        return tier, reach
                    reach.add_case(tier, calls.taken())
            watcher = _Watcher(reach, calls)
            if _failing(self._files, place, watcher):
                return TESTED, reach
        return None, reach

    def judge(self, mutant: Mutant, reach: Reach, place: Path, stages: Sequence[str] = STAGES) -> str | None:
        """Name the stage that kills a mutant; the process may also be ended by what the mutant does."""
        _limit_memory()
        _limit_time(SECONDS)
        sys.meta_path.insert(0, _Changed(mutant))
        try:
            run = _door()
        except Exception:  # noqa: BLE001 - whatever it is, nobody can use this mutant
            return IMPORT
        for tier in TIERS:
            if tier in stages and self._diverges(run, tier, reach.cases(tier, mutant)):
                return tier
        if TESTED in stages:
            telling = {file.name for file in self._files if not mutant.names.isdisjoint(self._words[file.name])}
            tests = reach.tests(mutant, telling)
            # The tests of the module itself are the likeliest to notice.
            files = sorted(self._files, key=lambda file: file.stem != f"test_{mutant.module}")
            files = [file for file in files if any(name.partition("::")[0].endswith(file.name) for name in tests)]
            if files and _failing(files, place, _Chooser(tests)):
                return TESTED
        return None

    def _diverges(self, run: Run, tier: str, cases: list[int]) -> bool:
        recordings = self._recordings[tier]
        for case in cases:
            _limit_time(SECONDS)
            try:
                if recordings[case].diverges(run):
                    return True
            except Exception:  # noqa: BLE001 - it answers with something that is no outcome
                return True
        return False


def _door() -> Run:
    """Import reimpl anew: a part of the harness may have it already."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "reimpl"]:
        del sys.modules[name]
    return DOOR.load()


def _failing(files: list[Path], place: Path, plugin: object) -> bool:
    """Tell whether a test fails."""
    options = ["-x", "-q", "--no-header", "-p", "no:cacheprovider", f"--basetemp={place / 'pytest-of-mutant'}"]
    code = pytest.main([*options, *map(str, files)], plugins=[plugin])
    if code == pytest.ExitCode.NO_TESTS_COLLECTED:
        raise RuntimeError("no tests were run")
    return code != pytest.ExitCode.OK


class _Watcher:
    """A pytest plugin that notes what each test calls, and how long it takes."""

    def __init__(self, reach: Reach, calls: Calls) -> None:
        self._reach = reach
        self._calls = calls

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self, collector: pytest.Collector) -> Iterator[None]:
        result = yield
        self._reach.add_file(collector.nodeid, self._calls.taken())
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self._calls.taken()
        result = yield
        self._reach.add_test(item.nodeid, self._calls.taken(), self._calls.seconds)
        return result


class _Chooser:
    """A pytest plugin that leaves out the tests that cannot tell, and limits the time of the others."""

    def __init__(self, chosen: dict[str, float]) -> None:
        self._chosen = chosen

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if item.nodeid in self._chosen]

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        _limit_time(SECONDS + 5 * self._chosen[item.nodeid])


def _limit_time(seconds: float) -> None:
    """Let the system end this process when it has used so much CPU time: no mutant can catch that."""
    signal.setitimer(signal.ITIMER_PROF, seconds)


def _limit_memory() -> None:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    limit = pages * os.sysconf("SC_PAGE_SIZE") + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


class _Changed(MetaPathFinder):
    """Finds the module that is changed; the others are found as always."""

    def __init__(self, mutant: Mutant) -> None:
        self._name = "reimpl" if mutant.module == "__init__" else f"reimpl.{mutant.module}"
        self._path = REIMPL / f"{mutant.module}.py"
        self._source = mutant.source

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        del path, target
        if fullname != self._name:
            return None
        loader = _Loader(fullname, str(self._path), self._source)
        inside = [str(REIMPL)] if fullname == "reimpl" else None
        return spec_from_file_location(fullname, self._path, loader=loader, submodule_search_locations=inside)


class _Loader(SourceFileLoader):
    """Loads a module from a changed source."""

    def __init__(self, fullname: str, path: str, source: str) -> None:
        super().__init__(fullname, path)
        self._source = source

    def get_code(self, fullname: str) -> CodeType:
        del fullname
        return compile(self._source, self.path, "exec", dont_inherit=True)
