"""`parity replay`: the corpus, case by case."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from parity import corpus
from parity.implementation import require_oracle
from parity.replay import replay as replay_entries
from parity.report import console, finding_panel, truth_of
from parity.surfaces import LIVE


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
    for entry, finding in result.diverged:
        truth = "recorded" if recorded else truth_of(entry.case.surface)
        out.print(finding_panel(finding, entry.name, ("reimpl", truth)))
    for entry, finding in result.drifted:
        out.print(finding_panel(finding, entry.name, ("harbor now", "recorded")))
    live = 0 if recorded else sum(entry.case.surface in LIVE for entry in entries)
    out.print(
        f"{len(entries):,} corpus cases, {live:,} against harbor, {len(entries) - live:,} against recordings: "
        f"{len(result.diverged)} divergences, {len(result.drifted)} recordings that harbor no longer agrees with "
        f"({sum(result.seconds.values()):.1f} s)",
        soft_wrap=True,
    )
    raise typer.Exit(1 if result.diverged or result.drifted else 0)
