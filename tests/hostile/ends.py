"""Ends without a word on a bad case, as if all were well."""

import sys

from tests.hostile.wire import answer, cases

for seq, text in cases():
    if text == "bad":
        sys.exit(0)
    answer(seq, text)
