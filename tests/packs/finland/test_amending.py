"""Amending acts in the statute book's own XML, written here, read into operations and played forward."""

from __future__ import annotations

from datetime import date
from hashlib import sha256

import pytest

from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Document, Event, Provision, ProvisionKind
from pykala.law.references import EdgeKind, Method
from pykala.law.validity import Validity
from pykala.packs.finland import pack
from pykala.packs.finland.amendments.amending import PlayedForward, operations_of, play_forward, references_of
from pykala.packs.finland.amendments.amending_entry import ToldCommencement, commencements_told
from pykala.packs.finland.statutes.statute_xml import read_statute_xml
from pykala.packs.pack import Snapshot
from pykala.versions.operations import Amend, Insert, Reason, Renumber, Repeal, Status

NAMES = (
    'xmlns:vah="http://www.vn.fi/skeemat/vahvistettavalaki/2010/04/27"'
    ' xmlns:saa="http://www.vn.fi/skeemat/saadoskooste/2010/04/27"'
    ' xmlns:saa1="http://www.vn.fi/skeemat/saadoselementit/2010/04/27"'
    ' xmlns:met1="http://www.vn.fi/skeemat/metatietoelementit/2010/04/27"'
    ' xmlns:asi="http://www.vn.fi/skeemat/asiakirjakooste/2010/04/27"'
    ' xmlns:asi1="http://www.vn.fi/skeemat/asiakirjaelementit/2010/04/27"'
    ' xmlns:sis="http://www.vn.fi/skeemat/sisaltokooste/2010/04/27"'
)
DASHES = "<sis:Katkoviiva/>"
IN_FORCE = "Tämä laki tulee voimaan 1 päivänä tammikuuta 2020."


def momentti(words: str) -> str:
    return f"<saa:MomenttiKooste>{words}</saa:MomenttiKooste>"


def listed(introduction: str, *items: str) -> str:
    inner = "".join(
        one if one.startswith("<") else f"<saa:MomenttiKohtaKooste>{one}</saa:MomenttiKohtaKooste>"
        for one in items
    )
    return (
        f"<saa:KohdatMomentti><saa:MomenttiJohdantoKooste>{introduction}</saa:MomenttiJohdantoKooste>"
        f"{inner}</saa:KohdatMomentti>"
    )


def pykala(number: str, *parts: str, heading: str = "") -> str:
    titled = f"<saa:SaadosOtsikkoKooste>{heading}</saa:SaadosOtsikkoKooste>" if heading else ""
    return (
        '<saa:Pykala saa1:pykalaLuokitusKoodi="Pykala">'
        f"<saa:PykalaTunnusKooste>{number} §</saa:PykalaTunnusKooste>"
        f"{titled}{''.join(parts)}</saa:Pykala>"
    )


def luku(number: str, heading: str, *sections: str) -> str:
    return (
        f"<saa:Luku><saa:LukuTunnusKooste>{number} luku</saa:LukuTunnusKooste>"
        f"<saa:SaadosOtsikkoKooste>{heading}</saa:SaadosOtsikkoKooste>{''.join(sections)}</saa:Luku>"
    )


