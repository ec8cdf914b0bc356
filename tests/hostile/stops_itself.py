"""Stands still on a bad case, as a debugger or a full terminal would make it."""

import os
import signal

from tests.hostile.wire import answer, cases

for seq, text in cases():
    if text == "bad":
        os.kill(os.getpid(), signal.SIGSTOP)
    answer(seq, text)
