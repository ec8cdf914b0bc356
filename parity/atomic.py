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
    try:
        if path.exists() and not path.is_file():
            path.write_text(text, encoding="utf-8")  # a pipe or a device must not become a file
        else:
            _replace(path.resolve(), text)  # a link stays a link
    except OSError as error:
        raise CannotRunError(f"cannot write {path}: {error.strerror}") from error


def _replace(path: Path, text: str) -> None:
    draft = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        draft.write_text(text, encoding="utf-8")
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
