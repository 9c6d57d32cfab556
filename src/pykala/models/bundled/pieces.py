"""Split a question into the word pieces that the question tower reads.

WordPiece: the longest piece of the vocabulary first, then the longest that continues it (Schuster & Nakajima,
"Japanese and Korean voice search", ICASSP 2012). Numbers are words here; punctuation is ignored.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from pykala.text.analysis import normalise

_WORD: Final = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_PART: Final = re.compile(r"[^\W_]+")
_LONGEST: Final = 40  # letters; a longer word is not split into pieces
_MEMO_LIMIT: Final = 200_000
CONTINUES: Final = "##"
START, END, UNKNOWN = "[CLS]", "[SEP]", "[UNK]"


def words_read(text: str) -> list[str]:
    """The words and numbers of a text in lower case, with the apostrophes and hyphens inside them."""
    return _WORD.findall(normalise(text).lower())


class PiecesOfWords(dict[str, tuple[int, ...]]):
    """Cached pieces of words; a word that no pieces make up is one unknown piece."""

    def __init__(self, vocabulary: Mapping[str, int]) -> None:
        super().__init__()
        self._vocabulary = vocabulary
        self._unknown = (vocabulary[UNKNOWN],)

    def __missing__(self, word: str) -> tuple[int, ...]:
        pieces: list[int] = []
        for part in _PART.findall(word):
            pieces += self._cut(part)
        if len(self) >= _MEMO_LIMIT:
            self.clear()
        self[word] = found = tuple(pieces)
        return found

    def _cut(self, word: str) -> tuple[int, ...]:
        if len(word) > _LONGEST:
            return self._unknown
        pieces = []
        start = 0
        while start < len(word):
            for end in range(len(word), start, -1):
                piece = word[start:end] if start == 0 else f"{CONTINUES}{word[start:end]}"
                if piece in self._vocabulary:
                    pieces.append(self._vocabulary[piece])
                    break
            else:
                return self._unknown
            start = end
        return tuple(pieces)
