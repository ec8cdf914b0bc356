"""Known divergences: the list excuses what it names, for as long as it is true, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import tomllib

from parity.errors import CannotRunError
from parity.known import Known, read, write
from parity.tally import Report
from tests.hunts import FINGERPRINT, WRONG, hunt, invoke, low_threshold, report, written

TODAY = date(2026, 11, 18)
ENTRY = Known(FINGERPRINT, "The gate is being rebuilt.", date(2026, 11, 1))
GONE = Known("min_reward value str ≠ null", "It was once so.", date(2026, 10, 1))


@pytest.fixture
def listed(tmp_path: Path) -> Path:
    path = tmp_path / "known.toml"
    write(path, [ENTRY])
    return path


def merged(folder: Path, told: Report, listed: Sequence[Known]) -> tuple[int, str]:
    """Judge a report with a list, and return the exit code and what was said."""
    path = folder / "list.toml"
    write(path, listed)
    done = invoke("merge", written(folder / "report.json", told), "--known", path)
    return done.exit_code, done.output


class TestVerdict:
    """A listed divergence does not fail a run; an entry that is not true does."""

    def test_a_hunt_that_finds_what_is_known_ends_with_parity(self, tmp_path: Path, listed: Path) -> None:
        done = hunt("300", "--seed", "1", *WRONG, cwd=tmp_path)  # known.toml lies there
        assert listed == tmp_path / "known.toml"
        assert done.returncode == 0, done.stdout + done.stderr
        assert "known since 2026-11-01: The gate is being rebuilt." in done.stdout
        assert "1 divergence known, with the reasons above" in done.stdout
        assert "parity: no new divergence" in done.stdout

    def test_without_the_entry_it_fails(self, tmp_path: Path) -> None:
        assert merged(tmp_path, report(low_threshold()), [ENTRY])[0] == 0
        assert merged(tmp_path, report(low_threshold()), [])[0] == 1

    def test_an_entry_that_no_longer_occurs_fails(self, tmp_path: Path) -> None:
        code, said = merged(tmp_path, report(low_threshold()), [ENTRY, GONE])
        assert code == 1
        assert f"no longer occurs: {GONE.fingerprint}: remove it" in said

    def test_only_what_was_compared_to_the_end_can_tell_that(self, tmp_path: Path) -> None:
        assert merged(tmp_path, report(low_threshold(), shard=(1, 2)), [ENTRY, GONE])[0] == 0
        assert merged(tmp_path, report(low_threshold(), stopped=True), [ENTRY, GONE])[0] == 130
        assert merged(tmp_path, report(surface="metric"), [GONE])[0] == 0
        assert merged(tmp_path, report(low_threshold(), minutes=0.1), [ENTRY, GONE])[0] == 0

    @pytest.mark.parametrize(
        ("expires", "code"), [(date(2026, 11, 17), 1), (date(2026, 11, 18), 0), (date(2026, 11, 19), 0)]
    )
    def test_an_entry_excuses_up_to_its_last_day(self, tmp_path: Path, expires: date, code: int) -> None:
        entry = Known(FINGERPRINT, "For a while.", date(2026, 11, 1), expires)
        assert merged(tmp_path, report(low_threshold(), today=TODAY), [entry])[0] == code


class TestUpdate:
    """`parity known update` makes the list true, and keeps the reasons that were given."""

    def test_what_is_new_is_added_what_stays_keeps_its_reason_and_what_is_gone_goes(
        self, tmp_path: Path, listed: Path
    ) -> None:
        write(listed, [GONE])
        path = written(tmp_path / "report.json", report(low_threshold()))
        words = ("known", "update", path, "--known", listed, "--reason")
        done = invoke(*words, "New.")
        assert done.stdout == f"{listed}: 1 divergence, 1 new, 1 gone\n"
        assert read(listed) == [Known(FINGERPRINT, "New.", TODAY)]
        assert invoke(*words, "Another.").stdout == f"{listed}: 1 divergence, 0 new, 0 gone\n"
        assert read(listed) == [Known(FINGERPRINT, "New.", TODAY)]
        assert merged(tmp_path, report(low_threshold()), read(listed))[0] == 0

    def test_what_is_about_releases_stays(self, tmp_path: Path, listed: Path) -> None:
        about = [replace(ENTRY, releases=">=0.15"), replace(GONE, releases=">=0.15")]
        path = written(tmp_path / "report.json", report(low_threshold()))
        for before, said in (([ENTRY, *about], "0 new, 0 gone"), (about, "1 new, 0 gone")):
            write(listed, before)
            done = invoke("known", "update", path, "--known", listed, "--reason", "New.")
            assert done.stdout == f"{listed}: 1 divergence, {said}\n"
            kept = read(listed)
            assert [each for each in kept if each.releases] == about
            assert [each.fingerprint for each in kept if not each.releases] == [FINGERPRINT]

    @pytest.mark.parametrize("reason", ["", " \n"])
    def test_a_reason_without_words_is_refused(self, tmp_path: Path, listed: Path, reason: str) -> None:
        path = written(tmp_path / "report.json", report(low_threshold()))
        refused = invoke("known", "update", path, "--known", listed, "--reason", reason)
        assert str(refused.exception) == "why are they accepted? give --reason some words"
        assert read(listed) == [ENTRY]

    def test_a_list_without_divergences_says_what_it_is_for(self, tmp_path: Path, listed: Path) -> None:
        path = written(tmp_path / "report.json", report())
        assert invoke("known", "update", path, "--known", listed, "--reason", "None.").exit_code == 0
        text = listed.read_text(encoding="utf-8")
        assert tomllib.loads(text) == {}
        assert text.startswith("# Divergences that are known")

    @pytest.mark.parametrize(
        ("change", "why"),
        [
            ({"stopped": True}, "it was stopped before the end"),
            ({"shard": (1, 2)}, "it is shard 1 of 2"),
            ({"surface": "metric"}, "it left out min_reward"),
            ({"minutes": 0.1}, "the time was up before every small input of min_reward was tried"),
        ],
    )
    def test_a_partial_report_is_refused(self, tmp_path: Path, listed: Path, change: dict[str, Any], why: str) -> None:
        before = listed.read_bytes()
        path = written(tmp_path / "report.json", report(**change))
        refused = invoke("known", "update", path, "--known", listed, "--reason", "New.")
        assert isinstance(refused.exception, CannotRunError)
        assert str(refused.exception).startswith(f"{path}: {why}, so it cannot tell what no longer occurs")
        assert listed.read_bytes() == before


class TestFile:
    """A list that cannot be read is refused in one line."""

    @pytest.mark.parametrize(
        ("text", "fault"),
        [
            ("[[divergence", "not TOML"),
            ("[other]", "holds [[divergence]] tables and nothing else"),
            ("divergence = 7", "holds [[divergence]] tables and nothing else"),
            ('[[divergence]]\nfingerprint = "metric x"\nsince = 2026-11-01', "an entry has 'fingerprint', 'reason'"),
            ('[[divergence]]\nfingerprint = "metric x"\nreason = "y"\nsince = "monday"', "'since' is no day"),
            ('[[divergence]]\nfingerprint = "metric x"\nreason = " "\nsince = 2026-11-01', "has no reason"),
            ('[[divergence]]\nfingerprint = "metrik x"\nreason = "y"\nsince = 2026-11-01', "unknown surface 'metrik'"),
            ('[[divergence]]\nfingerprint = "metric x"\nreason = "y"\nsince = 2026-11-01\n' * 2, "stands there twice"),
        ],
    )
    def test_its_fault_is_named(self, tmp_path: Path, text: str, fault: str) -> None:
        path = tmp_path / "known.toml"
        path.write_text(text, encoding="utf-8")
        refused = invoke("merge", written(tmp_path / "report.json", report()), "--known", path)
        assert isinstance(refused.exception, CannotRunError)
        assert fault in str(refused.exception)

    def test_a_list_that_was_named_must_be_there(self, tmp_path: Path) -> None:
        refused = invoke("merge", written(tmp_path / "report.json", report()), "--known", tmp_path / "none.toml")
        assert str(refused.exception) == f"{tmp_path / 'none.toml'}: No such file or directory"

    def test_reimpl_has_no_known_divergence(self) -> None:
        assert read(Path(__file__).parent.parent / "known.toml") == []
