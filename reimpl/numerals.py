"""Text to float as CPython 3.12's ``float()`` reads it, with the same answer on every Python version.

``float()`` accepts decimal digits of every script its Unicode database knows, and the database grows with each Python
release: Kawi digits (U+11F50) are digits on 3.12 and letters of no value on 3.11. Runners score with whatever Python
they have, so the digits of 3.12 (Unicode 15.0) are carried here as data. The rest of ``float()``, underscores and
exponents and ``infinity`` included, is the same on 3.10 to 3.13 and is left to the builtin.
"""

from __future__ import annotations

WHITESPACE = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
"""What may surround a number: Unicode's White_Space. Unlike ``str.strip()``, U+001C to U+001F do not count."""

MAX_INT_DIGITS = 4300
"""Text with more digits than this is never an int: CPython's default limit, which pydantic shares."""

# The code point of the zero of each run of ten decimal digits in Unicode 15.0, without ASCII's own.
_ZEROS = (
    *(0x0660, 0x06F0, 0x07C0, 0x0966, 0x09E6, 0x0A66, 0x0AE6, 0x0B66, 0x0BE6, 0x0C66, 0x0CE6, 0x0D66, 0x0DE6),
    *(0x0E50, 0x0ED0, 0x0F20, 0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90, 0x1B50, 0x1BB0),
    *(0x1C40, 0x1C50, 0xA620, 0xA8D0, 0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0, 0xFF10),
    *(0x104A0, 0x10D30, 0x11066, 0x110F0, 0x11136, 0x111D0, 0x112F0, 0x11450, 0x114D0, 0x11650, 0x116C0, 0x11730),
    *(0x118E0, 0x11950, 0x11C50, 0x11D50, 0x11DA0, 0x11F50, 0x16A60, 0x16AC0, 0x16B50),
    *(0x1D7CE, 0x1D7D8, 0x1D7E2, 0x1D7EC, 0x1D7F6, 0x1E140, 0x1E2F0, 0x1E4F0, 0x1E950, 0x1FBF0),
)
_ASCII_OF_DIGIT = {zero + digit: str(digit) for zero in _ZEROS for digit in range(10)}


def text_to_float(text: str) -> float:
    """Read a number as CPython 3.12's ``float(text)`` does; ``ValueError`` when it is not one."""
    plain = text.strip(WHITESPACE).translate(_ASCII_OF_DIGIT)
    if not plain.isascii():
        # A newer Python may know this character as a digit; 3.12 does not.
        raise ValueError("not a number")
    return float(plain)
