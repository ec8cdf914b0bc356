"""Answers a bad case again and again, without end."""

from tests.hostile.wire import answer, cases

for seq, text in cases():
    answer(seq, text)
    while text == "bad":
        answer(seq, text)
