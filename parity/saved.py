"""Findings kept on disk, as corpus files outside the corpus."""

from __future__ import annotations

import re
from pathlib import Path

from oracle.versions import versions
from parity import corpus
from parity.judge import Finding

FOLDER = Path(".parity")


def save(finding: Finding, found: str) -> Path:
    """Write a finding where it can be shown again, in the form in which the corpus would take it."""
    words = re.sub(r"[^a-z0-9]+", "-", finding.fingerprint.partition(" ")[2].lower()).strip("-")
    path = FOLDER / finding.case.surface / f"{words[:60]}-{finding.case.id}.json"
    corpus.write(corpus.Entry(path, finding.case, finding.fingerprint, finding.b, versions(), found))
    return path
