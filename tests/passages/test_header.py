from __future__ import annotations

from datetime import date

import pytest

from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Document, Provision, ProvisionKind, Version
from pykala.law.validity import Validity
from pykala.passages.header import header

WORK = WorkId("ca:act:E-5.6")
ROOT = Provision(ProvisionId(WORK), ProvisionKind.WORK, "E-5.6", (Version("", heading="An Act respecting"),))
PART = Provision(
    ROOT.id.child("part", "I"), ProvisionKind.PART, "Part I", (Version("", heading="Unemployment  Benefits"),)
)
CHANGE = date(2010, 1, 1)
SECTION = Provision(
    PART.id.child("sec", "7"),
    ProvisionKind.SECTION,
    "7",
    (
        Version("Old.", Validity(None, CHANGE), heading="Old requirement"),
        Version("New.", Validity(CHANGE), heading="Qualification requirement"),
    ),
)


def document(short_title: str = "Employment Insurance Act") -> Document:
    return Document(WORK, "en", "An Act respecting employment insurance", ROOT, (), short_title=short_title)


def test_a_header_names_the_work_the_containers_and_the_section() -> None:
    assert header(document(), (ROOT, PART), SECTION) == (
        "Employment Insurance Act › Part I Unemployment Benefits › 7 Qualification requirement"
    )


def test_a_header_has_the_heading_of_its_day() -> None:
    assert header(document(), (ROOT,), SECTION, as_of=date(2009, 12, 31)).endswith("› 7 Old requirement")
    assert header(document(), (ROOT,), SECTION, as_of=CHANGE).endswith("› 7 Qualification requirement")


@pytest.mark.parametrize(
    ("label", "heading", "expected"),
    [
        ("Part I", "Part I Unemployment", "Part I Unemployment"),
        ("", "Interpretation", "Interpretation"),
        ("124 §", "", "124 §"),
        ("", "", None),
    ],
)
def test_what_is_missing_or_said_twice_is_left_out(label: str, heading: str, expected: str | None) -> None:
    place = Provision(
        ROOT.id.child("sec", "1"), ProvisionKind.SECTION, label, (Version("", heading=heading),)
    )
    named = header(document(""), (ROOT,), place)
    assert named == " › ".join(filter(None, ["An Act respecting employment insurance", expected]))


def test_the_work_itself_is_named_once() -> None:
    assert header(document(), (), ROOT) == "Employment Insurance Act"
