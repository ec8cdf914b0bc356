"""Never comes back from a bad case."""

import sys
import time

from tests.hostile.wire import answer, cases

for seq, text in cases():
    while text == "bad":
        sys.stderr.write("still thinking\n")
        time.sleep(1)
    answer(seq, text)
