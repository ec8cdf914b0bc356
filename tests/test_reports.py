"""The written reports: whole and right for any case, and none of them taken over by its data."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable
from html import unescape
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parity.codec import canonical
from parity.implementation import ORACLE, Implementation
from parity.marks import Piece, marked, marked_characters
from parity.report_html import html
from parity.report_junit import junit
from parity.report_markdown import LIMIT, markdown
from parity.session import Nobody, Plan, compare
from parity.shelf import Shelf
from parity.summary import diverged_item, found_items, verdict, visible
from parity.surfaces import SURFACES, chosen
from parity.tally import Report
from tests import reports
from tests.cli import parity

Writer = Callable[[Report], str]
Maker = Callable[[], Report]
WRITERS = (junit, markdown, html)


@pytest.fixture(scope="module")
def quiet() -> Report:
    return reports.quiet()


@pytest.fixture(scope="module")
def telling() -> Report:
    return reports.telling()


@pytest.fixture(scope="module")
def hostile() -> Report:
    return reports.hostile()


@pytest.fixture(scope="module")
def crowded() -> Report:
    return reports.crowded(5000)


class TestEveryReport:
    """What holds for each of the three."""

    @pytest.mark.parametrize("write", WRITERS)
    @pytest.mark.parametrize("make", [reports.quiet, reports.telling, reports.hostile])
    def test_is_text_that_can_be_written_and_holds_nothing_invisible(self, write: Writer, make: Maker) -> None:
        text = write(make())
        text.encode("utf-8")
        assert all(char.isprintable() or char == "\n" for char in text)

    @pytest.mark.parametrize("write", WRITERS)
    def test_is_the_same_for_the_same_report(self, write: Writer, telling: Report) -> None:
        assert write(telling) == write(telling)

    @pytest.mark.parametrize("write", WRITERS)
    def test_thousands_of_corpus_cases_are_quick(self, write: Writer, crowded: Report) -> None:
        started = time.process_time()
        write(crowded)
        assert time.process_time() - started < 5

    def test_tells_what_a_search_found(self) -> None:
        wrong = Implementation("wrong", "tests.miniatures:threshold_must_be_exceeded")
        report = compare(Plan(chosen(["min_reward"]), 200, 0, 1, sides=(wrong, ORACLE)), [], Nobody())
        for write in WRITERS:
            text = unescape(write(report))
            for part in ("min_reward value str ≠ null", "reward=0 below min_reward 0.0", "fact 92", "parity show"):
                assert part in text


class TestVerdict:
    """The first line."""

    def test_each_state(self, quiet: Report, telling: Report) -> None:
        assert verdict(quiet).headline == "Parity: no divergence"
        assert verdict(telling).headline == f"{len(telling.findings)} divergences"
        stopped = Report(quiet.plan, quiet.tallies, quiet.replayed, stopped=True)
        assert (verdict(stopped).state, verdict(stopped).headline) == ("stopped", "Stopped, with no divergence so far")
        drifted = Report(quiet.plan, quiet.tallies, telling.replayed)
        assert (verdict(drifted).state, verdict(drifted).headline) == ("diverged", "1 recorded outcome drifted")
        both = Report(quiet.plan, telling.tallies, telling.replayed, stopped=True)
        assert "stopped before the end" in verdict(both).detail


class TestCommand:
    """Every divergence comes with a command that shows its case again."""

    def test_a_corpus_case_goes_by_its_name_and_another_is_written_out(self, telling: Report) -> None:
        commands = {item.finding.case.surface: item.command for item in found_items(telling)}
        assert commands["metric"].startswith("parity show metric/")
        assert commands["min_reward"].startswith("parity show '{")

    def test_the_case_written_out_is_that_case(self, telling: Report) -> None:
        [finding] = telling.tallies["min_reward"].findings.values()
        done = parity("show", canonical(finding.case.to_json()))
        assert done.returncode == 0  # reimpl itself is right
        assert f"min_reward case {finding.case.id}" in done.stdout

    def test_a_long_case_goes_by_the_file_it_is_saved_in(self, hostile: Report, tmp_path: Path) -> None:
        finding = reports.hostile_finding(0, "x" * 10_000)
        path = Shelf(tmp_path, 0).put(finding)
        hostile.files = {finding.fingerprint: str(path)}
        assert diverged_item(hostile, finding, blamed=finding.fingerprint).command == f"parity show {path}"


class TestJUnit:
    """One test a surface, one a corpus case."""

    @pytest.mark.parametrize("make", [reports.quiet, reports.telling, reports.hostile])
    def test_counts_match(self, make: Maker) -> None:
        report = make()
        root = ET.fromstring(junit(report))  # noqa: S314  (our own text)
        assert root.get("tests") == str(len(report.tallies) + len(report.replayed.entries))
        assert len(root.findall(".//testcase")) == int(root.get("tests", ""))
        assert len(root.findall(".//failure")) == int(root.get("failures", ""))
        for suite in root.findall("testsuite"):
            assert suite.get("tests") == str(len(suite.findall("testcase")))
            assert suite.get("failures") == str(len(suite.findall("testcase/failure")))
            assert float(suite.get("time", "")) >= 0
        failed = {test.get("name") for test in root.findall("testsuite[@name='surfaces']/testcase[failure]")}
        assert failed == {name for name, tally in report.tallies.items() if tally.findings}

    def test_names(self, telling: Report) -> None:
        root = ET.fromstring(junit(telling))  # noqa: S314
        names = Counter(test.get("name") for test in root.iter("testcase"))
        assert set(names) == {*telling.tallies, *(entry.name for entry in telling.replayed.entries)}
        assert max(names.values()) == 1
        assert any(name and re.fullmatch("[0-9a-f]{16}", name) for name in names)  # a vector goes by its id

    def test_failed_cases_are_those_that_diverged_or_drifted(self, telling: Report) -> None:
        root = ET.fromstring(junit(telling))  # noqa: S314
        failed = {
            test.get("name")
            for suite in root
            if suite.get("name", "").startswith("corpus/")
            for test in suite
            if test.find("failure") is not None
        }
        replayed = telling.replayed
        assert failed == {entry.name for entry, _ in [*replayed.diverged, *replayed.drifted]}

    def test_explains(self, telling: Report) -> None:
        [finding] = telling.tallies["min_reward"].findings.values()
        root = ET.fromstring(junit(telling))  # noqa: S314
        failure = root.find(".//testcase[@name='min_reward']/failure")
        assert failure is not None
        assert failure.get("message") == f"{finding.fingerprint} (seen 1,312 times)"
        assert failure.text is not None
        for part in ("rewards: {'reward': 0}", "reward=0 below min_reward 0.0", "fact 92", "parity show"):
            assert part in failure.text

    def test_data_is_text(self, hostile: Report) -> None:
        root = ET.fromstring(junit(hostile))  # noqa: S314
        known = {"testsuites", "testsuite", "properties", "property", "testcase", "failure"}
        assert {element.tag for element in root.iter()} == known
        told = "".join(failure.text or "" for failure in root.iter("failure"))
        assert "alert(1)</script>" in told
        assert "]]>" in told
        assert r"\x00\x01\x1b[31m\x7f" in told
        assert r"\ud800 lone \udfff" in told

    def test_a_stopped_surface_did_not_pass(self, quiet: Report) -> None:
        report = Report(quiet.plan, quiet.tallies, quiet.replayed, stopped=True)
        root = ET.fromstring(junit(report))  # noqa: S314
        assert root.get("skipped") == str(len(report.tallies)) == str(len(root.findall(".//skipped")))


def outside_fences(text: str) -> list[str]:
    """Return the lines of Markdown that are not in a fenced block, reading fences as CommonMark does."""
    lines, fence = [], ""
    for line in text.split("\n"):
        found = re.match(r" {0,3}(`{3,})([^`]*)$", line)
        if fence:
            if found and len(found[1]) >= len(fence) and not found[2].strip():
                fence = ""
        elif found:
            fence = found[1]
        else:
            lines.append(line)
    assert not fence
    return lines


class TestMarkdown:
    """Small, and nothing breaks out."""

    @pytest.mark.parametrize("make", [reports.quiet, reports.telling, reports.hostile])
    def test_below_the_limit(self, make: Maker, crowded: Report) -> None:
        assert len(markdown(make()).encode()) <= LIMIT
        full = markdown(crowded)
        assert LIMIT * 0.9 < len(full.encode()) <= LIMIT
        shown = full.count("drifted from its recording")
        assert f"**{len(crowded.replayed.drifted) - shown} more are not shown here**" in full

    def test_a_clipped_report_is_still_well_formed(self, crowded: Report) -> None:
        lines = outside_fences(markdown(crowded))
        assert sum(line.count("<details>") for line in lines) == sum(line.count("</details>") for line in lines)

    def test_only_our_own_markup_stands_outside_fences(self, hostile: Report) -> None:
        text = markdown(hostile)
        lines = outside_fences(text)
        tags = re.findall(r"<[^>]*>", "\n".join(lines))
        ours = {"<details>", "</details>", "<summary>", "</summary>", "<code>", "</code>", "<p>", "</p>"}
        assert set(tags) == ours
        assert Counter(tags)["<details>"] == 1 + len(hostile.findings) + len(hostile.replayed.drifted)
        assert Counter(tags)["<details>"] == Counter(tags)["</details>"]
        in_html_blocks = [line for line in lines if line.startswith(("<details>", "<p>", "</details>"))]
        markup = "\n".join(line for line in lines if line not in in_html_blocks)
        for breakout in ("](", "![", "alert(1)", "# out", "example.com"):
            assert breakout not in markup
        assert all(line.startswith(("<details><summary>", "<p>", "</details>")) for line in in_html_blocks)

    def test_every_row_has_every_cell(self, hostile: Report) -> None:
        rows = [line for line in outside_fences(markdown(hostile)) if line.startswith("|")]
        assert len(rows) == 2 + len(SURFACES) + 1
        assert {row.count("|") for row in rows} == {8}

    def test_explains(self, telling: Report) -> None:
        text = markdown(telling)
        assert text.startswith(f"## ❌ {len(telling.findings)} divergences\n")
        assert "(1 ULP apart)" in text
        assert "(seen 1,312 times)" in text
        assert "multi-step-mean-key-order" in text
        assert f"recorded: {SURFACES['rubric'].recorded}" in text

    def test_parity(self, quiet: Report) -> None:
        assert markdown(quiet).startswith("## ✅ Parity: no divergence\n")


VOID = {"meta"}
ELEMENTS = VOID | set(
    """html head title style body main header section details summary div p span a b code pre mark h1 h2 h3 h4
    table thead tbody tfoot tr th td dl dt dd ol li figure figcaption""".split()  # noqa: SIM905
)


class Page(HTMLParser):
    """What a page is made of; every element must be closed by its own end tag."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: Counter[str] = Counter()
        self.attributes: list[tuple[str, str, str | None]] = []
        self.texts: dict[str, list[str]] = {}
        self.comments: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements[tag] += 1
        self.attributes += [(tag, name, value) for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open:
            self.texts.setdefault(self.open[-1], []).append(data)

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)


