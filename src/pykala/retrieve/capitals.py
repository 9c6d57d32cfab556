"""Match abbreviations by their capitals: "STAR" is not the star of gold star parents.

Of "PIA" the library knows nothing, although it holds the law on data protection impact assessments. An
abbreviation is therefore matched only by the same capitals; where the law does not write it, the reader is
asked to spell it out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pykala.law.grades import LIKELY_FROM, LISTED_FROM
from pykala.retrieve.abbreviations import WORD
from pykala.retrieve.grade import Graded
from pykala.text.languages.known import language_of

_JUST = 0.01
_PIECE = re.compile(r"[^\W_]+")
_BARE = 4  # the most words of a bare term; in a sentence, capitals may be an emphasis: "must I PAY?"


def by_their_capitals(
    graded: Sequence[Graded], abbreviations: Sequence[str], text: str
) -> tuple[Graded, ...]:
    """Candidates of a bare term; those that have its abbreviation only as a common word come last."""
    if not abbreviations or len(WORD.findall(text)) > _BARE:
        return tuple(graded)
    apart = [one for one in graded if any(_is_common_word(word, one) for word in abbreviations)]
    if not apart:
        return tuple(graded)
    others = [one for one in graded if one not in apart]
    listed = bool(others) and others[0].grade >= LISTED_FROM
    most = min(LIKELY_FROM - _JUST, others[0].grade if listed else LIKELY_FROM)
    bounded = [replace(one, grade=min(one.grade, most)) for one in apart]
    return (*others, *bounded) if listed else (*bounded, *others)


def _is_common_word(abbreviation: str, one: Graded) -> bool:
    words = {*_words(one)}
    return abbreviation not in words and bool({abbreviation.lower(), abbreviation.capitalize()} & words)


def unknown_among(
    abbreviations: Sequence[str], graded: Sequence[Graded], text: str, language: str
) -> tuple[str, ...]:
    """The abbreviations of a question that none of the candidates listed for it writes in capitals.

    In a sentence, a word in capitals that the language or the law has as a common word is an emphasis.
    """
    if not abbreviations:
        return ()
    written = {word for one in graded if one.grade >= LISTED_FROM for word in _words(one)}
    if len(WORD.findall(text)) > _BARE:
        written |= {word.upper() for word in (*written, *_common(language))}
    return tuple(word for word in abbreviations if word not in written)


def _common(language: str) -> tuple[str, ...]:
    """The common words of a language."""
    spoken = language_of(language)
    return (*spoken.words("terms.stop_words"), *spoken.words("detection.words")) if spoken else ()


def _words(one: Graded) -> Iterator[str]:
    """The words of a candidate's passages; those joined by a hyphen singly."""
    for match in (one.candidate.match, *one.candidate.beside):
        yield from _PIECE.findall(match.text)
