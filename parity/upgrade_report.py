"""What `parity upgrade` prints and writes."""

from __future__ import annotations

import json

from rich.console import Console
from rich.table import Table

from parity.codec import Json
from parity.report import panel
from parity.report_json import finding_json
from parity.surfaces import LIVE
from parity.upgrade import Upgrade
from parity.upgrade_summary import Group, Told, span

VERSION = 1
_STYLES = {"identical": "green", "score": "bold red", "changed": "yellow", "absent": "dim", "unknown": "bold red"}


def print_told(out: Console, told: Told) -> None:
    """Print every change, the table of releases and surfaces, and a verdict a release."""
    if told.overrides:
        out.print(f"installed whatever harbor declares: {', '.join(told.overrides)}", markup=False)
    for group in told.groups:
        out.print(panel(group.item))
        out.print(f"in {span(group.titles)}" + (f"; known: {group.reason}" if group.reason else ""), markup=False)
    out.print(_table(told))
    for upgrade in told.upgrades:
        for name, why in upgrade.moved.items():
            out.print(f"harbor {upgrade.title}: {name}: {why}", markup=False, soft_wrap=True)
        for remark in upgrade.remarks:
            out.print(f"harbor {upgrade.title}: {remark}", markup=False, soft_wrap=True)
    for known in told.stale:
        out.print(f"no longer occurs, though listed as known: {known.fingerprint}", markup=False, soft_wrap=True)
    for upgrade in told.upgrades:
        out.print(f"harbor {upgrade.title}: {upgrade.verdict}", markup=False, soft_wrap=True)


def _table(told: Told) -> Table:
    made = Table("release", *LIVE, caption="= identical, – not in this release, a number of changes")
    for upgrade in told.upgrades:
        cells = [told.cell(upgrade, name) for name in LIVE]
        made.add_row(upgrade.title, *(f"[{_STYLES[state]}]{text}[/]" for state, text in cells))
    return made


def json_text(told: Told) -> str:
    """Write it as JSON."""
    document = {
        "version": VERSION,
        "kind": "upgrade",
        "from": {"release": told.before.title, "versions": told.before.versions},
        "overrides": list(told.overrides),
        "releases": [_release_json(told, upgrade) for upgrade in told.upgrades],
        "changes": [_change_json(group) for group in told.groups],
        "stale": [known.fingerprint for known in told.stale],
    }
    return json.dumps(document, indent=1) + "\n"


def _release_json(told: Told, upgrade: Upgrade) -> Json:
    return {
        "release": upgrade.title,
        "versions": upgrade.release.versions if upgrade.release else {},
        "verdict": upgrade.verdict,
        "problem": upgrade.problem or None,
        "cases": upgrade.cases,
        "changes": len(upgrade.changes) + len(upgrade.moved),
        "score_changes": sum(change.scores for change in upgrade.changes),
        "new": upgrade.news,
        "surfaces": {name: told.cell(upgrade, name)[0] for name in LIVE},
        "moved": upgrade.moved,
    }


def _change_json(group: Group) -> Json:
    return {
        **finding_json(group.item),
        "kind": group.change.kind,
        "since": group.change.since,
        "changes_score": group.change.scores,
        "releases": group.titles,
        "known": group.reason or None,
    }
