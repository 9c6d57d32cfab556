"""Sections of a near topic are candidates, also where neither their words nor their questions are near."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from asked_embedder import AskedHashingEmbedder
from making import bundle, document, section
from pykala.law.filters import Filter
from pykala.law.identifiers import WorkId
from pykala.models.hashing import HashingEmbedder
from pykala.retrieve.options import DEFAULT_OPTIONS, AskOptions, Unit
from pykala.retrieve.search import Candidate, search, search_translated, translated_terms
from pykala.stores.embedded.store import EmbeddedStore

ACT, OTHER = WorkId("fi:act:2000/1"), WorkId("fi:act:2000/2")
TEXTS = ("Vuokra maksetaan kuukausittain.", "Maksuviive annetaan anteeksi.", "Satama suljetaan yöksi.")
FINNISH = Filter(jurisdictions=frozenset({"fi"}), languages=frozenset({"fi"}))
HARBOUR = f"{ACT}/sec_3"


class RegisterEmbedder(AskedHashingEmbedder):
    """Knows a question of every section, and one topic: "marina" is a matter of the section on harbours."""

    def asked_by_topic(
        self, question: NDArray[np.float32], typed: str, places: Collection[str]
    ) -> NDArray[np.float32]:
        near = "marina" in typed.split() and (not places or "fi" in places)
        return self.asked_of([HARBOUR] if near else [])

    def nearest_part(
        self, question: NDArray[np.float32], sections: Sequence[str], typed: str = ""
    ) -> NDArray[np.float32]:
        near = [0.95 if (one, typed) == (HARBOUR, "marina") else 0.0 for one in sections]
        return np.array(near, dtype=np.float32)


EMBEDDER = RegisterEmbedder(64)
#: Without the nearest by known questions, which are all sections of so small a library.
BY_WORDS = replace(DEFAULT_OPTIONS, vectors=True)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedStore]:
    folder: Path = tmp_path_factory.mktemp("library")
    with EmbeddedStore.open(folder, writable=True, embedder=EMBEDDER) as writer:
        sections = [section(ACT, str(at), text) for at, text in enumerate(TEXTS, start=1)]
        many = [section(OTHER, str(at), f"Marina kohta {at} on tämä.") for at in range(1, 400)]
        writer.put(bundle(ACT, [document(ACT, "fi", sections, "Laki")]))
        writer.put(bundle(OTHER, [document(OTHER, "fi", many, "Toinen laki")]))
    with EmbeddedStore.open(folder, embedder=EMBEDDER) as reader:
        yield reader


def found(
    store: EmbeddedStore,
    words: str,
    *,
    filter: Filter = FINNISH,
    embedder: HashingEmbedder = EMBEDDER,
    options: AskOptions = BY_WORDS,
) -> dict[str, Candidate]:
    candidates = search(words, filter, store, embedder, limit=20, options=options)
    return {str(one.section): one for one in candidates}


def test_a_near_topic_makes_its_section_a_candidate_with_its_cosine(store: EmbeddedStore) -> None:
    harbour = found(store, "marina")[HARBOUR]
    assert harbour.asked == pytest.approx(0.95)
    assert harbour.words == 0.0
    assert harbour.match.text == TEXTS[2]
    assert 0.0 <= harbour.meaning < 1.0
    assert HARBOUR not in found(store, "marinas")


def test_a_section_is_a_candidate_once(store: EmbeddedStore) -> None:
    both = search("marina satama suljetaan", FINNISH, store, EMBEDDER, limit=20)
    assert [str(one.section) for one in both].count(HARBOUR) == 1


@pytest.mark.parametrize(
    "filter",
    [
        replace(FINNISH, jurisdictions=frozenset({"ca"})),
        replace(FINNISH, languages=frozenset({"sv"})),
        replace(FINNISH, works=frozenset({OTHER})),
    ],
)
def test_a_filter_holds_for_topics_too(store: EmbeddedStore, filter: Filter) -> None:
    assert HARBOUR not in found(store, "marina", filter=filter)


@pytest.mark.parametrize(
    "options",
    [replace(BY_WORDS, asked=False), replace(BY_WORDS, vectors=False), replace(BY_WORDS, unit=Unit.PASSAGE)],
)
def test_topics_are_not_asked_where_known_questions_are_not(
    store: EmbeddedStore, options: AskOptions
) -> None:
    assert HARBOUR not in found(store, "marina", options=options)
    assert HARBOUR not in found(store, "marina", embedder=HashingEmbedder(64))


def test_topics_lead_to_law_in_another_language(store: EmbeddedStore) -> None:
    languages = replace(FINNISH, languages=frozenset({"fi", "en"}))
    candidates = search_translated("marina", "en", languages, store, EMBEDDER, limit=400)
    asked = {str(one.section): one.asked for one in candidates}
    assert asked[HARBOUR] == pytest.approx(0.95)


def test_law_in_another_language_is_compared_with_what_the_question_means(store: EmbeddedStore) -> None:
    def nearness(meaning: str) -> float:
        found = search_translated("marina", "en", FINNISH, store, EMBEDDER, limit=400, meaning=meaning)
        return next(one.meaning for one in found if str(one.section) == HARBOUR)

    assert nearness(TEXTS[2]) > nearness("marina") + 0.1
    assert nearness("") == nearness("marina"), "the words where nothing else is meant"


class Dictionary(HashingEmbedder):
    """Translates two words of English, one of them in two ways."""

    def word_vectors(self, words: Sequence[str], language: str) -> NDArray[np.float32]:
        return self.encode(words)

    def translated(self, words: Sequence[str], language: str, into: str) -> list[dict[str, float]]:
        known = {"harbour": {"satama": 0.9, "vene": 0.4}, "port": {"satama": 0.5}}
        return [known.get(word, {}) for word in words]


@pytest.mark.parametrize("query", ["the harbour port", "a port or harbour"])
def test_a_word_that_two_words_may_mean_counts_as_the_nearer(store: EmbeddedStore, query: str) -> None:
    assert translated_terms(query, "en", ["fi", "sv"], store, Dictionary(64)) == {
        "fi": {"satama": pytest.approx(0.81), "vene": pytest.approx(0.16)},
        "sv": {"satama": pytest.approx(0.81), "vene": pytest.approx(0.16)},
    }
    assert translated_terms(query, "en", ["fi"], store, HashingEmbedder(64)) == {"fi": {}}
