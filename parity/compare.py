"""The comparator: equality on bits, and, where it fails, what differs and where."""

from __future__ import annotations

import json
import re
import struct
from dataclasses import dataclass
from typing import Any

from parity.codec import Json, canonical

_SCALARS = frozenset({"int", "float", "bytes"})
# A dict's order is data: it stands beside the items, under a name no encoded key can have.
_ORDER = "order of keys"
# Names that harbor gives to fields of a rendered file; every other key there is somebody's data.
_FIELDS = frozenset(
    """
    id started_at updated_at finished_at n_total_trials stats evals
    n_completed_trials n_errored_trials n_running_trials n_pending_trials n_cancelled_trials n_retries
    n_trials n_errors metrics pass_at_k reward_stats exception_stats
    n_input_tokens n_cache_tokens n_output_tokens cost_usd
    """.split()  # noqa: SIM905  (a column of 24 quoted names reads worse)
)

# What a crashing job leaves behind is one file, with or without its last write.
_ONE_FILE = {".late": ".result"}

_MOST = 5000
"""Leaves of an outcome that is explained place by place; the largest in the corpus has 133."""


@dataclass(frozen=True)
class Divergence:
    """One place where two outcomes differ."""

    path: str
    general_path: str
    """The path with indices and data keys replaced by `*`."""
    kind: str
    a: str
    b: str


@dataclass(frozen=True)
class _Number:
    """A number in a rendered file, by its spelling: 1.0 and 1.00 are different bytes."""

    text: str


def same(a: Json, b: Json) -> bool:
    """Tell whether two encoded outcomes are equal on bits: the only place where equality is decided.

    Encoded numbers are text (nan is "nan", -0.0 is "-0.0", 1 and 1.0 have different tags), and a dict is a list of
    pairs, so equality of the encodings is the rule: no tolerance, nan equals nan, order counts. A fault is no outcome,
    so it is not the same as anything.
    """
    return bool(a == b) and "fault" not in a


def divergences(a: Json, b: Json) -> list[Divergence]:
    """List where two encoded outcomes differ; empty if and only if they are the same, or one side skipped the case."""
    if same(a, b) or "skipped" in a or "skipped" in b:
        return []
    if a.keys() != b.keys() or "fault" in a:
        return [_verdict_divergence(a, b)]
    if "error" in a and a["error"]["type"] != b["error"]["type"]:
        return [_error_type_divergence(a["error"], b["error"])]
    views = _view(a), _view(b)
    # A program may answer with a million numbers, and deepdiff would take days over them.
    found = [] if any(_leaves(view) > _MOST for view in views) else _explained(*views)
    # deepdiff explains and does not decide: what it overlooks (say, white space in a rendered file) still differs.
    return found or [_bytes_divergence(a, b)]


def fingerprint(surface: str, divergence: Divergence) -> str:
    """Name a fault independently of the case that shows it."""
    return f"{surface} {divergence.general_path} {divergence.kind}"


def _verdict_divergence(a: Json, b: Json) -> Divergence:
    left, right = _verdict(a), _verdict(b)
    return Divergence("outcome", "outcome", f"{left} ≠ {right}", left, right)


def _verdict(outcome: Json) -> str:
    if "fault" in outcome:
        return f"program {outcome['fault']['kind']}"
    return "a value" if "value" in outcome else str(outcome["error"]["type"])


def _error_type_divergence(a: Json, b: Json) -> Divergence:
    return Divergence("error.type", "error.type", f"{a['type']} ≠ {b['type']}", a["type"], b["type"])


def _explained(a: Any, b: Any) -> list[Divergence]:
    from deepdiff import DeepDiff  # noqa: PLC0415  (slow to import, and needed only once something differs)

    tree = DeepDiff(a, b, view="tree", threshold_to_diff_deeper=0)
    levels = [level for group in tree.values() for level in group]
    found = {_divergence(level.path(output_format="list"), level.t1, level.t2) for level in levels}
    # Where a key is on one side only, the order differs too, and says nothing more.
    uneven = {_parent(divergence.path) for divergence in found if divergence.kind.startswith("only")}
    telling = [divergence for divergence in found if divergence.kind != "key order" or divergence.path not in uneven]
    return sorted(telling, key=lambda divergence: (divergence.path, divergence.kind))


def _parent(path: str) -> str:
    return path[: max(path.rfind("["), path.rfind("."))]


def _divergence(steps: list[Any], a: Any, b: Any) -> Divergence:
    kind = _kind(a, b)
    if steps[-1:] == [_ORDER]:
        steps, kind = steps[:-1], "key order"
    path, general = ("".join(map(step, steps)).removeprefix(".") for step in (_step, _general_step))
    return Divergence(path, general, kind, _shown(a), _shown(b))


