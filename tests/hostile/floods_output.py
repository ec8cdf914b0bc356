"""Writes without end and without a line feed on a bad case."""

import sys

from tests.hostile.wire import answer, cases

for seq, text in cases():
    while text == "bad":
        sys.stdout.write("[" * 2**16)
    answer(seq, text)
