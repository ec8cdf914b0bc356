"""Answers a bad case twice, the second time a little later."""

import time

from tests.hostile.wire import answer, cases

for seq, text in cases():
    answer(seq, text)
    if text == "bad":
        time.sleep(0.2)
        answer(seq, text)
