"""Is any word of a statute lost? The words of its XML against those of the document made of it."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

from lxml import etree

from pykala.law.provisions import Document
from pykala.packs.finland.statutes.inline import local_name
from pykala.packs.finland.statutes.statute_xml_tables import PICTURES

_WORD = re.compile(r"\w+")
#: Where the words of the law stand; the rest of a file's head is kept as facts of the work.
_PARTS = (
    "{*}IdentifiointiOsa/{*}AsiakirjaViitteet",
    "{*}SaadosOsa",
    "{*}EsityoOsa",
    "{*}ViiteTeksti",
    "{*}AllekirjoitusOsa",
    "{*}LiiteOsa",
)
#: Inside these, markup does not part words: "CO<AlaindeksiTeksti>2", "<KursiiviTeksti>laki</…>ssa".
_INLINE = frozenset(
    {
        "KursiiviTeksti", "LihavaTeksti", "LihavaKursiiviTeksti", "YlaindeksiTeksti", "AlaindeksiTeksti",
        "SaadosKursiiviKooste", "ViiteTeksti", "YleinenViite", "u", "p", "te",
    }
)  # fmt: skip


def lost_words(root: etree._Element, document: Document) -> Counter[str]:
    """Words of the file that are in no text, heading or label of the document, with how often."""
    return _words_of_file(root) - _words_of_document(document)


def _words_of_document(document: Document) -> Counter[str]:
    pieces = []
    for provision in document.root.walk():
        pieces.append(provision.label)
        for version in provision.versions:
            pieces.extend((version.heading, version.text))
    return Counter(_WORD.findall(_fold("\n".join(pieces))))


def _words_of_file(root: etree._Element) -> Counter[str]:
    pieces: list[str] = []
    for path in _PARTS:
        for part in root.iterfind(path):
            _gather(part, pieces)
            pieces.append("\n")
    return Counter(_WORD.findall(_fold("".join(pieces))))


def _gather(element: etree._Element, pieces: list[str]) -> None:
    name = local_name(element)
    if name in PICTURES:
        return
    apart = "" if name in _INLINE else "\n"
    pieces.append(apart)
    pieces.append(element.text or "")
    for child in element:
        if isinstance(child.tag, str):
            _gather(child, pieces)
        pieces.append(child.tail or "")
    pieces.append(apart)


def _fold(text: str) -> str:
    # Invisible marks, as the soft hyphen in "laki\u00adin", part no words in print.
    visible = "".join(mark for mark in text if unicodedata.category(mark) != "Cf")
    return unicodedata.normalize("NFKC", visible).casefold()
