"""The command `parity`: `python -m parity` is the same."""

from __future__ import annotations

import signal
import sys
import traceback

from parity.errors import CannotRunError

_EXTRAS = {
    "deepdiff": "replay",
    "jsonschema_rs": "replay",
    "rich": "replay",
    "typer": "replay",
    "hypothesis": "harness",
}
"""What does not come with the library alone, and the extra that brings it."""


def main() -> None:
    """Run the command, and end with 0 for parity, 1 for a divergence, 2 if nothing could be compared."""
    if hasattr(signal, "SIGPIPE"):
        # A reader that has seen enough (`| head`) is no divergence: end as other commands do.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    try:
        from parity.cli import app  # noqa: PLC0415  (a missing package is reported in one line)

        app()
    except CannotRunError as error:
        sys.exit(_refused(str(error)))
    except ModuleNotFoundError as error:
        if error.name not in _EXTRAS:
            sys.exit(_failed())
        extra = _EXTRAS[error.name]
        sys.exit(_refused(f"{error.name} is not installed: run `pip install 'harbor-parity[{extra}]'`"))
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception:  # noqa: BLE001  (left alone, Python ends with 1, which here means a divergence)
        sys.exit(_failed())


def _refused(message: str) -> int:
    sys.stderr.write(f"parity: {message}\n")
    return 2


def _failed() -> int:
    traceback.print_exc()
    return _refused("this is a fault of parity itself, and nothing was compared: please report it")


if __name__ == "__main__":
    main()
