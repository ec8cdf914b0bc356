"""Answers in JSON of its own making: the text of the case is the answer, as it stands."""

import sys

from tests.hostile.wire import cases

for seq, text in cases():
    sys.stdout.write(text.replace("SEQ", str(seq)) + "\n")
    sys.stdout.flush()
