"""Extract text from inline markup: no word is lost or joined to its neighbour; links keep their spans."""

from __future__ import annotations

from lxml import etree

from pykala.packs.canada.drafts import Anchor
from pykala.packs.left_out import PICTURE

_SUPERSCRIPT = str.maketrans("0123456789+-−–", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻")
_EXPONENT = frozenset("0123456789+-−–")
_TERMS = {"DefinedTermEn": "en", "DefinedTermFr": "fr"}
_JOINING = frozenset({"or", "ou", "and", "et"})
#: Elements whose words are separated from those before and after.
_APART = frozenset(
    {
        "Repealed", "LineBreak", "Provision", "Label", "Text", "List", "Item", "TitleText", "MarginalNote",
        "Caption", "title", "HistoricalNote", "HistoricalNoteSubItem", "BilingualGroup", "BilingualItemEn",
        "BilingualItemFr", "SignatureBlock", "SignatureName", "SignatureTitle", "SignatureLine", "entry",
        "AlternateText", "LongDescription", "ImageGroup", "Leader", "LeaderRightJustified", "FormBlank",
        "Footnote", "row", "Heading", "Formula", "FormulaGroup", "FormulaText", "FormulaConnector",
        "FormulaDefinition", "FormulaTerm", "FormulaParagraph", "OtherAuthority", "XRefExternal.authority",
        "AmendmentCitation", "AmendmentDate", "mfrac", "mrow", "Separator", "Note", "Section", "Subsection",
        "Paragraph", "Subparagraph", "Definition", "Oath", "OriginatingRef",
    }
)  # fmt: skip


class Words:
    """Text that grows chunk by chunk, its white space normalised as it grows."""

    __slots__ = (
        "after_term", "anchors", "apart", "described", "historical", "in_term", "length", "linking", "parts",
        "repealed", "terms",
    )  # fmt: skip

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.length = 0
        self.apart = False  # whether the next word needs a space before it
        self.anchors: list[Anchor] = []
        self.terms: list[tuple[str, str]] = []
        self.repealed = 0  # characters of tombstones and of the terms that they replace
        self.historical: list[etree._Element] = []
        self.linking = False
        self.in_term = self.after_term = False  # at the beginning of a defined term; right after it
        self.described = False  # whether the publisher's description replaces a picture

    @property
    def text(self) -> str:
        """What has been gathered."""
        return "".join(self.parts)

    def add(self, chunk: str | None) -> None:
        """Append a piece of character data."""
        if not chunk:
            return
        # A soft hyphen marks a possible line break ("assist\u00adance") and is not part of the word.
        words = " ".join(chunk.replace("\u00ad", "").split())
        if not words:
            self.apart = True
            return
        if self.length and (self.apart or chunk[0].isspace() or self._joins(words)):
            self.parts.append(" ")
            self.length += 1
        self.parts.append(words)
        self.length += len(words)
        self.apart = chunk[-1].isspace()

    def _joins(self, words: str) -> bool:
        """Whether a word stands between two terms without a space: "<…>GNC</…>or<…>gaz naturel</…>"."""
        if self.after_term and words.split()[0] in _JOINING:
            self.after_term = False
            return True
        self.after_term = False
        return self.in_term and self.parts[-1] in _JOINING

    def add_element(self, element: etree._Element) -> None:
        """Append the contents of an element (not its tail)."""
        self.add(element.text)
        for child in element:
            tag = child.tag
            if isinstance(tag, str):
                special = _SPECIAL.get(tag)
                if special is not None:
                    special(self, child)
                elif tag in _APART:
                    self.add_apart(child)
                else:
                    self.add_element(child)
            self.add(child.tail)

    def add_apart(self, element: etree._Element) -> None:
        """Append an element as words of their own."""
        self.apart = True
        self.add_element(element)
        self.apart = True

    def span_of(self, element: etree._Element) -> tuple[int, int]:
        """Append an element and return its span."""
        first, before = len(self.parts), self.length
        self.add_element(element)
        if len(self.parts) > first and self.parts[first] == " ":
            before += 1
        return before, self.length

    def _link(self, element: etree._Element) -> None:
        if self.linking:
            self.add_element(element)
            return
        self.linking = True
        start, end = self.span_of(element)
        self.linking = False
        if end > start:
            text = self.text[start:end]
            self.anchors.append(
                Anchor(start, end, text, element.get("reference-type", ""), element.get("link", ""))
            )

    def _term(self, element: etree._Element) -> None:
        self.in_term = True
        start, end = self.span_of(element)
        self.in_term, self.after_term = False, True
        if end > start:
            self.terms.append((_TERMS[str(element.tag)], self.text[start:end]))

    def _tombstone(self, element: etree._Element) -> None:
        self.apart = True
        start, end = self.span_of(element)
        self.repealed += end - start
        self.apart = True

    def _superscript(self, element: etree._Element) -> None:
        # "10<Sup>6</Sup>" must not read 106; "1<Sup>er</Sup>" reads 1er.
        text = element.text or ""
        if not len(element) and text and _EXPONENT.issuperset(text):
            self.add(text.translate(_SUPERSCRIPT))
        else:
            self.add_element(element)

    def _footnote_mark(self, element: etree._Element) -> None:
        # "35(1)<FootnoteRef>a</FootnoteRef>" must not read as paragraph 35(1)(a).
        mark = " ".join("".join(str(text) for text in element.itertext()).split())
        if mark:
            self.apart = False
            self.add(f"[{mark}]")

    def _fraction(self, element: etree._Element) -> None:
        parts = []
        for child in element:
            below = Words()
            below.add_element(child)
            parts.append(f"({below.text})" if " " in below.text else below.text)
        self.add(f" {' / '.join(parts)} ")

    def _blank(self, element: etree._Element) -> None:
        self.apart = True
        before = self.length
        self.add_element(element)
        if self.length == before:
            self.add(" … ")
        self.apart = True

    def _picture(self, element: etree._Element) -> None:
        """A picture without a description from the publisher leaves a mark."""
        group = element.getparent()
        if group is not None and group.find("AlternateText") is not None:
            self.described = True
        else:
            self.apart = True
            self.add(PICTURE)
            self.apart = True

    def _history(self, element: etree._Element) -> None:
        self.historical.append(element)  # it becomes a provision of its own


_SPECIAL = {
    "XRefExternal": Words._link,
    "DefinedTermEn": Words._term,
    "DefinedTermFr": Words._term,
    "Repealed": Words._tombstone,
    "Sup": Words._superscript,
    "Superscript": Words._superscript,
    "FootnoteRef": Words._footnote_mark,
    "Fraction": Words._fraction,
    "mfrac": Words._fraction,
    "Leader": Words._blank,
    "FormBlank": Words._blank,
    "HistoricalNote": Words._history,
    "Image": Words._picture,
}


def words_of(element: etree._Element) -> Words:
    """The running text of an element."""
    words = Words()
    if len(element):
        words.add_element(element)
    else:
        words.add(element.text)
    return words


def plain_words(element: etree._Element | None) -> str:
    """The running text of an element as a string; empty where there is none."""
    return "" if element is None else words_of(element).text
