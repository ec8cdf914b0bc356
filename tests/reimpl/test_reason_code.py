from __future__ import annotations

import pytest

from reimpl import RewardFileEmptyError, RewardFileNotFoundError, VerifierOutputParseError
from reimpl.reason_code import (
    _SMALL_LETTERS,
    FINAL,
    REASON_CODES,
    RETRYABLE,
    normalize_reason_code,
    normalize_reason_code_as_printed,
)

NOT_FOUND = "No reward file found at /x/reward.txt or /x/reward.json"

CODES = [
    "harbor_agent_timeout_error",
    "harbor_broker_connection_failed",
    "harbor_cancelled_error",
    "harbor_environment_start_timeout_error",
    "harbor_nonzero_exit",
    "harbor_result_invalid",
    "harbor_result_malformed",
    "harbor_result_missing",
    "harbor_result_partial",
    "harbor_reward_empty",
    "harbor_reward_missing",
    "harbor_reward_parse_error",
    "harbor_submission_code_failed",
    "harbor_trial_failed",
    "harbor_trial_result_malformed",
    "harbor_trial_result_missing",
    "harbor_verifier_timeout_error",
    "terminal_bench_broker_ref_missing",
    "terminal_bench_job_dir_missing",
    "terminal_bench_lease_expired",
]


class TestCodes:
    """Every code is either worth a retry or final."""

    def test_two_parts(self) -> None:
        assert RETRYABLE | FINAL == REASON_CODES
        assert not RETRYABLE & FINAL
        assert sorted(REASON_CODES) == CODES

    @pytest.mark.parametrize("error", [RewardFileNotFoundError, RewardFileEmptyError, VerifierOutputParseError])
    def test_the_reward_errors_carry_final_codes(
        self, error: type[RewardFileNotFoundError | RewardFileEmptyError | VerifierOutputParseError]
    ) -> None:
        assert error.reason_code in FINAL

    @pytest.mark.parametrize("code", ["harbor_result_missing", "harbor_result_malformed"])
    def test_the_codes_of_the_outcome_line_are_valid(self, code: str) -> None:
        assert code in REASON_CODES


class TestWord:
    """A text in which nothing is found becomes one word."""

    @pytest.mark.parametrize(
        ("text", "code"),
        [
            ("No_empty", "no_empty"),
            ("HARBOR_RESULT_MISSING", "harbor_result_missing"),
            ("harbor nonzero exit", "harbor_nonzero_exit"),
            ("harbor-nonzero-exit", "harbor_nonzero_exit"),
            ("code \n code", "code_code"),
            ("is-  -No", "is___no"),
            ("Failed_to_\t_Connection", "failed_to___connection"),
            ("\t-\t-terminal_bench_lease_expired", "___terminal_bench_lease_expired"),
            ("  _found", "_found"),
            ("reset_\t", "reset_"),
            ("-", "_"),
            ("Failed :  : done", "failed_:_:_done"),
            ("a\u3000b\x1cc\x85", "a_b_c"),
            ("Ünïcode", "ünïcode"),
            ("İ", "i̇"),
            ("ﬁ", "ﬁ"),
            ("\u2c2f\ua7c0\U00010570\U00010595", "\u2c5f\ua7c1\U00010597\U000105bc"),  # capitals since Unicode 14.0
        ],
    )
    def test_recorded(self, text: str, code: str) -> None:
        assert normalize_reason_code(text) == code
        assert normalize_reason_code_as_printed(text) == code

    def test_the_capitals_of_unicode_14(self) -> None:
        # Python 3.10 does not know them; where they are known, the data must agree.
        assert len(_SMALL_LETTERS) == 40
        assert {chr(capital).lower(): chr(small) for capital, small in _SMALL_LETTERS.items()} == {
            chr(small): chr(small) for small in _SMALL_LETTERS.values()
        }

    @pytest.mark.parametrize("text", [None, "", "  ", "\t\n", "\u3000"])
    def test_blank(self, text: str | None) -> None:
        assert normalize_reason_code(text) is None
        assert normalize_reason_code_as_printed(text) is None


