"""The warden: a process between the harness and a program under test, which shuts it in and leaves nothing of it.

It runs as a script, before anything of the harness is imported (`python -I -S warden.py …`): it takes the network away
and gives the program a process space of its own where the system allows it, watches memory and the number of processes
for as long as the program lives, and ends all of them when the program ends, when a limit is passed, or when the
harness is gone. What it has to say goes to a pipe of its own, one line each:

    isolation network processes    what the system allowed
    missing No such file           the program could not be started
    exit 1, signal 11              how the program ended
    memory 2147483648, processes 300   the limit that it passed
"""

from __future__ import annotations

import ctypes
import os
import resource
import select
import signal
import sys
import time
from contextlib import suppress
from dataclasses import dataclass

_NEW_MOUNTS, _NEW_USER, _NEW_PROCESSES, _NEW_NETWORK = 0x00020000, 0x10000000, 0x20000000, 0x40000000
_SPACES = {"network": _NEW_NETWORK, "processes": _NEW_PROCESSES}
_PRIVATE_MOUNTS, _NO_SUID, _NO_DEVICES, _NO_PROGRAMS = 1 << 18 | 1 << 14, 2, 4, 8
_DEATH_SIGNAL, _ADOPT_ORPHANS = 1, 36
_GRACE = 2.0
"""Seconds for a program to end by itself once its input has ended."""
_LOOK = 0.05
"""Seconds between two looks at the memory: a program that takes 2 GiB a second is 0.1 GiB over its limit by then."""


@dataclass(frozen=True)
class Orders:
    """What the harness asks for, as it stands on the command line."""

    lifeline: int
    """Read end of a pipe whose other end only the harness holds: its end is the end of the harness, a byte the order to
    end the program at once."""
    status: int
    memory: int
    processes: int
    isolation: frozenset[str]
    """What to shut it off from, where the system allows it: `network`, `processes`."""
    home: str
    """An empty directory; where mounting is allowed, memory of its own is put over it."""
    directory: str
    command: tuple[str, ...]


def main() -> None:
    """Start the program, watch it, and end it."""
    lifeline, status, memory, processes, isolation, home, directory, *command = sys.argv[1:]
    limits = int(memory), int(processes)
    orders = Orders(int(lifeline), int(status), *limits, frozenset(isolation.split()), home, directory, tuple(command))
    for descriptor in (orders.lifeline, orders.status):
        os.set_inheritable(descriptor, False)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # whoever ends us by hand would leave the program alone
    spaces = _isolate(orders)
    _tell(orders, " ".join(["isolation", *(word for word, space in _SPACES.items() if spaces & space)]))
    if spaces & _NEW_PROCESSES:
        root = os.fork()
        if root == 0:
            _be_first(orders)
        _let_go_of_streams()
        _watch(orders, root, first=True)
        return
    _adopt_orphans()
    _watch(orders, _spawn(orders), first=False)


# --- Shutting it in ---------------------------------------------------------------------------------------------------


def _isolate(orders: Orders) -> int:
    """Enter as many spaces of our own as the system allows, and return which."""
    network, processes = (space if word in orders.isolation else 0 for word, space in _SPACES.items())
    for spaces in filter(None, (network | processes, network, processes)):
        # A user space lets anybody make the others, but hides who owns a file: only if need be.
        for user in (0, _NEW_USER):
            if _allowed(spaces | user):
                _enter(spaces | user)
                return spaces
    return 0


def _allowed(spaces: int) -> bool:
    """Try it in a process that may be lost: some systems let us in and then take every right away."""
    child = os.fork()
    if child == 0:
        try:
            _enter(spaces)
        except (OSError, AttributeError):
            os._exit(1)
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0


def _enter(spaces: int) -> None:
    user, group = os.getuid(), os.getgid()
    _call("unshare", spaces)
    if spaces & _NEW_USER:
        for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
            _write(f"/proc/self/{name}", text)


def _call(name: str, *arguments: int | bytes | None) -> None:
    library = ctypes.CDLL(None, use_errno=True)
    if getattr(library, name)(*arguments) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def _write(path: str, text: str) -> None:
    with open(path, "w") as file:  # noqa: PTH123  (pathlib is slow to import, and this runs before each start)
        file.write(text)


def _adopt_orphans() -> None:
    """Become the parent of all whose parent ended, so that none is lost sight of."""
    with suppress(OSError, AttributeError):
        _call("prctl", _ADOPT_ORPHANS, 1, 0, 0, 0)


