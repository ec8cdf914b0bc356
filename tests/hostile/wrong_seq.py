"""Counts on its own, and loses count at a bad case."""

from tests.hostile.wire import answer, cases

for seq, text in cases():
    answer(seq + 1 if text == "bad" else seq, text)
