"""`parity smoke` tells somebody who writes an adapter what to change."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from parity.limits import Limits
from parity.program import Program
from parity.smoke import Result, smoke
from tests.cli import ROOT, parity

ECHO = """
import json, sys
def say(message):
    print(json.dumps(message), flush=True)
for count, line in enumerate(sys.stdin):
    request = json.loads(line)
    if request["cmd"] == "start":
        say({"version": 1, "implementation": {"name": "echo"}, "surfaces": SURFACES})
    elif request["cmd"] == "run":
        seq, surface, steps = request["seq"], request["surface"], request["input"].get("steps", [])
        rewards = steps[0]["rewards"] if steps else None
        CHANGE
        ANSWER
    elif STOP:
        break
"""
VALUE = 'say({"seq": seq, "value": {"verified": True, "rewards": rewards}})'
SKIPPED = 'say({"seq": seq, "skipped": "unknown"})'
RIGHT = f'{VALUE} if surface == "multi_step" else {SKIPPED}'


def results(
    answer: str = RIGHT, change: str = "", surfaces: str = '["multi_step"]', stop: str = "True"
) -> list[Result]:
    """Try a program that hands back the rewards of a trial's first step, changed in one place."""
    code = ECHO
    for name, text in (("ANSWER", answer), ("CHANGE", change), ("SURFACES", surfaces), ("STOP", stop)):
        code = code.replace(name, text)
    program = Program("echo", (sys.executable, "-I", "-c", code), Limits(seconds=2, stop_seconds=2))
    return list(smoke(program))


def failures(**changes: str) -> dict[str, str]:
    return {result.name: result.advice for result in results(**changes) if result.advice}


class TestChecks:
    """Each check fails for the fault it is about, and passes where there is none."""

    def test_nothing_is_wrong(self) -> None:
        tried = results()
        assert not [result for result in tried if result.advice]
        assert [result.skipped for result in tried if result.skipped] == ["needs reward_files"]
        assert len(tried) > 12

    @pytest.mark.parametrize(
        ("answer", "check", "words"),
        [
            (RIGHT.replace('"seq": seq', '"seq": count'), "seq is copied", "copy the seq of each"),
            (VALUE, "an unknown surface is skipped", "skipped"),
            (f"print('hi'); {RIGHT}", "a plain case of multi_step", "standard error"),
            (RIGHT.replace('"value"', '"note": 1, "value"'), "a plain case of multi_step", "one of value, error"),
        ],
        ids=["counts for itself", "answers for anything", "prints", "adds a field"],
    )
    def test_the_wire(self, answer: str, check: str, words: str) -> None:
        assert words in failures(answer=answer)[check]

    @pytest.mark.parametrize(
        ("spoil", "check", "words"),
        [
            ("text.replace('\"int\"', '\"float\"')", "int and float are kept apart", "as Python writes it"),
            ("text.replace('\"nan\"', '\"NaN\"')", "nan", '{"float": "nan"}'),
            ('text.replace("-0.0", "0.0")', "the sign of zero", '{"float": "-0.0"}'),
            ('text.replace("9007199254740993", "9007199254740992")', "integers beyond 2**53", "arbitrary size"),
            ('text.replace("1e-07", "1e-7")', "small numbers are written as Python writes them", '{"float": "1e-07"}'),
            ('text.replace("ud800", "ufffd")', "half of a surrogate pair", "ud800"),
        ],
    )
    def test_what_is_lost(self, spoil: str, check: str, words: str) -> None:
        assert words in failures(change=f"text = json.dumps(rewards); rewards = json.loads({spoil})")[check]

    def test_the_order_of_keys(self) -> None:
        assert list(failures(change='rewards and rewards["dict"].sort(key=str)')) == ["the order of keys"]

    def test_stop(self) -> None:
        assert list(failures(stop="False")) == ["stop is honoured"]

    def test_a_surface_that_there_is_not(self) -> None:
        found = failures(surfaces='["multi_step", "rewards"]')
        assert "rewards, and there are only: reward_files" in found["what it says of itself"]

    def test_without_a_handshake_nothing_else_is_tried(self) -> None:
        found = failures(surfaces="[]")
        assert list(found) == ["the handshake"]
        assert '"surfaces" must list' in found["the handshake"]


class TestCommand:
    """The verb says what to do next, and its exit code says whether all is well."""

    def test_fit(self) -> None:
        done = parity("smoke", "--env", "PYTHONPATH", "--", sys.executable, "-m", "parity", "serve", "reimpl")
        assert done.returncode == 0, done.stdout
        assert "fit to be checked: now run `parity check -- " in done.stdout

    def test_not_fit(self) -> None:
        done = parity("smoke", "--", "sh", "examples/shell/adapter.sh")
        assert done.returncode == 1
        assert "FAIL  nan: " in done.stdout
        assert "change what the lines above say" in done.stdout

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            ([], "which program?"),
            (["--", "no-such-command"], "'no-such-command' cannot be started"),
            (["--memory", "much", "--", "cat"], "'much' is no size"),
            (["--env", "NO_SUCH_VARIABLE", "--", "cat"], "there is no such variable here"),
            (["--in", "no-such-directory", "--", "cat"], "no-such-directory is not a directory"),
        ],
    )
    def test_it_cannot_run(self, arguments: list[str], words: str) -> None:
        done = parity("smoke", *arguments)
        assert done.returncode == 2
        assert words in done.stderr

    def test_a_file_here_is_found_though_the_program_runs_elsewhere(self, tmp_path: Path) -> None:
        (tmp_path / "mine.py").write_text((ROOT / "examples/python/adapter.py").read_text())
        done = parity("smoke", "--", sys.executable, "mine.py", cwd=tmp_path)
        assert done.returncode == 0, done.stdout
