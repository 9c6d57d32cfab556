"""An answer as a Word document. Quoted text is plain runs; only addresses become links."""

from __future__ import annotations

from io import BytesIO

from docx import Document
from docx.document import Document as WordDocument
from docx.enum.text import WD_COLOR_INDEX
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Cm, Pt, RGBColor
from docx.text.paragraph import Paragraph

from pykala.text.languages.known import language_of
from pykala.views.sheets.sheet import Resting, Sheet, Source

_SOFT = RGBColor(0x54, 0x58, 0x5E)
_INK = RGBColor(0x1B, 0x1D, 0x20)
_ACCENT = "17508C"
_SIZES = {"Normal": 11, "Title": 18, "Heading 1": 13, "Heading 2": 12, "Heading 3": 11}


def word(sheet: Sheet) -> bytes:
    """The whole document."""
    made = Document()
    _styles(made, sheet.language)
    made.core_properties.title = sheet.question[:255]
    made.core_properties.author = "Pykälä"
    made.add_heading(sheet.question, 0)
    _body(made, sheet, 1)
    _soft(made.add_paragraph(), sheet.made)
    held = BytesIO()
    made.save(held)
    return held.getvalue()


def _styles(made: WordDocument, language: str) -> None:
    """A serif font for the law, plain headings, and the document's language."""
    for name, size in _SIZES.items():
        style = made.styles[name]
        style.font.name, style.font.size = "Cambria", Pt(size)
        style.font.color.rgb = _INK
        fonts = style.element.get_or_add_rPr().get_or_add_rFonts()
        for kind in ("w:asciiTheme", "w:hAnsiTheme", "w:eastAsiaTheme", "w:cstheme"):
            fonts.attrib.pop(qn(kind), None)
    spoken = OxmlElement("w:lang")
    spoken.set(qn("w:val"), _locale(language))
    made.styles["Normal"].element.get_or_add_rPr().append(spoken)
    for section in made.sections:
        section.left_margin = section.right_margin = Cm(2.7)


def _locale(language: str) -> str:
    known = language_of(language)
    return (known.text("writing.locale") if known else "") or language


def _body(made: WordDocument, sheet: Sheet, level: int) -> None:
    if sheet.understood:
        made.add_paragraph().add_run(sheet.understood).italic = True
    _soft(made.add_paragraph(), sheet.facts)
    for notice in sheet.notices:
        warned = made.add_paragraph().add_run(notice)
        warned.bold, warned.font.highlight_color = True, WD_COLOR_INDEX.YELLOW
    for number, part in enumerate(sheet.parts, start=1):
        made.add_heading(f"{number}. {part.question}", min(level, 3))
        _body(made, part, level + 1)
    if sheet.parts:
        return
    made.add_paragraph().add_run(sheet.outcome).bold = True
    for line in _lines(sheet.text):
        made.add_paragraph(line).paragraph_format.space_after = Pt(8)
    _listed(made, sheet.titles.sources, sheet.sources, level)
    if sheet.resting:
        made.add_heading(sheet.titles.rests_on, min(level, 3))
        _resting(made, sheet.resting)
    _listed(made, sheet.titles.beside, sheet.beside, level)
    for title, lines in ((sheet.titles.conflicts, sheet.conflicts), (sheet.titles.notes, sheet.notes)):
        if lines:
            made.add_heading(title, min(level, 3))
        for line in lines:
            made.add_paragraph(line, style="List Bullet")


def _listed(made: WordDocument, title: str, sources: tuple[Source, ...], level: int) -> None:
    if sources:
        made.add_heading(title, min(level, 3))
    for one in sources:
        _source(made.add_paragraph(style="List Bullet"), one)


def _source(paragraph: Paragraph, one: Source) -> None:
    if one.key:
        paragraph.add_run(f"[{one.key}] ").bold = True
    paragraph.add_run(one.citation).bold = not one.why
    paragraph.add_run("".join(f", {said}" for said in (one.dated, one.why) if said))
    if one.quote:
        paragraph.add_run(f": “{one.quote}”")
    if one.url:
        paragraph.add_run().add_break()
        _link(paragraph, one.url)


def _resting(made: WordDocument, resting: Resting) -> None:
    _source(made.add_paragraph(), resting.source)
    if resting.heading:
        made.add_paragraph().add_run(resting.heading).italic = True
    for line in _lines(resting.text):
        made.add_paragraph(line).paragraph_format.left_indent = Cm(0.8)
    if resting.publisher:
        _soft(made.add_paragraph(), resting.publisher)


def _soft(paragraph: Paragraph, text: str) -> None:
    run = paragraph.add_run(text)
    run.font.size, run.font.color.rgb = Pt(9.5), _SOFT


def _link(paragraph: Paragraph, url: str) -> None:
    """A clickable address, printed in full."""
    link = OxmlElement("w:hyperlink")
    link.set(qn("r:id"), paragraph.part.relate_to(url, RELATIONSHIP_TYPE.HYPERLINK, is_external=True))
    run = paragraph.add_run(url)
    run.font.size, run.font.color.rgb = Pt(9.5), RGBColor.from_string(_ACCENT)
    link.append(run._r)
    paragraph._p.append(link)


def _lines(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.strip()]