def act(
    number: int, year: int, clause: str, *body: str, in_force: str = IN_FORCE, title: str = ""
) -> Document:
    """One act read by the real reader."""
    entry = "".join(momentti(one) for one in in_force.split("\n"))
    data = (
        f'<?xml version="1.0" encoding="utf-8"?><vah:VahvistettavaLaki {NAMES} met1:kieliKoodi="fi">'
        "<asi:IdentifiointiOsa><asi:EduskuntaTunniste>"
        f"<asi1:AsiakirjaNroTeksti>{number}</asi1:AsiakirjaNroTeksti>"
        f"<asi1:ValtiopaivavuosiTeksti>{year}</asi1:ValtiopaivavuosiTeksti>"
        "</asi:EduskuntaTunniste></asi:IdentifiointiOsa>"
        '<saa:SaadosOsa><saa:Saados saa1:saadostyyppiNimi="Laki"><saa:SaadosNimeke>'
        "<saa:SaadostyyppiKooste>Laki</saa:SaadostyyppiKooste>"
        f"<saa:SaadosNimekeKooste>{title or 'kanavamaksulain muuttamisesta'}</saa:SaadosNimekeKooste>"
        f"</saa:SaadosNimeke><saa:Johtolause><saa:SaadosKappaleKooste>{clause}</saa:SaadosKappaleKooste>"
        f"</saa:Johtolause><saa:Pykalisto>{''.join(body)}"
        f'<saa:Pykala saa1:pykalaLuokitusKoodi="VoimaantuloSaannos">{entry}</saa:Pykala>'
        "</saa:Pykalisto></saa:Saados></saa:SaadosOsa></vah:VahvistettavaLaki>"
    ).encode()
    path = f"asd/fi/{year}/asd{year}{number:04}.xml"
    reading = read_statute_xml([Snapshot(path, data, sha256(data).hexdigest())], pack.facts)
    assert reading.refusals == ()
    return reading.documents[0]


BASE = act(
    321,
    2019,
    "säädetään:",
    luku("1", "Yleistä", pykala("1", momentti("Kanavasta maksetaan."), momentti("Toinen."), heading="Maksu"),
         pykala("2", listed("Maksusta on vapaa:", "1) soutuvene;", "2) kanootti."), momentti("Muu maksaa."))),
    luku("2", "Muuta", pykala("3", momentti("Kolmas."), momentti("Neljäs."), momentti("Viides."))),
    in_force="Tämä laki tulee voimaan 1 päivänä tammikuuta 2019.",
    title="kanavamaksuista",
)  # fmt: skip
LAW = "kanavamaksulain (321/2019)"
DAY = date(2020, 1, 1)


def amending(clause: str, *body: str, in_force: str = IN_FORCE, number: int = 900) -> Document:
    return act(
        number, 2019, f"Eduskunnan päätöksen mukaisesti {clause} seuraavasti:", *body, in_force=in_force
    )


def on(played: PlayedForward, day: date, path: str) -> str | None:
    standing = played.document.root.at(day)
    wanted = ProvisionId.parse(f"fi:act:2019/321/{path}")
    node = next((one for one in standing.walk() if one.id == wanted), None) if standing else None
    return node.versions[-1].text if node is not None else None


def find(document: Document, path: str) -> Provision:
    wanted = ProvisionId.parse(f"fi:act:2019/321/{path}")
    return next(one for one in document.root.walk() if one.id == wanted)


def test_a_printed_momentti_is_the_one_that_the_clause_names() -> None:
    new = amending(
        f"muutetaan {LAW} 3 §:n 1 ja 3 momentti", pykala("3", momentti("Eka."), DASHES, momentti("Vika."))
    )
    played = play_forward(BASE, [new])
    assert [on(played, DAY, f"sec_3/subsec_{n}") for n in (1, 2, 3)] == ["Eka.", "Neljäs.", "Vika."]
    assert on(played, date(2019, 12, 31), "sec_3/subsec_3") == "Viides."
    assert played.findings == ()


def test_a_kohta_is_found_by_its_printed_number_and_the_rest_stays() -> None:
    body = pykala("2", listed("Maksusta on vapaa:", DASHES, "2) kanootti;", "3) lautta."), DASHES)
    clause = f"muutetaan {LAW} 2 §:n 1 momentin 2 kohta sekä lisätään 2 §:n 1 momenttiin uusi 3 kohta"
    played = play_forward(BASE, [amending(clause, body)])
    items = [on(played, DAY, f"sec_2/subsec_1/para_{n}") for n in (1, 2, 3)]
    assert items == ["soutuvene;", "kanootti;", "lautta."]
    assert on(played, DAY, "sec_2/subsec_1") == "Maksusta on vapaa:"
    assert find(played.document, "sec_2/subsec_1/para_3").versions[0].event is Event.INSERTED


