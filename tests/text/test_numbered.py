"""Content words as numbers: the same words have the same numbers, whoever asks, and stop words have none."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pykala.text import numbered
from pykala.text.numbered import NumberedWords, numbered_words
from pykala.text.stopwords import stop_words
from pykala.text.tokens import words_of

_TEXTS = st.lists(st.sampled_from(["the", "Tax", "horse", "of", "d'un", "vero-ohje", "30", "ÄITI", "."]))


@given(_TEXTS.map(" ".join))
def test_the_numbers_of_a_text_are_its_distinct_content_words(text: str) -> None:
    words = NumberedWords("en")
    words.of("a horse before all else")
    found = [words.words[number] for number in words.of(text)]
    assert sorted(found) == sorted(set(words_of(text)) - stop_words("en"))


def test_threads_that_meet_the_same_words_number_them_alike() -> None:
    words = NumberedWords("en")
    texts = [" ".join(f"word{chr(97 + (start + step) % 26)}" for step in range(20)) for start in range(200)]
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(words.of, texts))
    assert len(set(words.words)) == len(words.words) == 26
    for text, numbers in zip(texts, found, strict=True):
        assert {words.words[number] for number in numbers} == set(words_of(text))


def test_a_numbering_that_grew_too_large_gives_way_and_stays_with_who_began_with_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(numbered, "_numbered", {})
    first = numbered_words("en")
    assert numbered_words("en") is first
    monkeypatch.setattr(numbered, "_MOST", 2)
    before = first.of("horse cart mare").tolist()
    assert numbered_words("en") is not first
    assert first.of("mare cart horse").tolist() == before
