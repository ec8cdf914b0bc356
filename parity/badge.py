"""A badge: what a comparison came to, as a small picture for a README."""

from __future__ import annotations

from html import escape

from parity.codec import Json
from parity.conformance import Conformance
from parity.summary import clipped, visible_line

_COLOURS = {"parity": "#2b7a3d", "diverged": "#b3261e", "stopped": "#85590a"}
_HEIGHT = 20
_MARGIN = 7
# How wide Verdana is at 11 pixels, in tenths of a pixel: the text is set to this width whatever font there is.
_WIDTHS = {
    **dict.fromkeys("0123456789_", 70),
    **dict.fromkeys("bdgpqaeohnukvxy", 68),
    **dict.fromkeys("cszr-/()", 54),
    **dict.fromkeys("iljtf., ", 38),
    **dict.fromkeys("mw", 99),
}
_WIDTH = 80


def badge(report: Json) -> str:
    """Return the badge of a JSON report as SVG."""
    found = Conformance(report)
    left, right = (clipped(visible_line(text), 60) for text in (found.truth, found.verdict))
    split, edge = _width(left) + 2 * _MARGIN, _width(right) + 2 * _MARGIN
    width, title = split + edge, escape(f"{left}: {right}")
    corner = "a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3z"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{_HEIGHT}" '
        f'viewBox="0 0 {width} {_HEIGHT}" role="img" aria-label="{title}">\n'
        f"<title>{title}</title>\n"
        f'<rect width="{width}" height="{_HEIGHT}" rx="3" fill="{_COLOURS[found.state]}"/>\n'
        f'<path d="M3 0H{split}V{_HEIGHT}H3{corner}" fill="#41464d"/>\n'
        '<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">\n'
        f"{_words(left, _MARGIN)}{_words(right, split + _MARGIN)}"
        "</g>\n</svg>\n"
    )


def _words(text: str, x: int) -> str:
    return f'<text x="{x}" y="14" textLength="{_width(text)}">{escape(text)}</text>\n'


def _width(text: str) -> int:
    return round(sum(_WIDTHS.get(char, _WIDTH) for char in text) / 10)
