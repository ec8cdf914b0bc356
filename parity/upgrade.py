"""Checking an upgrade: one harbor release against another, change by change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path

from oracle.versions import versions
from parity.case import Case
from parity.change import APPEARED, GONE, Change, changes_score, kind_of
from parity.codec import Json
from parity.corpus import Entry
from parity.environments import OUR_PYTHON, Recipe, worker
from parity.errors import CannotRunError
from parity.hello import Hello
from parity.implementation import HARBOR_VERSION, ORACLE, REIMPL, Side, require_oracle
from parity.judge import Finding, charges, diverging
from parity.known import Known
from parity.releases import order
from parity.scratch import scratch
from parity.session import Plan, Watcher, compare
from parity.shelf import Shelf, folder_of
from parity.surfaces import LIVE
from parity.tally import Report
from parity.text import counted

Say = Callable[[str], None]


@dataclass(frozen=True)
class Release:
    """A release at hand: who answers for it, and what it offers."""

    title: str
    """What people call it: `0.15.0`, or `0.13.1 with Python 3.13`."""
    version: str
    side: Side
    surfaces: tuple[str, ...]
    absent: dict[str, str] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)


@dataclass
class Upgrade:
    """What came of one release."""

    title: str
    version: str
    problem: str = ""
    """Why it could not be compared, if so."""
    release: Release | None = None
    report: Report | None = None
    changes: list[Change] = field(default_factory=list)
    moved: dict[str, str] = field(default_factory=dict)
    """Surfaces that only one of the two has, with `surface gone` or `surface appeared` and the reason."""
    known: dict[str, Known] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)
    """What happened on the way and is no change."""

    @property
    def news(self) -> list[str]:
        """The fingerprints of what changed and is not on the list of known changes."""
        moved = self.fingerprints[len(self.changes) :]
        unexcused = [names[0] for names in self.unexcused.values() if names]
        return unexcused + [name for name in moved if name not in self.known]

    @property
    def unexcused(self) -> dict[str, list[str]]:
        """By fingerprint, what the list of known changes does not have of all that a change answers for."""
        charged = charges([change.finding for change in self.changes])
        return {told: [name for name in names if name not in self.known] for told, names in charged.items()}

    @property
    def fingerprints(self) -> list[str]:
        """The fingerprints of all that changed."""
        moved = [f"{name} {said.partition(':')[0]}" for name, said in self.moved.items()]
        return [change.finding.fingerprint for change in self.changes] + moved

    @property
    def shown(self) -> set[str]:
        """All that the cases of its changes show: which of it gives a change its name depends on what came before."""
        return {*self.fingerprints, *(name for change in self.changes for name in change.finding.fingerprints)}

    @property
    def cases(self) -> int:
        """How many cases were compared."""
        return sum(tally.cases for tally in self.report.tallies.values()) if self.report else 0

    @property
    def verdict(self) -> str:
        """What came of it, in one line."""
        if self.problem:
            return f"could not run: {self.problem}"
        number = len(self.changes) + len(self.moved)
        if not number:
            return f"identical on {counted(self.cases, 'case')}"
        scores = sum(change.scores for change in self.changes)
        known = number - len(self.news)
        told = f"{counted(number, 'change')}, {scores} of them change{'s' if scores == 1 else ''} a score"
        return told + (f" ({known} known)" if known else "") + f", on {counted(self.cases, 'case')}"


class Workbench:
    """Makes releases ready, all on one Python and with the same requirements beside harbor."""

    def __init__(self, python: str, pins: tuple[str, ...], say: Say, overrides: tuple[str, ...] = ()) -> None:
        self.overrides = overrides
        self._python = python
        self._pins = pins
        self._say = say
        # What pydantic does otherwise is not harbor's doing, so all releases get the one we compare with.
        self._usual = (
            [] if any(pin.startswith("pydantic=") for pin in pins) else [f"pydantic=={versions()['pydantic']}"]
        )
        self._made: dict[str, Release] = {}

    def first(self, version: str) -> Release:
        """Return the release that the others are compared with, on our own Python."""
        if version != HARBOR_VERSION:
            return Workbench(OUR_PYTHON, (), self._say, self.overrides).release(version)
        require_oracle()
        return Release(version, version, ORACLE, tuple(LIVE), versions=versions())

    def release(self, version: str) -> Release:
        """Return a release in an environment of its own, made if need be."""
        if version not in self._made:
            self._made[version] = self._prepared(version)
        return self._made[version]

    def title(self, version: str) -> str:
        """Return what a release is called, with what is unusual about its environment."""
        name = Path(version).stem if version.endswith(".whl") else version
        unusual = ([f"Python {self._python}"] if self._python != OUR_PYTHON else []) + list(self._pins)
        return f"{name} with {', '.join(unusual)}" if unusual else name

    def _prepared(self, version: str) -> Release:
        try:
            program = worker(self._recipe(version, (*self._usual, *self._pins)), self._say)
        except CannotRunError as error:
            if not self._usual or "pydantic" not in str(error):
                raise
            program = worker(self._recipe(version, self._pins), self._say)
            self._say(f"harbor {version} does not take {self._usual[0]}, and has its own choice of it")
        hello = program.hello()
        title = self.title(version)
        # A surface that nobody can search is none of ours.
        surfaces = tuple(name for name in LIVE if name in hello.surfaces)
        side = replace(program, name=f"harbor {title}")
        return Release(title, hello.version, side, surfaces, hello.absent, _versions(hello))

    def _recipe(self, version: str, pins: tuple[str, ...]) -> Recipe:
        return Recipe(version, self._python, pins, self.overrides)


def _versions(hello: Hello) -> dict[str, str]:
    told = {name: hello.details.get(name) for name in ("python", "pydantic")}
    return {"harbor": hello.version, **{name: value for name, value in told.items() if isinstance(value, str)}}


def compared(before: Release, after: Release, plan: Plan, entries: Iterable[Entry], watcher: Watcher) -> Upgrade:
    """Compare two releases on every surface that both have."""
    both = [name for name in before.surfaces if name in after.surfaces]
    moved = {name: f"{GONE}: {_reason(after, name)}" for name in before.surfaces if name not in both}
    moved |= {name: f"{APPEARED}: {_reason(before, name)}" for name in after.surfaces if name not in both}
    made = Upgrade(after.title, after.version, release=after, moved=moved)
    plan = replace(plan, surfaces=[LIVE[name] for name in both], sides=(before.side, after.side))
    shelf = Shelf(folder_of(plan.sides), plan.seed)
    made.report = compare(plan, entries, watcher, own=shelf.entries())
    with scratch():
        answers, reimpl = before.side.start(), REIMPL.start()
        for finding in made.report.findings:
            if _is_mishap(finding):
                words = finding.b["fault"]["message"]
                made.remarks.append(
                    f"a worker failed on case {finding.case.id} and answered it when asked again: {words}"
                )
                continue
            shelf.put(finding)
            made.changes.append(Change(finding, kind_of(finding), changes_score(finding, answers, reimpl)))
    return made


def _is_mishap(finding: Finding) -> bool:
    """Tell whether a worker failed once and not again: somebody ended it, or memory was short."""
    return "fault" in finding.b and finding.again is not None and "fault" not in finding.again


def _reason(release: Release, surface: str) -> str:
    return release.absent.get(surface, f"{surface} is not in this release")


def dated(upgrades: Sequence[Upgrade], before: Release) -> None:
    """Say of each change in which of the compared releases it first appeared, by asking its case of all of them.

    A release that has a change as well, and whose own comparison did not come upon it, gets it here.
    """
    done = [upgrade for upgrade in upgrades if upgrade.release is not None]
    changes = [change for upgrade in done for change in upgrade.changes]
    cases = {change.finding.case.id: change.finding.case for change in changes}
    truth = _answers(before.side, cases.values())
    found = {upgrade.title: _differing(cases, truth, upgrade.release) for upgrade in done if upgrade.release}
    with scratch():
        answers, reimpl = before.side.start(), REIMPL.start()
        for upgrade in done:
            for finding in _others(upgrade, changes, found[upgrade.title]):
                upgrade.changes.append(Change(finding, kind_of(finding), changes_score(finding, answers, reimpl)))
    for upgrade in done:
        way = _way(upgrade, before, done)
        upgrade.changes = [replace(change, since=_first(change, way, found)) for change in upgrade.changes]


def _others(upgrade: Upgrade, changes: Iterable[Change], found: dict[str, Finding]) -> Iterator[Finding]:
    """Yield what other comparisons found and is so in this release too; a case that tells of a change here tells it."""
    told = {change.finding.case.id for change in upgrade.changes}
    named = set(upgrade.fingerprints)
    for change in changes:
        name, case = change.finding.fingerprint, change.finding.case.id
        if name not in named and case not in told and case in found and name in found[case].fingerprints:
            named.add(name)
            told.add(case)
            yield found[case].about(name)


def _way(upgrade: Upgrade, before: Release, done: list[Upgrade]) -> list[str]:
    """Return the releases between the start and this one, this one first."""
    if not order(upgrade.version) or upgrade.version == before.version:
        return [upgrade.title]
    low, high = sorted((order(upgrade.version), order(before.version)))
    between = [other for other in done if low <= order(other.version) <= high and other.version != before.version]
    between.sort(key=lambda other: order(other.version), reverse=order(upgrade.version) > order(before.version))
    return [other.title for other in between]


def _first(change: Change, way: list[str], found: dict[str, dict[str, Finding]]) -> str:
    """Return the release nearest to the start from which on the case differs in this way."""
    first = way[0]
    for title in way:
        there = found[title].get(change.finding.case.id)
        if there is None or change.finding.fingerprint not in there.fingerprints:
            break  # it may differ in another way: a whole job has many
        first = title
    return first


def _answers(side: Side, cases: Iterable[Case]) -> dict[str, Json]:
    with scratch():
        answers = side.start()
        return {case.id: answers(case.surface, [case.native()])[0] for case in cases}


def _differing(cases: dict[str, Case], truth: dict[str, Json], release: Release) -> dict[str, Finding]:
    asked = {name: case for name, case in cases.items() if case.surface in release.surfaces}
    answers = _answers(release.side, asked.values())
    found = {name: diverging(case, truth[name], answers[name]) for name, case in asked.items()}
    return {name: finding for name, finding in found.items() if finding is not None}


def excused(upgrade: Upgrade, known: Iterable[Known], today: date) -> dict[str, Known]:
    """Return what a list of known changes says of a release, by fingerprint."""
    return {each.fingerprint: each for each in known if each.covers(upgrade.version) and not each.expired(today)}


def stale(upgrades: Iterable[Upgrade], known: Iterable[Known]) -> list[Known]:
    """Return the known changes that none of the releases they are about shows, if any of those was compared in full."""
    found = []
    for each in known:
        about = [upgrade for upgrade in upgrades if upgrade.report is not None and each.covers(upgrade.version)]
        whole = any(upgrade.report is not None and not upgrade.report.partial for upgrade in about)
        if whole and not any(each.fingerprint in upgrade.shown for upgrade in about):
            found.append(each)
    return found


def bisected(
    case: Case, fingerprint: str, before: Release, titles: list[str], prepare: Callable[[str], Release]
) -> str:
    """Return the first of these releases, nearest to the start first, in which a case has this change from the start.

    The last of them is known to.
    """
    truth = _answers(before.side, [case])
    low, high = 0, len(titles) - 1
    while low < high:
        middle = (low + high) // 2
        found = _differing({case.id: case}, truth, prepare(titles[middle])).get(case.id)
        if found is not None and fingerprint in found.fingerprints:
            high = middle
        else:
            low = middle + 1
    return titles[low]
