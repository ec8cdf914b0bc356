"""The report for CI servers: JUnit's XML, one test a surface and one a corpus case."""

from __future__ import annotations

from collections import defaultdict
from xml.etree import ElementTree as ET

from oracle.versions import versions
from parity.corpus import Entry
from parity.summary import (
    Item,
    clipped,
    contest,
    diverged_item,
    drifted_item,
    explanation,
    found_items,
    visible,
    visible_line,
)
from parity.tally import Report, Tally


def junit(report: Report) -> str:
    """Return the report as JUnit XML."""
    root = ET.Element("testsuites", name="parity")
    _add_surfaces(root, report)
    _add_corpus(root, report)
    for count in ("tests", "failures", "skipped"):
        root.set(count, str(sum(int(suite.get(count, "0")) for suite in root)))
    root.set("time", _seconds(sum(tally.seconds for tally in report.tallies.values())))
    ET.indent(root, " ")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, "unicode")}\n'


def _add_surfaces(root: ET.Element, report: Report) -> None:
    """Add one test a surface: its searching, with every fingerprint it showed."""
    suite = ET.SubElement(root, "testsuite", name="surfaces")
    facts = {"contest": contest(report), "seed": str(report.plan.seed), "examples": str(report.plan.examples)}
    properties = ET.SubElement(suite, "properties")
    for name, value in {**facts, **versions()}.items():
        ET.SubElement(properties, "property", name=name, value=visible_line(value))
    items: dict[str, list[Item]] = defaultdict(list)
    for item in found_items(report):
        items[item.finding.case.surface].append(item)
    spent = 0.0
    for tally in report.tallies.values():
        searching = _searching(report, tally)
        spent += searching
        test = ET.SubElement(
            suite, "testcase", classname="surfaces", name=visible_line(tally.surface), time=_seconds(searching)
        )
        blamed = [item for item in items[tally.surface] if not item.is_known]
        if blamed:
            _fail(test, blamed)
        elif report.stopped:
            ET.SubElement(test, "skipped", message="stopped before the end, with no divergence so far")
    _count(suite, spent)


def _searching(report: Report, tally: Tally) -> float:
    """Return the time a surface took besides replaying, which the corpus's suites tell."""
    return max(0.0, tally.seconds - report.replayed.seconds.get(tally.surface, 0.0))


def _add_corpus(root: ET.Element, report: Report) -> None:
    """Add a suite a surface with one test a corpus case; time is measured for all of a surface's cases together."""
    items: dict[tuple[str, str], list[Item]] = defaultdict(list)
    excuses = report.excuses
    for entry, finding in report.replayed.diverged:
        blamed = next((name for name in finding.fingerprints if name not in excuses), "")
        item = diverged_item(report, finding, entry, blamed=blamed, excuse=excuses.get(finding.fingerprint))
        items[_key(entry)].append(item)
    for entry, finding in report.replayed.drifted:
        items[_key(entry)].append(drifted_item(entry, finding))
    suites: dict[str, ET.Element] = {}
    for entry in report.replayed.entries:
        surface = entry.case.surface
        if surface not in suites:
            suites[surface] = ET.SubElement(root, "testsuite", name=f"corpus/{surface}")
        test = ET.SubElement(suites[surface], "testcase", classname=f"corpus.{surface}", name=visible_line(entry.name))
        if failing := [item for item in items[_key(entry)] if not item.is_known]:
            _fail(test, failing)
    for surface, suite in suites.items():
        _count(suite, report.replayed.seconds.get(surface, 0.0))


def _key(entry: Entry) -> tuple[str, str]:
    return str(entry.path), entry.case.id


def _fail(test: ET.Element, items: list[Item]) -> None:
    """Say in one failure, as the format has it, everything that is wrong."""
    message = "; ".join(_title(item) for item in items)
    failure = ET.SubElement(test, "failure", type="divergence", message=visible_line(clipped(message, 1000)))
    failure.text = visible("\n\n\n".join(explanation(item) for item in items))


def _title(item: Item) -> str:
    name = item.finding.fingerprint
    return f"{name} (seen {item.seen:,} times)" if item.seen > 1 else name


def _count(suite: ET.Element, seconds: float) -> None:
    for count, path in (("tests", "testcase"), ("failures", "testcase/failure"), ("skipped", "testcase/skipped")):
        suite.set(count, str(len(suite.findall(path))))
    suite.set("errors", "0")
    suite.set("time", _seconds(seconds))


def _seconds(number: float) -> str:
    return f"{number:.3f}"
