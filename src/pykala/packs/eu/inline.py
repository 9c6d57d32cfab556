"""The words of one paragraph of a page, without its footnote marks and amendment marks.

Every consolidated state numbers its footnotes again, so a mark left in the text would make a new wording of
every later paragraph. The marks ►M1 … ◄ are the editors', not the law's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from lxml import etree

from pykala.packs.left_out import PICTURE

from .blocks import Mark

_NOTE = "\ue000"
_NOTE_REFERENCE = re.compile(r"\s{0,40}\(\s{0,40}\ue000\s{0,40}\)|\s{0,40}\ue000\s{0,40}")
_NOTE_MARK = re.compile(r"[\s(]*[\d*†‡a-z]{1,4}[\s)]*")
_ARROW = re.compile(r"[▼►]\s*(?P<name>[A-Z]{1,2}\d+|B\b)(?:[\s,]+[A-Z]{1,2}\d+)*\s?|[▼►]")
_CLOSING = re.compile(r"\s?◄\s?")
_DELETED = re.compile(r"[—―]{3,}")
_TITLE = re.compile(r"(?P<celex>[0-9CE]\d{4}[A-Z]{1,2}[\w/]*(?:\(\d+\))?)(?::\s*(?P<action>[A-Z]+))?")
_PICTURE = re.compile(r"\s*|.*(?:image|formule?a?|graphic|picture|logo)\s*\d*", re.IGNORECASE | re.DOTALL)
_SPACES = re.compile(r"[ \t\r\n\u00a0\u2002-\u200a\u202f\u3000]+")
_OTHER_SPACE = re.compile(r"[\t\r\n\u00a0\u2002-\u200a\u202f\u3000]")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200d\u2060\ufeff]")
#: What a raised figure is an exponent of: a power of ten or a length; elsewhere it may be a note's mark.
_BASE = re.compile(r"(?:^|\D)10$|(?:^|[\W\d])[kcdm]?m$")
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_LOOSE = re.compile(r"(?<!\s)\s+(?=[,;.)\]](?:\s|$))")


def tidy(text: str) -> str:
    """One space between words, none at the ends, no invisible marks."""
    if not text.isascii():
        text = _INVISIBLE.sub("", text)
    # Most texts have single spaces only: to replace each by itself is most of the work.
    if "  " in text or _OTHER_SPACE.search(text):
        text = _SPACES.sub(" ", text)
    return text.strip()


@dataclass(slots=True)
class Run:
    """A stretch of inline content, gathered piece by piece."""

    pieces: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    images: int = 0

    def add_text(self, text: str | None) -> None:
        """Add plain text."""
        if text:
            self.pieces.append(text)

    def add(self, element: etree._Element) -> None:
        """Add an inline element with all below it, without its tail."""
        if not isinstance(element.tag, str):
            return
        tag = element.tag
        if tag == "br":
            self.pieces.append(" ")
        elif tag == "img":
            self.images += 1
            alternative = element.get("alt", "")
            self.add_text(f" {PICTURE} " if _PICTURE.fullmatch(alternative) else alternative)
        elif tag == "a" and (key := note_key(element)):
            self.notes.append(key)
            self.pieces.append(_NOTE)
        elif element.get("class") == "superscript" and (raised := self._exponent(element)):
            self.pieces.append(raised)
        else:
            if tag == "a" and (found := _TITLE.fullmatch(element.get("title", "").strip())):
                self._note_mark(element, found)
            self.add_text(element.text)
            for child in element:
                self.add(child)
                self.add_text(child.tail)

    def _exponent(self, element: etree._Element) -> str:
        """The raised figures of a power: "10" and a raised "25" are not 1025."""
        figures = "".join(map(str, element.itertext())).strip()
        is_figure = figures.isascii() and figures.isdecimal()
        before = "".join(self.pieces[-3:])[-4:]
        return figures.translate(_RAISED) if is_figure and _BASE.search(before) else ""

    def _note_mark(self, element: etree._Element, title: re.Match[str]) -> None:
        arrow = _ARROW.search("".join(map(str, element.itertext())))
        if arrow is not None and arrow["name"]:
            self.marks.append(Mark(arrow["name"], title["celex"], title["action"] or ""))

    def raw(self) -> str:
        """The text with its marks still in it."""
        return "".join(self.pieces)

    def text(self) -> str:
        """The words of the law alone."""
        return clean(self.raw())


def clean(raw: str) -> str:
    """Take footnote references, arrows and the dashes of deleted words out of a text."""
    text = _NOTE_REFERENCE.sub(_joint, raw) if _NOTE in raw else raw
    if "►" in text or "▼" in text or "◄" in text:
        text = _DELETED.sub(" ", _CLOSING.sub(" ", _ARROW.sub(" ", text)))
        return _LOOSE.sub("", tidy(text))
    return tidy(text)


def _joint(match: re.Match[str]) -> str:
    """What is left of a footnote reference: a space, where it stood between two words."""
    before, after = match.string[: match.start()][-1:], match.string[match.end() : match.end() + 1]
    return " " if match[0][-1:].isspace() or (before.isalnum() and after.isalnum()) else ""


def opens_and_closes(raw: str) -> tuple[int, int]:
    """How many amendment arrows a text opens and closes."""
    return raw.count("►"), raw.count("◄")


def note_key(anchor: etree._Element) -> str:
    """The key of the footnote that an anchor refers to; "" where it is another link."""
    address = anchor.get("href", "")
    if not address.startswith("#") or len(address) < 2:
        return ""
    words = "".join(map(str, anchor.itertext())).replace("\u00a0", " ")
    return address[1:] if _NOTE_MARK.fullmatch(words) else ""
