"""Every figure of a ``result.json`` beside what the trials give."""

from __future__ import annotations

from collections.abc import Iterator
from math import nan
from typing import Any

from parity.audit.compute import Computed, MetricSource, as_json, is_same, spelled
from parity.audit.files import pairs_of
from parity.audit.findings import Figure, Verdict
from parity.audit.reach import Fold, Mean, Number, Reach, is_same_in_every_order, plain_sum, reach
from parity.audit.trial_result import stored_key
from parity.audit.trials import StoredTrial
from reimpl import evals_key, pass_at_k
from reimpl.summation import total

ABSENT: Any = object()
"""What is not recorded."""

COUNTERS = ("n_completed_trials", "n_errored_trials", "n_running_trials", "n_pending_trials", "n_cancelled_trials")
TOKENS = ("n_input_tokens", "n_cache_tokens", "n_output_tokens")
GROUP = ("n_trials", "n_errors", "metrics", "pass_at_k", "reward_stats", "exception_stats")
STATS = frozenset({*COUNTERS, "n_retries", "evals", *TOKENS, "cost_usd"})


class Judge:
    """Compares what is recorded with what was computed in one order of the trials."""

    def __init__(
        self,
        computed: Computed,
        order: list[StoredTrial],
        *,
        is_finished: bool,
        is_recovered: bool,
        must_have_all: bool,
    ) -> None:
        self._computed = computed
        self._is_finished = is_finished
        self._is_recovered = is_recovered
        self._must_have_all = must_have_all
        self._order = order
        self._groups: dict[str, list[StoredTrial]] = {}
        for stored in order:
            self._groups.setdefault(stored_key(evals_key(stored.trial)), []).append(stored)

    def groups(self, recorded: dict[str, Any]) -> Iterator[Figure]:
        """Judge all that is said of the groups of trials."""
        computed = self._computed.stats["evals"]
        for key in {**recorded, **computed}:
            own, other = recorded.get(key, ABSENT), computed.get(key, ABSENT)
            path = f"stats.evals.{key}"
            if not isinstance(own, dict) or other is ABSENT:
                yield _differs(path, own, other)
                continue
            for name in ("n_trials", "n_errors"):
                yield self.plain(f"{path}.{name}", own.get(name, ABSENT), other[name])
            yield from self._metrics(key, path, own.get("metrics", ABSENT), other["metrics"])
            yield from self._passes(key, path, own.get("pass_at_k", ABSENT), other["pass_at_k"])
            for name in ("reward_stats", "exception_stats"):
                yield from self._lists(key, f"{path}.{name}", own.get(name, ABSENT), other[name])
        if list(recorded) != list(computed) and recorded.keys() == computed.keys():
            note = "the groups stand in another order"
            yield Figure("stats.evals", Verdict.DIFFERS, spelled(list(recorded)), spelled(list(computed)), note)

    def plain(self, path: str, recorded: Any, computed: Any, note: str = "") -> Figure:
        """Judge a figure that no order changes."""
        if is_same(recorded, computed):
            return Figure(path, Verdict.FOLLOWS, spelled(recorded), spelled(computed))
        if recorded is ABSENT and not self._must_have_all:
            return Figure(path, Verdict.NOT_JUDGED, "", spelled(computed), "this release does not record it")
        return _differs(path, recorded, computed, note)

    def cost(self, recorded: Any) -> Figure:
        """Judge the cost, which is added up plainly in the order of the trials."""
        costs = [stored.trial.tokens.cost_usd for stored in self._order if stored.trial.tokens is not None]
        values: list[Number] = [cost for cost in costs if cost is not None]
        return self._sum("stats.cost_usd", recorded, self._computed.stats["cost_usd"], values, plain_sum)

    def _metrics(self, key: str, path: str, recorded: Any, computed: list[Any]) -> Iterator[Figure]:
        raised = self._computed.raised.get(key)
        if raised is not None:
            note = f"the metrics of these trials raise {raised}"
            yield Figure(f"{path}.metrics", Verdict.DIFFERS, spelled(recorded), "", note)
            return
        if not isinstance(recorded, list) or len(recorded) != len(computed):
            yield self.plain(f"{path}.metrics", recorded, computed, "there should be another number of metrics")
            return
        sources = self._computed.metrics[key]
        for place, (own, other, source) in enumerate(zip(recorded, computed, sources, strict=True)):
            yield from self._metric(key, f"{path}.metrics[{place}]", own, other, source)
        if not computed and not self._is_finished:
            note = "right only if a run was resumed in which no trial of the group has ended"
            yield Figure(f"{path}.metrics", Verdict.NOT_JUDGED, "[]", "", note)
        elif not computed:
            yield Figure(f"{path}.metrics", Verdict.FOLLOWS, "[]", "[]")

    def _metric(self, key: str, path: str, recorded: Any, computed: Any, source: MetricSource) -> Iterator[Figure]:
        if source.name is None:
            yield Figure(path, Verdict.NOT_JUDGED, spelled(recorded), "", "a script's, or one that is not known")
            return
        if not isinstance(recorded, dict) or list(recorded) != list(computed):
            yield _differs(path, recorded, computed)
            return
        for name, value in computed.items():
            values = _column(self._groups[key], name if len(computed) > 1 else None)
            figure = self._aggregate(f"{path}.{name}", recorded[name], value, source.name, values)
            yield self._doubted(key, figure)

    def _doubted(self, key: str, figure: Figure) -> Figure:
        """Leave open what hangs on a value that is gone."""
        if figure.verdict is not Verdict.DIFFERS or not any(stored.doubtful for stored in self._groups[key]):
            return figure
        note = "a reward was nan or infinite, and no file tells which"
        return Figure(figure.path, Verdict.UNDECIDED, figure.recorded, figure.computed, note)

    def _aggregate(self, path: str, recorded: Any, computed: Any, metric: str, values: list[Number]) -> Figure:
        if metric == "max":
            return self._extreme(path, recorded, computed, values, max)
        if metric == "min":
            return self._extreme(path, recorded, computed, values, min)
        return self._sum(path, recorded, computed, values, Mean(len(values)) if metric == "mean" else total)

    def _extreme(self, path: str, recorded: Any, computed: Any, values: list[Number], fold: Fold) -> Figure:
        """Judge a max or min: of equal values the first counts, and a nan counts if it is the first of all."""
        best = fold([value for value in values if not _is_nan(value)] or [nan])
        ties = {spelled(as_json(value)) for value in values if _is_nan(value) or value == best}
        some = Reach.SOME if spelled(recorded) in ties else Reach.NONE
        return self._by_order(path, recorded, computed, some, is_independent=len(ties) == 1)

    def _sum(self, path: str, recorded: Any, computed: Any, values: list[Number], fold: Fold) -> Figure:
        found, agrees = Reach.NONE, is_same(recorded, computed)
        if agrees and self._is_recovered:
            return self.plain(path, recorded, computed)
        is_independent = is_same_in_every_order(values, compensated=fold is not plain_sum)
        if not agrees and not is_independent and type(recorded) in {int, float}:
            found = reach(values, fold, lambda value: is_same(as_json(value), recorded), recorded)
        return self._by_order(path, recorded, computed, found, is_independent=is_independent)

    def _by_order(self, path: str, recorded: Any, computed: Any, found: Reach, *, is_independent: bool) -> Figure:
        """Judge a figure that the order of the trials may change."""
        if is_same(recorded, computed) or recorded is ABSENT:
            figure = self.plain(path, recorded, computed)
            if is_independent or self._is_recovered or figure.verdict is not Verdict.FOLLOWS:
                return figure
            note = "it depends on the order of the trials, and this one gives it"
            return Figure(path, figure.verdict, figure.recorded, figure.computed, note)
        verdict, note = Verdict.DIFFERS, "" if is_independent else found.value
        if self._is_recovered and found is Reach.SOME:
            note = "another order of the trials would give it"
        elif not self._is_recovered and not is_independent:
            verdict = {Reach.SOME: Verdict.SOME_ORDER, Reach.UNKNOWN: Verdict.UNDECIDED}.get(found, verdict)
        return Figure(path, verdict, _spelled(recorded), spelled(computed), note)

    def _passes(self, key: str, path: str, recorded: Any, computed: dict[str, Any]) -> Iterator[Figure]:
        if not isinstance(recorded, dict) or list(recorded) != list(computed) or not computed:
            yield self.plain(f"{path}.pass_at_k", recorded, computed)
            return
        tasks: dict[str, list[StoredTrial]] = {}
        for stored in self._groups[key]:
            tasks.setdefault(stored.trial.task, []).append(stored)
        estimates = [next(iter(pass_at_k(stored.trial for stored in task).values())) for task in tasks.values()]
        for k, value in computed.items():
            values: list[Number] = [estimate[int(k)] for estimate in estimates]
            yield self._sum(f"{path}.pass_at_k.{k}", recorded[k], value, values, Mean(len(values)))

    def _lists(self, key: str, path: str, recorded: Any, computed: dict[str, Any]) -> Iterator[Figure]:
        if not isinstance(recorded, dict) or list(recorded) != list(computed) or not computed:
            yield self._doubted(key, self.plain(path, recorded, computed))
            return
        for name, value in computed.items():
            own = recorded[name]
            figure = self._doubted(key, self.plain(f"{path}.{name}", own, value))
            if figure.verdict is Verdict.DIFFERS and _unordered(own) == _unordered(value):
                note = "the same trials, in an order that no other order of trials explains"
                figure = Figure(figure.path, Verdict.DIFFERS, figure.recorded, figure.computed, note)
            yield figure


