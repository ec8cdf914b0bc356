"""Prints bytes that are no text on a bad case."""

import sys

from tests.hostile.wire import answer, cases

for seq, text in cases():
    if text == "bad":
        sys.stdout.buffer.write(b"\x00\xff\xfe\n")
        sys.stdout.buffer.flush()
    answer(seq, text)
