"""The files of a case, on disk, as a verifier leaves them."""

import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any


@contextmanager
def verifier_directory(files: Mapping[str, Any]) -> Iterator[Path]:
    """Write reward.txt and reward.json into a directory of their own."""
    folder = Path(tempfile.mkdtemp())
    for name, file in files.items():
        if isinstance(file, bytes):
            (folder / name).write_bytes(file)
        elif file == {"kind": "directory"}:
            (folder / name).mkdir()
        elif file == {"kind": "dangling-symlink"}:
            (folder / name).symlink_to(folder / "nowhere")
    try:
        yield folder
    finally:
        shutil.rmtree(folder)