def _is_nan(value: Number) -> bool:
    """Say whether a number is nan, however large an int it is."""
    return value != value  # noqa: PLR0124


def _column(group: list[StoredTrial], reward: str | None) -> list[Number]:
    """List a reward of all trials, 0 where there is none; without a name, the only one there is."""
    rewards = [stored.trial.rewards or {} if stored.trial.verified else {} for stored in group]
    if reward is None:
        return [next(iter(each.values()), 0) for each in rewards]
    return [{stored_key(key): value for key, value in each.items()}.get(reward, 0) for each in rewards]


def _unordered(value: Any) -> Any:
    """Forget the order of names, and of buckets, and which of two equal numbers names a bucket."""
    if isinstance(value, dict):
        return sorted((_number(key), _unordered(item)) for key, item in pairs_of(value))
    return sorted(map(spelled, value)) if isinstance(value, list) else value


def _number(text: str) -> str:
    try:
        return float(text).hex()
    except (ValueError, OverflowError):
        return text


def _spelled(value: Any) -> str:
    return "" if value is ABSENT else spelled(value)


def _differs(path: str, recorded: Any, computed: Any, note: str = "") -> Figure:
    missing = {ABSENT: "it is not recorded"}.get(recorded if recorded is ABSENT else None)
    if computed is ABSENT:
        missing = "no trial gives it"
    return Figure(path, Verdict.DIFFERS, _spelled(recorded), _spelled(computed), missing or note)
