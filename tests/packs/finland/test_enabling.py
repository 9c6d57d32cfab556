"""Decrees whose enabling act has ended say so."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from making import document, section
from pykala.fetch.mirror import open_mirror
from pykala.law.identifiers import WorkId
from pykala.law.messages import Message
from pykala.law.validity import Validity
from pykala.packs.finland import pack
from pykala.packs.finland.amendments.enabling import (
    contents,
    enabling_acts,
    enacting_words,
    ended_acts,
    note_of_ended,
    with_ended_act,
)
from pykala.packs.finland.survey import survey_acts
from pykala.packs.pack import Snapshot


@pytest.mark.parametrize(
    ("clause", "acts"),
    [
        ("Ministerin esittelystä säädetään 8 päivänä joulukuuta 1994 annetun alkoholilain (1143/94)"
         " 3 §:n ja 62 §:n nojalla:", ("1994/1143",)),
        ("säädetään rautatielain (304/2011) ja tielain (5/1999) nojalla:", ("2011/304", "1999/5")),
        ("Eduskunnan päätöksen mukaisesti säädetään:", ()),
        ("Ministeriö on hatuista 3 päivänä toukokuuta 1990 annetun lain (12/90) 4 §:n nojalla päättänyt:",
         ("1990/12",)),
        ("Hattuministeriön päätöksen mukaisesti hattulain (12/1990) 4 §:n nojalla säädetään:", ("1990/12",)),
        # An act named without its number may stand.
        ("Ministerin esittelystä säädetään hattulain (12/1990) 4 §:n ja lakkilain 5 §:n nojalla:", ()),
        ("Ministeriö määrää hattulain (12/1990) 4 §:n, sellaisena kuin se on laissa 77/2001, ja mainitun lain"
         " 6 §:n nojalla:", ("1990/12",)),
        ("Ministeriön päätöksen mukaisesti muutetaan hattulain (12/1990) nojalla annetun asetuksen 1 §", ()),
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
        ("Tällä lailla kumotaan:. 1) hattulaki (12/1990);. 2) lakkilaki (13/1990).", ("1990/12", "1990/13")),
        (
            "Tällä lailla kumotaan hattulaki (12/1990). Hattulain nojalla annetut asetukset ja ministeriön"
            " päätökset jäävät kuitenkin edelleen voimaan.",
            (),
        ),
        (
            "Tällä lailla kumotaan laki (304/2011). Kumotun lain nojalla annettua viranomaisen päätöstä tai"
            " lupaa, joka on voimassa tämän lain voimaan tullessa, on noudatettava.",
            ("2011/304",),
        ),
        (
            "Tällä lailla kumotaan laki (304/2011). Seuraavat kumotun lain nojalla annetut asetukset jäävät"
            " edelleen voimaan:. 1) asetus hatuista (372/2011);. 2) asetus lakeista (373/2011).",
            ("2011/304",),
        ),
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
    listed = "Seuraavat kumotun lain nojalla annetut asetukset jäävät voimaan: 1) asetus hatuista (372/2011)."
    lists = {"2011/304": [("2018/1302", ended_acts(f"Tällä lailla kumotaan laki (304/2011). {listed}"))]}
    assert note_of_ended("2011/372", ("2011/304",), lists) == ""
    assert note_of_ended("2011/373", ("2011/304",), lists) == note


def test_the_words_of_such_a_decree_say_so_unless_it_was_amended_since() -> None:
    work = WorkId("fi:act:2011/372")
    decree = document(
        work, "fi", [section(work, "1", "Junat kulkevat.", validity=Validity(date(2011, 5, 1)))]
    )
    note = "given under 2011/304, which 2018/1302 repealed"
    (told,) = (
        one for node in with_ended_act(decree, [note]).root.walk() for one in node.versions if one.text
    )
    assert told.findings == (Message.of("finding.ended_enabling", act="304/2011", ender="1302/2018"),)
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


def page(title: str, *paragraphs: str) -> str:
    body = "".join(f"<p>{words}</p>" for words in paragraphs)
    return f'<!DOCTYPE html><html lang="fi"><body><h1>{title}</h1>{body}</body></html>'


def test_decrees_known_only_as_pages_carry_the_doubt(tmp_path: Path) -> None:
    """Whether the number of the page is known from the text of another, or not at all."""
    ends = f"{' '.join(['Sanoja'] * 3)}. Tällä lailla kumotaan hattulaki (12/1990)."
    written = {
        "Laki/Lierilaki": page("Lierilaki", "Eduskunnan päätöksen mukaisesti säädetään:", "1 §", ends,
                               "Tämä laki tulee voimaan 1 päivänä maaliskuuta 2015."),
        "Laki/Nauhalaki": page("Nauhalaki", "Eduskunnan päätöksen mukaisesti säädetään:",
                               "Lierilain (30/2015) ja hattuasetuksen (44/1991) mukaan."),
        "Asetus/Hattuasetus": page("Hattuasetus", "Ministerin esittelystä säädetään hattulain (12/1990)"
                                   " 4 §:n nojalla:", "Hatut pidetään päässä.",
                                   "Tämä asetus tulee voimaan 1 päivänä maaliskuuta 1991."),
        "Asetus/Asetus lierien leveydestä": page(
            "Asetus lierien leveydestä", "Säädetään hattulain (12/1990) 5 §:n nojalla:",
            "Lieri on leveä.", "Tämä asetus tulee voimaan 1 päivänä toukokuuta 1991."),
    }  # fmt: skip
    for name, words in written.items():
        file = tmp_path / "data" / "finlex" / f"{name}.html"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(words, "utf-8")
    told = {}
    with open_mirror(tmp_path) as mirror:
        for item in survey_acts(mirror):
            if item.paths[0].startswith("data/finlex/Asetus"):
                snapshots = [Snapshot(path, mirror.read(path).data, "0", "") for path in item.paths]
                (read,) = pack.read(item, snapshots).documents
                told[item.name] = [one for node in read.root.walk() for one in node.versions if one.text]
    assert set(told) == {"act:1991/44", "statute:asetus-lierien-leveydesta"}
    doubt = Message.of("finding.ended_enabling", act="12/1990", ender="30/2015")
    assert all(doubt in one.findings for versions in told.values() for one in versions)
