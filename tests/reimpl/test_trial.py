from __future__ import annotations

import pytest

from reimpl.trial import TokenUsage, Trial, evals_key


class TestEvalsKey:
    """A group is named by agent, model and dataset, joined with two underscores as they are."""

    def test_all_three_parts(self) -> None:
        assert evals_key(Trial("t", "n", "agent", model="model", source="data")) == "agent__model__data"

    def test_no_model_leaves_its_part_out(self) -> None:
        assert evals_key(Trial("t", "n", "agent", source="data")) == "agent__data"

    def test_no_source_is_adhoc(self) -> None:
        assert evals_key(Trial("t", "n", "agent", model="model")) == "agent__model__adhoc"

    def test_empty_model_and_source_are_none(self) -> None:
        assert evals_key(Trial("t", "n", "agent", model="", source="")) == "agent__adhoc"

    def test_empty_agent_stays(self) -> None:
        assert evals_key(Trial("t", "n", "")) == "__adhoc"

    def test_underscores_in_names_collide(self) -> None:
        one = Trial("t", "n", "a__b", source="c")
        other = Trial("t", "n", "a", model="b", source="c")
        assert evals_key(one) == evals_key(other) == "a__b__c"

    def test_task_and_name_do_not_matter(self) -> None:
        assert evals_key(Trial("t1", "n1", "a")) == evals_key(Trial("t2", "n2", "a"))


class TestTrial:
    """A trial is a value with defaults for everything a plain run does not have."""

    def test_plain_trial(self) -> None:
        trial = Trial(task="t", name="n", agent="a")
        assert trial.verified
        assert (trial.model, trial.source, trial.rewards, trial.exception, trial.tokens) == (None,) * 5

    def test_tokens_are_unknown_by_default(self) -> None:
        assert TokenUsage() == TokenUsage(input=None, cache=None, output=None, cost_usd=None)

    def test_cannot_be_changed(self) -> None:
        trial = Trial("t", "n", "a")
        with pytest.raises(AttributeError):
            trial.name = "m"  # type: ignore[misc]
