"""HTML pages that need no network and no script, and escape all they are given."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from html import escape
from importlib.resources import files

from parity.summary import visible


class Markup(str):
    """Text that is HTML already: any other text is escaped on its way into an element."""

    __slots__ = ()


def escaped(child: str) -> str:
    """Write a text so that it is nothing but text."""
    return child if isinstance(child, Markup) else escape(visible(child))


def tag(name: str, *children: str, **attributes: str) -> Markup:
    """Return an element; an attribute `class_` is `class`."""
    written = "".join(f' {key.rstrip("_").replace("_", "-")}="{escaped(value)}"' for key, value in attributes.items())
    return Markup(f"<{name}{written}>{''.join(map(escaped, children))}</{name}>")


def joined(parts: Iterable[str]) -> Markup:
    """Return elements one after the other, each on its own line."""
    return Markup("\n".join(map(escaped, parts)))


def page(title: str, body: Iterable[str], *styles: str) -> str:
    """Return a page with these styles of the package."""
    style = "".join(files("parity").joinpath(name).read_text(encoding="utf-8") for name in styles)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    # Nothing may load or run, whatever a case holds: the page's own style is let in by its hash.
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    lines = [
        Markup('<meta charset="utf-8">'),
        # The policy's quotes must stay quotes for a reader of the source, and hold nothing of a case.
        Markup(f'<meta http-equiv="Content-Security-Policy" content="{policy}">'),
        Markup('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        Markup('<meta name="color-scheme" content="light dark">'),
        tag("title", title),
        tag("style", Markup(style)),
    ]
    head = tag("head", joined(lines))
    return f'<!doctype html>\n<html lang="en">\n{head}\n{tag("body", tag("main", joined(body)))}\n</html>\n'
