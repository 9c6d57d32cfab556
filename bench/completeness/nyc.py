"""Is any word of the law lost? The words of a plain text against those of the document made of it."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

from pykala.law.provisions import Document

_WORD = re.compile(r"\w+")
#: The publisher's own slip before three history notes; not a word of anything.
_SLIP = "{'{'}"


def lost_words(text: str, document: Document) -> Counter[str]:
    """Words of the file that are in no text, heading or label of the document, with how often."""
    return _words(text.replace(_SLIP, "(")) - words_of_document(document)


def words_of_document(document: Document) -> Counter[str]:
    """Every word below the work itself: its title is ours, not the file's."""
    pieces: list[str] = []
    for provision in document.root.walk():
        if not provision.id.path:
            continue
        pieces.append(provision.label)
        for version in provision.versions:
            pieces.extend((version.heading, version.text))
    return _words("\n".join(pieces))


def _words(text: str) -> Counter[str]:
    return Counter(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))
