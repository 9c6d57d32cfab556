"""Decrees whose enabling act has ended say so."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from making import document, section
from pykala.law.identifiers import WorkId
from pykala.law.validity import Validity
from pykala.packs.finland.amendments.enabling import (
    contents,
    enabling_acts,
    enacting_words,
    ended_acts,
    note_of_ended,
    with_ended_act,
)


@pytest.mark.parametrize(
    ("clause", "acts"),
    [
        ("Ministerin esittelystä säädetään 8 päivänä joulukuuta 1994 annetun alkoholilain (1143/94)"
         " 3 §:n ja 62 §:n nojalla:", ("1994/1143",)),
        ("säädetään rautatielain (304/2011) ja tielain (5/1999) nojalla:", ("2011/304", "1999/5")),
        ("Eduskunnan päätöksen mukaisesti säädetään:", ()),
    ],
)  # fmt: skip
def test_enacting_words_name_the_acts_that_they_rest_on(clause: str, acts: tuple[str, ...]) -> None:
    assert enabling_acts(clause) == acts


@pytest.mark.parametrize(
    ("words", "ended"),
    [
        ("Tällä lailla kumotaan rautatielaki (304/2011).", ("2011/304",)),
        ("Tällä lailla kumotaan alkoholilaki 1143/1994, jäljempänä vanha laki.", ("1994/1143",)),
        (
            "Tällä lailla kumotaan laki (304/2011). Kumotun lain nojalla annettu lupa on voimassa.",
            ("2011/304",),
        ),
        ("Tällä lailla kumotaan laki (304/2011). Kumotun lain nojalla annetut asetukset jäävät voimaan.", ()),
        (
            "Tällä lailla kumotaan laki (304/2011). Ennen tämän lain voimaantuloa vanhan lain tai sen nojalla"
            " annettujen säännösten nojalla myönnetyt luvat jäävät voimaan.",
            ("2011/304",),
        ),
        (
            "Tällä lailla kumotaan huoltolaki (710/1982). Kumotun lain 2 ja 5 luku jäävät kuitenkin voimaan.",
            (),
        ),
        ("Tällä lailla kumotaan rautatielain (304/2011) 5 §.", ()),
    ],
)
def test_an_act_ends_what_it_does_not_keep(words: str, ended: tuple[str, ...]) -> None:
    assert ended_acts(words).numbers == ended


def test_a_decree_is_noted_when_all_its_acts_are_gone_and_none_speaks_of_it() -> None:
    ends = ended_acts("Tällä lailla kumotaan rautatielaki (304/2011).")
    enders = {"2011/304": [("2018/1302", ends)]}
    note = note_of_ended("2011/372", ("2011/304",), enders)
    assert note == "given under 2011/304, which 2018/1302 repealed"
    assert note_of_ended("2011/372", ("2011/304", "1999/5"), enders) == ""
    names = ended_acts("Tällä lailla kumotaan laki (304/2011). Asetusta (372/2011) sovelletaan edelleen.")
    assert note_of_ended("2011/372", ("2011/304",), {"2011/304": [("2018/1302", names)]}) == ""


def test_the_words_of_such_a_decree_say_so_unless_it_was_amended_since() -> None:
    work = WorkId("fi:act:2011/372")
    decree = document(
        work, "fi", [section(work, "1", "Junat kulkevat.", validity=Validity(date(2011, 5, 1)))]
    )
    note = "given under 2011/304, which 2018/1302 repealed"
    (told,) = (
        one for node in with_ended_act(decree, [note]).root.walk() for one in node.versions if one.text
    )
    assert told.findings == (
        "given under 304/2011, which 1302/2018 repealed: it may have ended with that act",
    )
    assert with_ended_act(decree, [""]) == decree
    child = decree.root.children[0]
    amended = replace(child.versions[-1], source_act=WorkId("fi:act:2020/1"))
    root = replace(decree.root, children=(replace(child, versions=(amended,)),))
    assert with_ended_act(replace(decree, root=root), [note]).root == root


def test_semantic_finlex_is_looked_into_without_reading_it() -> None:
    data = (
        '{"@id":"sfsd:2011/372/johtolause/alkup/fin/txt","content_fi":"säädetään lain (304/2011) nojalla:"},'
        '{"@id":"x","content_fi":"Junat \\"kulkevat\\"."}'
    ).encode()
    assert enabling_acts(enacting_words(data)) == ("2011/304",)
    assert contents(data).endswith('Junat "kulkevat".')
