"""Starts processes without end on a bad case."""

import subprocess
import sys

from tests.hostile.wire import answer, cases

children = []
for seq, text in cases():
    while text == "bad":
        children.append(subprocess.Popen([sys.executable, "-I", "-S", "-c", "import time; time.sleep(86400)"]))
    answer(seq, text)
