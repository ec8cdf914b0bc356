"""What in harbor depends on the clock, on chance or on a terminal, replaced while a case's job runs."""

from __future__ import annotations

import logging
import os
import shutil
import signal
import sys
import threading
import warnings
from contextlib import ExitStack, contextmanager
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any
from uuid import UUID

from oracle.job_run.imports import HOOKS, JOB, TRIAL_CONFIG
from oracle.release import AbsentError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import tzinfo

_SHOWN = ("Progress", "Live", "Group", *(name for name in vars(JOB) if name.endswith("Column")))


class Clock:
    """A clock that stands still for a run: the first is on the first day, the next on the second."""

    run = 0

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:
        """Give the day of the run, without a time zone or in UTC, as harbor asks."""
        return datetime(2000, 1, 1 + cls.run, tzinfo=tz and timezone.utc)


class Suffixes:
    """Harbor's source of random names; here a trial's suffix tells the run that planned it and its place there."""

    planned = 0

    def random(self, length: int) -> str:
        """Give the next suffix."""
        suffix = f"{Clock.run}{Suffixes.planned:0{length - 1}}"
        Suffixes.planned += 1
        return suffix


class Unseen:
    """A progress display that shows nothing, whatever it is told."""

    def __init__(self, *_: Any, **__: Any) -> None:
        """Take what would be shown."""

    def __enter__(self) -> None:
        """Show nothing."""

    def __exit__(self, *_: object) -> None:
        """Show nothing."""

    def add_task(self, *_: Any, **__: Any) -> int:
        """Show nothing."""
        return 0

    update = advance = remove_task = add_task


def identity() -> UUID:
    """Give the job's id."""
    return UUID(int=0)


@contextmanager
def stable(run: int) -> Iterator[None]:
    """Let a run of a job be the same each time."""
    Clock.run, Suffixes.planned = run, 0
    with ExitStack() as stack:
        # Another surface may have put its own things there for good.
        stack.enter_context(_replaced(JOB, datetime=Clock, uuid4=identity, **dict.fromkeys(_SHOWN, Unseen)))
        stack.enter_context(_replaced(HOOKS, datetime=Clock))
        stack.enter_context(_replaced(TRIAL_CONFIG, ShortUUID=Suffixes))
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")  # pydantic's, where a script's metric is no dict
        yield


@contextmanager
def _replaced(module: Any, **names: Any) -> Iterator[None]:
    before = {name: vars(module)[name] for name in names}
    vars(module).update(names)
    try:
        yield
    finally:
        vars(module).update(before)


@contextmanager
def closed_logs() -> Iterator[None]:
    """Close the logs that a run leaves open where it fails: another job would go on writing to them."""
    logger = logging.getLogger("harbor.utils.logger")
    before = list(logger.handlers)
    try:
        yield
    finally:
        for handler in [handler for handler in logger.handlers if handler not in before]:
            logger.removeHandler(handler)
            handler.close()
        loggers = logging.Logger.manager.loggerDict
        for name in [name for name in loggers if name.startswith(f"{logger.name}.harbor.trial.trial.")]:
            for handler in getattr(loggers.pop(name), "handlers", []):
                handler.close()


@contextmanager
def undisturbed() -> Iterator[None]:
    """Keep a Ctrl-C until the job has ended: harbor would take it for one meant for the job."""
    before = signal.getsignal(signal.SIGINT)
    if before == signal.SIG_IGN or threading.current_thread() is not threading.main_thread():
        yield
        return
    heard: list[int] = []
    signal.signal(signal.SIGINT, lambda number, _: heard.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if heard:
            signal.raise_signal(signal.SIGINT)


@contextmanager
def uv_alone() -> Iterator[None]:
    """Let `uv` run scripts with this Python and nothing else: no project around it, no settings, no network.

    The one installed beside this Python comes first: another on the PATH may be a shim that works in some directories.
    """
    path = os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", os.defpath)])  # noqa: PTH120
    if shutil.which("uv", path=path) is None:
        raise AbsentError("a metric of the case is a script, and there is no `uv` to run it")
    variables = {
        "PATH": path,
        "UV_NO_CONFIG": "1",
        "UV_NO_PROJECT": "1",
        "UV_OFFLINE": "1",
        "UV_PYTHON": sys.executable,
    }
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
