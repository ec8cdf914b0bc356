"""The corpus: one JSON file a case, with the oracle's outcome recorded."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from parity import schemas, shape
from parity.atomic import write_atomically
from parity.case import Case
from parity.codec import CodecError, Json, decode
from parity.errors import CannotRunError
from parity.surfaces import chosen

_PACKAGE = Path(__file__).parent
_MANY = ".jsonl"
"""The ending of a file that holds many cases, one a line: what was recorded elsewhere and has no name of its own."""
BY_SEARCH = "hunt, seed "
"""How `found` begins in a file that a search wrote."""


@dataclass(frozen=True)
class Entry:
    """A corpus file: a case, why it is kept, and what the oracle answered."""

    path: Path
    case: Case
    note: str
    expect: Json
    oracle: dict[str, str]
    found: str

    @property
    def name(self) -> str:
        """Where the case stands in the corpus: `surface/what-is-wrong`; a recorded one goes by its id."""
        return self.case.id if self.is_row else f"{self.case.surface}/{self.path.stem}"

    @property
    def is_by_search(self) -> bool:
        """Whether a search wrote it: it has a fingerprint for a note."""
        return self.found.startswith(BY_SEARCH)

    @property
    def is_row(self) -> bool:
        """Whether it is one of many in a file of recordings."""
        return self.path.suffix == _MANY

    def to_json(self) -> Json:
        """Return the file's contents, in the order they are written."""
        return {
            "case": self.case.id,
            "surface": self.case.surface,
            "note": self.note,
            "input": self.case.input,
            "expect": self.expect,
            "oracle": self.oracle,
            "found": self.found,
        }


def folder() -> Path:
    """Return the corpus of this checkout, or the copy that was installed with the package."""
    beside = _PACKAGE.parent / "corpus"
    return beside if beside.is_dir() else _PACKAGE / "_corpus"


def files(folder: Path) -> list[Path]:
    """Return the corpus files below a folder, in the order of names."""
    return sorted([*folder.rglob("*.json"), *folder.rglob(f"*{_MANY}")])


def entries(paths: Iterable[Path]) -> Iterator[Entry]:
    """Yield the corpus cases at these paths, folders walked in the order of names."""
    for path in paths:
        if path.is_dir():
            found = files(path)
            if not found:
                raise CannotRunError(f"{path}: no corpus files in this folder")
            for file in found:
                yield from _entries_of(file)
        elif path.exists():
            yield from _entries_of(path)
        else:
            raise CannotRunError(f"{path}: no such file or folder")


def kept(folder: Path) -> list[Entry]:
    """Return the corpus cases below a folder that may not be there."""
    return list(entries(files(folder))) if folder.is_dir() else []


def read(path: Path) -> Entry:
    """Read a corpus file of one case, or say in one line what is wrong with it."""
    [entry] = _entries_of(path)
    return entry


def _entries_of(path: Path) -> Iterator[Entry]:
    where = str(path)
    try:
        if path.suffix != _MANY:
            yield _entry(path, json.loads(path.read_bytes()))
            return
        for number, line in enumerate(path.read_bytes().splitlines(), start=1):
            where = f"{path}:{number}"
            yield _entry(path, json.loads(line))
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise CannotRunError(f"{where}: {_fault(error)}: restore the file, or remove it") from error
    except (OSError, ValueError) as error:
        raise CannotRunError(f"{where}: {_fault(error)}") from error


def find(text: str) -> tuple[Case, Entry | None]:
    """Return the case that a file, a case as JSON, a corpus name or a case id names, and its corpus entry if any."""
    if text.lstrip().startswith("{"):
        try:
            return _case(json.loads(text)), None
        except (ValueError, RecursionError) as error:
            raise CannotRunError(f"the case: {_fault(error)}") from error
    for path in (Path(text), folder() / f"{text}.json"):
        if path.is_file():
            entry = read(path)
            return entry.case, entry
    for entry in entries([folder()]):
        if entry.case.id == text:
            return entry.case, entry
    raise CannotRunError(f"{text!r} is no file, no case as JSON, no corpus name and no case id")


def _fault(error: Exception) -> str:
    if isinstance(error, (json.JSONDecodeError, UnicodeDecodeError)):
        return f"not JSON ({error})"
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return str(error)


def _entry(path: Path, data: Any) -> Entry:
    case = _case(data)
    if problem := schemas.validate("corpus-file", data):
        raise CodecError(f"not a corpus file: {problem} (`parity corpus add` makes one of a case)")
    if data["case"] != case.id:
        raise CodecError(f"the id is {data['case']!r}, but the case's content gives {case.id!r}: restore the file")
    if path.resolve().parent.name != case.surface:
        raise CodecError(f"a {case.surface} case belongs in the folder {case.surface}/: move it")
    decode(data["expect"].get("value"))
    return Entry(path, case, data["note"], data["expect"], data["oracle"], data["found"])


def _case(data: Any) -> Case:
    if not isinstance(data, dict) or not {"surface", "input"} <= data.keys():
        raise CodecError("not a case: an object with 'surface' and 'input' is expected")
    if not isinstance(data["surface"], str):
        raise CodecError("'surface' is not a text")
    try:
        [surface] = chosen([data["surface"]])
    except CannotRunError as error:
        raise CodecError(str(error)) from None
    decode(data["input"])
    problem = shape.fault(surface.name, data["input"])
    if problem:
        raise CodecError(f"the input of {surface.name} {problem}")
    return Case(surface.name, data["input"])


def text_of(entries: Iterable[Entry], path: Path) -> str:
    """Return the canonical text of a corpus file: one case, indented, or one a line."""
    indent = None if path.suffix == _MANY else 1
    return "".join(json.dumps(entry.to_json(), indent=indent, ensure_ascii=True) + "\n" for entry in entries)


def write(entry: Entry) -> None:
    """Write a corpus file of one case."""
    entry.path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(entry.path, text_of([entry], entry.path))
