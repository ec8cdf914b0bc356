from __future__ import annotations

from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from reimpl.evaluation import (
    Annotation,
    ConfidenceMetadata,
    ErrorTag,
    EvaluationResult,
    ValidityCheck,
    VerifierSpec,
    ingest_artifacts,
    ingest_files,
)
from reimpl.records import EvaluationError

MISSING = "missing verifier reward artifact"
NOON = datetime(2026, 1, 31, 12, 0, tzinfo=timezone.utc)


def ingest(
    directory: Path, reward: str | None, details: str | None = None, *, parseable: bool = True, schema: bool = True
) -> EvaluationResult:
    for name, content in (("reward.json", reward), ("details.json", details)):
        (directory / name).unlink(missing_ok=True)
        if content is not None:
            (directory / name).write_text(content)
    return ingest_artifacts(directory, output_parseable=parseable, schema_valid=schema)


def fault(directory: Path, reward: str | None, details: str | None = None, *, parseable: bool = True) -> str:
    with pytest.raises(EvaluationError) as raised:
        ingest(directory, reward, details, parseable=parseable)
    return str(raised.value).replace(f"{directory}/", "")


def validity(**flags: Any) -> ValidityCheck:
    return ValidityCheck(**{"output_parseable": True, "schema_valid": True, "verifier_completed": True, **flags})


class TestReward:
    """The reward is the one in reward.json, as a float from 0 to 1."""

    @pytest.mark.parametrize(
        ("content", "reward"),
        [
            ('{"reward": 0.93}', "0.93"),
            ('{"reward": 1}', "1.0"),
            ('{"reward": 0}', "0.0"),
            ('{"reward": -0.0}', "-0.0"),
            ('{"reward": true}', "1.0"),
            ('{"reward": "0.5"}', "0.5"),
            ('{"reward": " 1e-1\\n"}', "0.1"),
            ('{"reward": "١"}', "1.0"),
            (' {"reward": 0.25, "extra": 1}\n', "0.25"),
            ('{"reward": 2, "reward": 0.5}', "0.5"),
            ('{"score": 1}', "0.0"),
            ("{}", "0.0"),
        ],
    )
    def test_rewards(self, tmp_path: Path, content: str, reward: str) -> None:
        result = ingest(tmp_path, content)
        assert repr(result.reward) == reward
        assert result.validity == validity()
        assert result.breakdown is None

    @pytest.mark.parametrize(
        ("content", "expected"),
        [
            ("", "is not JSON: no value"),
            ('{"reward":', "is not JSON: no value"),
            ("\ufeff{}", "is not JSON: no value"),
            ("[]", "is an array, not an object"),
            ("1", "is a number, not an object"),
            ("true", "is a boolean, not an object"),
            ('{"reward": null}', "the reward is null, not a number"),
            ('{"reward": [1]}', "the reward is an array, not a number"),
            ('{"reward": "x"}', "the reward is 'x', not a number"),
            ('{"reward": "0x1"}', "the reward is '0x1', not a number"),
            ('{"reward": "2"}', "the reward is 2.0: a reward must be between 0.0 and 1.0"),
            ('{"reward": 1.5}', "the reward is 1.5: a reward must be between 0.0 and 1.0"),
            ('{"reward": -0.1}', "the reward is -0.1: a reward must be between 0.0 and 1.0"),
            ('{"reward": NaN}', "the reward is nan: a reward must be between 0.0 and 1.0"),
            ('{"reward": 1e400}', "the reward is inf: a reward must be between 0.0 and 1.0"),
            pytest.param(f'{{"reward": 1{"0" * 400}}}', "the reward is too large", id="huge"),
            pytest.param("[" * 2000, "is nested too deeply", id="deep"),
        ],
    )
    def test_no_rewards(self, tmp_path: Path, content: str, expected: str) -> None:
        assert fault(tmp_path, content) == f"reward.json: {expected}"

    def test_a_long_text_is_not_repeated_in_full(self, tmp_path: Path) -> None:
        assert len(fault(tmp_path, f'{{"reward": "{"x" * 10_000}"}}')) < 100

    def test_bytes_that_are_not_utf_8(self, tmp_path: Path) -> None:
        (tmp_path / "reward.json").write_bytes(b'{"reward": 1, "\xff": 1}')
        with pytest.raises(EvaluationError, match=r"reward\.json: is not JSON: 'utf-8' codec"):
            ingest_artifacts(tmp_path, output_parseable=True, schema_valid=True)


