"""Answers a bad case well, and dies of it afterwards."""

import os

from tests.hostile.wire import answer, cases

for seq, text in cases():
    answer(seq, text)
    if text == "bad":
        os.abort()
