"""Writes a file without end on a bad case."""

from tests.hostile.wire import answer, cases

for seq, text in cases():
    if text == "bad":
        with open("log", "wb") as file:  # noqa: PTH123
            while True:
                file.write(b"x" * 2**20)
    answer(seq, text)
