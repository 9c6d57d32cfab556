"""Correct slips of one letter in a question, with the words that the bundled embedder knows.

A word that is unknown in all four languages is replaced by the word of the library's law that differs from it
by one slip. Where several words fit, the law's most frequent one is taken, or none if it is not clearly more
frequent. Names of places are corrected first. The answer says how the question was understood.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from pykala.law.filters import Filter
from pykala.models.bundled import OWN_EMBEDDER
from pykala.models.bundled.package import embedder_of_package
from pykala.models.embedder import Embedder
from pykala.models.failures import ModelError
from pykala.packs.pack import Pack
from pykala.retrieve.question import places_asked
from pykala.stores.store import Search, Store
from pykala.text.analysis import LANGUAGES, analyse, word_terms
from pykala.text.everyday import is_everyday
from pykala.text.languages.known import language_of
from pykala.text.place_slips import PlaceNames, Suspect, with_places
from pykala.text.slips import BY_MISTAKE, SHORTEST, Forms, forgiven
from pykala.text.terms import stems_of_words
from pykala.text.tokens import words_of

_CASE_ENDINGS = (1, 2, 3)  # letters
_TERMS_AT_ONCE = 128  # terms that the store weighs in one call
_READ = 40  # passages in which the forms of a word are counted


def respelled(
    question: str,
    language: str,
    store: Store,
    embedder: Embedder | None,
    packs: Mapping[str, Pack],
    jurisdictions: Collection[str] = (),
) -> str:
    """The corrected question; unchanged without the bundled embedder.

    Words are weighed in the jurisdictions given, else in those that the question names, else in all.
    """
    if embedder is None or embedder.name != OWN_EMBEDDER:
        return question
    try:
        vocabulary = embedder_of_package().table.vocabulary
    except ModelError:  # the search reports that the embedder cannot be used
        return question
    return _Spelling(language, store, vocabulary, packs).respelled(question, frozenset(jurisdictions))


class _Spelling:
    """Corrects questions in one language."""

    def __init__(
        self, language: str, store: Store, vocabulary: Collection[str], packs: Mapping[str, Pack]
    ) -> None:
        self._language, self._store, self._vocabulary, self._packs = language, store, vocabulary, packs
        self._own = stems_of_words(language)
        self._uncached = word_terms(language)  # hundreds of words with a slip would crowd the rest out
        self._names = {
            name: code for code, pack in packs.items() for some in pack.facts.names.values() for name in some
        }
        self._places = {name.lower() for name in self._names}
        spoken = language_of(language)
        self._short_words = frozenset(spoken.words("questions.short_words") if spoken else ())
        self._shortest = spoken.number("questions.shortest_slip", SHORTEST) if spoken else SHORTEST
        self._shortest_swap = (
            spoken.number("questions.shortest_swap", self._shortest) if spoken else self._shortest
        )
        others = (one for one in LANGUAGES if one != language)
        self._tongues = {one: stems_of_words(one) for one in (language, *others)}

    def respelled(self, question: str, jurisdictions: frozenset[str]) -> str:
        names = PlaceNames(self._names)
        suspects = [
            one
            for one in names.suspects(question, self._known_stems)
            if not self._is_in_law(one) and not self._is_place_inflected(one.word)
        ]
        question = with_places(question, suspects)
        places = jurisdictions or frozenset(places_asked(question, self._packs))
        return forgiven(
            question,
            is_word=self._is_word,
            stems=self._stems,
            rarity=lambda words: self._rarity(words, places),
            written=lambda readings: self._written(readings, places),
            shortest=self._shortest,
            shortest_swap=self._shortest_swap,
        )

    def _is_word(self, word: str) -> bool:
        return (
            word in self._short_words
            or any(self._is_known(tongue[word], code) for code, tongue in self._tongues.items())
            or self._is_place_inflected(word)
        )

    def _is_known(self, stems: Sequence[str], language: str) -> bool:
        """Whether the law or people use a word: itself, or each part of a compound (`remontti|lasku`)."""
        if all(one in self._vocabulary for one in stems):  # a word without stems is a stop word
            return True
        whole, *parts = stems
        return is_everyday(whole, language) or (bool(parts) and all(one in self._vocabulary for one in parts))

    def _is_place_inflected(self, word: str) -> bool:
        """Whether a word is a foreign place with an ending that no table knows: `Canadan` in Finnish."""
        return any(word.lower()[:-ending] in self._places for ending in _CASE_ENDINGS)

    def _stems(self, word: str) -> Sequence[str]:
        """The stems of a word of the question's language; empty for any other word."""
        stems = self._uncached(word)
        return stems if all(one in self._vocabulary for one in stems) else ()

    def _known_stems(self, word: str) -> Sequence[str]:
        """The stems of a word, and the word itself where it is a word of any language."""
        return (*(self._stems(word) or ()), *([word] if word in self._vocabulary else []))

    def _is_in_law(self, suspect: Suspect) -> bool:
        """Whether the library's law has the word itself, and not only by mistake."""
        name = suspect.meant.lower()
        if self._own[suspect.word] == self._own[name]:
            return False  # the index does not tell them apart
        rare = self._rarity((suspect.word, name), frozenset())
        return suspect.word in rare and rare[suspect.word] - rare.get(name, math.inf) < BY_MISTAKE

    def _rarity(self, words: Collection[str], places: frozenset[str]) -> Mapping[str, float]:
        """How rare each word is in the places' law, or in all law if they have none of the words."""
        terms = {word: analyse(word, self._language) for word in sorted(words)}
        groups = list(dict.fromkeys((places, frozenset[str]())))
        weights: list[dict[str, float]] = [{} for _ in groups]
        for some in _at_once(terms):
            for known, own in zip(weights, self._store.weights(some, self._language, groups), strict=True):
                known.update(own)
        found = (
            {
                word: max(known[term] for term in own)
                for word, own in terms.items()
                if own and all(known.get(term) for term in own)
            }
            for known in weights
        )
        return next((one for one in found if one), {})

    def _written(self, readings: Sequence[Forms], places: frozenset[str]) -> Mapping[str, int]:
        """How often the law writes each form, in the passages that match its word best."""
        filter = Filter(languages=frozenset({self._language}), jurisdictions=places)
        found = self._store.search([Search(filter, _READ, forms[0]) for forms in readings])
        counts: Counter[str] = Counter()
        for forms, hits in zip(readings, found, strict=True):
            words = Counter(word for match in hits.by_words for word in words_of(match.text))
            counts.update({form: words[form] for form in forms})
        return counts


def _at_once(terms: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """The words in groups that the store weighs in one call each; nearly always one group."""
    some: list[str] = []
    count = 0
    for word, own in terms.items():
        if some and count + len(own) > _TERMS_AT_ONCE:
            yield " ".join(some)
            some, count = [], 0
        some.append(word)
        count += len(own)
    if some:
        yield " ".join(some)
