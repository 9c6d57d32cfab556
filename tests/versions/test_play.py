"""Playing amendments forward: cases one by one, and what must hold of any of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from making import document, section, since
from pykala.law.identifiers import ProvisionId, Step, WorkId
from pykala.law.provisions import Document, Event, Provision, ProvisionKind, Version
from pykala.law.validity import NOT_YET, Validity
from pykala.packs.finland.spacing import relabelled
from pykala.versions.chains import check_chains
from pykala.versions.operations import (
    Amend,
    Facet,
    Insert,
    Operation,
    Outcome,
    Reason,
    Renumber,
    Repeal,
    Status,
)
from pykala.versions.play import play

ACT = WorkId("fi:act:1996/321")
START = date(2000, 1, 1)
CHANGE = date(2010, 6, 1)


def by(number: int) -> WorkId:
    return WorkId(f"fi:act:2010/{number}")


def at(path: str) -> ProvisionId:
    return ProvisionId.parse(f"{ACT}/{path}") if path else ProvisionId(ACT)


def text(path: str, *words: str, heading: str = "") -> Provision:
    """New words for a place: a section's further words are its subsections."""
    kinds = {"sec": ProvisionKind.SECTION, "subsec": ProvisionKind.SUBSECTION, "para": ProvisionKind.ITEM}
    identifier = at(path)
    kind = kinds.get(identifier.path[-1].kind, ProvisionKind.CHAPTER)
    below = tuple(
        Provision(identifier.child("subsec", str(n)), ProvisionKind.SUBSECTION, "", (Version(one),))
        for n, one in enumerate(words[1:], start=1)
    )
    return Provision(identifier, kind, "", (Version(words[0], heading=heading),), below)


def act() -> Document:
    """5 § with three subsections, 6 § with a list, 7 §, in two chapters."""
    since = Validity(START)
    five = section(ACT, "5", "", "One.", "Two.", "Three.", heading="Five", validity=since)
    listed = replace(
        section(ACT, "6", "", "These:", validity=since),
        children=(
            Provision(
                at("sec_6/subsec_1"),
                ProvisionKind.SUBSECTION,
                "",
                (Version("These:", since),),
                tuple(
                    Provision(
                        at(f"sec_6/subsec_1/para_{n}"),
                        ProvisionKind.ITEM,
                        f"{n})",
                        (Version(f"item {n};", since),),
                    )
                    for n in (1, 2)
                ),
            ),
        ),
    )
    chapters = [
        Provision(at(f"chp_{n}"), ProvisionKind.CHAPTER, f"{n} luku", (Version("", since, f"Ch {n}"),), below)
        for n, below in ((1, (five, listed)), (2, (section(ACT, "7", "", "Seven.", validity=since),)))
    ]
    return document(ACT, "fi", chapters)


def words(played: Document, day: date, path: str) -> str | None:
    """The words of one place on a day; None where there are none."""
    standing = played.root.at(day)
    found = {node.id: node for node in standing.walk()} if standing else {}
    node = found.get(at(path))
    return node.versions[-1].text if node is not None and node.versions else None


def node_of(played: Document, path: str) -> Provision:
    return next(node for node in played.root.walk() if node.id == at(path))


def done(*operations: Operation) -> tuple[Document, tuple[Outcome, ...]]:
    played = play(act(), operations)
    return played.document, played.outcomes


BEFORE = CHANGE - timedelta(days=1)
SINCE = Validity(CHANGE)


def test_the_same_announcement_of_a_scale_that_the_source_lost_is_another_wording() -> None:
    """14 § of the perintö- ja lahjaverolaki was given anew for 2026, and its scale in no source."""
    scale, later = "Veroa maksetaan seuraavan asteikon mukaan:", date(2020, 1, 1)
    one, two = (
        Amend(target=at("sec_7"), text=text("sec_7", scale), source_act=by(n), validity=Validity(day))
        for n, day in ((1, CHANGE), (2, later))
    )
    played, _ = done(one, two)
    assert [(v.validity, v.source_act) for v in node_of(played, "sec_7").versions[1:]] == [
        (Validity(CHANGE, later), by(1)),
        (Validity(later), by(2)),
    ]


