"""`parity check` compares any program, or any Python function, with harbor."""

from __future__ import annotations

import json
import sys
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from parity.implementation import ORACLE
from parity.judge import Finding, Judge
from parity.known import Known, read, write
from parity.limits import Limits
from parity.program import Program
from parity.search import Unit, search
from parity.surfaces import SURFACES
from tests.cli import ROOT, parity

PYTHON = [sys.executable, str(ROOT / "examples/python/adapter.py")]
SHELL = ["sh", str(ROOT / "examples/shell/adapter.sh")]
REIMPL = [sys.executable, "-m", "parity", "serve", "reimpl"]
SHY = """
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    if request["cmd"] == "start":
        who = {"name": "shy", "version": "1", "language": "python"}
        print(json.dumps({"version": 1, "implementation": who, "surfaces": ["min_reward"]}), flush=True)
    elif request["cmd"] == "run":
        print(json.dumps({"seq": request["seq"], "skipped": "not today"}), flush=True)
"""


def checked(folder: Path, *arguments: str) -> tuple[int, dict[str, Any]]:
    """Run a check in a folder of its own, and return its exit code and its report."""
    done = parity("check", "--json", "report.json", "--env", "PYTHONPATH", *arguments, cwd=folder)
    assert done.returncode in (0, 1), done.stderr
    return done.returncode, json.loads((folder / "report.json").read_text())


def fingerprints(report: dict[str, Any]) -> set[str]:
    return {each["fingerprint"] for surface in report["surfaces"] for each in surface["divergences"]}


class TestPrograms:
    """A program is compared on the surfaces it offers, under the name it gives itself."""

    def test_reimpl_over_the_wire_does_not_diverge(self, tmp_path: Path) -> None:
        code, report = checked(tmp_path, "--examples", "30", "--surface", "min_reward", "--", *REIMPL)
        assert code == 0
        assert report["a"].startswith("reimpl ")
        assert report["verdict"] == "parity"
        [surface] = report["surfaces"]
        assert surface["cases"]["generated"] == 30
        assert surface["cases"]["exhaustive"] > 1000

    def test_reimpl_over_the_wire_agrees_with_every_recording(self, tmp_path: Path) -> None:
        code, report = checked(tmp_path, "--recorded", "--", *REIMPL)
        assert code == 0
        assert report["b"] == "recordings"
        assert [surface["surface"] for surface in report["surfaces"]] == list(SURFACES)
        assert all(surface["cases"]["exhaustive"] == 0 for surface in report["surfaces"])

    def test_a_fault_is_shrunk_like_any_divergence(self) -> None:
        program = Program("dies", (sys.executable, "-I", "-c", DIES), Limits(fault_seconds=3600))
        heard = _Heard()
        unit = Unit("reward_files", "generated", 0, examples=100, seed=1)
        search(unit, Judge(program, ORACLE), heard)
        [found] = [
            each for each in heard.findings if each.fingerprint == "reward_files outcome program crashed ≠ a value"
        ]
        assert found.case.input == {"reward.txt": {"bytes": "0"}, "reward.json": None}
        assert "AssertionError: a number" in found.a["fault"]["stderr"]

    def test_what_was_asked_for_and_what_is_offered(self, tmp_path: Path) -> None:
        done = parity("check", "--recorded", "--", *SHELL, cwd=tmp_path)
        assert "naive-shell: sh " in done.stdout
        assert "not offered, so not compared: metric, pass_at_k" in done.stdout
        refused = parity("check", "--surface", "metric", "--", *SHELL, cwd=tmp_path)
        assert refused.returncode == 2
        assert "naive-shell does not offer metric: it offers reward_files" in refused.stderr


# It dies of a reward.txt that holds a digit, and of nothing else.
DIES = """
import json, sys
for request in map(json.loads, sys.stdin):
    if request["cmd"] == "start":
        answer = {"version": 1, "implementation": {"name": "dies"}, "surfaces": ["reward_files"]}
    else:
        text = (request["input"]["reward.txt"] or {}).get("bytes", "")
        assert request["input"]["reward.json"] or not any(each in "0123456789" for each in text), "a number"
        answer = {"seq": request["seq"], "error": {"type": "RewardFileNotFoundError"}}
    print(json.dumps(answer), flush=True)
"""


