"""Is ended by a signal on a bad case."""

import os
import signal

from tests.hostile.wire import answer, cases

for seq, text in cases():
    if text == "bad":
        os.kill(os.getpid(), signal.SIGSEGV)
    answer(seq, text)
