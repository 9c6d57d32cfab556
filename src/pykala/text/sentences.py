"""Find where the sentences of legal text begin and end, in every known language.

Legal prose is full of full stops that end no sentence: `s. 7`, `art. 5`, `2 mom.`, `bl.a.`, `1.1.2020`,
`R.S.C., 1985, c. L-2`. A wrong cut separates a rule from its number, while two sentences left together cost
little; so in doubt there is no cut. A line break always is one.
"""

from __future__ import annotations

import re
from typing import Final

from pykala.text.languages.known import alternatives, derived, words

_STOP: Final = re.compile(r"(?<![.!?…])[.!?…]++[\"'»”’)\]]*+(?=\s++(\S))")
_WORD_BEFORE: Final = re.compile(r"[^\s(\[«\"“”»/]+$")
_ELIDED: Final = re.compile("^[^\\W\\d_]{1,2}['’]")  # `l’art. 5`
_LONGEST_LABEL: Final = 40
_LONGEST_WORD: Final = 60  # letters before a full stop; a longer word is no abbreviation
_OPENING: Final = frozenset("\"'«“”‘’([§—–-")


@derived
def _abbreviations() -> frozenset[str]:
    return words("sentences.abbreviations")


@derived
def _label() -> re.Pattern[str]:
    """A pattern for labels before the first word of a provision: `1.`, `a)`, `§ 11-503.`, `Section 4.`."""
    return re.compile(
        rf"(?:§+\s*|(?:{alternatives('sentences.labels')})\s+)?(?:[\w-]{{1,6}}\.?){{1,4}}", re.IGNORECASE
    )


def sentences(text: str) -> list[tuple[int, int]]:
    """Give the spans of the sentences, in order, without overlap; all but white space is in them."""
    spans: list[tuple[int, int]] = []
    position = 0
    for line in text.splitlines(keepends=True):
        spans += _sentences_of_line(line, position)
        position += len(line)
    return spans


def _sentences_of_line(line: str, offset: int) -> list[tuple[int, int]]:
    spans = []
    end = len(line.rstrip())
    start = len(line) - len(line.lstrip())
    for match in _STOP.finditer(line, start, end):
        if _ends_sentence(line, start, match):
            spans.append((offset + start, offset + match.end()))
            start = match.start(1)
    if start < end:
        spans.append((offset + start, offset + end))
    return spans


def _ends_sentence(line: str, start: int, match: re.Match[str]) -> bool:
    following = match[1]
    if not (following.isupper() or following.isdigit() or following in _OPENING):
        return False
    if match[0][0] != ".":
        return True
    labelled = match.start() - start <= _LONGEST_LABEL and _label().fullmatch(line, start, match.start())
    if labelled and not _is_word(line[start : match.start()]):
        return False
    word = _WORD_BEFORE.search(line, max(start, match.start() - _LONGEST_WORD), match.start())
    if word is None:
        return True  # a closing bracket or quotation mark stands before the stop
    last = _ELIDED.sub("", word[0].strip(",;:'’)]"))
    if last[:1].isdigit():
        return not following.isdigit()
    if len(last) == 1:
        return not (last.isalpha() or last == "§")
    return "." not in last and last.lower() not in _abbreviations()


def _is_word(text: str) -> bool:
    """Say whether a would-be label is an ordinary word, a sentence by itself: `Repealed.`."""
    return text.isalpha() and len(text) > 3
