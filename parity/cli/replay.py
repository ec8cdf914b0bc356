"""`parity replay`: the corpus, case by case."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from parity import corpus
from parity.implementation import require_oracle
from parity.replay import replay as replay_entries
from parity.report import console, finding_panel


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
    entries = [corpus.read(path) for path in corpus.files(paths or [corpus.folder()])]
    result = replay_entries(entries, recorded=recorded)
    against = "recorded" if recorded else "harbor"
    out = console()
    for entry, finding in result.diverged:
        out.print(finding_panel(finding, entry.path, ("reimpl", against)))
    for entry, finding in result.drifted:
        out.print(finding_panel(finding, entry.path, ("harbor now", "recorded")))
    out.print(
        f"{result.entries:,} corpus cases: {len(result.diverged)} divergences of reimpl from {against}"
        + ("" if recorded else f", {len(result.drifted)} recorded outcomes that harbor no longer gives")
        + f" ({sum(result.seconds.values()):.1f} s)",
    )
    raise typer.Exit(1 if result.diverged or result.drifted else 0)
