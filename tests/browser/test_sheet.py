"""The conformance sheet and the badge in a real browser."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from parity.badge import badge
from parity.codec import Json
from parity.report_json import report_json
from parity.sheet import sheet
from tests import reports
from tests.browser.test_html_report import GROUNDS, WIDTHS, browse, measure


@pytest.fixture(scope="module", params=["quiet", "telling", "hostile"])
def report(request: pytest.FixtureRequest) -> Json:
    return json.loads(json.dumps(report_json(getattr(reports, request.param)())))


@pytest.mark.parametrize("mode", GROUNDS)
@pytest.mark.parametrize("device", WIDTHS)
def test_reads_well(report: Json, device: str, mode: str, tmp_path: Path) -> None:
    seen = measure(tmp_path, sheet(report), WIDTHS[device], mode)
    assert seen["scrollWidth"] <= seen["width"] == WIDTHS[device]
    assert seen["right"] <= seen["width"]
    assert seen["clipped"] == []
    assert seen["headingShown"]
    assert seen["ground"] == "rgb({}, {}, {})".format(*GROUNDS[mode])
    assert (seen["owned"], seen["foreign"], seen["requests"]) == (None, 0, 0)


def test_a_sheet_without_divergences_is_printed_on_one_page(tmp_path: Path) -> None:
    page, paper = tmp_path / "sheet.html", tmp_path / "sheet.pdf"
    page.write_text(sheet(json.loads(json.dumps(report_json(reports.quiet())))), encoding="utf-8")
    browse(tmp_path, page, "--no-pdf-header-footer", f"--print-to-pdf={paper}")
    assert re.findall(rb"/Count (\d+)", paper.read_bytes()) == [b"1"]


def test_the_badge_is_as_wide_as_it_says(report: Json, tmp_path: Path) -> None:
    picture = badge(report)
    page = tmp_path / "badge.html"
    page.write_text(
        f"""<!doctype html><meta charset="utf-8">{picture}<pre id="measured"></pre><script>
        const right = element => element.getBBox().x + element.getBBox().width;
        document.getElementById("measured").textContent =
          JSON.stringify([...document.querySelectorAll("text")].map(right).concat(document.querySelector("path").getBBox().width));
        </script>""",
        encoding="utf-8",
    )
    found = re.search(r'<pre id="measured">(.+?)</pre>', browse(tmp_path, page, "--dump-dom"))
    assert found
    left, right, split = json.loads(found[1])
    width = re.search(r'width="(\d+)"', picture)
    assert width
    assert left < split < right < int(width[1])
