"""The keywords of a question, and how many provisions and documents contain each."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from pykala.law.choices import OneOrMany
from pykala.law.forms import Result, shortened
from pykala.packs.pack import Pack
from pykala.retrieve.question import understand
from pykala.stores.store import Store
from pykala.text.analysis import analyse

MOST_COUNTED = 500  # the most passages that are counted for one word
MOST_WORDS = 12
_WORD = re.compile(r"\w+(?:['’-]\w+)*")


@dataclass(frozen=True, slots=True, repr=False)
class Keyword(Result):
    """A word as the question writes it; `more`: only the first `MOST_COUNTED` passages were counted."""

    word: str
    weight: float  # its inverse document frequency; 0 where the library does not know it
    provisions: int
    documents: int
    more: bool = False

    def __repr__(self) -> str:
        many = "more than " if self.more else ""
        return f"<Keyword {shortened(self.word)!r}: {many}{self.provisions} provisions>"


def keywords(
    question: str,
    store: Store,
    packs: Mapping[str, Pack],
    *,
    as_of: date,
    language: str | None = None,
    jurisdiction: OneOrMany = None,
) -> tuple[str, tuple[Keyword, ...]]:
    """The question's language, and its keywords, rarest first."""
    understood = understand(
        question, store, packs, as_of=as_of, language=language, jurisdiction=jurisdiction, dated=False
    )
    weights = store.weigh(understood.search_text, understood.language)
    spelled: dict[str, str] = {}
    for word in _WORD.findall(understood.search_text):
        for term in analyse(word, understood.language):
            spelled.setdefault(term, word)
    strongest = sorted(weights.items(), key=lambda item: -item[1])[:MOST_WORDS]
    found = []
    for term, weight in strongest:
        word = spelled.get(term, term)
        matches = store.match_text(word, understood.filter, MOST_COUNTED) if weight else ()
        sections = {match.section for match in matches}
        works = {match.work for match in matches}
        found.append(Keyword(word, weight, len(sections), len(works), len(matches) == MOST_COUNTED))
    unique = {one.word: one for one in reversed(found)}
    return understood.language, tuple(sorted(unique.values(), key=lambda one: (-one.weight, one.word)))
