"""Words of a question held against words of texts, all at once: the same as one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pykala.models.bundled.lazy import bundled_embedder
from pykala.retrieve.likeness import AskedWords
from pykala.text.analysis import analyse

QUESTION = "How is a horse taxed after 30 days?"
TERMS = {"hors": 3.0, "tax": 1.0, "30": 2.0, "day": 1.0}
_WORDS = st.sampled_from(
    ["horse", "horses", "mare", "taxes", "levy", "the", "of", "30", "days", "cart", "", "vero"]
)
_TEXTS = st.lists(
    st.tuples(st.lists(_WORDS, max_size=6).map(" ".join), st.sampled_from(["en", "fi"])), max_size=8
)


def asked(*, by_meaning: bool) -> AskedWords:
    return AskedWords(QUESTION, "en", TERMS, bundled_embedder() if by_meaning else None)


@pytest.mark.parametrize("by_meaning", [True, False])
@settings(max_examples=60, deadline=None)
@given(texts=_TEXTS)
def test_texts_met_together_are_what_they_are_alone(by_meaning: bool, texts: list[tuple[str, str]]) -> None:
    together = asked(by_meaning=by_meaning)
    met = together.meet(texts)
    for row, text in enumerate(texts):
        alone = asked(by_meaning=by_meaning)
        alone_met = alone.meet([text])
        words = alone_met.text(0)
        assert together.coverage(met.text(row)) == pytest.approx(alone.coverage(words), abs=1e-6)
        assert together.likeness(met.text(row)) == pytest.approx(alone.likeness(words), abs=1e-5)
        assert together.matched(met)[row] == pytest.approx(float(alone.matched(alone_met)[0]), abs=1e-6)
        assert met.text(row).precision == pytest.approx(words.precision, abs=1e-5)


@pytest.mark.parametrize("by_meaning", [True, False])
@settings(max_examples=60, deadline=None)
@given(texts=_TEXTS.filter(bool))
def test_more_words_never_say_less(by_meaning: bool, texts: list[tuple[str, str]]) -> None:
    question = asked(by_meaning=by_meaning)
    met = question.meet(texts)
    whole = met.together(np.array([0]), np.array([len(texts)])).text(0)
    assert 0.0 <= question.likeness(whole) <= 1.0 + 1e-5
    for row in range(len(texts)):
        assert question.coverage(whole) >= question.coverage(met.text(row)) - 1e-6
        assert question.likeness(whole) >= question.likeness(met.text(row)) - 1e-5


def test_a_figure_is_held_and_a_word_of_another_language_is_not_by_its_letters() -> None:
    question = asked(by_meaning=False)
    held = question.meet([("within 30 days", "en"), ("tax", "fi"), ("", "en")])
    assert question.coverages(held.held).tolist() == pytest.approx([3 / 7, 0.0, 0.0])


_FIGURES = [
    "30 000 euros",
    "30.000",
    "30,000",
    "§ 11-208.1",
    "11-208",
    "124 §",
    "section 124",
    "7,5 %",
    "7.5",
]


@settings(max_examples=200, deadline=None)
@given(
    figures=st.lists(st.sampled_from(_FIGURES), min_size=1, max_size=2),
    text=st.lists(st.sampled_from([*_FIGURES, "12", "4 §", "300", "0", "tax"]), max_size=6),
    gap=st.sampled_from([" ", ", ", " of ", "\u00a0", "\u202f"]),
)
def test_a_text_has_the_figures_of_a_question_as_its_terms_say(
    figures: list[str], text: list[str], gap: str
) -> None:
    terms = dict.fromkeys(analyse(" and ".join(figures), "en"), 1.0)
    question = AskedWords("", "en", terms, None)
    words = gap.join(text)
    held = question.meet([(words, "en")]).held[0]
    own = analyse(words, "en")
    numbers = [term for term in terms if any(map(str.isdigit, term))]
    assert [bool(held[list(terms).index(term)]) for term in numbers] == [term in own for term in numbers]


@pytest.mark.parametrize("language", ["en", "fi"])
def test_one_text_is_measured_as_many_are(language: str) -> None:
    texts = ["a horse is taxed", "the levy on a mare after 30 days", "vero hevosesta", ""]
    question = asked(by_meaning=True)
    alone = [question.measure(text, language) for text in texts]
    assert alone == pytest.approx(question.measures(texts, language).tolist(), abs=1e-5)
    words = question.meet([(texts[1], language)]).text(0)
    both = (question.coverage(words) + question.likeness(words)) / 2
    assert alone[1] == pytest.approx(both if language == "en" else question.likeness(words), abs=1e-5)


def test_words_of_one_meaning_are_near_without_sharing_a_letter() -> None:
    question = AskedWords("vero", "fi", {"vero": 1.0}, bundled_embedder())
    met = question.meet([("skatt", "sv"), ("båt", "sv")])
    near, far = question.likenesses(met)
    assert near > far + 0.2
