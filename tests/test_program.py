"""A program may do what it likes: the harness stays up, and says of which case it was the fault, and what to change."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from parity.codec import Json, Record
from parity.compare import divergences, fingerprint
from parity.errors import CannotRunError
from parity.limits import MIB, Limits
from parity.program import Conversation, Program
from tests.cli import ROOT

SURFACE = "reason_code"
LIMITS = Limits(seconds=2, memory=256 * MIB, answer=2 * MIB, processes=30, stop_seconds=1)
SHUT_IN = ("network", "processes")

Start = Callable[..., Conversation]


BOTH_WAYS = pytest.mark.parametrize("start", [SHUT_IN, ()], ids=["shut in", "not shut in"], indirect=True)
"""With the help of the system, and without, as in a container that forbids it."""


@pytest.fixture
def start(request: pytest.FixtureRequest) -> Iterator[Start]:
    """Start a program of the gallery; afterwards nothing of it may be left."""
    isolation = getattr(request, "param", SHUT_IN)
    mark = uuid4().hex
    started: list[Conversation] = []

    def made(name: str, limits: Limits = LIMITS) -> Conversation:
        conversation = hostile(name, limits=limits, isolation=isolation, mark=mark).start()
        started.append(conversation)
        return conversation

    yield made
    for conversation in started:
        conversation.close()
    deadline = time.monotonic() + 30
    while left := processes_with(mark):
        assert time.monotonic() < deadline, f"processes are left: {left}"
        time.sleep(0.05)


def hostile(
    name: str,
    *arguments: str,
    limits: Limits = LIMITS,
    isolation: tuple[str, ...] = SHUT_IN,
    mark: str = "",
) -> Program:
    command = (sys.executable, "-m", f"tests.hostile.{name}", *arguments)
    return Program(name, command, limits, (("PYTHONPATH", str(ROOT)), ("MARK", mark)), isolation=isolation)


def processes_with(mark: str) -> list[str]:
    """List the processes that were started with a mark, wherever they hide."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (folder / "environ").read_bytes():
                found.append((folder / "cmdline").read_bytes().decode())
        except OSError:
            continue
    return found


def ask(conversation: Conversation, *texts: str) -> list[Json]:
    return conversation(SURFACE, [Record(text=text) for text in texts])


def well(*texts: str) -> list[Json]:
    return [{"value": text} for text in texts]


FAULTS: list[tuple[str, str, list[str]]] = [
    ("crashes", "crashed", ["exit code 1"]),
    ("segfaults", "crashed", ["SIGSEGV"]),
    ("ends", "ended early", ["exit code 0", "until `stop`"]),
    ("hangs", "stalled", ["no answer within 2 s", "flush"]),
    ("prints_debug", "printed what is no JSON", ['"reading reward.txt', "print everything else to standard error"]),
    ("prints_bytes", "printed what is no JSON", ["\\\\xff"]),
    ("floods_output", "flooded its output", ["more than 2 MiB", "one line"]),
    ("floods_lines", "printed more than its answers", ["a request gets one line"]),
    ("floods_errors", "stalled", ["no answer within"]),
    ("wrong_seq", "answered out of order", ["copy its seq"]),
    ("leaks", "used too much memory", ["256 MiB are allowed", "--memory"]),
    ("spawns_children", "crashed", ["exit code 3"]),
    ("multiplies", "started too many processes", ["30 are allowed"]),
    ("closes_input", "closed its input", ["read requests until `stop`"]),
    ("closes_output", "closed its output", ["closed its standard output"]),
    ("answers_twice", "printed more than its answers", ["a request gets one line"]),
    ("crashes_after_answering", "crashed", ["SIGABRT"]),
    ("stops_itself", "stalled", ["no answer within"]),
    ("fills_the_disk", "crashed", []),
]


