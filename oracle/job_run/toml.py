"""TOML, as far as a task's own file needs it: harbor's writer refuses settings that a case wants to be wrong."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


def document(settings: Mapping[str, Any]) -> str:
    """Write settings as a document of inline values, one to a line."""
    return "".join(f"{_text(name)} = {_value(value)}\n" for name, value in settings.items())


def _value(value: Any) -> str:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    return f"{{{', '.join(f'{_text(name)} = {_value(item)}' for name, item in value.items())}}}"


def _text(text: str) -> str:
    # JSON's escapes are TOML's, but JSON leaves one control character alone that TOML does not allow.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
