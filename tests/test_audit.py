"""`parity audit` says which figures of a job directory follow from its trials."""

from __future__ import annotations

import errno
import json
import math
import os
import random
import shutil
import stat
from collections.abc import Callable, Iterator, Mapping
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from oracle import job_run
from oracle.job_run.layout import Layout
from parity.audit import Audit, NoJobError, Verdict, audit_job
from parity.audit.reach import Mean, Number, Reach, is_same_in_every_order, plain_sum, reach
from reimpl.summation import total
from tests.cli import parity

Job = Mapping[str, Any]


def text(reward: str) -> list[dict[str, Any]]:
    return [{"reward.txt": reward.encode()}]


def document(rewards: str) -> list[dict[str, Any]]:
    return [{"reward.json": rewards.encode()}]


TENTHS = [text("0.1"), text("0.2"), text("0.3"), text("0.7")]
JOBS: dict[str, Job] = {
    "several agents and metrics": {
        "tasks": [{"name": "t", "plays": TENTHS}, {"name": "u", "plays": [text("1"), text("0")]}],
        "agents": [{"name": "a", "model": "p/m"}, {"name": "b"}],
        "metrics": ["mean", "max", "min", "sum"],
        "n_attempts": 4,
    },
    "pass@k, tokens and errors": {
        "datasets": [
            {
                "name": "bench",
                "tasks": [
                    {"name": "x", "plays": [text("1"), text("0"), text("0")]},
                    {
                        "name": "y",
                        "plays": [
                            [
                                {
                                    "agent": "AgentTimeoutError",
                                    "reward.txt": b"1",
                                    "tokens": {"input": 3, "cost_usd": 0.1},
                                }
                            ],
                            [{"agent": "RuntimeError: no", "tokens": {"output": 2, "cost_usd": 0.7}}],
                        ],
                    },
                ],
            }
        ],
        "n_attempts": 5,
    },
    "steps": {
        "tasks": [
            {
                "name": "mean",
                "steps": [{"name": "one", "min_reward": 0.2}, {"name": "two"}],
                "plays": [[{"steps": [document('{"a": 1, "b": 0.3}')[0], document('{"a": 0.1, "b": 0.7}')[0]]}]],
            },
            {
                "name": "final",
                "strategy": "final",
                "steps": [{"name": "one"}, {"name": "two"}],
                "plays": [[{"steps": [text("nan")[0], text("0.25")[0]]}]],
            },
        ],
        "n_attempts": 2,
    },
    "reward files that cannot be read": {
        "tasks": [
            {
                "name": "t",
                "plays": [[{"reward.txt": None}], *map(document, ("[", '{"a": "x"}', "null", "{}")), text("")],
            }
        ],
        "n_attempts": 6,
    },
    "nan and the infinities": {
        "tasks": [{"name": "t", "plays": [text("nan"), text("inf"), text("1"), text("nan")]}],
        "metrics": ["mean", "max", "min"],
        "n_attempts": 4,
    },
    "odd rewards": {
        "tasks": [{"name": "t", "plays": [document('{"\\ud800": 1, "b": true}'), document('{"a": -0.0, "b": 1e-7}')]}],
        "n_attempts": 2,
    },
    "metrics of a registry": {
        "datasets": [
            {"name": "reg", "registry": True, "metrics": ["max", "sum"], "tasks": [{"name": "x", "plays": TENTHS}]},
            {"name": "lo__cal", "tasks": [{"name": "z", "plays": TENTHS}]},
        ],
        "n_attempts": 4,
    },
    "retries": {
        "tasks": [{"name": "t", "plays": [[{"agent": "OSError: x"}, text("0.4")[0]]]}, {"name": "u"}],
        "retry": {"max_retries": 2},
    },
    "no trials": {"tasks": [{"name": "t"}], "n_attempts": 0},
    "cancelled": {
        "tasks": [{"name": "t", "plays": TENTHS}, {"name": "c", "plays": [[{"agent": "CancelledError: stop"}]]}],
        "n_attempts": 2,
    },
    "crashed": {
        "tasks": [{"name": "t"}, {"name": "u", "plays": [document(f'{{"reward": 1{"0" * 400}}}')]}, {"name": "v"}]
    },
    "killed": {"tasks": [{"name": "t", "plays": TENTHS}], "n_attempts": 4, "resume": [{"after": 2}, {"after": 0}]},
    "resumed": {
        "tasks": [{"name": "t", "plays": TENTHS}, {"name": "u", "plays": [text("0.9")]}],
        "n_attempts": 4,
        "resume": [{"after": 3, "by": "cancel", "order": [2, 0, 1]}],
    },
}

