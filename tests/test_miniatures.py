"""Finding nothing means something: every planted fault is found by the default run, in a case a person can read."""

from __future__ import annotations

import re

import pytest

from parity import corpus
from parity.cli.run import EXAMPLES
from parity.implementation import ORACLE, Implementation
from parity.judge import Judge
from parity.replay import replay
from parity.search import search
from parity.session import Nobody, Plan, units
from parity.surfaces import LIVE, chosen
from parity.text import value_text
from tests import miniatures
from tests.miniatures import GALLERY

READABLE = 1000
"""Characters of a case that fits a screen."""
BROKEN = re.compile(r"outcome (Type|Attribute|Name)Error ≠ a value")
"""What a miniature shows that does not fit reimpl any more."""
LONG = {"naive_mean_over_tasks": 2000}
"""What needs more: ten attempts are the least that tell how the mean over tasks is taken."""


@pytest.mark.parametrize("name", [name for name, surface in GALLERY.items() if surface in LIVE])
def test_the_default_run_finds_the_planted_fault(name: str) -> None:
    surface = GALLERY[name]
    judge = Judge(Implementation(name, f"tests.miniatures:{name}"), ORACLE)
    work = units(Plan(chosen([surface]), EXAMPLES, seed=0, jobs=1))
    # Here all that is generated comes before the exhaustive tier: it finds most faults sooner. Not where a case takes
    # long: there shrinking takes much longer still.
    last = "exhaustive" if LIVE[surface].weight == 1 else "generated"
    for unit in sorted(work, key=lambda unit: unit.tier == last):
        result = search(unit, judge, Nobody())
        if result.told:
            break
    assert result.told
    for finding in result.told.values():
        assert not BROKEN.search(finding.fingerprint), "any case finds it"
        assert len(value_text(finding.case.input)) < LONG.get(name, READABLE), finding.case


@pytest.mark.parametrize("name", [name for name, surface in GALLERY.items() if surface not in LIVE])
def test_the_recordings_find_the_planted_fault(name: str) -> None:
    entries = corpus.entries([corpus.folder() / GALLERY[name]])
    wrong = Implementation(name, f"tests.miniatures:{name}")
    assert replay(entries, sides=(wrong, ORACLE), recorded=True).diverged


def test_every_surface_has_several_miniatures() -> None:
    surfaces = list(GALLERY.values())
    assert all(surfaces.count(surface.name) >= 5 for surface in chosen(None))
    assert len(surfaces) >= 60


def test_every_miniature_states_its_fault() -> None:
    assert all(getattr(miniatures, name).__doc__ for name in GALLERY)
