from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reimpl.outcome import Outcome, outcome, outcome_line, read_outcome

MISSING = Outcome(status="failed", score=0.0, resolved=0, total=0, reason_code="harbor_result_missing")
MALFORMED = Outcome(status="failed", score=0.0, resolved=0, total=0, reason_code="harbor_result_malformed")
UNREAD = '{"reason_code": "harbor_result_%s", "resolved": 0, "score": 0.0, "status": "failed", "total": 0}'


def judged(result: Any) -> Outcome:
    return outcome(json.dumps(result).encode())


def job(*groups: list[Any], total: Any = 1, **counts: Any) -> dict[str, Any]:
    evals = {f"agent__model__{number}": {"metrics": metrics} for number, metrics in enumerate(groups)}
    return {"n_total_trials": total, "stats": {**counts, "evals": evals}}


class TestLine:
    """The line is exactly the consumer's: sorted keys, numbers as Python spells them."""

    @pytest.mark.parametrize(
        ("result", "line"),
        [
            # Recorded on CPython 3.12.1 from the block in section 5 of the specification document.
            (
                b'{"n_total_trials": 4, "stats": {"n_errored_trials": 3, "evals": {"": {"metrics": [{"b": 0.5725}]}}}}',
                '{"reason_code": null, "resolved": 2, "score": 0.5725, "status": "failed", "total": 4}',
            ),
            (
                b'{"n_total_trials": 0, "stats": {"evals": {"agent0__ds": {"metrics": [{"mean": 1e30}]}}}}',
                '{"reason_code": null, "resolved": 0, "score": 1e+30, "status": "completed", "total": 0}',
            ),
            (
                b'{"n_total_trials": 3, "stats": {"evals": {"a": {"metrics": [{"x": 1e-07}]}}}}',
                '{"reason_code": null, "resolved": 0, "score": 1e-07, "status": "completed", "total": 3}',
            ),
            (
                b'{"n_total_trials": 1, "stats": {"evals": {"a": {"metrics": [{"x": -5e-324, "y": 0, "z": 0}]}}}}',
                '{"reason_code": null, "resolved": 0, "score": -0.0, "status": "completed", "total": 1}',
            ),
            (b"{", UNREAD % "malformed"),
            (None, UNREAD % "missing"),
        ],
    )
    def test_recorded(self, result: bytes | None, line: str) -> None:
        assert outcome_line(result) == "BASE_BENCHMARK_RESULT=" + line

    def test_a_total_of_4300_digits_is_spelled_out(self) -> None:
        assert outcome_line(b'{"stats": {"n_completed_trials": ' + b"9" * 4300 + b"}}").endswith("9" * 4300 + "}")

    def test_a_longer_total_has_no_line(self) -> None:
        result = outcome(b'{"stats": {"n_completed_trials": ' + b"9" * 4300 + b', "n_errored_trials": 1}}')
        assert result.total == 10**4300
        with pytest.raises(ValueError, match=r"^Exceeds the limit \(4300 digits\) for integer string conversion; use "):
            result.line()


