"""inspect-harbor's reader of reward files, as a door: its own function, in inspect's own local sandbox."""

import asyncio
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

from inspect_ai.util._sandbox.local import LocalSandboxEnvironment
from inspect_harbor._harbor import scorer

from examples.thirdparty.files import verifier_directory

_LOOP = asyncio.new_event_loop()
_SANDBOX = LocalSandboxEnvironment()


def run(surface: str, files: Mapping[str, Any]) -> dict[str, Any]:
    """Read the files of a case; what it raises is an outcome too."""
    del surface  # there is only one
    with verifier_directory(files) as folder:
        paths = SimpleNamespace(reward_text_path=folder / "reward.txt", reward_json_path=folder / "reward.json")
        scorer.EnvironmentPaths, scorer.sandbox = (lambda: paths), (lambda: _SANDBOX)
        reward, rewards = _LOOP.run_until_complete(scorer._parse_reward_file(exit_code=0))
    return {"value": {"reward": reward} if rewards is None else rewards}
