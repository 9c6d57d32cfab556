"""A section of which the source leaves out a momentti says so, on the momentti that follows."""

from __future__ import annotations

from datetime import date

import pytest

from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.messages import Message
from pykala.law.provisions import Provision, ProvisionKind, Version
from pykala.law.validity import Validity
from pykala.packs.finland.amendments.named_amendments import with_missing_momentti

PLACE = ProvisionId.parse("fi:act:2001/77/sec_1")
ACT = WorkId("fi:act:2011/96")
ENDED = Version("Vanha.", Validity(None, date(2010, 1, 1)))


def told(*momentti: tuple[str, Version]) -> dict[str, tuple[Message, ...]]:
    children = tuple(
        Provision(PLACE.child("subsec", number), ProvisionKind.SUBSECTION, "", (version,))
        for number, version in momentti
    )
    section = Provision(PLACE, ProvisionKind.SECTION, "1 §", (Version("", source_act=ACT),), children)
    found = with_missing_momentti(section)
    return {one.id.path[-1].number: one.versions[-1].findings for one in found.children}


@pytest.mark.parametrize(
    ("numbers", "marked"),
    [
        ("1 2 3", {}),
        ("1 3 4", {"3": "2"}),
        ("2", {"2": "1"}),
        ("1 2 5", {"5": "3, 4"}),
    ],
)
def test_the_momentti_after_a_gap_tells_of_it(numbers: str, marked: dict[str, str]) -> None:
    found = told(*((number, Version("Sanoja.")) for number in numbers.split()))
    assert {number: findings for number, findings in found.items() if findings} == {
        number: (Message.of("finding.missing_momentti", numbers=missing),)
        for number, missing in marked.items()
    }


def test_a_momentti_that_ended_is_no_gap_and_is_not_marked() -> None:
    assert not any(told(("1", Version("A.")), ("2", ENDED), ("3", Version("B."))).values())
    assert not any(told(("1", Version("A.")), ("3", ENDED)).values())


def test_where_the_last_change_is_held_nothing_is_missing_for_certain() -> None:
    assert not any(told(("1", Version("A.")), ("3", Version("B.", source_act=ACT))).values())
