"""Known divergences: a list in a TOML file, each entry with its reason, that excuses what it names and nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from parity.atomic import write_atomically
from parity.errors import CannotRunError
from parity.surfaces import chosen

FILE = Path("known.toml")
_HEAD = """\
# Divergences that are known, and do not fail a run. An entry that no longer occurs does: remove it.
# Each has a fingerprint, a reason and a day (since), and may have a day on which it ends (expires).
"""


@dataclass(frozen=True)
class Known:
    """A divergence that somebody accepted."""

    fingerprint: str
    reason: str
    since: date
    expires: date | None = None
    releases: str = ""
    """The harbor releases it is about, such as `>=0.15,<0.20`; empty for a comparison with the release itself."""

    def covers(self, version: str) -> bool:
        """Tell whether it is about the change to a release."""
        from packaging.specifiers import SpecifierSet  # noqa: PLC0415  (replaying the corpus does not need it)

        return bool(self.releases) and SpecifierSet(self.releases).contains(version, prereleases=True)

    @property
    def surface(self) -> str:
        """The surface it is about."""
        return self.fingerprint.partition(" ")[0]

    def expired(self, today: date) -> bool:
        """Tell whether its time is over."""
        return self.expires is not None and self.expires < today


def read(path: Path) -> list[Known]:
    """Read a list, or say in one line what is wrong with it."""
    import tomllib  # noqa: PLC0415  (Python 3.10 has none, and replays the corpus all the same)

    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CannotRunError(f"{path}: {error.strerror}") from None
    except ValueError as error:
        raise CannotRunError(f"{path}: not TOML ({error}): mend it") from None
    entries = data.pop("divergence", [])
    if data or not isinstance(entries, list):
        raise CannotRunError(f"{path}: it holds [[divergence]] tables and nothing else")
    known = [_known(path, entry) for entry in entries]
    names = [(each.fingerprint, each.releases) for each in known]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise CannotRunError(f"{path}: {twice[0]!r} stands there twice: remove one")
    return known


def _known(path: Path, entry: Any) -> Known:
    kinds = {"fingerprint": str, "reason": str, "since": date, "expires": date, "releases": str}
    if not isinstance(entry, dict) or not {"fingerprint", "reason", "since"} <= entry.keys() <= kinds.keys():
        raise CannotRunError(
            f"{path}: an entry has 'fingerprint', 'reason', 'since', and may have 'expires' and 'releases'"
        )
    wrong = next((name for name, value in entry.items() if type(value) is not kinds[name]), None)
    if wrong is not None:
        raise CannotRunError(f"{path}: {wrong!r} is no {'text' if kinds[wrong] is str else 'day such as 2026-11-18'}")
    if not entry["reason"].strip():
        raise CannotRunError(f"{path}: {entry['fingerprint']!r} has no reason: write one")
    chosen([entry["fingerprint"].partition(" ")[0]])
    known = Known(**entry)
    try:
        known.covers("0")
    except ValueError as error:
        raise CannotRunError(f"{path}: {error}: write a range such as '>=0.15,<0.20'") from None
    return known


def write(path: Path, known: Iterable[Known]) -> None:
    """Write a list."""
    import tomli_w  # noqa: PLC0415  (replaying the corpus does not need it)

    entries = [
        {name: value for name, value in vars(each).items() if value}
        for each in sorted(known, key=lambda each: (each.fingerprint, each.releases))
    ]
    write_atomically(path, _HEAD + ("\n" + tomli_w.dumps({"divergence": entries}) if entries else ""))


def updated(known: Iterable[Known], fingerprints: Iterable[str], reason: str, today: date) -> list[Known]:
    """Keep the entries that still occur, and add those that are new with one reason."""
    before = {each.fingerprint: each for each in known if not each.expired(today)}
    return [before.get(name) or Known(name, reason, today) for name in fingerprints]
