"""Surface `job_stats`: harbor's `JobStats` as trials are added, removed and replaced."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from harbor.models.job.result import JobStats

from oracle import release
from oracle.trials import trial_result

if TYPE_CHECKING:
    from collections.abc import Mapping

# Releases that do not count progress take neither of the two numbers of a case.
COUNTS = [name for name in ("n_total_trials", "n_retries") if release.takes(JobStats.from_trial_results, name)]
# Releases that cannot take a trial back count each one, and no more.
ADD = release.first("harbor.models.job.result:JobStats.update_trial", "harbor.models.job.result:JobStats.increment")


def answer(input: Mapping[str, Any]) -> bytes:
    """Give the stats after the steps, as harbor renders them."""
    # The ways harbor's job takes: the trials it starts from are counted together (`from_trial_results`, one
    # `increment` each); a trial that ends later, or again, goes through `update_trial`; one that is taken back goes
    # through `remove_trial`.
    steps = input["steps"]
    first = list(itertools.takewhile(lambda step: step["op"] == "add", steps))
    seen = [trial_result(step["trial"]) for step in first]
    counts = {name: input[name] for name in COUNTS}
    stats = JobStats.from_trial_results(list(seen), **counts)
    for step in steps[len(first) :]:
        match step["op"]:
            case "add":
                seen.append(trial_result(step["trial"]))
                ADD(stats, seen[-1])
            case "replace":
                previous = seen[step["previous"]]
                seen.append(trial_result(step["trial"]))
                release.part(JobStats, "update_trial")(stats, seen[-1], previous)
            case "remove":
                release.part(JobStats, "remove_trial")(stats, seen[step["trial"]])
            case op:
                raise ValueError(f"unknown step {op!r}")
    if counts and input["n_total_trials"] is not None:
        stats.update_progress_counts(**counts)
    rendered: str = stats.model_dump_json(indent=4)
    return rendered.encode()
