"""The pack: the corpus in a folder that another project keeps, and runs with its own test runner."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections import Counter
from dataclasses import replace
from functools import partial
from importlib import metadata
from importlib.resources import files as resources
from pathlib import Path

from parity import corpus, schemas
from parity.case import Case
from parity.codec import Json
from parity.compare import same
from parity.corpus import Entry
from parity.errors import CannotRunError
from parity.implementation import HARBOR_VERSION
from parity.surfaces import SURFACES, Relaxation, Surface

PACK = "harbor-parity"
FORMAT = 1
"""The version of the layout."""
MANIFEST = "manifest.json"
COMPARISONS = {
    "exact": "The answer equals `expect`: types, digits, texts, bytes, the order of pairs, an error's type and message "
    "or details. Only the order of fields in a plain object says nothing.",
    "any-key-order": "Like exact, but the pairs of a dict may come in any order.",
    "error-type": "The answer is an error of the same type; its message may be another.",
    "any-error": "The answer is an error; its type and message may be others.",
}
"""How an answer is compared with the outcome that is expected, by the name that a case gives."""

Files = dict[str, bytes]
"""What a folder holds, by path from there."""


def version() -> str:
    """Return the pack's version: the newest in its changelog."""
    return versions()[0]


def versions() -> list[str]:
    """Return every version that the pack's changelog describes, newest first."""
    text = (corpus.folder() / "CHANGELOG.md").read_text(encoding="utf-8")
    return re.findall(r"^## (\d+\.\d+)$", text, re.MULTILINE)


def comparison(case: Case, expect: Json) -> str:
    """Name how an answer to a case is compared, by asking the surface's relaxations what they let pass."""
    return _comparison(SURFACES[case.surface], case.input, expect)


def pack() -> Files:
    """Return the files of the pack: the same bytes whenever the corpus is the same."""
    entries = _entries()
    found = {
        ".gitattributes": b"* -text\n",  # hashes depend on line ends, which git would else change on some systems
        "CHANGELOG.md": (corpus.folder() / "CHANGELOG.md").read_bytes(),
        "LICENSE": _licence(),
        "PACK_VERSION": f"{version()}\n".encode(),
        "README.md": resources("parity").joinpath("pack.md").read_bytes(),
        **{f"schemas/{path.name}": path.read_bytes() for path in schemas.folder().glob("*.json")},
    }
    facts: dict[str, Json] = {}
    for surface in SURFACES:
        mine = [entry for entry in entries if entry.case.surface == surface]
        for lone in (False, True):
            if chosen := [entry for entry in mine if _lone_surrogates(entry) is lone]:
                path = f"cases/{surface}{'-surrogates' if lone else ''}.jsonl"
                found[path] = "".join(map(_line, chosen)).encode("ascii")
                facts[path] = {"surface": surface, "cases": len(chosen), "lone_surrogates": lone}
    manifest = _manifest(
        entries, [{**_fingerprint(path, found[path]), **facts.get(path, {})} for path in sorted(found)]
    )
    return {**found, MANIFEST: _text(manifest, indent=1).encode("ascii")}


def export(folder: Path) -> int:
    """Write the pack in one step, in the place of an older one if there is one, and return how many files it has."""
    folder = folder.resolve()
    _require_place(folder)
    files = pack()
    draft, old = (folder.with_name(f".{folder.name}.{os.getpid()}.{ending}") for ending in ("new", "old"))
    try:
        for path, content in files.items():
            (draft / path).parent.mkdir(parents=True, exist_ok=True)
            (draft / path).write_bytes(content)
        if folder.exists():
            folder.rename(old)
        draft.rename(folder)
    except OSError as error:
        if old.exists() and not folder.exists():
            old.rename(folder)
        raise CannotRunError(f"cannot write {folder}: {error.strerror or error}") from error
    finally:
        for left in (draft, old):
            shutil.rmtree(left, ignore_errors=True)
    return len(files)


def _entries() -> list[Entry]:
    """Return each case of the corpus once: one that was recorded and named as well goes by its name."""
    by_id: dict[str, Entry] = {}
    for entry in corpus.entries([corpus.folder()]):
        before = by_id.get(entry.case.id)
        if before is None or before.name == entry.case.id:
            by_id[entry.case.id] = entry
    return sorted(by_id.values(), key=lambda entry: entry.name)


