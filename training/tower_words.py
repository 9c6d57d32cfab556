"""Texts as numbers of words, and every word as the pieces and the table's rows that it stands for.

Both towers read words: the question tower their pieces and rows, the document table their rows alone. So
texts travel to the machine that trains as numbers of words, with two small tables, and nothing of this
package has to run there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pykala.models.bundled.pieces import PiecesOfWords, words_read
from pykala.models.bundled.words import RowsOfWords

MOST_PIECES, MOST_ROWS = 8, 12  # of one word


class WordNumbers:
    """Numbers words as they come; a word is another word in another language."""

    def __init__(self, pieces: Mapping[str, int], rows: Mapping[str, int], buckets: int) -> None:
        self._pieces = PiecesOfWords(pieces)
        self._rows = {code: RowsOfWords(code, rows, buckets) for code in ("fi", "sv", "en", "fr")}
        self._numbers: dict[tuple[str, str], int] = {}
        self._of_pieces: list[tuple[int, ...]] = []
        self._of_rows: list[tuple[int, ...]] = []

    def numbers(self, text: str, language: str, most: int) -> list[int]:
        """The numbers of a text's first words."""
        return [self._number(word, language) for word in words_read(text)[:most]]

    def telling(self, text: str, language: str, most: int, read: int = 260) -> list[int]:
        """The numbers of a text's first words that the table has rows for."""
        return [number for number in self.numbers(text, language, read) if self._of_rows[number]][:most]

    @property
    def words(self) -> Iterable[tuple[str, str]]:
        """Every word after its language, in the order of the numbers."""
        return self._numbers.keys()

    def _number(self, word: str, language: str) -> int:
        key = (language, word)
        known = self._numbers.get(key)
        if known is None:
            known = self._numbers[key] = len(self._numbers)
            self._of_pieces.append(self._pieces[word][:MOST_PIECES])
            telling = any(character.isalpha() for character in word)
            rows = tuple(dict.fromkeys(self._rows[language][word])) if telling else ()
            self._of_rows.append(rows[:MOST_ROWS])
        return known

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """Pieces and rows of all words, one after another, with their counts."""
        return {
            **ragged("pieces", self._of_pieces, np.uint16),
            **ragged("rows", self._of_rows, np.uint32),
        }


def ragged(name: str, found: Sequence[Sequence[int]], kind: type) -> dict[str, NDArray[np.generic]]:
    """Lists of numbers, one after another, with their counts."""
    flat: NDArray[np.generic] = np.fromiter((one for own in found for one in own), dtype=kind)
    return {f"{name}/flat": flat, f"{name}/counts": np.array([len(own) for own in found], dtype=np.uint8)}


class Texts:
    """Texts in order, each once."""

    def __init__(self, words: WordNumbers) -> None:
        self._words = words
        self._known: dict[tuple[str, str, int], int] = {}
        self._flat: list[int] = []
        self._counts: list[int] = []

    def add(self, text: str, language: str, most: int = 28) -> int:
        """The number of a text, cut after so many words."""
        key = (language, text, most)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = len(self._counts)
            numbers = self._words.numbers(text, language, most)
            self._flat += numbers
            self._counts.append(len(numbers))
        return known

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """All texts, one after another, with their counts."""
        return {
            "texts/flat": np.array(self._flat, dtype=np.uint32),
            "texts/counts": np.array(self._counts, dtype=np.uint8),
        }


def table_vocabulary(weights: Path) -> tuple[dict[str, int], int]:
    """The words that have a row in a table, and how many rows stand for runs of letters."""
    with np.load(weights) as stored:
        terms = bytes(stored["vocabulary"]).decode("utf-8").split("\n")
        return {term: row for row, term in enumerate(terms)}, int(stored["buckets"])


def piece_vocabulary(path: Path) -> dict[str, int]:
    """The pieces, one a line."""
    return {piece: at for at, piece in enumerate(path.read_text(encoding="utf-8").split("\n"))}
