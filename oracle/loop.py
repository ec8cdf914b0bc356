"""One event loop a process: making one takes longer than most cases."""

from __future__ import annotations

import asyncio
import atexit
import functools
import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Coroutine


def complete(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """Run a coroutine of harbor to its end."""
    return _loop(os.getpid()).run_until_complete(coroutine)


@functools.cache
def _loop(owner: int) -> asyncio.AbstractEventLoop:
    # By process id: a forked worker shares its parent's selector, and would hear its parent's events.
    loop = asyncio.new_event_loop()
    atexit.register(_close, loop, owner)
    return loop


def _close(loop: asyncio.AbstractEventLoop, owner: int) -> None:
    if os.getpid() == owner:  # a forked worker inherits the exit handler as well
        loop.close()
