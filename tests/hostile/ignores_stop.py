"""Answers well, and goes on for ever: `stop`, the end of the input and a signal are all the same to it."""

import signal
import time

from tests.hostile.wire import answer, cases

signal.signal(signal.SIGTERM, signal.SIG_IGN)
signal.signal(signal.SIGHUP, signal.SIG_IGN)
for seq, text in cases():
    answer(seq, text)
while True:
    time.sleep(1)
