"""An answer as PDF. Quoted text is escaped before it is set, so that its tags have no effect.

Times, which every PDF reader has, covers the characters of Western Europe. Other characters are set in an
embedded font: DejaVu where the machine has it, else Bitstream Vera, which comes with ReportLab. A character
that neither font has is set as a box.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from io import BytesIO
from itertools import groupby
from pathlib import Path
from typing import Any, Final
from xml.sax.saxutils import escape, quoteattr

import reportlab
from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import ListFlowable, ListItem, Paragraph, SimpleDocTemplate, Spacer

from pykala.views.sheets.sheet import Resting, Sheet, Source

_INK, _SOFT, _ACCENT = HexColor("#1b1d20"), HexColor("#54585e"), "#17508c"
_EMBEDDED: Final = "PykalaMore"
_BOX: Final = "□"
_DEJAVU: Final = (
    "/usr/share/fonts/truetype/dejavu/DejaVuSerif.ttf",
    "/usr/share/fonts/dejavu-serif-fonts/DejaVuSerif.ttf",
    "/usr/share/fonts/TTF/DejaVuSerif.ttf",
)


def _style(name: str, **given: Any) -> ParagraphStyle:
    base = {"fontName": "Times-Roman", "fontSize": 11, "leading": 15.5, "textColor": _INK, "spaceAfter": 6}
    return ParagraphStyle(name, **(base | given))


_BODY = _style("body")
_TITLE = _style("title", fontName="Times-Bold", fontSize=19, leading=24, spaceAfter=8)
_HEADINGS = (
    _style("h1", fontName="Times-Bold", fontSize=13, leading=17, spaceBefore=10, keepWithNext=1),
    _style("h2", fontName="Times-Bold", fontSize=11.5, leading=15, spaceBefore=8, keepWithNext=1),
)
_QUOTE = _style("quote", leftIndent=7 * mm, borderPadding=0)
_SOFT_LINE = _style("soft", fontSize=9.5, leading=12.5, textColor=_SOFT)
_WARNING = _style("warning", fontName="Times-Bold", textColor=HexColor("#855200"))


def pdf(sheet: Sheet) -> bytes:
    """The whole document."""
    held = BytesIO()
    made = SimpleDocTemplate(
        held, pagesize=A4, leftMargin=25 * mm, rightMargin=25 * mm, topMargin=24 * mm, bottomMargin=22 * mm,
        title=sheet.question[:255], author="Pykälä", lang=sheet.language, invariant=1,
    )  # fmt: skip
    flow = [_paragraph(sheet.question, _TITLE), *_body(sheet, 0), Spacer(1, 4 * mm)]
    flow.append(_paragraph(sheet.made, _SOFT_LINE))
    made.build(flow, onFirstPage=_number, onLaterPages=_number)
    return held.getvalue()


def _number(canvas: Any, made: Any) -> None:
    canvas.saveState()
    canvas.setFont("Times-Roman", 9)
    canvas.setFillColor(_SOFT)
    canvas.drawRightString(A4[0] - 25 * mm, 12 * mm, str(made.page))
    canvas.restoreState()


def _body(sheet: Sheet, level: int) -> Iterator[Any]:
    heading = _HEADINGS[min(level, 1)]
    if sheet.understood:
        yield Paragraph(f"<i>{_set(sheet.understood)}</i>", _BODY)
    yield _paragraph(sheet.facts, _SOFT_LINE)
    yield from (_paragraph(notice, _WARNING) for notice in sheet.notices)
    for number, part in enumerate(sheet.parts, start=1):
        yield _paragraph(f"{number}. {part.question}", heading)
        yield from _body(part, level + 1)
    if sheet.parts:
        return
    yield Paragraph(f"<b>{_set(sheet.outcome)}</b>", _BODY)
    yield from (_paragraph(line, _BODY) for line in _lines(sheet.text))
    yield from _listed(sheet.titles.sources, [_source(one) for one in sheet.sources], heading)
    if sheet.resting:
        yield _paragraph(sheet.titles.rests_on, heading)
        yield from _resting(sheet.resting)
    yield from _listed(sheet.titles.beside, [_source(one) for one in sheet.beside], heading)
    yield from _listed(sheet.titles.conflicts, [_set(one) for one in sheet.conflicts], heading)
    yield from _listed(sheet.titles.notes, [_set(one) for one in sheet.notes], heading)


def _listed(title: str, marked_up: list[str], heading: ParagraphStyle) -> Iterator[Any]:
    if not marked_up:
        return
    yield _paragraph(title, heading)
    items = [ListItem(Paragraph(one, _BODY)) for one in marked_up]
    yield ListFlowable(items, bulletType="bullet", start="–", leftIndent=5 * mm, bulletColor=_SOFT)


def _source(one: Source) -> str:
    key = f"<b>[{_set(one.key)}]</b> " if one.key else ""
    named = _set(one.citation) if one.why else f"<b>{_set(one.citation)}</b>"
    rest = "".join(f", {_set(said)}" for said in (one.dated, one.why) if said)
    quote = f": “{_set(one.quote)}”" if one.quote else ""
    # An address has no spaces at which a line could break.
    shown = f"<font color={quoteattr(_ACCENT)} size='9.5'>{_set(one.url)}</font>"
    address = f"<br/><a href={quoteattr(one.url)}>{shown}</a>" if one.url else ""
    return f"{key}{named}{rest}{quote}{address}"


def _resting(resting: Resting) -> Iterator[Any]:
    yield Paragraph(_source(resting.source), _BODY)
    if resting.heading:
        yield Paragraph(f"<i>{_set(resting.heading)}</i>", _QUOTE)
    yield from (_paragraph(line, _QUOTE) for line in _lines(resting.text))
    if resting.publisher:
        yield _paragraph(resting.publisher, _SOFT_LINE)


def _paragraph(text: str, style: ParagraphStyle) -> Paragraph:
    return Paragraph(_set(text), style)


def _lines(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.strip()]


def _set(text: str) -> str:
    """A text for ReportLab: escaped, with a font for each character."""
    pieces = []
    for common, group in groupby(text, _is_common):
        run = "".join(group)
        if common:
            pieces.append(escape(run))
        else:
            known = _glyphs()
            drawn = "".join(one if ord(one) in known else _BOX for one in run)
            pieces.append(f'<font name="{_EMBEDDED}">{escape(drawn)}</font>')
    return "".join(pieces)


def _is_common(character: str) -> bool:
    try:
        character.encode("cp1252")
    except UnicodeEncodeError:
        return False
    return True


@cache
def _glyphs() -> frozenset[int]:
    """The characters of the embedded font, loaded at its first use."""
    bundled = Path(reportlab.__file__).parent / "fonts" / "Vera.ttf"
    path = next((one for one in map(Path, _DEJAVU) if one.is_file()), bundled)
    font = TTFont(_EMBEDDED, str(path))
    pdfmetrics.registerFont(font)
    return frozenset(font.face.charToGlyph)
