"""Doubt: before a divergence is blamed on one side, the other is asked again, in another process."""

from __future__ import annotations

import multiprocessing
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace

from parity.case import Case
from parity.codec import Json
from parity.implementation import Side
from parity.judge import Finding, diverging
from parity.processes import environment, settle
from parity.scratch import scratch
from parity.surfaces import LIVE


class Doubt:
    """Asks whoever is taken for the truth again, in a fresh process with another hash seed."""

    def __init__(self, truth: Side, hash_seed: int) -> None:
        self._truth = truth
        self._hash_seed = (hash_seed + 1) % 2**32
        self._settled: dict[str, Json | None] = {}
        """By case: None if it gave the same answer again, else the other answer."""

    def settled(self, findings: Sequence[Finding]) -> list[Finding]:
        """Return the findings, those on which the truth disagrees with itself with its other answer."""
        asked = {
            finding.case.id: finding
            for finding in findings
            if finding.case.surface in LIVE and finding.case.id not in self._settled
        }
        for finding, again in zip(asked.values(), self._answers([each.case for each in asked.values()]), strict=True):
            agrees = diverging(finding.case, finding.b, again) is None
            self._settled[finding.case.id] = None if agrees else again
        return [replace(finding, again=self._settled.get(finding.case.id)) for finding in findings]

    def _answers(self, cases: list[Case]) -> list[Json]:
        if not cases:
            return []
        with (
            scratch() as place,
            environment(PYTHONHASHSEED=str(self._hash_seed)),
            ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), settle, (str(place),)) as pool,
        ):
            return pool.submit(_answers, self._truth, cases).result()


def _answers(side: Side, cases: list[Case]) -> list[Json]:
    answers = side.start()
    return [answers(case.surface, [case.native()])[0] for case in cases]
