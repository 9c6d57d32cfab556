"""Pages without numbers, matched to numbered acts: by list, by later acts, by name, and never by a guess."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import date

import pytest

from pykala.law.identifiers import WorkId
from pykala.packs.finland.pages.known_acts import KnownAct, is_source_of_numbers, known_acts
from pykala.packs.finland.pages.number_calendar import NumberCalendar
from pykala.packs.finland.pages.page_facts import (
    PageFacts,
    amended_name,
    folder_of,
    is_statute_page,
    page_facts,
    squeeze,
    title_tail,
)
from pykala.packs.finland.pages.page_matching import Match, match_pages

KALAVEROLAKI = WorkId("fi:act:2001/12")


def page(name: str, body: str, folder: str = "Laki", title: str = "") -> PageFacts:
    heading = title or name.partition("_")[0]
    html = f'<!DOCTYPE html><html lang="fi"><body><h1>{heading}</h1>{body}</body></html>'
    return page_facts(f"data/finlex/{folder}/{name}.html", html.encode())


def amending(name: str, sections: str, entry: str, rest: str = "", headings: str = "") -> PageFacts:
    clause = (
        "<p>Eduskunnan päätöksen mukaisesti</p><p><i>muutetaan</i> kalaverolain ( <a>12/2001</a> )"
        f" {sections}{rest} seuraavasti:</p>"
    )
    return page(name, f"{clause}{headings or '<h3>2 §</h3>'}<p>Sanoja.</p><p>{entry}</p>")


BASE = page(
    "Kalaverolaki",
    "<p>Eduskunnan päätöksen mukaisesti säädetään:</p><h3>9 §</h3>"
    "<p>Tämä laki tulee voimaan 1 päivänä maaliskuuta 2001.</p>"
    "<h2>Muutossäädösten voimaantulo ja soveltaminen</h2>"
    "<h4>27.5.2010/99:</h4><p>Tämä laki tulee voimaan 1 päivänä kesäkuuta 2010.</p><p>HE 12/2010</p>"
    "<h4>20.12.2019/1300:</h4><p>Tämä laki tulee voimaan 1 päivänä tammikuuta 2020.</p>",
)
FIRST = amending(
    "Laki kalaverolain muuttamisesta", "2 §", "Tämä laki tulee voimaan 1 päivänä kesäkuuta 2010."
)
SECOND = amending(
    "Laki kalaverolain muuttamisesta_1",
    "2 §",
    "Tämä laki tulee voimaan 1 päivänä tammikuuta 2020.",
    ", sellaisena kuin se on laissa 99/2010,",
)


def works(matches: dict[str, Match]) -> dict[str, str]:
    return {path.rpartition("/")[2].removesuffix(".html"): str(match.work) for path, match in matches.items()}


def test_the_list_of_a_consolidated_page_numbers_its_amending_acts() -> None:
    matches, unmatched = match_pages([BASE, FIRST, SECOND], [])
    assert works(matches) == {
        "Kalaverolaki": "fi:act:2001/12",
        "Laki kalaverolain muuttamisesta": "fi:act:2010/99",
        "Laki kalaverolain muuttamisesta_1": "fi:act:2019/1300",
    }
    assert unmatched == {}
    by_list = matches[FIRST.path]
    assert by_list.confidence > 0.9
    assert "entry-into-force text" in by_list.signs


def test_two_pages_that_fit_one_act_are_left_unmatched() -> None:
    twin = amending(
        "Laki kalaverolain muuttamisesta_2",
        "3 §",
        "Tämä laki tulee voimaan 1 päivänä kesäkuuta 2010.",
        headings="<h3>3 §</h3>",
    )
    known = [KnownAct(WorkId("fi:act:2010/99"), amends=KALAVEROLAKI, issued=date(2010, 5, 27))]
    bare = PageFacts(BASE.path, BASE.title, b"0", own=KALAVEROLAKI, listed=BASE.listed[:1])
    lone = amending(
        "Laki kalaverolain muuttamisesta_3", "2 §", "Tämä laki tulee voimaan 1 päivänä kesäkuuta 2010."
    )
    matches, unmatched = match_pages([bare, lone, twin], known)
    assert works(matches) == {"Kalaverolaki": "fi:act:2001/12"}
    assert set(unmatched.values()) == {"several pages fit the same act"}


def test_the_same_words_in_two_folders_are_one_act() -> None:
    twin = replace(FIRST, path="data/finlex/Laki (säädöskokoelma)/Laki kalaverolain muuttamisesta_7.html")
    empty = page_facts("data/finlex/Laki/Tyhjä.html", b"")
    matches, unmatched = match_pages([BASE, FIRST, twin, empty], [])
    assert matches[twin.path] == matches[FIRST.path]
    assert unmatched == {empty.path: "it has no title"}


def test_a_later_act_tells_which_act_wrote_a_section() -> None:
    older = amending(
        "Laki kalaverolain muuttamisesta_4",
        "7 ja 8 §",
        "Tämä laki tulee voimaan 1 päivänä elokuuta 2005.",
        headings="<h3>7 §</h3><h3>8 §</h3>",
    )
    later = amending(
        "Laki kalaverolain muuttamisesta_5",
        "7 ja 8 §",
        "Tämä laki tulee voimaan 1 päivänä elokuuta 2007.",
        ", sellaisina kuin ne ovat laissa 600/2005,",
    )
    matches, unmatched = match_pages([older, later], [])
    assert works(matches) == {"Laki kalaverolain muuttamisesta_4": "fi:act:2005/600"}
    assert later.path in unmatched  # it speaks of 600/2005, so it cannot be it


def test_an_act_in_another_time_or_with_other_words_is_not_it() -> None:
    known = [
        KnownAct(
            WorkId("fi:act:1995/700"),
            "Laki kalaverolain muuttamisesta",
            date(1995, 5, 5),
            amends=KALAVEROLAKI,
            entry="tämälakituleevoimaan1päivänäkesäkuuta1995",
            day=date(1995, 6, 1),
        )
    ]
    matches, unmatched = match_pages([FIRST], known)
    assert matches == {}
    assert unmatched[FIRST.path].startswith("no act that amended the same act fits")


def test_a_numbered_text_of_the_same_clause_wins() -> None:
    sources = [
        (
            "asd/fi/2010/asd20100099.xml",
            "<saa:SaadosNimeke><a>Laki</a> <b>kalaverolain muuttamisesta</b></saa:SaadosNimeke>"
            "<saa:Johtolause><x>Eduskunnan päätöksen mukaisesti</x><x>muutetaan kalaverolain (12/2001) 2 §"
            " seuraavasti:</x></saa:Johtolause><saa:PykalaTunnusKooste>2 §</saa:PykalaTunnusKooste>"
            "<m>Sanoja.</m><m>Tämä laki tulee voimaan 1 päivänä kesäkuuta 2010.</m><asi:AllekirjoitusOsa>"
            "<asi:PaivaysKooste>Helsingissä 27 päivänä toukokuuta 2010</asi:PaivaysKooste>",
        ),
        (
            "2010_99_fin.xml",
            '<FRBRdate date="2010-05-27" name="dateIssued"/>'
            "<docTitle>Laki kalaverolain muuttamisesta</docTitle>"
            '<formula name="enactingClause">Eduskunnan päätöksen mukaisesti muutetaan kalaverolain (12/2001)'
            " 2 § seuraavasti:</formula><num>2 §</num><p>Sanoja.</p>"
            "<p>Tämä laki tulee voimaan 1 päivänä kesäkuuta 2010.</p>"
            '<hcontainer name="signatures"/>',
        ),
    ]
    for path, text in sources:
        assert is_source_of_numbers(path)
        (act,) = known_acts(path, text.encode())
        assert (act.work, act.issued) == (WorkId("fi:act:2010/99"), date(2010, 5, 27))
        assert (act.amends, act.sections, act.day) == (KALAVEROLAKI, frozenset({"2"}), date(2010, 6, 1))
        matches, _ = match_pages([FIRST], [act])
        assert matches[FIRST.path].confidence == 0.99
        assert "enacting clause" in matches[FIRST.path].signs


def test_a_consolidated_act_tells_its_amendments() -> None:
    text = (
        '{"temporalVersion": {"dateDocument": "2001-02-09", "languageVersion": {"title_fi": "Kalaverolaki"},'
        '"hasPart": [{"@id": "sfsd:2001/12/pykala/2/momentti/1/ajantasa/20100601",'
        '"isMemberOf": "sfsd:2001/12/pykala/2/momentti/1", "amendedBy": "sfsd:2010/99/alkup",'
        '"languageVersion": {"hasFormat": {"content_fi": "Sanoja.\\n(27.5.2010/99)"}}}]}}'
    )
    act, amendment = known_acts("data/sd-jsonld-fi/2001-12.jsonld", text.encode())
    assert (act.work, act.title, act.issued) == (KALAVEROLAKI, "Kalaverolaki", date(2001, 2, 9))
    assert (amendment.work, amendment.amends) == (WorkId("fi:act:2010/99"), KALAVEROLAKI)
    assert (amendment.sections, amendment.issued) == (frozenset({"2"}), date(2010, 5, 27))
    assert [*known_acts("data/sd-jsonld-fi/2001-12.jsonld", b'{"temporalVersion": [')] == []


def test_new_acts_of_one_title_are_told_apart_by_their_time() -> None:
    body = "<p>Säädetään:</p><h3>1 §</h3><p>{}</p><h3>2 §</h3><p>Tämä laki tulee voimaan {}.</p>"
    old = page("Kuhalaki", body.format("A.", "1 päivänä tammikuuta 1990"))
    new = page("Kuhalaki_1", body.format("Kumotaan kuhalaki (900/1989).", "1 päivänä toukokuuta 2013"))
    cited = page(
        "Laki saaliista", body.format("Ks. kuhalain (900/1989) 1 § ja kuhalaissa (21/2013).", "ei koskaan")
    )
    matches, unmatched = match_pages([old, new, cited], [])
    assert works(matches) == {"Kuhalaki": "fi:act:1989/900", "Kuhalaki_1": "fi:act:2013/21"}
    assert unmatched == {cited.path: "no numbered act is known under this title"}


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Laki tuloverolain muuttamisesta", "tuloverolaki"),
        ("Laki tuloverolain 33 a ja 34 §:n väliaikaisesta muuttamisesta", "tuloverolaki"),
        ("Laki verotusmenettelystä annetun lain 5 §:n kumoamisesta", "verotusmenettelystä annettu laki"),
        ("Laki rahaston muuttamisesta tehdyn sopimuksen hyväksymisestä", ""),
        ("Tuloverolaki", ""),
    ],
)
def test_titles_name_the_act_that_they_amend(title: str, expected: str) -> None:
    assert amended_name(title) == expected


def test_a_long_title_is_cited_the_other_way_round() -> None:
    assert title_tail("Laki verotusmenettelystä") == ("verotusmenettelystä", "annettu laki")
    assert title_tail("Kuhalaki") == ("kuhalaki",)
    found = page(
        "Laki saaliista",
        "<h3>1 §</h3><p>Verotusmenettelystä 18 päivänä joulukuuta 1995 annetun lain (1558/95) mukaan.</p>",
    )
    (named,) = found.named
    assert named.name[-2:] == ("verotusmenettelystä", "annettu laki")
    assert (named.work, named.issued) == (WorkId("fi:act:1995/1558"), date(1995, 12, 18))


def test_clauses_tell_who_wrote_each_section_before() -> None:
    facts = amending(
        "Laki kalaverolain muuttamisesta_9",
        "3, 5–7 ja 9 a §",
        "Tämä laki tulee voimaan 1 päivänä elokuuta 2007.",
        ", sellaisina kuin niistä ovat 5 § laeissa 1/2003 ja 2/2004 sekä 9 a § laissa 3/2005,",
    )
    assert facts.sections == {"2", "3", "5", "6", "7", "9a"}
    told = [(set(one.sections), str(one.work)) for one in facts.earlier]
    assert told == [({"5"}, "fi:act:2003/1"), ({"5"}, "fi:act:2004/2"), ({"9a"}, "fi:act:2005/3")]


def test_numbers_date_the_numbers_between_them() -> None:
    calendar = NumberCalendar()
    for number in range(10, 200, 10):
        calendar.add(WorkId(f"fi:act:2004/{number}"), date(2004, 1 + number // 20, 1))
    calendar.add(WorkId("fi:act:2004/101"), date(2004, 12, 31))  # a slip among many
    calendar.settle()
    earliest, latest = calendar.bounds(WorkId("fi:act:2004/105"))
    assert date(2004, 3, 1) <= earliest <= latest <= date(2004, 9, 1)
    assert calendar.bounds(WorkId("fi:act:1977/5")) == (date(1977, 1, 1), date(1977, 12, 31))


@pytest.mark.parametrize(
    ("path", "folder"),
    [
        ("data/finlex/Laki/Kuhalaki.html", "Laki"),
        ("data/finlex/Asetus (säädöskokoelma)/Kuha-asetus_2.html", "Asetus (säädöskokoelma)"),
        ("data/finlex/Tuloverosopimukset/Viro/Sopimus.html", ""),
        ("data/vero/Ohjeet/Laki/x.html", ""),
    ],
)
def test_statute_pages_are_known_by_their_folder(path: str, folder: str) -> None:
    assert folder_of(path) == folder
    assert is_statute_page(path) is bool(folder)


@pytest.mark.parametrize(
    "filling",
    [
        "<h1>",
        "<",
        "<h3 ",
        "1, ",
        "1–50, ",
        " (1/1999)",
        "Tämä laki ",
        "<h4>1.1.2000/1:</h4>HE 1/2000",
        "\x00",
    ],
)
def test_a_hostile_page_is_looked_at_in_bounded_time(filling: str) -> None:
    started = time.process_time()
    page_facts("data/finlex/Laki/x.html", f"<h1>a</h1><p>muutetaan {filling * 20_000}§".encode())
    assert time.process_time() - started < 20


@pytest.mark.parametrize("other", range(101, 125))
def test_of_two_acts_that_fit_alike_the_page_s_own_words_decide(other: int) -> None:
    """The order in which a set gives the two is another in each process, and must not matter."""
    clause = (
        "<p>Maa- ja metsätalousministeriön päätöksen mukaisesti säädetään kalaverolain (12/2001) 7 §:n"
        " nojalla kalamaksuista seuraavaa:</p>"
    )
    entry = "Tämä asetus tulee voimaan 1 päivänä tammikuuta 2020 ja on voimassa sen loppuun."
    found = page("Asetus kalamaksuista", f"{clause}<h3>1 §</h3><p>Sanoja.</p><p>{entry}</p>", "Asetus")
    first, second = WorkId("fi:act:2019/1300"), WorkId(f"fi:act:2019/{other}")
    known = [
        KnownAct(first, title=found.title, clause=found.clause, entry=found.entry),
        KnownAct(second, title=found.title, clause=found.clause),
    ]
    matches, _ = match_pages([found], known)
    assert works(matches) == {"Asetus kalamaksuista": "fi:act:2019/1300"}


def test_of_pages_with_the_same_words_the_one_with_the_list_stands_for_all() -> None:
    """The Statute Book's page and the consolidated one may both leave out all words but the first."""
    words = "<p>Eduskunnan päätöksen mukaisesti säädetään:</p>"
    listed = (
        "<h2>Muutossäädösten voimaantulo ja soveltaminen</h2>"
        "<h4>27.5.2010/99:</h4><p>Tämän lain voimaantulosta säädetään erikseen lailla.</p>"
    )
    pages = [
        page("Kalaverolaki", words, "Laki (säädöskokoelma)"),
        page("Kalaverolaki", words + listed),
        page("Haukilaki", "<p>Kalaverolain (12/2001) mukaan.</p>"),
        amending(
            "Laki kalaverolain muuttamisesta", "2 §", "Tämän lain voimaantulosta säädetään erikseen lailla."
        ),
    ]
    matches, _ = match_pages(pages, [KnownAct(KALAVEROLAKI, "Kalaverolaki")])
    assert works(matches)["Laki kalaverolain muuttamisesta"] == "fi:act:2010/99"


@pytest.mark.parametrize(
    ("clause", "told"),
    [
        ("1–6 § sekä lisätään lakiin uusi 9 a luku", True),
        ("1–6 §", False),
        ("1–6 ja 88 § sekä lisätään lakiin uusi 9 a luku", False),
    ],
)
def test_sections_of_a_chapter_given_whole_are_not_in_the_clause(clause: str, told: bool) -> None:
    act = WorkId("fi:act:2010/99")
    sections = frozenset(map(str, (*range(1, 7), *range(20, 40))))
    entry = "Tämän lain voimaantulosta säädetään erikseen lailla."
    known = [
        KnownAct(KALAVEROLAKI, "Kalaverolaki"),
        KnownAct(act, amends=KALAVEROLAKI, sections=sections),
        KnownAct(act, amends=KALAVEROLAKI, entry=squeeze(f"{entry} Lakia sovelletaan haukiin.")),
    ]
    one = amending("Laki kalaverolain muuttamisesta", clause, f"{entry} Muuta ei ole.")
    matches, _ = match_pages([one], known)
    assert bool(matches) is told
