from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pykala.text.finnish import base_form, compound_parts, verb_of

BASE_FORMS = [
    ("kunnan", "kunta"),
    ("kuntien", "kunta"),
    ("kunnanhallituksen", "kunnanhallitus"),
    ("tilinpäätöksessä", "tilinpäätös"),
    ("arviointimenettelyn", "arviointimenettely"),
    ("arvonlisäverolain", "arvonlisäverolaki"),
    ("velvollisuudet", "velvollisuus"),
    ("luovutusvoiton", "luovutusvoitto"),
    ("sovelletaan", "soveltaa"),
    ("säädetään", "säätää"),
    ("työntekijälle", "työntekijä"),
    ("osallistumis", "osallistuminen"),
    ("vero", "vero"),
]
COMPOUNDS = [
    ("kunnanhallitus", ("kunta", "hallitus")),
    ("verovelvollinen", ("vero", "velvollinen")),
    ("kiinteistövero", ("kiinteistö", "vero")),
    ("konsernitilinpäätös", ("konserni", "tilinpäätös", "tili", "päätös")),
    ("vaikuttamismahdollisuus", ("vaikuttaminen", "mahdollisuus")),
    ("vero", ()),
    ("hallitus", ()),
]


@pytest.mark.parametrize(("form", "base"), BASE_FORMS)
def test_base_forms(form: str, base: str) -> None:
    assert base_form(form) == base


@pytest.mark.parametrize(("word", "parts"), COMPOUNDS)
def test_compounds(word: str, parts: tuple[str, ...]) -> None:
    assert compound_parts(word) == parts


@pytest.mark.parametrize(
    ("noun", "verb"),
    [("kattaminen", "kattaa"), ("säätäminen", "säätää"), ("arvioiminen", "arvioida"), ("kunta", None)],
)
def test_the_verb_of_an_action(noun: str, verb: str | None) -> None:
    assert verb_of(noun) == verb


@given(st.text(alphabet="aeiouyäöhklmnprstv", min_size=1, max_size=80))
def test_any_word_has_a_base_form_and_its_split_ends(word: str) -> None:
    base = base_form(word)
    assert base
    assert all(compound_parts(base)) or compound_parts(base) == ()
