"""Drawings as PNG, by resvg (an extra of 1.4 MB with no dependency of its own)."""

from __future__ import annotations

from functools import cache
from struct import unpack

_SCALE = 2  # pixels to a unit of the drawing: sharp on today's screens
_PROBE = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20" font-family="{}">{}</svg>'
_WORD = '<text x="1" y="15" font-size="14">H</text>'


class PlotUnavailable(RuntimeError):
    """A drawing cannot be converted to PNG here; the message says what to install."""


def png_of(drawing: str) -> bytes:
    """An SVG drawing as PNG."""
    try:
        import resvg_py
    except ImportError:
        raise PlotUnavailable(
            "plots as PNG need resvg, which is not installed: pip install 'pykala[plots]'"
        ) from None
    family = _family()
    return bytes(resvg_py.svg_to_bytes(svg_string=drawing, zoom=_SCALE, sans_serif_family=family))


def size_of(png: bytes) -> tuple[int, int]:
    """Width and height of a PNG in pixels."""
    if not png.startswith(b"\x89PNG\r\n\x1a\n"):
        raise ValueError("this is no PNG")
    width, height = unpack(">II", png[16:24])
    return int(width), int(height)


@cache
def _family() -> str:
    """An installed font; without one, resvg silently leaves out all text."""
    import resvg_py

    blank = bytes(resvg_py.svg_to_bytes(svg_string=_PROBE.format("sans-serif", "")))
    for family in ("DejaVu Sans", "Liberation Sans", "Noto Sans", "Arial", "Helvetica", "Verdana"):
        if bytes(resvg_py.svg_to_bytes(svg_string=_PROBE.format(family, _WORD))) != blank:
            return family
    raise PlotUnavailable(
        "plots as PNG need a font for their words, and none is there; install one, such as fonts-dejavu-core"
    )
