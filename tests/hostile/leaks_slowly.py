"""Keeps ten megabytes of every case for ever."""

from tests.hostile.wire import answer, cases

kept = []
for seq, text in cases():
    kept.append(bytearray(b"x") * (10 * 2**20))
    answer(seq, text)
