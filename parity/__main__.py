"""The command `parity`: `python -m parity` is the same."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command, and end with 0 for parity, 1 for a divergence, 2 if nothing could be compared."""
    try:
        from parity.cli import app  # noqa: PLC0415  (a missing package is reported in one line)
    except ModuleNotFoundError as error:
        sys.exit(_refused(f"{error.name} is not installed: run `pip install 'harbor-parity[harness]'`"))
    from parity.errors import CannotRunError  # noqa: PLC0415

    try:
        app()
    except CannotRunError as error:
        sys.exit(_refused(str(error)))


def _refused(message: str) -> int:
    sys.stderr.write(f"parity: {message}\n")
    return 2


if __name__ == "__main__":
    main()
