"""The conformance sheet and the badge say how an implementation stands, and are taken over by no data."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from parity.badge import badge
from parity.codec import Json
from parity.conformance import Conformance
from parity.report_json import report_json
from parity.sheet import sheet
from parity.surfaces import SURFACES
from tests import reports
from tests.cli import parity
from tests.test_reports import Page

MAKERS = ("quiet", "telling", "hostile")
WRITERS: tuple[Callable[[Json], str], ...] = (sheet, badge)
SVG = "{http://www.w3.org/2000/svg}"


@cache
def _report(name: str) -> str:
    return json.dumps(report_json(getattr(reports, name)()))


def report(name: str, **changes: Any) -> Json:
    """Return a JSON report with some of its fields changed."""
    return {**json.loads(_report(name)), **changes}


def telling(**changes: Any) -> Json:
    """Return a report of divergences, and of no drifted recording."""
    return report("telling", drifted=[], **changes)


def fingerprints(given: Json) -> list[str]:
    return [each["fingerprint"] for surface in given["surfaces"] for each in surface["divergences"]]


def text_of(page: str) -> str:
    texts = Page(page).texts
    return " ".join(text for tag in texts if tag != "style" for text in texts[tag])


def title_of(picture: str) -> str:
    return str(ET.fromstring(picture).attrib["aria-label"])  # noqa: S314  (our own text)


@pytest.mark.parametrize("write", WRITERS)
@pytest.mark.parametrize("name", MAKERS)
class TestBoth:
    """What holds for a sheet and for a badge."""

    def test_is_the_same_for_the_same_report(self, write: Callable[[Json], str], name: str) -> None:
        assert write(report(name)) == write(report(name))

    def test_can_be_written_and_holds_nothing_invisible(self, write: Callable[[Json], str], name: str) -> None:
        text = write(report(name))
        text.encode("utf-8")
        assert all(char.isprintable() or char == "\n" for char in text)


class TestVerdict:
    """Conformant is who answers like harbor in all that was compared, and nobody else."""

    @pytest.mark.parametrize(
        ("name", "changes", "state", "words"),
        [
            ("quiet", {}, "parity", "conformant 12/12"),
            ("quiet", {"level": "values"}, "parity", "conformant 12/12 (values)"),
            ("telling", {"drifted": []}, "diverged", "{found} divergences"),
            ("telling", {"stopped": True}, "diverged", "{found} divergences"),
            ("quiet", {"stopped": True}, "stopped", "unfinished"),
            ("quiet", {"partial": "it is shard 1 of 4"}, "stopped", "unfinished"),
            ("quiet", {"drifted": [{}]}, "stopped", "unfinished"),
            ("quiet", {"surfaces": []}, "stopped", "unfinished"),
        ],
    )
    def test_each_state(self, name: str, changes: Json, state: str, words: str) -> None:
        given = report(name, **changes)
        words = words.format(found=len(fingerprints(given)))
        found = Conformance(given)
        assert (found.state, found.verdict) == (state, words)
        assert title_of(badge(given)) == f"harbor 0.13.1: {words}"

    def test_surfaces_that_were_not_compared_do_not_agree(self) -> None:
        given = report("quiet", surfaces=report("quiet")["surfaces"][:2])
        assert Conformance(given).verdict == "conformant 2/12"

    def test_a_surface_without_a_case_does_not_agree(self) -> None:
        given = report("quiet")
        given["surfaces"][0]["cases"] = {"corpus": 0}
        assert Conformance(given).verdict == "conformant 11/12"

    def test_to_know_of_a_divergence_does_not_make_it_right(self) -> None:
        names = fingerprints(telling())
        known = [{"fingerprint": name, "reason": "so it is", "since": "2026-01-01", "occurs": True} for name in names]
        assert Conformance(telling(verdict="parity", known=known)).verdict == f"{len(names)} divergences"

    def test_what_agreed_and_what_did_not_is_all_there_is(self) -> None:
        for row in Conformance(telling()).rows:
            assert row.agreed + sum(each["seen"] for each in row.divergences) == row.cases


class TestSheet:
    """One page that needs nothing else."""

    @pytest.mark.parametrize("name", MAKERS)
    def test_nothing_is_loaded_and_nothing_runs(self, name: str) -> None:
        page = Page(sheet(report(name)))
        assert not page.elements.keys() & {"script", "img", "svg", "iframe", "link", "object", "a"}
        assert page.comments == []
        assert {attribute for _, attribute, _ in page.attributes} <= {
            *("lang", "charset", "http-equiv", "content", "name", "class", "id", "scope", "data-label")
        }
        style = "".join(page.texts["style"])
        assert "url(" not in style
        assert "@import" not in style
        [policy] = [value for _, name, value in page.attributes if name == "content" and value and "-src" in value]
        assert re.fullmatch(
            r"default-src 'none'; style-src 'sha256-[\w+/]{43}='; base-uri 'none'; form-action 'none'", policy
        )

    def test_data_stays_text(self) -> None:
        shown = text_of(sheet(report("hostile")))
        assert "<script>" in shown
        assert "<svg onload=" in shown
        assert r"\ud800 lone \udfff" in shown

    def test_says_who_was_compared_with_what(self) -> None:
        given = telling(
            a="reward-reader 2.1.0",
            implementation={"name": "reward-reader", "version": "2.1.0", "language": "rust"},
            date="2026-01-31",
            level="verdict",
            surfaces=telling()["surfaces"][:-1],
        )
        page = sheet(given)
        assert Page(page).texts["h1"] == ["reward-reader 2.1.0"]
        shown = text_of(page)
        for part in ("compared with harbor 0.13.1", "rust", "3.12", "2.14.3", "2026-01-31", "verdict: accepted or "):
            assert part in shown
        assert f"on {len(SURFACES) - 1} of {len(SURFACES)} surfaces were compared" in shown
        agreeing = sum(not surface["divergences"] for surface in given["surfaces"])
        assert f"It answers like harbor 0.13.1 on {agreeing} of them." in shown
        for surface in SURFACES.values():
            assert surface.name in shown
            assert surface.summary in shown
        assert shown.count("not compared") == 1

    def test_each_divergence_has_its_smallest_input_and_both_answers(self) -> None:
        given = telling()
        shown = text_of(sheet(given))
        for surface in given["surfaces"]:
            for divergence in surface["divergences"]:
                assert divergence["fingerprint"] in shown
                assert divergence["rule"][:200] in shown
        assert "rewards: {'reward': 0}, min_reward: 0.0" in shown
        assert r"reward.txt: b'1', reward.json: b' '" in shown

    def test_white_space_in_a_file_is_seen(self) -> None:
        given = telling()
        given["surfaces"][0]["divergences"][0]["input"] = {"reward.txt": {"bytes": " 1\n\t"}, "reward.json": None}
        assert r"reward.txt: b' 1\\n\\t', reward.json: None".replace(r"\\", "\\") in text_of(sheet(given))

    def test_a_report_that_says_little_will_do(self) -> None:
        divergence = {
            "fingerprint": "metric value float ≠ int",
            "case": "0" * 16,
            "surface": "metric",
            "input": {"metric": 7},
            "a": {"value": None},
            "b": {"value": None},
            "differs": [],
            "seen": 1,
        }
        surface = {"surface": "metric", "cases": {"corpus": 3}, "divergences": [divergence]}
        little = {
            "version": 1,
            "kind": "check",
            "a": "x",
            "b": "oracle",
            "verdict": "divergence",
            "surfaces": [surface],
        }
        assert "1 divergence" in text_of(sheet(little))
        assert "metric: 7" in text_of(sheet(little))
        assert title_of(badge(little)) == "harbor 0.13.1: 1 divergence"

    def test_hundreds_of_divergences_stay_a_sheet(self) -> None:
        given = telling()
        given["surfaces"][0]["divergences"] *= 100
        page = sheet(given)
        assert f"… and {len(fingerprints(given)) - 50:,} more" in text_of(page)
        assert len(page) < 100_000


class TestBadge:
    """A picture that says in words what it shows."""

    @pytest.mark.parametrize("name", MAKERS)
    def test_is_a_picture_with_a_title(self, name: str) -> None:
        root = ET.fromstring(badge(report(name)))  # noqa: S314
        assert root.tag == f"{SVG}svg"
        assert root.attrib["role"] == "img"
        title = root.find(f"{SVG}title")
        assert title is not None
        assert title.text == root.attrib["aria-label"]
        words = [text.text or "" for text in root.iter(f"{SVG}text")]
        assert ": ".join(words) == title.text

    def test_fits_its_words(self) -> None:
        root = ET.fromstring(badge(report("quiet")))  # noqa: S314
        texts = [(int(text.attrib["x"]), int(text.attrib["textLength"])) for text in root.iter(f"{SVG}text")]
        [first, second] = texts
        assert first[0] + first[1] < second[0]
        assert second[0] + second[1] < int(root.attrib["width"])
        assert int(root.attrib["width"]) < 250

    @pytest.mark.parametrize(("name", "stopped"), [("quiet", False), ("telling", False), ("quiet", True)])
    def test_white_on_its_colours_can_be_read(self, name: str, stopped: bool) -> None:
        colours = re.findall(r'fill="#([0-9a-f]{6})"', badge(report(name, stopped=stopped)))
        assert len(colours) == 2
        assert all(contrast_with_white(colour) >= 4.5 for colour in colours)

    def test_a_name_cannot_break_out(self) -> None:
        root = ET.fromstring(badge(report("quiet", b='"><script>&')))  # noqa: S314
        assert {element.tag for element in root.iter()} == {
            f"{SVG}{name}" for name in ("svg", "title", "rect", "path", "g", "text")
        }
        assert root.attrib["aria-label"] == '"><script>&: conformant 12/12'


def contrast_with_white(colour: str) -> float:
    """Return the contrast ratio as WCAG defines it."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 1.05 / (0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] + 0.05)