class TestHtml:
    """One page that holds everything, and in which data is text."""

    @pytest.mark.parametrize("make", [reports.quiet, reports.telling, reports.hostile])
    def test_nothing_is_loaded_and_nothing_runs(self, make: Maker) -> None:
        page = Page(html(make()))
        assert set(page.elements) <= ELEMENTS
        assert page.comments == []
        names = {
            "lang",
            "charset",
            "http-equiv",
            "content",
            "name",
            "class",
            "id",
            "href",
            "open",
            "scope",
            "data-label",
        }
        assert {name for _, name, _ in page.attributes} <= names
        links = [value for _, name, value in page.attributes if name == "href"]
        ids = [value for _, name, value in page.attributes if name == "id"]
        assert all(link is not None and link.startswith("#") and link[1:] in ids for link in links)
        assert len(ids) == len(set(ids))
        assert "url(" not in "".join(page.texts["style"])
        assert "@import" not in "".join(page.texts["style"])

    def test_policy_forbids_everything_but_the_style(self, quiet: Report) -> None:
        page = Page(html(quiet))
        [policy] = [value for _, name, value in page.attributes if name == "content" and value and "-src" in value]
        assert re.fullmatch(
            r"default-src 'none'; style-src 'sha256-[\w+/]{43}='; base-uri 'none'; form-action 'none'", policy
        )

    def test_a_reward_key_that_is_a_script_stays_text(self, hostile: Report) -> None:
        page = Page(html(hostile))
        assert page.elements["script"] == page.elements["img"] == page.elements["svg"] == 0
        texts = "".join(text for tag in page.texts for text in page.texts[tag])
        for breakout in reports.BREAKOUTS[:7]:
            assert breakout in texts
        assert r"\ud800 lone \udfff" in texts

    def test_explains(self, telling: Report) -> None:
        page = Page(html(telling))
        assert page.texts["h1"] == [f"{len(telling.findings)} divergences"]
        assert page.elements["details"] == len(telling.findings) + len(telling.replayed.drifted)
        assert set(page.texts["h3"]) >= {finding.fingerprint for finding in telling.findings}
        spans = page.texts["span"]
        assert "1 ULP apart" in spans
        assert "seen 1,312 times" in spans
        assert "rule: fact 92" in spans
        for surface in telling.plan.surfaces:
            assert not surface.recorded or surface.recorded in page.texts["dd"]
            assert all(relaxation.reason in page.texts["dd"] for relaxation in surface.relaxations)

    def test_marks_are_the_differing_bits(self, telling: Report) -> None:
        written = html(telling)
        assert "{&#x27;sum&#x27;: <mark>0.6000000000000001</mark>}" in written
        assert "{&#x27;sum&#x27;: <mark>0.6</mark>}" in written
        assert "0x1.333333333333<mark>4</mark>p-1" in written
        assert "0x1.333333333333<mark>3</mark>p-1" in written

    def test_parity(self, quiet: Report) -> None:
        page = Page(html(quiet))
        assert page.texts["h1"] == ["Parity: no divergence"]
        assert page.elements["details"] == 0

    def test_many_drifted_recordings_are_named_and_not_all_shown(self, crowded: Report) -> None:
        page = Page(html(crowded))
        assert page.elements["details"] == 100
        assert "metric/case-4990" in "".join(page.texts["p"])


