"""`python -m oracle`: harbor's answers over the wire of docs/protocol.md, with nothing but harbor and Python."""

from __future__ import annotations

import os
import sys


def main() -> int:
    """Serve on standard input and output; 2 means that nothing could be served."""
    # Before harbor is imported: answers alone go out, whatever harbor and what it brings along print or read.
    requests, answers = os.dup(0), os.dup(1)
    os.dup2(2, 1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    try:
        import harbor  # noqa: F401, PLC0415
    except Exception as error:  # noqa: BLE001  (a release that does not fit this Python may raise anything)
        print(f"harbor cannot be imported: {error}", file=sys.stderr)  # noqa: T201
        return 2
    from oracle import wire  # noqa: PLC0415

    try:
        wire.serve(requests, answers)
    except wire.RequestError as error:
        print(error, file=sys.stderr)  # noqa: T201
        return 2
    except ImportError as error:
        print(f"a part of harbor cannot be imported: {error}", file=sys.stderr)  # noqa: T201
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
