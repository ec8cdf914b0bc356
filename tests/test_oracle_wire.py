"""`python -m oracle` speaks the wire of docs/protocol.md, on whatever release of harbor it finds."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any

import pytest

from oracle import door, offer
from oracle.door import SURFACES
from oracle.release import AbsentError
from parity import corpus
from parity.codec import Record, encode
from parity.judge import diverging
from parity.surfaces import LIVE
from tests.cli import ROOT

START = {"cmd": "start", "version": 1}
MEAN = {"metric": "mean", "rewards": [{"dict": [["reward", {"int": "1"}]]}, None]}
RUN_MEAN = {"cmd": "run", "seq": 1, "surface": "metric", "input": MEAN}
MEAN_ANSWER = {"seq": 1, "value": {"dict": [["mean", {"float": "0.5"}]]}}


@dataclass(frozen=True)
class Worker:
    """A way to run the oracle: with what on its path, and where its case directories are."""

    path: Path
    environment: dict[str, str] = field(default_factory=dict)

    def __call__(self, requests: str, *options: str) -> subprocess.CompletedProcess[str]:
        """Give it the requests and wait for its end."""
        return subprocess.run(
            [sys.executable, *options, "-m", "oracle"],
            input=requests,
            cwd=self.path,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
            timeout=600,
            env={**os.environ, "PYTHONPATH": str(self.path), **self.environment},
        )

    def conversation(self, *requests: dict[str, Any]) -> list[dict[str, Any]]:
        """Give it the requests and return its answers."""
        done = self("".join(json.dumps(request) + "\n" for request in requests))
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture
def alone(tmp_path: Path) -> Worker:
    """A path on which nothing of ours is but the oracle, as in the environment of another release."""
    shutil.copytree(ROOT / "oracle", tmp_path / "oracle")
    return Worker(tmp_path)


Change = Callable[[Path], None]


@pytest.fixture
def release(alone: Worker) -> Callable[[Change], Worker]:
    """Make a release of harbor that differs from the installed one."""

    def make(change: Change) -> Worker:
        spec = find_spec("harbor")
        assert spec is not None
        assert spec.origin is not None
        harbor = alone.path / "harbor"
        shutil.copytree(Path(spec.origin).parent, harbor, ignore=shutil.ignore_patterns("viewer"))
        change(harbor)
        return alone

    return make


def replaced(file: str, old: str, new: str) -> Change:
    """Change the only place in a file where this text stands."""

    def change(harbor: Path) -> None:
        text = (harbor / file).read_text()
        assert text.count(old) == 1
        (harbor / file).write_text(text.replace(old, new))

    return change


class TestConversation:
    """Handshake, answers in order with their `seq`, and an end."""

    def test_the_handshake_names_release_and_surfaces(self, alone: Worker) -> None:
        [hello] = alone.conversation(START)
        assert hello.pop("pydantic").count(".") == 2
        assert hello == {
            "version": 1,
            "implementation": {"name": "harbor", "version": "0.13.1", "language": "python"},
            "surfaces": list(SURFACES),
            "absent": {},
            "python": sys.version.split()[0],
        }

    def test_the_corpus_is_answered_as_recorded(self, alone: Worker) -> None:
        entries = [entry for entry in corpus.entries([corpus.folder()]) if entry.case.surface in LIVE]
        cases = [
            {"cmd": "run", "seq": seq, "surface": entry.case.surface, "input": entry.case.input}
            for seq, entry in enumerate(entries)
        ]
        hello, *answers = alone.conversation(START, *cases, {"cmd": "stop"})
        assert [answer.pop("seq") for answer in answers] == list(range(len(entries)))
        known = [
            (entry, answer)
            for entry, answer in zip(entries, answers, strict=True)
            if entry.case.surface in hello["surfaces"]
        ]
        assert [entry.case for entry, answer in known if diverging(entry.case, entry.expect, answer)] == []

    def test_stop_ends_it_before_the_requests_end(self, alone: Worker) -> None:
        assert alone.conversation(START, RUN_MEAN, {"cmd": "stop"}, RUN_MEAN)[1:] == [MEAN_ANSWER]

    def test_what_cannot_be_run_is_skipped_with_the_reason(self, alone: Worker) -> None:
        _, *answers, last = alone.conversation(
            START,
            {"cmd": "run", "seq": 5, "surface": "nothing", "input": {}},
            {"cmd": "run", "seq": 6, "surface": "metric", "input": {"metric": "mean", "rewards": [1]}},
            {"cmd": "run", "seq": 7, "surface": "pass_at_k", "input": {"trials": [{"task": "t"}]}},
            RUN_MEAN,
        )
        assert [(answer["seq"], set(answer)) for answer in answers] == [(n, {"seq", "skipped"}) for n in (5, 6, 7)]
        told = [answer["skipped"] for answer in answers]
        assert told[0] == "unknown surface 'nothing'"
        assert "bare number" in told[1]
        assert "KeyError" in told[2]
        assert last == MEAN_ANSWER

    def test_an_answer_is_sent_once_no_request_waits(self, alone: Worker) -> None:
        """The other side may wait for each answer, or send many requests at once."""
        environment = {**os.environ, "PYTHONPATH": str(alone.path)}
        command = [sys.executable, "-m", "oracle"]
        with subprocess.Popen(command, stdin=-1, stdout=-1, cwd=alone.path, env=environment) as worker:
            assert worker.stdin is not None
            assert worker.stdout is not None
            assert asked(worker.stdin, worker.stdout, START)["version"] == 1
            assert asked(worker.stdin, worker.stdout, RUN_MEAN) == MEAN_ANSWER
            worker.stdin.write((json.dumps(RUN_MEAN) + "\n").encode() * 200)
            worker.stdin.flush()
            assert [json.loads(worker.stdout.readline()) for _ in range(200)] == [MEAN_ANSWER] * 200
            line = json.dumps(RUN_MEAN).encode() + b"\n"
            for piece in (line[:40], line[40:]):  # a request may come in pieces
                worker.stdin.write(piece)
                worker.stdin.flush()
            assert json.loads(worker.stdout.readline()) == MEAN_ANSWER
        assert worker.returncode == 0

    @pytest.mark.parametrize(
        ("line", "message"),
        [
            ('{"cmd": "start", "version": 2}', "this speaks version 1 of the protocol, not 2"),
            ("{", "a request is one JSON object a line, and this is not JSON"),
            ('{"cmd": "go"}', "a request is an object whose 'cmd' is start, run or stop"),
        ],
    )
    def test_what_is_no_request_ends_it_in_one_line(self, alone: Worker, line: str, message: str) -> None:
        done = alone(line + "\n")
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith(message)
        assert done.stderr.count("\n") == 1


def asked(requests: IO[bytes], answers: IO[bytes], request: dict[str, Any]) -> dict[str, Any]:
    requests.write(json.dumps(request).encode() + b"\n")
    requests.flush()
    answer: dict[str, Any] = json.loads(answers.readline())
    return answer


class TestSurroundings:
    """Nothing but answers goes out, and nothing is told to anyone else."""

    def test_what_harbor_prints_is_no_answer(self, release: Callable[[Change], Worker]) -> None:
        def chatty(harbor: Path) -> None:
            with (harbor / "metrics" / "mean.py").open("a") as file:
                file.write(
                    "\nimport os, sys\nprint('printed'); os.write(1, b'written\\n'); os.system('echo shouted')\n"
                )
                file.write("assert sys.stdin.read() == ''\n")

        done = release(chatty)(json.dumps(START) + "\n" + json.dumps(RUN_MEAN) + "\n")
        assert [json.loads(line) for line in done.stdout.splitlines()][1:] == [MEAN_ANSWER]
        assert {"printed", "written", "shouted"} <= set(done.stderr.split())

    def test_telemetry_is_off_even_where_it_was_switched_on(self) -> None:
        """Harbor reports finished jobs from 0.19.0 on, unless this variable is one of 0, false, no, off, disabled."""
        telemetry = subprocess.run(
            [sys.executable, "-c", "import oracle, os; print(os.environ['HARBOR_TELEMETRY'])"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "HARBOR_TELEMETRY": "1"},
        )
        assert telemetry.stdout == "0\n"

    def test_without_harbor_it_says_so_in_one_line(self, alone: Worker) -> None:
        done = alone(json.dumps(START) + "\n", "-S")  # no site-packages
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == "harbor cannot be imported: No module named 'harbor'\n"

    def test_a_broken_environment_is_not_taken_for_a_release(self, release: Callable[[Change], Worker]) -> None:
        broken = release(replaced("metrics/base.py", "from abc", "import left_out\nfrom abc"))
        done = broken(json.dumps(START) + "\n")
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == "a part of harbor cannot be imported: No module named 'left_out'\n"


def without(name: str) -> Change:
    return lambda harbor: (harbor / name).unlink()


# A whole job needs what any other surface needs.
WHOLE = {"job_run"}


class TestOtherReleases:
    """A surface that a release lacks, or keeps where the oracle cannot reach it, is told and costs no other surface."""

    def absent(self, worker: Worker, *surfaces: str) -> list[str]:
        """Give the reasons for which exactly these surfaces are absent."""
        hello, answer = worker.conversation(START, RUN_MEAN)
        assert sorted([*hello["surfaces"], *hello["absent"]]) == sorted(SURFACES)
        assert set(hello["absent"]) - WHOLE == set(surfaces)
        assert answer == MEAN_ANSWER
        return [hello["absent"][surface] for surface in surfaces]

    def test_a_module_that_does_not_exist(self, release: Callable[[Change], Worker]) -> None:
        worker = release(without("utils/pass_at_k.py"))
        reason = "harbor.utils.pass_at_k does not exist in this release"
        case = {"cmd": "run", "seq": 1, "surface": "pass_at_k", "input": {"trials": []}}
        hello, answer, _ = worker.conversation(START, case, RUN_MEAN)
        assert answer == {"seq": 1, "skipped": reason}
        assert hello["absent"]["pass_at_k"] == reason
        assert hello["absent"]["job_result"] == reason  # a job computes it

    def test_a_name_that_does_not_exist(self, release: Callable[[Change], Worker]) -> None:
        worker = release(replaced("trial/multi_step.py", "    def _min_reward_failure(", "    def _renamed("))
        [reason] = self.absent(worker, "min_reward")
        assert reason == "harbor.trial.trial has no _min_reward_failure in this release"

    def test_something_new_that_harbor_asks_for(self, release: Callable[[Change], Worker]) -> None:
        """The exception that tells it is wrapped by harbor, and must not be taken for an outcome."""
        worker = release(
            replaced(
                "verifier/verifier.py", "await self.environment.upload_dir(", "await self.environment.upload_tree("
            )
        )
        [reason] = self.absent(worker, "reward_files")
        assert reason == "harbor asks for Environment.upload_tree, which the oracle does not stand in for"

    def test_something_new_that_harbor_insists_on(self, release: Callable[[Change], Worker]) -> None:
        worker = release(
            replaced("models/trial/result.py", "    task_checksum: str\n", "    task_checksum: str\n    seed: int\n")
        )
        reasons = self.absent(worker, "pass_at_k", "job_stats", "job_result")
        missing = "{'type': 'ValidationError', 'details': [{'loc': ['seed'], 'type': 'missing'}]}"
        assert set(reasons) == {f"this release answers even the plainest case with {missing}"}

    def test_a_test_script_that_is_run_in_another_way(self, release: Callable[[Change], Worker]) -> None:
        """Without it no case would have reward files, and every case the same outcome."""
        worker = release(replaced("utils/scripts.py", "        cmd = script_piece\n", '        cmd = "run-tests"\n'))
        [reason] = self.absent(worker, "reward_files")
        assert reason == "the verifier runs no /tests/test.sh in this release"

    def test_functions_in_place_of_a_class(self, release: Callable[[Change], Worker]) -> None:
        """So it was up to 0.7.0."""

        def older(harbor: Path) -> None:
            (harbor / "trial" / "multi_step.py").unlink()
            with (harbor / "trial" / "trial.py").open("a") as file:
                file.write("def _select_multi_step_reward(step_results, strategy):\n")
                file.write("    return step_results[-1].verifier_result if strategy == 'final' else None\n")
                file.write("def _min_reward_failure(rewards, min_reward):\n    return f'{rewards} {min_reward}'\n")

        steps = [{"verified": True, "rewards": {"dict": [["a", {"int": "1"}]]}}]
        _, first, second, third = release(older).conversation(
            START,
            {"cmd": "run", "seq": 1, "surface": "multi_step", "input": {"strategy": "final", "steps": steps}},
            {"cmd": "run", "seq": 2, "surface": "multi_step", "input": {"strategy": None, "steps": steps}},
            {"cmd": "run", "seq": 3, "surface": "min_reward", "input": {"rewards": None, "min_reward": {"int": "1"}}},
        )
        assert first["value"] == {"verified": True, "rewards": {"dict": [["a", {"int": "1"}]]}}
        assert second["value"] == {"verified": False, "rewards": None}
        assert third["value"] == "None 1.0"

    def test_a_step_that_a_release_cannot_take_is_skipped(self, release: Callable[[Change], Worker]) -> None:
        worker = release(replaced("models/job/result.py", "    def remove_trial(", "    def _renamed("))
        added = Record(op="add", trial=Record({**offer._TRIAL, "tokens": None}))
        removed = Record(op="remove", trial=0)
        inputs = [Record(n_total_trials=None, n_retries=0, steps=steps) for steps in ([added], [added, removed])]
        _, first, second = worker.conversation(
            START, *({"cmd": "run", "seq": 1, "surface": "job_stats", "input": encode(input)} for input in inputs)
        )
        assert "value" in first
        assert second["skipped"] == "harbor.models.job.result has no JobStats.remove_trial in this release"


def test_every_surface_has_a_plain_case() -> None:
    """Without one, code that the oracle does not reach would pass for changed answers."""
    for surface in SURFACES:
        assert offer._PLAIN[surface]
        for case in offer._PLAIN[surface]:
            assert "value" in door.run(surface, case)


def test_an_absence_is_no_outcome(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrapped(_: Any) -> None:
        raise RuntimeError("harbor wraps it") from AbsentError("not here")

    monkeypatch.setattr(door, "_surface", lambda _: wrapped)
    with pytest.raises(AbsentError, match="not here"):
        door.run("metric", {})
