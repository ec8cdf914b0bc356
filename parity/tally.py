"""What a session compared, counted surface by surface."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from parity import exhaustive
from parity.judge import MOST, Finding, charges, news
from parity.replay import Replay

if TYPE_CHECKING:  # these need Hypothesis or a newer Python, and a report can be read without them
    from parity.known import Known
    from parity.search import Result
    from parity.session import Plan


@dataclass
class Tally:
    """What was compared on one surface."""

    surface: str
    corpus: int = 0
    exhaustive: int = 0
    generated: int = 0
    seconds: float = 0.0
    findings: dict[str, Finding] = field(default_factory=dict)
    """By fingerprint, the plainest."""
    seen: Counter[str] = field(default_factory=Counter)
    """By fingerprint, how many cases showed it."""
    skipped: Counter[str] = field(default_factory=Counter)
    """Cases that the implementation did not answer, by reason: they are among the cases, and prove nothing."""

    @property
    def cases(self) -> int:
        """All cases judged."""
        return self.corpus + self.exhaustive + self.generated

    def add(self, finding: Finding) -> None:
        """Keep a finding for what it is the plainest case of, and for the first that it adds."""
        for name in finding.fingerprints:
            before = self.findings.get(name)
            if before and finding.size < before.size and self._would_tell(name, finding):
                self.findings[name] = finding.about(name)
                self._keep_new(before)
        self._keep_new(finding)

    def take(self, result: Result) -> None:
        """Take in the result of a unit; what is tried to make a case of its slice smaller is generated."""
        unit = result.unit
        small = exhaustive.count(unit.surface, unit.part, unit.parts) if unit.tier == "exhaustive" else 0
        self.exhaustive += small
        self.generated += result.cases - small
        self.seconds += result.seconds
        self.skipped += result.skipped
        self.seen += result.seen
        for finding in (*result.told.values(), *result.retold.values()):
            self.add(finding)

    def _would_tell(self, name: str, finding: Finding) -> bool:
        """Tell whether a finding has this to tell that the others have not: one case is told once."""
        others = {other: found for other, found in self.findings.items() if other != name}
        return name in news(finding.fingerprints, others)

    def _keep_new(self, finding: Finding) -> None:
        if new := news(finding.fingerprints, self.findings):
            self.findings[new[0]] = finding.about(new[0])


@dataclass
class Report:
    """What a session compared, and what came of it."""

    plan: Plan
    tallies: dict[str, Tally]
    replayed: Replay
    stopped: bool = False
    """The user ended the session before its plan was done."""
    known: list[Known] = field(default_factory=list)
    today: date = field(default_factory=date.today)
    files: dict[str, str] = field(default_factory=dict)
    """By fingerprint, the file that keeps a finding."""
    merged: tuple[int, ...] = ()
    """The numbers of the shards that are summed up here, if it is not one report alone."""
    shortfall: str = ""
    """Why one of the reports that are summed up here was partial."""

    def take_replay(self, replayed: Replay, elsewhere: Collection[Path] = ()) -> None:
        """Take in what became of cases that were kept; files that another shard replays as well are counted there."""
        self.replayed = replayed
        for entry in replayed.entries:
            self.tallies[entry.case.surface].corpus += entry.path not in elsewhere
        for name, seconds in replayed.seconds.items():
            self.tallies[name].seconds += seconds
        # The plainest first: what it shows is known, and a case that shows more is kept for that.
        for entry, finding in sorted(replayed.diverged, key=lambda pair: pair[1].size):
            self.tallies[entry.case.surface].add(finding)
            if entry.path not in elsewhere:
                self.tallies[entry.case.surface].seen.update(finding.fingerprints)
        for (name, why), skipped in replayed.skipped.items():
            self.tallies[name].skipped[why] += skipped

    @property
    def shards(self) -> tuple[int, ...]:
        """Which parts of the work this is, of as many as the plan says."""
        return self.merged or (self.plan.shard[0],)

    @property
    def findings(self) -> list[Finding]:
        """Every divergence, one a fingerprint."""
        return [finding for tally in self.tallies.values() for finding in tally.findings.values()]

    @property
    def shown(self) -> set[str]:
        """All that the cases of its divergences show."""
        return set[str]().union(*(finding.fingerprints for finding in self.findings))

    @property
    def excuses(self) -> dict[str, Known]:
        """The known divergences that occurred, by fingerprint."""
        shown = self.shown
        valid = (each for each in self.known if not each.expired(self.today))
        return {each.fingerprint: each for each in valid if each.fingerprint in shown}

    @property
    def unexcused(self) -> dict[str, list[str]]:
        """By fingerprint, what nothing excuses of all that a divergence answers for."""
        excuses = self.excuses
        return {
            name: [each for each in charged if each not in excuses] for name, charged in charges(self.findings).items()
        }

    @property
    def blamed(self) -> list[str]:
        """The fingerprints of the divergences that nothing excuses."""
        return [name for name, blamed in self.unexcused.items() if blamed]

    @property
    def stale(self) -> list[Known]:
        """Known divergences that did not occur, though everything was done that could have shown them."""
        if self.partial:
            return []
        shown = self.shown
        return [each for each in self.known if each.surface in self.tallies and each.fingerprint not in shown]

    @property
    def partial(self) -> str:
        """Why this is not all that there is to compare on its surfaces, or nothing."""
        if self.stopped:
            return "it was stopped before the end"
        number, of = self.plan.shard
        if of > 1:
            several = len(self.shards) > 1
            return f"it is {len(self.shards)} of {of} shards" if several else f"it is shard {number} of {of}"
        return self.shortfall or self._untried or self._left_off

    @property
    def _untried(self) -> str:
        """Say where the time was up before every small input was tried."""
        if self.plan.minutes is None:
            return ""
        names = [name for name, tally in self.tallies.items() if tally.exhaustive < exhaustive.count(name)]
        return f"the time was up before every small input of {', '.join(names)} was tried" if names else ""

    @property
    def _left_off(self) -> str:
        """Say where so much diverged that no more was looked for."""
        names = [name for name, tally in self.tallies.items() if len(tally.findings) >= MOST]
        return f"no more than about {MOST} divergences of {', '.join(names)} were looked for" if names else ""

    @property
    def exit_code(self) -> int:
        """0 parity, 1 divergence or a list of known ones that is not true, 130 stopped with none found so far."""
        if self.blamed or self.stale or self.replayed.drifted:
            return 1
        return 130 if self.stopped else 0