class TestNames:
    """The name of a failure decides, wherever it stands and however it is spelled."""

    @pytest.mark.parametrize(
        ("text", "code"),
        [
            ("agent_timeout_error", "harbor_agent_timeout_error"),
            ("AgentTimeoutError", "harbor_agent_timeout_error"),
            ("agent-timeout-error running", "harbor_agent_timeout_error"),
            ("cancelled_error", "harbor_cancelled_error"),
            ("asyncio.CancelledError", "harbor_cancelled_error"),
            ("isCanceledError", "harbor_cancelled_error"),
            ("environment start timeout error", "harbor_environment_start_timeout_error"),
            ("EnvironmentStartTimeoutError-Failed", "harbor_environment_start_timeout_error"),
            ("VerifierTimeoutError", "harbor_verifier_timeout_error"),
            ("trialverifier timeout errorrunning", "harbor_verifier_timeout_error"),
            ("resetsubmission_code_failure", "harbor_submission_code_failed"),
        ],
    )
    def test_recorded(self, text: str, code: str) -> None:
        assert normalize_reason_code(text) == code

    @pytest.mark.parametrize(
        ("text", "code"),
        [
            ("EnvironmentStartTimeoutErrorCanceledErrorruntime", "harbor_cancelled_error"),
            ("AgentTimeoutError : CanceledError : refused", "harbor_cancelled_error"),
            ("EnvironmentStartTimeoutError rewards AgentTimeoutError", "harbor_environment_start_timeout_error"),
            ("VerifierTimeoutError-agent_timeout_error", "harbor_agent_timeout_error"),
            ("submission_code_failure-REWARD-agent_timeout_error", "harbor_agent_timeout_error"),
            ("verifier timeout errorJSONharbor-reward-empty", "harbor_verifier_timeout_error"),
        ],
    )
    def test_the_first_rule_decides(self, text: str, code: str) -> None:
        assert normalize_reason_code(text) == code


class TestRewards:
    """A text about a reward is searched for what is wrong with it."""

    @pytest.mark.parametrize(
        ("text", "code"),
        [
            ("Reward file is empty at /x/reward.txt", "harbor_reward_empty"),
            ("RewardFileEmptyError", "harbor_reward_empty"),
            ("Failed to parse rewards from text file /x/reward.txt", "harbor_reward_parse_error"),
            ("Rewardmalformed", "harbor_reward_parse_error"),
            ("from_REWARD_missing", "harbor_reward_missing"),
            ("malformedREWARDisHARBOR_RESULT_MISSINGtext", "harbor_reward_missing"),
            ("harbor-reward-emptyfailedruntimeparse", "harbor_reward_empty"),
            ("Failed to parse rewards from text file /missing-semicolon__X/reward.txt", "harbor_reward_missing"),
        ],
    )
    def test_both(self, text: str, code: str) -> None:
        assert normalize_reason_code(text) == code
        assert normalize_reason_code_as_printed(text) == code

    @pytest.mark.parametrize(
        ("text", "word"),
        [
            (NOT_FOUND, "no_reward_file_found_at_/x/reward.txt_or_/x/reward.json"),
            ("RewardFileNotFoundError", "rewardfilenotfounderror"),
            ("rewards-reward", "rewards_reward"),
        ],
    )
    def test_the_printed_rule_calls_everything_else_a_parse_error(self, text: str, word: str) -> None:
        assert normalize_reason_code(text) == word
        assert normalize_reason_code_as_printed(text) == "harbor_reward_parse_error"

    def test_neither_finds_what_the_table_promises(self) -> None:
        promised = RewardFileNotFoundError.reason_code
        assert promised not in (normalize_reason_code(NOT_FOUND), normalize_reason_code_as_printed(NOT_FOUND))

    @pytest.mark.parametrize("text", ["missing", "empty file", "malformed JSON", "VerifierOutputParseError"])
    def test_nothing_is_found_without_a_reward(self, text: str) -> None:
        assert normalize_reason_code(text) == text.lower().replace(" ", "_")
        assert normalize_reason_code_as_printed(text) == text.lower().replace(" ", "_")