def luminance(colour: str) -> float:
    """Return WCAG's relative luminance of `#rrggbb`."""
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4 for channel in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("mode", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(
    ("ink", "ground"),
    [
        *((ink, ground) for ink in ("ink", "soft") for ground in ("page", "card", "well")),
        *((tone, ground) for tone in ("good", "bad", "warn") for ground in ("card", f"{tone}-well")),
        ("link", "page"),
        ("ink", "mark-a"),
        ("ink", "mark-b"),
    ],
)
def test_contrast_is_enough_in_both_modes(mode: int, ink: str, ground: str) -> None:
    style = files("parity").joinpath("report.css").read_text(encoding="utf-8")
    colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", style.split("@media (prefers-color-scheme: dark)")[mode]))
    light, dark = sorted((luminance(colours[ink]), luminance(colours[ground])), reverse=True)
    assert (light + 0.05) / (dark + 0.05) >= 4.5


class TestMarks:
    """Marks leave both texts whole, and mark nothing that is shared."""

    @given(st.text("ab 1.\n", max_size=30), st.text("ab 1.\n", max_size=30))
    def test_pieces_make_up_the_texts(self, a: str, b: str) -> None:
        for cut in (marked, marked_characters):
            left, right = cut(a, b)
            assert ("".join(piece.text for piece in left), "".join(piece.text for piece in right)) == (a, b)
            shared = [[piece.text for piece in side if not piece.differs] for side in (left, right)]
            assert "".join(shared[0]) == "".join(shared[1])
            assert (a == b) == (not any(piece.differs for piece in left + right))

    def test_a_number_is_marked_whole_in_a_text_and_by_characters_alone(self) -> None:
        left, right = marked("{'a': 0.1}", "{'a': 0.2}")
        assert left == [Piece("{'a': ", False), Piece("0.1", True), Piece("}", False)]
        assert right == [Piece("{'a': ", False), Piece("0.2", True), Piece("}", False)]
        assert marked_characters("0x1.8p+0", "0x1.9p+0")[0][1] == Piece("8", True)

    def test_a_long_text_is_quick(self) -> None:
        started = time.process_time()
        marked(" ".join(map(str, range(10_000))), " ".join(map(str, range(10_000, 0, -1))))
        assert time.process_time() - started < 2


@given(st.text())
def test_visible_text_has_nothing_hidden_and_plain_text_stays(text: str) -> None:
    shown = visible(text)
    assert all(char.isprintable() or char == "\n" for char in shown)
    assert visible(shown) == shown
    ET.fromstring(f"<a>{shown.replace('&', '').replace('<', '').replace(']]>', '')}</a>")  # noqa: S314
