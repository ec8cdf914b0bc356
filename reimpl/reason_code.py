"""Reason codes: the words the consumer has for why a job has no good result, and how it finds them in any text.

The rules come from the specification document (section 1.4, which prints three of them) and from recorded answers of a
hand transcription of the consumer, which is weaker evidence than the document. Where the two disagree both are kept:
:func:`normalize_reason_code` answers as recorded, :func:`normalize_reason_code_as_printed` by the printed rule.

Neither gives a missing reward file the code ``harbor_reward_missing`` that the document's table promises: the message,
"No reward file found at …", has no "missing" in it. The reward errors in :mod:`reimpl.errors` carry the code of that
table as ``reason_code``, and a runner that has caught one should report that instead of matching its message.
"""

from __future__ import annotations

RETRYABLE: frozenset[str] = frozenset(
    {
        "harbor_broker_connection_failed",
        "harbor_cancelled_error",
        "harbor_environment_start_timeout_error",
        "terminal_bench_broker_ref_missing",
        "terminal_bench_job_dir_missing",
        "terminal_bench_lease_expired",
    }
)
"""Something around the job failed, so that the same job may well succeed when it is started again.

No document and no recording says which codes are worth a retry. What is known is which errors harbor leaves out of its
own retries: the timeouts of agent and verifier and the three reward errors (fact 81), but not an environment that did
not start. The other codes are divided in the same spirit: lost connections, leases and directories and a cancellation
come from outside the job.
"""

FINAL: frozenset[str] = frozenset(
    {
        "harbor_agent_timeout_error",
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
    }
)
"""The job ran, and this is what became of it."""

REASON_CODES: frozenset[str] = RETRYABLE | FINAL
"""Every valid code: the ones a runner may report.

The public consumer has one more, ``agent_hydrate_failed``, which neither the document nor the recordings know.
"""

# The first name found anywhere in the text decides, whatever else the text says.
_NAMES: tuple[tuple[str, str], ...] = (
    ("cancellederror", "harbor_cancelled_error"),
    ("cancelled_error", "harbor_cancelled_error"),
    ("cancelederror", "harbor_cancelled_error"),
    ("environmentstarttimeouterror", "harbor_environment_start_timeout_error"),
    ("environment_start_timeout_error", "harbor_environment_start_timeout_error"),
    ("agenttimeouterror", "harbor_agent_timeout_error"),
    ("agent_timeout_error", "harbor_agent_timeout_error"),
    ("verifiertimeouterror", "harbor_verifier_timeout_error"),
    ("verifier_timeout_error", "harbor_verifier_timeout_error"),
    # Recorded after the environment and the agent; before the verifier or after the rewards would fit as well.
    ("submission_code_failure", "harbor_submission_code_failed"),
)

# Likewise, in a text that speaks of a reward.
_REWARD_WORDS: tuple[tuple[str, str], ...] = (
    ("missing", "harbor_reward_missing"),
    ("empty", "harbor_reward_empty"),
    ("parse", "harbor_reward_parse_error"),
    ("malformed", "harbor_reward_parse_error"),
)

# The capitals that Unicode 14.0 gave a small letter. 3.12 knows them and 3.10 does not, so they are carried as data.
_SMALL_LETTERS = {
    **{capital: capital + 1 for capital in (0xA7C0, 0xA7D0, 0xA7D6, 0xA7D8)},
    **{capital: capital + 39 for capital in range(0x10570, 0x10596) if capital not in (0x1057B, 0x1058B, 0x10593)},
    0x2C2F: 0x2C5F,
}


def normalize_reason_code(text: str | None) -> str | None:
    """Find the reason code in a text, as recorded from the transcription of the consumer.

    The name of a failure decides first, then a reward that is missing, empty or not to be parsed, both anywhere in the
    text. A text in which neither is found becomes its own code, which need not be one of ``REASON_CODES``: lower case,
    with an underscore for each stretch of white space and for each hyphen. A blank text has none.
    """
    word = _word(text)
    return _found(word) or word


def normalize_reason_code_as_printed(text: str | None) -> str | None:
    """Find the reason code in a text by the rules as the document prints them.

    The third of them is always true, so that every text about a reward that is neither missing nor empty is
    ``harbor_reward_parse_error``. The document leaves out what comes before and after its three rules; there this is
    :func:`normalize_reason_code`.
    """
    word = _word(text)
    return _found(word) or ("harbor_reward_parse_error" if word and "reward" in word else word)


def _word(text: str | None) -> str | None:
    """Make one word of a text, or None of a blank one."""
    if text is None:
        return None
    return "_".join(text.translate(_SMALL_LETTERS).lower().split()).replace("-", "_") or None


def _found(word: str | None) -> str | None:
    """Return the code of the first rule that matches, if any does."""
    if word is None:
        return None
    rules = (*_NAMES, *_REWARD_WORDS) if "reward" in word else _NAMES
    return next((code for found, code in rules if found in word), None)
