"""What the oracle's answers depend on, read without importing harbor."""

import sys
from contextlib import suppress
from importlib import metadata


def versions() -> dict[str, str]:
    """Name the releases of harbor, Python and pydantic that give the outcomes, as far as they are installed."""
    found = {"harbor": "", "python": f"{sys.version_info.major}.{sys.version_info.minor}", "pydantic": ""}
    for package in ("harbor", "pydantic"):
        with suppress(metadata.PackageNotFoundError):
            found[package] = metadata.version(package)
    return {name: version for name, version in found.items() if version}
