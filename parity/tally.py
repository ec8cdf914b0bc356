"""What a session compared, counted surface by surface."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from parity.judge import Finding, merged
from parity.replay import Replay

if TYPE_CHECKING:  # these need Hypothesis, and a report can be read without it
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

    @property
    def cases(self) -> int:
        """All cases judged."""
        return self.corpus + self.exhaustive + self.generated

    def add(self, finding: Finding) -> None:
        """Take in a finding."""
        before = self.findings.get(finding.fingerprint)
        self.findings[finding.fingerprint] = merged(before, finding) if before else finding

    def take(self, result: Result) -> None:
        """Take in the result of a unit."""
        setattr(self, result.unit.tier, getattr(self, result.unit.tier) + result.cases)
        self.seconds += result.seconds
        for finding in result.findings.values():
            self.add(finding)


@dataclass
class Report:
    """What a session compared, and what came of it."""

    plan: Plan
    tallies: dict[str, Tally]
    replayed: Replay
    stopped: bool = False
    """The user ended the session before its plan was done."""

    @property
    def findings(self) -> list[Finding]:
        """Every divergence, one a fingerprint."""
        return [finding for tally in self.tallies.values() for finding in tally.findings.values()]

    @property
    def exit_code(self) -> int:
        """0 parity, 1 divergence, 130 stopped by the user with none found so far."""
        if self.findings or self.replayed.drifted:
            return 1
        return 130 if self.stopped else 0
