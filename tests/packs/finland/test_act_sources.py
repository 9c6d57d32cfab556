"""Which source of an act is the best, and what the others know that it does not."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from statute_book import momentti, printed, read, section, write

import semantic_finlex as finlex
from making import document
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Event, Manifestation, Provision, ProvisionKind, Version, Work, WorkKind
from pykala.law.validity import ALWAYS, NOT_YET, Validity
from pykala.packs.finland.act_sources import Source, begun_elsewhere, best
from pykala.packs.finland.lifetimes import begun_at_first

ACT, AMENDING = WorkId("fi:act:2001/77"), WorkId("fi:act:2005/4")
BEGAN, LATER = date(2002, 1, 1), date(2006, 1, 1)
CONSOLIDATED, PRINTED, PAGE = "semantic-finlex", "statute-xml", "html/statute"


def source(form: str, validity: Validity = ALWAYS, language: str = "fi") -> Source:
    root = Provision(ProvisionId(ACT), ProvisionKind.WORK, versions=(Version("", validity),))
    made = document(ACT, language, [], "Laki koemaksusta")
    held = Manifestation(f"{form}/{language}", "0" * 64, form)
    return Source(replace(made, root=root, manifestations=(held,)), Work(ACT, WorkKind.ACT, 1))


@pytest.mark.parametrize(
    ("forms", "chosen"),
    [
        ((PAGE, PRINTED, CONSOLIDATED), CONSOLIDATED),
        ((PRINTED, "akoma-ntoso/statute"), PRINTED),
        ((PAGE, "akoma-ntoso/statute"), "akoma-ntoso/statute"),
        ((CONSOLIDATED, "akoma-ntoso/statute-consolidated"), "akoma-ntoso/statute-consolidated"),
    ],
)
def test_the_best_source_of_a_language(forms: tuple[str, ...], chosen: str) -> None:
    found = best([*map(source, forms), source(PAGE, language="sv")])
    assert {one: had.document.manifestations[0].format for one, had in found.items()} == {
        "fi": chosen, "sv": PAGE,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("form", "validity", "others", "start"),
    [
        (CONSOLIDATED, ALWAYS, [Validity(BEGAN)], BEGAN),
        (CONSOLIDATED, ALWAYS, [Validity(LATER), Validity(BEGAN)], BEGAN),
        (CONSOLIDATED, Validity(None, LATER), [Validity(BEGAN)], BEGAN),  # it was repealed since
        (CONSOLIDATED, Validity(None, BEGAN), [Validity(LATER)], None),  # before it is said to have begun
        (CONSOLIDATED, ALWAYS, [Validity(NOT_YET)], None),  # nobody has fixed the day
        (CONSOLIDATED, ALWAYS, [ALWAYS], None),
        (CONSOLIDATED, Validity(LATER), [Validity(BEGAN)], LATER),  # it knows its own day
        (PRINTED, ALWAYS, [Validity(BEGAN)], None),
    ],
)
def test_a_consolidated_text_begins_when_another_source_says(
    form: str, validity: Validity, others: list[Validity], start: date | None
) -> None:
    one = source(form, validity)
    found = begun_elsewhere(one, [one, *(source(PAGE, other) for other in others)])
    assert found.document.root.versions[0].validity == Validity(start, validity.end)


@pytest.mark.parametrize(
    ("version", "start"),
    [
        (Version("x", ALWAYS), BEGAN),
        (Version("x", Validity(None, LATER)), BEGAN),
        (Version("x", Validity(None, date(2001, 6, 1))), None),  # it ended before the day
        (Version("x", ALWAYS, event=Event.AMENDED, source_act=AMENDING), None),  # not of the first words
        (Version("x", Validity(LATER)), LATER),
        (Version("x", Validity(NOT_YET)), NOT_YET),
    ],
)
def test_first_words_begin_with_their_act(version: Version, start: date | None) -> None:
    below = Provision(ProvisionId.parse(f"{ACT}/sec_1"), ProvisionKind.SECTION, versions=(version,))
    root = Provision(ProvisionId(ACT), ProvisionKind.WORK, versions=(version,), children=(below,))
    begun = begun_at_first(root, BEGAN)
    assert [one.versions[0].validity.start for one in begun.walk()] == [start, start]
    assert all(one.versions[0].validity.end == version.validity.end for one in begun.walk())


@pytest.mark.parametrize(("since", "start"), [("", "2002-01-01"), ("2001-03-01", "2001-03-01")])
def test_the_first_printing_tells_when_an_act_began(tmp_path: Path, since: str, start: str) -> None:
    first = finlex.node("pykala/1/momentti/1", "Maksu on 3 euroa.")
    whole = finlex.act(finlex.node("pykala/1", "", first), since=since)
    write(
        tmp_path,
        {"data/sd-jsonld-fi/2001-77.jsonld": json.dumps(whole, ensure_ascii=False).encode(),
         **dict([printed(77, 2001, section("1", "Maksu on 3 euroa."), base=True)])},
    )  # fmt: skip
    (version,) = momentti(read(tmp_path, "act:2001/77"), "sec_1/subsec_1").versions
    assert str(version.validity.start) == start
