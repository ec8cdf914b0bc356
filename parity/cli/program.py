"""What the verbs that run a program have in common: its command, its limits and its surroundings."""

from __future__ import annotations

import os
import re
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from parity.errors import CannotRunError
from parity.hello import Hello
from parity.limits import GIB, KIB, MIB, Limits
from parity.program import Program

_DEFAULT = Limits()
_UNITS = {"": 1, "K": KIB, "M": MIB, "G": GIB}

Command = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="-- COMMAND…", help="The program and its arguments: it speaks docs/protocol.md.", show_default=False
    ),
]
Seconds = Annotated[float, typer.Option(min=0.01, metavar="S", help="Time for one case.")]
StartSeconds = Annotated[float, typer.Option(min=0.1, metavar="S", help="Time for the program to start.")]
Memory = Annotated[str, typer.Option(metavar="SIZE", help="Memory for the program and its children.")]
Answer = Annotated[str, typer.Option(metavar="SIZE", help="Size of one answer.")]
Env = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME[=VALUE]", help="Pass a variable on, or set one (repeatable); PATH always is.", show_default=False
    ),
]
Directory = Annotated[
    Path | None,
    typer.Option("--in", metavar="DIR", help="Run it there (default: an empty directory).", show_default=False),
]
Network = Annotated[bool, typer.Option("--network", help="Leave it the network.")]


def program_of(
    command: list[str] | None,
    *,
    seconds: float = _DEFAULT.seconds,
    start_seconds: float = _DEFAULT.start_seconds,
    memory: str = "2G",
    answer: str = "16M",
    env: list[str] | None = None,
    directory: Path | None = None,
    network: bool = False,
) -> Program:
    """Return the program of these options."""
    if not command:
        raise CannotRunError("which program? write its command after --, such as `-- node adapter.mjs`")
    limits = replace(
        _DEFAULT, seconds=seconds, start_seconds=start_seconds, memory=size_of(memory), answer=size_of(answer)
    )
    if directory is not None and not directory.is_dir():
        raise CannotRunError(f"{directory} is not a directory")
    return Program(
        name=shlex.join(command),
        command=tuple(_found(word, first=number == 0) for number, word in enumerate(command)),
        limits=limits,
        environment=tuple(_variable(text) for text in env or ()),
        directory=str(directory.resolve()) if directory is not None else None,
        isolation=("processes",) if network else ("network", "processes"),
    )


def size_of(text: str) -> int:
    """Read a size: `512M`, `2G`, or a number of bytes."""
    match = re.fullmatch(r"([0-9]{1,12})([KMG]?)(?:i?B)?", text)
    if match is None or int(match[1]) == 0:
        raise CannotRunError(f"{text!r} is no size: write 512M or 2G")
    return int(match[1]) * _UNITS[match[2]]


def _variable(text: str) -> tuple[str, str]:
    name, given, value = text.partition("=")
    if not given and name not in os.environ:
        raise CannotRunError(f"--env {name}: there is no such variable here; write {name}=VALUE to set it")
    return name, value if given else os.environ[name]


def _found(word: str, *, first: bool) -> str:
    """Make the name of a file here absolute, since the program runs elsewhere; a command is left to the PATH."""
    path = Path(word)
    is_ours = path.is_file() and (os.sep in word or not first)
    return str(path.absolute()) if is_ours else word


def surroundings(hello: Hello) -> str:
    """Say what the program is shut off from, as far as the system allowed it."""
    network = (
        "without network" if "network" in hello.isolation else "with network (this system does not let us take it away)"
    )
    return network if "processes" in hello.isolation else f"{network}, in the process space of others"
