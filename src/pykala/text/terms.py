"""The terms of single words, remembered: texts that are compared word by word repeat most of theirs."""

from __future__ import annotations

from functools import cache

from pykala.text.analysis import analyse

_MOST = 200_000  # distinct words kept per language, so that memory has a bound


class TermsOfWords(dict[str, tuple[str, ...]]):
    """Each lower-case word of a language with its terms, as `analyse` gives them."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self._language = language

    def __missing__(self, word: str) -> tuple[str, ...]:
        if len(self) >= _MOST:
            self.clear()
        self[word] = found = tuple(analyse(word, self._language))
        return found


@cache
def terms_of_words(language: str) -> TermsOfWords:
    """The words of a language met so far."""
    return TermsOfWords(language)