class TestGallery:
    """Each misbehaving program is survived, its fault put on the case that caused it, and told in plain words."""

    @pytest.mark.parametrize(("name", "kind", "words"), FAULTS, ids=[name for name, _, _ in FAULTS])
    @BOTH_WAYS
    def test_in_a_batch(self, start: Start, name: str, kind: str, words: list[str]) -> None:
        conversation = start(name)
        before, bad, *after = ask(conversation, "first", "bad", "second", "third")
        assert [before, *after] == well("first", "second", "third")
        assert bad["fault"]["kind"] == kind
        for word in words:
            assert word in bad["fault"]["message"]
        assert ask(conversation, "fourth") == well("fourth")

    def test_one_at_a_time(self, start: Start) -> None:
        conversation = start("crashes")
        for text in ("first", "bad", "bad", "second"):
            [answer] = ask(conversation, text)
            assert answer == {"value": text} if text != "bad" else answer["fault"]["kind"] == "crashed"

    def test_the_last_words_are_kept(self, start: Start) -> None:
        [bad] = ask(start("crashes"), "bad")
        assert bad["fault"]["stderr"].endswith("RuntimeError: cannot score this")

    def test_a_flood_of_errors_is_kept_in_part_and_does_no_harm(self, start: Start) -> None:
        conversation = start("floods_errors")
        assert ask(conversation, *"abcdefgh") == well(*"abcdefgh")
        [bad] = ask(conversation, "bad")
        assert "oh no" in bad["fault"]["stderr"]
        assert len(bad["fault"]["stderr"]) <= 2000

    def test_several_at_fault_in_one_batch(self, start: Start) -> None:
        answers = ask(start("crashes"), "bad", "a", "bad", "bad", "b", "c")
        assert ["fault" in answer for answer in answers] == [True, False, True, True, False, False]

    def test_a_fault_has_one_fingerprint_whatever_the_process_said(self, start: Start) -> None:
        one, other = ask(start("crashes"), "bad", "bad")
        names = {fingerprint(SURFACE, divergences(fault, {"value": None})[0]) for fault in (one, other)}
        assert names == {"reason_code outcome program crashed ≠ a value"}
        assert divergences(one, one)  # two crashes are no agreement


class TestCompany:
    """A fault that a case does not cause by itself is told as such, and nothing is lost or blamed wrongly."""

    def test_answers_out_of_order(self, start: Start) -> None:
        conversation = start("out_of_order")
        answers = ask(conversation, *"abcdef")
        faults = [answer["fault"] for answer in answers if "fault" in answer]
        assert [fault["kind"] for fault in faults] == ["answered out of order, but not when asked alone"]
        assert "in the order of the requests" in faults[0]["message"]
        assert ask(conversation, *"abcdef") == well(*"abcdef")  # one at a time from now on

    def test_never_flushes(self, start: Start) -> None:
        [answer] = ask(start("never_flushes"), "a")
        assert answer["fault"]["kind"] == "stalled"
        assert "flush standard output after each answer" in answer["fault"]["message"]

    @BOTH_WAYS
    def test_leaks_slowly(self, start: Start) -> None:
        texts = [str(number) for number in range(60)]
        answers = ask(start("leaks_slowly"), *texts)
        faults = [answer["fault"] for answer in answers if "fault" in answer]
        assert faults
        assert {fault["kind"] for fault in faults} == {"used too much memory, but not when asked alone"}
        assert "carried over from one case to the next" in faults[0]["message"]
        good = [(text, answer) for text, answer in zip(texts, answers, strict=True) if "fault" not in answer]
        assert [answer for _, answer in good] == well(*(text for text, _ in good))

    def test_dies_of_the_tenth_case(self, start: Start) -> None:
        conversation = start("crashes_in_company")
        answers = [ask(conversation, str(number))[0] for number in range(12)]
        faults = [answer["fault"] for answer in answers if "fault" in answer]
        assert [fault["kind"] for fault in faults] == ["crashed, but not when asked alone"]
        assert "table full" in faults[0]["stderr"]

    def test_the_case_before_is_named_when_it_is_the_cause(self, start: Start) -> None:
        conversation = start("crashes_after_answering")
        assert ask(conversation, "bad") == well("bad")
        time.sleep(0.5)
        [answer] = ask(conversation, "next")
        assert '"text": "bad"' in answer["fault"]["message"]


