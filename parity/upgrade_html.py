"""The map of releases as a page that can be read at a glance."""

from __future__ import annotations

from parity.card import card
from parity.markup import Markup, joined, page, tag
from parity.surfaces import LIVE
from parity.text import counted
from parity.upgrade import Upgrade
from parity.upgrade_summary import Told, span

_WORDS = {
    "identical": "identical",
    "changed": "changed, no score",
    "score": "a score changes",
    "absent": "not in this release",
    "unknown": "could not run",
}


def html(told: Told) -> str:
    """Return the page: the verdicts, the map, every change."""
    title = f"harbor {told.before.title} against {span([upgrade.title for upgrade in told.upgrades])}"
    return page(title, [_header(told, title), _map(told), _verdicts(told), _changes(told)], "report.css", "upgrade.css")


def _header(told: Told, title: str) -> Markup:
    scores = sum(group.change.scores for group in told.groups)
    headline = f"{counted(len(told.groups), 'change')}, {scores} of them in a score" if told.groups else "Identical"
    cases = sum(upgrade.cases for upgrade in told.upgrades)
    state = "diverged" if told.groups else "parity"
    detail = f"{counted(cases, 'case')} compared on {counted(len(told.upgrades), 'release')}."
    if told.overrides:
        detail += f" Installed whatever harbor declares: {', '.join(told.overrides)}."
    return tag(
        "header",
        tag("p", title, class_="contest"),
        tag("h1", headline),
        tag("p", detail, class_="detail"),
        class_=f"verdict {state}",
    )


def _map(told: Told) -> Markup:
    head = tag("tr", tag("th", "release", scope="col"), *(tag("th", tag("span", name), scope="col") for name in LIVE))
    rows = (_row(told, upgrade) for upgrade in told.upgrades)
    legend = (tag("li", tag("i", class_=state), word) for state, word in _WORDS.items())
    table = tag("table", tag("thead", head), tag("tbody", joined(rows)), class_="map")
    return tag("section", tag("h2", "Map"), table, tag("ul", *legend, class_="legend"), id="map")


def _row(told: Told, upgrade: Upgrade) -> Markup:
    return tag("tr", tag("th", upgrade.title, scope="row"), *(_cell(told, upgrade, name) for name in LIVE))


def _cell(told: Told, upgrade: Upgrade, surface: str) -> Markup:
    state, text = told.cell(upgrade, surface)
    numbers = [
        number
        for number, group in enumerate(told.groups, start=1)
        if group.surface == surface and upgrade.title in group.titles
    ]
    shown = tag("a", text, href=f"#change-{numbers[0]}") if numbers else tag("span", text)
    return tag("td", shown, class_=state, title=f"{upgrade.title}, {surface}: {_WORDS[state]}")


def _verdicts(told: Told) -> Markup:
    lines = [tag("li", tag("b", upgrade.title), f" {upgrade.verdict}") for upgrade in told.upgrades]
    moved = [
        tag("li", tag("b", upgrade.title), " ", tag("code", name), f" {why}")
        for upgrade in told.upgrades
        for name, why in upgrade.moved.items()
    ]
    return tag("section", tag("h2", "Releases"), tag("ul", *lines, *moved, class_="releases"), id="releases")


def _changes(told: Told) -> Markup:
    if not told.groups:
        return Markup()
    cards = []
    for number, group in enumerate(told.groups, start=1):
        words = f"In {span(group.titles)}. {group.reason}".strip()
        cards += [card(group.item, f"change-{number}", is_open=False), tag("p", words, class_="where")]
    return tag("section", tag("h2", "Changes"), joined(cards), id="changes")
