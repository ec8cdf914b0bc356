"""An event loop on which waiting takes no time and no work goes to threads, so that a job always runs the same way."""

from __future__ import annotations

import asyncio
import selectors
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


class InstantLoop(asyncio.SelectorEventLoop):
    """A loop whose clock jumps to the next moment at which something is due."""

    def __init__(self, overtaken: Callable[[Callable[[], Any]], object]) -> None:
        self.moment = 0.0
        self._overtaken = overtaken
        """Told of work that was cancelled before it began: a thread may have begun it, so it is done in some runs."""
        super().__init__(_Selector(self))
        self.set_exception_handler(lambda *_: None)

    def time(self) -> float:
        """Give the moment that the loop has jumped to."""
        return self.moment

    def run_in_executor(self, executor: Any, func: Callable[..., Any], *args: Any) -> asyncio.Future[Any]:  # type: ignore[override]
        """Do a thread's work on the loop, at its next turn: as soon as a thread could have ended it."""
        del executor
        future = self.create_future()
        self.call_soon(self._work, future, lambda: func(*args))
        return future

    def _work(self, future: asyncio.Future[Any], work: Callable[[], Any]) -> None:
        if future.cancelled():
            self._overtaken(work)
            return
        try:
            future.set_result(work())
        except Exception as exc:  # noqa: BLE001 -- whoever awaits the work gets its exception
            future.set_exception(exc)


class _Selector(selectors.DefaultSelector):
    def __init__(self, loop: InstantLoop) -> None:
        super().__init__()
        self.loop = loop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            raise RuntimeError("the case hangs for ever: something waits where harbor has no timeout")
        self.loop.moment += max(timeout, 0)
        return []
