"""Writes to standard error without end on a bad case; on the others it writes much, and answers."""

import sys

from tests.hostile.wire import answer, cases

for seq, text in cases():
    sys.stderr.write("warning: " + "x" * 2**20 + "\n")
    while text == "bad":
        sys.stderr.write("oh no\n" * 2**12)
    answer(seq, text)
