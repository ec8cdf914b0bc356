"""The report for people: one HTML page that needs no network, no script and no wide screen."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from html import escape
from importlib.resources import files

from oracle.versions import versions
from parity.codec import Json
from parity.compare import Divergence, ulps
from parity.judge import Finding
from parity.marks import Piece, marked, marked_characters
from parity.summary import Item, clipped, contest, drifted_item, found_items, verdict, visible
from parity.surfaces import SURFACES
from parity.tally import Report, Tally
from parity.text import outcome_text, value_text

_DRIFTED = 100
"""Drifted recordings shown in full: in another environment all of them may drift, and one tells as much as all."""
_PLACES = 50
"""Places shown where two outcomes differ."""
_COUNTS = ("corpus", "exhaustive", "generated", "cases")


class _Markup(str):
    """Text that is HTML already: any other text is escaped on its way into an element."""

    __slots__ = ()


def _html(child: str) -> str:
    return child if isinstance(child, _Markup) else escape(visible(child))


def _tag(name: str, *children: str, **attributes: str) -> _Markup:
    """Return an element; an attribute `class_` is `class`."""
    written = "".join(f' {key.rstrip("_").replace("_", "-")}="{_html(value)}"' for key, value in attributes.items())
    return _Markup(f"<{name}{written}>{''.join(map(_html, children))}</{name}>")


def _joined(parts: Iterable[str]) -> _Markup:
    return _Markup("\n".join(map(_html, parts)))


def html(report: Report) -> str:
    """Return the report as a page."""
    found = list(found_items(report))
    body = [
        _header(report),
        _surfaces(report, found),
        _divergences(found),
        _drifted(report),
        _exceptions(report),
    ]
    head = _head(f"{verdict(report).headline} · {contest(report)}")
    return f'<!doctype html>\n<html lang="en">\n{head}\n{_tag("body", _tag("main", _joined(body)))}\n</html>\n'


def _head(title: str) -> _Markup:
    style = files("parity").joinpath("report.css").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    # Nothing may load or run, whatever a case holds: the page's own style is let in by its hash.
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    lines = [
        _Markup('<meta charset="utf-8">'),
        # The policy's quotes must stay quotes for a reader of the source, and hold nothing of a case.
        _Markup(f'<meta http-equiv="Content-Security-Policy" content="{policy}">'),
        _Markup('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        _Markup('<meta name="color-scheme" content="light dark">'),
        _tag("title", title),
        _tag("style", _Markup(style)),
    ]
    return _tag("head", _joined(lines))


def _header(report: Report) -> _Markup:
    """Say the verdict, and what the numbers below depend on."""
    said, plan = verdict(report), report.plan
    facts = {"seed": str(plan.seed)}
    if plan.minutes is None:
        facts["generated a surface"] = f"{plan.examples:,}"
    else:
        facts["minutes"] = f"{plan.minutes:g}"
    facts["time in all processes"] = f"{sum(tally.seconds for tally in report.tallies.values()):,.1f} s"
    facts |= versions()
    return _tag(
        "header",
        _tag("p", contest(report), class_="contest"),
        _tag("h1", said.headline),
        _tag("p", said.detail, class_="detail"),
        _tag("dl", *(_tag("div", _tag("dt", name), _tag("dd", fact)) for name, fact in facts.items()), class_="facts"),
        class_=f"verdict {said.state}",
    )


def _section(title: str, *children: str, id: str) -> _Markup:
    return _tag("section", _tag("h2", title), *children, id=id)


def _surfaces(report: Report, found: list[Item]) -> _Markup:
    tallies = list(report.tallies.values())
    first = {item.finding.case.surface: number for number, item in reversed(list(enumerate(found, start=1)))}
    names = (*_COUNTS, "divergences", "seconds")
    head = _tag("tr", _tag("th", "surface", scope="col"), *(_tag("th", name, scope="col") for name in names))
    rows = (_row(_surface_cell(tally), [tally], first.get(tally.surface)) for tally in tallies)
    table = _tag(
        "table",
        _tag("thead", head),
        _tag("tbody", _joined(rows)),
        _tag("tfoot", _row(_tag("th", "all", scope="row"), tallies, 1 if found else None)),
    )
    return _section("Surfaces", table, id="surfaces")


def _surface_cell(tally: Tally) -> _Markup:
    summary = SURFACES[tally.surface].summary
    return _tag("th", _tag("code", tally.surface), _tag("span", summary, class_="summary"), scope="row")


def _row(first: _Markup, tallies: list[Tally], anchor: int | None) -> _Markup:
    """Return a line of the table; each cell knows its column's name, for a screen too narrow for a head."""
    cells = {name: f"{sum(getattr(tally, name) for tally in tallies):,}" for name in _COUNTS}
    found = sum(len(tally.findings) for tally in tallies)
    badge = (
        _tag("a", f"{found:,}", href=f"#divergence-{anchor}", class_="badge bad")
        if found
        else _tag("span", "0", class_="badge good")
    )
    cells |= {"divergences": badge, "seconds": f"{sum(tally.seconds for tally in tallies):,.1f}"}
    return _tag(
        "tr", first, *(_tag("td", cell, class_=f"count {name}", data_label=name) for name, cell in cells.items())
    )


