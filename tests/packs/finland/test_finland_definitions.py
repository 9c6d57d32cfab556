"""Terms that acts define: the base form of the term, and how far it reaches."""

from __future__ import annotations

import pytest

from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Document, Provision, ProvisionKind, Version
from pykala.packs.finland.statutes.definitions import terms_of

WORK = WorkId("fi:act:2015/410")
ACT = str(WORK)


def act(language: str, *texts: str, chapter: bool = False) -> Document:
    """An act with one section: the first text is its momentti, the others are the items below it."""
    section = ProvisionId(WORK).child("sec", "4")
    momentti = section.child("subsec", "1")
    items = tuple(
        Provision(momentti.child("para", str(number)), ProvisionKind.ITEM, f"{number})", (Version(text),))
        for number, text in enumerate(texts[1:], 1)
    )
    body = Provision(
        section,
        ProvisionKind.SECTION,
        "4 §",
        (Version(""),),
        (Provision(momentti, ProvisionKind.SUBSECTION, "", (Version(texts[0]),), items),),
    )
    if chapter:
        body = Provision(ProvisionId(WORK).child("chp", "2"), ProvisionKind.CHAPTER, "2 luku", (), (body,))
    return whole(WORK, language, body)


def whole(work: WorkId, language: str, body: Provision) -> Document:
    """A document of one provision."""
    root = Provision(ProvisionId(work), ProvisionKind.WORK, children=(body,))
    return Document(work, language, "Laki", root, ())


CASES = [
    (
        "fi",
        [
            "Tässä laissa tarkoitetaan:",
            "kuntakonsernilla kunnan ja sen tytäryhteisöjen muodostamaa kokonaisuutta;",
            "yleishyödyllisellä yhteisöllä muuta yhteisöä kuin yhtiötä;",
            "3 kohta on kumottu L:lla 1.2.2003/4.",
        ],
        [
            ("kuntakonserni", f"{ACT}/sec_4/subsec_1/para_1", ACT),
            ("yleishyödyllinen yhteisö", f"{ACT}/sec_4/subsec_1/para_2", ACT),
        ],
    ),
    (
        "fi",
        ["Asunnolla tarkoitetaan tässä luvussa huoneistoa."],
        [("asunto", f"{ACT}/sec_4/subsec_1", f"{ACT}/chp_2")],
    ),
    (
        "fi",
        ["Tässä pykälässä tarkoitetaan yhtiöllä osakeyhtiötä."],
        [("yhtiö", f"{ACT}/sec_4/subsec_1", f"{ACT}/sec_4")],
    ),
    ("fi", ["Edellä 1 momentissa tarkoitettu yhtiö."], []),
    (
        "sv",
        [
            "I denna lag avses med",
            "kommunkoncern den helhet som bildas,",
            "bock en get av hankön,",
        ],
        [
            ("kommunkoncern", f"{ACT}/sec_4/subsec_1/para_1", ACT),
            ("bock", f"{ACT}/sec_4/subsec_1/para_2", ACT),
        ],
    ),
    (
        "sv",
        ["Med skogsväg avses i detta kapitel en väg."],
        [("skogsväg", f"{ACT}/sec_4/subsec_1", f"{ACT}/chp_2")],
    ),
    ("sv", ["Med hjälp av en anslutning som avses i denna lag får uppgifter lämnas."], []),
]


@pytest.mark.parametrize(("language", "texts", "expected"), CASES, ids=[case[1][0][:40] for case in CASES])
def test_terms(language: str, texts: list[str], expected: list[tuple[str, str, str]]) -> None:
    found = terms_of(act(language, *texts, chapter=True))
    assert [(one.term, str(one.provision), str(one.scope)) for one in found] == expected
    assert all(one.language == language for one in found)


def test_only_acts_define() -> None:
    page = WorkId("fi:vero:esimerkki")
    text = (Version("Asunnolla tarkoitetaan taloa."),)
    section = Provision(ProvisionId(page).child("sec", "1"), ProvisionKind.SECTION, "", text)
    assert terms_of(whole(page, "fi", section)) == ()
