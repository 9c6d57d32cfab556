"""Words looked up one by one mean what they mean in a text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pykala.text.analysis import LANGUAGES, analyse, word_terms
from pykala.text.terms import stems_of_words, terms_of_words
from pykala.text.tokens import words_of

_LETTERS = st.text("abcdefghijklmnopqrstuvwxyzåäöéèç'-", min_size=1, max_size=14)


@pytest.mark.parametrize("language", LANGUAGES)
@given(text=_LETTERS)
def test_a_words_terms_are_those_of_the_text_that_is_the_word(language: str, text: str) -> None:
    for word in words_of(text):
        assert {*terms_of_words(language)[word]} == {*analyse(word, language)}
        assert stems_of_words(language)[word] == word_terms(language)(word)


@pytest.mark.parametrize(
    ("language", "word"),
    [("fi", "kuntayhtymien"), ("sv", "skattskyldighetens"), ("en", "taxpayer's"), ("fr", "l'impôt")],
)
def test_real_words(language: str, word: str) -> None:
    assert {*terms_of_words(language)[word]} == {*analyse(word, language)} != set()
