"""The report for machines: one JSON document, with a version."""

from __future__ import annotations

import json

from oracle.versions import versions
from parity.codec import Json
from parity.judge import Finding
from parity.surfaces import SURFACES
from parity.tally import Report, Tally

VERSION = 1


def finding_json(finding: Finding) -> Json:
    """Return one divergence: fingerprint, minimal case, both outcomes, and where they differ."""
    return {
        "fingerprint": finding.fingerprint,
        "rule": SURFACES[finding.case.surface].rules,
        "case": finding.case.id,
        **finding.case.to_json(),
        "a": finding.a,
        "b": finding.b,
        "differs": [
            {"path": divergence.path, "kind": divergence.kind, "a": divergence.a, "b": divergence.b}
            for divergence in finding.divergences
        ],
        "seen": finding.seen,
    }


def tally_json(tally: Tally) -> Json:
    """Return what was compared on one surface."""
    return {
        "surface": tally.surface,
        "recorded": SURFACES[tally.surface].recorded or None,
        "cases": {"corpus": tally.corpus, "exhaustive": tally.exhaustive, "generated": tally.generated},
        "seconds": round(tally.seconds, 3),
        "divergences": [finding_json(finding) for finding in tally.findings.values()],
    }


def report_json(report: Report) -> Json:
    """Return the whole report."""
    return {
        "version": VERSION,
        "kind": "run",
        "a": report.plan.sides[0].name,
        "b": report.plan.sides[1].name,
        "oracle": versions(),
        "seed": report.plan.seed,
        "examples": report.plan.examples,
        "stopped": report.stopped,
        "verdict": {0: "parity", 1: "divergence"}.get(report.exit_code, "stopped"),
        "relaxations": [
            {"surface": surface.name, "name": relaxation.name, "reason": relaxation.reason}
            for surface in report.plan.surfaces
            for relaxation in surface.relaxations
        ],
        "surfaces": [tally_json(tally) for tally in report.tallies.values()],
        "drifted": [{"corpus": entry.name, **finding_json(finding)} for entry, finding in report.replayed.drifted],
    }


def json_text(report: Report) -> str:
    """Write the report as JSON text."""
    return json.dumps(report_json(report), indent=1) + "\n"
