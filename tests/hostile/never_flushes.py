"""Answers well, but the answers stay in a buffer until the end of the input."""

import json
import sys

from tests.hostile.wire import cases

waiting = []
for seq, text in cases():
    waiting.append(json.dumps({"seq": seq, "value": text}) + "\n")
sys.stdout.writelines(waiting)
