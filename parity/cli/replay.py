"""`parity replay`: the corpus, case by case."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from parity import corpus
from parity.corpus import Entry
from parity.implementation import require_oracle
from parity.judge import Finding
from parity.replay import replay as replay_entries
from parity.report import console, panel
from parity.summary import Item, drifted_item, truth_of
from parity.surfaces import LIVE
from parity.text import counted


def replay(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(metavar="PATH", help="Corpus files or folders (default: the whole corpus).", show_default=False),
    ] = None,
    recorded: Annotated[
        bool, typer.Option("--recorded", help="Compare with the recorded outcomes alone: harbor is not needed.")
    ] = False,
) -> None:
    """Replay corpus files: reimpl against harbor, and harbor against what was recorded."""
    if not recorded:
        require_oracle()
    entries = list(corpus.entries(paths or [corpus.folder()]))
    result = replay_entries(entries, recorded=recorded)
    out = console()
    _print_grouped(out, result.diverged, lambda entry, finding: _item(entry, finding, recorded))
    _print_grouped(out, result.drifted, drifted_item)
    live = 0 if recorded else sum(entry.case.surface in LIVE for entry in entries)
    out.print(
        f"{counted(len(entries), 'corpus case')}, {live:,} against harbor, {len(entries) - live:,} against recordings: "
        + counted(len(result.diverged), "divergence")
        + (f", {counted(len(result.drifted), 'recording')} that harbor no longer agrees with" if live else "")
        + f" ({sum(result.seconds.values()):.1f} s)",
        soft_wrap=True,
    )
    raise typer.Exit(1 if result.diverged or result.drifted else 0)


def _item(entry: Entry, finding: Finding, recorded: bool) -> Item:
    truth = "recorded" if recorded else truth_of(entry.case.surface)
    sides = (("reimpl", finding.a), (truth, finding.b))
    return Item(finding, sides, entry.found, f"parity show {shlex.quote(entry.name)}")


def _print_grouped(out: Console, found: list[tuple[Entry, Finding]], item: Callable[[Entry, Finding], Item]) -> None:
    """Explain the plainest case of each fingerprint, and name the others."""
    groups: dict[str, list[tuple[Entry, Finding]]] = {}
    for entry, finding in found:
        groups.setdefault(finding.fingerprint, []).append((entry, finding))
    for group in groups.values():
        entry, finding = min(group, key=lambda pair: pair[1].size)
        out.print(panel(item(entry, finding)))
        others = [other.name for other, _ in group if other is not entry]
        if others:
            out.print(f"the same in {counted(len(others), 'other case')}: {', '.join(others)}", soft_wrap=True)
