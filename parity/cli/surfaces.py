"""`parity surfaces`: what can be compared."""

from __future__ import annotations

from rich.table import Table

from parity.report import console
from parity.summary import truth_of
from parity.surfaces import SURFACES


def surfaces() -> None:
    """List the surfaces, the rules they follow, and their relaxations."""
    table = Table("surface", "what it compares", "with", "rules")
    for surface in SURFACES.values():
        table.add_row(surface.name, surface.summary, truth_of(surface.name), surface.rules)
    out = console()
    out.print(table)
    for surface in SURFACES.values():
        for relaxation in surface.relaxations:
            out.print(f"relaxation {relaxation.name} ({surface.name}): {relaxation.reason}", soft_wrap=True)
    for surface in SURFACES.values():
        if surface.recorded:
            out.print(f"recorded {surface.name}: {surface.recorded}", soft_wrap=True)