class _Heard:
    """Keeps what a search tells."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []

    def moved(self, surface: str, cases: int) -> None:
        """Hear of progress."""

    def found(self, finding: Finding) -> None:
        """Hear of a divergence."""
        self.findings.append(finding)


class TestExamples:
    """What the check finds in the examples is what docs/check.md says."""

    def test_python(self, tmp_path: Path) -> None:
        code, report = checked(tmp_path, "--recorded", "--", *PYTHON)
        assert code == 1
        assert {
            "reward_files value[*] bool ≠ float",
            "reward_files value[*] str ≠ float",
            "reward_files outcome a value ≠ IsADirectoryError",
            "reward_files outcome program crashed ≠ RecursionError",
            "reward_files error.type RewardFileEmptyError ≠ VerifierOutputParseError",
        } <= fingerprints(report)

    def test_shell(self, tmp_path: Path) -> None:
        code, report = checked(tmp_path, "--recorded", "--", *SHELL)
        assert code == 1
        assert {
            "reward_files value[*] float differs",
            "reward_files outcome VerifierOutputParseError ≠ a value",
            "reward_files outcome program answered nonsense (a bare number) ≠ VerifierOutputParseError",
        } <= fingerprints(report)


class TestFunctions:
    """A Python function needs no wire."""

    def test_it_is_compared(self, tmp_path: Path) -> None:
        (tmp_path / "mine.py").write_text("def run(surface, input): return {'value': None}\n")
        code, report = checked(tmp_path, "--python", "mine:run", "--surface", "min_reward", "--recorded")
        assert code == 1
        assert report["a"] == "mine:run"
        assert "min_reward value null ≠ str" in fingerprints(report)


class TestLevels:
    """At a lower level less counts, and the report says so."""

    def test_each_finds_less_than_the_one_above(self, tmp_path: Path) -> None:
        found = {}
        for level in ("exact", "values", "verdict"):
            code, report = checked(tmp_path, "--recorded", f"--{level}", "--", *PYTHON)
            assert (code, report["level"]) == (1, level)
            found[level] = fingerprints(report)
        assert "reward_files error.message only one side has this str" in found["exact"] - found["values"]
        bad = "reward_files error.type RewardFileEmptyError ≠ VerifierOutputParseError"
        assert bad in found["values"] - found["verdict"]
        assert len(found["exact"]) > len(found["values"]) > len(found["verdict"]) > 0

    def test_the_search_is_at_the_level_too(self, tmp_path: Path) -> None:
        (tmp_path / "mine.py").write_text("def run(surface, input): return {'error': {'type': 'E', 'message': ''}}\n")
        mine = ("--python", "mine:run", "--surface", "min_reward", "--examples", "20")
        code, report = checked(tmp_path, "--verdict", *mine)
        assert code == 1
        assert fingerprints(report) == {"min_reward outcome an error ≠ a value"}

    def test_it_is_told(self, tmp_path: Path) -> None:
        files = ("--markdown", "r.md", "--html", "r.html")
        done = parity("check", "--recorded", "--verdict", *files, "--", *PYTHON, cwd=tmp_path)
        assert "level: verdict" in done.stdout
        assert "at the level `verdict`" in (tmp_path / "r.md").read_text()
        assert "<dt>level</dt><dd>verdict</dd>" in (tmp_path / "r.html").read_text()


class TestSkipped:
    """What a program does not answer is no divergence, and is told with its reason."""

    def test_it_is_told_and_counted(self, tmp_path: Path) -> None:
        (tmp_path / "shy.py").write_text(SHY)
        code, report = checked(tmp_path, "--recorded", "--", sys.executable, str(tmp_path / "shy.py"))
        assert code == 0
        [surface] = report["surfaces"]
        assert surface["skipped"] == {"not today": surface["cases"]["corpus"]}
        done = parity("check", "--recorded", "--", sys.executable, str(tmp_path / "shy.py"), cwd=tmp_path)
        assert f"skipped: min_reward: {surface['cases']['corpus']} cases: not today" in done.stdout


class TestKnown:
    """A known divergence does not fail a check."""

    def test_all_known(self, tmp_path: Path) -> None:
        _, report = checked(tmp_path, "--recorded", "--", *PYTHON)
        told = parity("known", "update", "report.json", "--reason", "Ours.", "--known", "ours.toml", cwd=tmp_path)
        assert told.returncode == 0
        code, again = checked(tmp_path, "--recorded", "--known", "ours.toml", "--", *PYTHON)
        assert code == 0
        assert fingerprints(again) == fingerprints(report)

    def test_all_but_one_known(self, tmp_path: Path) -> None:
        checked(tmp_path, "--recorded", "--", *PYTHON)
        parity("known", "update", "report.json", "--reason", "Ours.", "--known", "ours.toml", cwd=tmp_path)
        first, *others = read(tmp_path / "ours.toml")
        write(tmp_path / "ours.toml", others)
        code, again = checked(tmp_path, "--recorded", "--known", "ours.toml", "--", *PYTHON)
        assert code == 1
        blamed = [each for surface in again["surfaces"] for each in surface["divergences"] if not each["remark"]]
        assert [each["fingerprint"] for each in blamed] == [first.fingerprint]

    def test_a_replay_cannot_tell_what_a_search_would_find(self, tmp_path: Path) -> None:
        checked(tmp_path, "--recorded", "--surface", "reward_files", "--", *PYTHON)
        entry = Known("reward_files value[*] number differs", "Ours.", date(2026, 1, 1))
        write(tmp_path / "ours.toml", [entry])
        refused = parity("known", "update", "report.json", "--reason", "New.", "--known", "ours.toml", cwd=tmp_path)
        assert refused.returncode == 2
        assert "it replayed the corpus alone" in refused.stderr
        assert read(tmp_path / "ours.toml") == [entry]


class TestRefusals:
    """What cannot be compared is told in one line, with exit code 2."""

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            ([], "what is to be checked?"),
            (["--python", "a:b", "--", "cat"], "what is to be checked?"),
            (["--python", "json:loads"], "which surface does the function answer?"),
            (["--python", "no.such:thing", "--surface", "metric"], "is no function"),
            (["--", "no-such-command"], "cannot be started"),
            (["--", "echo", "hello"], "its first line of output is not JSON"),
            (["--surface", "metrics", "--", *SHELL], "did you mean metric?"),
            (["--exact", "--verdict", "--", *SHELL], "one level at a time, not --exact and --verdict"),
            (["--json", "/no/such/folder/r.json", "--recorded", "--", *SHELL], "/no/such/folder"),
        ],
    )
    def test_refused(self, arguments: list[str], words: str, tmp_path: Path) -> None:
        done = parity("check", *arguments, cwd=tmp_path)
        assert done.returncode == 2, done.stdout
        assert words in done.stderr
        assert len(done.stderr.splitlines()) == 1
