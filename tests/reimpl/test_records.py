from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timezone

import pytest

from reimpl import records
from reimpl.evaluation import ValidityCheck
from reimpl.records import EvaluationError

TIME = "2026-01-31T12:00:00+00:00"


class TestKinds:
    """A value of the wrong kind is named as JSON names it, or by its type where JSON has none."""

    @pytest.mark.parametrize(
        ("value", "name"),
        [
            ({}, "an object"),
            ([], "an array"),
            (True, "a boolean"),
            (1, "a number"),
            (1.5, "a number"),
            (None, "null"),
            (b"", "bytes"),
        ],
    )
    def test_what_is_no_text(self, value: object, name: str) -> None:
        with pytest.raises(EvaluationError, match=rf"^is {name}, not text$"):
            records.text(value)

    def test_what_is_no_record(self) -> None:
        with pytest.raises(EvaluationError, match=r"^is text, not an object$"):
            records.record(ValidityCheck)("x")


class TestNumbers:
    """A count is an int of 63 bits from 0 on, a size any finite number from 0 on."""

    @pytest.mark.parametrize("value", [0, 1, 127, 2**63 - 1])
    def test_counts(self, value: int) -> None:
        assert records.count(value) == value

    @pytest.mark.parametrize("value", [-1, 2**63])
    def test_no_counts(self, value: int) -> None:
        with pytest.raises(EvaluationError, match=r"^is negative or too large for a count$"):
            records.count(value)

    @pytest.mark.parametrize("value", [0, 0.0, 5e-324, 1.7e308])
    def test_sizes(self, value: float) -> None:
        assert repr(records.size(value)) == repr(float(value))

    @pytest.mark.parametrize("value", [-5e-324, float("inf"), float("nan")])
    def test_no_sizes(self, value: float) -> None:
        with pytest.raises(EvaluationError, match=rf"^is {value}, not a finite number from 0 on$"):
            records.size(value)


class TestTimes:
    """A time is kept as it is, and text is one in the digits of ASCII alone."""

    @pytest.mark.parametrize("zone", [None, timezone.utc])
    def test_values(self, zone: timezone | None) -> None:
        time = datetime(2026, 1, 31, 12, tzinfo=zone)
        assert records.timestamp(time) == time

    @pytest.mark.parametrize("place", [0, 11, 20])
    def test_other_digits(self, place: int) -> None:
        text = TIME[:place] + "٠" + TIME[place + 1 :]
        with pytest.raises(EvaluationError, match=r"not a time such as"):
            records.timestamp(text)


class TestReaders:
    """A reader of something optional takes null, and hands on everything else."""

    @pytest.mark.parametrize(("reader", "value"), [(records.text, "x"), (records.count, 1), (records.flag, False)])
    def test_optional(self, reader: Callable[[object], object], value: object) -> None:
        read = records.optional(reader)
        assert read(None) is None
        assert read(value) == value