class TestCommand:
    """`parity sheet` writes what it is asked for, from a report that is one."""

    def test_writes_both(self, tmp_path: Path) -> None:
        (tmp_path / "report.json").write_text(json.dumps(report("quiet")), encoding="utf-8")
        done = parity("sheet", "report.json", "--html", "sheet.html", "--badge", "badge.svg", cwd=tmp_path)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        assert (tmp_path / "sheet.html").read_text(encoding="utf-8") == sheet(report("quiet"))
        assert (tmp_path / "badge.svg").read_text(encoding="utf-8") == badge(report("quiet"))

    @pytest.mark.parametrize(
        ("content", "options", "words"),
        [
            ("{}", (), "name a file with --html, with --badge or with both"),
            ("{}", ("--badge", "badge.svg"), "report.json: not a report: must hold version, kind, a, b, verdict, "),
            ("{", ("--badge", "badge.svg"), "report.json: not JSON"),
            ("{}", ("--html", "no/sheet.html"), "the folder no does not exist"),
        ],
    )
    def test_refuses_in_one_line(self, tmp_path: Path, content: str, options: tuple[str, ...], words: str) -> None:
        (tmp_path / "report.json").write_text(content, encoding="utf-8")
        done = parity("sheet", "report.json", *options, cwd=tmp_path)
        assert (done.returncode, done.stdout) == (2, "")
        [line] = done.stderr.splitlines()
        assert words in line
        assert [path.name for path in tmp_path.iterdir()] == ["report.json"]
