from __future__ import annotations

import math

import pytest

from reimpl.rubric import NO_SCORE, Dimension, DimensionScore, RubricError, RubricScore, score_rubric

NAN, INF = math.nan, math.inf


def score(strategy: str, *rows: tuple[float, float | None, float]) -> RubricScore:
    """Score dimensions given as weight, score (or None) and maximum."""
    dimensions = [Dimension(f"d{index}", weight, maximum) for index, (weight, _, maximum) in enumerate(rows)]
    scores = [
        DimensionScore(f"d{index}", points, maximum, "e")
        for index, (_, points, maximum) in enumerate(rows)
        if points is not None
    ]
    return score_rubric(dimensions, scores, strategy)


def mean(*rows: tuple[float, float | None, float]) -> str:
    return repr(score("weighted_mean", *rows).reward)


def worst(*rows: tuple[float, float | None, float]) -> str:
    return repr(score("min", *rows).reward)


class TestWeightedMean:
    """The sum of the weighted values, divided by the sum of the weights, rounded to four decimals."""

    def test_weights_need_not_add_up_to_one(self) -> None:
        assert mean((3, 1.0, 1.0), (2.0, None, 1.0)) == "0.6"
        assert mean((3, 1, 5.0), (0.9599759607616667, 0.0, 5.0)) == "0.1515"
        assert mean((1e308, 0.5729513670510177, 1.0)) == "0.573"

    def test_a_value_is_clamped_before_the_mean(self) -> None:
        assert mean((1.0, 5.0, 1.0), (0.3, 45.87837831571902, 100.0)) == "0.8751"
        assert mean((1.0, -50.0, 1.0), (1.0, 1.0, 1.0)) == "0.5"

    def test_the_sum_is_that_of_python_3_12(self) -> None:
        # Added up plainly these weights are 2.6666666666666665 and the mean is 0.8792.
        assert mean((0.3333333333333333, 0.34, 1.0), (2.0, 9.49, 10.0), (0.3333333333333333, 1.0, 1.0)) == "0.8793"

    def test_ints_are_added_as_floats(self) -> None:
        assert mean((1, 1, 1), (2, 0, 1)) == "0.3333"
        assert isinstance(score("min", (1, 1, 1)).reward, float)

    @pytest.mark.parametrize("weights", [(0.0, 0.0), (-1.0, 1.0)])
    def test_no_weight_at_all_is_worth_nothing(self, weights: tuple[float, float]) -> None:
        assert mean((weights[0], 1.0, 1.0), (weights[1], 1.0, 1.0)) == "0.0"

    def test_negative_weights_count_as_they_are(self) -> None:
        assert mean((-1.0, 6.0, 5.0)) == "1.0"
        assert mean((0.631, 6.0, 5.0), (2.0, 0.8741448249886062, 1.0), (-1.0, 1.0, 1.0)) == "0.8457"
        assert mean((0.3333333333333333, 0.0, 3.0), (-1.0, None, 3.0)) == "-0.0"

    def test_rounding_is_to_even_digits_of_the_exact_value(self) -> None:
        assert mean((1.0, 0.00005, 1.0)) == "0.0001"
        assert mean((1.0, 0.03125, 1.0)) == "0.0312"


class TestMin:
    """The worst dimension wins, whatever its weight."""

    def test_the_lowest_value(self) -> None:
        assert worst((0.0, 2.3133883120316048, 3.0), (5.0, 10.0, 10.0), (INF, 5, 1e-300)) == "0.7711"

    def test_a_missing_score_is_the_lowest(self) -> None:
        assert worst((1.0, None, 5.0), (1.0, 100.0, 100.0)) == "0.0"

    def test_a_nan_is_passed_over_unless_it_comes_first(self) -> None:
        assert worst((0.0, 30.57, 100.0), (0.0, NAN, 3.0), (1.0, 1.6821587660304629, 3.0)) == "0.3057"
        with pytest.raises(RubricError, match="min gives nan"):
            worst((0.3, NAN, 1.0), (0.0, 1.2, 1.0))


class TestValue:
    """A dimension is worth its score divided by the maximum that came with the score, from 0 to 1."""

    def test_the_maximum_is_that_of_the_score(self) -> None:
        dimension = Dimension("d0", weight=3, max_score=5.0)
        assert score_rubric([dimension], [DimensionScore("d0", 0.34, 1.0)]).reward == 0.34

    @pytest.mark.parametrize("maximum", [0.0, -2.0])
    @pytest.mark.parametrize("points", [-2.0, 0.0, 5.0])
    def test_without_a_positive_maximum_it_is_worth_nothing(self, points: float, maximum: float) -> None:
        assert mean((1.0, points, maximum)) == "0.0"

    def test_a_quotient_too_large_for_a_float_is_clamped_too(self) -> None:
        assert mean((1.0, 1e308, 1e-300)) == "1.0"

    @pytest.mark.parametrize(("points", "maximum"), [(NAN, 1.0), (INF, INF), (1.0, NAN)])
    def test_what_is_not_a_number_earns_nothing(self, points: float, maximum: float) -> None:
        with pytest.raises(RubricError, match="weighted_mean gives nan"):
            mean((1.0, points, maximum), (1.0, 1.0, 1.0))
        with pytest.raises(RubricError, match="weighted_mean gives nan"):
            mean((0.0, points, maximum), (1.0, 1.0, 1.0))


