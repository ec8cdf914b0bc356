"""Takes memory without end on a bad case."""

from tests.hostile.wire import answer, cases

kept = []
for seq, text in cases():
    while text == "bad":
        kept.append(bytearray(b"x") * 2**20)
    answer(seq, text)
