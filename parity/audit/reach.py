"""Whether a recorded sum can come from some order of its values, when the order is not known."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from fractions import Fraction
from math import isfinite, lgamma, log

from reimpl.summation import total

Number = int | float
Fold = Callable[[Sequence[Number]], Number]

_EVERY_ORDER_UP_TO = 50_000
"""Different orders that are all tried."""
_SHUFFLED = 1_000_000
"""Values that are added up in orders by chance, when there are too many to try all."""
_UNIT = Fraction(1, 2**53)
_TINY = Fraction(1, 2**1074)


class Reach(Enum):
    """In which orders a list of values gives a recorded one."""

    EVERY = "every order gives it"
    SOME = "some order gives it"
    NONE = "no order gives it"
    UNKNOWN = "no order that was tried gives it"


def plain_sum(values: Sequence[Number]) -> Number:
    """Add as costs are added: one after the other, without compensation."""
    result: Number = 0
    for value in values:
        result += value
    return result


def is_same_in_every_order(values: Sequence[Number], *, compensated: bool) -> bool:
    """Say whether the bits of a sum are the same in every order, by proof.

    They are if all values are ints, if one is nan or infinite (then so is the sum, which JSON has as null), if all
    partial sums are exact, or if compensated addition cannot come near a number that would round differently.
    """
    floats = [value for value in values if isinstance(value, float)]
    if not floats:
        return True
    if any(map(_is_large, values)):
        return False  # where it stands among the floats decides what is compensated, and whether it overflows
    if not all(map(isfinite, floats)):
        return True
    exact = [Fraction(value) for value in values]
    size = sum(map(abs, exact))
    step = max(value.denominator for value in exact)
    if size * step < 2**53:
        return True
    if not compensated or any(isinstance(value, int) and value for value in values) or size > 2**1023:
        return False
    # The sum of the local errors is itself rounded: at most n times, each error being at most a unit of the size.
    slack = 2 * (len(values) * _UNIT) ** 2 * size
    middle = sum(exact)
    return float(middle - slack) == float(middle + slack)


def reach(values: Sequence[Number], fold: Fold, is_recorded: Callable[[Number], bool], recorded: Number) -> Reach:
    """Search the orders of some values for one that gives the recorded number; the search is bounded."""
    values = [value for value in values if isinstance(value, float) or value] or [0]  # an int 0 adds nothing
    if _is_out_of_reach(values, fold, recorded):
        return Reach.NONE
    counts = Counter(map(_spelled, values)).values()
    orders = lgamma(len(values) + 1) - sum(lgamma(count + 1) for count in counts)
    if orders <= log(_EVERY_ORDER_UP_TO):
        return Reach.SOME if any(_gives(fold, each, is_recorded) for each in _orders(values)) else Reach.NONE
    chance = random.Random(0)  # noqa: S311 — a search, the same each time
    shuffled = sorted(values)
    tries = max(_SHUFFLED // len(values), 10)
    for _ in range(tries):
        if _gives(fold, shuffled, is_recorded):
            return Reach.SOME
        chance.shuffle(shuffled)
    return Reach.UNKNOWN


def _gives(fold: Fold, values: Sequence[Number], is_recorded: Callable[[Number], bool]) -> bool:
    try:
        return is_recorded(fold(values))
    except OverflowError:
        return False


def _is_out_of_reach(values: Sequence[Number], fold: Fold, recorded: Number) -> bool:
    """Say whether a number is further away than all roundings together."""
    if not all(map(_is_finite, (*values, recorded))):
        return False
    exact = [Fraction(value) for value in values]
    size = sum(map(abs, exact))
    if size > 2**1000:
        return False
    ideal, room = sum(exact, Fraction(0)), 4 * (len(values) + 2) * _UNIT * size
    divisor = fold.divisor if isinstance(fold, Mean) else 1
    return abs(Fraction(recorded) - ideal / divisor) > room / divisor + 4 * _TINY


class Mean:
    """Adds up as a mean does, and divides by the number of trials."""

    def __init__(self, divisor: int) -> None:
        self.divisor = divisor

    def __call__(self, values: Sequence[Number]) -> float:
        """Give the mean of values that are those of so many trials."""
        return total(values) / self.divisor


def _orders(values: Sequence[Number]) -> Iterator[list[Number]]:
    """Go through the different orders of some values, without recursion."""
    kinds: dict[str, Number] = {}
    left: Counter[str] = Counter()
    for value in values:
        kinds[_spelled(value)] = value
        left[_spelled(value)] += 1
    names = list(kinds)
    places: list[int] = []
    place = 0
    while True:
        while place < len(names) and not left[names[place]]:
            place += 1
        if place < len(names):
            left[names[place]] -= 1
            places.append(place)
            place = 0
            if len(places) < len(values):
                continue
            yield [kinds[names[each]] for each in places]
        if not places:
            return
        place = places.pop()
        left[names[place]] += 1
        place += 1


def _spelled(value: Number) -> str:
    return repr(value) if isinstance(value, float) else hex(value)


def _is_large(value: Number) -> bool:
    return isinstance(value, int) and not -(2**63) <= value < 2**63


def _is_finite(value: Number) -> bool:
    return isinstance(value, int) or isfinite(value)
