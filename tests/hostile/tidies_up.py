"""Does nothing wrong: leaves a file behind when its input has ended."""

import sys
from pathlib import Path

from tests.hostile.wire import answer, cases

for seq, text in cases():
    answer(seq, text)
Path(sys.argv[1]).touch()
