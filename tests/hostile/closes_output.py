"""Closes its output at a bad case, and stays."""

import os
import time

from tests.hostile.wire import answer, cases

for seq, text in cases():
    if text == "bad":
        os.close(1)
        while True:
            time.sleep(1)
    answer(seq, text)