class TestScore:
    """The score is the plain mean of every value that counts, over all groups and metrics."""

    def test_mean_speaks_for_its_metric(self) -> None:
        assert judged(job([{"mean": 0.25, "style": "x"}])).score == 0.25

    def test_without_mean_every_value_counts(self) -> None:
        assert judged(job([{"correctness": 1, "speed": 0.5}, {"max": 0}])).score == 0.5

    def test_the_name_of_the_mean_is_exact(self) -> None:
        assert judged(job([{"Mean": 0, "mean ": 1, "meaning": 2}])).score == 1.0

    def test_values_of_all_groups_are_one_list(self) -> None:
        assert judged(job([{"mean": 1}], [{"a": 0, "b": 0}, {"mean": 0}])).score == 0.25

    def test_ten_tenths_average_to_a_tenth(self) -> None:
        assert judged(job(*[[{"mean": 0.1}]] * 10)).score == 0.1

    def test_an_int_is_a_float_before_it_is_added(self) -> None:
        # Among floats, sum() adds an int without compensation: the sum would be 0.0.
        assert judged(job([{"a": 1e16, "b": 1, "c": -1e16}])).score == 1 / 3

    @pytest.mark.parametrize(
        ("value", "score"),
        [("0.5", 0.5), (" 1_0 ", 10.0), ("٣", 3.0), (True, 1.0), (2, 2.0), (-1, -1.0), (10**300, 1e300)],
    )
    def test_what_is_a_number(self, value: Any, score: float) -> None:
        assert repr(judged(job([{"mean": value}])).score) == repr(score)

    @pytest.mark.parametrize(
        "value",
        [None, "x", "", "nan", "inf", [1], {}, 10**400, float("nan"), float("inf"), "1e400", "\ud800", "\U00010d41"],
    )
    @pytest.mark.parametrize("total", [0, 1])
    def test_what_is_none(self, value: Any, total: int) -> None:
        assert judged(job([{"mean": 1}], [{"mean": value}], total=total)) == MALFORMED

    @pytest.mark.parametrize(
        "result",
        [{}, {"stats": {}}, job(), job([]), job([{}]), {"stats": {"evals": {"a": {}}}}],
    )
    def test_no_value_is_zero(self, result: Any) -> None:
        total = result.get("n_total_trials", 0)
        assert judged(result) == Outcome(status="completed", score=0.0, resolved=0, total=total, reason_code=None)

    @pytest.mark.parametrize("metrics", ["", {}])
    def test_an_empty_text_or_object_holds_no_metric(self, metrics: Any) -> None:
        assert judged({"stats": {"evals": {"a": {"metrics": metrics}}}}).reason_code is None


class TestResolved:
    """The number of resolved trials is the score times the trials, halves to the even neighbour."""

    @pytest.mark.parametrize(
        ("score", "total", "resolved"),
        [
            (0.5, 1, 0),
            (0.5, 3, 2),
            (0.5, 5, 2),
            (0.7, 15, 10),
            (0.35, 10, 4),
            (0.29, 50, 14),
            (-0.25, 2, 0),
            (-1, 1, -1),
            (2, 1, 2),
            (1, 10**300, int(1e300)),
        ],
    )
    def test_recorded(self, score: float, total: int, resolved: int) -> None:
        assert judged(job([{"mean": score}], total=total)).resolved == resolved

    def test_a_product_no_float_can_hold(self) -> None:
        assert judged(job([{"mean": 1e308}], total=10)) == MALFORMED
        assert judged(job(total=10**400)) == MALFORMED


class TestStatus:
    """A job without errored trials is completed, whatever its score."""

    @pytest.mark.parametrize(
        ("errored", "status"),
        [(0, "completed"), ("0", "completed"), (0.9, "completed"), (None, "completed"), (1, "failed"), (-1, "failed")],
    )
    def test_errored_trials(self, errored: Any, status: str) -> None:
        assert judged(job([{"mean": 0}], n_errored_trials=errored)).status == status


