"""The JSON Schemas of what is exchanged, and one line on what does not fit them."""

from __future__ import annotations

import json
from contextlib import suppress
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from jsonschema_rs import Draft202012Validator, Registry, ValidationError

from parity.codec import Json

_PACKAGE = Path(__file__).parent
_BASE = "json-schema:///"
"""Where the validator takes relative references to start."""
_ERRORS = 100
"""Faults looked at to find the outermost: a long list may have one an item."""
_LONGEST = 60
"""Characters of a key that are shown."""


def folder() -> Path:
    """Return the schemas of this checkout, or the copy that was installed with the package."""
    beside = _PACKAGE.parent / "schemas"
    return beside if beside.is_dir() else _PACKAGE / "_schemas"


@cache
def documents() -> dict[str, Json]:
    """Return every schema by the name of its file."""
    return {path.name: json.loads(path.read_bytes()) for path in sorted(folder().glob("*.json"))}


def validate(kind: str, document: Json) -> str | None:
    """Return what is wrong with a document and where, in one line, or None if it fits.

    The kind is a schema's name, such as `case`, or a definition in one, such as `input#metric`.
    """
    validator = _validator(kind)
    with suppress(UnicodeEncodeError):
        if validator.is_valid(document):
            return None
    # The validator reads UTF-8. A lone surrogate is text that fits wherever any other strange character does.
    document = _without_surrogates(document)
    faults = list(islice(validator.iter_errors(document), _ERRORS))
    if not faults:
        return None
    outermost = min(faults, key=lambda fault: len(fault.instance_path))
    place = _place(document, outermost.instance_path)
    return f"{place} {_words(kind, outermost)}".lstrip()


@cache
def _validator(kind: str) -> Draft202012Validator:
    registry = Registry([(_BASE + name, schema) for name, schema in documents().items()])
    return Draft202012Validator({"$ref": _BASE + _reference(kind)}, registry=registry)


def _reference(kind: str) -> str:
    name, hash_, anchor = kind.partition("#")
    return f"{name}.json{hash_}{anchor}"


def _without_surrogates(document: Json) -> Json:
    text = json.dumps(document, ensure_ascii=False)
    return json.loads(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))


def _place(node: Json, path: list[str | int]) -> str:
    """Write the way to a fault: names, places in lists as `[0]`, keys of dicts as `['a']`."""
    shown: list[str] = []
    while path:
        match path:
            case ["dict", int(number), 1, *rest]:
                pair = node["dict"][number]
                step, node = f"[{_key(pair[0])}]", pair[1]
            case ["dict", int(number), 0, *rest]:
                step, node = f"key [{number}]", node["dict"][number][0]
            case ["dict", int(number), *rest]:
                step, node = f"[{number}]", node["dict"][number]
            case [str(step), *rest]:
                node = node[step]
            case [number, *rest]:
                step, node = f"[{number}]", node[number]
        shown.append(step)
        path = rest
    return " ".join(shown)


def _key(key: Json) -> str:
    text = repr(key)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _words(kind: str, fault: ValidationError) -> str:
    """Say what should stand there, in the words of the schema."""
    schema = _schema_of(kind, fault.evaluation_path)
    keyword = fault.evaluation_path[-1]
    fields, required = schema.get("properties", {}), schema.get("required", ())
    if "title" in schema and not (keyword in ("required", "additionalProperties") and len(required) > 1):
        return f"must be {schema['title']}"
    if keyword == "enum":
        return f"must be one of: {', '.join(schema['enum'])}"
    if not required:
        return fault.message
    held = f"must hold {', '.join(required)}"
    if schema.get("additionalProperties") is not False:
        return held
    optional = [name for name in fields if name not in required]
    return f"{held}, and may hold {', '.join(optional)}" if optional else f"{held}, no less and no more"


def _schema_of(kind: str, path: list[str | int]) -> dict[str, Any]:
    """Follow the way that the validator took to a keyword, and return the schema that holds the keyword."""
    file = ""
    node: Any = {"$ref": _reference(kind)}
    for step in path[:-1]:
        node = node[step]
        if step == "$ref":
            name, _, place = node.partition("#")
            file = name or file
            node = _pointed(documents()[file], place)
    schema: dict[str, Any] = node
    return schema


def _pointed(document: Json, place: str) -> Json:
    if place and not place.startswith("/"):
        place = f"/$defs/{place}"  # an anchor has the name of the definition that it stands in
    for step in place.split("/")[1:]:
        document = document[step]
    return document
