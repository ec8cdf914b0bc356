"""Rewards as harbor's result model accepts them: names to ints and floats, with its own idea of numeric text.

harbor declares rewards as ``dict[str, float | int] | None`` and lets pydantic 2 (lax mode) decide. Observed rules:

* ints and floats stay what they are, and ``True`` and ``False`` become ``1.0`` and ``0.0``;
* text is tried as a float, then as an int, and the two readings have different grammars, neither of them Python's:
  ``"1_0"`` is ``10.0``, ``" 1_0"`` is ``10`` and ``"0-1"`` is ``-1``;
* every bad value is reported, in order, once for the float and once for the int it could not become.
"""

from __future__ import annotations

import re
from contextlib import suppress

from reimpl.errors import ErrorDetail, ValidationError
from reimpl.numerals import MAX_INT_DIGITS, WHITESPACE

_INT = re.compile(f"-?(?:0|[1-9][0-9]{{0,{MAX_INT_DIGITS - 1}}})")
# Looked for at the very start of a text, before it is trimmed.
_TOO_LONG = re.compile(f"-?[1-9][0-9]{{{MAX_INT_DIGITS}}}")


def coerce_rewards(value: object) -> dict[str, int | float] | None:
    """Turn a value as JSON gives it into rewards; ``ValidationError`` lists all that is wrong with it."""
    if value is None:
        return None
    if not isinstance(value, dict):
        raise ValidationError([{"loc": ["rewards"], "type": "dict_type"}])
    rewards: dict[str, int | float] = {}
    details: list[ErrorDetail] = []
    for key, item in value.items():
        kind = type(item)
        if kind is float or kind is int:
            rewards[key] = item
        elif kind is bool:
            rewards[key] = float(item)
        elif kind is str:
            number = _text_number_or_faults(item)
            if isinstance(number, tuple):
                details += _two_faults(key, *number)
            else:
                rewards[key] = number
        else:
            details += _two_faults(key, "float_type", "int_type")
    if details:
        raise ValidationError(details)
    return rewards


def coerce_min_reward(value: object) -> float | dict[str, float]:
    """Turn the threshold of a step, or a dict of thresholds, into floats; the rules are those of rewards.

    An int too large for a float is refused here, because a threshold cannot stay an int.
    """
    if not isinstance(value, dict):
        threshold = _float_or_fault(value)
        if isinstance(threshold, float):
            return threshold
        raise ValidationError(
            [
                {"loc": ["min_reward", "float"], "type": threshold},
                {"loc": ["min_reward", "dict[str,float]"], "type": "dict_type"},
            ]
        )
    thresholds: dict[str, float] = {}
    details: list[ErrorDetail] = []
    for key, item in value.items():
        threshold = _float_or_fault(item)
        if isinstance(threshold, float):
            thresholds[key] = threshold
        else:
            details.append({"loc": ["min_reward", "dict[str,float]", _shown(key)], "type": threshold})
    if details:
        raise ValidationError([{"loc": ["min_reward", "float"], "type": "float_type"}, *details])
    return thresholds


def _float_or_fault(value: object) -> float | str:
    if isinstance(value, str):
        if _has_surrogate(value):
            return "string_unicode"
        number = _float_of(value)
        return "float_parsing" if number is None else number
    if isinstance(value, (int, float)):
        with suppress(OverflowError):
            return float(value)
    return "float_type"


def _text_number_or_faults(text: str) -> int | float | tuple[str, str]:
    """Return the number a text stands for, or the faults of reading it as a float and as an int."""
    number = _float_or_fault(text)
    if isinstance(number, float):
        return number
    if number == "string_unicode":
        return number, number
    whole = _int_of(text)
    if whole is not None:
        return whole
    return number, "int_parsing_size" if _TOO_LONG.match(text) else "int_parsing"


def _two_faults(key: str, float_fault: str, int_fault: str) -> list[ErrorDetail]:
    return [
        {"loc": ["rewards", _shown(key), "float"], "type": float_fault},
        {"loc": ["rewards", _shown(key), "int"], "type": int_fault},
    ]


def _shown(key: str) -> str:
    """Spell a key as error details do: each byte of a lone surrogate is one replacement character."""
    return key.encode(errors="surrogatepass").decode(errors="replace")


def _has_surrogate(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def _float_of(text: str) -> float | None:
    """Read a float: trimmed when it has no underscores, and as it stands when it has.

    An underscore may then be anywhere but first, last or next to another: ``"1_.5"`` is ``1.5`` and ``"i_nf"`` is inf.
    """
    if "_" not in text:
        plain = text.strip(WHITESPACE)
    elif text[0] == "_" or text[-1] == "_" or "__" in text:
        return None
    else:
        plain = text.replace("_", "")
        if plain != plain.strip():
            return None
    if not plain.isascii():
        return None
    try:
        return float(plain)
    except ValueError:
        return None


def _int_of(text: str) -> int | None:
    """Read an int: trimmed, a sign, leading zeros, single underscores between digits, and ``.0``.

    Zeros are dropped with the underscores among them, and a minus may follow them: ``"0-1"`` is ``-1``.
    """
    whole, point, fraction = text.strip(WHITESPACE).partition(".")
    if point and (not fraction or fraction.strip("0")):
        return None
    sign = "-" if whole.startswith("-") else ""
    digits = whole[1:] if whole.startswith(("+", "-")) else whole
    # Whatever else is no digit, the pattern refuses.
    if digits.startswith(("_", "-")) or digits.endswith("_"):
        return None
    if digits.startswith("0"):
        digits = digits.lstrip("0_") or "0"
    if "__" in digits:
        return None
    plain = sign + digits.replace("_", "")
    return int(plain) if _INT.fullmatch(plain) else None
