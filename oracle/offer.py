"""Which surfaces the installed release of harbor answers, and why it does not answer the others."""

from __future__ import annotations

from typing import Any

from oracle import door
from oracle.release import AbsentError

_TRIAL = {
    "task": "t",
    "name": "t__1",
    "source": None,
    "agent": "a",
    "model": "m",
    "verified": True,
    "rewards": {"reward": 1},
    "exception": None,
    "tokens": {"input": 1, "cache": 1, "output": 1, "cost_usd": 1.0},
}

# Cases so plain that a release answers each with a value if the oracle can reach its code at all.
_PLAIN: dict[str, list[dict[str, Any]]] = {
    "reward_files": [{"reward.txt": b"1", "reward.json": None}, {"reward.txt": None, "reward.json": b'{"reward": 1}'}],
    "metric": [{"metric": "mean", "rewards": [{"reward": 1}]}],
    "pass_at_k": [{"trials": [_TRIAL, _TRIAL]}],
    "job_stats": [{"n_total_trials": 1, "n_retries": 0, "steps": [{"op": "add", "trial": _TRIAL}]}],
    "multi_step": [
        {"strategy": name, "steps": [{"verified": True, "rewards": {"reward": 1}}]} for name in ("mean", "final")
    ],
    "min_reward": [{"rewards": {"reward": 1}, "min_reward": 1.0}],
    "job_result": [
        {
            "id": "00000000-0000-0000-0000-000000000000",
            "started_at": "2026-01-01T00:00:00",
            "finished_at": "2026-01-01T00:00:01",
            "n_attempts": 1,
            "n_retries": 0,
            "metrics": {"adhoc": ["mean"]},
            "trials": [_TRIAL],
        }
    ],
    "job_run": [{"tasks": [{"name": "t", "plays": [[{"reward.txt": b"1"}]]}]}],
}


def offer() -> tuple[list[str], dict[str, str]]:
    """List the surfaces that the release answers, and the others with the reason."""
    absent = {surface: reason for surface in door.SURFACES if (reason := _absence(surface))}
    return [surface for surface in door.SURFACES if surface not in absent], absent


def _absence(surface: str) -> str:
    for case in _PLAIN[surface]:
        try:
            outcome = door.run(surface, case)
        except AbsentError as error:
            return str(error)
        except ImportError:
            raise  # a dependency is missing or does not fit: a broken environment says nothing about the release
        except Exception as error:  # noqa: BLE001
            return f"the oracle does not fit this release: {type(error).__name__}: {error}"
        if "error" in outcome:
            # An outcome, to harbor; but here it only shows that harbor's code is not reached as it was before.
            return f"this release answers even the plainest case with {outcome['error']}"
    return ""