class TestBounds:
    """Whatever a program does, asking it ends."""

    def test_a_program_that_does_not_read_does_not_block_the_harness(self, start: Start) -> None:
        answers = ask(start("never_reads", replace(LIMITS, fault_seconds=1)), *["x" * 2**20] * 4)
        assert answers[0]["fault"]["kind"] == "stalled"
        assert "not asked" in answers[-1]["skipped"]

    def test_cases_that_stall_are_waited_for_less_and_less(self, start: Start) -> None:
        started = time.monotonic()
        answers = ask(start("hangs", replace(LIMITS, seconds=5)), *["bad"] * 8)
        assert all(answer["fault"]["kind"] == "stalled" for answer in answers)
        assert time.monotonic() - started < 75  # each in full, and again to be sure, would take 80

    @BOTH_WAYS
    def test_stop_is_not_waited_for_for_ever(self, start: Start) -> None:
        conversation = start("ignores_stop")
        assert ask(conversation, "a") == well("a")
        assert not conversation.close()

    def test_stop_is_honoured(self, start: Start) -> None:
        conversation = start("crashes")
        assert ask(conversation, "a") == well("a")
        assert conversation.close()

    @pytest.mark.parametrize("isolation", [SHUT_IN, ()])
    def test_it_may_tidy_up_when_nobody_asks_any_more(self, isolation: tuple[str, ...], tmp_path: Path) -> None:
        told = tmp_path / "tidy"
        conversation = hostile("tidies_up", str(told), isolation=isolation).start()
        assert ask(conversation, "a") == well("a")
        del conversation
        assert told.exists()

    @BOTH_WAYS
    def test_whoever_started_it_cannot_be_ended(self, start: Start) -> None:
        before, bad, after = ask(start("ends_its_parent"), "a", "bad", "b")
        assert [before, after] == well("a", "b")
        assert bad["fault"]["kind"] in ("stalled", "crashed")

    def test_the_harness_may_be_killed(self, tmp_path: Path) -> None:
        mark = uuid4().hex
        told = tmp_path / "told"
        code = (
            "import os, signal, sys; from tests.test_program import ask, hostile; from pathlib import Path\n"
            f"ask(hostile('ignores_stop', mark={mark!r}).start(), 'a')\n"
            f"Path({str(told)!r}).touch(); os.kill(os.getpid(), signal.SIGKILL)"
        )
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)}
        subprocess.run([sys.executable, "-c", code], env=environment, check=False)
        assert told.exists()
        deadline = time.monotonic() + 30
        while processes_with(mark):
            assert time.monotonic() < deadline
            time.sleep(0.05)


LOOSE = [
    ('{"seq": SEQ, "value": 1}', "a bare number", '{"int": "1"}'),
    ('{"seq": SEQ, "value": NaN}', "a bare number", "float"),
    ('{"seq": SEQ, "value": {"dict": [["reward", {"int": 1}]]}}', "int", "digits as text"),
    ('{"seq": SEQ, "value": {"int": "1.0"}}', "int", "digits as text"),
    ('{"seq": SEQ, "value": {"int": "' + "9" * 100_000 + '"}}', "int", "100,000 digits"),
    ('{"seq": SEQ, "value": {"float": 1.5}}', "float", '{"float": "1.5"}'),
    ('{"seq": SEQ, "value": {"float": "1"}}', "float", '{"float": "1.0"}'),
    ('{"seq": SEQ, "value": {"float": "1e-7"}}', "float", '{"float": "1e-07"}'),
    ('{"seq": SEQ, "value": {"float": "NaN"}}', "float", '{"float": "nan"}'),
    ('{"seq": SEQ, "value": {"float": "Infinity"}}', "float", '{"float": "inf"}'),
    ('{"seq": SEQ, "value": {"float": null}}', "float", "as text"),
    ('{"seq": SEQ, "value": {"bytes": "\\u20ac"}}', "bytes", "one character of 0 to 255 for each byte"),
    ('{"seq": SEQ, "value": {"dict": {"reward": {"int": "1"}}}}', "dict", "list of [key, value] pairs"),
    ('{"seq": SEQ, "value": {"dict": [["a", null], ["a", null]]}}', "dict", "same key twice"),
    ('{"seq": SEQ, "value": {"dict": [[["a"], null]]}}', "dict", "key of a dict"),
    ('{"seq": SEQ, "value": ' + "[" * 60 + "]" * 60 + "}", "too deep", "nested"),
    ('{"seq": SEQ, "error": "ValueError"}', "error", '"type"'),
    ('{"seq": SEQ, "error": {"message": "no"}}', "error", '"type"'),
    ('{"seq": SEQ, "error": {"type": "\\ud800"}}', "error", "name of a class"),
    ('{"seq": SEQ, "error": {"type": ""}}', "error", "name of a class"),
    ('{"seq": SEQ, "error": {"type": "E", "message": 5}}', "error", "message"),
    ('{"seq": SEQ, "error": {"type": "E", "trace": ""}}', "error", "trace"),
    ('{"seq": SEQ, "error": {"type": "E", "details": [{"loc": "a", "type": "b"}]}}', "details", '"loc"'),
    ('{"seq": SEQ, "result": 1}', "no outcome", "value, error or skipped"),
    ('{"seq": SEQ, "value": null, "error": {"type": "E"}}', "no outcome", "value, error"),
    ('{"seq": SEQ, "skipped": true}', "no outcome", "why, as text"),
    ('{"seq": SEQ}', "no outcome", "neither"),
    ('{"value": null}', "no seq", "copy the request's"),
    ('{"seq": "SEQ", "value": null}', "seq is no number", "as it is"),
    ('{"seq": true, "value": null}', "seq is no number", "as it is"),
    ("[1, 2]", "no object", "JSON object"),
]