class TestComplete:
    """Every dimension has one score, in the order of the rubric, as it was given."""

    def test_a_missing_score(self) -> None:
        result = score("weighted_mean", (1.0, None, 5.0), (1.0, 12, 10.0))
        assert result.complete == (DimensionScore("d0", 0.0, 5.0, NO_SCORE), DimensionScore("d1", 12.0, 10.0, "e"))
        assert NO_SCORE == "No score provided"
        assert repr(result.complete[1].score) == "12.0"

    def test_the_last_of_several_scores(self) -> None:
        scores = [DimensionScore("d0", 3.0, 3.0), DimensionScore("d0", 0.34, 1.0)]
        assert score_rubric([Dimension("d0")], scores) == RubricScore(0.34, (scores[1],))

    def test_scores_of_other_dimensions_are_left_out(self) -> None:
        scores = [DimensionScore("ghost", NAN), DimensionScore("d0", 0.5)]
        assert score_rubric([Dimension("d0")], scores) == RubricScore(0.5, (scores[1],))

    def test_a_rubric_without_dimensions_keeps_all_scores(self) -> None:
        scores = (DimensionScore("ghost", 0.0), DimensionScore("ghost", 1.2))
        assert score_rubric([], scores, "min") == RubricScore(0.0, scores)
        assert score_rubric([], []) == RubricScore(0.0, ())

    def test_details_are_the_breakdown_of_the_document(self) -> None:
        assert score("min", (1.0, 0.95, 1.0)).details() == {"d0": {"score": 0.95, "max_score": 1.0, "evidence": "e"}}


class TestRecords:
    """A dimension and a score are full marks without texts unless they say otherwise, and their numbers are floats."""

    def test_defaults(self) -> None:
        assert Dimension("d") == Dimension("d", 1.0, 1.0, "", "", "")
        assert DimensionScore("d", 1.0) == DimensionScore("d", 1.0, 1.0, "")

    def test_floats(self) -> None:
        dimension, points = Dimension("d", 2, 3), DimensionScore("d", 2, 3)
        assert repr((dimension.weight, dimension.max_score)) == "(2.0, 3.0)"
        assert repr((points.score, points.max_score)) == "(2.0, 3.0)"


class TestRejection:
    """No reward leaves the rubric that is not a number from 0 to 1 or comes from an unknown rule."""

    @pytest.mark.parametrize("strategy", ["median", "max", "", "MIN", "mean"])
    def test_unknown_strategy(self, strategy: str) -> None:
        with pytest.raises(RubricError) as raised:
            score(strategy, (1.0, 1.0, 1.0))
        assert str(raised.value) == f"unknown rollup strategy {strategy!r}: choose from weighted_mean, min"
        with pytest.raises(RubricError):
            score(strategy)

    @pytest.mark.parametrize(
        ("rows", "reward"),
        [
            ([(-1.0, 92.27, 100.0), (3, 0.0, 1.0), (0.383, 3.6, 3.0)], "-0.2265"),
            ([(0.572, 2, 1.0), (0.5, -0.5, 3.0), (-1.0, None, 100.0)], "7.9444"),
            ([(INF, 0.0, 5.0)], "nan"),
            ([(INF, 1.0, 1.0), (-INF, 1.0, 1.0)], "nan"),
        ],
    )
    def test_outside_the_range(self, rows: list[tuple[float, float | None, float]], reward: str) -> None:
        with pytest.raises(RubricError) as raised:
            mean(*rows)
        assert str(raised.value) == f"weighted_mean gives {reward}: a reward must be a number from 0 to 1"

    def test_what_rounds_into_the_range_is_in_it(self) -> None:
        assert mean((1.0, None, 1.0), (-0.00004, 1.0, 1.0)) == "-0.0"

    @pytest.mark.parametrize(
        ("value", "fault"), [("1", "str, not a number"), (None, "NoneType, not a number"), (10**400, "too large")]
    )
    def test_numbers_are_numbers(self, value: float, fault: str) -> None:
        with pytest.raises(RubricError, match=rf"^weight of dimension 'd0' is {fault}$"):
            Dimension("d0", value)
        with pytest.raises(RubricError, match=rf"^max_score of dimension 'd0' is {fault}$"):
            Dimension("d0", 1.0, value)
        with pytest.raises(RubricError, match=rf"^score of dimension 'd0' is {fault}$"):
            DimensionScore("d0", value)
        with pytest.raises(RubricError, match=rf"^max_score for dimension 'd0' is {fault}$"):
            DimensionScore("d0", 1.0, value)
