"""What every report on upgrades says: each change once, with the releases that have it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

from parity.change import Change
from parity.known import Known
from parity.releases import order
from parity.summary import Item, diverged_item
from parity.surfaces import LIVE
from parity.upgrade import Release, Upgrade

IDENTICAL, ABSENT, UNKNOWN = "identical", "absent", "unknown"


@dataclass
class Group:
    """One change, in all the releases that have it."""

    change: Change
    item: Item
    before: str
    """The release that it is a change from."""
    titles: list[str] = field(default_factory=list)
    reason: str = ""
    """What the list of known changes says of it."""

    @property
    def surface(self) -> str:
        """The surface it is on."""
        return self.change.finding.case.surface

    @property
    def remark(self) -> str:
        """Its kind, since when or until when, and whether it matters."""
        scores = "changes a score" if self.change.scores else "changes no score"
        is_older = () < order(self.change.since) < order(self.before)
        return f"{self.change.kind}, {'up to' if is_older else 'since'} {self.change.since}, {scores}"


@dataclass
class Told:
    """What came of comparing releases with one."""

    before: Release
    upgrades: list[Upgrade]
    stale: list[Known]
    overrides: tuple[str, ...] = ()
    """What was installed in every environment, whatever harbor declares."""

    @cached_property
    def groups(self) -> list[Group]:
        """Every change once: the same fingerprint since the same release is the same change."""
        made: dict[tuple[str, str], Group] = {}
        for upgrade in self.upgrades:
            unexcused = upgrade.unexcused
            for change in upgrade.changes:
                assert upgrade.report is not None  # noqa: S101  (what changed was compared)
                name = change.finding.fingerprint
                item = diverged_item(upgrade.report, change.finding, blamed=name)
                group = made.setdefault((name, change.since), Group(change, item, self.before.version))
                if change.finding.size < group.change.finding.size:
                    group.change, group.item = change, item
                group.titles.append(upgrade.title)
                if not unexcused[name]:
                    group.reason = upgrade.known[name].reason
        for group in made.values():
            group.item = replace(group.item, remark=group.remark)
        return sorted(made.values(), key=lambda group: (list(LIVE).index(group.surface), order(group.change.since)))

    def cell(self, upgrade: Upgrade, surface: str) -> tuple[str, str]:
        """Return the state of a surface in a release: a word to colour by, and what stands there."""
        if upgrade.problem:
            return UNKNOWN, "?"
        if surface in upgrade.moved or upgrade.release is None or surface not in upgrade.release.surfaces:
            return ABSENT, "–"
        changes = [change for change in upgrade.changes if change.finding.case.surface == surface]
        if not changes:
            return IDENTICAL, "="
        return ("score" if any(change.scores for change in changes) else "changed"), str(len(changes))

    @property
    def exit_code(self) -> int:
        """0 identical or known, 1 changes or a list that is not true, 2 could not run, 130 stopped."""
        if self.stale or any(upgrade.news for upgrade in self.upgrades):
            return 1
        if any(upgrade.problem for upgrade in self.upgrades):
            return 2
        return 130 if any(upgrade.report and upgrade.report.stopped for upgrade in self.upgrades) else 0


def span(titles: list[str]) -> str:
    """Write a list of releases by its ends."""
    return titles[0] if len(titles) == 1 else f"{titles[0]} to {titles[-1]} ({len(titles)} releases)"
