"""Works in parallel: what comes together is answered backwards."""

import json
import os

from tests.hostile.wire import HELLO, say

while chunk := os.read(0, 2**20).decode():
    requests = [json.loads(line) for line in chunk.splitlines()]
    for request in reversed(requests):
        if request["cmd"] == "start":
            say(HELLO)
        elif request["cmd"] == "run":
            say({"seq": request["seq"], "value": request["input"]["text"]})
