"""The HTML report in a real browser, on a desktop and on a phone, by day and by night.

Needs Debian's `chromium`, and is therefore left out of the default run: `pytest tests/browser`.
"""

from __future__ import annotations

import json
import re
import struct
import subprocess
import zlib
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from parity.report_html import html
from parity.summary import verdict
from parity.tally import Report
from tests import reports

CHROMIUM = (
    "chromium",
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--allow-file-access-from-files",  # the page that measures may look into the page that is measured
    "--virtual-time-budget=5000",
)
WIDTHS = {"desktop": 1280, "phone": 390}
GROUNDS = {"dark": (0x13, 0x15, 0x18), "light": (0xF6, 0xF6, 0xF3)}
"""The page's background in each mode, in the order in which Blink numbers them."""

# It opens the report in a frame of the width wanted, and writes what a reader would see into its own document.
MEASURE = """<!doctype html><meta charset="utf-8"><body style="margin:0">
<iframe src="report.html" style="border:0;width:WIDTHpx;height:900px"></iframe><pre id="measured"></pre><script>
document.querySelector("iframe").onload = event => {
  const page = event.target.contentDocument, view = event.target.contentWindow;
  const heading = page.querySelector("h1"), place = heading.getBoundingClientRect();
  const shown = [...page.body.querySelectorAll("*")].filter(element => !element.closest("thead"));
  document.getElementById("measured").textContent = JSON.stringify({
    width: view.innerWidth,
    scrollWidth: page.documentElement.scrollWidth,
    right: Math.max(...shown.map(element => element.getBoundingClientRect().right)),
    clipped: shown.filter(element => element.scrollWidth > element.clientWidth + 1
      && view.getComputedStyle(element).display !== "inline").map(element => element.outerHTML.slice(0, 200)),
    heading: heading.innerText,
    headingShown: heading.checkVisibility() && place.top >= 0 && place.bottom <= 900 && place.height > 20,
    ground: view.getComputedStyle(page.body).backgroundColor,
    columns: [...page.querySelectorAll(".sides")].map(
      element => view.getComputedStyle(element).gridTemplateColumns.split(" ").length),
    owned: page.documentElement.dataset.owned || null,
    foreign: page.querySelectorAll("script, img, svg, iframe, object, link").length,
    requests: view.performance.getEntriesByType("resource").length,
  });
};
</script>"""


def browse(folder: Path, page: Path, *options: str) -> str:
    """Open a page in a new browser, and return what it prints."""
    command = [*CHROMIUM, f"--user-data-dir={folder / 'profile'}", *options, page.as_uri()]
    return subprocess.run(command, capture_output=True, check=True, timeout=120).stdout.decode()


def measure(folder: Path, text: str, width: int, mode: str = "light") -> dict[str, Any]:
    """Show a page at a width and in a mode, and return what a reader would see."""
    (folder / "report.html").write_text(text, encoding="utf-8")
    harness = folder / "measure.html"
    harness.write_text(MEASURE.replace("WIDTH", str(width)), encoding="utf-8")
    setting = f"--blink-settings=preferredColorScheme={list(GROUNDS).index(mode)}"
    found = re.search(r'<pre id="measured">(.+?)</pre>', browse(folder, harness, setting, "--dump-dom"), re.DOTALL)
    assert found, "the page did not load"
    measured: dict[str, Any] = json.loads(unescape(found[1]))
    return measured


def first_pixel(png: bytes) -> tuple[int, tuple[int, ...]]:
    """Return the width of a PNG and the colour of its upper left corner."""
    [width] = struct.unpack(">I", png[16:20])
    data, at = b"", 8
    while at < len(png):
        [length] = struct.unpack(">I", png[at : at + 4])
        if png[at + 4 : at + 8] == b"IDAT":
            data += png[at + 8 : at + 8 + length]
        at += length + 12
    # Whatever the filter of the first line, the first pixel has no neighbour and stands as it is.
    return width, tuple(zlib.decompress(data)[1:4])


@pytest.fixture(scope="module", params=["quiet", "telling", "hostile"])
def report(request: pytest.FixtureRequest) -> Report:
    made: Report = getattr(reports, request.param)()
    return made


@pytest.mark.parametrize("mode", GROUNDS)
@pytest.mark.parametrize("device", WIDTHS)
def test_reads_well(report: Report, device: str, mode: str, tmp_path: Path) -> None:
    seen = measure(tmp_path, html(report), WIDTHS[device], mode)
    assert seen["width"] == WIDTHS[device]
    assert seen["scrollWidth"] <= seen["width"]
    assert seen["right"] <= seen["width"]
    assert seen["clipped"] == []
    assert (seen["heading"], seen["headingShown"]) == (verdict(report).headline, True)
    assert seen["ground"] == "rgb({}, {}, {})".format(*GROUNDS[mode])
    assert set(seen["columns"]) == ({2 if device == "desktop" else 1} if report.findings else set())
    assert (seen["owned"], seen["foreign"], seen["requests"]) == (None, 0, 0)


@pytest.mark.parametrize("mode", GROUNDS)
@pytest.mark.parametrize("device", WIDTHS)
def test_can_be_photographed(report: Report, device: str, mode: str, tmp_path: Path) -> None:
    page, picture = tmp_path / "report.html", tmp_path / "report.png"
    page.write_text(html(report), encoding="utf-8")
    setting = f"--blink-settings=preferredColorScheme={list(GROUNDS).index(mode)}"
    browse(tmp_path, page, setting, f"--window-size={WIDTHS[device]},2400", f"--screenshot={picture}")
    assert first_pixel(picture.read_bytes()) == (WIDTHS[device], GROUNDS[mode])


class TestData:
    """Two walls keep data from running: it is escaped, and the policy lets nothing run."""

    SCRIPT = "<script>document.documentElement.dataset.owned = 1</script>"
    POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')

    def test_without_either_wall_a_script_runs(self, tmp_path: Path) -> None:
        page = self.POLICY.sub("", html(reports.quiet())).replace("</main>", f"{self.SCRIPT}</main>")
        assert measure(tmp_path, page, 1280)["owned"] == "1"

    def test_the_policy_alone_is_enough(self, tmp_path: Path) -> None:
        page = html(reports.quiet()).replace("</main>", f"{self.SCRIPT}</main>")
        seen = measure(tmp_path, page, 1280)
        assert (seen["owned"], seen["foreign"]) == (None, 1)

    def test_escaping_alone_is_enough(self, tmp_path: Path) -> None:
        text = html(reports.hostile())
        page = self.POLICY.sub("", text)
        assert page != text
        seen = measure(tmp_path, page, 1280)
        assert (seen["owned"], seen["foreign"]) == (None, 0)
