"""Prints a line for itself on standard output before a bad case's answer."""

from tests.hostile.wire import answer, cases

for seq, text in cases():
    if text == "bad":
        print("reading reward.txt…")  # noqa: T201
    answer(seq, text)