def _require_place(folder: Path) -> None:
    """Refuse a folder that holds anything but an older pack."""
    if folder.exists() and not folder.is_dir():
        raise CannotRunError(f"cannot write {folder}: it is no folder")
    if not folder.parent.is_dir():
        raise CannotRunError(f"cannot write {folder}: the folder {folder.parent} does not exist")
    present = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir()}
    if not present:
        return
    try:
        manifest = json.loads((folder / MANIFEST).read_bytes())
    except (OSError, ValueError):
        manifest = None
    if schemas.validate("pack-manifest", manifest):
        raise CannotRunError(f"cannot write {folder}: it is not empty, and holds no pack that could be replaced")
    if foreign := present - {MANIFEST} - {file["path"] for file in manifest["files"]}:
        raise CannotRunError(f"cannot replace the pack in {folder}: {min(foreign)} is no part of it; move it away")
    if _order(manifest["version"]) > _order(version()):
        raise CannotRunError(
            f"cannot replace the pack in {folder}: it has version {manifest['version']}, and this is {version()}"
        )


def _order(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(".")))


def _comparison(surface: Surface, input: Json, expect: Json) -> str:
    relaxed = partial(surface.relaxed, input)

    def passes(answer: Json) -> bool:
        return same(relaxed(answer), relaxed(expect))

    if "value" in expect:
        other_way = {"value": _reversed(expect["value"])}
        return "any-key-order" if not same(other_way, expect) and passes(other_way) else "exact"
    if passes({"error": {"type": "another", "message": "another"}}):
        return "any-error"
    return "error-type" if passes({"error": {**expect["error"], "message": "another"}}) else "exact"


def _reversed(data: Json) -> Json:
    """Return an encoded value with the pairs of every dict in the opposite order."""
    if isinstance(data, list):
        return [_reversed(item) for item in data]
    if not isinstance(data, dict):
        return data
    if data.keys() == {"dict"}:
        return {"dict": [[key, _reversed(item)] for key, item in reversed(data["dict"])]}
    return {name: _reversed(item) for name, item in data.items()}


def _line(entry: Entry) -> str:
    return _text(
        {
            "case": entry.case.id,
            "name": entry.name,
            "surface": entry.case.surface,
            "input": entry.case.input,
            "expect": entry.expect,
            "compare": comparison(entry.case, entry.expect),
            "note": entry.note,
            "oracle": entry.oracle,
            "found": entry.found,
        }
    )


def _text(data: Json, indent: int | None = None) -> str:
    return json.dumps(data, indent=indent, separators=None if indent else (",", ":")) + "\n"


def _lone_surrogates(entry: Entry) -> bool:
    try:
        json.dumps(entry.to_json(), ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    return False


def _fingerprint(path: str, content: bytes) -> Json:
    return {"path": path, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def _manifest(entries: list[Entry], files: list[Json]) -> Json:
    return {
        "pack": PACK,
        "format": FORMAT,
        "version": version(),
        "harbor": HARBOR_VERSION,
        "license": "Apache-2.0",
        "cases": len(entries),
        "surfaces": [
            {
                "surface": surface.name,
                "summary": surface.summary,
                "rules": surface.rules,
                "recorded": surface.recorded or None,
                "cases": sum(entry.case.surface == surface.name for entry in entries),
            }
            for surface in SURFACES.values()
        ],
        "comparisons": COMPARISONS,
        "relaxations": [
            _relaxation(surface, relaxation, entries)
            for surface in SURFACES.values()
            for relaxation in surface.relaxations
        ],
        "files": files,
    }


def _relaxation(surface: Surface, relaxation: Relaxation, entries: list[Entry]) -> Json:
    """Say why a relaxation is there, and how the cases that it concerns are compared."""
    alone = replace(surface, relaxations=(relaxation,))
    mine = [entry for entry in entries if entry.case.surface == surface.name]
    names = Counter(_comparison(alone, entry.case.input, entry.expect) for entry in mine)
    del names["exact"]
    return {
        "name": relaxation.name,
        "surface": surface.name,
        "reason": relaxation.reason,
        "comparisons": sorted(names),
        "cases": names.total(),
    }


def _licence() -> bytes:
    """Return the licence of this checkout, or the copy that was installed with the package."""
    beside = corpus.folder().parent / "LICENSE"
    if beside.is_file():
        return beside.read_bytes()
    return (metadata.distribution("harbor-parity").read_text("licenses/LICENSE") or "").encode()