class TestMissingReward:
    """Without a reward the verifier did not complete, and the reward is 0.0."""

    @pytest.mark.parametrize("content", [None, "null", " null\n"])
    @pytest.mark.parametrize("parseable", [True, False])
    def test_missing(self, tmp_path: Path, content: str | None, parseable: bool) -> None:
        result = ingest(tmp_path, content, '{"f0": {"score": 1}}', parseable=parseable)
        assert repr(result.reward) == "0.0"
        assert result.validity == validity(output_parseable=parseable, verifier_completed=False, errors=[MISSING])
        assert result.breakdown == {"f0": {"score": 1}}

    def test_a_symlink_to_nowhere_is_no_file(self, tmp_path: Path) -> None:
        (tmp_path / "reward.json").symlink_to("nowhere")
        (tmp_path / "details.json").symlink_to("details.json")
        result = ingest_artifacts(str(tmp_path), output_parseable=True, schema_valid=True)
        assert result.validity.errors == [MISSING]
        assert result.breakdown is None

    @pytest.mark.parametrize("path", ["gone", "file/below", "na\0ul"])
    def test_no_directory(self, tmp_path: Path, path: str) -> None:
        (tmp_path / "file").touch()
        result = ingest_artifacts(tmp_path / path, output_parseable=True, schema_valid=True)
        assert not result.validity.verifier_completed

    @pytest.mark.parametrize("name", ["reward.json", "details.json"])
    def test_a_directory_is_not_a_missing_file(self, tmp_path: Path, name: str) -> None:
        (tmp_path / name).mkdir()
        with pytest.raises(EvaluationError) as raised:
            ingest_artifacts(tmp_path, output_parseable=True, schema_valid=True)
        assert str(raised.value) == f"{tmp_path}/{name}: cannot be read: Is a directory"

    @pytest.mark.usefixtures("not_root")
    def test_a_file_that_may_not_be_read_is_not_a_missing_file(self, tmp_path: Path) -> None:
        (tmp_path / "reward.json").write_text('{"reward": 1}')
        (tmp_path / "reward.json").chmod(0)
        with pytest.raises(EvaluationError, match=r"reward\.json: cannot be read: Permission denied"):
            ingest_artifacts(tmp_path, output_parseable=True, schema_valid=True)


class TestBreakdown:
    """details.json is kept as it is, and nothing is computed from it."""

    DETAILS = '{"f0": {"score": 0.44, "max_score": 1.0, "evidence": "ok"}, "f1": {"score": 0, "max_score": 1}}'

    @pytest.mark.parametrize("reward", ["0.0", "0.4896", "1.0"])
    def test_the_reward_does_not_follow_it(self, tmp_path: Path, reward: str) -> None:
        result = ingest(tmp_path, f'{{"reward": {reward}}}', self.DETAILS)
        assert repr(result.reward) == reward
        assert repr(result.breakdown) == (
            "{'f0': {'score': 0.44, 'max_score': 1.0, 'evidence': 'ok'}, 'f1': {'score': 0, 'max_score': 1}}"
        )

    @pytest.mark.parametrize("reward", [None, "{}"])
    def test_it_is_no_substitute_for_a_reward(self, tmp_path: Path, reward: str | None) -> None:
        assert ingest(tmp_path, reward, self.DETAILS).reward == 0

    @pytest.mark.parametrize(
        ("content", "breakdown"), [("{}", "{}"), ("null", "None"), ('{"a": [NaN]}', "{'a': [nan]}")]
    )
    def test_content(self, tmp_path: Path, content: str, breakdown: str) -> None:
        assert repr(ingest(tmp_path, '{"reward": 1}', content).breakdown) == breakdown

    @pytest.mark.parametrize(
        ("content", "expected"),
        [
            ("", "is not JSON: no value"),
            ("{", "is not JSON: no string"),
            ("[]", "is an array, not an object"),
            ('"x"', "is text, not an object"),
            pytest.param('{"a": ' * 1492 + "1" + "}" * 1492, "is nested too deeply", id="deep"),
        ],
    )
    @pytest.mark.parametrize("reward", [None, '{"reward": 0.5}'])
    def test_no_breakdown(self, tmp_path: Path, reward: str | None, content: str, expected: str) -> None:
        assert fault(tmp_path, reward, content) == f"details.json: {expected}"

    def test_a_deep_one_survives(self, tmp_path: Path) -> None:
        result = ingest(tmp_path, '{"reward": 1}', '{"a": ' * 1491 + "NaN" + "}" * 1491)
        assert EvaluationResult.from_json(result.to_json()).to_json() == result.to_json()

    def test_a_task_may_have_no_details(self, tmp_path: Path) -> None:
        ingest(tmp_path, '{"reward": 1}', self.DETAILS)
        result = ingest_files(tmp_path / "reward.json", output_parseable=True, schema_valid=True)
        assert (result.reward, result.breakdown) == (1.0, None)


