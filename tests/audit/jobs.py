"""Jobs to be audited, as harbor is told of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

Job = Mapping[str, Any]


def text(reward: str) -> list[dict[str, Any]]:
    return [{"reward.txt": reward.encode()}]


def document(rewards: str) -> list[dict[str, Any]]:
    return [{"reward.json": rewards.encode()}]


TENTHS = [text("0.1"), text("0.2"), text("0.3"), text("0.7")]
JOBS: dict[str, Job] = {
    "several agents and metrics": {
        "tasks": [{"name": "t", "plays": TENTHS}, {"name": "u", "plays": [text("1"), text("0")]}],
        "agents": [{"name": "a", "model": "p/m"}, {"name": "b"}],
        "metrics": ["mean", "max", "min", "sum"],
        "n_attempts": 4,
    },
    "pass@k, tokens and errors": {
        "datasets": [
            {
                "name": "bench",
                "tasks": [
                    {"name": "x", "plays": [text("1"), text("0"), text("0")]},
                    {
                        "name": "y",
                        "plays": [
                            [
                                {
                                    "agent": "AgentTimeoutError",
                                    "reward.txt": b"1",
                                    "tokens": {"input": 3, "cost_usd": 0.1},
                                }
                            ],
                            [{"agent": "RuntimeError: no", "tokens": {"output": 2, "cost_usd": 0.7}}],
                        ],
                    },
                ],
            }
        ],
        "n_attempts": 5,
    },
    "steps": {
        "tasks": [
            {
                "name": "mean",
                "steps": [{"name": "one", "min_reward": 0.2}, {"name": "two"}],
                "plays": [[{"steps": [document('{"a": 1, "b": 0.3}')[0], document('{"a": 0.1, "b": 0.7}')[0]]}]],
            },
            {
                "name": "final",
                "strategy": "final",
                "steps": [{"name": "one"}, {"name": "two"}],
                "plays": [[{"steps": [text("nan")[0], text("0.25")[0]]}]],
            },
        ],
        "n_attempts": 2,
    },
    "reward files that cannot be read": {
        "tasks": [
            {
                "name": "t",
                "plays": [[{"reward.txt": None}], *map(document, ("[", '{"a": "x"}', "null", "{}")), text("")],
            }
        ],
        "n_attempts": 6,
    },
    "nan and the infinities": {
        "tasks": [{"name": "t", "plays": [text("nan"), text("inf"), text("1"), text("nan")]}],
        "metrics": ["mean", "max", "min"],
        "n_attempts": 4,
    },
    "odd rewards": {
        "tasks": [{"name": "t", "plays": [document('{"\\ud800": 1, "b": true}'), document('{"a": -0.0, "b": 1e-7}')]}],
        "n_attempts": 2,
    },
    "metrics of a registry": {
        "datasets": [
            {"name": "reg", "registry": True, "metrics": ["max", "sum"], "tasks": [{"name": "x", "plays": TENTHS}]},
            {"name": "lo__cal", "tasks": [{"name": "z", "plays": TENTHS}]},
        ],
        "n_attempts": 4,
    },
    "retries": {
        "tasks": [{"name": "t", "plays": [[{"agent": "OSError: x"}, text("0.4")[0]]]}, {"name": "u"}],
        "retry": {"max_retries": 2},
    },
    "no trials": {"tasks": [{"name": "t"}], "n_attempts": 0},
    "cancelled": {
        "tasks": [{"name": "t", "plays": TENTHS}, {"name": "c", "plays": [[{"agent": "CancelledError: stop"}]]}],
        "n_attempts": 2,
    },
    "crashed": {
        "tasks": [{"name": "t"}, {"name": "u", "plays": [document(f'{{"reward": 1{"0" * 400}}}')]}, {"name": "v"}]
    },
    "killed": {"tasks": [{"name": "t", "plays": TENTHS}], "n_attempts": 4, "resume": [{"after": 2}, {"after": 0}]},
    "resumed": {
        "tasks": [{"name": "t", "plays": TENTHS}, {"name": "u", "plays": [text("0.9")]}],
        "n_attempts": 4,
        "resume": [{"after": 3, "by": "cancel", "order": [2, 0, 1]}],
    },
}

Run = Callable[[Job], Path]