def test_dashes_behind_a_whole_list_stand_for_the_momentti_that_follow() -> None:
    body = pykala("2", listed("Maksusta on vapaa:", "1) soutuvene.", DASHES))
    played = play_forward(BASE, [amending(f"muutetaan {LAW} 2 §:n 1 momentti", body)])
    assert on(played, DAY, "sec_2/subsec_1/para_2") == "kanootti.", (
        "a single kohta may be the first of several"
    )
    body = pykala("2", listed("Maksusta on vapaa:", "1) soutuvene;", "2) lautta.", DASHES))
    longer = amending(
        f"muutetaan {LAW} 2 §:n 1 momentti",
        pykala("2", listed("Maksusta on vapaa:", "1) soutuvene;", "2) lautta;", "3) jolla.", DASHES)),
        in_force="Tämä laki tulee voimaan 1 päivänä kesäkuuta 2019.",
        number=800,
    )
    played = play_forward(BASE, [longer, amending(f"muutetaan {LAW} 2 §:n 1 momentti", body)])
    assert on(played, date(2019, 7, 1), "sec_2/subsec_1/para_3") == "jolla."
    assert [on(played, DAY, f"sec_2/subsec_1/para_{n}") for n in (2, 3)] == ["lautta.", None]
    assert on(played, DAY, "sec_2/subsec_2") == "Muu maksaa."


def test_numbers_move_and_a_moved_momentti_may_be_amended_too() -> None:
    body = pykala("3", DASHES, momentti("Uusi toka."), momentti("Muutettu toka."), DASHES)
    clause = (
        f"muutetaan {LAW} 3 §:n 2 momentti ja lisätään 3 §:ään uusi 2 momentti, jolloin muutettu 2 momentti"
        " siirtyy 3 momentiksi ja nykyinen 3 momentti siirtyy 4 momentiksi,"
    )
    played = play_forward(BASE, [amending(clause, body)])
    now = [on(played, DAY, f"sec_3/subsec_{n}") for n in (1, 2, 3, 4)]
    assert now == ["Kolmas.", "Uusi toka.", "Muutettu toka.", "Viides."]
    assert {one.status for one in played.outcomes} == {Status.APPLIED}


def test_momentti_that_only_move_may_be_printed_too() -> None:
    body = pykala("3", DASHES, momentti("Uusi toka."), momentti("Neljäs."), momentti("Viides."))
    moving = "jolloin nykyinen 2 ja 3 momentti siirtyvät 3 ja 4 momentiksi,"
    played = play_forward(BASE, [amending(f"lisätään {LAW} 3 §:ään uusi 2 momentti, {moving}", body)])
    now = [on(played, DAY, f"sec_3/subsec_{n}") for n in (1, 2, 3, 4)]
    assert now == ["Kolmas.", "Uusi toka.", "Neljäs.", "Viides."]
    assert played.findings == ()


def test_new_sections_stand_in_the_chapter_that_they_are_printed_in() -> None:
    body = luku("2", "Muuta", pykala("2 a", momentti("Lisätty.")))
    played = play_forward(BASE, [amending("lisätään kanavamaksulakiin (321/2019) uusi 2 a §", body)])
    chapters = {
        str(one.id.last): one for one in played.document.root.walk() if one.kind is ProvisionKind.CHAPTER
    }
    assert [str(child.id.last) for child in chapters["chp_2"].children] == ["sec_2a", "sec_3"]


def test_a_heading_is_changed_without_its_text() -> None:
    body = pykala("1", DASHES, heading="Uusi nimi")
    played = play_forward(BASE, [amending(f"muutetaan {LAW} 1 §:n otsikko", body)])
    assert find(played.document, "sec_1").heading == "Uusi nimi"
    assert on(played, DAY, "sec_1/subsec_1") == "Kanavasta maksetaan."