class TestValidity:
    """An output that does not parse rules out a reward; the other two flags only report."""

    @pytest.mark.parametrize(("content", "reward"), [('{"reward": 0.0023}', "0.0023"), ('{"reward": true}', "1.0")])
    def test_a_reward_for_an_output_that_does_not_parse(self, tmp_path: Path, content: str, reward: str) -> None:
        assert fault(tmp_path, content, parseable=False) == (
            f"reward.json: the reward is {reward}: unparseable outputs must have reward 0.0"
        )

    @pytest.mark.parametrize("content", ['{"reward": 0}', '{"reward": -0.0}', "{}"])
    def test_no_reward_for_an_output_that_does_not_parse(self, tmp_path: Path, content: str) -> None:
        result = ingest(tmp_path, content, parseable=False)
        assert result.reward == 0
        assert result.validity == validity(output_parseable=False)

    def test_the_schema_does_not_decide_the_reward(self, tmp_path: Path) -> None:
        result = ingest(tmp_path, '{"reward": 0.9764}', schema=False)
        assert result.reward == 0.9764
        assert result.validity == validity(schema_valid=False)

    def test_nor_does_completion(self) -> None:
        incomplete = validity(verifier_completed=False, errors=["stopped"])
        assert EvaluationResult(reward=0.5, validity=incomplete).reward == 0.5

    def test_flags_are_booleans(self, tmp_path: Path) -> None:
        with pytest.raises(EvaluationError, match="schema_valid: is a number, not a boolean"):
            ingest_artifacts(tmp_path, output_parseable=True, schema_valid=1)  # type: ignore[arg-type]


FULL: dict[str, Any] = {
    "reward": 0.5,
    "validity": {"output_parseable": True, "schema_valid": False, "verifier_completed": True, "errors": ["late"]},
    "breakdown": {"f0": {"score": 0.5, "max_score": 1, "evidence": "é"}},
    "error_taxonomy": [{"category": "unit mismatch", "description": None, "source": "judge"}],
    "confidence": {"method": "bootstrap", "n_samples": 20, "standard_error": 0.01},
    "annotations": [
        {
            "reviewer_id": "r1",
            "reviewer_discipline": None,
            "timestamp": "2026-01-31T12:00:00+00:00",
            "judgment": "defer",
            "categories": ["units"],
            "notes": None,
        }
    ],
}


def changed(path: str, value: object) -> dict[str, Any]:
    """Return the full result with one field replaced; the path is dotted, and its indices are 0."""
    whole = EvaluationResult.from_dict(FULL).to_dict()
    *parents, name = path.split(".")
    inner: Any = whole
    for parent in parents:
        inner = inner[0 if parent == "0" else parent]
    inner[name] = value
    return whole