class TestTotal:
    """The total is the number of trials, or what completed and errored when there is none."""

    def test_fallback_does_not_reach_resolved(self) -> None:
        result = judged(job([{"mean": 0.5}], total=0, n_completed_trials=2, n_errored_trials=1))
        assert (result.total, result.resolved) == (3, 0)

    @pytest.mark.parametrize(
        ("count", "total"),
        [
            (7, 7),
            (-3, -3),
            (2.9, 2),
            (1e3, 1000),
            (True, 1),
            ("3", 3),
            (" +3 ", 3),
            ("-0_7", -7),
            ("٣", 3),
            ("\u30001１\x85", 11),
            ("-٣_1", -31),
            ("９" * 17, 99999999999999999),
            ("\U00011f51", 1),  # Kawi, a digit since Unicode 15.0
            ("0" * 4299 + "_5", 5),
        ],
    )
    def test_what_is_a_count(self, count: Any, total: int) -> None:
        assert judged({"n_total_trials": count}).total == total
        assert judged({"stats": {"n_completed_trials": count}}).total == total

    def test_python_is_given_no_other_digits(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def read(text: str) -> int:
            """Read an int with no digit that some Python does not know."""
            assert text.isascii()
            return int(text)

        monkeypatch.setattr("reimpl.outcome.int", read, raising=False)
        assert judged({"n_total_trials": "-٣_1"}).total == -31

    @pytest.mark.parametrize("count", [None, 0, 0.0, -0.0, False, "", [], {}])
    def test_nothing_is_zero(self, count: Any) -> None:
        assert judged({"n_total_trials": count, "stats": {"n_completed_trials": 4}}).total == 4

    @pytest.mark.parametrize(
        "count",
        [
            *(
                "x",
                " ",
                "3.0",
                "1e3",
                "1__0",
                "_1",
                "1_",
                "- 1",
                "0x1",
                "1\x1c",
                "²",
                "1\u30002",
                "\U00010d41",
                "\ud800",
            ),
            *([1], {"a": 1}, float("inf"), float("nan"), "0" * 4301),
        ],
    )
    @pytest.mark.parametrize("name", ["n_completed_trials", "n_errored_trials"])
    def test_what_is_none(self, name: str, count: Any) -> None:
        assert judged({"n_total_trials": count}) == MALFORMED
        assert judged({"n_total_trials": 1, "stats": {name: count}}) == MALFORMED


class TestMalformed:
    """One fault spoils the whole outcome."""

    @pytest.mark.parametrize(
        "content",
        [b"", b" ", b"{", b"\xef\xbb\xbf{}", b'{"a": "\xff"}', b"{}{}", b'{"a": ' + b"1" * 4301 + b"}"],
    )
    def test_no_json(self, content: bytes) -> None:
        assert outcome(content) == MALFORMED

    @pytest.mark.parametrize("result", [None, [], 1, "x", True])
    def test_no_object(self, result: Any) -> None:
        assert judged(result) == MALFORMED
        assert judged({"stats": result}) == MALFORMED
        assert judged({"stats": {"evals": result}}) == MALFORMED
        assert judged({"stats": {"evals": {"a": result}}}) == MALFORMED
        assert judged(job([result])) == MALFORMED

    @pytest.mark.parametrize("metrics", [None, 0, False, 1, "x", "mean", {"mean": 1}, ["mean"], [["mean"]]])
    def test_no_list_of_metrics(self, metrics: Any) -> None:
        assert judged({"stats": {"evals": {"a": {"metrics": metrics}}}}) == MALFORMED

    def test_nested_too_deeply(self) -> None:
        assert outcome(b'{"other": ' + b"[" * 1496 + b"]" * 1496 + b"}").reason_code is None
        assert outcome(b'{"other": ' + b"[" * 1497 + b"]" * 1497 + b"}") == MALFORMED

    def test_the_last_of_duplicate_keys_wins(self) -> None:
        assert outcome(b'{"n_total_trials": "x", "n_total_trials": 2}').total == 2


class TestFiles:
    """Only a file that is not there is missing; one that cannot be read is malformed."""

    def test_content(self, tmp_path: Path) -> None:
        file = tmp_path / "result.json"
        file.write_bytes(b'{"n_total_trials": 2}\r\n')
        assert read_outcome(str(file)).total == 2

    @pytest.mark.parametrize("name", ["gone", "file/below", "dangling", "loop", "na\0ul"])
    def test_missing(self, tmp_path: Path, name: str) -> None:
        (tmp_path / "file").touch()
        (tmp_path / "dangling").symlink_to("nowhere")
        (tmp_path / "loop").symlink_to("loop")
        assert read_outcome(tmp_path / name) == MISSING

    def test_empty(self, tmp_path: Path) -> None:
        (tmp_path / "result.json").touch()
        assert read_outcome(tmp_path / "result.json") == MALFORMED

    def test_a_directory(self, tmp_path: Path) -> None:
        assert read_outcome(tmp_path) == MALFORMED

    @pytest.mark.usefixtures("not_root")
    def test_no_permission_to_read(self, tmp_path: Path) -> None:
        file = tmp_path / "result.json"
        file.write_bytes(b"{}")
        file.chmod(0)
        assert read_outcome(file) == MALFORMED

    @pytest.mark.usefixtures("not_root")
    def test_no_permission_to_look(self, tmp_path: Path) -> None:
        tmp_path.chmod(0o600)
        with pytest.raises(PermissionError):
            read_outcome(tmp_path / "result.json")