def _be_first(orders: Orders) -> None:
    """Be the first process of a space: when it ends, the kernel ends all others there."""
    try:
        _call("prctl", _DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
        _mount(orders)
        program = _spawn(orders)
        while True:
            ended, status = os.wait()
            if ended == program:
                _tell_end(orders, status)
                os._exit(0)
    finally:
        os._exit(1)


def _mount(orders: Orders) -> None:
    """Give the program a /proc that shows its own processes, and a home of bounded size, where that is allowed."""
    size = f"size={orders.memory},mode=700".encode()
    with suppress(OSError):
        _call("unshare", _NEW_MOUNTS)
        _call("mount", b"none", b"/", None, _PRIVATE_MOUNTS, None)
        for kind, place, flags, options in (
            (b"tmpfs", orders.home.encode(), _NO_SUID | _NO_DEVICES, size),
            (b"proc", b"/proc", _NO_SUID | _NO_DEVICES | _NO_PROGRAMS, None),
        ):
            with suppress(OSError):
                _call("mount", kind, place, kind, flags, options)


def _spawn(orders: Orders) -> int:
    program = os.fork()
    if program == 0:
        try:
            _become(orders)
        except OSError as error:
            _tell(orders, f"missing {error.strerror}")
            os._exit(127)
    _let_go_of_streams()
    return program


def _let_go_of_streams() -> None:
    """Leave the standard streams to the program: else nobody would notice that it closed them."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    os.close(nothing)


def _become(orders: Orders) -> None:
    """Turn this process into the program, with a group of its own."""
    os.setpgid(0, 0)
    for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)  # Python ignores two of them, and a program is not to inherit that
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    size = orders.memory if hard == resource.RLIM_INFINITY else min(orders.memory, hard)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    with suppress(OSError, AttributeError):
        _call("prctl", _DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)  # if it ends its warden, it ends too
    with suppress(OSError):
        _write("/proc/self/oom_score_adj", "1000")  # if memory runs out all the same, this goes first
    os.chdir(orders.directory)
    os.execvp(orders.command[0], orders.command)  # noqa: S606  (running it is the whole point)


# --- Watching and ending it -------------------------------------------------------------------------------------------


def _watch(orders: Orders, root: int, *, first: bool) -> None:
    """Wait for the end of the program, of the harness or of a limit; then end everything."""
    awake, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    poller = select.poll()
    for descriptor in (awake, orders.lifeline):
        poller.register(descriptor, select.POLLIN)
    top = root if first else os.getpid()
    while not _ended(orders, root, first=first) and not _passed(orders, top):
        ready = [descriptor for descriptor, _ in poller.poll(_LOOK * 1000)]
        if orders.lifeline in ready:
            if not os.read(orders.lifeline, 1):
                _let_it_end(orders, root, first=first)
            break
        if awake in ready:
            os.read(awake, 4096)
    if first:
        with suppress(ProcessLookupError, ChildProcessError):
            os.kill(root, signal.SIGKILL)
            os.waitpid(root, 0)  # it ends when all of its space have
    else:
        _end_all(root)


def _let_it_end(orders: Orders, root: int, *, first: bool) -> None:
    """Give the program, whose input has ended with the harness, a moment to tidy up behind itself."""
    deadline = time.monotonic() + _GRACE
    while time.monotonic() < deadline and not _ended(orders, root, first=first):
        time.sleep(0.01)


def _ended(orders: Orders, root: int, *, first: bool) -> bool:
    """Collect those that ended, and tell whether the one that matters is among them."""
    while True:
        try:
            ended, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return True
        if ended == 0:
            return False
        if ended == root:
            if not first or os.waitstatus_to_exitcode(status) != 0:
                _tell_end(orders, status)
            return True


def _passed(orders: Orders, top: int) -> bool:
    """Tell whether the program passed a limit."""
    below = _descendants(top)
    if len(below) > orders.processes:
        _tell(orders, f"processes {len(below)}")
        return True
    used = sum(map(_resident, below))
    if used > orders.memory and (used := sum(map(_share, below))) > orders.memory:
        _tell(orders, f"memory {used}")
        return True
    return False


def _descendants(top: int) -> list[int]:
    """List the processes below another; none where the system does not tell."""
    found, waiting = [], [top]
    while waiting:
        folder = f"/proc/{waiting.pop()}/task"
        with suppress(OSError):
            for thread in os.listdir(folder):  # noqa: PTH208
                with open(f"{folder}/{thread}/children", "rb") as file:  # noqa: PTH123
                    children = [int(word) for word in file.read().split()]
                found += children
                waiting += children
    return found


def _resident(process: int) -> int:
    """Return the memory in which a process is, shared or not: quick, and never too little."""
    try:
        with open(f"/proc/{process}/statm", "rb") as file:  # noqa: PTH123
            return int(file.read().split()[1]) * resource.getpagesize()
    except OSError:
        return 0


def _share(process: int) -> int:
    """Return the memory of a process with what it shares divided among those who share it."""
    try:
        with open(f"/proc/{process}/smaps_rollup", "rb") as file:  # noqa: PTH123
            return next(int(line.split()[1]) * 1024 for line in file if line.startswith(b"Pss:"))
    except (OSError, StopIteration):
        return _resident(process)


def _end_all(program: int) -> None:
    """End the program, its group and all below us, until none is left: an orphan comes to us in the meantime."""
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        with suppress(OSError):
            os.killpg(program, signal.SIGKILL)
        for process in _descendants(os.getpid()):
            with suppress(OSError):
                os.kill(process, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(0.002)


def _tell(orders: Orders, line: str) -> None:
    with suppress(OSError):
        os.write(orders.status, f"{line}\n".encode())


def _tell_end(orders: Orders, status: int) -> None:
    code = os.waitstatus_to_exitcode(status)
    _tell(orders, f"exit {code}" if code >= 0 else f"signal {-code}")


if __name__ == "__main__":
    main()
