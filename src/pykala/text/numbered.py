"""Number the content words of a language, so that texts can be compared as arrays of numbers."""

from __future__ import annotations

import threading
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pykala.text.stopwords import stop_words
from pykala.text.tokens import words_of

Numbers = NDArray[np.int32]

_MOST: Final = 200_000  # distinct words per language, to bound memory
_TEXTS_KEPT: Final = 16_384  # headers and sections repeat, within a question and in the next
_IDLE: Final = -1  # the number of every stop word


class NumberedWords(dict[str, int]):
    """The content words of one language, numbered as they are met; `words[number]` is the word."""

    def __init__(self, language: str) -> None:
        super().__init__(dict.fromkeys(stop_words(language), _IDLE))
        self.words: list[str] = []
        self._adding = threading.Lock()
        self.of = lru_cache(maxsize=_TEXTS_KEPT)(self._of)

    def _of(self, text: str) -> Numbers:
        """The numbers of a text's distinct content words, in rising order."""
        numbers = set(
            map(self.__getitem__, words_of(text))
        )  # most texts are sentences: faster than as an array
        numbers.discard(_IDLE)
        return np.array(sorted(numbers), dtype=np.int32)

    def __missing__(self, word: str) -> int:
        with self._adding:
            if word not in self:  # another thread may have added it meanwhile
                self.words.append(word)
                self[word] = len(self.words) - 1
        return self[word]


_numbered: dict[str, NumberedWords] = {}


def numbered_words(language: str) -> NumberedWords:
    """The numbered words of a language.

    A new numbering begins when one has grown too large; callers that compare texts keep the numbering they
    started with.
    """
    known = _numbered.get(language)
    if known is None or len(known.words) > _MOST:
        known = _numbered[language] = NumberedWords(language)
    return known
