"""Ends whoever started it, on a bad case."""

import os
import signal
import time

from tests.hostile.wire import answer, cases

for seq, text in cases():
    if text == "bad":
        os.kill(os.getppid(), signal.SIGKILL)
        while True:
            time.sleep(1)
    answer(seq, text)
