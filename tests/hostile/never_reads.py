"""Shakes hands, and reads nothing more."""

import sys
import time

from tests.hostile.wire import HELLO, say

sys.stdin.readline()
say(HELLO)
while True:
    time.sleep(1)