def test_an_amended_subsection_has_its_new_words_from_the_day_on_and_the_others_stay() -> None:
    played, outcomes = done(
        Amend(
            target=at("sec_5/subsec_2"), source_act=by(1), validity=SINCE, text=text("sec_5/subsec_2", "New.")
        )
    )
    assert [one.status for one in outcomes] == [Status.APPLIED]
    assert words(played, BEFORE, "sec_5/subsec_2") == "Two."
    assert words(played, CHANGE, "sec_5/subsec_2") == "New."
    chain = node_of(played, "sec_5/subsec_2").versions
    assert [(one.event, one.source_act) for one in chain] == [(Event.ENACTED, None), (Event.AMENDED, by(1))]
    assert len(node_of(played, "sec_5/subsec_1").versions) == 1


def test_a_section_given_whole_ends_the_subsections_it_no_longer_has() -> None:
    played, _ = done(
        Amend(target=at("sec_5"), source_act=by(1), validity=SINCE, text=text("sec_5", "", "One.", "Zwei."))
    )
    assert words(played, CHANGE, "sec_5/subsec_2") == "Zwei."
    assert words(played, CHANGE, "sec_5/subsec_3") is None
    assert words(played, BEFORE, "sec_5/subsec_3") == "Three."
    assert len(node_of(played, "sec_5/subsec_1").versions) == 1, "the same words make no new version"


def test_the_same_words_are_no_change() -> None:
    played, outcomes = done(
        Amend(
            target=at("sec_5/subsec_2"), source_act=by(1), validity=SINCE, text=text("sec_5/subsec_2", "Two.")
        )
    )
    assert outcomes[0].status is Status.UNCHANGED
    assert played.root == act().root


@pytest.mark.parametrize(
    ("number", "after", "chapter"),
    [("5a", "sec_5", "chp_1"), ("6a", "sec_6", "chp_1"), ("9", "sec_7", "chp_2")],
)
def test_a_new_section_stands_after_the_number_before_it(number: str, after: str, chapter: str) -> None:
    new = Insert(
        target=at(f"sec_{number}"), source_act=by(1), validity=SINCE, text=text(f"sec_{number}", "", "N.")
    )
    played, outcomes = done(new)
    assert outcomes[0].status is Status.APPLIED
    siblings = [str(child.id.last) for child in node_of(played, chapter).children]
    assert siblings[siblings.index(after) + 1] == f"sec_{number}"
    assert words(played, BEFORE, f"sec_{number}/subsec_1") is None
    assert words(played, CHANGE, f"sec_{number}/subsec_1") == "N."


def test_a_new_section_goes_into_the_chapter_that_is_named() -> None:
    new = Insert(
        target=at("chp_2/sec_6a"), source_act=by(1), validity=SINCE, text=text("chp_2/sec_6a", "", "N.")
    )
    played, _ = done(new)
    assert [str(child.id.last) for child in node_of(played, "chp_2").children] == ["sec_6a", "sec_7"]
    assert node_of(played, "sec_6a").id == at("sec_6a"), "sections numbered through name no chapter"


def test_a_new_subsection_moves_the_one_that_stood_there() -> None:
    path = "sec_5/subsec_2"
    played, outcomes = done(
        Insert(target=at(path), source_act=by(1), validity=SINCE, text=text(path, "Between.")),
        Renumber(target=at(path), to=Step("subsec", "3"), source_act=by(1), validity=SINCE),
        Renumber(target=at("sec_5/subsec_3"), to=Step("subsec", "4"), source_act=by(1), validity=SINCE),
    )
    assert {one.status for one in outcomes} == {Status.APPLIED}
    now = [words(played, CHANGE, f"sec_5/subsec_{n}") for n in (1, 2, 3, 4)]
    assert now == ["One.", "Between.", "Two.", "Three."]
    assert [words(played, BEFORE, f"sec_5/subsec_{n}") for n in (1, 2, 3, 4)] == [
        "One.",
        "Two.",
        "Three.",
        None,
    ]
    events = [one.event for one in node_of(played, "sec_5/subsec_3").versions]
    assert events == [Event.ENACTED, Event.RENUMBERED], "what stood there before keeps its own event"
    moved = node_of(played, "sec_5/subsec_4").versions[-1]
    assert (moved.event, moved.source_act) == (Event.RENUMBERED, by(1))