def test_closing_words_after_a_list_belong_to_its_momentti() -> None:
    body = pykala(
        "2", listed("Joka", "1) laiminlyö,", "2) rikkoo,"), momentti("on tuomittava sakkoon."), DASHES
    )
    played = play_forward(BASE, [amending(f"muutetaan {LAW} 2 §:n 1 momentti", body)])
    assert on(played, DAY, "sec_2/subsec_1/flush_1") == "on tuomittava sakkoon."
    assert on(played, DAY, "sec_2/subsec_2") == "Muu maksaa."


DATES = [
    ("Tämä laki tulee voimaan 1 päivänä maaliskuuta 2021.", Validity(date(2021, 3, 1))),
    ("Tämän lain voimaantulosta säädetään valtioneuvoston asetuksella.", Validity.pending()),
    (
        "Tämä laki tulee voimaan 1 päivänä maaliskuuta 2021 ja on voimassa 31 päivään joulukuuta 2022.",
        Validity(date(2021, 3, 1), date(2023, 1, 1)),
    ),
    (
        "Tämä laki tulee voimaan 1 päivänä maaliskuuta 2021. Lain 1 § tulee kuitenkin voimaan vasta 1 päivänä"
        " kesäkuuta 2022.",
        Validity(date(2022, 6, 1)),
    ),
    (
        "Tämä laki tulee voimaan 1 päivänä maaliskuuta 2021.\nLain 3 § on voimassa 31 päivään joulukuuta 2021"
        " ja 1 §:n 2 momentti 31 päivään joulukuuta 2025.",
        Validity(date(2021, 3, 1), date(2026, 1, 1)),
    ),
    (
        "Tämä laki tulee voimaan 1 päivänä maaliskuuta 2021. Lain 1 §:n 2 momentin voimaantulosta säädetään"
        " kuitenkin valtioneuvoston asetuksella.",
        Validity.pending(),
    ),
]


@pytest.mark.parametrize(("in_force", "expected"), DATES)
def test_since_when_and_until_when(in_force: str, expected: Validity) -> None:
    new = amending(
        f"muutetaan {LAW} 1 §:n 2 momentti", pykala("1", DASHES, momentti("Uusi.")), in_force=in_force
    )
    (operation,) = operations_of(new).operations
    assert operation.validity == expected
    assert operation.temporary == (expected.end is not None)


def test_application_is_told_of_its_own_place_before_that_of_the_act() -> None:
    in_force = (
        f"{IN_FORCE}\nLakia sovelletaan ensimmäisen kerran vuodelta 2020 toimitettavassa verotuksessa."
        " Lain 1 §:n 2 momenttia sovelletaan ensimmäisen kerran vuodelta 2021 toimitettavassa verotuksessa."
    )
    body = (pykala("1", DASHES, momentti("Uusi.")), pykala("3", momentti("Eka."), DASHES))
    new = amending(f"muutetaan {LAW} 1 §:n 2 momentti ja 3 §:n 1 momentti", *body, in_force=in_force)
    first, second = operations_of(new).operations
    assert "2021" in first.application
    assert "2020" not in first.application
    assert "2020" in second.application
    assert "2021" not in second.application


def test_what_is_amended_twice_ends_with_the_later_act() -> None:
    first = amending(
        f"muutetaan {LAW} 1 §:n 2 momentti", pykala("1", DASHES, momentti("Eka muutos.")), number=900
    )
    later = "Tämä laki tulee voimaan 1 päivänä tammikuuta 2021."
    second = amending(
        f"muutetaan {LAW} 1 §:n 2 momentti, sellaisena kuin se on laissa 900/2019,",
        pykala("1", DASHES, momentti("Toka muutos.")),
        in_force=later,
        number=901,
    )
    played = play_forward(BASE, [second, first])
    chain = find(played.document, "sec_1/subsec_2").versions
    assert [one.text for one in chain] == ["Toinen.", "Eka muutos.", "Toka muutos."]
    assert [one.source_act for one in chain[1:]] == [WorkId("fi:act:2019/900"), WorkId("fi:act:2019/901")]


