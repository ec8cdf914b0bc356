"""Files written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from parity.errors import CannotRunError


def require_writable(path: Path) -> None:
    """Refuse a path before the work begins, not after it."""
    if path.is_dir():
        raise CannotRunError(f"cannot write {path}: it is a folder")
    if not path.parent.is_dir():
        raise CannotRunError(f"cannot write {path}: the folder {path.parent} does not exist")


def write_atomically(path: Path, text: str) -> None:
    """Replace a file's text in one step, so that a reader sees the old one or the new one, never a half."""
    draft = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    draft.write_text(text, encoding="utf-8")
    draft.replace(path)