def test_an_act_that_is_numbered_through_is_followed_by_its_new_numbers() -> None:
    """As 371/2019 did with 320/2017: what older acts do later is named by the old chapters."""

    def one(chapter: int, number: int) -> Provision:
        path, since = f"chp_{chapter}/sec_{number}", Validity(START)
        words = f"{chapter}:{number}."
        return Provision(at(path), ProvisionKind.SECTION, f"{number} §", (Version(words, since),))

    chapters = [
        Provision(
            at(f"chp_{n}"),
            ProvisionKind.CHAPTER,
            f"{n} luku",
            (Version("", Validity(START)),),
            (one(n, 1), one(n, 2)),
        )
        for n in (1, 2)
    ]
    later, last = Validity(date(2011, 1, 1)), Validity(date(2012, 1, 1))
    moves = {"chp_2/sec_1": "4", "chp_2/sec_2": "5", "chp_2/sec_3": "6"}
    operations = [
        Renumber(
            target=at(path), to=Step("sec", number), source_act=by(5), validity=SINCE, relabel=relabelled
        )
        for path, number in moves.items()
    ]
    three, four = text("sec_3", "New."), text("sec_4", "Amended.")
    between = replace(text("chp_2/sec_3", "Waited."), label="3 §")
    operations += [
        Insert(target=at("sec_3"), source_act=by(5), validity=SINCE, text=three),
        Insert(target=at("chp_2/sec_3"), source_act=by(4), validity=later, text=between),
        Amend(target=at("chp_9/sec_4"), source_act=by(6), validity=last, text=four),
    ]
    played = play(document(ACT, "fi", chapters), operations).document
    day = date(2012, 1, 1)
    standing = played.root.at(day)
    assert standing is not None
    found = [
        (str(node.id.path[-1]), node.label, node.versions[-1].text)
        for node in standing.walk()
        if "sec" in str(node.id)
    ]
    assert found == [
        ("sec_1", "1 §", "1:1."),
        ("sec_2", "2 §", "1:2."),
        ("sec_3", "", "New."),
        ("sec_4", "4 §", "Amended."),
        ("sec_5", "5 §", "2:2."),
        ("sec_6", "6 §", "Waited."),
    ]
    assert words(played, BEFORE, "chp_2/sec_1") == "2:1."


def test_an_act_of_which_one_section_moved_still_restarts_in_each_chapter() -> None:
    chapters = [
        Provision(
            at(f"chp_{n}"),
            ProvisionKind.CHAPTER,
            "",
            (Version("", Validity(START)),),
            (
                Provision(
                    at(f"chp_{n}/sec_1"), ProvisionKind.SECTION, "", (Version(f"{n}.", Validity(START)),)
                ),
            ),
        )
        for n in (1, 2, 3)
    ]
    moved = Renumber(target=at("chp_1/sec_1"), to=Step("sec", "2"), source_act=by(1), validity=SINCE)
    amended = Amend(
        target=at("chp_3/sec_1"), source_act=by(2), validity=SINCE, text=text("chp_3/sec_1", "Amended.")
    )
    played = play(document(ACT, "fi", chapters), [moved, amended])
    assert [one.status for one in played.outcomes] == [Status.APPLIED, Status.APPLIED]
    places = ("chp_1/sec_1", "chp_1/sec_2", "chp_2/sec_1", "chp_3/sec_1")
    assert [words(played.document, CHANGE, place) for place in places] == [None, "1.", "2.", "Amended."]


def test_a_repeal_whose_day_nobody_knows_waits() -> None:
    played, (outcome,) = done(Repeal(target=at("sec_5"), source_act=by(1)))
    assert (outcome.status, outcome.provisions) == (Status.PENDING, (at("sec_5"),))
    assert played.root == act().root


def test_an_operation_without_a_first_day_waits_for_one() -> None:
    assert Repeal(target=at("sec_5"), source_act=by(1), validity=SINCE).day == CHANGE
    assert Repeal(target=at("sec_5"), source_act=by(1), validity=Validity()).day == NOT_YET


def test_an_amended_subsection_that_moves_is_found_under_its_new_number() -> None:
    played, _ = done(
        Renumber(target=at("sec_5/subsec_3"), to=Step("subsec", "4"), source_act=by(1), validity=SINCE),
        Insert(
            target=at("sec_5/subsec_3"),
            source_act=by(1),
            validity=SINCE,
            text=text("sec_5/subsec_3", "Three a."),
        ),
        Amend(
            target=at("sec_5/subsec_4"),
            source_act=by(1),
            validity=SINCE,
            text=text("sec_5/subsec_4", "Four."),
        ),
    )
    assert [words(played, CHANGE, f"sec_5/subsec_{n}") for n in (3, 4)] == ["Three a.", "Four."]
    assert [one.event for one in node_of(played, "sec_5/subsec_4").versions] == [Event.AMENDED]


