"""Smoke: a minute of friendly checks for somebody who writes an adapter; each failure says what to change."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from parity import corpus, schemas
from parity.answer import answer_of
from parity.codec import Json
from parity.errors import CannotRunError
from parity.fault import OUT_OF_ORDER, TOO_MUCH, FaultError
from parity.hello import Hello, hello_of
from parity.process import Process
from parity.program import VERSION, Program
from parity.smoke_cases import KEPT, Kept
from parity.surfaces import SURFACES
from parity.text import outcome_text

_SEQ = 1_000_007
"""A seq that a program which counts for itself does not come to."""


@dataclass(frozen=True)
class Result:
    """What came of one check."""

    name: str
    advice: str = ""
    """What to change; empty if all is well."""
    skipped: str = ""
    """Why it could not be tried."""
    words: str = ""
    """What the program said on standard error, if it failed."""


class _WrongError(Exception):
    """A check failed; the message says what to change."""


class _Needed(Exception):  # noqa: N818  (it is no error: the program does not claim to do this)
    """A check needs a surface that the program does not offer."""


def smoke(program: Program) -> Iterator[Result]:
    """Try a program, one check after the other; it is started again after each that it fails."""
    bench = _Bench(program)
    try:
        yield bench.tried("the handshake", bench.shake_hands)
        if bench.hello is None:
            return
        hello = bench.hello
        yield bench.tried("what it says of itself", lambda: _check_hello(hello))
        surfaces = [name for name in hello.surfaces if name in SURFACES]
        if not surfaces:
            return
        bench.prepare(surfaces)
        for surface in surfaces:
            yield bench.tried(f"a plain case of {surface}", partial(bench.plain, surface))
        yield bench.tried("seq is copied", bench.seq)
        yield bench.tried("requests that come together are answered in order", bench.together)
        yield bench.tried("an unknown surface is skipped", bench.unknown)
        for kept in KEPT:
            yield bench.tried(kept.name, partial(bench.kept, kept))
        yield bench.tried("stop is honoured", bench.stop)
    finally:
        bench.end()


def _check_hello(hello: Hello) -> None:
    problem = schemas.validate("answer-to-start", hello.details)
    if problem:
        raise _WrongError(f"the answer to start: {problem}")
    unknown = [name for name in hello.surfaces if name not in SURFACES]
    if unknown:
        raise _WrongError(f"surfaces names {', '.join(unknown)}, and there are only: {', '.join(SURFACES)}")


class _Bench:
    """The checks, and the process that they are made on."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._limits = program.limits
        self._process: Process | None = None
        self.hello: Hello | None = None
        """What the program says of itself, once it has said so."""

    def prepare(self, surfaces: list[str]) -> None:
        """Get ready to ask for these surfaces."""
        self._plain = _plain_inputs(surfaces)
        self._surfaces = surfaces

    def tried(self, name: str, check: Callable[[], object]) -> Result:
        """Make a check, and say what came of it."""
        try:
            check()
        except FaultError as error:
            if error.kind == "cannot start":
                raise CannotRunError(error.message) from None
            process = self._process
            self.end()
            words = process.last_words() if process else ""
            return Result(name, f"the program {error.kind}: {error.message}", words=words)
        except _WrongError as error:
            return Result(name, str(error))
        except _Needed as needed:
            return Result(name, skipped=str(needed))
        return Result(name)

    def end(self) -> None:
        """End the process, if there is one."""
        process, self._process = self._process, None
        if process is not None:
            process.end()

    def shake_hands(self) -> Process:
        """Return a process with which hands were shaken."""
        if self._process is None:
            self._process = self._program.process()
            self._process.send(f'{{"cmd": "start", "version": {VERSION}}}\n'.encode())
            line = self._process.line(self._limits.start_seconds, "--start-seconds")
            self.hello = hello_of(line, VERSION, self._process.isolation)
        return self._process

    def _ask(self, *requests: tuple[int, str, Json]) -> list[Json]:
        process = self.shake_hands()
        process.check_quiet()
        lines = [
            json.dumps({"cmd": "run", "seq": seq, "surface": surface, "input": input}) + "\n"
            for seq, surface, input in requests
        ]
        process.send("".join(lines).encode())
        answers = [answer_of(process.line(self._limits.seconds), seq) for seq, _, _ in requests]
        if not process.quiet():
            raise process.unasked()
        return answers

    def plain(self, surface: str) -> None:
        """See that a case which needs nothing special gets an outcome, whatever it is."""
        if surface not in self._plain:
            raise _Needed("needs a case in the corpus")
        [answer] = self._ask((1, surface, self._plain[surface]))
        if "skipped" in answer:
            why = answer["skipped"]
            raise _WrongError(
                f"it offers {surface} and skips a plain case of it ({why}): answer it, or do not offer it"
            )

    def _any(self) -> str:
        """Return a surface that can be asked for."""
        surface = next(iter(self._plain), None)
        if surface is None:
            raise _Needed("needs a case in the corpus")
        return surface

    def seq(self) -> None:
        """See that the seq of an answer is that of its request, and not a count of the program's own."""
        surface = self._any()
        try:
            self._ask(*((seq, surface, self._plain[surface]) for seq in (_SEQ, 5)))
        except FaultError as error:
            if error.kind not in (TOO_MUCH, OUT_OF_ORDER):
                raise
            raise _WrongError(
                f"asked for seq {_SEQ} and then for seq 5, it answers with others: copy the seq of each request"
            ) from None

    def together(self) -> None:
        """See that ten requests at once get ten answers, in order."""
        surface = self._any()
        self._ask(*((seq, surface, self._plain[surface]) for seq in range(1, 11)))

    def unknown(self) -> None:
        """See that it does not answer for a surface which it cannot know."""
        [answer] = self._ask((1, "no_such_surface", {}))
        if "skipped" not in answer:
            raise _WrongError(
                "asked for a surface that nobody knows, it gives an outcome: "
                'answer {"seq": …, "skipped": "unknown surface"}, so that nothing is compared'
            )

    def kept(self, kept: Kept) -> None:
        """See that a value comes out as it should, in the encoding of the protocol."""
        surface = next((name for name in kept.cases if name in self._surfaces), None)
        if surface is None:
            raise _Needed(f"needs {' or '.join(kept.cases)}")
        input, expected = kept.cases[surface]
        [answer] = self._ask((1, surface, input))
        if answer != expected:
            told = f"{surface} of {_short(json.dumps(input))} is {_short(outcome_text(expected))}"
            raise _WrongError(f"{told}, and it answers {_short(outcome_text(answer))}: {kept.advice}")

    def stop(self) -> None:
        """See that the program ends by itself after `stop`."""
        process = self.shake_hands()
        self._process = None
        if not process.stop():
            raise _WrongError(
                f'it is still there {self._limits.stop_seconds:g} s after {{"cmd": "stop"}}: end the program then'
            )


def _plain_inputs(surfaces: list[str]) -> dict[str, Json]:
    """Return the plainest case of each surface that the corpus has a value for."""
    found: dict[str, Json] = {}
    for surface in surfaces:
        folder = corpus.folder() / surface
        entries = [entry for entry in corpus.entries([folder]) if "value" in entry.expect] if folder.is_dir() else []
        if entries:
            found[surface] = min((entry.case.input for entry in entries), key=lambda data: len(str(data)))
    return found


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 160 else text[:157] + "…"
