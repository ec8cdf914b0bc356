"""What the oracle's answers depend on, read without importing harbor."""

import sys
from importlib import metadata


def versions() -> dict[str, str]:
    """Name the releases of harbor, Python and pydantic that give the outcomes."""
    return {
        "harbor": metadata.version("harbor"),
        "python": f"{sys.version_info.major}.{sys.version_info.minor}",
        "pydantic": metadata.version("pydantic"),
    }
