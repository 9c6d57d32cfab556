"""Parts of an act begin and end with it, and lists that older wordings left behind are no law."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from making import document
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.messages import Message
from pykala.law.provisions import Event, Provision, ProvisionKind, Version
from pykala.law.validity import ALWAYS, NOT_YET, Validity
from pykala.packs.finland.consolidated.leftovers import NO_OPENING, with_ended_lists, without_leftovers
from pykala.packs.finland.lifetimes import begun_like, ended_like, within_its_act
from pykala.packs.finland.periods import ended_by_title

ACT = WorkId("fi:act:2020/508")
AMENDING = WorkId("fi:act:2020/900")
END = date(2021, 1, 1)


def part(
    path: str, kind: ProvisionKind, *versions: Version, children: tuple[Provision, ...] = ()
) -> Provision:
    identifier = ProvisionId.parse(f"{ACT}/{path}") if path else ProvisionId(ACT)
    return Provision(identifier, kind, versions=versions, children=children)


def words(text: str, start: date | None, end: date | None = None, act: WorkId | None = None) -> Version:
    event = Event.AMENDED if act else Event.ENACTED
    return Version(text=text, validity=Validity(start, end), event=event, source_act=act)


def act_until(day: date | None, *sections: Provision) -> Provision:
    return part("", ProvisionKind.WORK, words("", date(2020, 7, 1), day), children=sections)


@pytest.mark.parametrize(
    ("version", "end", "marked"),
    [
        (words("x", date(2020, 7, 1), END), END, False),
        (words("x", date(2020, 10, 1), None, AMENDING), END, False),  # an amendment that names no end
        (words("x", None, None), END, False),
        (
            words("x", date(2020, 10, 1), date(2022, 1, 1), AMENDING),
            date(2022, 1, 1),
            False,
        ),  # it has its own
        (
            words("x", date(2021, 3, 1), None, AMENDING),
            None,
            True,
        ),  # the act was prolonged, nobody says how long
        (words("x", NOT_YET, None, AMENDING), None, False),
    ],
)
def test_parts_end_with_their_act(version: Version, end: date | None, marked: bool) -> None:
    act = act_until(END, part("sec_1", ProvisionKind.SECTION, version))
    read = within_its_act(ended_like(act, act))
    [found] = read.children[0].versions
    assert found.validity.end == end
    assert found.findings == ((Message.of("finding.after_its_end", day=date(2021, 1, 1)),) if marked else ())


def test_a_text_ends_where_another_language_says_that_it_ended() -> None:
    swedish = act_until(None, part("sec_1", ProvisionKind.SECTION, words("Lag", date(2020, 7, 1))))
    read = ended_like(swedish, act_until(END))
    assert [one.versions[0].validity.end for one in read.walk()] == [END, END]
    assert ended_like(swedish, act_until(None)) == swedish


def test_an_act_that_stands_ends_nothing() -> None:
    root = act_until(
        None, part("sec_1", ProvisionKind.SECTION, words("x", date(2020, 10, 1), None, AMENDING))
    )
    assert within_its_act(root) == root


@pytest.mark.parametrize(
    ("known", "start"),
    [(Validity(date(2006, 9, 1)), date(2006, 9, 1)), (ALWAYS, None), (Validity.pending(), NOT_YET)],
)
def test_a_text_has_begun_where_another_language_has(known: Validity, start: date | None) -> None:
    swedish = replace(
        act_until(None, part("sec_1", ProvisionKind.SECTION, words("Lag", NOT_YET))),
        versions=(words("", NOT_YET),),
    )
    finnish = replace(act_until(None), versions=(replace(words("", None), validity=known),))
    read = begun_like(swedish, finnish)
    assert [one.versions[0].validity.start for one in read.walk()] == [start, start]


def test_parts_begin_on_their_own_day_in_the_other_language() -> None:
    later, waiting = date(2009, 1, 1), NOT_YET
    days = {"sec_1": date(2020, 7, 1), "sec_2": later, "sec_3": waiting}
    finnish = act_until(None, *(part(at, ProvisionKind.SECTION, words("x", day)) for at, day in days.items()))
    pending = (part(at, ProvisionKind.SECTION, words("Lag", NOT_YET)) for at in (*days, "sec_4"))
    read = begun_like(replace(act_until(None, *pending), versions=(words("", NOT_YET),)), finnish)
    starts = [one.versions[0].validity.start for one in read.children]
    assert starts == [*days.values(), date(2020, 7, 1)]  # what is unknown there begins with the act


@pytest.mark.parametrize(
    ("amended", "texts", "ends"),
    [
        (date(2020, 12, 1), ["Lag", "Ny lag"], [date(2020, 12, 1), None]),
        (date(2020, 7, 1), ["Ny lag"], [None]),  # amended on the day on which it began
        (date(2020, 3, 1), ["Ny lag"], [None]),  # or before: the other language is not known so far back
    ],
)
def test_words_that_begin_late_end_where_an_amendment_replaced_them(
    amended: date, texts: list[str], ends: list[date | None]
) -> None:
    given = replace(words("Ny lag", amended, None, AMENDING), event=Event.INSERTED)
    waiting = part("sec_1", ProvisionKind.SECTION, given, words("Lag", NOT_YET))
    swedish = replace(act_until(None, waiting), versions=(words("", NOT_YET),))
    chain = begun_like(swedish, act_until(None)).children[0].versions
    assert [one.text for one in chain] == texts
    assert [one.validity.end for one in chain] == ends
    assert len(chain) == 1 or chain[-1].event is Event.AMENDED


def test_what_an_amendment_gives_waits_for_its_own_day() -> None:
    waiting = part("sec_1", ProvisionKind.SECTION, words("Lag", NOT_YET, None, AMENDING))
    swedish = replace(act_until(None, waiting), versions=(words("", NOT_YET),))
    read = begun_like(swedish, act_until(None))
    assert read.versions[0].validity.start == date(2020, 7, 1)
    assert read.children[0].versions[0].validity.is_pending


def test_a_year_s_act_lasts_as_long_as_it_is_changed() -> None:
    changed = part("sec_1", ProvisionKind.SECTION, words("a", date(2018, 2, 1), date(2019, 6, 14)),
                   words("b", date(2019, 6, 14), None, AMENDING))  # fmt: skip
    other = part("sec_2", ProvisionKind.SECTION, words("c", date(2018, 2, 1)))
    root = replace(act_until(None, changed, other), versions=(words("", date(2018, 2, 1)),))
    titled = replace(
        document(ACT, "fi", [], "Valtioneuvoston asetus vuonna 2018 maksettavasta tuesta"), root=root
    )
    read = ended_by_title(titled).root
    assert {one.versions[-1].validity.end for one in read.walk()} == {date(2020, 1, 1)}


def momentti(number: int, opening: str, *items: str) -> Provision:
    below = tuple(
        part(f"sec_7/subsec_{number}/para_{at}", ProvisionKind.ITEM, words(text, date(2001, 6, 1)))
        for at, text in enumerate(items, start=1)
    )
    own = (words(opening, date(2001, 6, 1)),) if opening else ()
    return part(f"sec_7/subsec_{number}", ProvisionKind.SUBSECTION, *own, children=below)


def test_items_that_an_older_wording_left_behind_are_left_out() -> None:
    items = ("työ on päättynyt kokonaan;", "toimipaikka on suljettu pysyvästi.")
    section = part("sec_7", ProvisionKind.SECTION, children=(
        momentti(1, "Työnantaja saa irtisanoa, jos:", *items), momentti(2, "", *items)))  # fmt: skip
    read = without_leftovers(act_until(None, section)).children[0]
    assert [str(one.id.path[-1]) for one in read.children] == ["subsec_1"]
    assert not any(version.findings for one in read.walk() for version in one.versions)


def test_items_that_stand_in_the_words_of_another_momentti_are_left_out() -> None:
    items = ("työ on päättynyt kokonaan;", "toimipaikka on suljettu pysyvästi.")
    told = f"Työnantaja saa irtisanoa, jos 1) {items[0]} 2) {items[1]}"
    section = part("sec_7", ProvisionKind.SECTION, children=(momentti(1, told), momentti(2, "", *items)))
    read = without_leftovers(act_until(None, section)).children[0]
    assert [str(one.id.path[-1]) for one in read.children] == ["subsec_1"]


def test_items_that_only_lost_their_opening_stay_and_say_so() -> None:
    section = part("sec_7", ProvisionKind.SECTION, children=(
        momentti(1, "Työnantaja saa irtisanoa, jos:", "työ on päättynyt."),
        momentti(2, "", "tekijän ikä;", "teon seuraus.")))  # fmt: skip
    read = without_leftovers(act_until(None, section)).children[0]
    assert [item.versions[0].findings for item in read.children[1].children] == [(NO_OPENING,), (NO_OPENING,)]
    assert read.children[0].children[0].versions[0].findings == ()


def test_two_lists_without_an_opening_do_not_make_each_other_vanish() -> None:
    items = ("työ on päättynyt kokonaan;", "toimipaikka on suljettu pysyvästi.")
    bare = (momentti(number, "", *items) for number in (2, 3))
    section = part("sec_7", ProvisionKind.SECTION, children=(momentti(1, "Työnantaja voi irtisanoa."), *bare))
    read = without_leftovers(act_until(None, section)).children[0]
    assert [str(one.id.path[-1]) for one in read.children] == ["subsec_1", "subsec_2", "subsec_3"]


def test_short_items_do_not_stand_in_a_rule_by_chance() -> None:
    told = "Veroa ei makseta, jos maksaja ja saaja ovat valtio tai kunta."
    section = part("sec_7", ProvisionKind.SECTION, children=(
        momentti(1, told), momentti(2, "", "valtio;", "kunta;", "maksaja.")))  # fmt: skip
    assert len(without_leftovers(act_until(None, section)).children[0].children) == 2


def test_words_of_other_days_do_not_replace_a_list() -> None:
    items = ("työ on päättynyt kokonaan;", "toimipaikka on suljettu pysyvästi.")
    before = tuple(
        part(f"sec_7/subsec_2/para_{at}", ProvisionKind.ITEM, words(text, date(1990, 1, 1), date(2001, 6, 1)))
        for at, text in enumerate(items, start=1)
    )
    section = part("sec_7", ProvisionKind.SECTION, children=(
        momentti(1, "Työnantaja saa irtisanoa, jos:", *items),
        part("sec_7/subsec_2", ProvisionKind.SUBSECTION, children=before)))  # fmt: skip
    assert len(without_leftovers(act_until(None, section)).children[0].children) == 2


def test_a_section_whose_own_words_change_keeps_its_momentti() -> None:
    day = date(2010, 1, 1)
    own = (words("Johdanto", date(2000, 1, 1), day), words("Johdanto.", day, None, AMENDING))
    section = part("sec_7", ProvisionKind.SECTION, *own, children=(momentti(1, "Vero maksetaan."),))
    read = with_ended_lists(act_until(None, section)).children[0]
    assert read.children[0].versions[0].validity.end is None


@pytest.mark.parametrize(
    ("later", "given_anew", "end"),
    [
        ("15 prosenttia osingosta;", False, date(2019, 1, 1)),
        ("15 prosenttia osingosta, jos saaja on:", False, None),  # still a list
        ("Veroa maksavat seuraavat saajat.", False, None),  # so is this
        ("15 prosenttia osingosta.", True, None),  # the items came with the new words
    ],
)
def test_items_end_where_new_words_open_no_list(later: str, given_anew: bool, end: date | None) -> None:
    day = date(2019, 1, 1)
    start = day if given_anew else date(2010, 1, 1)
    item = part("sec_7/subsec_1/para_3/point_a", ProvisionKind.ITEM, words("yhteisö;", start))
    para = part("sec_7/subsec_1/para_3", ProvisionKind.ITEM, words("10 prosenttia, jos saaja on:", None, day),
                words(later, day, None, AMENDING), children=(item,))  # fmt: skip
    subsection = part("sec_7/subsec_1", ProvisionKind.SUBSECTION, words("Vero on:", None), children=(para,))
    section = part("sec_7", ProvisionKind.SECTION, children=(subsection,))
    read = with_ended_lists(act_until(None, section))
    assert [one.versions[0].validity.end for one in read.walk() if one.id == item.id] == [end]