def _divergences(found: list[Item]) -> _Markup:
    if not found:
        return _Markup()
    cards = [_card(item, f"divergence-{number}") for number, item in enumerate(found, start=1)]
    return _section("Divergences", *([_index(found)] if len(found) > 1 else []), _joined(cards), id="divergences")


def _index(found: list[Item]) -> _Markup:
    links = (
        _tag("li", _tag("a", clipped(item.finding.fingerprint, 200), href=f"#divergence-{number}"))
        for number, item in enumerate(found, start=1)
    )
    return _tag("ol", _joined(links), class_="index")


def _drifted(report: Report) -> _Markup:
    drifted = report.replayed.drifted
    if not drifted:
        return _Markup()
    why = "Harbor, as installed here, does not answer what was recorded of it. It may be another environment."
    cards = [
        _card(drifted_item(entry, finding), f"drifted-{number}", is_open=len(drifted) == 1)
        for number, (entry, finding) in enumerate(drifted[:_DRIFTED], start=1)
    ]
    more = [_tag("p", "Also: ", ", ".join(entry.name for entry, _ in drifted[_DRIFTED:]))] if drifted[_DRIFTED:] else []
    return _section("Drifted recordings", _tag("p", why), _joined(cards), *more, id="drifted")


def _card(item: Item, id: str, *, is_open: bool = True) -> _Markup:
    """Explain one divergence."""
    finding = item.finding
    title = _tag("summary", _tag("h3", clipped(finding.fingerprint, 300)), _facts_line(finding))
    parts = [_tag("p", clipped(finding.note, 1000), class_="note")] if finding.note else []
    parts += [
        _part("Minimal input", _input(finding.case.input)),
        _part("Outcomes", _outcomes(item)),
        _part("Where they differ", _places(item)),
        _part("See it again", _tag("pre", item.command, class_="command")),
    ]
    # An attribute without a value: folded cards still open without a script.
    opening = f'<details class="card" id="{id}"{" open" if is_open else ""}>'
    return _Markup(f"{opening}{title}{_joined(parts)}</details>")


def _facts_line(finding: Finding) -> _Markup:
    seen = "seen once" if finding.seen == 1 else f"seen {finding.seen:,} times"
    facts = (f"case {finding.case.id}", seen, f"rule: {SURFACES[finding.case.surface].rules}")
    return _tag("p", *(_tag("span", fact) for fact in facts), class_="line")


def _part(title: str, content: _Markup) -> _Markup:
    return _tag("div", _tag("h4", title), content, class_="part")


def _input(input: Json) -> _Markup:
    fields = (_tag("dt", name) + _tag("dd", _tag("pre", clipped(value_text(field)))) for name, field in input.items())
    return _tag("dl", *map(_Markup, fields), class_="input")