class TestRecords:
    """A record checks every field, refuses unknown ones and turns into JSON and back without loss."""

    def test_the_full_result(self) -> None:
        result = EvaluationResult(
            reward=0.5,
            validity=validity(schema_valid=False, errors=["late"]),
            breakdown={"f0": {"score": 0.5, "max_score": 1, "evidence": "é"}},
            error_taxonomy=[ErrorTag(category="unit mismatch", source="judge")],
            confidence=ConfidenceMetadata(method="bootstrap", n_samples=20, standard_error=0.01),
            annotations=[Annotation(reviewer_id="r1", timestamp=NOON, judgment="defer", categories=["units"])],
        )
        assert repr(result.to_dict()) == repr(FULL)
        assert EvaluationResult.from_dict(FULL) == result
        assert EvaluationResult.from_json(result.to_json()) == result
        assert EvaluationResult.from_json(result.to_json().encode()) == result

    def test_the_least_result(self) -> None:
        result = EvaluationResult.from_json(
            '{"reward": 1, "validity": {"output_parseable": true, "schema_valid": true, "verifier_completed": true}}'
        )
        assert list(result.to_dict()) == list(FULL)
        assert repr(result.reward) == "1.0"
        assert result == EvaluationResult(reward=1, validity=validity())

    def test_what_may_be_said_or_left_out(self) -> None:
        assert ConfidenceMetadata(method="a") == ConfidenceMetadata(method="a", n_samples=None, standard_error=None)
        assert ErrorTag(category="a", source="human", description="b").description == "b"
        said = EvaluationResult.from_dict(changed("annotations.0.reviewer_discipline", "physics")).annotations
        assert said
        assert said[0].reviewer_discipline == "physics"

    def test_the_verifier_spec(self) -> None:
        spec = VerifierSpec(script="tests/test.sh", expected_output_path="/workspace/a", reward_path="/logs/r.json")
        assert spec.details_path is None
        assert VerifierSpec.from_dict({**spec.to_dict(), "details_path": "/logs/d.json"}).details_path == "/logs/d.json"
        assert VerifierSpec.from_json(spec.to_json()) == spec
        assert list(spec.to_dict()) == ["script", "expected_output_path", "reward_path", "details_path"]

    @pytest.mark.parametrize(
        ("path", "value", "expected"),
        [
            ("extra", 1, "EvaluationResult has no field 'extra'"),
            ("validity.extra", 1, "validity: ValidityCheck has no field 'extra'"),
            ("error_taxonomy.0.extra", 1, "error_taxonomy: 0: ErrorTag has no field 'extra'"),
            ("confidence.extra", 1, "confidence: ConfidenceMetadata has no field 'extra'"),
            ("annotations.0.reward", 1, "annotations: 0: Annotation has no field 'reward'"),
            ("reward", "0.5", "reward: is text, not a number"),
            ("reward", 1.5, "reward: is 1.5: a reward must be between 0.0 and 1.0"),
            ("reward", float("nan"), "reward: is nan: a reward must be between 0.0 and 1.0"),
            ("validity.output_parseable", False, "reward: is 0.5: unparseable outputs must have reward 0.0"),
            ("validity.output_parseable", 1, "validity: output_parseable: is a number, not a boolean"),
            ("validity.errors", None, "validity: errors: is null, not an array"),
            ("validity.errors", ["a", 1], "validity: errors: 1: is a number, not text"),
            ("validity", None, "validity: is null, not an object"),
            ("breakdown", [], "breakdown: is an array, not an object"),
            ("breakdown", {"a": (1,)}, "breakdown: holds a tuple, which JSON has not"),
            ("error_taxonomy", {}, "error_taxonomy: is an object, not an array"),
            (
                "error_taxonomy.0.source",
                "robot",
                "error_taxonomy: 0: source: is 'robot': choose from mechanical, human, judge",
            ),
            ("error_taxonomy.0.category", None, "error_taxonomy: 0: category: is null, not text"),
            (
                "confidence.method",
                "\ud83d\ude00",
                "confidence: method: holds a character as two surrogates, which JSON would join",
            ),
            ("confidence.n_samples", True, "confidence: n_samples: is a boolean, not a count"),
            ("confidence.n_samples", -1, "confidence: n_samples: is negative or too large for a count"),
            (
                "confidence.standard_error",
                float("inf"),
                "confidence: standard_error: is inf, not a finite number from 0 on",
            ),
            ("confidence.standard_error", 10**400, "confidence: standard_error: is too large"),
            ("annotations.0.judgment", "maybe", "annotations: 0: judgment: is 'maybe': choose from pass, fail, defer"),
            ("annotations.0.timestamp", 0, "annotations: 0: timestamp: is a number, not a time"),
        ],
    )
    def test_faults(self, path: str, value: object, expected: str) -> None:
        with pytest.raises(EvaluationError) as raised:
            EvaluationResult.from_dict(changed(path, value))
        assert str(raised.value) == expected

    def test_missing_fields(self) -> None:
        with pytest.raises(EvaluationError, match="ErrorTag needs the field 'source'"):
            ErrorTag.from_json('{"category": "a"}')

    @pytest.mark.parametrize(
        ("text", "expected"), [("{", "is not JSON: no string"), ("[]", "is an array, not an object")]
    )
    def test_no_record(self, text: str, expected: str) -> None:
        with pytest.raises(EvaluationError) as raised:
            ErrorTag.from_json(text)
        assert str(raised.value) == expected

    def test_unknown_fields_are_refused_by_the_constructor_too(self) -> None:
        with pytest.raises(TypeError, match="unexpected keyword argument 'extra'"):
            validity(extra=1)

    def test_a_record_shares_nothing(self) -> None:
        breakdown: dict[str, Any] = {"a": [1]}
        errors = ["a"]
        result = EvaluationResult(reward=0, validity=validity(errors=errors), breakdown=breakdown)
        breakdown["a"].append(2)
        errors.append("b")
        result.to_dict()["breakdown"]["a"].append(3)
        result.to_dict()["validity"]["errors"].append("c")
        assert result.breakdown == {"a": [1]}
        assert result.validity.errors == ["a"]