Run = Callable[[Job], Path]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Let harbor run a declared job, and keep its directory."""

    def run(job: Job) -> Path:
        root = tmp_path / "case"
        root.mkdir()
        layout = Layout(os.path.realpath(root), job)
        for number, each in enumerate(job_run._runs(job)):
            job_run._run(layout, number, *each)
        return Path(layout.job_directory)

    return run


@pytest.fixture
def job(run: Run) -> Path:
    """Give a job of eight trials, four rewards and three metrics."""
    return run({**JOBS["several agents and metrics"], "agents": [{"name": "a"}], "metrics": ["mean", "max", "sum"]})


def change(path: Path, *place: str | int, to: Any) -> None:
    """Change one value in a JSON file."""
    whole = json.loads(path.read_text())
    inner = whole
    for name in place[:-1]:
        inner = inner[name]
    inner[place[-1]] = to(inner[place[-1]]) if callable(to) else to
    path.write_text(json.dumps(whole, indent=4))


def failed(found: Audit) -> set[str]:
    return {figure.path for figure in found.failed}


def kinds(found: Audit) -> set[tuple[str, str]]:
    return {(problem.trial, problem.kind) for problem in found.problems}


class TestJobsOfHarbor:
    """What harbor wrote follows from its trials."""

    @pytest.mark.parametrize("name", JOBS)
    def test_follows(self, run: Run, name: str) -> None:
        found = audit_job(run(JOBS[name]))
        assert (found.failed, found.problems) == ([], [])
        assert found.release == "0.13.1"
        assert found.state == ("not finished" if name in {"cancelled", "crashed"} else "finished")
        assert len(found.figures) > 10

    def test_the_order_of_the_plan(self, job: Path) -> None:
        found = audit_job(job)
        assert (found.order, found.order_recovered) == ("the plan in lock.json", True)

    def test_an_order_that_no_file_tells(self, run: Run) -> None:
        """The case decided how the directory was listed, so the lists alone tell what came first."""
        found = audit_job(run(JOBS["resumed"]))
        assert not found.order_recovered

    def test_without_plan_and_settings(self, job: Path) -> None:
        (job / "lock.json").unlink()
        (job / "config.json").unlink()
        found = audit_job(job)
        assert found.follows
        assert found.release is None
        assert {"there is no lock.json", "there is no config.json"} <= set(found.remarks)

    def test_another_release_may_have_other_fields(self, job: Path) -> None:
        change(job / "lock.json", "harbor", "version", to="1.2.3")
        change(job / "result.json", "stats", to=lambda stats: {**stats, "n_dreamt": 1})
        found = audit_job(job)
        assert (found.follows, found.release) == (True, "1.2.3")
        assert any("stats.n_dreamt" in remark for remark in found.remarks)

    def test_a_script_is_not_run(self, job: Path) -> None:
        change(job / "config.json", "metrics", 0, "type", to="uv-script")
        [figure] = [figure for figure in audit_job(job).figures if figure.path.endswith("metrics[0]")]
        assert figure.verdict is Verdict.NOT_JUDGED


class TestTampered:
    """What was changed is found, and named."""

    def test_a_reward_in_the_trial(self, job: Path) -> None:
        change(job / "u__0000001" / "result.json", "verifier_result", "rewards", "reward", to=0.0)
        found = audit_job(job)
        assert kinds(found) == {("u__0000001", "changed")}
        group = "stats.evals.a__adhoc"
        assert failed(found) == {
            f"{group}.metrics[0].mean",
            f"{group}.metrics[2].sum",
            f"{group}.reward_stats.reward",
            "outcome",
        }

    def test_a_reward_file(self, job: Path) -> None:
        (job / "u__0000001" / "verifier" / "reward.txt").write_text("0.99")
        found = audit_job(job)
        assert (failed(found), kinds(found)) == (set(), {("u__0000001", "changed")})

    def test_a_reward_file_that_is_gone(self, job: Path) -> None:
        (job / "u__0000001" / "verifier" / "reward.txt").unlink()
        assert kinds(audit_job(job)) == {("u__0000001", "changed")}

    def test_the_last_digit_of_a_metric(self, job: Path) -> None:
        place = ("stats", "evals", "a__adhoc", "metrics", 0, "mean")
        change(job / "result.json", *place, to=lambda mean: math.nextafter(mean, 2))
        found = audit_job(job)
        # Here the score, which is made of several metrics, is rounded to the same.
        assert failed(found) == {"stats.evals.a__adhoc.metrics[0].mean"}
        assert found.problems == []

    def test_a_removed_trial(self, job: Path) -> None:
        shutil.rmtree(job / "t__0000002")
        found = audit_job(job)
        assert kinds(found) == {("t__0000002", "missing")}
        assert "stats.n_completed_trials" in failed(found)

    def test_a_removed_trial_that_no_list_names(self, run: Run) -> None:
        job = run(JOBS["reward files that cannot be read"])
        shutil.rmtree(job / "t__0000003")
        found = audit_job(job)
        assert kinds(found) == {("", "missing")}
        assert failed(found) == {"stats.n_completed_trials", "stats.n_pending_trials"}

    def test_a_trial_without_a_result(self, job: Path) -> None:
        (job / "t__0000002" / "result.json").unlink()
        assert kinds(audit_job(job)) == {("t__0000002", "missing")}

    def test_an_extra_trial(self, job: Path) -> None:
        shutil.copytree(job / "t__0000000", job / "t__0000009")
        assert kinds(audit_job(job)) == {("t__0000009", "extra")}
        change(job / "t__0000009" / "result.json", "trial_name", to="t__0000009")
        found = audit_job(job)
        assert (kinds(found), failed(found)) == ({("t__0000009", "extra")}, set())

    def test_steps_that_give_another_reward(self, run: Run) -> None:
        job = run(JOBS["steps"])
        change(job / "final__0000001" / "result.json", "verifier_result", "rewards", "reward", to=0.5)
        assert ("final__0000001", "changed") in kinds(audit_job(job))

    @pytest.mark.parametrize("name", ["several agents and metrics", "pass@k, tokens and errors", "resumed"])
    def test_every_number_and_every_name(self, run: Run, name: str) -> None:
        job = run(JOBS[name])
        result = job / "result.json"
        content = result.read_bytes()
        for place, value in leaves(json.loads(content)):
            if place[-1] == "id" or str(place[-1]).endswith("_at"):
                continue
            change(result, *place, to=altered(value))
            assert not audit_job(job).follows, place
            result.write_bytes(content)
        assert audit_job(job).follows


def leaves(value: Any, place: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    if isinstance(value, (dict, list)):
        for name, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(item, (*place, name))
    else:
        yield place, value


def altered(value: Any) -> Any:
    if isinstance(value, str):
        return f"{value}x"
    return math.nextafter(value, math.inf) if isinstance(value, float) else (value or 0) + 1


class TestOrders:
    """Where the order is not known, the bits of a sum decide."""

    @pytest.mark.parametrize("seed", range(200))
    def test_a_proof_holds_in_every_order(self, seed: int) -> None:
        chance = random.Random(seed)  # noqa: S311
        kinds: list[Callable[[], Number]] = [
            lambda: chance.choice([0.0, 0.5, 1.0, 0]),
            lambda: chance.choice([0.1, 0.2, 0.7, 0]),
            chance.random,
            lambda: chance.choice([1e16, -1e16, 1.0, 0.1]),
            lambda: chance.choice([1e16, 1, 3, -1e16, 0.1]),
            lambda: chance.choice([5e-324, 1e308, -1e308, 2**70, math.inf]),
        ]
        values = [chance.choice(kinds[seed % 6 :])() for _ in range(chance.randint(1, 6))]
        for fold in (total, plain_sum):
            if is_same_in_every_order(values, compensated=fold is total):
                sums = {json_text(fold, order) for order in permutations(values)}
                assert len(sums) == 1, values

    @pytest.mark.parametrize(
        ("values", "recorded", "expected"),
        [
            ([1e16, 1, -1e16], 0.0, Reach.SOME),
            ([1e16, 1, -1e16], 1 / 3, Reach.SOME),
            ([1e16, 1, -1e16], 1.0, Reach.NONE),
            ([0.1] * 30 + [3] * 3, 0.3636363636363637, Reach.SOME),
            ([0.1] * 30 + [3] * 3, 0.36363636363636376, Reach.NONE),
            ([0.1] * 30 + [3] * 3, 0.5, Reach.NONE),
            ([0.3 * 10**n for n in range(20)] + [3, 5], 1e18, Reach.NONE),
        ],
    )
    def test_any_order(self, values: list[Number], recorded: float, expected: Reach) -> None:
        found = reach(values, Mean(len(values)), lambda value: value == recorded, recorded)
        assert found is expected

    def test_a_search_that_ends_undecided(self) -> None:
        values = [0.1 * number for number in range(1, 40)] + [3] * 10
        near = math.nextafter(math.nextafter(sum(values), 0), 0)
        assert reach(values, total, lambda _: False, near) is Reach.UNKNOWN

    def test_figures_that_depend_on_an_unknown_order(self, run: Run) -> None:
        """Equal values leave open what came between them, and a resumed run may have found them anyhow."""
        plays = [document(f'{{"reward": {value}}}') for value in ("1e16", "1", "-1e16", "1e16", "1", "-1e16")]
        job = run({"tasks": [{"name": "t", "plays": plays}], "n_attempts": 6})
        mean = ("stats", "evals", "agent__adhoc", "metrics", 0, "mean")
        recorded = audit_job(job)
        assert recorded.follows
        (job / "lock.json").unlink()
        for trial in job.glob("*/result.json"):
            change(trial, "started_at", to=None)
            change(trial, "finished_at", to=None)
        # The names are drawn by lot, and the order of the directory, which is one of those it may have been, with them.
        told = {
            (Verdict.FOLLOWS, "it depends on the order of the trials, and this one gives it"),
            (Verdict.SOME_ORDER, "some order gives it"),
        }
        change(job / "result.json", *mean[:3], "reward_stats", "reward", "-1e+16", to=lambda names: names[::-1])
        [figure] = [figure for figure in audit_job(job).figures if figure.path.endswith("metrics[0].mean")]
        assert (figure.verdict, figure.note) in told
        change(job / "result.json", *mean, to=1 / 3)
        [figure] = [figure for figure in audit_job(job).figures if figure.path.endswith("metrics[0].mean")]
        assert (figure.verdict, figure.note) in told
        change(job / "result.json", *mean, to=0.125)
        assert "stats.evals.agent__adhoc.metrics[0].mean" in failed(audit_job(job))


def json_text(fold: Callable[[Any], Number], values: tuple[Number, ...]) -> str:
    """Spell a sum as a file has it."""
    try:
        value = fold(values)
    except OverflowError as error:
        return str(error)
    return "null" if isinstance(value, float) and not math.isfinite(value) else repr(value)


class TestHostile:
    """No directory makes the audit hang, follow a link, fill memory or fall."""

    @pytest.mark.parametrize("name", ["result.json", "config.json", "lock.json", "t__0000000/result.json"])
    @pytest.mark.parametrize("what", ["pipe", "link", "folder", "huge", "deep", "bytes", "list", "truncated"])
    def test_a_document(self, job: Path, tmp_path: Path, name: str, what: str) -> None:
        path = job / name
        (tmp_path / "outside.json").write_bytes(path.read_bytes())
        path.unlink()
        spoil(path, what, tmp_path / "outside.json")
        found = audit_job(job)
        if "result" in name:
            assert any(problem.kind == "malformed" for problem in found.problems)
        else:
            assert any(remark.startswith(name) for remark in found.remarks)

    @pytest.mark.parametrize("what", ["pipe", "folder", "huge", "deep", "bytes", "list", "truncated"])
    def test_a_reward_file(self, job: Path, tmp_path: Path, what: str) -> None:
        path = job / "t__0000000" / "verifier" / "reward.txt"
        path.unlink()
        spoil(path, what, tmp_path)
        assert kinds(audit_job(job)) == {("t__0000000", "changed")}

    def test_links_are_not_followed(self, job: Path, tmp_path: Path) -> None:
        outside = tmp_path / "outside"
        shutil.copytree(job / "t__0000000", outside)
        shutil.rmtree(job / "t__0000000")
        (job / "t__0000000").symlink_to(outside)
        reward = job / "u__0000001" / "verifier" / "reward.txt"
        reward.unlink()
        reward.symlink_to("/etc/passwd")
        found = audit_job(job)
        assert ("t__0000000", "missing") in kinds(found)
        assert any("u__0000001: a link stands for the reward file" in remark for remark in found.remarks)

    def test_the_name_of_a_step_leads_nowhere(self, run: Run) -> None:
        job = run(JOBS["steps"])
        trial = job / "final__0000001" / "result.json"
        change(trial, "step_results", 0, "step_name", to="../../mean__0000000")
        assert ("final__0000001", "changed") in kinds(audit_job(job))

    def test_a_file_that_may_not_be_read(self, job: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        locked, open_file = (job / "t__0000000").stat(), os.open

        def opened(path: str, flags: int, *, dir_fd: int | None = None) -> int:
            if path == "result.json" and dir_fd is not None and os.path.samestat(os.fstat(dir_fd), locked):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))  # root would read it whatever its mode
            return open_file(path, flags, dir_fd=dir_fd)

        monkeypatch.setattr(os, "open", opened)
        assert ("t__0000000", "malformed") in kinds(audit_job(job))

    def test_names_stay_on_their_line(self, job: Path) -> None:
        evil = "x\n\x1b[31mred\u202e__0000000"
        shutil.copytree(job / "t__0000000", job / evil)
        shutil.copytree(job / "t__0000000", job / os.fsdecode(b"\xff\xfe"))
        change(job / evil / "result.json", "trial_name", to=evil)
        change(job / "lock.json", "harbor", "version", to="\x1b]0;owned\x07")
        done = parity("audit", str(job))
        assert (done.returncode, done.stderr) == (1, "")
        assert "x\\n\\x1b[31mred\\u202e__0000000" in done.stdout
        assert done.stdout.replace("\n", "").isprintable()

    def test_odd_values_everywhere(self, job: Path) -> None:
        chance = random.Random(5)  # noqa: S311
        odd = [None, True, -1, 10**30, 1.5, "", "x", "\ud800", [], [None], {}, {"a": [1]}, math.nan, math.inf]
        for path in (job / "result.json", job / "t__0000000" / "result.json", job / "config.json", job / "lock.json"):
            content = path.read_bytes()
            places = [place for place, _ in leaves(json.loads(content))]
            for place in chance.sample(places, min(len(places), 40)):
                for cut in range(1, len(place) + 1):
                    change(path, *place[:cut], to=chance.choice(odd))
                    json.dumps(audit_job(job).to_json()).encode("ascii")
                    path.write_bytes(content)


def spoil(path: Path, what: str, outside: Path) -> None:
    """Put something in the place of a file."""
    contents = {
        "deep": b"[" * 500_000,
        "bytes": b'{"id": "\xff\xfe"}',
        "list": b"[]",
        "truncated": b'{"id": ',
    }
    if what == "pipe":
        os.mkfifo(path)
        assert stat.S_ISFIFO(path.stat().st_mode)
    elif what == "link":
        path.symlink_to(outside)
    elif what == "folder":
        path.mkdir()
    elif what == "huge":
        with path.open("wb") as file:
            file.truncate(2**40)
    else:
        path.write_bytes(contents[what])


class TestCommand:
    """`parity audit` ends with 0, 1 or 2, and tells machines the same."""

    def test_all_follow(self, job: Path, tmp_path: Path) -> None:
        done = parity("audit", str(job), "--json", str(tmp_path / "found.json"))
        assert (done.returncode, done.stderr) == (0, "")
        assert f"{job}: written by harbor 0.13.1, finished, 8 trials" in done.stdout
        assert "BASE_BENCHMARK_RESULT=" in done.stdout
        whole = json.loads((tmp_path / "found.json").read_text())
        assert whole["format"] == 1
        [found] = whole["jobs"]
        assert found["follows"] is True
        assert {"figure", "verdict", "recorded", "computed", "note"} == found["figures"][0].keys()

    def test_something_does_not(self, job: Path) -> None:
        change(job / "result.json", "stats", "n_errored_trials", to=3)
        done = parity("audit", str(job))
        assert done.returncode == 1
        assert "does not follow: stats.n_errored_trials: recorded 3, the trials give 0" in done.stdout

    def test_no_job(self, job: Path, tmp_path: Path) -> None:
        (tmp_path / "empty").mkdir()
        done = parity("audit", str(tmp_path / "empty"), str(tmp_path / "nothing"), str(job))
        assert done.returncode == 2
        assert done.stderr.count("parity: ") == 2
        assert "8 trials" in done.stdout

    def test_no_directory(self, tmp_path: Path) -> None:
        with pytest.raises(NoJobError):
            audit_job(tmp_path / "nothing")

    def test_a_job_without_a_result(self, job: Path) -> None:
        (job / "result.json").unlink()
        done = parity("audit", str(job))
        assert done.returncode == 1
        assert "harbor_result_missing" in done.stdout
