from __future__ import annotations

import pickle
from types import ModuleType

import pytest

import reimpl
from reimpl import (
    ErrorDetail,
    RewardFileEmptyError,
    RewardFileNotFoundError,
    ValidationError,
    VerifierOutputParseError,
)


class TestReasonCodes:
    """The three reward errors carry the reason code a runner must report."""

    @pytest.mark.parametrize(
        ("error", "code"),
        [
            (RewardFileNotFoundError, "harbor_reward_missing"),
            (RewardFileEmptyError, "harbor_reward_empty"),
            (VerifierOutputParseError, "harbor_reward_parse_error"),
        ],
    )
    def test_class_and_instance(
        self,
        error: type[RewardFileNotFoundError | RewardFileEmptyError | VerifierOutputParseError],
        code: str,
    ) -> None:
        assert error.reason_code == code
        assert error("text").reason_code == code


class TestKinds:
    """Each error is caught by the builtin that catches harbor's."""

    def test_bases(self) -> None:
        assert issubclass(RewardFileNotFoundError, FileNotFoundError)
        assert issubclass(ValidationError, ValueError)
        for error in (RewardFileEmptyError, VerifierOutputParseError):
            assert error.__mro__[1:] == (Exception, BaseException, object)


class TestValidationError:
    """It says what is wrong, and survives the way back from a worker process."""

    def test_text_and_pickle(self) -> None:
        details: list[ErrorDetail] = [
            {"loc": ["rewards", "a", "float"], "type": "float_type"},
            {"loc": ["rewards", "a", "int"], "type": "int_type"},
        ]
        error = ValidationError(details)
        assert str(error) == "rewards.a.float: float_type; rewards.a.int: int_type"
        assert error.args == (details,)
        copy = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes
        assert copy.details == error.details


class TestPublicNames:
    """What the package promises is there."""

    def test_all(self) -> None:
        for name in reimpl.__all__:
            assert not isinstance(getattr(reimpl, name), ModuleType), name
        assert len(set(reimpl.__all__)) == len(reimpl.__all__)

    def test_other_names(self) -> None:
        with pytest.raises(AttributeError, match=r"^module 'reimpl' has no attribute 'no_such_name'$"):
            reimpl.no_such_name  # noqa: B018
