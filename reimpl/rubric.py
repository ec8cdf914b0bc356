"""Scoring by rubric: several scored dimensions become one reward.

``spec/scoring.txt`` states the rule and the recorded scorer decides the corners:

* a dimension is worth ``score / max_score``, clamped to [0, 1], where the ``max_score`` is the one the score came with;
  it is worth 0 when that is not positive, and nan stays nan;
* of several scores for one dimension the last counts, scores for no dimension of the rubric are left out, and a
  dimension without a score counts 0;
* ``weighted_mean`` is 0 when the weights add up to 0, and negative weights are taken at their word;
* ``min`` is Python's: it passes over a nan, except one in first place;
* a rubric without dimensions is worth 0.

The recorded scorer returns whatever comes out and takes any other strategy for ``weighted_mean``. Here a reward must be
a number from 0 to 1 and a strategy must be known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import mul

from reimpl.summation import total

NO_SCORE = "No score provided"
"""The evidence of a dimension that nobody scored."""


class RubricError(ValueError):
    """The rubric gives no reward; the message says why."""


@dataclass(frozen=True)
class Dimension:
    """One thing a rubric looks at; what it is worth depends on ``weight`` alone, the texts are for people."""

    id: str
    weight: float = 1.0
    max_score: float = 1.0
    name: str = ""
    description: str = ""
    eval_method: str = ""

    def __post_init__(self) -> None:
        """Keep the numbers as floats."""
        object.__setattr__(self, "weight", _number(self.weight, f"weight of dimension {self.id!r}"))
        object.__setattr__(self, "max_score", _number(self.max_score, f"max_score of dimension {self.id!r}"))


@dataclass(frozen=True)
class DimensionScore:
    """What one dimension got, out of which maximum, and why."""

    dimension_id: str
    score: float
    max_score: float = 1.0
    evidence: str = ""

    def __post_init__(self) -> None:
        """Keep the numbers as floats."""
        object.__setattr__(self, "score", _number(self.score, f"score of dimension {self.dimension_id!r}"))
        object.__setattr__(self, "max_score", _number(self.max_score, f"max_score for dimension {self.dimension_id!r}"))


@dataclass(frozen=True)
class RubricScore:
    """The reward, and the score of every dimension in the order of the rubric.

    ``complete`` holds the scores as they were given, neither normalised nor clamped. Of a rubric without dimensions it
    holds all scores that were given.
    """

    reward: float
    complete: tuple[DimensionScore, ...]

    def details(self) -> dict[str, dict[str, float | str]]:
        """Return the breakdown that belongs into ``details.json``."""
        return {
            score.dimension_id: {"score": score.score, "max_score": score.max_score, "evidence": score.evidence}
            for score in self.complete
        }


def score_rubric(
    dimensions: Iterable[Dimension], scores: Iterable[DimensionScore], rollup_strategy: str = "weighted_mean"
) -> RubricScore:
    """Combine scores into a reward from 0 to 1, rounded to four decimals.

    Raises:
        RubricError: The strategy is unknown, or the reward is not a number from 0 to 1.

    """
    roll_up = _ROLLUPS.get(rollup_strategy)
    if roll_up is None:
        raise RubricError(f"unknown rollup strategy {rollup_strategy!r}: choose from {', '.join(_ROLLUPS)}")
    rubric = tuple(dimensions)
    if not rubric:
        return RubricScore(0.0, tuple(scores))
    given = {score.dimension_id: score for score in scores}
    complete = tuple(given.get(dimension.id) or _unscored(dimension) for dimension in rubric)
    weights = [dimension.weight for dimension in rubric]
    reward = round(roll_up([_normalised(score) for score in complete], weights), 4)
    # Rounding comes first: a mean may miss 1 by the last bit of a sum. A nan fails this test too.
    if not 0 <= reward <= 1:
        raise RubricError(f"{rollup_strategy} gives {reward!r}: a reward must be a number from 0 to 1")
    return RubricScore(reward, complete)


def _unscored(dimension: Dimension) -> DimensionScore:
    return DimensionScore(dimension.id, 0.0, dimension.max_score, NO_SCORE)


def _normalised(score: DimensionScore) -> float:
    if score.max_score <= 0:
        return 0.0
    # In this order of arguments nan comes through, so that no score that is not a number earns anything.
    return min(max(score.score / score.max_score, 0.0), 1.0)


def _weighted_mean(values: Sequence[float], weights: Sequence[float]) -> float:
    weight = total(weights)
    if weight == 0:
        return 0.0
    return total(map(mul, values, weights)) / weight


def _worst(values: Sequence[float], _weights: Sequence[float]) -> float:
    return min(values)


_ROLLUPS: dict[str, Callable[[Sequence[float], Sequence[float]], float]] = {
    "weighted_mean": _weighted_mean,
    "min": _worst,
}


def _number(value: object, what: str) -> float:
    if not isinstance(value, (int, float)):
        raise RubricError(f"{what} is {type(value).__name__}, not a number")
    try:
        return float(value)
    except OverflowError:
        raise RubricError(f"{what} is too large") from None
