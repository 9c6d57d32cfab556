"""Is any word of the law lost? The words of a file against those of the document made of it."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

from lxml import etree

from pykala.law.provisions import Document

_WORD = re.compile(r"\w+")
_SOFT_HYPHEN = "\u00ad"  # where a line may break: no letter, and not kept
#: What the head of a file says of itself beside its titles is kept as facts of the work, not as text.
_HEAD = frozenset({"LongTitle", "ShortTitle", "ReaderNote", "Note", "EnablingAuthority", "InstrumentNumber"})
#: Inside these, markup does not part words: "1<Sup>er</Sup>", "CO<Sub>2</Sub>".
_INLINE = frozenset(
    {
        "Emphasis", "Sup", "Sub", "XRefExternal", "XRefInternal", "Language", "DefinedTermEn",
        "DefinedTermFr", "DefinitionRef", "IBR", "InlineFont", "Keep", "Del", "Ins", "Base", "Subscript",
        "Superscript", "MSub", "MSup", "msub", "mi", "mn", "mo", "mtext", "DefinitionEnOnly",
        "DefinitionFrOnly",
    }
)  # fmt: skip


def lost_words(root: etree._Element, document: Document) -> Counter[str]:
    """Words of the file that are in no text, heading or label of the document, with how often."""
    return _words_of_file(root) - words_of_document(document)


def words_of_document(document: Document) -> Counter[str]:
    """Every word of a document: its titles and the texts, headings and labels of its provisions."""
    counted: Counter[str] = Counter()
    pieces = [document.title, document.short_title]
    for provision in document.root.walk():
        pieces.append(provision.label)
        for version in provision.versions:
            pieces.extend((version.heading, version.text))
    # The root's heading repeats the title; a word that occurs twice here and once there is not lost.
    counted.update(_WORD.findall(_fold("\n".join(pieces))))
    return counted


def _words_of_file(root: etree._Element) -> Counter[str]:
    pieces: list[str] = []
    for part in root:
        if part.tag == "Identification":
            for child in part:
                if child.tag in _HEAD:
                    _gather(child, pieces)
        elif isinstance(part.tag, str):
            _gather(part, pieces)
    return Counter(_WORD.findall(_fold("".join(pieces))))


def _gather(element: etree._Element, pieces: list[str]) -> None:
    apart = element.tag not in _INLINE
    if apart:
        pieces.append("\n")
    if element.text:
        pieces.append(element.text)
    for child in element:
        if isinstance(child.tag, str):
            if element.tag == "EnablingAuthority":
                pieces.append("\n")  # several acts in a row, without a word between
            _gather(child, pieces)
        if child.tail:
            pieces.append(child.tail)
    if apart:
        pieces.append("\n")


def _fold(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().replace(_SOFT_HYPHEN, "")