@pytest.fixture(scope="module")
def loose() -> Iterator[Conversation]:
    conversation = hostile("speaks_loosely").start()
    yield conversation
    conversation.close()


class TestMeaning:
    """An answer that is no answer of the protocol is refused with what to write instead."""

    @pytest.mark.parametrize(("text", "what", "words"), LOOSE, ids=[text[:60] for text, _, _ in LOOSE])
    def test_nonsense(self, loose: Conversation, text: str, what: str, words: str) -> None:
        [answer] = ask(loose, text)
        assert answer["fault"]["kind"] == f"answered nonsense ({what})"
        assert words in answer["fault"]["message"]
        assert len(answer["fault"]["message"]) < 500

    @pytest.mark.parametrize("text", ["", "null x", "{", '{"seq": SEQ', "[" * 100_000, "\ud800"])
    def test_what_is_no_json(self, loose: Conversation, text: str) -> None:
        [answer] = ask(loose, text)
        assert answer["fault"]["kind"] in ("printed what is no JSON", "crashed")

    def test_numbers_as_text_are_an_outcome_that_differs(self, loose: Conversation) -> None:
        [answer] = ask(loose, '{"seq": SEQ, "value": {"dict": [["reward", "1"]]}}')
        [found] = divergences(answer, {"value": {"dict": [["reward", {"int": "1"}]]}})
        assert found.kind == "str ≠ int"

    @pytest.mark.parametrize(
        "outcome",
        [
            {"value": {"dict": [[{"float": "nan"}, {"int": "-7"}], ["\ud800", {"float": "-0.0"}], [None, [True]]]}},
            {"value": {"verified": True, "rewards": None}},
            {"value": {"bytes": "\x00\xff"}},
            {"error": {"type": "ValueError", "message": "\ud800"}},
            {"error": {"type": "ValueError"}},
            {"error": {"type": "ValidationError", "details": [{"loc": ["a", {"int": "0"}], "type": "t"}]}},
            {"skipped": "no such surface"},
        ],
    )
    def test_what_is_right_is_taken_as_it_is(self, loose: Conversation, outcome: Json) -> None:
        assert ask(loose, json.dumps({"seq": 0, **outcome}).replace('"seq": 0', '"seq": SEQ')) == [outcome]

    def test_a_hundred_thousand_numbers_are_compared_in_no_time(self) -> None:
        numbers = [{"int": str(number)} for number in range(100_000)]
        [found] = divergences({"value": numbers}, {"value": numbers[::-1]})
        assert found.kind == "bytes differ"

    def test_skipped_is_no_divergence(self) -> None:
        assert divergences({"skipped": "why"}, {"value": None}) == []


