"""Directories that are not to be trusted are audited as far as they go, and nothing outside is read."""

from __future__ import annotations

import errno
import json
import math
import os
import random
import shutil
import stat
from pathlib import Path

import pytest

from parity.audit import audit_job
from tests.audit.figures import change, kinds, leaves
from tests.audit.jobs import JOBS, Run
from tests.cli import parity


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