def _kind(a: Any, b: Any) -> str:
    left, right = _type(a), _type(b)
    if left == right == "detail":
        return f"{a.rpartition(' ')[2]} ≠ {b.rpartition(' ')[2]}"
    if left == right:
        return f"{left} differs"
    if "absent" in (left, right):
        return f"only one side has this {left if right == 'absent' else right}"
    return f"{left} ≠ {right}"


def _type(token: Any) -> str:
    if isinstance(token, str):
        return token.partition(" ")[0]
    if isinstance(token, list):
        return "list"
    if isinstance(token, dict):
        return "dict" if _ORDER in token else "record"
    return "absent"


def _shown(token: Any) -> str:
    if isinstance(token, str):
        return token.partition(" ")[2] or token
    if isinstance(token, (list, dict)):
        return f"({_type(token)})"
    return "(absent)"


def _step(step: Any) -> str:
    if isinstance(step, int):
        return f"[{step}]"
    kind, _, text = step.partition(" ")
    if not text:
        return f".{kind}"
    if kind == "field":
        return f".{text}"
    return f"[{text}]"


def _general_step(step: Any) -> str:
    shown = _step(step)
    return "[*]" if shown.startswith("[") else _ONE_FILE.get(shown, shown)


def _view(data: Json) -> Any:
    """Return a structure whose leaves are texts `type value`, for deepdiff to walk."""
    if isinstance(data, list):
        return [_view(item) for item in data]
    if isinstance(data, _Number):
        return f"number {data.text}"
    if not isinstance(data, dict):
        return _leaf(data)
    if len(data) == 1:
        [(tag, body)] = data.items()
        if tag == "dict":
            return _ordered([(_key(key), _view(item)) for key, item in body])
        if tag == "bytes":
            return _rendered(body)
        if tag in _SCALARS:
            return f"{tag} {body}"
    if data.keys() == {"loc", "type"}:
        return f"detail {canonical(data['loc'])} {data['type']}"
    return {name: _view(item) for name, item in data.items()}


def _leaves(view: Any) -> int:
    """Count the leaves of a view."""
    if isinstance(view, dict):
        return sum(map(_leaves, view.values()))
    return sum(map(_leaves, view)) if isinstance(view, list) else 1


def _leaf(data: Json) -> str:
    if data is None:
        return "null"
    if isinstance(data, bool):
        return f"bool {data}"
    return f"str {json.dumps(data)}"


def _key(key: Json) -> str:
    return f"key {canonical(key)}"


def _ordered(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    items: dict[str, Any] = {}
    for key, item in pairs:
        unique, again = key, 1
        while unique in items:  # a rendered file may repeat a key: two buckets are both "nan"
            again += 1
            unique = f"{key} (again {again})"
        items[unique] = item
    return {**items, _ORDER: "order " + ", ".join(key.partition(" ")[2] for key in items)}


def _rendered(text: str) -> Any:
    """Look into rendered JSON, so that a divergence has a path inside the file."""
    try:
        document = json.loads(
            text.encode("latin-1"),
            object_pairs_hook=_Pairs,
            parse_int=_Number,
            parse_float=_Number,
            parse_constant=_Number,
        )
    except (ValueError, RecursionError):
        return f"bytes {text}"
    return _document(document)


class _Pairs(list[tuple[str, Any]]):
    """A JSON object as its pairs, duplicates included."""


def _document(node: Any) -> Any:
    if isinstance(node, _Pairs):
        return _ordered([(_document_key(key), _document(item)) for key, item in node])
    if isinstance(node, list):
        return [_document(item) for item in node]
    return _view(node)


def _document_key(key: str) -> str:
    return f"field {key}" if key in _FIELDS else f"key {json.dumps(key)}"


def _bytes_divergence(a: Json, b: Json) -> Divergence:
    left, right = canonical(a), canonical(b)
    shared = next((i for i, (x, y) in enumerate(zip(left, right, strict=False)) if x != y), min(len(left), len(right)))
    start = max(0, shared - 20)
    clip = (left[start : shared + 20], right[start : shared + 20])
    return Divergence("value", "value", "bytes differ", *clip)


def ulps(a: str, b: str) -> int | None:
    """Return how many floats lie between two float texts, or None where that says nothing."""
    if not all(re.fullmatch(r"-?[0-9][0-9.e+-]*", text) for text in (a, b)):
        return None
    return abs(_rank(float(a)) - _rank(float(b)))


def _rank(number: float) -> int:
    """Return the place of a float among all floats, counted from zero."""
    bits = int.from_bytes(struct.pack(">d", abs(number)), "big")
    return bits if number > 0 else -bits
