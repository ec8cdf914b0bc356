"""What a hunt remembers: Hypothesis's example database, in a folder or on a Redis server that machines share."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

from hypothesis.database import DirectoryBasedExampleDatabase, ExampleDatabase

from parity.errors import CannotRunError

FOLDER = ".parity/examples"
KEY = b"divergences"
"""Under which the inputs that diverged are kept; each surface has a database of its own."""
_SERVERS = ("redis", "rediss", "unix")
_TIMEOUT = 10
"""Seconds after which a server that says nothing is taken to be gone."""


_tried: defaultdict[tuple[str, str], set[bytes]] = defaultdict(set)
"""By place and surface, what this process has recalled: to try it again would take the place of what is new."""


class Memory:
    """The inputs of one surface that once diverged, as Hypothesis writes them."""

    def __init__(self, place: str, surface: str) -> None:
        self._place = place
        self._surface = surface
        with _reachable(place):
            self._database = _database(place, surface)

    def recalled(self) -> list[bytes]:
        """Return what was kept and not recalled yet, by this session or an earlier one, here or on another machine."""
        tried = _tried[self._place, self._surface]
        with _reachable(self._place):
            new = sorted(set(self._database.fetch(KEY)) - tried)
        tried.update(new)
        return new

    def keep(self, inputs: Iterable[bytes]) -> None:
        """Keep inputs for later sessions."""
        with _reachable(self._place):
            for each in inputs:
                self._database.save(KEY, each)


def _database(place: str, surface: str) -> ExampleDatabase:
    if _address(place) is None:
        return DirectoryBasedExampleDatabase(Path(place) / surface)
    try:
        from hypothesis.extra.redis import RedisExampleDatabase  # noqa: PLC0415  (redis is an extra of its own)
        from redis import Redis  # noqa: PLC0415
    except ModuleNotFoundError:
        raise CannotRunError("a Redis database needs the redis package: run `pip install redis`") from None
    server = Redis.from_url(place, socket_timeout=_TIMEOUT, socket_connect_timeout=_TIMEOUT)
    return RedisExampleDatabase(server, key_prefix=f"harbor-parity:{surface}:".encode())


@contextmanager
def _reachable(place: str) -> Iterator[None]:
    """Say in one line that a server cannot be reached; an address may hold a password, so only its host is told."""
    address = _address(place)
    if address is None:
        yield
        return
    try:
        yield
    except CannotRunError:
        raise
    except Exception as error:  # noqa: BLE001  (redis is not always installed, so its errors have no name here)
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        where = address.hostname or address.path or "localhost"
        raise CannotRunError(
            f"the Redis server at {where} cannot be used ({reason}): start it, or leave out --database"
        ) from None


def _address(place: str) -> SplitResult | None:
    """Return the address of a server, or None if the place is a folder; what is neither is refused, and not told."""
    scheme, mark, _ = place.partition("://")
    if not mark:
        return None
    try:
        address = urlsplit(place)
        _ = address.port
    except ValueError:
        address = SplitResult("", "", "", "", "")
    # An @ further on means that a / or # in a password ended the host too early.
    if scheme not in _SERVERS or address.scheme != scheme or "@" in address.path + address.query + address.fragment:
        raise CannotRunError(
            "--database is a folder, or an address such as redis://:PASSWORD@HOST:PORT, "
            "in which /, # and ? of a password are written %2F, %23 and %3F"
        )
    return address
