"""Programs: any command that speaks the wire of docs/protocol.md, as one side of a comparison."""

from __future__ import annotations

import json
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from parity.answer import answer_of
from parity.codec import Json, text_of
from parity.errors import CannotRunError
from parity.fault import FaultError, in_company
from parity.hello import Hello, hello_of
from parity.limits import Limits
from parity.process import Process

VERSION = 1
BATCH = 64
"""Cases that are sent before the first of them is answered: most of what the wire costs is waking each other up."""
_STARTS = 3
"""How often a program is started in vain before nothing more is asked of it."""


@dataclass(frozen=True)
class Program:
    """A command, and how it is run; it travels to worker processes, and each starts a copy of it."""

    name: str
    command: tuple[str, ...]
    limits: Limits = field(default_factory=Limits)
    environment: tuple[tuple[str, str], ...] = ()
    """Variables beside the few that every program gets."""
    directory: str | None = None
    """Where it runs; None is an empty temporary directory."""
    isolation: tuple[str, ...] = ("network", "processes")
    """What it is shut off from where the system allows it: the network, and the processes of others."""

    def start(self) -> Conversation:
        """Get ready to ask it; the process starts with the first case."""
        return Conversation(self)

    def hello(self) -> Hello:
        """Start it, shake hands, and stop it; refuse to run if that fails."""
        conversation = Conversation(self)
        try:
            return conversation.hello()
        finally:
            conversation.close()

    def process(self) -> Process:
        """Start a process of it."""
        return Process(
            self.command,
            self.limits,
            environment=dict(self.environment),
            directory=self.directory,
            isolation=self.isolation,
        )


@dataclass
class _Batch:
    """Cases that are asked together, and those of their answers that came so far."""

    surface: str
    cases: list[str]
    answers: list[Json] = field(default_factory=list)

    @property
    def left(self) -> int:
        """How many are not answered yet."""
        return len(self.cases) - len(self.answers)

    def next(self, number: int) -> list[str]:
        """Return the first of those that are not answered yet."""
        return self.cases[len(self.answers) :][:number]


