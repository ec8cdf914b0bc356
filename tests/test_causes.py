"""Of the places where a case differs, those that others bring about are shown, and give no fault its name."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parity.case import Case
from parity.causes import causes
from parity.codec import Json, Record, encode
from parity.compare import Divergence
from parity.judge import Finding, diverging
from parity.surfaces import LIVE

REWARDED = "value.trials[*].rewards[*] float differs"
ENDED = "value.runs[*].ended str differs"
UNFINISHED = "value.trials[*].finished bool differs"
MEAN = "value.runs[*].result.stats.evals[*].metrics[*][*] number differs"
COST = "value.runs[*].result.stats.cost_usd number differs"
GROUP = "value.stats.evals[*] only one side has this dict"
COUNT = "value.stats.evals[*].n_trials number differs"


def place(told: str, **at: str) -> Divergence:
    """Return a divergence by its general path and kind, at the first of everything unless said otherwise."""
    path, _, kind = told.partition(" ")
    return Divergence(path.replace("[*]", at.get("index", "[0]")), path, kind, "", "")


def named(surface: str, *told: str) -> list[str]:
    return [f"{each.general_path} {each.kind}" for each in causes(surface, [place(each) for each in told])]


class TestCauses:
    """What comes first in a job explains what is made of it."""

    @pytest.mark.parametrize(
        ("cause", "effects"),
        [
            (REWARDED, [ENDED, MEAN, COST]),
            (ENDED, [UNFINISHED, MEAN, COST, "value.runs[*].error record ≠ null"]),
            ("value.trials[*].name str differs", ["value.trials[*].steps list ≠ null", REWARDED]),
            ("value.trials[*].steps[*] only one side has this record", [REWARDED, MEAN, COST]),
            ("value.trials[*].steps[*].exception null ≠ record", ["value.trials[*].steps[*].rewards dict ≠ null"]),
            ("value.trials[*].verified bool differs", ["value.trials[*].rewards null ≠ dict"]),
            ("value.runs[*].result.stats.n_retries number differs", [COST, MEAN]),
            ("value.trials[*].exception.type str differs", ["value.trials[*].exception.message str differs"]),
            (
                "value.runs[*].late.stats.evals[*] only one side has this dict",
                ["value.runs[*].late.stats.evals key order"],
            ),
        ],
    )
    def test_what_follows_gives_no_name(self, cause: str, effects: list[str]) -> None:
        assert named("job_run", cause, *effects) == [cause]
        assert named("job_run", *effects, cause) == [cause]
        for effect in effects:
            assert named("job_run", effect) == [effect]

    @pytest.mark.parametrize("root", ["value", "value.stats"])
    def test_a_group_that_one_side_lacks_explains_the_groups_alone(self, root: str) -> None:
        group, count, cost = (
            each.replace("value.stats", root) for each in (GROUP, COUNT, "value.stats.cost_usd null ≠ number")
        )
        assert named("job_result", group, count, cost) == [group, cost]

    @pytest.mark.parametrize("place", ["value.trials[*]", "value.trials[*].steps[*]"])
    def test_the_words_of_an_exception_bring_nothing_about(self, place: str) -> None:
        words = f"{place}.exception.message str differs"
        for other in (ENDED, COST, REWARDED, "value.trials[*].verified bool differs"):
            assert named("job_run", words, other)[-1:] == [other]
        assert named("job_run", words, ENDED) == [words, ENDED]

    def test_how_many_are_made_again_explains_the_statistics_and_nothing_else_of_the_run(self) -> None:
        again = "value.runs[*].result.stats.n_retries number differs"
        assert named("job_run", again, COST, "value.runs[*].result.id str differs") == [
            again,
            "value.runs[*].result.id str differs",
        ]

    def test_a_place_explains_nothing_in_another_of_its_kind(self) -> None:
        trials = [place("value.trials[*].exception null ≠ record"), place(REWARDED, index="[1]")]
        assert causes("job_run", trials) == trials
        runs = [place("value.runs[*].result.stats.n_retries number differs"), place(COST, index="[1]")]
        assert causes("job_run", runs) == runs

    @pytest.mark.parametrize("surface", sorted(LIVE.keys() - {"job_stats", "job_result", "job_run"}))
    def test_of_single_functions_every_place_is_a_cause(self, surface: str) -> None:
        places = [place(REWARDED), place(ENDED), place(GROUP), place(COUNT)]
        assert causes(surface, places) == places


@given(
    surface=st.sampled_from(sorted(LIVE)),
    told=st.lists(st.sampled_from([REWARDED, ENDED, UNFINISHED, MEAN, COST, GROUP, COUNT]), min_size=1),
)
def test_there_is_always_a_cause_and_it_is_one_of_the_places(surface: str, told: list[str]) -> None:
    places = [place(each) for each in told]
    assert causes(surface, places)
    assert set(causes(surface, places)) <= set(places)


def written(mean: str) -> bytes:
    return f'{{"stats": {{"evals": {{"agent__adhoc": {{"metrics": [{{"mean": {mean}}}]}}}}}}}}'.encode()


def job(mean: str, reward: float, **fields: Any) -> Json:
    trial = Record(
        name="t__0000000", finished=True, verified=True, rewards={"reward": reward}, exception=None, steps=None
    )
    run = Record({"ended": "finished", "error": None, "result": written(mean), "late": None, **fields})
    return {"value": encode(Record(runs=[run], trials=[trial]))}


def found(a: Json, b: Json) -> Finding:
    finding = diverging(Case("job_run", {"tasks": []}), a, b)
    assert finding
    return finding


def test_what_follows_is_shown_after_what_it_follows_from() -> None:
    finding = found(job("0.0", 0.0), job("1.0", 1.0))
    assert finding.fingerprints == (f"job_run {REWARDED}",)
    assert [each.general_path for each in finding.divergences] == [
        REWARDED.split(maxsplit=1)[0],
        MEAN.split(maxsplit=1)[0],
    ]


def test_what_is_made_of_the_same_trials_is_judged_by_itself() -> None:
    assert found(job("0.0", 1.0), job("1.0", 1.0)).fingerprints == (f"job_run {MEAN}",)


def test_what_a_crash_leaves_behind_is_one_file_with_its_last_write_or_without() -> None:
    late = found(*(job("1.0", 1.0, late=written(mean)) for mean in ("0.0", "1.0")))
    assert late.fingerprints == (f"job_run {MEAN}",)
    assert late.divergences[0].path.startswith("value.runs[0].late.")
