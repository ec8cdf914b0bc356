"""The report for machines: one JSON document, with a version; `parity merge` reads it again."""

from __future__ import annotations

import json

from oracle.versions import versions
from parity.codec import Json
from parity.summary import Item, drifted_item, found_items
from parity.surfaces import SURFACES
from parity.tally import Report, Tally

VERSION = 1


def finding_json(item: Item) -> Json:
    """Return one divergence: fingerprint, minimal case, outcomes, and where they differ."""
    finding = item.finding
    return {
        "fingerprint": finding.fingerprint,
        "rule": item.rule,
        "remark": item.remark,
        "case": finding.case.id,
        **finding.case.to_json(),
        "a": finding.a,
        "b": finding.b,
        "again": finding.again,
        "differs": [
            {"path": divergence.path, "kind": divergence.kind, "a": divergence.a, "b": divergence.b}
            for divergence in finding.divergences
        ],
        "seen": item.seen,
        "note": finding.note,
        "command": item.command,
    }


def tally_json(tally: Tally, items: list[Item]) -> Json:
    """Return what was compared on one surface."""
    return {
        "surface": tally.surface,
        "recorded": SURFACES[tally.surface].recorded or None,
        "cases": {"corpus": tally.corpus, "exhaustive": tally.exhaustive, "generated": tally.generated},
        "skipped": dict(tally.skipped),
        "seconds": round(tally.seconds, 3),
        "divergences": [finding_json(item) for item in items if item.finding.case.surface == tally.surface],
    }


def report_json(report: Report) -> Json:
    """Return the whole report."""
    plan, items = report.plan, list(found_items(report))
    return {
        "version": VERSION,
        "kind": "run",
        "date": report.today.isoformat(),
        "a": plan.sides[0].name,
        "b": plan.sides[1].name,
        "oracle": versions(),
        "seed": plan.seed,
        "examples": plan.examples,
        "minutes": plan.minutes,
        "level": plan.level.value,
        "shard": list(plan.shard),
        "shards": list(report.shards),
        "stopped": report.stopped,
        "partial": report.partial,
        "verdict": {0: "parity", 1: "divergence"}.get(report.exit_code, "stopped"),
        "known": [
            {
                "fingerprint": known.fingerprint,
                "reason": known.reason,
                "since": known.since.isoformat(),
                "expires": known.expires.isoformat() if known.expires else None,
                "occurs": known.fingerprint in report.shown,
            }
            for known in report.known
        ],
        "relaxations": [
            {"surface": surface.name, "name": relaxation.name, "reason": relaxation.reason}
            for surface in plan.surfaces
            for relaxation in surface.relaxations
        ],
        "surfaces": [tally_json(tally, items) for tally in report.tallies.values()],
        "drifted": [
            {"corpus": entry.name, **finding_json(drifted_item(entry, finding))}
            for entry, finding in report.replayed.drifted
        ],
    }


def json_text(report: Report) -> str:
    """Write the report as JSON text."""
    return json.dumps(report_json(report), indent=1) + "\n"
