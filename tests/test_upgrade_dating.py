"""A change is dated by what it is, not by its case: a case may differ in other ways in other releases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from parity.case import Case
from parity.change import Change, kind_of
from parity.codec import Record, encode
from parity.implementation import Answers
from parity.judge import Finding, diverging
from parity.upgrade import Release, Upgrade, bisected, dated

CASE = Case.of("metric", Record(metric="mean", rewards=[{"a": 1.0}]))
VALUES: dict[str, Any] = {
    "0.13.1": {"a": 1.0},
    "0.14.0": {"a": 1.0},
    "0.16.0": {"a": 2.0},
    "0.18.0": {"a": 2.0},
    "0.22.0": {"a": 2.0, "b": 1},
    "0.23.0": {"a": 2.0, "b": 1},
}
DIFFERS = "metric value[*] float differs"
MORE = "metric value[*] only one side has this int"


@dataclass(frozen=True)
class Canned:
    """A release that answers everything alike."""

    name: str
    value: Any

    def start(self) -> Answers:
        return lambda _, inputs: [{"value": encode(self.value)} for _ in inputs]


def release(version: str) -> Release:
    return Release(version, version, Canned(version, VALUES[version]), ("metric",))


def finding(version: str) -> Finding:
    found = diverging(CASE, {"value": encode(VALUES["0.13.1"])}, {"value": encode(VALUES[version])})
    assert found is not None
    return found


def upgrades(**named: str) -> dict[str, Upgrade]:
    """Return comparisons of all releases; those named found a change of this fingerprint."""
    made = {version: Upgrade(version, version, release=release(version)) for version in VALUES if version != "0.13.1"}
    for key, fingerprint in named.items():
        version = key.removeprefix("v").replace("_", ".")
        found = finding(version).about(fingerprint)
        made[version].changes.append(Change(found, kind_of(found), scores=True))
    dated(list(made.values()), release("0.13.1"))
    return made


def since(upgrade: Upgrade) -> dict[str, str]:
    return {change.finding.fingerprint: change.since for change in upgrade.changes}


def test_a_change_begins_where_its_fingerprint_does() -> None:
    made = upgrades(v0_16_0=DIFFERS, v0_18_0=DIFFERS, v0_22_0=MORE, v0_23_0=MORE)
    assert since(made["0.14.0"]) == {}
    assert since(made["0.18.0"]) == {DIFFERS: "0.16.0"}
    assert since(made["0.23.0"]) == {MORE: "0.22.0"}


def test_a_change_that_one_comparison_found_is_told_of_all_releases_that_have_it() -> None:
    made = upgrades(v0_22_0=MORE, v0_18_0=DIFFERS)
    assert since(made["0.16.0"]) == {DIFFERS: "0.16.0"}
    assert since(made["0.23.0"])  # by either name: its case tells both
    assert since(made["0.14.0"]) == {}


def test_bisecting_looks_for_the_fingerprint() -> None:
    way = [version for version in VALUES if version != "0.13.1"]
    assert bisected(CASE, DIFFERS, release("0.13.1"), way, release) == "0.16.0"
    assert bisected(CASE, MORE, release("0.13.1"), way, release) == "0.22.0"
