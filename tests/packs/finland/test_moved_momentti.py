"""Momentti that an act gave another number: their words stand under the new one from its day on."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pytest
from statute_book import momentti, printed, read, write

import semantic_finlex as finlex
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.messages import Message
from pykala.law.provisions import Event, Provision, ProvisionKind, Version
from pykala.law.validity import Validity
from pykala.packs.finland.amendments.doubles import without_doubles

CONSOLIDATED = "data/sd-jsonld-fi/2001-77.jsonld"
OMITTED = "<sis:Katkoviiva/>"
ADULTS = "Aikuinen maksaa maksun siten kuin virasto sen määrää."
CHILDREN = "Lapselta ei peritä tässä laissa tarkoitettua maksua."
DOGS = "Koirasta maksetaan maksu silloin, kun se on talutettava."
MOVING = "1 §:ään uusi {new} momentti, jolloin nykyinen {old} momentti siirtyy {to} momentiksi,"
Chain = list[tuple[str, str, str]]


def momentit(*words: str, items: Sequence[str] = ()) -> str:
    """A section 1 of the Statute Book; `items` are a list in its last momentti."""
    below = "".join(
        one if one == OMITTED else f"<saa:MomenttiKohtaKooste>{one}</saa:MomenttiKohtaKooste>"
        for one in items
    )
    made = [one if one == OMITTED else f"<saa:MomenttiKooste>{one}</saa:MomenttiKooste>" for one in words]
    if items:
        opening = f"<saa:MomenttiJohdantoKooste>{words[-1]}</saa:MomenttiJohdantoKooste>"
        made[-1] = f"<saa:KohdatMomentti>{opening}{below}</saa:KohdatMomentti>"
    return f"<saa:Pykala><saa:PykalaTunnusKooste>1 §</saa:PykalaTunnusKooste>{''.join(made)}</saa:Pykala>"


def adding(number: int, year: int, clause: str, body: str) -> tuple[str, bytes]:
    """An act that only adds: "lisätään … 1 §:ään uusi 2 momentti, jolloin …"."""
    path, data = printed(number, year, body, place=clause)
    return path, data.replace(b"muutetaan", "lisätään".encode())


def consolidated(*words: dict[str, object]) -> dict[str, bytes]:
    """Section 1 as the source has it; each momentti with its words, day and act."""
    whole = finlex.node("pykala/1", "", *words)
    data = json.dumps(finlex.act(whole, since="2002-01-01"), ensure_ascii=False).encode()
    return {CONSOLIDATED: data}


def now(number: int, words: str, day: str = "", act: str = "") -> dict[str, object]:
    return finlex.node(f"pykala/1/momentti/{number}", words, day=day, amended=act)


def now_list(number: int, opening: str, items: Sequence[str], day: str, act: str) -> dict[str, object]:
    place, days = f"pykala/1/momentti/{number}", {"day": day, "amended": act}
    below = (finlex.node(f"{place}/kohta/{at}", words, **days) for at, words in enumerate(items, start=1))
    return finlex.node(place, "", finlex.node(f"{place}/johdanto", opening, **days), *below, **days)


def chain(folder: Path, place: str) -> Chain:
    versions = momentti(read(folder, "act:2001/77"), f"sec_1/{place}").versions
    return [
        (one.text, f"{one.validity.start or ''}/{one.validity.end or ''}", one.event.value)
        for one in versions
    ]


FIRST = printed(77, 2001, momentit(ADULTS, CHILDREN), base=True)
DOGS_ADDED = adding(6, 2010, MOVING.format(new=2, old=2, to=3), momentit(OMITTED, DOGS))


@pytest.mark.parametrize(
    ("day", "act"),
    [
        ("", ""),  # the source thinks that the third momentti was there from the beginning
        ("20110101", "2010/6"),  # or it has the day of the move
    ],
)
def test_words_stand_under_the_number_that_they_were_given(tmp_path: Path, day: str, act: str) -> None:
    source = consolidated(now(1, ADULTS), now(2, DOGS, "20110101", "2010/6"), now(3, CHILDREN, day, act))
    write(tmp_path, {**source, **dict([FIRST, DOGS_ADDED])})
    assert [one[:2] for one in chain(tmp_path, "subsec_2")] == [
        (CHILDREN, "2002-01-01/2011-01-01"), (DOGS, "2011-01-01/"),
    ]  # fmt: skip
    assert [one[:2] for one in chain(tmp_path, "subsec_3")] == [(CHILDREN, "2011-01-01/")]


@pytest.mark.parametrize(
    ("repealing", "place"),
    [
        ("", [(CHILDREN, "2011-01-01/2016-01-01", "renumbered"), ("Uusi sana.", "2016-01-01/", "amended")]),
        # Another act touched the words before they moved, and gave none that are known.
        ("1 §:n 2 momentin johdantokappale", [("Uusi sana.", "2016-01-01/", "amended")]),
    ],
)
def test_words_that_moved_are_a_past_wording_of_their_new_number(
    tmp_path: Path, repealing: str, place: Chain
) -> None:
    acts = [FIRST, DOGS_ADDED, printed(8, 2015, momentit(OMITTED, "Uusi sana."), place="1 §:n 3 momentti")]
    if repealing:
        acts.append(printed(4, 2005, momentit(OMITTED, "Maksu on:"), place=repealing))
    source = consolidated(
        now(1, ADULTS), now(2, DOGS, "20110101", "2010/6"), now(3, "Uusi sana.", "20160101", "2015/8")
    )
    write(tmp_path, {**source, **dict(acts)})
    assert chain(tmp_path, "subsec_3") == place


def test_words_may_move_twice(tmp_path: Path) -> None:
    again = adding(
        8, 2015, MOVING.format(new=3, old=3, to=4), momentit(OMITTED, "Kissasta ei makseta mitään.")
    )
    source = consolidated(
        now(1, ADULTS), now(2, DOGS, "20110101", "2010/6"),
        now(3, "Kissasta ei makseta mitään.", "20160101", "2015/8"), now(4, CHILDREN),
    )  # fmt: skip
    write(tmp_path, {**source, **dict([FIRST, DOGS_ADDED, again])})
    assert chain(tmp_path, "subsec_3")[0] == (CHILDREN, "2011-01-01/2016-01-01", "renumbered")
    assert chain(tmp_path, "subsec_4") == [(CHILDREN, "2016-01-01/", "renumbered")]


def test_what_stood_under_the_number_stood_until_the_move(tmp_path: Path) -> None:
    # The source dates the words that came from number two by the act that first gave them there.
    moving = "1 §:ään uusi 2 momentti, jolloin muutettu 2 momentti siirtyy 3 momentiksi,"
    three = printed(
        77, 2001, momentit(ADULTS, "Maksu on suoritettava.", "Kissasta ei makseta mitään."), base=True
    )
    given = printed(4, 2005, momentit(OMITTED, CHILDREN), place="1 §:n 2 momentti")
    moved = adding(6, 2010, moving, momentit(OMITTED, DOGS))
    source = consolidated(
        now(1, ADULTS), now(2, DOGS, "20110101", "2010/6"),
        finlex.node("pykala/1/momentti/3", "Kissasta ei makseta mitään."),
        now(3, CHILDREN, "20060101", "2005/4"),
    )  # fmt: skip
    write(tmp_path, {**source, **dict([three, given, moved])})
    assert [one[:2] for one in chain(tmp_path, "subsec_3")] == [
        ("Kissasta ei makseta mitään.", "2002-01-01/2011-01-01"), (CHILDREN, "2011-01-01/"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("clause", "lacking"),
    [
        (MOVING.format(new=2, old=2, to=3), True),  # what had the number before is not held
        ("1 §:ään uusi 2 momentti", False),
    ],
)
def test_a_momentti_that_an_act_added_was_not_there_before(
    tmp_path: Path, clause: str, lacking: bool
) -> None:
    # The source has it as first enacted; the act as first printed is not held.
    source = consolidated(now(1, ADULTS), now(2, DOGS), now(3, CHILDREN))
    write(tmp_path, {**source, **dict([adding(6, 2010, clause, momentit(OMITTED, DOGS))])})
    assert chain(tmp_path, "subsec_2") == [(DOGS, "2011-01-01/", "inserted")]
    (version,) = momentti(read(tmp_path, "act:2001/77"), "sec_1/subsec_2").versions
    assert version.history_unavailable is lacking


def test_a_momentti_that_was_there_from_the_beginning_is_not_added(tmp_path: Path) -> None:
    source = consolidated(now(1, ADULTS), now(2, CHILDREN))
    again = adding(6, 2010, "1 §:ään uusi 2 momentti", momentit(OMITTED, CHILDREN))
    write(tmp_path, {**source, **dict([FIRST, again])})
    assert chain(tmp_path, "subsec_2") == [(CHILDREN, "2002-01-01/", "enacted")]


def test_a_list_moves_with_the_item_that_was_changed_last(tmp_path: Path) -> None:
    items = ("1) aikuiselta 4 euroa;", "2) lapselta 1 euro.")
    first = printed(77, 2001, momentit(ADULTS, "Maksu on:", items=items), base=True)
    changed = printed(4, 2005, momentit(OMITTED, "Maksu on:", items=(OMITTED, "2) lapselta 2 euroa.")),
                      place="1 §:n 2 momentin 2 kohta")  # fmt: skip
    dogs = ("1) hauvasta 3 euroa;", "2) pennusta 1 euro.")
    added = adding(
        6, 2010, MOVING.format(new=2, old=2, to=3), momentit(OMITTED, "Koiramaksu on:", items=dogs)
    )
    now_items = ("1) aikuiselta 9 euroa;", "2) lapselta 6 euroa.")
    source = consolidated(
        now(1, ADULTS),
        now_list(2, "Koiramaksu on:", dogs, "20110101", "2010/6"),
        now_list(3, "Maksu on:", now_items, "20160101", "2015/8"),
    )
    new = momentit(OMITTED, "Maksu on:", items=now_items)
    last = printed(8, 2015, new, place="1 §:n 3 momentti")
    write(tmp_path, {**source, **dict([first, changed, added, last])})
    for item, before, after in (
        (1, "aikuiselta 4 euroa;", "aikuiselta 9 euroa;"),
        (2, "lapselta 2 euroa.", "lapselta 6 euroa."),
    ):
        assert [one[:2] for one in chain(tmp_path, f"subsec_3/para_{item}")] == [
            (before, "2011-01-01/2016-01-01"), (after, "2016-01-01/"),
        ]  # fmt: skip


# Words that stand twice, where the act that moved them is not held -------------------------------

DAY = date(2011, 1, 1)
MOVER = WorkId("fi:act:2010/6")


def version(text: str, start: date | None, end: date | None = None, act: WorkId | None = None) -> Version:
    return Version(text, Validity(start, end), event=Event.AMENDED if act else Event.ENACTED, source_act=act)


def part(path: str, *versions: Version, children: tuple[Provision, ...] = ()) -> Provision:
    kinds = {"sec": ProvisionKind.SECTION, "subsec": ProvisionKind.SUBSECTION, "para": ProvisionKind.ITEM}
    identifier = ProvisionId.parse(f"fi:act:2001/77/{path}")
    return Provision(identifier, kinds[identifier.path[-1].kind], versions=versions, children=children)


SHORT, OPENING = "Virasto perii maksun.", "Tämän lain mukainen maksu on perittävä:"


@pytest.mark.parametrize(
    ("first", "second", "begun"),
    [
        (version(CHILDREN, date(2002, 1, 1), DAY), version(CHILDREN, date(2002, 1, 1)), True),
        (version(CHILDREN, date(2002, 1, 1), DAY), version(CHILDREN, None), True),
        (version(CHILDREN, date(2002, 1, 1), DAY), version(f"{CHILDREN[:-1]};", date(2006, 1, 1)), True),
        (version(CHILDREN, date(2002, 1, 1), DAY), version(DOGS, date(2002, 1, 1)), False),  # other words
        (version(CHILDREN, date(2002, 1, 1), DAY), version(CHILDREN, DAY), False),  # right already
        (version(CHILDREN, date(2002, 1, 1), DAY), version(CHILDREN, None, date(2002, 1, 1)), False),
        (version(CHILDREN, date(2002, 1, 1)), version(CHILDREN, date(2002, 1, 1)), False),  # nothing moved
        (version(SHORT, date(2002, 1, 1), DAY), version(SHORT, date(2002, 1, 1)), False),  # by chance alike
        (version(OPENING, date(2002, 1, 1), DAY), version(OPENING, date(2002, 1, 1)), False),
    ],
)
def test_words_do_not_stand_under_two_numbers_at_once(first: Version, second: Version, begun: bool) -> None:
    after = (version(DOGS, DAY, None, MOVER),) if first.validity.end else ()
    section = part("sec_1", children=(part("sec_1/subsec_2", first, *after), part("sec_1/subsec_3", second)))
    one, other = without_doubles(section).children
    assert one.versions == (first, *after)
    if not begun:
        assert other.versions == (second,)
        return
    (found,) = other.versions
    assert (found.text, found.validity) == (second.text, Validity(DAY, second.validity.end))
    assert (found.event, found.source_act, found.history_unavailable) == (Event.RENUMBERED, MOVER, True)


def test_what_stood_where_doubled_words_came_stood_until_then() -> None:
    cats = version("Kissasta ei makseta mitään.", date(2002, 1, 1), date(2006, 1, 1))
    moved = version(CHILDREN, date(2006, 1, 1), None, WorkId("fi:act:2005/4"))
    old = part("sec_1/subsec_2", version(CHILDREN, date(2006, 1, 1), DAY), version(DOGS, DAY, None, MOVER))
    item = part("sec_1/subsec_3/para_1", version("lapsi;", date(2006, 1, 1)))
    section = part("sec_1", children=(old, part("sec_1/subsec_3", cats, moved, children=(item,))))
    found = without_doubles(section).children[1]
    assert [one.validity for one in found.versions] == [Validity(date(2002, 1, 1), DAY), Validity(DAY)]
    assert not found.versions[1].history_unavailable
    assert found.children == (item,)  # the words above it were alike; nobody says that it moved


def test_words_that_the_source_keeps_under_their_old_number_too_ended_there(tmp_path: Path) -> None:
    # A momentti was added and two moved; the source has the last one twice, and the one before it nowhere.
    clause = "1 §:ään uusi 2 momentti, jolloin nykyinen 2 ja 3 momentti siirtyvät 3 ja 4 momentiksi,"
    source = consolidated(
        now(1, ADULTS), now(2, DOGS, "20110101", "2010/6"), now(3, CHILDREN), now(4, CHILDREN)
    )
    write(tmp_path, {**source, **dict([adding(6, 2010, clause, momentit(OMITTED, DOGS))])})
    assert chain(tmp_path, "subsec_3") == [
        (CHILDREN, "2002-01-01/2011-01-01", "enacted"), ("", "2011-01-01/", "renumbered"),
    ]  # fmt: skip
    assert chain(tmp_path, "subsec_4") == [(CHILDREN, "2011-01-01/", "renumbered")]
    lost = momentti(read(tmp_path, "act:2001/77"), "sec_1/subsec_3").versions[-1]
    assert lost.findings == (Message.of("finding.moved_here", act="6/2010"),)


def test_words_that_may_stand_under_their_old_number_say_so(tmp_path: Path) -> None:
    clause = "1 §:ään uusi 1 momentti, jolloin nykyinen 1 ja 2 momentti siirtyvät 2 ja 3 momentiksi,"
    source = consolidated(now(1, ADULTS), now(2, CHILDREN), now(3, CHILDREN))
    write(tmp_path, {**source, **dict([adding(6, 2010, clause, momentit(DOGS, OMITTED))])})
    told = momentti(read(tmp_path, "act:2001/77"), "sec_1/subsec_1").versions
    assert any(Message.of("finding.perhaps_next", act="6/2010") in one.findings for one in told)
    assert chain(tmp_path, "subsec_3") == [(CHILDREN, "2011-01-01/", "renumbered")]


def test_what_waited_for_its_day_when_the_text_was_made_much_later_does_not_wait_after_it(
    tmp_path: Path,
) -> None:
    path, data = printed(6, 2010, momentit("Aikuinen ei maksa mitään."))
    waiting = data.replace(
        "1 päivänä tammikuuta 2011".encode(), "asetuksella säädettävänä ajankohtana".encode()
    )
    write(tmp_path, {**consolidated(now(1, ADULTS)), path: waiting})
    assert chain(tmp_path, "subsec_1") == [(ADULTS, "2002-01-01/", "enacted")]
