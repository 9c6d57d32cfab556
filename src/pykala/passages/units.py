"""The smallest pieces that a section's text may be cut into: lines, and the sentences of long lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pykala.law.composition import Composed, Line
from pykala.law.provisions import ProvisionKind
from pykala.passages.outline import Outline
from pykala.text.sentences import sentences
from pykala.text.tokens import count_tokens

#: Ranks of boundaries that are worse than that of any line. A line's rank is its depth; lower is better.
CONTINUATION = 1_000  # before text that continues the text above it
SENTENCE = 2_000
LAST_RESORT = 3_000  # inside a sentence that is too long for a passage

#: "…is guilty of an offence" belongs to the list above it, and a note to the provision it is about.
_CONTINUING = frozenset(
    {
        ProvisionKind.FLUSH,
        ProvisionKind.HISTORICAL_NOTE,
        ProvisionKind.EDITORIAL_NOTE,
        ProvisionKind.FOOTNOTE,
    }
)
#: Where an overlong sentence may be cut, best first; never between a word and a number ("section 5").
_BREAKS = (
    re.compile(r"(?<=[;:])\s+"),
    re.compile(r"(?<=,)\s+(?!\S*\d)"),
    re.compile(r"(?<![\d§.)])\s+(?![\d§(])"),
    re.compile(r"\s+"),
)


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece that is never cut: its position, its line, and the depth of the boundary before it."""

    start: int
    end: int
    line: int
    rank: int
    fence: bool = False  # a definition starts or ends here: no child crosses this boundary


def units(outline: Outline, composed: Composed, *, sentences_above: int, ceiling: int) -> list[Unit]:
    """Cut a composed text into units, in order; only white space lies between them.

    Lines longer than `sentences_above` characters are cut into sentences. A sentence of more than `ceiling`
    tokens is cut at white space, as a last resort.
    """
    fences = outline.fences()
    found: list[Unit] = []
    for number, line in enumerate(composed.lines):
        rank = CONTINUATION + line.depth if line.kind in _CONTINUING else line.depth
        fence = number in fences
        label = line.end - line.start - len(outline.words(number))
        for start, end, inner in _pieces(composed.text, line, label, sentences_above, ceiling):
            found.append(Unit(start, end, number, inner or rank, fence))
            fence = False
    return found


def _pieces(
    text: str, line: Line, label: int, sentences_above: int, ceiling: int
) -> Iterator[tuple[int, int, int]]:
    """The units of one line as (start, end, rank); rank 0 stands for the line's own."""
    if line.end - line.start <= sentences_above:
        if span := _trimmed(text, line.start, line.end):
            yield *span, 0
        return
    rank = 0
    for start, end in _sentences(text, line, label):
        for piece in _within(text, start, end, ceiling):
            yield *piece, rank
            rank = LAST_RESORT
        rank = SENTENCE


def _sentences(text: str, line: Line, label: int) -> Iterator[tuple[int, int]]:
    words = text[line.start : line.end]
    # A table row ends at its line end; full stops inside its figures do not end a sentence.
    if line.kind is ProvisionKind.TABLE and "\n" in words:
        ends = [row.end() for row in re.finditer(r"\n+", words)]
    else:
        ends = [end for _, end in sentences(words)]
    # Only the ends count, so that no text between two sentences is lost; a label ("1.") is no sentence.
    start = line.start
    for end in (*(line.start + end for end in ends if label < end < len(words)), line.end):
        if span := _trimmed(text, start, end):
            yield span
        start = end


def _within(text: str, start: int, end: int, ceiling: int) -> Iterator[tuple[int, int]]:
    """A sentence whole, or in pieces of at most `ceiling` tokens where it is longer than that."""
    # A token has at least one character, and no language has more than sixteen per token on average. A window
    # of that size keeps the time linear in overlong text.
    while end - start > ceiling:
        window = min(end - start, 16 * ceiling)
        tokens = count_tokens(text[start : start + window])
        if tokens <= ceiling and window == end - start:
            break
        length = max(1, min(window, window * 3 * ceiling // (4 * max(tokens, 1))))
        while length > 1 and count_tokens(text[start : start + length]) > ceiling:
            length //= 2
        cut = _break_before(text, start, start + length)
        if span := _trimmed(text, start, cut):
            yield span
        start = cut
    if span := _trimmed(text, start, end):
        yield span


def _break_before(text: str, start: int, limit: int) -> int:
    """The last good break in the second half of a stretch; its end where there is no break."""
    for pattern in _BREAKS:
        breaks = [found.end() for found in pattern.finditer(text, (start + limit + 1) // 2, limit)]
        if breaks:
            return breaks[-1]
    return limit


def _trimmed(text: str, start: int, end: int) -> tuple[int, int] | None:
    piece = text[start:end]
    bare = piece.strip()
    if not bare:
        return None
    start += len(piece) - len(piece.lstrip())
    return start, start + len(bare)