def test_an_act_that_is_in_the_text_already_is_passed_over() -> None:
    new = amending(f"muutetaan {LAW} 1 §:n 2 momentti", pykala("1", DASHES, momentti("Uusi.")))
    once = play_forward(BASE, [new])
    again = play_forward(once.document, [new])
    assert again.document == once.document
    assert again.outcomes == ()


def test_momentti_that_do_not_fit_the_clause_are_refused_and_the_text_is_in_doubt() -> None:
    new = amending(
        f"muutetaan {LAW} 3 §:n 2 momentti", pykala("3", momentti("Eka."), DASHES, momentti("Toka."))
    )
    played = play_forward(BASE, [new])
    assert [one.reason for one in played.outcomes] == [Reason.TEXT_MISSING]
    assert on(played, DAY, "sec_3/subsec_2") == "Neljäs."
    assert find(played.document, "sec_3/subsec_2").versions[-1].findings


def test_a_clause_that_is_not_wholly_understood_is_told() -> None:
    new = amending(f"muutetaan {LAW} 1 §:n merkkiä 5 koskeva lause", pykala("1", momentti("Uusi.")))
    found = operations_of(new)
    assert found.operations == ()
    told = found.findings[0].message
    assert told.key == "unplayed.clause_unread"
    assert "merkkiä" in str(told.value("words"))


def test_only_the_operations_on_the_act_that_is_asked_for() -> None:
    new = amending(f"kumotaan {LAW} 1 § sekä sulkumaksulain (5/2018) 3 §")
    assert [str(one.target) for one in operations_of(new).operations] == [
        "fi:act:2019/321/sec_1",
        "fi:act:2018/5/sec_3",
    ]
    (only,) = operations_of(new, WorkId("fi:act:2018/5")).operations
    assert isinstance(only, Repeal)


def test_an_act_named_without_a_number_is_found_by_its_title() -> None:
    new = amending(
        "muutetaan kanavamaksuista annetun lain 1 §:n 2 momentti", pykala("1", DASHES, momentti("Uusi."))
    )
    assert operations_of(new).operations == ()
    named = {"kanavamaksuista annettu laki": WorkId("fi:act:2019/321")}
    (found,) = operations_of(new, names=named).operations
    assert str(found.target) == "fi:act:2019/321/sec_1/subsec_2"


def test_every_operation_says_in_which_words_it_is_stated() -> None:
    clause = (
        f"kumotaan {LAW} 1 §, muutetaan 3 §:n 1 momentti sekä lisätään 3 §:ään uusi 2 momentti, jolloin"
        " nykyinen 2 momentti siirtyy 3 momentiksi,"
    )
    new = amending(clause, pykala("3", momentti("A."), momentti("B."), DASHES))
    found = operations_of(new).operations
    assert [type(one) for one in found] == [Repeal, Amend, Insert, Renumber]
    source = next(one for one in new.root.children if one.kind is ProvisionKind.ENACTING_CLAUSE)
    for one in found:
        assert one.said is not None
        assert one.said.clause == source.id
        assert source.versions[0].text[one.said.start : one.said.end] == one.said.text


def test_a_section_that_moves_is_labelled_as_the_pack_prints_it() -> None:
    clause = f"muutetaan {LAW} 3 §:n 1 momentti, jolloin nykyinen 4 § siirtyy 5 a §:ksi,"
    new = amending(clause, pykala("3", momentti("A."), DASHES))
    moved = [one for one in operations_of(new).operations if isinstance(one, Renumber)]
    assert [(str(one.to), one.relabel("4 §", one.to)) for one in moved] == [("sec_5a", "5 a §")]


