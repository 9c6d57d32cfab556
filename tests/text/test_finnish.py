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
# What people write and statutes do not: first persons, past tenses, questions, spoken forms, "my …".
AS_PEOPLE_WRITE = [
    ("ostin", "ostaa"),
    ("myyn", "myydä"),
    ("myin", "myydä"),
    ("maksoin", "maksaa"),
    ("hoidan", "hoitaa"),
    ("irtisanottiin", "irtisanoa"),
    ("antoi", "antaa"),
    ("saanko", "saada"),
    ("voidaanko", "voida"),
    ("lasketaanko", "laskea"),
    ("koskeeko", "koskea"),
    ("joudunko", "joutua"),
    ("kauanko", "kauan"),
    ("voiks", "voida"),
    ("saaks", "saada"),
    ("sakko", "sakko"),
    ("verkko", "verkko"),
    ("pakko", "pakko"),
    ("mulle", "minä"),
    ("meidän", "minä"),
    ("oon", "olla"),
    ("isäni", "isä"),
    ("vuokranantajani", "vuokranantaja"),
    ("alvia", "arvonlisävero"),
    ("kelan", "kela"),
    ("mökin", "mökki"),
    ("potkut", "potkut"),
    ("lomarahat", "lomaraha"),
    ("sairauslomalla", "sairausloma"),
    ("kuolinpesästä", "kuolinpesä"),
]
# The ending alone suggests no word; the last part of the compound does.
BY_THEIR_LAST_PART = [
    ("koeajasta", "koeaika"),
    ("työajalla", "työaika"),
    ("määräajalle", "määräaika"),
    ("oleskeluluvat", "oleskelulupa"),
    ("täytäntöönpanosta", "täytäntöönpano"),
    ("terveydenhuoltolain", "terveydenhuoltolaki"),
    ("maksamistavasta", "maksamistapa"),
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


@pytest.mark.parametrize(("form", "base"), BASE_FORMS + AS_PEOPLE_WRITE + BY_THEIR_LAST_PART)
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
