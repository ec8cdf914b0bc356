"""The conformance sheet: one page on how an implementation stands."""

from __future__ import annotations

from collections.abc import Iterator

from parity.codec import CodecError, Json, canonical, decode
from parity.conformance import Conformance, Row
from parity.markup import Markup, joined, page, tag
from parity.summary import clipped, visible_line
from parity.surfaces import SURFACES
from parity.text import counted, value_text

_SHOWN = 50
"""Divergences listed: whoever has more wants the report, not a sheet."""
_LINE = 240
"""Characters of an input or an outcome."""
_LEVELS = {
    "exact": "everything counts, to the last bit",
    "values": "error messages are left out, error types count",
    "verdict": "accepted or rejected, and the numbers",
}


def sheet(report: Json) -> str:
    """Return the conformance sheet of a JSON report as an HTML page."""
    found = Conformance(report)
    body = [_header(found), _surfaces(found), _divergences(found), _foot(found)]
    return page(f"{found.name}: {found.verdict}", body, "report.css", "sheet.css")


def _header(found: Conformance) -> Markup:
    return tag(
        "header",
        tag("p", f"Conformance sheet, compared with {found.truth}", class_="contest"),
        tag("h1", clipped(found.name, 200)),
        tag("p", _headline(found), class_="stamp"),
        tag("p", _detail(found), class_="detail"),
        tag("dl", *(tag("div", tag("dt", name), tag("dd", fact)) for name, fact in _facts(found)), class_="facts"),
        class_=f"verdict {found.state}",
    )


def _headline(found: Conformance) -> str:
    if found.state == "parity":
        return "Conformant" if found.level == "exact" else f"Conformant at level {found.level}"
    return counted(found.divergences, "divergence") if found.divergences else "Unfinished"


def _detail(found: Conformance) -> str:
    compared = f"{counted(found.cases, 'case')} on {len(found.rows)} of {len(SURFACES)} surfaces"
    agreeing = {0: "none", len(found.rows): "all"}.get(found.agreeing, str(found.agreeing))
    answers = f"It answers like {found.truth} on {agreeing} of them." if found.rows else ""
    unfinished = f"This is not the last word: {found.unfinished}." if found.unfinished else ""
    return " ".join(filter(None, (f"{compared} were compared.", answers, unfinished)))


def _facts(found: Conformance) -> Iterator[tuple[str, str]]:
    """Yield what the outcome depends on, as far as the report knows it."""
    report = found.report
    implementation = report.get("implementation")
    if isinstance(implementation, dict) and implementation.get("language"):
        yield "language", str(implementation["language"])
    yield from ((name, str(version)) for name, version in report.get("oracle", {}).items())
    yield "level", f"{found.level}: {_LEVELS[found.level]}" if found.level in _LEVELS else found.level
    if report.get("date"):
        yield "date", str(report["date"])


def _surfaces(found: Conformance) -> Markup:
    names = ("surface", "cases", "agreed", "divergences", "verdict")
    head = tag("tr", *(tag("th", name, scope="col", **_side(name)) for name in names))
    rows = {row.surface: row for row in found.rows}
    lines = [_row(name, rows.get(name)) for name in SURFACES]
    table = tag("table", tag("thead", head), tag("tbody", joined(lines)))
    return tag("section", tag("h2", "Surfaces"), table, id="surfaces")


def _side(name: str) -> dict[str, str]:
    return {"class_": "state"} if name == "verdict" else {}


def _row(surface: str, row: Row | None) -> Markup:
    """Return a line of the table; each cell knows its column's name, for a screen too narrow for a head."""
    name = tag("th", tag("code", surface), tag("span", SURFACES[surface].summary, class_="summary"), scope="row")
    if row is None or not row.cases:
        return tag(
            "tr",
            name,
            *(tag("td", "–", class_="count none") for _ in range(3)),
            _state("not compared", ""),
            class_="absent",
        )
    count = len(row.divergences)
    shown = tag("span", f"{count:,}", class_="badge bad" if count else "badge good")
    cells = {"cases": f"{row.cases:,}", "agreed": f"{row.agreed:,}", "divergences": shown}
    return tag(
        "tr",
        name,
        *(tag("td", cell, class_=f"count {label}", data_label=label) for label, cell in cells.items()),
        _state("diverges", "bad") if count else _state("agrees", "good"),
    )


def _state(words: str, tone: str) -> Markup:
    return tag("td", tag("span", words, class_=tone), class_="state")


def _divergences(found: Conformance) -> Markup:
    every = [each for row in found.rows for each in row.divergences]
    if not every:
        return Markup()
    lines = [_line(found, each) for each in every[:_SHOWN]]
    if len(every) > _SHOWN:
        lines.append(tag("li", f"… and {len(every) - _SHOWN:,} more"))
    why = "One entry a fault, with the smallest input that shows it."
    return tag("section", tag("h2", "Divergences"), tag("p", why), tag("ol", joined(lines), class_="found"), id="found")


def _line(found: Conformance, divergence: Json) -> Markup:
    place = divergence["differs"][0] if divergence["differs"] else {"path": "", "a": "", "b": ""}
    facts = {"smallest input": _input(divergence["input"]), found.name: place["a"], found.truth: place["b"]}
    words = {"rule": divergence.get("rule"), "remark": divergence.get("remark")}
    shown = [
        *(tag("dt", clipped(name, 40)) + tag("dd", _short(fact)) for name, fact in facts.items() if fact),
        *(tag("dt", name) + tag("dd", _short(text), class_="plain") for name, text in words.items() if text),
    ]
    return tag("li", tag("b", _short(divergence["fingerprint"])), tag("dl", *map(Markup, shown)))


def _short(text: str) -> str:
    return clipped(visible_line(text), _LINE)


def _input(input: Json) -> str:
    """Write an input on one line."""
    return ", ".join(f"{name}: {_field(field)}" for name, field in input.items())


def _field(data: Json) -> str:
    try:
        if isinstance(data, dict) and data.keys() == {"bytes"}:
            return repr(decode(data))  # white space is what many cases are about
        return " ".join(line.strip() for line in value_text(data).splitlines())
    except CodecError:
        return canonical(data)


def _foot(found: Conformance) -> Markup:
    """Say what was not compared to the last bit, or not with harbor."""
    surfaces = {row.surface for row in found.rows}
    named = (each["name"] for each in found.report.get("relaxations", ()) if each["surface"] in surfaces)
    recorded = [each["surface"] for each in found.report["surfaces"] if each.get("recorded")]
    words = {
        "Relaxations, where harbor or a recording leaves something open: ": sorted(set(named)),
        "Held against recordings, because harbor has no part in them: ": recorded,
    }
    return tag("p", " ".join(f"{why}{', '.join(names)}." for why, names in words.items() if names), class_="foot")
