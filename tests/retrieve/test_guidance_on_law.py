"""Law and the guidance on it: where both come up, the law is first, and as likely as both."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from making import cites, graded, simple
from pykala.law.grades import HIGHEST_LIKELY
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import WorkKind
from pykala.law.references import EdgeKind
from pykala.retrieve.grade import Graded
from pykala.retrieve.guidance_on_law import law_before_its_guidance
from pykala.stores.embedded.store import EmbeddedStore

LAW, PAGE = "fi:act:1/sec_1", "fi:vero:page/sec_1"
ANOTHER, NAMING = "fi:act:2/sec_1", "fi:vero:page/sec_2"
GUIDANCE = 60


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EmbeddedStore]:
    """A page whose first section interprets a section of an act; its second names the act as a whole."""
    law, page, naming = (ProvisionId.parse(one) for one in (LAW, PAGE, NAMING))
    references = [
        cites(page, law, kind=EdgeKind.INTERPRETS),
        cites(naming, ProvisionId(WorkId("fi:act:1")), kind=EdgeKind.INTERPRETS),
    ]
    guidance = simple("fi:vero:page", "On carts.", "On carts.", kind=WorkKind.GUIDANCE, references=references)
    with EmbeddedStore.open(tmp_path, writable=True) as opened:
        opened.put(simple("fi:act:1", "A cart is taxed."))
        opened.put(simple("fi:act:2", "A mule is taxed."))
        opened.put(guidance)
        yield opened


def found(provision: str, grade: float) -> Graded:
    authority = GUIDANCE if ":vero:" in provision else 100
    (one,) = graded("fi", grade, authority=authority)
    section = ProvisionId.parse(provision)
    match = replace(one.candidate.match, provision=section, section=section, work=section.work)
    return replace(one, candidate=replace(one.candidate, section=section, match=match))


def order(store: EmbeddedStore, *given: Graded) -> list[tuple[str, float]]:
    ranked = law_before_its_guidance(given, store)
    return [(str(one.candidate.section), round(one.grade, 2)) for one in ranked]


def test_the_law_comes_before_the_guidance_on_it(store: EmbeddedStore) -> None:
    assert order(store, found(PAGE, 4.4), found(LAW, 2.5)) == [(LAW, 6.9), (PAGE, 4.4)]
    assert order(store, found(LAW, 4.4), found(PAGE, 4.4)) == [(LAW, 8.8), (PAGE, 4.4)]


def test_both_together_are_never_sure(store: EmbeddedStore) -> None:
    assert order(store, found(PAGE, 8.0), found(LAW, 5.0))[0] == (LAW, round(HIGHEST_LIKELY, 2))
    assert order(store, found(LAW, 9.5), found(PAGE, 5.0))[0] == (LAW, 9.5)


@pytest.mark.parametrize(
    "given",
    [
        (found(PAGE, 8.0), found(ANOTHER, 4.0)),  # not what it interprets
        (found(ANOTHER, 6.0), found(PAGE, 4.0), found(LAW, 3.0)),  # another law leads
        (found(PAGE, 8.0), found(LAW, 0.5)),  # too unlikely to be listed
        (found(NAMING, 8.0), found(LAW, 1.5)),  # the act is only named, and the section unlikely
        (found(LAW, 3.0), found(NAMING, 2.5)),
        (found(LAW, 6.0),),
        (),
    ],
)
def test_else_the_order_stays(store: EmbeddedStore, given: tuple[Graded, ...]) -> None:
    assert law_before_its_guidance(given, store) == given


def test_the_likeliest_section_of_an_act_that_is_only_named(store: EmbeddedStore) -> None:
    assert order(store, found(NAMING, 5.0), found(LAW, 2.5)) == [(LAW, 7.5), (NAMING, 5.0)]
