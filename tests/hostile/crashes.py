"""Raises an exception on a bad case."""

from tests.hostile.wire import answer, cases

for seq, text in cases():
    if text == "bad":
        raise RuntimeError("cannot score this")
    answer(seq, text)