def test_a_repeal_ends_a_place_and_all_below_it() -> None:
    played, _ = done(Repeal(target=at("sec_6"), source_act=by(1), validity=SINCE))
    assert words(played, BEFORE, "sec_6/subsec_1/para_2") == "item 2;"
    assert words(played, CHANGE, "sec_6/subsec_1") is None
    assert all(
        one.validity.end == CHANGE for below in node_of(played, "sec_6").walk() for one in below.versions
    )


def test_the_whole_act_is_repealed() -> None:
    played, _ = done(Repeal(target=at(""), source_act=by(1), validity=SINCE))
    assert words(played, BEFORE, "sec_7/subsec_1") == "Seven."
    assert words(played, CHANGE, "sec_7/subsec_1") is None


def test_a_temporary_text_gives_way_to_the_earlier_one_again() -> None:
    until = date(2011, 1, 1)
    played, _ = done(
        Amend(
            target=at("sec_7/subsec_1"),
            source_act=by(1),
            validity=Validity(CHANGE, until),
            temporary=True,
            text=text("sec_7/subsec_1", "For now."),
        )
    )
    days = [BEFORE, CHANGE, until - timedelta(days=1), until]
    assert [words(played, day, "sec_7/subsec_1") for day in days] == [
        "Seven.",
        "For now.",
        "For now.",
        "Seven.",
    ]
    assert node_of(played, "sec_7/subsec_1").versions[1].event is Event.TEMPORARY


def test_a_temporary_place_is_gone_after_its_end() -> None:
    until = date(2011, 1, 1)
    validity = Validity(CHANGE, until)
    new = Insert(
        target=at("sec_8"),
        source_act=by(1),
        validity=validity,
        temporary=True,
        text=text("sec_8", "", "Eight."),
    )
    played, _ = done(new)
    assert words(played, CHANGE, "sec_8/subsec_1") == "Eight."
    assert words(played, until, "sec_8/subsec_1") is None


def test_a_text_whose_day_nobody_knows_waits_and_the_one_in_force_goes_on() -> None:
    played, outcomes = done(
        Amend(target=at("sec_7/subsec_1"), source_act=by(1), text=text("sec_7/subsec_1", "Some day.")),
        Amend(
            target=at("sec_7/subsec_1"), source_act=by(2), validity=SINCE, text=text("sec_7/subsec_1", "Now.")
        ),
    )
    assert [one.status for one in outcomes] == [Status.APPLIED, Status.PENDING]
    assert outcomes[1].reason is Reason.UNKNOWN_DATE
    assert words(played, date(2100, 1, 1), "sec_7/subsec_1") == "Now."
    waiting = node_of(played, "sec_7/subsec_1").versions[-1]
    assert waiting.validity.is_pending
    assert waiting.text == "Some day."


def test_headings_introductions_and_titles_change_alone() -> None:
    played, outcomes = done(
        Amend(
            target=at("sec_5"),
            source_act=by(1),
            validity=SINCE,
            facet=Facet.HEADING,
            text=text("sec_5", "", heading="Fünf"),
        ),
        Amend(
            target=at("sec_6"),
            source_act=by(1),
            validity=SINCE,
            facet=Facet.INTRODUCTION,
            text=text("sec_6", "Those:"),
        ),
        Amend(
            target=at(""),
            source_act=by(1),
            validity=SINCE,
            facet=Facet.TITLE,
            text=Provision(at(""), ProvisionKind.WORK, "", (Version("", heading="New name"),)),
        ),
    )
    assert {one.status for one in outcomes} == {Status.APPLIED}
    assert node_of(played, "sec_5").heading == "Fünf"
    assert words(played, CHANGE, "sec_6/subsec_1") == "Those:"
    assert words(played, CHANGE, "sec_6/subsec_1/para_1") == "item 1;"
    assert played.root.heading == "New name"


