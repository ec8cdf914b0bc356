"""Reports to write: one of parity, one of real faults, one of data that would break out of a page, one of thousands."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from parity import corpus
from parity.case import Case
from parity.codec import Record, encode
from parity.compare import Divergence
from parity.corpus import Entry
from parity.implementation import ORACLE, Implementation
from parity.judge import Finding, Judge, diverging
from parity.replay import Replay, replay
from parity.scratch import scratch
from parity.session import Plan
from parity.surfaces import chosen
from parity.tally import Report, Tally
from tests.miniatures import GALLERY

BREAKOUTS = (
    "<script>document.documentElement.dataset.owned = 1; alert(1)</script>",
    "</pre></details><img src=x onerror='document.documentElement.dataset.owned = 1; alert(1)'>",
    "\"'><svg onload='document.documentElement.dataset.owned = 1; alert(1)'>",
    "<!-- <style>body{display:none}</style>",
    "]]>",
    "&lt;b&gt;&#60;b&#62;&amp;",
    "```\n</details>\n# out\n```````",
    "a|b\\|c`d`\n\n| x |",
    "\x00\x01\x1b[31m\x7f\x85\ufffe\uffff",
    "\ud800 lone \udfff",
    "\u202eright to left\u2028another line\ufeff",
    "[link](javascript:alert(1)) ![image](https://example.com/x.png)",
    "x" * 10_000,
    "`" * 2_000,
)
"""Texts that a case may hold, and that a careless report would take for markup, or could not write at all."""


def quiet() -> Report:
    """Return a report of parity on every surface."""
    plan = Plan(chosen(None), 1000, 0, 2)
    tallies = {
        surface.name: Tally(surface.name, 37 * number, 0 if surface.recorded else 4_218 * number, 0, 0.37 * number)
        for number, surface in enumerate(plan.surfaces, start=1)
    }
    for surface in plan.surfaces:
        tallies[surface.name].generated = 0 if surface.recorded else plan.examples
    return Report(plan, tallies, Replay())


def telling() -> Report:
    """Return a report of faults that people make, found by replaying the corpus, and of one case outside it."""
    report = quiet()
    report.plan = replace(report.plan, sides=(Implementation("wrong", ""), ORACLE))
    report.replayed = Replay()
    for name in ("txt_before_json", "naive_summation", "closed_form", "json_dumps_floats", "weights_not_normalised"):
        _take(report, name)
    with scratch():
        judge = Judge(Implementation("wrong", "tests.miniatures:threshold_must_be_exceeded"), ORACLE)
        finding = judge.finding("min_reward", Record({"rewards": {"reward": 0}, "min_reward": 0.0}))
    assert finding is not None
    report.tallies["min_reward"].add(finding)
    report.tallies["min_reward"].seen[finding.fingerprint] = 1312
    entry = report.replayed.entries[0]
    drift = diverging(entry.case, {"value": {"dict": []}}, entry.expect, entry.note)
    assert drift is not None
    report.replayed.drifted.append((entry, drift))
    return report


def _take(report: Report, miniature: str) -> None:
    surface = GALLERY[miniature]
    wrong = Implementation("wrong", f"tests.miniatures:{miniature}")
    done = replay(corpus.entries([corpus.folder() / surface]), sides=(wrong, ORACLE), recorded=False)
    assert done.diverged, miniature
    report.replayed.entries += done.entries
    report.replayed.seconds |= done.seconds
    report.replayed.diverged += done.diverged
    for _, finding in done.diverged:
        report.tallies[surface].add(finding)


def hostile() -> Report:
    """Return a report in which everything that comes from a case, a note or an implementation would break out."""
    report = quiet()
    report.plan = replace(report.plan, sides=(Implementation("".join(BREAKOUTS[:4]), ""), Implementation("`a|b`", "")))
    for number, text in enumerate(BREAKOUTS):
        finding = hostile_finding(number, text)
        report.tallies["metric"].findings[finding.fingerprint] = finding
        report.tallies["metric"].seen[finding.fingerprint] = number + 1
        entry = _entry(finding, f"{number}-{text[:30]}".replace("/", "").replace("\x00", ""))
        report.replayed.entries.append(entry)
        report.replayed.diverged.append((entry, finding))
        report.replayed.drifted.append((entry, finding))
    return report


def hostile_finding(number: int, text: str) -> Finding:
    """Return a finding with this text in its key, its values, its error, its path and its note."""
    case = Case("metric", {**encode(Record({"metric": text, "rewards": [{text: 0.5}, {text: number}]})), text: text})
    a: dict[str, Any] = {"value": encode({text: text, "bytes": text.encode("utf-8", "surrogatepass") + b"\n\xff"})}
    b = {"error": {"type": f"Error {text}", "message": text}} if number % 2 else {"value": encode({text: text + "!"})}
    places = (
        Divergence(f"value[{text}]", f"value[*]{number}{text}", f"str ≠ {text}", text, f"{text}!"),
        Divergence("value", "value", "float differs", "0.1", "0.10000000000000002"),
        Divergence("value", "value", "number differs", "1e999", text),
    )
    return Finding(case, a, b, places, note=text)


def crowded(cases: int) -> Report:
    """Return a report of many corpus cases, every tenth of which drifted."""
    report = quiet()
    for number in range(cases):
        input = encode(Record({"metric": "mean", "rewards": [{"reward": number}]}))
        finding = diverging(Case("metric", input), {"value": encode({"mean": 0.5})}, {"value": encode({"mean": 0.25})})
        assert finding is not None
        entry = _entry(finding, f"case-{number}")
        report.replayed.entries.append(entry)
        if number % 10 == 0:
            report.replayed.drifted.append((entry, finding))
    return report


def _entry(finding: Finding, name: str) -> Entry:
    path = Path("corpus", finding.case.surface, f"{name}.json")
    return Entry(path, finding.case, finding.note, finding.b, {"harbor": "0.13.1"}, "by hand")
