"""What a session compared, counted surface by surface."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import date
from typing import TYPE_CHECKING

from parity import exhaustive
from parity.judge import Finding, charged, news
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
    skipped: Counter[str] = field(default_factory=Counter)
    """Cases that the implementation did not answer, by reason: they are among the cases, and prove nothing."""

    @property
    def cases(self) -> int:
        """All cases judged."""
        return self.corpus + self.exhaustive + self.generated

    def add(self, finding: Finding) -> None:
        """Take in a finding: it is counted for what is there already, and kept for the first that it adds."""
        for name in [name for name in finding.fingerprints if name in self.findings]:
            self._merge(finding.about(name))
        self._keep_new(finding)

    def take(self, result: Result) -> None:
        """Take in the result of a unit; what is tried to make a case of its slice smaller is generated."""
        unit = result.unit
        small = exhaustive.count(unit.surface, unit.part, unit.parts) if unit.tier == "exhaustive" else 0
        self.exhaustive += small
        self.generated += result.cases - small
        self.seconds += result.seconds
        self.skipped += result.skipped
        for finding in result.told.values():
            self.add(replace(finding, seen=0))
        for name in result.retold.keys() & self.findings.keys():
            self._merge(replace(result.retold[name], seen=0))
        for name in result.seen.keys() & self.findings.keys():
            known = self.findings[name]
            self.findings[name] = replace(known, seen=known.seen + result.seen[name])

    def _merge(self, finding: Finding) -> None:
        """Keep the plainer case of a fingerprint, and the other one too if it alone shows something else."""
        before = self.findings.get(finding.fingerprint)
        if before is None:
            self.findings[finding.fingerprint] = finding
            return
        plainer, other = sorted((before, finding), key=lambda each: each.size)
        self.findings[finding.fingerprint] = replace(plainer, seen=before.seen + finding.seen)
        self._keep_new(other)

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
    shards: int = 1
    """How many shards of a hunt are summed up here."""

    @property
    def findings(self) -> list[Finding]:
        """Every divergence, one a fingerprint."""
        return [finding for tally in self.tallies.values() for finding in tally.findings.values()]

    @property
    def excuses(self) -> dict[str, Known]:
        """The known divergences that occurred, by fingerprint."""
        valid = (each for each in self.known if not each.expired(self.today))
        return {each.fingerprint: each for each in valid if each.fingerprint in self.shown}

    @property
    def shown(self) -> set[str]:
        """All that the cases of its divergences show."""
        return set[str]().union(*(finding.fingerprints for finding in self.findings))

    def unexcused(self, finding: Finding) -> list[str]:
        """Return what nothing excuses of all that a finding answers for."""
        excuses = self.excuses
        return [name for name in charged(finding, self.findings) if name not in excuses]

    @property
    def blamed(self) -> list[Finding]:
        """The divergences that nothing excuses."""
        return [finding for finding in self.findings if self.unexcused(finding)]

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
        if of == 1:
            return self._untried
        return f"it is shard {number} of {of}" if self.shards == 1 else f"it is {self.shards} of {of} shards"

    @property
    def _untried(self) -> str:
        """Say where the time was up before every small input was tried."""
        if self.plan.minutes is None:
            return ""
        names = [name for name, tally in self.tallies.items() if tally.exhaustive < exhaustive.count(name)]
        return f"the time was up before every small input of {', '.join(names)} was tried" if names else ""

    @property
    def exit_code(self) -> int:
        """0 parity, 1 divergence or a list of known ones that is not true, 130 stopped with none found so far."""
        if self.blamed or self.stale or self.replayed.drifted:
            return 1
        return 130 if self.stopped else 0
