"""Distinguish languages by their letter trigrams (Cavnar and Trenkle, 1994), with a table that we learned.

`bench/language_trigrams.py` makes the table and measures it. It loads in milliseconds; a general model of a
hundred languages takes most of a second.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.resources import files

from pykala.text.languages.known import BUILT_IN

TABLE = files("pykala.text").joinpath("data", "trigrams.tsv")
LANGUAGES = frozenset(BUILT_IN)
_WORD = re.compile(r"[^\W\d_]+")
_TEMPER = 0.05  # lowers the weight of trigrams, which are not independent within a word


def trigrams(text: str) -> Iterator[str]:
    """The trigrams of a text's words, with their beginnings and ends marked."""
    for word in _WORD.findall(text.lower()):
        padded = f"_{word}_"
        for start in range(len(padded) - 2):
            yield padded[start : start + 3]


def chances(text: str, among: Sequence[str]) -> dict[str, float]:
    """How likely each of the languages is, summing to 1."""
    table = _table()
    costs = dict.fromkeys(among, 0)
    for trigram in trigrams(text):
        row = table.get(trigram)
        if row is not None:
            for language in among:
                costs[language] += row[language]
    least = min(costs.values(), default=0)
    weights = {language: 2.0 ** (-_TEMPER * (cost - least)) for language, cost in costs.items()}
    total = sum(weights.values())
    return {language: weight / total for language, weight in weights.items()}


@lru_cache(maxsize=1)
def _table() -> dict[str, dict[str, int]]:
    header, *rows = TABLE.read_text("utf-8").splitlines()
    languages = header.split("\t")[1:]
    table = {}
    for row in rows:
        trigram, *costs = row.split("\t")
        table[trigram] = dict(zip(languages, map(int, costs), strict=True))
    return table
