"""Leaves a process behind for each case, in a session of its own, with the output still open; dies of a bad case."""

import os
import subprocess
import sys

from tests.hostile.wire import answer, cases

for seq, text in cases():
    if os.fork() == 0:
        os.setsid()
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(86400)"])
        os._exit(0)
    os.wait()
    if text == "bad":
        os._exit(3)
    answer(seq, text)
