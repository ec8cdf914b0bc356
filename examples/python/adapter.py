"""A reader of harbor's rewards as a team writes it in an afternoon, and the wire of docs/protocol.md around it."""

import json
import sys


def read_rewards(files):
    for name, parse in (("reward.txt", lambda text: {"reward": float(text)}), ("reward.json", json.loads)):
        if files[name] and "bytes" in files[name]:
            content = files[name]["bytes"].encode("latin-1")
            if not content.strip():
                return {"error": {"type": "RewardFileEmptyError"}}
            try:
                return {"value": encode(parse(content.decode()))}
            except ValueError:
                return {"error": {"type": "VerifierOutputParseError"}}
    return {"error": {"type": "RewardFileNotFoundError"}}


def encode(value):
    if isinstance(value, dict):
        return {"dict": [[key, encode(item)] for key, item in value.items()]}
    if isinstance(value, list):
        return [encode(item) for item in value]
    return {type(value).__name__: repr(value)} if type(value) in (int, float) else value


hello = {"version": 1, "implementation": {"name": "naive-python"}, "surfaces": ["reward_files"]}
for request in map(json.loads, sys.stdin):
    if request["cmd"] == "stop":
        break
    known = request["cmd"] == "start" or request["surface"] == "reward_files"
    answer = hello if request["cmd"] == "start" else read_rewards(request["input"]) if known else {"skipped": "unknown"}
    print(json.dumps(answer | {"seq": request["seq"]} if "seq" in request else answer), flush=True)