def test_references_for_the_graph() -> None:
    clause = f"kumotaan {LAW} 1 §, muutetaan 3 §:n 1 momentti sekä lisätään lakiin uusi 4 §"
    new = amending(clause, pykala("3", momentti("A."), DASHES), pykala("4", momentti("B.")))
    found = references_of(new)
    assert [(one.kind, str(one.target), one.text) for one in found] == [
        (EdgeKind.REPEALS, "fi:act:2019/321/sec_1", "1 §"),
        (EdgeKind.AMENDS, "fi:act:2019/321/sec_3/subsec_1", "1 momentti"),
        (EdgeKind.INSERTS, "fi:act:2019/321/sec_4", "4 §"),
    ]
    assert {one.method for one in found} == {Method.AMENDMENT}


def test_new_words_for_a_section_of_a_time_do_not_prolong_it() -> None:
    first = amending(
        f"lisätään väliaikaisesti {LAW.replace('lain', 'lakiin')} uusi 4 §",
        pykala("4", momentti("Portti on kiinni.")),
        in_force="Tämä laki tulee voimaan 1.1.2020 ja on voimassa 30 päivään kesäkuuta 2020.",
    )
    second = amending(
        f"muutetaan {LAW} 4 §",
        pykala("4", momentti("Portti on auki.")),
        in_force="Tämä laki tulee voimaan 1.3.2020.",
        number=950,
    )
    played = play_forward(BASE, [first, second])
    days = [date(2020, month, 2) for month in (1, 3, 8)]
    found = [on(played, day, "chp_2/sec_4/subsec_1") or on(played, day, "sec_4/subsec_1") for day in days]
    assert found == ["Portti on kiinni.", "Portti on auki.", None]


def test_a_temporary_amendment_is_prolonged_by_a_later_act() -> None:
    first = amending(
        f"muutetaan väliaikaisesti {LAW} 1 §:n 2 momentti",
        pykala("1", DASHES, momentti("Toistaiseksi.")),
        in_force="Tämä laki tulee voimaan 1.1.2020 ja on voimassa 30 päivään kesäkuuta 2020.",
    )
    later = act(
        950,
        2020,
        "muutetaan kanavamaksulain väliaikaisesta muuttamisesta annetun lain (900/2019) voimaantulosäännös"
        " seuraavasti:",
        '<saa:Pykala saa1:pykalaLuokitusKoodi="Pykala">'
        + momentti(
            "Tämä laki tulee voimaan 1 päivänä tammikuuta 2020 ja on voimassa 31 päivään joulukuuta 2021."
        )
        + "</saa:Pykala>",
        in_force="Tämä laki tulee voimaan 15 päivänä kesäkuuta 2020.",
    )
    alone = play_forward(BASE, [first])
    assert on(alone, date(2020, 7, 1), "sec_1/subsec_2") == "Toinen."
    both = play_forward(BASE, [first, later])
    assert on(both, date(2021, 12, 31), "sec_1/subsec_2") == "Toistaiseksi."
    assert on(both, date(2022, 1, 1), "sec_1/subsec_2") == "Toinen."


def test_sections_printed_after_a_whole_chapter_are_no_part_of_it() -> None:
    body = luku("3", "Uutta", pykala("4", momentti("Neljäs pykälä.")), pykala("3", DASHES, momentti("Vika.")))
    clause = f"muutetaan {LAW} 3 §:n 3 momentti sekä lisätään lakiin uusi 3 luku"
    played = play_forward(BASE, [amending(clause, body)])
    assert [on(played, DAY, f"sec_3/subsec_{n}") for n in (1, 2, 3)] == ["Kolmas.", "Neljäs.", "Vika."]
    assert on(played, DAY, "sec_4/subsec_1") == "Neljäs pykälä."
    assert played.findings == ()


