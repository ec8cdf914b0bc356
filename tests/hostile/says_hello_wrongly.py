"""Answers `start` with whatever its first argument says."""

import sys

sys.stdin.readline()
sys.stdout.write(sys.argv[1] + "\n")
sys.stdout.flush()
sys.stdin.read()
