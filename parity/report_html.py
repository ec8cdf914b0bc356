"""The report for people: one HTML page that needs no network, no script and no wide screen."""

from __future__ import annotations

from oracle.versions import versions
from parity.card import card
from parity.markup import Markup, joined, page, tag
from parity.summary import Item, clipped, contest, drifted_item, found_items, verdict
from parity.surfaces import SURFACES
from parity.tally import Report, Tally

_DRIFTED = 100
"""Drifted recordings shown in full: in another environment all of them may drift, and one tells as much as all."""
_COUNTS = ("corpus", "exhaustive", "generated", "cases")


def html(report: Report) -> str:
    """Return the report as a page."""
    found = list(found_items(report))
    body = [
        _header(report),
        _surfaces(report, found),
        _divergences(found),
        _drifted(report),
        _stale(report),
        _exceptions(report),
    ]
    return page(f"{verdict(report).headline} · {contest(report)}", body, "report.css")


def _header(report: Report) -> Markup:
    """Say the verdict, and what the numbers below depend on."""
    said, plan = verdict(report), report.plan
    facts = {"seed": str(plan.seed), "level": plan.level.value}
    if plan.minutes is None:
        facts["generated a surface"] = f"{plan.examples:,}"
    else:
        facts["minutes"] = f"{plan.minutes:g}"
    facts["time in all processes"] = f"{sum(tally.seconds for tally in report.tallies.values()):,.1f} s"
    facts |= versions()
    return tag(
        "header",
        tag("p", contest(report), class_="contest"),
        tag("h1", said.headline),
        tag("p", said.detail, class_="detail"),
        tag("dl", *(tag("div", tag("dt", name), tag("dd", fact)) for name, fact in facts.items()), class_="facts"),
        class_=f"verdict {said.state}",
    )


def _section(title: str, *children: str, id: str) -> Markup:
    return tag("section", tag("h2", title), *children, id=id)


def _surfaces(report: Report, found: list[Item]) -> Markup:
    tallies = list(report.tallies.values())
    first = {item.finding.case.surface: number for number, item in reversed(list(enumerate(found, start=1)))}
    names = (*_COUNTS, "divergences", "seconds")
    head = tag("tr", tag("th", "surface", scope="col"), *(tag("th", name, scope="col") for name in names))
    rows = (_row(_surface_cell(tally), [tally], first.get(tally.surface)) for tally in tallies)
    table = tag(
        "table",
        tag("thead", head),
        tag("tbody", joined(rows)),
        tag("tfoot", _row(tag("th", "all", scope="row"), tallies, 1 if found else None)),
    )
    return _section("Surfaces", table, id="surfaces")


def _surface_cell(tally: Tally) -> Markup:
    summary = SURFACES[tally.surface].summary
    return tag("th", tag("code", tally.surface), tag("span", summary, class_="summary"), scope="row")


def _row(first: Markup, tallies: list[Tally], anchor: int | None) -> Markup:
    """Return a line of the table; each cell knows its column's name, for a screen too narrow for a head."""
    cells = {name: f"{sum(getattr(tally, name) for tally in tallies):,}" for name in _COUNTS}
    found = sum(len(tally.findings) for tally in tallies)
    badge = (
        tag("a", f"{found:,}", href=f"#divergence-{anchor}", class_="badge bad")
        if found
        else tag("span", "0", class_="badge good")
    )
    cells |= {"divergences": badge, "seconds": f"{sum(tally.seconds for tally in tallies):,.1f}"}
    return tag("tr", first, *(tag("td", cell, class_=f"count {name}", data_label=name) for name, cell in cells.items()))


def _divergences(found: list[Item]) -> Markup:
    if not found:
        return Markup()
    cards = [card(item, f"divergence-{number}") for number, item in enumerate(found, start=1)]
    return _section("Divergences", *([_index(found)] if len(found) > 1 else []), joined(cards), id="divergences")


def _index(found: list[Item]) -> Markup:
    links = (
        tag("li", tag("a", clipped(item.finding.fingerprint, 200), href=f"#divergence-{number}"))
        for number, item in enumerate(found, start=1)
    )
    return tag("ol", joined(links), class_="index")


def _drifted(report: Report) -> Markup:
    drifted = report.replayed.drifted
    if not drifted:
        return Markup()
    why = "Harbor, as installed here, does not answer what was recorded of it. It may be another environment."
    cards = [
        card(drifted_item(entry, finding), f"drifted-{number}", is_open=len(drifted) == 1)
        for number, (entry, finding) in enumerate(drifted[:_DRIFTED], start=1)
    ]
    more = [tag("p", "Also: ", ", ".join(entry.name for entry, _ in drifted[_DRIFTED:]))] if drifted[_DRIFTED:] else []
    return _section("Drifted recordings", tag("p", why), joined(cards), *more, id="drifted")


def _stale(report: Report) -> Markup:
    if not report.stale:
        return Markup()
    why = "These stand on the list of known divergences, and no longer occurred: remove them."
    names = (tag("li", tag("code", known.fingerprint), f": {known.reason}") for known in report.stale)
    return _section("No longer known", tag("p", why), tag("ul", joined(names)), id="stale")


def _exceptions(report: Report) -> Markup:
    """List what was not compared bit for bit, or not with a live oracle."""
    relaxed = [
        tag("dt", tag("code", surface.name), " ", relaxation.name) + tag("dd", relaxation.reason)
        for surface in report.plan.surfaces
        for relaxation in surface.relaxations
    ]
    recorded = [
        tag("dt", tag("code", surface.name)) + tag("dd", surface.recorded)
        for surface in report.plan.surfaces
        if surface.recorded
    ]
    parts = []
    if relaxed:
        why = "Everything else is compared bit for bit."
        parts.append(_section("Relaxations", tag("p", why), tag("dl", *map(Markup, relaxed)), id="relaxations"))
    if recorded:
        why = "These surfaces have no live oracle: they are replayed, and where the outcomes come from is said here."
        parts.append(_section("Recordings", tag("p", why), tag("dl", *map(Markup, recorded)), id="recordings"))
    return tag("div", joined(parts), class_="exceptions") if parts else Markup()
