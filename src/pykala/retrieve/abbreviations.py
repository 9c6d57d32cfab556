"""Abbreviations in a question: words in capitals that no pack explains."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from pykala.packs.pack import Pack
from pykala.text.language import is_shouted

WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_CAPITALS = re.compile(r"(?=[^\W\d_]{2})[^\W_]{2,6}")
_ROMAN = re.compile(r"[IVXLC]+")


def abbreviations_in(text: str, packs: Mapping[str, Pack]) -> tuple[str, ...]:
    """The words in capitals that no pack knows as the name of an act or place, or spells out."""
    words = WORD.findall(text)
    capitals = [word for word in words if word.isupper() and _CAPITALS.fullmatch(word)]
    if not capitals or is_shouted(words):
        return ()
    known = {name for pack in packs.values() for name in _explained(pack)}
    return tuple(dict.fromkeys(word for word in capitals if word not in known and not _ROMAN.fullmatch(word)))


def _explained(pack: Pack) -> Iterator[str]:
    facts = pack.facts
    yield from facts.abbreviations
    yield from facts.asked
    yield from (short for words in facts.synonyms.values() for short in words)
    yield from (name for names in facts.names.values() for name in names)
