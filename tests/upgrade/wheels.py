"""Wheels of the installed harbor with one line changed, as a release that nobody here has read would be."""

from __future__ import annotations

import zipfile
from importlib import metadata
from pathlib import Path

from parity.implementation import HARBOR_VERSION


def planted(folder: Path, mark: str, file: str, old: str, new: str) -> Path:
    """Write a wheel in which a text of one file stands otherwise, and return its path."""
    wheel = folder / f"harbor-{HARBOR_VERSION}+{mark}-py3-none-any.whl"
    changed = 0
    with zipfile.ZipFile(wheel, "w") as archive:
        for entry in metadata.files("harbor") or []:
            path = Path(str(entry.locate()))
            name = str(entry).replace(f"harbor-{HARBOR_VERSION}.dist-info", f"harbor-{HARBOR_VERSION}+{mark}.dist-info")
            if name.startswith("..") or path.suffix == ".pyc" or path.name in ("INSTALLER", "REQUESTED"):
                continue
            data = path.read_bytes()
            if str(entry) == file:
                changed = data.count(old.encode())
                data = data.replace(old.encode(), new.encode())
            if path.name == "METADATA":
                data = data.replace(
                    f"Version: {HARBOR_VERSION}\n".encode(), f"Version: {HARBOR_VERSION}+{mark}\n".encode()
                )
            archive.writestr(name, data)
    assert changed == 1, f"{old!r} stands {changed} times in {file}"
    return wheel
