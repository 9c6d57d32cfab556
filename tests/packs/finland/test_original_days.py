"""From when on an original Finnish act is applied, by its own words."""

from __future__ import annotations

from datetime import date

import pytest

from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Document, Provision, ProvisionKind, Version
from pykala.law.validity import Validity
from pykala.packs.finland.amendments.original_days import with_applied_days

WORK = WorkId("fi:act:2024/14")
ENTERED = date(2024, 1, 15)


def act(entry: str) -> Document:
    """Two sections and what the act says of its entry into force."""
    root = ProvisionId(WORK)
    told = Validity(ENTERED)
    sections = tuple(
        Provision(root.child("sec", n), ProvisionKind.SECTION, f"{n} §", (Version("Hattu on vero.", told),))
        for n in ("1", "2")
    )
    last = Provision(root.child("entry", "1"), ProvisionKind.ENTRY_INTO_FORCE, "", (Version(entry, told),))
    return Document(
        WORK,
        "fi",
        "Hattulaki",
        Provision(root, ProvisionKind.WORK, "", (Version("", told),), (*sections, last)),
        (),
    )


def days(entry: str) -> dict[str, tuple[str, str]]:
    root = with_applied_days(act(entry)).root
    return {
        str(one.id.path[-1]): (str(one.versions[0].validity.start), str(one.versions[0].in_force))
        for one in root.children
    }


SAME = (str(ENTERED), "None")
LATER = ("2024-04-15", str(ENTERED))
ENTERS = "Tämä asetus tulee voimaan 15 päivänä tammikuuta 2024."


@pytest.mark.parametrize(
    ("words", "first", "second"),
    [
        ("", SAME, SAME),
        ("Sitä sovelletaan kuitenkin vasta 15 päivästä huhtikuuta 2024.", LATER, LATER),
        (
            "Tätä asetusta sovelletaan 15 päivänä huhtikuuta 2024 tai sen jälkeen tehtyyn kauppaan.",
            LATER,
            LATER,
        ),
        ("Asetuksen 2 §:ää sovelletaan kuitenkin vasta 15 päivästä huhtikuuta 2024.", SAME, LATER),
        ("Sitä sovelletaan ensimmäisen kerran vuodelta 2025 toimitettavassa verotuksessa.", SAME, SAME),
    ],
)
def test_an_original_act_is_dated_by_its_application(
    words: str, first: tuple[str, str], second: tuple[str, str]
) -> None:
    assert days(f"{ENTERS} {words}".strip()) == {"sec_1": first, "sec_2": second, "entry_1": SAME}
