"""Laws of rubrics and evaluations that need no oracle.

Three laws one would expect do not hold everywhere, and a test for each shows where. The recorded scorer takes Python's
``min``, which passes over a nan unless it comes first, so ``min`` depends on the order where a score is not a number.
Weights near the ends of the range of floats overflow or vanish when they are scaled. And the mean of equal dimensions
can miss their value by a last bit, which four decimals can turn into 0.0001.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from reimpl import read_rewards
from reimpl.artifacts import write_artifacts
from reimpl.evaluation import (
    Annotation,
    ConfidenceMetadata,
    ErrorTag,
    EvaluationResult,
    ValidityCheck,
    VerifierSpec,
    ingest_artifacts,
)
from reimpl.json_text import parse_json
from reimpl.json_value import json_text
from reimpl.records import EvaluationError, Record
from reimpl.rubric import Dimension, DimensionScore, RubricError, score_rubric

# Small floats, so that no product with a weight of WEIGHTS, scaled or not, leaves the range of a float.
POINTS = st.floats(-2, 20, width=32) | st.sampled_from([0.0, 1.0, 5.0])
MAXIMA = st.floats(-2, 100, width=32) | st.sampled_from([0.0, 1.0, 5.0])
WEIGHTS = st.floats(-3, 3, width=32) | st.sampled_from([0.1, 0.3, 1 / 3, 0.5, 0.7, 1.0, 2.0, 3.0])
ROWS = st.lists(st.tuples(WEIGHTS, st.none() | POINTS, MAXIMA), min_size=1, max_size=6)

# No character in two surrogates: JSON joins them, and such text is refused.
TEXTS = st.text(st.characters(exclude_categories=["Cs"])) | st.sampled_from(["\ud800", "a\udfff\ud800"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)
OBJECTS = st.dictionaries(TEXTS, JSON, max_size=4)
REWARDS = st.floats(0, 1) | st.sampled_from([-0.0, 0, 1])
OFFSETS = st.timedeltas(timedelta(hours=-23), timedelta(hours=23)).map(timezone)
TIMES = st.datetimes(timezones=st.none() | OFFSETS)

Row = tuple[float, float | None, float]


def reward(strategy: str, rows: Sequence[Row], scale: float = 1.0) -> float | None:
    """Score dimensions given as weight, score (or None) and maximum; None when there is no reward."""
    dimensions = [Dimension(str(index), weight * scale) for index, (weight, _, _) in enumerate(rows)]
    scores = [
        DimensionScore(str(index), points, maximum)
        for index, (_, points, maximum) in enumerate(rows)
        if points is not None
    ]
    try:
        return score_rubric(dimensions, scores, strategy).reward
    except RubricError:
        return None


class TestRubric:
    """A rubric gives a number from 0 to 1 with four decimals, or nothing."""

    @given(st.sampled_from(["weighted_mean", "min"]), st.lists(st.tuples(st.floats(), st.floats(), st.floats())))
    def test_range(self, strategy: str, rows: list[Row]) -> None:
        value = reward(strategy, rows)
        assert value is None or (0 <= value <= 1 and round(value, 4) == value)

    @given(ROWS, st.data())
    def test_the_order_of_dimensions_does_not_change_min(self, rows: list[Row], data: st.DataObject) -> None:
        # By value: of 0.0 and -0.0, which are equally bad, Python's min takes the first.
        assert reward("min", data.draw(st.permutations(rows))) == reward("min", rows) is not None

    def test_but_a_nan_does(self) -> None:
        nan, good = (1.0, math.nan, 1.0), (1.0, 0.5, 1.0)
        assert reward("min", [good, nan]) == 0.5
        assert reward("min", [nan, good]) is None

    @given(ROWS)
    def test_weights_do_not_change_min(self, rows: list[Row]) -> None:
        assert reward("min", rows) == reward("min", [(1.0, points, maximum) for _, points, maximum in rows])

    @given(ROWS, st.integers(-600, 600))
    @example([(0.1, 1.0, 1.0), (0.7, 0.3, 1.0), (-0.3, 0.5, 1.0)], 3)
    def test_scaling_weights_by_a_power_of_two_does_not_change_the_mean(self, rows: list[Row], power: int) -> None:
        # As text: -0.0 stays -0.0.
        assert repr(reward("weighted_mean", rows, 2.0**power)) == repr(reward("weighted_mean", rows))

    def test_but_scaling_out_of_the_range_of_floats_does(self) -> None:
        rows = [(0.8e308, 0.5, 1.0), (0.8e308, 0.5, 1.0)]
        assert reward("weighted_mean", rows) == 0.5
        assert reward("weighted_mean", rows, 2.0) == 0.0
        assert reward("weighted_mean", [(5e-324, 1.0, 1.0)], 0.5) == 0.0

    def test_the_mean_of_equal_dimensions_may_round_the_other_way(self) -> None:
        assert reward("weighted_mean", [(1.0, 0.12345, 1.0)]) == 0.1235
        assert reward("weighted_mean", [(0.7, 0.12345, 1.0), (0.3, 0.12345, 1.0)]) == 0.1234

    @given(ROWS, st.lists(POINTS, max_size=3))
    def test_complete_has_one_score_a_dimension(self, rows: list[Row], strangers: list[float]) -> None:
        dimensions = [Dimension(str(index)) for index in range(len(rows))]
        scores = [DimensionScore("stranger", points) for points in strangers]
        complete = score_rubric(dimensions, scores, "min").complete
        assert [score.dimension_id for score in complete] == [dimension.id for dimension in dimensions]


VALIDITY = st.builds(
    ValidityCheck,
    output_parseable=st.just(True),
    schema_valid=st.booleans(),
    verifier_completed=st.booleans(),
    errors=st.lists(TEXTS, max_size=2),
)
TAGS = st.builds(
    ErrorTag, category=TEXTS, description=st.none() | TEXTS, source=st.sampled_from(["mechanical", "human", "judge"])
)
CONFIDENCE = st.builds(
    ConfidenceMetadata,
    method=TEXTS,
    n_samples=st.none() | st.integers(0, 2**63 - 1),
    standard_error=st.none() | st.floats(0, allow_infinity=False),
)
ANNOTATIONS = st.builds(
    Annotation,
    reviewer_id=TEXTS,
    reviewer_discipline=st.none() | TEXTS,
    timestamp=TIMES,
    judgment=st.sampled_from(["pass", "fail", "defer"]),
    categories=st.lists(TEXTS, max_size=2),
    notes=st.none() | TEXTS,
)
RESULTS = st.builds(
    EvaluationResult,
    reward=REWARDS,
    validity=VALIDITY,
    breakdown=st.none() | OBJECTS,
    error_taxonomy=st.none() | st.lists(TAGS, max_size=2),
    confidence=st.none() | CONFIDENCE,
    annotations=st.none() | st.lists(ANNOTATIONS, max_size=2),
)
SPECS = st.builds(
    VerifierSpec, script=TEXTS, expected_output_path=TEXTS, reward_path=TEXTS, details_path=st.none() | TEXTS
)


class TestRoundTrip:
    """What becomes JSON comes back with the same types, bits and order."""

    @given(JSON)
    def test_values(self, value: Any) -> None:
        assert repr(parse_json(json_text(value))) == repr(value)

    @given(RESULTS | SPECS | ANNOTATIONS)
    def test_records(self, record: Record) -> None:
        # By repr, because nan equals nothing and 0.0 equals -0.0.
        assert repr(type(record).from_json(record.to_json())) == repr(record)
        assert repr(type(record).from_dict(record.to_dict())) == repr(record)

    @given(RESULTS, st.lists(ANNOTATIONS, max_size=2))
    def test_annotations_change_nothing_else(self, result: EvaluationResult, annotations: list[Annotation]) -> None:
        before, after = result.to_dict(), result.annotated(*annotations).to_dict()
        added = [annotation.to_dict() for annotation in annotations]
        assert after.pop("annotations") == [*(before.pop("annotations") or []), *added]
        assert repr(after) == repr(before)

    @given(RESULTS, TEXTS)
    def test_unknown_fields_are_refused(self, result: EvaluationResult, name: str) -> None:
        fields = result.to_dict()
        if name not in fields:
            with pytest.raises(EvaluationError, match="has no field"):
                EvaluationResult.from_dict({**fields, name: None})


NUMBERS = st.floats() | st.integers() | st.booleans() | st.none() | st.floats().map(repr) | TEXTS
DOCUMENTS = JSON | st.fixed_dictionaries({"reward": NUMBERS | JSON}, optional={"extra": JSON})
FILES = st.none() | st.binary() | DOCUMENTS.map(json_text).map(str.encode)


@pytest.fixture(scope="module")
def verifier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("verifier")


def place(directory: Path, files: dict[str, bytes | None]) -> None:
    for name, content in files.items():
        (directory / name).unlink(missing_ok=True)
        if content is not None:
            (directory / name).write_bytes(content)


class TestIngestion:
    """Whatever the verifier wrote, there is a valid evaluation or one error that names the file."""

    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(FILES, FILES, st.booleans(), st.booleans())
    def test_the_reward_is_in_range(
        self, verifier: Path, reward: bytes | None, details: bytes | None, parseable: bool, schema: bool
    ) -> None:
        place(verifier, {"reward.json": reward, "details.json": details})
        try:
            result = ingest_artifacts(verifier, output_parseable=parseable, schema_valid=schema)
        except EvaluationError as error:
            assert str(error).startswith((f"{verifier}/reward.json: ", f"{verifier}/details.json: "))  # noqa: PT017
        else:
            assert type(result.reward) is float
            assert 0 <= result.reward <= 1
            assert parseable or result.reward == 0
            assert result.validity.verifier_completed or result.reward == 0
            assert repr(EvaluationResult.from_json(result.to_json())) == repr(result)

    @given(FILES, OBJECTS, OBJECTS, st.booleans())
    def test_neither_details_nor_the_schema_change_the_reward(
        self, verifier: Path, reward: bytes | None, one: dict[str, Any], other: dict[str, Any], schema: bool
    ) -> None:
        rewards = []
        for details, valid in ((one, True), (other, schema)):
            place(verifier, {"reward.json": reward, "details.json": json_text(details).encode()})
            try:
                result = ingest_artifacts(verifier, output_parseable=True, schema_valid=valid)
            except EvaluationError:
                rewards.append("none")
            else:
                rewards.append(repr(result.reward))
                assert repr(result.breakdown) == repr(details)
        assert rewards[0] == rewards[1]

    @given(REWARDS, st.none() | OBJECTS)
    def test_what_is_written_is_read(self, verifier: Path, reward: float, details: dict[str, Any] | None) -> None:
        write_artifacts(verifier, reward, details)
        result = ingest_artifacts(verifier, output_parseable=True, schema_valid=True)
        assert repr(result.reward) == repr(float(reward))
        assert repr(result.breakdown) == repr(details)
        assert repr(read_rewards(verifier)) == repr({"reward": float(reward)})
        assert {path.name for path in verifier.iterdir()} <= {"reward.json", "details.json"}


class TestTimes:
    """A time keeps its clock and its offset."""

    @given(TIMES)
    def test_kept(self, when: datetime) -> None:
        kept = Annotation(reviewer_id="r", timestamp=when, judgment="pass").timestamp
        assert (kept.isoformat(), kept.utcoffset()) == (when.isoformat(), when.utcoffset())