def test_a_new_cross_heading_stands_before_its_section() -> None:
    new = Insert(
        target=at("sec_6"), source_act=by(1), validity=SINCE, facet=Facet.CROSS_HEADING,
        text=Provision(at("head_1"), ProvisionKind.HEADING, "", (Version("", heading="Lists"),)),
    )  # fmt: skip
    played, _ = done(new)
    kinds = [child.kind for child in node_of(played, "chp_1").children]
    assert kinds == [ProvisionKind.SECTION, ProvisionKind.HEADING, ProvisionKind.SECTION]
    assert words(played, BEFORE, "sec_6/subsec_1") == "These:"


def test_a_line_of_dashes_leaves_the_items_that_are_not_given() -> None:
    given_part = replace(
        text("sec_6/subsec_1", "These now:"),
        children=(
            Provision(at("sec_6/subsec_1/omission_1"), ProvisionKind.OMISSION, "", (Version("— —"),)),
            Provision(at("sec_6/subsec_1/para_2"), ProvisionKind.ITEM, "2)", (Version("second;"),)),
        ),
    )
    played, _ = done(Amend(target=at("sec_6/subsec_1"), source_act=by(1), validity=SINCE, text=given_part))
    assert words(played, CHANGE, "sec_6/subsec_1/para_1") == "item 1;"
    assert words(played, CHANGE, "sec_6/subsec_1/para_2") == "second;"
    assert not [node for node in played.root.walk() if node.kind is ProvisionKind.OMISSION]


def test_a_section_that_the_document_lacks_is_known_from_its_new_text_on() -> None:
    played, outcomes = done(
        Amend(target=at("sec_6b"), source_act=by(1), validity=SINCE, text=text("sec_6b", "", "Late."))
    )
    assert outcomes[0].status is Status.APPLIED
    assert node_of(played, "sec_6b/subsec_1").versions[0].history_unavailable


def test_a_section_whose_number_another_text_has_is_not_made_known() -> None:
    """The enacting clause of an act has sections, too; theirs are not the act's."""
    theirs = Provision(
        at("sec_1"), ProvisionKind.SECTION, "1 §", (Version("In force at once.", Validity(START)),)
    )
    clause = Provision(at("enact_1"), ProvisionKind.ENACTING_CLAUSE, "", (), (theirs,))
    amended = Amend(target=at("sec_1"), source_act=by(1), validity=SINCE, text=text("sec_1", "New."))
    (outcome,) = play(document(ACT, "fi", [clause]), [amended]).outcomes
    assert (outcome.status, outcome.reason) == (Status.REFUSED, Reason.MISSING_TARGET)


def test_words_given_while_temporary_ones_hold_outlast_them() -> None:
    place, until = "sec_7/subsec_1", date(2012, 1, 1)
    played, _ = done(
        Amend(target=at(place), source_act=by(1), validity=Validity(CHANGE, until), temporary=True,
              text=text(place, "For now.")),
        Amend(target=at(place), source_act=by(2), validity=Validity(date(2011, 1, 1)),
              text=text(place, "For good.")),
    )  # fmt: skip
    days = (CHANGE, date(2011, 1, 1), until, date(2030, 1, 1))
    assert [words(played, day, place) for day in days] == ["For now.", *["For good."] * 3]


@pytest.mark.parametrize(
    ("start", "end", "gone"),
    [
        (2011, None, 2012),  # in the first temporary wording
        (2012, None, 2014),  # on the first day of the second
        (2013, 2016, 2016),  # an end of its own counts, even a later one
    ],
)
def test_words_without_an_end_do_not_prolong_a_temporary_section(
    start: int, end: int | None, gone: int
) -> None:
    def temporary(number: int, validity: Validity, wording: str) -> Insert:
        return Insert(
            target=at("sec_8"), source_act=by(number), validity=validity, temporary=True,
            text=text("sec_8", wording),
        )  # fmt: skip

    new = Validity(date(start, 1, 1), date(end, 1, 1) if end else None)
    played, outcomes = done(
        temporary(1, since(2011, 2012), "For a year."),
        temporary(2, since(2012, 2014), "For two more."),
        Amend(target=at("sec_8"), source_act=by(3), validity=new, temporary=end is not None,
              text=text("sec_8", "Amended.")),
    )  # fmt: skip
    assert {one.status for one in outcomes} == {Status.APPLIED}
    (amended,) = [one for one in node_of(played, "sec_8").versions if one.text == "Amended."]
    assert (amended.event, amended.validity.end) == (Event.TEMPORARY, date(gone, 1, 1))
    assert words(played, date(gone, 1, 1), "sec_8") != "Amended."
    assert words(played, date(2016, 1, 1), "sec_8") is None


