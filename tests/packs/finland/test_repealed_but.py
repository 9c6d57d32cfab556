"""An act that another repeals but for some places ends there, section by section."""

from __future__ import annotations

from datetime import date

import pytest

from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Document, Provision, ProvisionKind, Version
from pykala.packs.finland.amendments.repeals import repealed_but

NEW, OLD = WorkId("fi:act:2021/82"), WorkId("fi:act:2002/1090")


def repealing(*items: str, opening: str = "Tällä lailla kumotaan:") -> Document:
    root = ProvisionId(NEW)
    place = root.child("sec", "1")
    below = tuple(
        Provision(place.child("para", str(n)), ProvisionKind.ITEM, f"{n})", (Version(text),))
        for n, text in enumerate(items, start=1)
    )
    section = Provision(place, ProvisionKind.SECTION, "1 §", (Version(opening),), below)
    return Document(NEW, "fi", "Hattulaki", Provision(root, ProvisionKind.WORK, "", (), (section,)), ())


@pytest.mark.parametrize(
    ("words", "kept", "until"),
    [
        (
            "hattulaki (1090/2002), jäljempänä kumottu laki, lukuun ottamatta 25 §:n 2 momenttia ja 27 a §:n"
            " 1 momentin 8 kohtaa, jotka ovat voimassa 1 päivään syyskuuta 2021;",
            {"25", "27a"},
            date(2021, 9, 2),
        ),
        ("hattulaki (1090/2002) lukuun ottamatta sen 5 §:ää;", {"5"}, None),
    ],
)
def test_what_a_repeal_leaves_standing(words: str, kept: set[str], until: date | None) -> None:
    (told,) = repealed_but(repealing(words, "lakkilaki (5/1999)."), OLD)
    sections = {
        number for number in ("1", "5", "25", "27a") if told.keeps(ProvisionId(OLD).child("sec", number).path)
    }
    assert (sections, told.until) == (kept, until)


def test_a_repeal_of_the_whole_leaves_nothing_to_this_reader() -> None:
    assert list(repealed_but(repealing("hattulaki (1090/2002);"), OLD)) == []
    assert list(repealed_but(repealing("lakkilaki (5/1999) lukuun ottamatta 5 §:ää."), OLD)) == []
