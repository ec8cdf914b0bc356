"""A divergence as a part of an HTML page."""

from __future__ import annotations

from collections.abc import Iterable

from parity.codec import Json
from parity.compare import Divergence, ulps
from parity.marks import Piece, marked, marked_characters
from parity.markup import Markup, escaped, joined, tag
from parity.summary import Item, clipped
from parity.text import outcome_text, value_text

_PLACES = 50
"""Places shown where two outcomes differ."""


def card(item: Item, id: str, *, is_open: bool = True) -> Markup:
    """Explain one divergence."""
    finding = item.finding
    title = tag("summary", tag("h3", clipped(finding.fingerprint, 300)), _facts_line(item))
    parts = [tag("p", clipped(item.remark, 1000), class_="remark")] if item.remark else []
    parts += [tag("p", clipped(finding.note, 1000), class_="note")] if finding.note else []
    parts += [
        _part("Minimal input", _input(finding.case.input)),
        _part("Outcomes", _outcomes(item)),
        _part("Where they differ", _places(item)),
        _part("See it again", tag("pre", item.command, class_="command")),
    ]
    # An attribute without a value: folded cards still open without a script.
    opening = f'<details class="card" id="{id}"{" open" if is_open else ""}>'
    return Markup(f"{opening}{title}{joined(parts)}</details>")


def _facts_line(item: Item) -> Markup:
    finding = item.finding
    seen = "seen once" if item.seen == 1 else f"seen {item.seen:,} times"
    facts = (f"case {finding.case.id}", seen, f"rule: {clipped(item.rule, 1000)}")
    return tag("p", *(tag("span", fact) for fact in facts), class_="line")


def _part(title: str, content: Markup) -> Markup:
    return tag("div", tag("h4", title), content, class_="part")


def _input(input: Json) -> Markup:
    fields = (tag("dt", name) + tag("dd", tag("pre", clipped(value_text(field)))) for name, field in input.items())
    return tag("dl", *map(Markup, fields), class_="input")


def _outcomes(item: Item) -> Markup:
    """Put the outcomes side by side, with what differs marked."""
    kinds = ["".join(outcome) for _, outcome in item.sides]
    texts = [clipped(outcome_text(outcome)) for _, outcome in item.sides]
    # Of a value and an error everything differs: marking all of it would mark nothing.
    unlike = kinds[0] != kinds[1]
    pieces = [[Piece(text, False)] for text in texts]
    if not unlike:
        pieces[:2] = marked(*texts[:2])
    return _sides(
        tag(
            "figure",
            tag("figcaption", tag("b", name), tag("span", kind, class_="kind unlike" if unlike else "kind")),
            tag("pre", _marks(side)),
        )
        for (name, _), kind, side in zip(item.sides, kinds, pieces, strict=True)
    )


def _sides(sides: Iterable[Markup]) -> Markup:
    return tag("div", *sides, class_="sides")


def _marks(pieces: list[Piece]) -> Markup:
    return Markup("".join(tag("mark", piece.text) if piece.differs else escaped(piece.text) for piece in pieces))


def _places(item: Item) -> Markup:
    divergences = item.finding.divergences
    names = (item.sides[0][0], item.sides[1][0])
    rows = [_place(divergence, names) for divergence in divergences[:_PLACES]]
    if len(divergences) > _PLACES:
        rows.append(tag("li", f"… and {len(divergences) - _PLACES:,} more places"))
    return tag("ol", *rows, class_="places")


def _place(divergence: Divergence, names: tuple[str, str]) -> Markup:
    """Show one place: its path, what kind of difference, and both sides down to the bits."""
    is_number = divergence.kind in ("float differs", "number differs")
    distance = ulps(divergence.a, divergence.b) if is_number else None
    title = [tag("code", clipped(divergence.path, 400)), tag("span", clipped(divergence.kind, 200), class_="kind")]
    if distance is not None:
        title.append(tag("span", f"{distance:,} ULP apart", class_="kind unlike"))
    hexes = [_hexadecimal(text) if is_number else "" for text in (divergence.a, divergence.b)]
    sides = zip(
        names,
        marked_characters(*(clipped(text, 2000) for text in (divergence.a, divergence.b))),
        marked_characters(*hexes),
        strict=True,
    )
    return tag("li", tag("p", *title, class_="line"), _sides(_side(*side) for side in sides))


def _side(name: str, spelled: list[Piece], bits: list[Piece]) -> Markup:
    shown = [tag("dt", name), tag("dd", _marks(spelled))]
    if bits:
        shown.append(tag("dd", _marks(bits), class_="bits"))
    return tag("dl", *shown)


def _hexadecimal(text: str) -> str:
    try:
        return float(text).hex()
    except ValueError:  # a number in a rendered file may be anything that is spelled like one
        return ""
