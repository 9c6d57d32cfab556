"""Correct slips of one letter in a question, with the words that the bundled embedder knows.

A word that none of the four languages knows is read as the one word of the library's law that one slip makes
of it; where several fit, it stands. The answer says how the question was understood.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from pykala.models.bundled import OWN_EMBEDDER
from pykala.models.bundled.package import embedder_of_package
from pykala.models.embedder import Embedder
from pykala.models.failures import ModelError
from pykala.packs.pack import Pack
from pykala.stores.store import Store
from pykala.text.analysis import LANGUAGES, analyse
from pykala.text.languages.known import language_of
from pykala.text.slips import SHORTEST, forgiven
from pykala.text.terms import stems_of_words

_AT_ONCE = 24  # words whose weights are asked for in one call, which has room for the terms of so many


def respelled(
    question: str, language: str, store: Store, embedder: Embedder | None, packs: Mapping[str, Pack]
) -> str:
    """The corrected question; unchanged without the bundled embedder."""
    if embedder is None or embedder.name != OWN_EMBEDDER:
        return question
    try:
        vocabulary = embedder_of_package().table.vocabulary
    except ModelError:  # said where its vectors are wanted
        return question
    own = stems_of_words(language)
    tongues = [own, *(stems_of_words(other) for other in LANGUAGES if other != language)]

    def is_word(word: str) -> bool:
        # A word without stems is a stop word.
        return any(all(one in vocabulary for one in tongue[word]) for tongue in tongues)

    def held(words: Collection[str]) -> Collection[str]:
        meant = [word for word in words if own[word] and all(one in vocabulary for one in own[word])]
        weights: dict[str, float] = {}
        for first in range(0, len(meant), _AT_ONCE):
            weights |= store.weigh(" ".join(meant[first : first + _AT_ONCE]), language)
        return [word for word in meant if all(weights.get(term) for term in analyse(word, language))]

    # Finnish has forms beyond counting, and a short one that nobody taught the table is often no slip.
    known = language_of(language)
    shortest = known.number("questions.shortest_slip", SHORTEST) if known else SHORTEST
    return forgiven(
        question,
        is_word=is_word,
        stems=own.__getitem__,
        held=held,
        shortest=shortest,
        places=_place_names(packs),
    )


def _place_names(packs: Mapping[str, Pack]) -> frozenset[str]:
    """The names of one word by which questions in any language call the places of the packs."""
    names = (name for pack in packs.values() for words in pack.facts.names.values() for name in words)
    return frozenset(name for name in names if name.isalpha() and name[0].isupper())
