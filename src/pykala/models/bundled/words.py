"""Map a text to rows of the embedding table: known words by their terms, other words by letter n-grams.

Words of every language share one table. A word that is not in it is the sum of a few rows to which its letter
n-grams hash, so that a rare compound or a misspelling still lies near its relatives.
"""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from pykala.text.analysis import LANGUAGES, normalise
from pykala.text.language import detect
from pykala.text.stopwords import stop_words
from pykala.text.terms import stems_of_words

_WORD: Final = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
# The same, including printed variants of apostrophes and hyphens, and invisible characters within a word.
# This needs one pass over the raw text; only a new word is normalised.
_PRINTED: Final = re.compile(
    "[^\\W\\d_]+(?:['\u2018\u2019\u02bc\u00b4`\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
    "\u00ad\u200b\u200c\u200d\u2060\ufeff-][^\\W\\d_]+)*"
)
_MEMO_LIMIT: Final = 400_000  # distinct words kept per language, so that memory has a bound
_GRAM: Final = 4  # letters
_READ: Final = 6_000  # characters of a text; the rest says little about its subject
_VOTES: Final = 2  # stop words that decide a text's language
_VOTERS: Final = 60  # words examined for the language of a text


def words_of(text: str) -> list[str]:
    """The words of a text in lower case, without numbers."""
    return _WORD.findall(normalise(text[:_READ]).lower())


def printed_words_of(text: str) -> list[str]:
    """The words of a text in lower case as printed; `RowsOfWords` normalises them."""
    text = text[:_READ]
    if not text.isascii() and not unicodedata.is_normalized("NFC", text):
        text = unicodedata.normalize("NFC", text)
    return _PRINTED.findall(text.lower())


def language_of(words: Sequence[str], text: str) -> str:
    """The language of a text by its stop words; where these do not decide, by full detection."""
    owners = _owners()
    votes = Counter([owners[word] for word in words[:_VOTERS] if word in owners]).most_common(2)
    if votes:
        first, second = votes[0][1], votes[1][1] if len(votes) > 1 else 0
        if first >= _VOTES and first >= 2 * second:
            return votes[0][0]
    return detect(text).language


@cache
def _owners() -> dict[str, str]:
    """Stop words that belong to only one language."""
    owners: dict[str, str] = {}
    shared: set[str] = set()
    for language in LANGUAGES:
        for word in stop_words(language):
            if word in owners:
                shared.add(word)
            owners[word] = language
    return {word: language for word, language in owners.items() if word not in shared}


class RowsOfWords(dict[str, tuple[int, ...]]):
    """Cached rows of the words of one language."""

    def __init__(self, language: str, vocabulary: Mapping[str, int], buckets: int) -> None:
        super().__init__()
        self._terms = stems_of_words(language)
        self._others = tuple(stems_of_words(other) for other in LANGUAGES if other != language)
        self._vocabulary, self._buckets = vocabulary, buckets

    def __missing__(self, word: str) -> tuple[int, ...]:
        rows: list[int] = []
        for plain in (word,) if word.isascii() else _WORD.findall(normalise(word)):
            rows += self._rows(plain)
        if len(self) >= _MEMO_LIMIT:
            self.clear()
        self[word] = found = tuple(rows)
        return found

    def _rows(self, word: str) -> list[int]:
        terms = self._terms[word]
        rows = [row for term in terms if (row := self._vocabulary.get(term)) is not None]
        if terms and not rows:
            rows = self._foreign(word)
        if len(rows) < len(terms):
            known = self._vocabulary
            rows += [row for term in terms if term not in known for row in self._unknown(term)]
        return rows

    def _foreign(self, word: str) -> list[int]:
        """The rows of a word that another language knows: "lähdevero" in an English question."""
        for terms_of in self._others:
            rows = [row for term in terms_of[word] if (row := self._vocabulary.get(term)) is not None]
            if rows:
                return rows
        return []

    def _unknown(self, term: str) -> list[int]:
        return [len(self._vocabulary) + bucket for bucket in buckets_of(term, self._buckets)]


def buckets_of(term: str, buckets: int) -> list[int]:
    """The buckets to which a term's letter n-grams hash."""
    if not buckets:
        return []
    marked = f"<{term}>"
    runs = {marked[at : at + _GRAM] for at in range(max(1, len(marked) - _GRAM + 1))}
    return sorted({zlib.crc32(run.encode()) % buckets for run in runs})
