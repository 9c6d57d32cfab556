"""Prepare candidates to be shown as search hits: no repealed shells, and the passage with the query's words.

A source may keep the place of a repealed section and write only "[Repealed]" there. The heading still
matches, but there is no law to read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pykala.retrieve.search import Candidate
from pykala.text.analysis import analyse
from pykala.text.languages.known import alternatives, derived

SPARE = 10  # sections searched beyond the number wanted, as some of them may be shells
_NOTE = re.compile(r"[\[(].*[\])]\.?")


def worth_showing(found: Sequence[Candidate], query: str) -> list[Candidate]:
    """The candidates that hold law, each with the passage that has most of the query's words."""
    asked: dict[str, frozenset[str]] = {}
    shown = []
    for one in found:
        if is_shell(one.match.parent_text or one.match.text):
            continue
        language = one.match.language
        if language not in asked:
            asked[language] = frozenset(analyse(query, language))
        shown.append(_with_words(one, asked[language]))
    return shown


def is_shell(text: str) -> bool:
    """Whether a text says only that its provision was repealed, apart from an editor's notes."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    told = [_repealed().fullmatch(line) is not None for line in lines]
    return any(told) and all(said or _NOTE.fullmatch(line) for said, line in zip(told, lines, strict=True))


def _with_words(one: Candidate, asked: frozenset[str]) -> Candidate:
    """The candidate led by the passage whose own text has most of the words; the first of equals."""
    if not one.beside:
        return one
    passages = (one.match, *one.beside)
    held = [len(asked.intersection(analyse(match.text, match.language))) for match in passages]
    best = passages[held.index(max(held))]
    return one if best is one.match else replace(one, match=best)


@derived
def _repealed() -> re.Pattern[str]:
    words, said = alternatives("law.repealed"), alternatives("law.tombstone")
    label = r"(?:\(?\w{1,4}[.)]\s+)?"
    in_brackets = rf"{label}[\[(][^\])]{{0,12}}\b(?:{words})\b.*[\])]\.?"
    return re.compile(rf"{in_brackets}|.{{1,24}}\s(?:{said})\b.*", re.IGNORECASE)
