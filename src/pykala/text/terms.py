"""The terms of single words, cached: texts that are compared word by word repeat most of their words."""

from __future__ import annotations

from functools import cache

from pykala.text.analysis import fold, word_terms

_MOST = 100_000  # distinct words cached per language, to bound memory


class StemsOfWords(dict[str, tuple[str, ...]]):
    """Each lower-case word of a language with its stems or base forms, as `word_terms` gives them."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self._stems = word_terms(language)

    def __missing__(self, word: str) -> tuple[str, ...]:
        if len(self) >= _MOST:
            self.clear()
        self[word] = found = self._stems(word)
        return found


class TermsOfWords(dict[str, tuple[str, ...]]):
    """Each lower-case word of a language with its terms, as `analyse` gives them."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self._stems = stems_of_words(language)

    def __missing__(self, word: str) -> tuple[str, ...]:
        if len(self) >= _MOST:
            self.clear()
        found: dict[str, None] = {}
        for stem in self._stems[word]:
            found[stem] = None
            found[fold(stem)] = None
        self[word] = terms = tuple(found)
        return terms


@cache
def stems_of_words(language: str) -> StemsOfWords:
    """The stems of the words of a language met so far."""
    return StemsOfWords(language)


@cache
def terms_of_words(language: str) -> TermsOfWords:
    """The terms of the words of a language met so far."""
    return TermsOfWords(language)