REFUSED = [
    (Amend(target=at("sec_5/subsec_9"), source_act=by(1), validity=SINCE, text=text("sec_5/subsec_9", "X.")),
     Reason.MISSING_TARGET, "sec_5/subsec_1"),
    (Amend(target=at("sec_5/subsec_2"), source_act=by(1), validity=SINCE),
     Reason.TEXT_MISSING, "sec_5/subsec_2"),
    (Insert(target=at("sec_5/subsec_2"), source_act=by(1), validity=SINCE, text=text("sec_5/subsec_2", "X.")),
     Reason.PLACE_TAKEN, "sec_5/subsec_2"),
    (Repeal(target=at("sec_5/subsec_9"), source_act=by(1), validity=SINCE), Reason.MISSING_TARGET, "sec_5"),
    (Renumber(target=at("sec_5/subsec_2"), to=Step("subsec", "3"), source_act=by(1), validity=SINCE),
     Reason.PLACE_TAKEN, "sec_5/subsec_3"),
    (Amend(target=at("sec_7/subsec_1"), source_act=by(1), validity=SINCE, temporary=True,
           text=text("sec_7/subsec_1", "X.")), Reason.NO_END, "sec_7/subsec_1"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("path", "instead"),
    [
        ("sec_7", False),  # a whole section under its number
        ("sec_5/subsec_2", True),  # the act says that the former one was repealed before
    ],
)
def test_new_words_take_the_place_of_those_whose_end_the_document_lacks(path: str, instead: bool) -> None:
    new = Insert(
        target=at(path), source_act=by(1), validity=SINCE, text=text(path, "Instead."), instead=instead
    )
    played, (outcome,) = done(new)
    assert outcome.status is Status.APPLIED
    assert [words(played, day, path) for day in (BEFORE, CHANGE)] == [words(act(), CHANGE, path), "Instead."]
    again = play(played, [replace(new, source_act=by(2), validity=Validity(date(2012, 1, 1)))])
    assert [one.status for one in again.outcomes] == [Status.UNCHANGED], "the same words are there already"


@pytest.mark.parametrize(("operation", "reason", "doubted"), REFUSED)
def test_what_cannot_be_applied_is_told_and_the_later_text_is_in_doubt(
    operation: Operation, reason: Reason, doubted: str
) -> None:
    played, outcomes = done(operation)
    assert [(one.status, one.reason) for one in outcomes] == [(Status.REFUSED, reason)]
    chain = node_of(played, doubted).versions
    assert chain[-1].findings == (outcomes[0].message,)
    assert chain[-1].validity == Validity(CHANGE)
    assert chain[0].findings == ()
    assert words(played, BEFORE, "sec_7/subsec_1") == "Seven."


def test_a_number_that_two_chapters_have_is_ambiguous() -> None:
    twice = document(
        ACT,
        "fi",
        [
            Provision(
                at(f"chp_{n}"),
                ProvisionKind.CHAPTER,
                "",
                (Version("", Validity(START)),),
                (
                    Provision(
                        at(f"chp_{n}/sec_1"),
                        ProvisionKind.SECTION,
                        "1 §",
                        (Version("Same.", Validity(START)),),
                    ),
                ),
            )
            for n in (1, 2)
        ],
    )
    new = text("sec_1", "Other.")
    ambiguous = Amend(target=at("sec_1"), source_act=by(1), validity=SINCE, text=new)
    assert play(twice, [ambiguous]).outcomes[0].reason is Reason.AMBIGUOUS
    named = replace(ambiguous, target=at("chp_2/sec_1"))
    played = play(twice, [named])
    assert played.outcomes[0].provisions == (at("chp_2/sec_1"),)
    nowhere = Insert(target=at("chp_9/sec_2"), source_act=by(1), validity=SINCE, text=text("sec_2", "New."))
    (refused,) = play(twice, [nowhere]).outcomes
    assert (refused.status, refused.reason) == (Status.REFUSED, Reason.MISSING_TARGET), "no such chapter"


def test_an_introduction_needs_the_one_subsection_that_may_hold_it() -> None:
    """5 § has three subsections, and none of them a list; of two that are left, either may be meant."""
    opening = Amend(
        target=at("sec_5"),
        source_act=by(2),
        validity=Validity(date(2012, 1, 1)),
        facet=Facet.INTRODUCTION,
        text=text("sec_5", "These:"),
    )
    gone = [
        Repeal(target=at(f"sec_5/subsec_{number}"), source_act=by(1), validity=SINCE) for number in (3, 2)
    ]
    assert done(opening)[1][-1].reason is Reason.AMBIGUOUS
    assert done(gone[0], opening)[1][-1].reason is Reason.AMBIGUOUS
    played, outcomes = done(*gone, opening)
    assert outcomes[-1].provisions == (at("sec_5/subsec_1"),)
    assert words(played, date(2012, 1, 1), "sec_5/subsec_1") == "These:"


def test_of_two_places_of_one_number_the_one_that_stands_is_meant() -> None:
    """A number that was repealed may be given again, and is then the new place's."""
    again = text("sec_5/subsec_2", "Again.")
    later = Validity(date(2012, 1, 1))
    played, outcomes = done(
        Repeal(target=at("sec_5/subsec_2"), source_act=by(1), validity=SINCE),
        Insert(target=at("sec_5/subsec_2"), source_act=by(2), validity=later, text=again),
        Amend(
            target=at("sec_5/subsec_2"),
            source_act=by(3),
            validity=Validity(date(2014, 1, 1)),
            text=text("sec_5/subsec_2", "Once more."),
        ),
    )
    assert {one.status for one in outcomes} == {Status.APPLIED}
    days = (BEFORE, CHANGE, date(2012, 1, 1), date(2014, 1, 1))
    assert [words(played, day, "sec_5/subsec_2") for day in days] == ["Two.", None, "Again.", "Once more."]


def test_what_waits_for_a_day_is_refused_without_a_doubt_about_the_words_in_force() -> None:
    pending = Amend(target=at("sec_5/subsec_2"), source_act=by(1), validity=Validity(NOT_YET))
    played, (outcome,) = done(pending)
    assert (outcome.status, outcome.reason, outcome.provisions) == (Status.REFUSED, Reason.TEXT_MISSING, ())
    assert all(not version.findings for node in played.root.walk() for version in node.versions)


def test_a_number_that_ended_in_one_chapter_is_the_other_s() -> None:
    chapters = [
        Provision(
            at(f"chp_{n}"),
            ProvisionKind.CHAPTER,
            "",
            (Version("", Validity(START)),),
            (section(ACT, "1", "", f"Of {n}.", validity=Validity(START)),),
        )
        for n in (1, 2)
    ]
    numbered = [
        replace(one, children=(replace(one.children[0], id=one.id.child("sec", "1"), children=()),))
        for one in chapters
    ]
    later = Validity(date(2012, 1, 1))
    played = play(
        document(ACT, "fi", numbered),
        [
            Repeal(target=at("chp_1/sec_1"), source_act=by(1), validity=SINCE),
            Amend(target=at("sec_1"), source_act=by(2), validity=later, text=text("sec_1", "New.")),
        ],
    )
    assert played.outcomes[-1].status is Status.APPLIED
    assert played.outcomes[-1].provisions[0] == at("chp_2/sec_1")


def test_a_section_below_a_cross_heading_is_named_by_its_chapter() -> None:
    since = (Version("", Validity(START)),)
    first = Provision(at("chp_1/sec_1"), ProvisionKind.SECTION, "1 §", (Version("One.", Validity(START)),))
    heading = Provision(at("chp_1/head_1"), ProvisionKind.HEADING, "", since, (first,))
    other = Provision(at("chp_2/sec_1"), ProvisionKind.SECTION, "1 §", (Version("Other.", Validity(START)),))
    chapters = [
        Provision(at(f"chp_{n}"), ProvisionKind.CHAPTER, "", since, (below,))
        for n, below in ((1, heading), (2, other))
    ]
    new = Insert(target=at("chp_1/sec_2"), source_act=by(1), validity=SINCE, text=text("sec_2", "Two."))
    played = play(document(ACT, "fi", chapters), [new])
    assert [one.provisions for one in played.outcomes] == [(at("chp_1/sec_2"),)]


# What must hold of any amendments

PLACES = ["sec_5/subsec_1", "sec_5/subsec_2", "sec_6/subsec_1/para_1", "sec_7/subsec_1", "sec_7"]
DAYS = st.integers(1, 4000).map(lambda n: START + timedelta(days=n))


@st.composite
def operations(draw: st.DrawFn) -> Operation:
    place = draw(st.sampled_from(PLACES))
    start = draw(DAYS)
    act_number = by(draw(st.integers(1, 500)))
    length = draw(st.none() | st.integers(1, 900))
    validity = Validity(start, start + timedelta(days=length) if length else None)
    wording = text(place, "" if place == "sec_7" else draw(st.sampled_from(["A.", "B.", "C."])))
    if place == "sec_7":
        wording = text(place, "", *draw(st.lists(st.sampled_from(["P.", "Q."]), min_size=1, max_size=3)))
    kind = draw(st.sampled_from(["amend", "amend", "amend", "repeal"]))
    if kind == "repeal":
        return Repeal(target=at(place), source_act=act_number, validity=Validity(start))
    return Amend(
        target=at(place), source_act=act_number, validity=validity, temporary=length is not None, text=wording
    )


@settings(max_examples=60, deadline=None)
@given(st.lists(operations(), max_size=8))
def test_intervals_of_one_place_never_overlap_and_chains_stay_in_order(
    given_operations: list[Operation],
) -> None:
    played = play(act(), given_operations).document
    faults = [one for one in check_chains(played.root) if one.is_fault and one.kind != "gap"]
    assert faults == []
    for node in played.root.walk():
        for one, other in zip(node.versions, node.versions[1:], strict=False):
            assert not one.validity.overlaps(other.validity)


ENACTED = {"sec_5/subsec_1": "One.", "sec_5/subsec_2": "Two.", "sec_6/subsec_1/para_1": "item 1;"}
AMENDMENTS = st.lists(
    st.tuples(
        st.sampled_from(PLACES[:3]),
        DAYS,
        st.sampled_from(["A.", "B.", "C."]),
        st.none() | st.integers(1, 900),
    ),
    max_size=8,
    unique_by=lambda one: (one[0], one[1]),
)


def amendments_of(drawn: Sequence[tuple[str, date, str, int | None]]) -> list[Amend]:
    return [
        Amend(
            target=at(place),
            source_act=by(n + 1),
            validity=Validity(day, day + timedelta(days=length) if length else None),
            temporary=length is not None,
            text=text(place, wording),
        )
        for n, (place, day, wording, length) in enumerate(drawn)
    ]


def replayed(amendments: Sequence[Amend], day: date, path: str) -> str:
    """The words of a place by its events one by one: each holds for its days, the later over the earlier."""
    held = ENACTED[path]
    for one in sorted(amendments, key=lambda one: one.validity.start or START):
        if one.target == at(path) and one.validity.covers(day) and one.text is not None:
            held = one.text.versions[0].text
    return held


@settings(max_examples=60, deadline=None)
@given(AMENDMENTS, st.lists(DAYS, max_size=4))
def test_the_text_on_a_day_is_what_replaying_the_events_gives(
    drawn: list[tuple[str, date, str, int | None]], days: list[date]
) -> None:
    made = amendments_of(drawn)
    played = play(act(), made).document
    edges = {edge for one in made for edge in (one.validity.start, one.validity.end) if edge}
    for day in (*(edge + timedelta(days=shift) for edge in edges for shift in (-1, 0)), *days):
        for place in PLACES[:3]:
            assert words(played, day, place) == replayed(made, day, place)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_the_order_in_which_acts_are_given_does_not_matter(data: st.DataObject) -> None:
    made = amendments_of(data.draw(AMENDMENTS))
    shuffled = data.draw(st.permutations(made))
    assert play(act(), made).document == play(act(), shuffled).document


@settings(max_examples=60, deadline=None)
@given(st.lists(operations(), max_size=6))
def test_playing_gives_an_outcome_for_every_operation_and_loses_no_earlier_words(
    given_operations: list[Operation],
) -> None:
    played = play(act(), given_operations)
    assert len(played.outcomes) == len(given_operations)
    for node in act().root.walk():
        kept = node_of(played.document, "/".join(map(str, node.id.path)))
        assert words_of(kept, START) == words_of(node, START)


def words_of(node: Provision, day: date) -> list[str]:
    return [version.text for version in node.versions if version.validity.covers(day)]
