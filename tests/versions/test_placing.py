"""Where a new place comes to stand among the others, and which place an amending act means."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import pytest

from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.messages import Message
from pykala.law.provisions import Provision, ProvisionKind, Version
from pykala.law.validity import Validity
from pykala.text.phrases import tell
from pykala.versions.operations import Facet, Insert, Operation, Reason
from pykala.versions.placing import (
    Refused,
    about,
    heading_before,
    home_of,
    name_of,
    nearest,
    only_subsection,
    target_of,
)
from pykala.versions.tree import Tree

ACT, AMENDING = WorkId("fi:act:1996/321"), WorkId("fi:act:2010/1")
OLD, SINCE = Validity(date(2000, 1, 1), date(2005, 1, 1)), Validity(date(2010, 1, 1))
FOR_A_WHILE = Validity(date(2009, 1, 1), date(2012, 1, 1))
KINDS = {
    "part": ProvisionKind.PART,
    "chp": ProvisionKind.CHAPTER,
    "sec": ProvisionKind.SECTION,
    "subsec": ProvisionKind.SUBSECTION,
    "para": ProvisionKind.ITEM,
    "head": ProvisionKind.HEADING,
    "table": ProvisionKind.TABLE,
    "annex": ProvisionKind.ANNEX,
    "enact": ProvisionKind.ENACTING_CLAUSE,
}


def at(path: str) -> ProvisionId:
    return ProvisionId.parse(f"{ACT}/{path}") if path else ProvisionId(ACT)


def node(path: str, *children: Provision, validity: Validity | None = None) -> Provision:
    """A place of the act; `validity` None: since before the source tells."""
    kind = KINDS[at(path).path[-1].kind]
    return Provision(at(path), kind, "", (Version("x", validity or Validity()),), children)


def tree(*children: Provision) -> Tree:
    return Tree(Provision(at(""), ProvisionKind.WORK, "", (), children))


def insert(path: str, facet: Facet = Facet.WHOLE) -> Operation:
    return Insert(target=at(path), source_act=AMENDING, validity=SINCE, facet=facet)


PLAIN = (
    node("chp_1", node("sec_1"), node("sec_3"), node("table_1")),
    node("chp_2", node("head_1", node("sec_5")), node("sec_6")),
)
RESTARTING = (
    node("chp_1", node("chp_1/sec_1"), node("chp_1/sec_2")),
    node("chp_2", node("chp_2/sec_1")),
    node("chp_3"),
)


@pytest.mark.parametrize(
    ("act", "path", "parent", "place"),
    [
        (PLAIN, "sec_2", "chp_1", 1),
        (PLAIN, "sec_3a", "chp_1", 3),  # behind the table that belongs to 3 §
        (PLAIN, "sec_1a", "chp_1", 1),
        (PLAIN, "sec_9", "chp_2", 2),
        (PLAIN, "sec_5a", "head_1", 1),  # below the cross-heading of the one before it
        (PLAIN, "chp_1a", "", 1),
        (PLAIN, "chp_3", "", 2),
        (PLAIN, "part_1", "", 2),
        (PLAIN, "annex_1", "", 2),
        ((node("sec_1"), node("head_1", node("sec_5"))), "sec_2", "", 1),  # before the next cross-heading
        (PLAIN, "chp_2/sec_4", "head_1", 0),  # in the chapter that is named, before its first
        ((node("sec_5"), node("sec_7")), "sec_2", "", 0),  # before the first
        ((), "sec_1", "", 0),
        (RESTARTING, "chp_1/sec_1a", "chp_1", 1),
        (RESTARTING, "chp_3/sec_1", "chp_3", 0),
        ((node("sec_1", node("sec_1/subsec_1"), node("sec_1/subsec_3")),), "sec_1/subsec_2", "sec_1", 1),
        ((node("sec_1", node("sec_1/subsec_2"), node("sec_1/subsec_3")),), "sec_1/subsec_1", "sec_1", 0),
        ((node("sec_1", node("table_1")),), "sec_1/subsec_1", "sec_1", 1),
        (
            (
                node(
                    "sec_1",
                    node("sec_1/subsec_1", node("sec_1/subsec_1/para_1"), node("sec_1/subsec_1/para_2")),
                    node("sec_1/subsec_2"),
                ),
            ),
            "sec_1/para_1a",  # of the one subsection that has a list
            "sec_1/subsec_1",
            1,
        ),
    ],
)
def test_a_new_place_stands_after_the_number_before_it(
    act: Sequence[Provision], path: str, parent: str, place: int
) -> None:
    home, index = home_of(tree(*act), insert(path))
    assert (home.id, index) == (at(parent), place)


@pytest.mark.parametrize(
    ("act", "path", "reason", "doubted"),
    [
        (RESTARTING, "sec_3", Reason.AMBIGUOUS, None),  # of which chapter?
        (RESTARTING, "chp_9/sec_1", Reason.MISSING_TARGET, None),
        (PLAIN, "sec_9/subsec_1", Reason.MISSING_TARGET, None),
        ((node("sec_1", node("sec_1/subsec_1"), node("sec_1/subsec_2")),), "sec_1/para_3", Reason.AMBIGUOUS,
         "sec_1"),
        (RESTARTING, "sec_1/subsec_1", Reason.AMBIGUOUS, None),
    ],
)  # fmt: skip
def test_where_there_is_no_one_place_it_is_refused(
    act: Sequence[Provision], path: str, reason: Reason, doubted: str | None
) -> None:
    with pytest.raises(Refused) as refused:
        home_of(tree(*act), insert(path))
    assert refused.value.reason is reason
    assert (refused.value.place and refused.value.place.id) == (doubted and at(doubted))


def test_of_places_with_one_number_the_one_that_stands_is_meant() -> None:
    ended = node("chp_1", node("chp_1/sec_1", validity=OLD))
    standing = node("chp_2", node("chp_2/sec_1", node("chp_2/sec_1/subsec_1")))
    made = tree(ended, standing)
    assert target_of(made, insert("sec_1")).id == at("chp_2/sec_1")
    assert target_of(tree(*PLAIN), insert("chp_2/sec_1")).id == at("sec_1"), "the chapter may be outdated"
    assert home_of(made, insert("sec_1/subsec_2"))[0].id == at("chp_2/sec_1")
    for_a_while = node("chp_1", node("chp_1/sec_1", node("chp_1/sec_1/subsec_1"), validity=FOR_A_WHILE))
    ended = node("chp_2", node("chp_2/sec_1", validity=OLD))
    made = tree(for_a_while, ended)
    assert target_of(made, insert("sec_1")).id == at("chp_1/sec_1")
    assert home_of(made, insert("sec_1/subsec_2"))[0].id == at("chp_1/sec_1")
    with pytest.raises(Refused) as refused:
        target_of(tree(*RESTARTING), insert("sec_1"))
    assert (refused.value.reason, refused.value.message) == (
        Reason.AMBIGUOUS,
        Message.of("unplayed.several_places", count=2, place="sec_1"),
    )
    with pytest.raises(Refused) as refused:
        target_of(tree(*RESTARTING), insert("chp_1/sec_9"))
    assert refused.value.reason is Reason.MISSING_TARGET
    assert refused.value.place is not None
    assert refused.value.place.id == at("chp_1"), "the innermost place that there is"


@pytest.mark.parametrize("other", ["annex_1", "enact_1"])
def test_a_section_of_another_text_in_the_document_is_not_the_acts(other: str) -> None:
    """An agreement printed as an annex has a section 1 of its own."""
    theirs = node(other, node("chp_1", node(f"{other}/sec_1")))
    with pytest.raises(Refused) as refused:
        target_of(tree(theirs), insert("sec_1"))
    assert refused.value.reason is Reason.MISSING_TARGET
    assert target_of(tree(theirs, node("sec_1")), insert("sec_1")).id == at("sec_1")
    assert home_of(tree(theirs, node("sec_5")), insert("sec_2"))[1] == 1, "before its own 5 §"


def test_the_innermost_place_that_there_is() -> None:
    made = tree(*PLAIN)
    for path, place in (("sec_3/subsec_1/para_2", "sec_3"), ("sec_3", "sec_3"), ("sec_9", None)):
        found = nearest(made, insert(path))
        assert (found and found.id) == (place and at(place))


@pytest.mark.parametrize(
    ("children", "meant"),
    [
        ((), "sec_1"),
        ((node("sec_1/subsec_1"),), "sec_1/subsec_1"),
        ((node("sec_1/subsec_1", validity=OLD), node("sec_1/subsec_2")), "sec_1/subsec_2"),
        ((node("sec_1/subsec_1", validity=OLD),), "sec_1/subsec_1"),
        (
            (node("sec_1/subsec_1"), node("sec_1/subsec_2", node("sec_1/subsec_2/para_1"))),
            "sec_1/subsec_2",
        ),
        ((node("table_1"), node("sec_1/subsec_1")), "sec_1/subsec_1"),
        ((node("sec_1/subsec_1"), node("sec_1/subsec_2")), None),
    ],
)
def test_the_subsection_that_a_law_means_by_its_section(
    children: Sequence[Provision], meant: str | None
) -> None:
    (section,) = tree(node("sec_1", *children)).root.children
    if meant is None:
        with pytest.raises(Refused):
            only_subsection(section, insert("sec_1/para_1"))
    else:
        assert only_subsection(section, insert("sec_1/para_1")).id == at(meant)


@pytest.mark.parametrize(
    ("act", "heading"),
    [
        ((node("head_1", node("sec_1")),), "head_1"),
        ((node("head_1", node("sec_0"), node("sec_1")),), None),  # it stands before another
        ((node("head_1", node("sec_0", validity=OLD), node("sec_1")),), "head_1"),
        ((node("head_1", node("sec_0", validity=FOR_A_WHILE), node("sec_1")),), None),  # it stands on the day
        ((node("sec_0"), node("head_1"), node("sec_1")), "head_1"),
        ((node("head_1"), node("sec_0"), node("sec_1")), None),
        ((node("head_1", node("sec_0")), node("sec_1")), None),  # that one has sections of its own
        ((node("sec_1"),), None),
    ],
)
def test_the_cross_heading_before_a_section(act: Sequence[Provision], heading: str | None) -> None:
    section = next(one for one in tree(*act).root.walk() if one.id == at("sec_1"))
    operation = insert("sec_1", Facet.CROSS_HEADING)
    if heading is None:
        with pytest.raises(Refused) as refused:
            heading_before(section, operation)
        assert refused.value.message == Message.of("unplayed.no_such_place", place=name_of(operation))
    else:
        assert heading_before(section, operation).id == at(heading)


NAMED = {
    ("", Facet.WHOLE): "the whole act",
    ("", Facet.TITLE): "the whole act (title)",
    ("sec_1", Facet.HEADING): "sec_1 (heading)",
    ("sec_1", Facet.INTRODUCTION): "sec_1 (introduction)",
    ("sec_1", Facet.CROSS_HEADING): "sec_1 (cross-heading)",
}


def test_a_target_in_words() -> None:
    assert name_of(insert("sec_1/subsec_2")) == "sec_1/subsec_2"
    told = [tell("en", about("unplayed.no_such_place", insert(*one))) for one in NAMED]
    assert told == [f"there is no {words}" for words in NAMED.values()]
