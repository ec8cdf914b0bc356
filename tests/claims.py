"""The words in which claims are written: what a document says of a corpus case, as a question to its outcome."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from parity.codec import Json, decode, encode

Says = Callable[[Json], bool]
NAN, INF = float("nan"), float("inf")
PARSE = "VerifierOutputParseError"


@dataclass(frozen=True)
class Claim:
    """What a document says of a corpus case; where it is wrong, the erratum's number."""

    section: str
    words: str
    case: str
    says: Says
    erratum: int | None = None

    @property
    def surface(self) -> str:
        """The surface of the case."""
        return self.case.partition("/")[0]

    @property
    def origin(self) -> str:
        """What a case that was made for the claim says of where it comes from."""
        return self.section if self.section.startswith("scoring ") else f"spec {self.section}"

    def __str__(self) -> str:
        return f"{self.section} {self.words} [{self.case}]"


def value(expected: Any) -> Says:
    """Claim this value, to the bit."""
    return lambda outcome: bool(outcome == {"value": encode(expected)})


def a_value() -> Says:
    """Claim that there is a value, whichever."""
    return lambda outcome: "value" in outcome


def error(*types: str, text: str = "") -> Says:
    """Claim an error of one of these types, with this in its message."""
    return lambda outcome: (
        "error" in outcome and outcome["error"]["type"] in types and text in outcome["error"].get("message", "")
    )


def rewards(**expected: float) -> Says:
    """Claim these rewards of a multi-step trial; the order of their keys is open."""
    pairs = encode(expected)["dict"]
    return lambda outcome: (
        outcome.get("value", {}).get("verified") is True
        and sorted(outcome["value"]["rewards"]["dict"]) == sorted(pairs)
    )


def field(*path: str | int, is_: Any) -> Says:
    """Claim that the rendered file holds this at the path, int and float told apart, and the order of keys."""

    def says(outcome: Json) -> bool:
        node = json.loads(decode(outcome["value"]))
        for step in path:
            node = node[step]
        return bool(encode(node) == encode(is_))

    return says


def group(name: str, *path: str | int, is_: Any) -> Says:
    """Claim what the statistics hold for a group of trials."""
    return field("evals", name, *path, is_=is_)


def job_group(name: str, *path: str | int, is_: Any) -> Says:
    """Claim what a job's file holds for a group of trials."""
    return field("stats", "evals", name, *path, is_=is_)


def metrics(name: str, *entries: Mapping[str, float]) -> Says:
    """Claim the metrics that a job's file holds for a group of trials."""
    return job_group(name, "metrics", is_=list(entries))


def k_values(*expected: int) -> Says:
    """Claim which k a lone group has."""
    return lambda outcome: [k for by_k in decode(outcome["value"]).values() for k in by_k] == list(expected)


def at_k(k: int, expected: float) -> Says:
    """Claim pass@k of a lone group."""
    return lambda outcome: [encode(by_k[k]) for by_k in decode(outcome["value"]).values()] == [encode(expected)]


def metric(name: str, check: Callable[[float], bool]) -> Says:
    """Claim something of a metric's number."""
    return lambda outcome: check(decode(outcome["value"])[name])


def line(**expected: Any) -> Says:
    """Claim what the consumer's line holds."""

    def says(outcome: Json) -> bool:
        head, _, text = outcome.get("value", "").partition("=")
        told = json.loads(text) if head == "BASE_BENCHMARK_RESULT" else {}
        return (
            encode({name: told.get(name) for name in expected}) == encode(expected) and told.keys() >= expected.keys()
        )

    return says


def refused() -> Says:
    """Claim an error, in whatever words."""
    return lambda outcome: "error" in outcome


def rewarded(expected: float) -> Says:
    """Claim the reward of a rubric."""
    return lambda outcome: bool(outcome.get("value", {}).get("reward") == encode(expected))


def evaluated(*path: str, is_: Any) -> Says:
    """Claim what an evaluation holds at the path."""

    def says(outcome: Json) -> bool:
        node = decode(outcome.get("value"))
        for step in path:
            node = node[step]
        return bool(encode(node) == encode(is_))

    return says


def about(section: str, surface: str, *rows: tuple[str, str, Says] | tuple[str, str, Says, int]) -> list[Claim]:
    """Make the claims of a section on a surface: words, case, what is said, and the erratum where that is wrong."""
    return [Claim(section, row[0], f"{surface}/{row[1]}", *row[2:]) for row in rows]


THE_THREE = error("RewardFileNotFoundError", "RewardFileEmptyError", PARSE)
