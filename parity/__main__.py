"""The command `parity`: `python -m parity` is the same."""

from __future__ import annotations

import sys

from parity.errors import CannotRunError

_EXTRAS = {"deepdiff", "hypothesis", "rich", "typer"}
"""What comes with the extra `harness` and not with the library alone."""


def main() -> None:
    """Run the command, and end with 0 for parity, 1 for a divergence, 2 if nothing could be compared."""
    try:
        from parity.cli import app  # noqa: PLC0415  (a missing package is reported in one line)

        app()
    except CannotRunError as error:
        sys.exit(_refused(str(error)))
    except ModuleNotFoundError as error:
        if error.name not in _EXTRAS:
            raise
        sys.exit(_refused(f"{error.name} is not installed: run `pip install 'harbor-parity[harness]'`"))


def _refused(message: str) -> int:
    sys.stderr.write(f"parity: {message}\n")
    return 2


if __name__ == "__main__":
    main()