STRAY = [
    # An alakohta beside its kohta, a kohta below the one before it, a momentti at the end of a list.
    (
        f"muutetaan {LAW} 2 §:n 1 momentin 1 kohta",
        listed("Maksusta on vapaa:", "1) vene:", "a) soutuvene;", "b) purjevene;", DASHES),
        "sec_2/subsec_1/para_1/subpara_b",
        "purjevene;",
    ),
    (
        f"muutetaan {LAW} 2 §:n 1 momentti ja 2 momentti",
        listed("Maksusta on vapaa:", "1) vene.", "Muu maksaa kaksin verroin."),
        "sec_2/subsec_2",
        "Muu maksaa kaksin verroin.",
    ),
    (
        f"muutetaan {LAW} 2 §:n 1 momentin 2 kohta",
        momentti("Maksusta on vapaa:") + DASHES + momentti("2) lautta.") + DASHES,
        "sec_2/subsec_1/para_2",
        "lautta.",
    ),
]


@pytest.mark.parametrize(("clause", "body", "path", "expected"), STRAY)
def test_what_the_source_prints_at_the_wrong_level_is_put_right(
    clause: str, body: str, path: str, expected: str
) -> None:
    played = play_forward(BASE, [amending(clause, pykala("2", body))])
    assert on(played, DAY, path) == expected
    assert played.findings == ()


def test_a_day_left_to_a_decree_is_known_where_the_decree_is() -> None:
    open_day = "Tämän lain voimaantulosta säädetään valtioneuvoston asetuksella."
    new = amending(
        f"muutetaan {LAW} 1 §:n 2 momentti", pykala("1", DASHES, momentti("Uusi.")), in_force=open_day
    )
    words = "Kanavamaksulain muuttamisesta annettu laki (900/2019) tulee voimaan 1 päivänä huhtikuuta 2021."
    decree = act(77, 2021, "säädetään:", pykala("1", momentti(words)))
    assert commencements_told(decree) == (ToldCommencement(WorkId("fi:act:2019/900"), date(2021, 4, 1)),)
    waiting = play_forward(BASE, [new])
    assert on(waiting, date(2030, 1, 1), "sec_1/subsec_2") == "Toinen."
    begun = play_forward(BASE, [new, decree])
    assert on(begun, date(2021, 3, 31), "sec_1/subsec_2") == "Toinen."
    assert on(begun, date(2021, 4, 1), "sec_1/subsec_2") == "Uusi."


TOLD = [
    ("Kanavalain muuttamisesta annetun lain (9/2019) 3 luvun 2 §:n 1 momentti tulee voimaan 23.12.2024.",
     [("2019/9", "3 luvun 2 §:n 1 momentti")]),
    ("Laki kanavamaksulain 9 §:n muuttamisesta (71/2021) tulee voimaan 10 päivänä kesäkuuta 2021.",
     [("2021/71", "")]),
    ("Kanavista annettu laki (946/2021), jäljempänä uusi laki, ja sulkulaki (948/2021) tulevat voimaan"
     " 1 päivänä tammikuuta 2022.", [("2021/946", ""), ("2021/948", "")]),
    ("Tämä asetus tulee voimaan 1 päivänä toukokuuta 2021.", []),
    ("Kanavamaksulain (1/2000) 3 §:ssä tarkoitettu lupa tulee hakea.", []),
]  # fmt: skip


@pytest.mark.parametrize(("words", "expected"), TOLD)
def test_what_a_decree_tells_of_other_acts(words: str, expected: list[tuple[str, str]]) -> None:
    decree = act(77, 2021, "säädetään:", pykala("1", momentti(words)))
    found = [(one.act.value.removeprefix("fi:act:"), one.places) for one in commencements_told(decree)]
    assert found == expected


def test_a_list_of_acts_that_enter_into_force_together() -> None:
    body = listed(
        "Seuraavat lait tulevat voimaan 1 päivänä tammikuuta 2019:", "1) laki kanavista (935/2018);",
        "2) laki suluista (936/2018).",
    )  # fmt: skip
    told = commencements_told(act(937, 2018, "säädetään:", pykala("1", body)))
    assert [(one.act.value, one.start) for one in told] == [
        ("fi:act:2018/935", date(2019, 1, 1)),
        ("fi:act:2018/936", date(2019, 1, 1)),
    ]
