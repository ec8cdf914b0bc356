"""Reading a directory that may have been prepared by an enemy: no links are followed, nothing hangs, all is bounded."""

from __future__ import annotations

import json
import os
import stat
from types import TracebackType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import Self

MAX_DOCUMENT = 64 * 2**20
"""Bytes of a JSON document beyond which it is not read."""
MAX_REWARD = 2**20
"""Likewise of a reward file, which is one number or a few."""

_OPEN = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC  # a pipe that nobody writes to must not hang


class UnreadError(Exception):
    """A file is there and cannot be used; the message says why, as the end of a sentence about it."""


class LinkError(UnreadError):
    """A link stands in the place of a file; harbor would follow it, and the audit does not."""


class Folder:
    """An open directory; what is below it is reached by name alone, never through a link."""

    def __init__(self, path: str | os.PathLike[str], inside: Folder | None = None) -> None:
        # The directory that the user names may be a link; those in it may not.
        flags = _OPEN if inside else _OPEN & ~os.O_NOFOLLOW
        self.descriptor: int = os.open(path, flags | os.O_DIRECTORY, dir_fd=inside.descriptor if inside else None)

    def __enter__(self) -> Self:
        """Use the directory."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        """Close the directory."""
        os.close(self.descriptor)

    def folder_names(self) -> list[str]:
        """Name the directories in it, in the order in which the file system lists them."""
        with os.scandir(self.descriptor) as entries:
            return [entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]

    def folder(self, *names: str) -> Folder | None:
        """Open a directory some levels below, or None if there is none by these names."""
        found = self
        for name in names:
            try:
                inner = Folder(_file_name(name), found)
            except (FileNotFoundError, NotADirectoryError):
                return None
            except OSError as error:
                raise UnreadError(_reason(error)) from error
            finally:
                if found is not self:
                    os.close(found.descriptor)
            found = inner
        return found

    def read(self, name: str, limit: int = MAX_DOCUMENT) -> bytes | None:
        """Read a file of at most so many bytes, or None if there is none.

        Raises:
            UnreadError: It is no plain file, it is too large, or it may not be read.

        """
        try:
            descriptor = os.open(name, _OPEN, dir_fd=self.descriptor)
        except FileNotFoundError:
            return None
        except OSError as error:
            if self._is_link(name):
                raise LinkError("is a link, which is not followed") from error
            raise UnreadError(_reason(error)) from error
        try:
            return _content(descriptor, limit)
        except OSError as error:
            raise UnreadError(_reason(error)) from error
        finally:
            os.close(descriptor)

    def document(self, name: str) -> Any:
        """Read a JSON document, or None if there is no such file."""
        content = self.read(name)
        return None if content is None else parsed(content)

    def _is_link(self, name: str) -> bool:
        try:
            return stat.S_ISLNK(os.stat(name, dir_fd=self.descriptor, follow_symlinks=False).st_mode)
        except OSError:
            return False


class Doubled(dict[str, Any]):
    """A JSON object in which a key stands more than once, as two nan buckets do; ``pairs`` has all."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self.pairs = pairs


def pairs_of(value: dict[str, Any]) -> list[tuple[str, Any]]:
    """List keys and values as the file has them."""
    return value.pairs if isinstance(value, Doubled) else list(value.items())


def parsed(content: bytes) -> Any:
    """Read JSON; whatever is wrong with it is one error."""
    try:
        return json.loads(content.decode(), object_pairs_hook=_object)
    except UnicodeDecodeError as error:
        raise UnreadError("is not UTF-8") from error
    except RecursionError as error:
        raise UnreadError("is nested too deeply") from error
    except ValueError as error:
        raise UnreadError(f"is not JSON: {error}") from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    return value if len(value) == len(pairs) else Doubled(pairs)


def _content(descriptor: int, limit: int) -> bytes:
    status = os.fstat(descriptor)
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError("is a directory")
    if not stat.S_ISREG(status.st_mode):
        raise UnreadError("is no plain file")
    with os.fdopen(os.dup(descriptor), "rb") as file:
        content = file.read(limit + 1)  # not by its size: the file may grow
    if len(content) > limit:
        raise UnreadError(f"is larger than {limit:,} bytes")
    return content


def _file_name(name: str) -> str:
    """Refuse a name from a document that would lead elsewhere."""
    if name in {"", ".", ".."} or "/" in name or "\0" in name:
        raise UnreadError("has a name that is no file's")
    return name


def _reason(error: OSError) -> str:
    if isinstance(error, IsADirectoryError):
        return "is a directory"
    return f"cannot be read ({error.strerror or error})"
