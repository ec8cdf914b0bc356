"""`parity audit` on a resumed job of other releases, as they wrote it, and tampered with.

`job_directories/` holds the files that the audit reads, without tracebacks.
"""

from __future__ import annotations

import json
import math
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.audit.figures import change
from tests.cli import parity

PACKED = sorted(Path(__file__).with_name("job_directories").glob("*.json"))
MEAN = ("stats", "evals", "agent__adhoc", "metrics", 0, "mean")


@pytest.fixture(params=PACKED, ids=lambda path: path.stem)
def job(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Unpack the job of a release."""
    for name, content in json.loads(request.param.read_text()).items():
        file = tmp_path / "job" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content if isinstance(content, str) else json.dumps(content, indent=4))
    return tmp_path / "job"


def audited(job: Path, code: int) -> dict[str, Any]:
    """Run the verb, and return what it found."""
    done = parity("audit", str(job), "--json", str(job.with_name("found.json")))
    assert (done.returncode, done.stderr) == (code, "")
    [found] = json.loads(job.with_name("found.json").read_bytes())["jobs"]
    assert isinstance(found, dict)
    return found


def wrong(found: dict[str, Any]) -> set[str]:
    return {figure["figure"] for figure in found["figures"] if figure["verdict"] == "does not follow"}


def test_there_are_four_releases_and_more() -> None:
    assert len(PACKED) >= 4


def test_what_the_release_wrote_follows(job: Path) -> None:
    found = audited(job, 0)
    assert found["trials"] == len(list(job.glob("*/result.json")))
    assert (wrong(found), found["problems"]) == (set(), [])


def test_a_flipped_reward_is_found(job: Path) -> None:
    trial = job / "t__0000000"
    change(trial / "result.json", "verifier_result", "rewards", "reward", to=0.625)
    found = audited(job, 1)
    assert {(each["trial"], each["kind"]) for each in found["problems"]} == {(trial.name, "changed")}
    assert "stats.evals.agent__adhoc.metrics[0].mean" in wrong(found)


def test_the_last_digit_of_a_metric_is_found(job: Path) -> None:
    mean = json.loads((job / "result.json").read_text())
    for name in MEAN:
        mean = mean[name]
    change(job / "result.json", *MEAN, to=math.nextafter(mean, 2))
    assert wrong(audited(job, 1)) == {"stats.evals.agent__adhoc.metrics[0].mean", "outcome"}


def test_a_removed_trial_is_found(job: Path) -> None:
    shutil.rmtree(job / "t__0000000")
    assert ("t__0000000", "missing") in {(each["trial"], each["kind"]) for each in audited(job, 1)["problems"]}
