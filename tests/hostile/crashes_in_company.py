"""Dies of the tenth case, whichever it is."""

from tests.hostile.wire import answer, cases

for number, (seq, text) in enumerate(cases(), 1):
    if number == 10:
        raise RuntimeError("table full")
    answer(seq, text)
