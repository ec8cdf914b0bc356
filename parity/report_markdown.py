"""The report for a CI job's summary: Markdown that stays small and that no case can break out of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

from parity.level import Level
from parity.summary import (
    Item,
    clipped,
    contest,
    drifted_item,
    found_items,
    places,
    verdict,
    visible,
    visible_line,
)
from parity.tally import Report, Tally
from parity.text import counted, input_text, outcome_text

LIMIT = 100_000
"""Bytes: a job's summary may have ten times as many, and several steps may write to it."""
_NOTE = 200
"""Bytes kept free for the line that says how many divergences are not shown."""
_BLOCK = 2000
"""Characters in one fenced block."""
_COLUMNS = ("corpus", "exhaustive", "generated", "cases", "divergences", "seconds")


def markdown(report: Report) -> str:
    """Return the report as Markdown of at most LIMIT bytes."""
    parts = [_head(report), _table(list(report.tallies.values())), _exceptions(report)]
    room = LIMIT - _NOTE - sum(_size(part) for part in parts)
    items = list(_items(report))
    shown = 0
    for item in items:
        part = details(item)
        room -= _size(part)
        if room < 0:
            break
        parts.append(part)
        shown += 1
    if shown < len(items):
        parts.append(f"**{len(items) - shown:,} more are not shown here**: the HTML and JSON reports have them.\n")
    return "\n".join(part for part in parts if part)


def _size(part: str) -> int:
    return len(part.encode()) + 1


def _items(report: Report) -> Iterator[Item]:
    yield from found_items(report)
    for entry, finding in report.replayed.drifted:
        yield drifted_item(entry, finding)


def _head(report: Report) -> str:
    said = verdict(report)
    mark = {"parity": "✅", "diverged": "❌", "stopped": "⚠️"}[said.state]
    return f"## {mark} {said.headline}\n\n{code(contest(report))}, seed {report.plan.seed}. {said.detail}\n"


def _table(tallies: list[Tally]) -> str:
    lines = [f"| surface | {' | '.join(_COLUMNS)} |", f"|:---|{'---:|' * len(_COLUMNS)}"]
    lines += [f"| {code(tally.surface)} | {' | '.join(_cells([tally]))} |" for tally in tallies]
    lines.append(f"| **all** | {' | '.join(f'**{cell}**' for cell in _cells(tallies))} |")
    return "\n".join(lines) + "\n"


def _cells(tallies: list[Tally]) -> list[str]:
    counts = [sum(getattr(tally, name) for tally in tallies) for name in _COLUMNS[:4]]
    counts.append(sum(len(tally.findings) for tally in tallies))
    return [f"{count:,}" for count in counts] + [f"{sum(tally.seconds for tally in tallies):.1f}"]


def _exceptions(report: Report) -> str:
    lines = [
        f"- {code(surface.name)} relaxed, {code(relaxation.name)}: {relaxation.reason}"
        for surface in report.plan.surfaces
        for relaxation in surface.relaxations
    ]
    lines += [
        f"- {code(surface.name)} recorded: {surface.recorded}" for surface in report.plan.surfaces if surface.recorded
    ]
    lines += [
        f"- {code(tally.surface)}: {counted(number, 'case')} not answered: {_text(why, 300)}"
        for tally in report.tallies.values()
        for why, number in tally.skipped.items()
    ]
    if report.plan.level is not Level.exact:
        lines.append(f"- compared at the level {code(report.plan.level.value)}, so not everything of an outcome counts")
    lines += [f"- no longer occurs, though listed as known: {code(known.fingerprint)}" for known in report.stale]
    return _folded("Relaxations and recordings", ["\n".join(lines)]) if lines else ""


def details(item: Item) -> str:
    """Fold one divergence: input, both outcomes, where they differ, and the way to see it again."""
    finding = item.finding
    title = f"<code>{_text(finding.fingerprint, 300)}</code>"
    if item.seen > 1:
        title += f" (seen {item.seen:,} times)"
    if item.remark:
        title += f" {_text(item.remark, 300)}"
    # In an HTML block, which a blank line ends, nothing but an entity or a tag means anything: no note has either.
    blocks = [f"<p>{_text(finding.note, 600)}</p>"] if finding.note else []
    blocks += ["**Input**", _fenced(input_text(finding.case.input))]
    for name, outcome in item.sides:
        blocks += [f"**Outcome** of {code(name)}", _fenced(outcome_text(outcome))]
    blocks += ["**Differs at**", _fenced(places(finding, limit=400))]
    blocks += ["**Rule**", f"<p>{_text(item.rule, 1000)}</p>", "**See again**", _fenced(item.command, "sh", 5000)]
    return _folded(title, blocks)


def _folded(title: str, blocks: list[str]) -> str:
    return f"<details><summary>{title}</summary>\n\n" + "\n\n".join(blocks) + "\n\n</details>\n"


def _fenced(text: str, language: str = "text", limit: int = _BLOCK) -> str:
    """Put a text into a code block whose fence is longer than any run of backticks in it."""
    shown = visible(clipped(text, limit))
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", shown)), default=0))
    return f"{fence}{language}\n{shown}\n{fence}"


def _text(text: str, limit: int) -> str:
    """Write a text for an HTML block: one line, no tags."""
    return escape(visible_line(clipped(text, limit)))


def code(text: str) -> str:
    """Write a text as code amid Markdown; what could be markup becomes an entity, which never is."""
    shown = visible_line(clipped(text, 200))
    if re.fullmatch(r"[A-Za-z0-9_ .-]+", shown):
        return f"`{shown}`"
    return f"<code>{re.sub('[!-/:-@[-`{-~]', _entity, shown)}</code>"


def _entity(found: re.Match[str]) -> str:
    return f"&#{ord(found[0])};"
