"""Words alone, as typed into a search box, are told from questions and from terms."""

from __future__ import annotations

import pytest

from pykala.retrieve.wording import is_bare
from pykala.text.languages.known import codes


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("parental leave notice weeks", "en"),
        ("hovercraft gross tonnage registry", "en"),
        ("kilpailukielto korvaus kesto", "fi"),
        ("uppsägningstid provanställning arbetsgivare", "sv"),
        ("préavis licenciement indemnité", "fr"),
    ],
)
def test_words_alone(text: str, language: str) -> None:
    assert is_bare(text, [language])
    assert is_bare(text, codes()), "whatever languages are known"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("parental leave", "en"),
        ("notice of parental leave", "en"),
        ("parental leave notice weeks?", "en"),
        ("how many weeks notice parental leave", "en"),
        ("can my landlord raise rent", "en"),
        ("mikä kilpailukielto korvaus kesto", "fi"),
        ("hur lång uppsägningstid provanställning", "sv"),
        ("quel préavis licenciement indemnité", "fr"),
        ("", "en"),
    ],
)
def test_questions_and_terms(text: str, language: str) -> None:
    assert not is_bare(text, [language])
