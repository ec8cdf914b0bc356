"""The map of releases as Markdown."""

from __future__ import annotations

from parity.report_markdown import code, details
from parity.surfaces import LIVE
from parity.upgrade_summary import Group, Told, span

_MARKS = {"identical": "=", "absent": "–", "unknown": "?"}


def markdown(told: Told) -> str:
    """Return the map, then every change."""
    instead = f" Installed whatever harbor declares: {code(', '.join(told.overrides))}." if told.overrides else ""
    lines = [f"Compared with harbor {told.before.title}.{instead}", "", _table(told), ""]
    lines += ["`=` identical, `–` not in this release, a number of changes, **bold** if a score changes.", ""]
    lines += [f"- harbor {upgrade.title}: {upgrade.verdict}" for upgrade in told.upgrades]
    moved = [
        f"- harbor {upgrade.title}: {code(name)}: {why}"
        for upgrade in told.upgrades
        for name, why in upgrade.moved.items()
    ]
    if moved:
        lines += ["", "### Surfaces that came or went", "", *moved]
    if told.groups:
        lines += ["", "### Changes", "", *(_change(group) for group in told.groups)]
    return "\n".join(lines) + "\n"


def _table(told: Told) -> str:
    lines = [f"| release | {' | '.join(map(code, LIVE))} |", f"|:---|{':---:|' * len(LIVE)}"]
    for upgrade in told.upgrades:
        cells = []
        for name in LIVE:
            state, text = told.cell(upgrade, name)
            cells.append(_MARKS.get(state) or (f"**{text}**" if state == "score" else text))
        lines.append(f"| {upgrade.title} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _change(group: Group) -> str:
    head = f"- {code(group.change.finding.fingerprint)}: {group.remark}; in {span(group.titles)}."
    if group.reason:
        head += f" {group.reason}"
    return head + "\n\n" + details(group.item)
