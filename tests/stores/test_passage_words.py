"""The words of what a search finds are read when they are asked for, and only once."""

from __future__ import annotations

import copy
import pickle
from collections import Counter
from pathlib import Path

import pytest

from making import simple
from pykala.law.filters import Filter
from pykala.library import Library
from pykala.models.hashing import HashingEmbedder
from pykala.stores.embedded.store import EmbeddedStore
from pykala.stores.store import Search, Store
from pykala.stores.values import Match, PassageWords

EMBEDDER = HashingEmbedder()
FOUND_BY_WORDS = Search(Filter(), 10, "tax horses")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "library"
    with EmbeddedStore.open(folder, writable=True, embedder=EMBEDDER) as store:
        store.put(simple("xx:act:1", "A tax on horses.", "A tax on dogs.", "A duty of the minister."))
    return folder


def test_a_search_reads_the_words_of_those_alone_that_are_asked_for(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = Counter[int]()
    words_of_passage = EmbeddedStore.words_of_passage

    def counted(store: EmbeddedStore, number: int) -> tuple[str, str]:
        read[number] += 1
        return words_of_passage(store, number)

    monkeypatch.setattr(EmbeddedStore, "words_of_passage", counted)
    with EmbeddedStore.open(folder, embedder=EMBEDDER) as store:
        (hits,) = store.search([FOUND_BY_WORDS])
        first, second = hits.by_words
        assert first.words
        assert not read
        assert (first.text, first.parent_text, first.header) == ("A tax on horses.", *_read(store, first)[1:])
        assert read == {first.passage: 1}
        assert second.text == "A tax on dogs."
        assert read == {first.passage: 1, second.passage: 1}


def _read(store: Store, match: Match) -> tuple[str, str, str]:
    (whole,) = store.children([(match.passage, 1.0)])
    return whole.text, whole.parent_text, whole.header


def test_single_searches_and_results_of_a_library_hold_their_words_when_it_is_closed(folder: Path) -> None:
    with EmbeddedStore.open(folder, embedder=EMBEDDER) as store:
        vector = EMBEDDER.encode(["tax horses"], "query")[0]
        matches = [
            *store.match_text("tax horses", Filter(), 10),
            *store.match_terms({"tax": 1.0}, "en", Filter(languages=frozenset({"en"})), 10),
            *store.match_vector(vector, Filter(), 10),
        ]
    with Library.open(folder, embedder=EMBEDDER) as library:
        found = library.search("tax horses")
    assert found
    assert {"A tax on horses."} < {match.text for match in matches}
    assert "A tax on horses." in {one.match.text for one in found}


def test_copies_and_pickles_hold_the_words(folder: Path) -> None:
    with EmbeddedStore.open(folder, embedder=EMBEDDER) as store:
        (hits,) = store.search([FOUND_BY_WORDS])
        first = hits.by_words[0]
        copies = [pickle.loads(pickle.dumps(first)), copy.deepcopy(first)]
        eager = store.match_text("tax horses", Filter(), 10)
        assert tuple(hits.by_words) == eager
        assert hash(first.words) == hash(eager[0].words)
    assert [one.text for one in copies] == ["A tax on horses."] * 2
    assert all(one == first for one in copies)


def test_other_words_leave_the_place_as_it_is() -> None:
    words = PassageWords.of("Act › 1", "Text.", "Text. More.")
    assert words
    assert not PassageWords.of("Act › 1", "", "")
    assert words != PassageWords.of("Act › 1", "Other.", "Text. More.")
    assert words != "Text."
    assert str(words) == "'Text.'"