def _outcomes(item: Item) -> _Markup:
    """Put both outcomes side by side, with what differs marked."""
    outcomes = (item.finding.a, item.finding.b)
    kinds = tuple("error" if "error" in outcome else "value" for outcome in outcomes)
    texts = [clipped(outcome_text(outcome)) for outcome in outcomes]
    # Of a value and an error everything differs: marking all of it would mark nothing.
    unlike = kinds[0] != kinds[1]
    pieces = [[Piece(text, False)] for text in texts] if unlike else marked(*texts)
    return _sides(
        _tag(
            "figure",
            _tag("figcaption", _tag("b", name), _tag("span", kind, class_="kind unlike" if unlike else "kind")),
            _tag("pre", _marks(side)),
        )
        for name, kind, side in zip(item.names, kinds, pieces, strict=True)
    )


def _sides(sides: Iterable[_Markup]) -> _Markup:
    return _tag("div", *sides, class_="sides")


def _marks(pieces: list[Piece]) -> _Markup:
    return _Markup("".join(_tag("mark", piece.text) if piece.differs else _html(piece.text) for piece in pieces))


def _places(item: Item) -> _Markup:
    divergences = item.finding.divergences
    rows = [_place(divergence, item.names) for divergence in divergences[:_PLACES]]
    if len(divergences) > _PLACES:
        rows.append(_tag("li", f"… and {len(divergences) - _PLACES:,} more places"))
    return _tag("ol", *rows, class_="places")


def _place(divergence: Divergence, names: tuple[str, str]) -> _Markup:
    """Show one place: its path, what kind of difference, and both sides down to the bits."""
    is_number = divergence.kind in ("float differs", "number differs")
    distance = ulps(divergence.a, divergence.b) if is_number else None
    title = [_tag("code", clipped(divergence.path, 400)), _tag("span", clipped(divergence.kind, 200), class_="kind")]
    if distance is not None:
        title.append(_tag("span", f"{distance:,} ULP apart", class_="kind unlike"))
    hexes = [_hexadecimal(text) if is_number else "" for text in (divergence.a, divergence.b)]
    sides = zip(
        names,
        marked_characters(*(clipped(text, 2000) for text in (divergence.a, divergence.b))),
        marked_characters(*hexes),
        strict=True,
    )
    return _tag("li", _tag("p", *title, class_="line"), _sides(_side(*side) for side in sides))


def _side(name: str, spelled: list[Piece], bits: list[Piece]) -> _Markup:
    shown = [_tag("dt", name), _tag("dd", _marks(spelled))]
    if bits:
        shown.append(_tag("dd", _marks(bits), class_="bits"))
    return _tag("dl", *shown)


def _hexadecimal(text: str) -> str:
    try:
        return float(text).hex()
    except ValueError:  # a number in a rendered file may be anything that is spelled like one
        return ""


def _exceptions(report: Report) -> _Markup:
    """List what was not compared bit for bit, or not with a live oracle."""
    relaxed = [
        _tag("dt", _tag("code", surface.name), " ", relaxation.name) + _tag("dd", relaxation.reason)
        for surface in report.plan.surfaces
        for relaxation in surface.relaxations
    ]
    recorded = [
        _tag("dt", _tag("code", surface.name)) + _tag("dd", surface.recorded)
        for surface in report.plan.surfaces
        if surface.recorded
    ]
    parts = []
    if relaxed:
        why = "Everything else is compared bit for bit."
        parts.append(_section("Relaxations", _tag("p", why), _tag("dl", *map(_Markup, relaxed)), id="relaxations"))
    if recorded:
        why = "These surfaces have no live oracle: they are replayed, and where the outcomes come from is said here."
        parts.append(_section("Recordings", _tag("p", why), _tag("dl", *map(_Markup, recorded)), id="recordings"))
    return _tag("div", _joined(parts), class_="exceptions") if parts else _Markup()