class TestStart:
    """A program that does not get as far as the handshake cannot be compared, and it is said why."""

    @pytest.mark.parametrize(
        ("line", "words"),
        [
            ("Listening on port 80", "its first line of output is not JSON"),
            ("[]", "not a JSON object"),
            ('{"version": 2}', '"version" must be 1, and is 2'),
            ('{"version": 1, "implementation": "x"}', '"implementation" must hold a name'),
            ('{"version": 1, "implementation": {"name": "x"}, "surfaces": []}', '"surfaces" must list'),
            ('{"version": 1, "implementation": {"name": "x"}, "surfaces": "metric"}', '"surfaces" must list'),
        ],
    )
    def test_a_wrong_hello(self, line: str, words: str) -> None:
        with pytest.raises(CannotRunError, match="no handshake") as caught:
            hostile("says_hello_wrongly", line).hello()
        assert words in str(caught.value)

    @pytest.mark.parametrize(
        ("command", "words"),
        [
            (("no-such-command",), "'no-such-command' cannot be started: No such file or directory"),
            (("/",), "Permission denied"),
            (("false",), "exit code 1"),
            (("true",), "exit code 0"),
            ((sys.executable, "-c", "import nothing_of_the_kind"), "ModuleNotFoundError: No module named"),
            (("sleep", "100"), "no answer within 1 s"),
            (("yes",), "its first line of output is not JSON"),
        ],
    )
    def test_it_does_not_start(self, command: tuple[str, ...], words: str) -> None:
        with pytest.raises(CannotRunError) as caught:
            Program("it", command, replace(LIMITS, start_seconds=1 if "sleep" in command else 60)).hello()
        assert words in str(caught.value)
        assert "\n" not in str(caught.value)

    def test_a_program_that_goes_away_is_asked_no_more(self, tmp_path: Path) -> None:
        script = tmp_path / "program.py"
        script.write_text("from tests.hostile.crashes import *\n")
        program = replace(hostile("crashes"), command=(sys.executable, str(script)))
        conversation = program.start()
        assert ask(conversation, "a") == well("a")
        script.unlink()
        with pytest.raises(CannotRunError, match="No such file"):
            ask(conversation, "bad")


SURROUNDINGS = """
import json, os, socket, sys
from tests.hostile.wire import cases, say
for seq, text in cases():
    try:
        reached = not socket.create_connection(("192.0.2.1", 9), 0.2)
    except OSError as error:
        reached = error.strerror or "timed out"
    say({"seq": seq, "value": {
        "here": os.listdir(), "home": os.environ["HOME"] == os.getcwd() == os.environ["TMPDIR"],
        "variables": sorted(os.environ), "network": reached,
        "processes": [name for name in os.listdir("/proc") if name.isdigit()],
        "streams": sorted(os.listdir("/proc/self/fd"))[:-1],
    }})
"""


class TestSurroundings:
    """A program runs in an empty directory, with few variables, and without network where the system allows it."""

    def told(self, **changes: Any) -> tuple[Program, dict[str, Any]]:
        program = replace(hostile("crashes"), command=(sys.executable, "-c", SURROUNDINGS), **changes)
        conversation = program.start()
        [answer] = ask(conversation, "a")
        conversation.close()
        return program, answer["value"]

    def test_empty_and_alone(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("SECRET", "of mine")
        program, told = self.told()
        assert told["here"] == []
        assert told["home"] is True
        assert set(told["variables"]) <= {"PATH", "HOME", "TMPDIR", "LANG", "LC_CTYPE", "PYTHONPATH", "MARK"}
        assert set(told["streams"]) <= {"0", "1", "2"}
        isolation = program.hello().isolation
        if "network" in isolation:
            assert "unreachable" in told["network"]
        if "processes" in isolation:
            assert len(told["processes"]) <= 2

    def test_another_directory_and_variable(self, tmp_path: Path) -> None:
        (tmp_path / "file").touch()
        python_path = ("PYTHONPATH", str(ROOT))
        _, told = self.told(directory=str(tmp_path), environment=(python_path, ("WANTED", "1")))
        assert told["here"] == ["file"]
        assert told["home"] is False
        assert "WANTED" in told["variables"]

    def test_it_travels_to_workers(self) -> None:
        program = hostile("crashes")
        assert pickle.loads(pickle.dumps(program)) == program  # noqa: S301