class TestTimestamps:
    """A time is ISO 8601 with an offset or none, to the microsecond, read alike on every Python version."""

    @pytest.mark.parametrize(
        ("text", "kept"),
        [
            ("2026-01-31T12:00:00Z", "2026-01-31T12:00:00+00:00"),
            ("2026-01-31 12:00", "2026-01-31T12:00:00"),
            ("2026-01-31T12:00:00.5-09:30", "2026-01-31T12:00:00.500000-09:30"),
            ("0001-01-01T00:00:00.000001+00:00:01.000001", "0001-01-01T00:00:00.000001+00:00:01.000001"),
            ("9999-12-31T23:59:59-00:00:00.000001", "9999-12-31T23:59:59-00:00:00.000001"),
        ],
    )
    def test_texts(self, text: str, kept: str) -> None:
        annotation = Annotation.from_dict({"reviewer_id": "r", "timestamp": text, "judgment": "pass"})
        assert annotation.to_dict()["timestamp"] == kept
        assert Annotation.from_json(annotation.to_json()) == annotation

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "2026-01-31",
            "20260131T120000",
            "2026-02-30T12:00",
            "2026-01-31T12:00:00.1234567",
            "2026-W05-6T12:00",
            "2026-01-31T12:00:00,5",
            "2026-01-31T12",
            "2026-01-31T12:00+24:00",
            "2026-01-31T12:00+01:60",
            "٢026-01-31T12:00",
        ],
    )
    def test_no_times(self, text: str) -> None:
        with pytest.raises(EvaluationError, match="timestamp: is '"):
            Annotation.from_dict({"reviewer_id": "r", "timestamp": text, "judgment": "pass"})

    def test_a_zone_is_kept_as_its_offset(self) -> None:
        when = datetime(2026, 10, 25, 2, 30, tzinfo=ZoneInfo("Europe/Berlin"), fold=1)
        kept = Annotation(reviewer_id="r", timestamp=when, judgment="pass").timestamp
        assert kept.isoformat() == "2026-10-25T02:30:00+01:00"
        assert (kept.tzinfo, kept.fold) == (timezone(timedelta(hours=1)), 0)


class TestAnnotations:
    """Annotations stand beside the reward and never replace it."""

    def test_a_reviewer_who_disagrees(self) -> None:
        result = EvaluationResult(reward=1.0, validity=validity())
        first = Annotation(reviewer_id="r1", timestamp=NOON, judgment="fail", notes="wrong unit")
        second = Annotation(reviewer_id="r2", timestamp=NOON, judgment="pass")
        reviewed = result.annotated(first).annotated(second)
        assert reviewed.annotations == [first, second]
        assert reviewed.reward == 1.0
        assert result.annotations is None

    def test_nobody_changes_the_reward(self) -> None:
        result = EvaluationResult(reward=1.0, validity=validity())
        with pytest.raises(AttributeError):
            result.reward = 0.0  # type: ignore[misc]