class Conversation:
    """A program at work: gives it cases in batches, starts it again after a fault, and finds the case at fault."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._limits = program.limits
        self._process: Process | None = None
        self._hello: Hello | None = None
        self._seq = 0
        self._at_once = BATCH
        self._previous: tuple[str, str] | None = None
        """The last case of the batch before: some programs answer well, and fall over afterwards."""
        self._lost: defaultdict[str, float] = defaultdict(float)
        """Seconds that faults have cost, by surface."""
        self._stalled: set[str] = set()
        """Surfaces on which a case was waited for in full."""
        self._slowest = 0.0

    def close(self) -> bool:
        """Stop the program, and tell whether it stopped when asked to."""
        process, self._process = self._process, None
        return process is None or process.stop()

    def hello(self) -> Hello:
        """Return what the program said of itself."""
        self._running()
        assert self._hello is not None  # noqa: S101  (a running program has shaken hands)
        return self._hello

    def __call__(self, surface: str, inputs: Sequence[Mapping[str, Any]]) -> list[Json]:
        """Return what the program answers to each case: an outcome, `skipped`, or a fault."""
        cases = [text_of(input) for input in inputs]
        answers: list[Json] = []
        for start in range(0, len(cases), BATCH):
            answers += self._answers(surface, cases[start : start + BATCH])
        return answers

    # --- Finding the case at fault ------------------------------------------------------------------------------------

    def _answers(self, surface: str, cases: list[str]) -> list[Json]:
        """Ask a batch at once; if that fails, one by one until the case at fault is found, then at once again."""
        batch = _Batch(surface, cases)
        suspected: tuple[int, Json] | None = None
        while batch.left:
            if self._lost[surface] > self._limits.fault_seconds:
                at, fault = suspected or (len(batch.answers), self._given_up(surface))
                batch.answers += [self._given_up(surface)] * batch.left
                batch.answers[at] = fault
                return batch.answers
            started, fresh = time.monotonic(), self._process is None
            asked = batch.next(1 if suspected else self._at_once)
            try:
                self._ask(surface, asked, batch.answers)
            except FaultError as error:
                fault = self._ended(error)
                if len(asked) > 1:
                    suspected = (len(batch.answers), fault)  # answers to several cases may have been on their way
                elif fresh and not error.early:
                    suspected = None
                    batch.answers.append(self._confirmed(surface, fault))
                else:
                    suspected = None
                    self._settle(batch, fault)
                self._lost[surface] += time.monotonic() - started
        if suspected:
            self._at_once = 1  # it can answer them all, but not while more are waiting
            self._blame(batch, *suspected)
        self._previous = (surface, cases[-1])
        return batch.answers

    def _settle(self, batch: _Batch, fault: Json) -> None:
        """Decide whose fault it is that a case was not answered by a process that had answered others."""
        at = len(batch.answers)
        again = self._alone(batch.surface, batch.cases[at])
        batch.answers.append(again)
        if "fault" in again:
            self._confirmed(batch.surface, again)
        else:
            self._blame(batch, at, fault)

    def _confirmed(self, surface: str, fault: Json) -> Json:
        if fault["fault"]["kind"] == "stalled":
            self._stalled.add(surface)
        return fault

    def _blame(self, batch: _Batch, at: int, fault: Json) -> None:
        """Put a fault that a case does not cause when asked alone on the case before it, or on their company."""
        before = (batch.surface, batch.cases[at - 1]) if at else self._previous
        found = self._alone(*before) if before else {}
        if "fault" not in found:
            batch.answers[at] = in_company(fault)
        elif at:
            batch.answers[at - 1] = found
        else:
            case = f'{{"surface": "{before[0]}", "input": {before[1]}}}' if before else ""
            batch.answers[at] = in_company(fault, f"The case before this one is the cause: {case[:1000]}")

    def _alone(self, surface: str, case: str) -> Json:
        """Ask one case of a fresh process, twice, so that what follows the first answer is noticed too."""
        self._end()
        answers: list[Json] = []
        try:
            self._ask(surface, [case, case], answers)
        except FaultError as error:
            return self._ended(error)
        return answers[0]

    def _given_up(self, surface: str) -> Json:
        lost = self._limits.fault_seconds
        return {"skipped": f"not asked: the program's faults on {surface} have cost more than {lost:g} s"}

    # --- Talking ------------------------------------------------------------------------------------------------------

    def _ask(self, surface: str, cases: list[str], answers: list[Json]) -> None:
        """Send cases, and add their answers; a fault leaves out the case at which it showed, and those behind it."""
        process = self._running()
        process.check_quiet()
        first = self._seq + 1
        self._seq += len(cases)
        head = json.dumps(surface)
        requests = (
            f'{{"cmd": "run", "seq": {seq}, "surface": {head}, "input": {case}}}\n'
            for seq, case in enumerate(cases, first)
        )
        process.send("".join(requests).encode())
        seconds = self._seconds(surface)
        for seq in range(first, self._seq + 1):
            started = time.monotonic()
            line = process.line(seconds)
            try:
                answers.append(answer_of(line, seq))
            except FaultError as error:
                if not error.in_step:
                    raise
                answers.append(error.answer(process.last_words()))  # no need to start it again
            self._slowest = max(self._slowest, time.monotonic() - started)
        if not process.quiet():
            answers.pop()
            raise process.unasked()

    def _seconds(self, surface: str) -> float:
        """Return how long to wait: less once a case has stalled, so that a hundred of them do not take all day."""
        limit = self._limits.seconds
        return min(limit, max(limit / 10, 10 * self._slowest)) if surface in self._stalled else limit

    def _running(self) -> Process:
        """Return the process, started if need be, with hands shaken."""
        if self._process is not None:
            return self._process
        for attempt in range(1, _STARTS + 1):
            self._process, self._seq = self._program.process(), 0
            try:
                self._hello = self._shake_hands(self._process)
            except FaultError as error:
                words = self._ended(error)["fault"]["stderr"]
                # Once it has started, it may only be short of something for the moment.
                if self._hello is None or attempt == _STARTS:
                    raise CannotRunError(_not_started(self._program, error, words)) from None
                time.sleep(0.1 * attempt)
            else:
                return self._process
        raise AssertionError

    def _shake_hands(self, process: Process) -> Hello:
        process.send(f'{{"cmd": "start", "version": {VERSION}}}\n'.encode())
        hello = hello_of(process.line(self._limits.start_seconds, "--start-seconds"), VERSION, process.isolation)
        if not process.quiet():
            raise process.unasked()
        return hello

    def _ended(self, error: FaultError) -> Json:
        """End the process, and return the fault with its last words."""
        process = self._process
        self._end()
        return error.answer(process.last_words() if process else "")

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.end()


def _not_started(program: Program, error: FaultError, words: str) -> str:
    last = words.splitlines()[-1].strip() if words else ""
    told = f" (its last words: {last[:300]})" if last else ""
    return f"{program.name}: no handshake: {error.message}{told}"
