# ruff: noqa: E501 - a case reads better on one line
"""One act from all its sources: grouped by what the files say, the best text chosen, amendments played."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from statute_book import momentti, printed, read, section, survey, write

import semantic_finlex as finlex
from pykala.graph.relate import relate
from pykala.law.messages import Message
from pykala.law.provisions import ProvisionKind
from pykala.law.references import EdgeKind
from pykala.law.validity import Validity
from pykala.packs.finland import pack
from pykala.packs.finland.acts import UNKNOWN_AGE, _renamed
from pykala.packs.finland.amendments.repeals import perhaps_repealed_in, repealed_in
from pykala.packs.finland.periods import last_year
from pykala.packs.finland.survey import surveyed
from pykala.packs.left_out import NO_LIST
from pykala.packs.pack import SurveyingPack

CONSOLIDATED = "data/sd-jsonld-fi/2001-77.jsonld"


def consolidated(*, amount: str = "Maksu on 10 euroa.") -> bytes:
    parts = [
        finlex.node("pykala/1", "", finlex.node("pykala/1/momentti/1", amount), title="Maksun määrä"),
        finlex.node("pykala/2", "", finlex.node("pykala/2/momentti/1", "Maksun kantaa virasto.")),
    ]
    return json.dumps(finlex.act(*parts, since="2001-03-01"), ensure_ascii=False).encode()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "source"


def test_the_pack_looks_into_its_files() -> None:
    assert isinstance(pack, SurveyingPack)


def test_an_act_has_the_files_of_every_act_that_amends_it(folder: Path) -> None:
    amending = [printed(5, 2019, section("1", "Maksu on 20 euroa."), language=code) for code in ("fi", "sv")]
    other = printed(6, 2019, section("1", "Muu."), base=True)
    write(folder, {CONSOLIDATED: consolidated(), **dict(amending), other[0]: other[1]})
    items = survey(folder)
    assert set(items) == {"act:2001/77", "act:2019/5", "act:2019/6"}
    assert items["act:2001/77"].paths == (CONSOLIDATED, *(path for path, _ in amending))
    assert {note for _, note in items["act:2001/77"].notes} == {"amends as 2019/5"}
    assert items["act:2019/6"].paths == (other[0],)


def test_amendments_are_played_onto_the_consolidated_text(folder: Path) -> None:
    acts = [
        printed(5, 2019, section("1", "Maksu on 20 euroa.")),
        printed(9, 2021, section("1", "Maksu on 30 euroa.")),
    ]
    write(folder, {CONSOLIDATED: consolidated(), **dict(acts)})
    chain = momentti(read(folder, "act:2001/77"), "sec_1/subsec_1").versions
    assert [(version.text, version.validity.start, str(version.source_act or "")) for version in chain] == [
        ("Maksu on 10 euroa.", date(2001, 3, 1), ""),
        ("Maksu on 20 euroa.", date(2020, 1, 1), "fi:act:2019/5"),
        ("Maksu on 30 euroa.", date(2022, 1, 1), "fi:act:2021/9"),
    ]
    assert [version.validity.end for version in chain] == [date(2020, 1, 1), date(2022, 1, 1), None]


def test_what_the_consolidated_text_has_already_is_not_played_again(folder: Path) -> None:
    # In force before the state of 1 January 2018: what it wrote is in the text, or was replaced since.
    old = printed(5, 2015, section("1", "Maksu on 5 euroa."))
    write(folder, {CONSOLIDATED: consolidated(), old[0]: old[1]})
    chain = momentti(read(folder, "act:2001/77"), "sec_1/subsec_1").versions
    assert [version.text for version in chain] == ["Maksu on 10 euroa."]


def test_the_amending_act_points_at_what_it_changes(folder: Path) -> None:
    amending = printed(5, 2019, section("1", "Maksu on 20 euroa."))
    write(folder, {CONSOLIDATED: consolidated(), amending[0]: amending[1]})
    (document,) = read(folder, "act:2019/5").documents
    found = [(one.kind, str(one.target)) for one in document.references]
    assert (EdgeKind.AMENDS, "fi:act:2001/77/sec_1") in found


def test_one_work_with_every_file_that_it_is_known_from(folder: Path) -> None:
    copy = printed(77, 2001, section("1", "Maksu on kymmenen euroa."), base=True)
    write(folder, {CONSOLIDATED: consolidated(), copy[0]: copy[1]})
    reading = read(folder, "act:2001/77")
    (document,) = reading.documents
    assert momentti(reading, "sec_1/subsec_1").versions[0].text == "Maksu on 10 euroa."
    assert [(one.path, bool(one.notes)) for one in document.manifestations] == [
        (CONSOLIDATED, False), (copy[0], True),
    ]  # fmt: skip
    assert "not chosen" in document.manifestations[1].notes[-1]
    assert reading.work is not None
    assert {"77/2001", "laki koemaksusta"} <= set(reading.work.aliases)


def test_a_swedish_text_ends_where_only_the_finnish_is_known_to_change(folder: Path) -> None:
    base = [
        printed(
            77, 2018, section("1", "Maksu on 10 euroa.") + section("2", "Virasto kantaa maksun."), base=True
        ),
        printed(
            77,
            2018,
            section("1", "Avgiften är 10 euro.") + section("2", "Verket tar ut avgiften."),
            language="sv",
            base=True,
        ),
    ]
    amending = printed(5, 2020, section("1", "Maksu on 20 euroa."))
    # The clause names 77/2001; here the act is 77/2018.
    changed = amending[0], amending[1].replace(b"(77/2001)", b"(77/2018)")
    write(folder, {**dict(base), changed[0]: changed[1]})
    reading = read(folder, "act:2018/77")
    finnish = momentti(reading, "sec_1/subsec_1").versions
    assert [version.text for version in finnish] == ["Maksu on 10 euroa.", "Maksu on 20 euroa."]
    (swedish,) = momentti(reading, "sec_1/subsec_1", "sv").versions
    assert swedish.validity.end == date(2021, 1, 1)
    assert momentti(reading, "sec_2/subsec_1", "sv").versions[0].validity.end is None
    assert any(str(one.first).endswith("sec_1/subsec_1") for one in reading.pairings)


def test_a_source_that_cannot_be_read_leaves_the_others(folder: Path) -> None:
    copy = printed(77, 2001, section("1", "Maksu on kymmenen euroa."), base=True)
    write(folder, {CONSOLIDATED: b"{", copy[0]: copy[1]})
    reading = read(folder, "act:2001/77")
    assert [refusal.path for refusal in reading.refusals] == [CONSOLIDATED]
    assert momentti(reading, "sec_1/subsec_1").versions[0].text == "Maksu on kymmenen euroa."


def test_words_given_to_a_loaded_act_are_found_there_and_not_here(folder: Path) -> None:
    amending = printed(5, 2019, section("1", "Maksu on 20 euroa."))
    stranger = printed(6, 2019, section("3", "Muu laki muuttuu."))
    unknown = stranger[0], stranger[1].replace(b"(77/2001)", b"(8/1999)").replace(b"koemaksusta", b"muusta")
    write(folder, {CONSOLIDATED: consolidated(), amending[0]: amending[1], unknown[0]: unknown[1]})
    (document,) = read(folder, "act:2019/5").documents
    given = next(one for one in document.root.walk() if str(one.id).endswith("sec_1"))
    assert given.kind is ProvisionKind.AMENDMENT
    kinds = {one.kind for _, one in pack.sections(document)}
    assert ProvisionKind.ENTRY_INTO_FORCE in kinds
    assert not kinds & {ProvisionKind.SECTION, ProvisionKind.AMENDMENT}
    # Where the act that it changes is not here, the amending act is all there is of those words.
    (alone,) = read(folder, "act:2019/6").documents
    assert any(one.kind is ProvisionKind.SECTION for _, one in pack.sections(alone))


@pytest.mark.parametrize("opening", ["Tällä lailla", "Lailla", "Asetuksella", "Päätöksellä", "Täten"])
def test_an_act_that_another_repeals_in_its_own_words_has_an_end(folder: Path, opening: str) -> None:
    repealing = printed(
        5, 2020, section("9", f"{opening} kumotaan koemaksusta annettu laki (77/2001)."), base=True
    )
    write(
        folder,
        {
            CONSOLIDATED: consolidated(),
            repealing[0]: repealing[1].replace(b">koemaksusta<", b">uudesta maksusta<"),
        },
    )
    chain = momentti(read(folder, "act:2001/77"), "sec_1/subsec_1").versions
    assert [version.validity.end for version in chain] == [date(2021, 1, 1)]
    (document,) = read(folder, "act:2020/5").documents
    assert [(one.kind, str(one.target)) for one in document.references] == [
        (EdgeKind.REPEALS, "fi:act:2001/77")
    ]


@pytest.mark.parametrize(
    ("text", "acts"),
    [
        ("Tällä lailla kumotaan rehulaki (86/2008).", ["2008/86"]),
        ("Tällä lailla kumotaan hyljetuotteiden kaupasta annettu laki (904/2014).", ["2014/904"]),
        ("Tällä lailla kumotaan kansalaisuuslain (359/2003) 48 §.", []),
        ("Tällä asetuksella kumotaan aerosoliasetus (1433/1993) ja lampuista annettu asetus (5/2001).",
         ["1993/1433", "2001/5"]),
        ("Laki kumotaan. Tällä lailla säädetään rehulaista (86/2008).", []),
        ("Tällä lailla kumotaan veroista annettu laki (12/87).", ["1987/12"]),
        ("Genom denna lag upphävs 5 § i foderlagen (86/2008).", []),
        ("Tällä lailla kumotaan rehulaki (86/2008), lukuun ottamatta 3 §:ää.", []),
        ("Tällä lailla kumotaan 19 päivänä tammikuuta 1990 annettu luottoverolaki ( 48/90 ) siihen myöhemmin"
         " tehtyine muutoksineen.", ["1990/48"]),
        ("Täten kumotaan puistosta 29 päivänä huhtikuuta 1960 annettu asetus (210/60).", ["1960/210"]),
        ("Päätöksellä kumotaan Verohallinnon päätös maksuista (1130/2016).", ["2016/1130"]),
        ("Se tulee voimaan 1 päivänä toukokuuta 2020 ja sillä kumotaan 20.12.2018 annettu asetus (5/2018).",
         ["2018/5"]),
        ("Tällä lailla kumotaan laki rehulain (86/2008) 3 §:n muuttamisesta.", []),
        ("Täten kumotaan asiakirjain lähettämisestä annetun asetuksen (75/54) 4 ja 8 §.", []),
        ("Tällä lailla kumotaan laki hatuista annetun lain 13 §:n muuttamisesta (679/2022) ja laki hatuista"
         " annetun lain 2 §:n väliaikaisesta muuttamisesta (680/2022).", ["2022/679", "2022/680"]),
        ("Tällä asetuksella kumotaan tasavallan presidentin asetus hatuista annetun lain mukaisista"
         " tehtävistä Ahvenanmaalla (500/2018).", ["2018/500"]),
        ("Tällä päätöksellä kumotaan Verohallinnon päätös hatuista (1105/2018) siihen myöhemmin tehtyine"
         " muutoksineen (1393/2018 ja 7/2019).", ["2018/1105", "2018/1393", "2019/7"]),
        ("Tällä asetuksella kumotaan vesillä annettu asetus (Säännöt 1978) (252/1978).", ["1978/252"]),
        ("Tällä lailla kumotaan laki hatuista annetun lain (1/2000) 5 § ja lakkilain (2/2000) 3 luku.", []),
        ("Tällä lailla kumotaan laki hatuista annetun lain 3 §:n muuttamisesta (4/2005) 2 §.", []),
    ],
)  # fmt: skip
def test_what_is_repealed_whole(text: str, acts: list[str]) -> None:
    assert [act.value.removeprefix("fi:act:") for act, _, _ in repealed_in(text)] == acts


def page(title: str, *paragraphs: str) -> bytes:
    words = "".join(f"<p>{words}</p>" for words in paragraphs)
    return f"<html><body><article><h1>{title}</h1>{words}</article></body></html>".encode()


def test_a_page_without_a_number_ends_the_act_that_it_repeals(folder: Path) -> None:
    base = printed(77, 2001, section("1", "Maksu on 10 euroa."), base=True)
    repealing = page(
        "Laki koemaksulain kumoamisesta",
        "Eduskunnan päätöksen mukaisesti säädetään:",
        "1 §",
        "Tällä lailla kumotaan 7 päivänä toukokuuta 2001 annettu koemaksulaki (77/2001) siihen myöhemmin"
        " tehtyine muutoksineen.",
        "2 §",
        "Tämä laki tulee voimaan 1 päivänä tammikuuta 2006.",
    )
    path = "data/finlex/Laki/Laki koemaksulain kumoamisesta.html"
    write(folder, {base[0]: base[1], path: repealing})
    reading = read(folder, "act:2001/77")
    assert momentti(reading, "sec_1/subsec_1").versions[-1].validity.end == date(2006, 1, 1)
    assert reading.work is not None
    assert reading.work.validity.end == date(2006, 1, 1)


def test_an_act_that_a_consolidated_one_repeals_has_ended(folder: Path) -> None:
    words = "Tällä lailla kumotaan koemaksusta annettu laki (77/1999), jäljempänä vanha laki."
    new = finlex.act(
        finlex.node("pykala/1", "", finlex.node("pykala/1/momentti/1", words)), since="2001-03-01"
    )
    path, old = printed(77, 1999, section("1", "Maksu on 10 euroa."), base=True)
    write(folder, {CONSOLIDATED: json.dumps(new, ensure_ascii=False).encode(), path: old})
    reading = read(folder, "act:1999/77")
    assert momentti(reading, "sec_1/subsec_1").versions[-1].validity.end == date(2001, 3, 1)


def test_an_act_without_a_day_that_was_repealed_has_ended(folder: Path) -> None:
    path, base = printed(77, 2018, section("1", "Maksu on 10 euroa."), base=True)
    told = "Tämä laki tulee voimaan 1 päivänä tammikuuta 2019.".encode()
    waiting = base.replace(told, "Tämän lain voimaantulosta säädetään valtioneuvoston asetuksella.".encode())
    words = "Tällä lailla kumotaan koemaksusta annettu laki (77/2018)."
    by, repealing = printed(5, 2020, section("9", words), base=True)
    write(folder, {path: waiting, by: repealing.replace(b">koemaksusta<", b">uudesta maksusta<")})
    reading = read(folder, "act:2018/77")
    assert momentti(reading, "sec_1/subsec_1").versions[-1].validity == Validity(None, date(2021, 1, 1))
    assert reading.work is not None
    assert reading.work.validity == Validity(None, date(2021, 1, 1))


@pytest.mark.parametrize(
    "named",
    ["Koemaksulain kumoamisesta annettu laki", "Maksulain (4/2020) 5 § ja laki koemaksulain kumoamisesta"],
)
def test_an_act_whose_repealing_act_a_decree_brings_into_force_ends_on_that_day(
    folder: Path, named: str
) -> None:
    path, base = printed(77, 2018, section("1", "Maksu on 10 euroa."), base=True)
    words = "Tällä lailla kumotaan koemaksusta annettu laki (77/2018)."
    by, repealing = printed(5, 2020, section("1", words), base=True)
    told = "Tämä laki tulee voimaan 1 päivänä tammikuuta 2021.".encode()
    repealing = repealing.replace(
        told, "Tämän lain voimaantulosta säädetään valtioneuvoston asetuksella.".encode()
    )
    write(folder, {path: base, by: repealing.replace(b">koemaksusta<", b">koemaksulain kumoamisesta<")})
    waiting = momentti(read(folder, "act:2018/77"), "sec_1/subsec_1")
    assert waiting.versions[-1].validity.end is None
    words = f"{named} (5/2020) tulee voimaan 1 päivänä maaliskuuta 2022."
    fixing, decree = printed(9, 2022, section("1", words), base=True)
    title = b">koemaksulain kumoamisesta annetun lain voimaantulosta<"
    write(folder, {fixing: decree.replace(b">koemaksusta<", title)})
    reading = read(folder, "act:2018/77")
    assert momentti(reading, "sec_1/subsec_1").versions[-1].validity.end == date(2022, 3, 1)
    assert reading.work is not None
    assert reading.work.validity.end == date(2022, 3, 1)


BROUGHT = (
    "Maksun lakkaamisesta annettu laki (5/2020) tulee voimaan 1 päivänä maaliskuuta 2022.",
    "Maksun lakkaamisesta 3 päivänä helmikuuta 2020 annettu laki tulee voimaan 1 päivänä maaliskuuta 2022.",
    "Maksun lakkaamisesta annettu laki (5/2020) tulee voimaan 1päivänä maaliskuuta 2022.",
)


@pytest.mark.parametrize("words", BROUGHT)
def test_a_page_without_a_number_brings_a_repealing_act_into_force(folder: Path, words: str) -> None:
    """Most old decrees on entry into force are held as a page alone, which tells no number of its own."""
    path, base = printed(77, 2018, section("1", "Maksu on 10 euroa."), base=True)
    by, repealing = printed(
        5, 2020, section("1", "Tällä lailla kumotaan koemaksusta annettu laki (77/2018)."), base=True
    )
    told = "Tämä laki tulee voimaan 1 päivänä tammikuuta 2021.".encode()
    repealing = repealing.replace(
        told, "Tämä laki tulee voimaan asetuksella säädettävänä ajankohtana.".encode()
    )
    write(folder, {path: base, by: repealing.replace(b">koemaksusta<", b">maksun lakkaamisesta<")})
    assert momentti(read(folder, "act:2018/77"), "sec_1/subsec_1").versions[-1].validity.end is None
    title = "Valtioneuvoston asetus maksun lakkaamisesta annetun lain voimaantulosta"
    page = (
        f"<html><body><h1>{title}</h1><p>Valtioneuvoston päätöksen mukaisesti säädetään maksun lakkaamisesta"
        f" annetun lain (5/2020) 2 §:n nojalla:</p><h4>1 §</h4><p>{words}</p><h4>2 §</h4><p>Tämä asetus tulee"
        " voimaan 1 päivänä helmikuuta 2022.</p></body></html>"
    )
    write(folder, {f"data/finlex/Asetus (säädöskokoelma)/{title}.html": page.encode()})
    reading = read(folder, "act:2018/77")
    assert momentti(reading, "sec_1/subsec_1").versions[-1].validity.end == date(2022, 3, 1)


def test_a_consolidated_decree_names_the_acts_that_it_brings_into_force() -> None:
    """Asetus 320/2000, on the entry into force of 329/1999."""
    words = "Koemaksulaki, (5/2020), tulee voimaan 1 päivänä maaliskuuta 2022."
    data = consolidated(amount=words)
    assert surveyed(CONSOLIDATED, data).named == ()
    decree = data.replace(b"Laki koemaksusta", b"Asetus koemaksulain voimaantulosta")
    assert decree != data
    assert surveyed(CONSOLIDATED, decree).named == ("2020/5",)


@pytest.mark.parametrize("last", [3, 160])
def test_every_act_of_a_list_of_repealed_acts_ends(folder: Path, last: int) -> None:
    """Asetus 721/2024 repeals more acts than a sentence has words; consolidated files end each item."""
    items = "".join(
        f"<asi:KohtaKooste>{n}) maksusta numero {n} annettu laki ({n + 200}/2017);</asi:KohtaKooste>"
        for n in range(1, last)
    )
    listed = (
        f"<saa:MomenttiJohdantoKooste>Tällä lailla kumotaan seuraavat lait:</saa:MomenttiJohdantoKooste>{items}"
        f"<asi:KohtaKooste>{last}) koemaksusta annettu laki (77/2018).</asi:KohtaKooste>"
    )
    path, base = printed(77, 2018, section("1", "Maksu on 10 euroa."), base=True)
    by, repealing = printed(5, 2020, section("1", listed), base=True)
    write(folder, {path: base, by: repealing.replace(b">koemaksusta<", b">maksuista<")})
    assert {note for _, note in survey(folder)["act:2018/77"].notes} == {"amends as 2020/5"}


@pytest.mark.parametrize(
    ("words", "acts"),
    [
        ("Tällä lailla kumotaan:. 1)\u2002koelaki (581/1993);. 2)\u2002koelaki (56/1994).", ["1993/581", "1994/56"]),
        ("Tällä asetuksella kumotaan seuraavat asetukset: 1) A:sta annettu asetus (1/2003) sekä 2) B:stä annettu"
         " asetus (2/2004); ja 3) C:stä annettu asetus (3/2005). Tämä asetus (4/2006) jää.",
         ["2003/1", "2004/2", "2005/3"]),
        ("Tällä lailla säädetään: 1) koelaista (581/1993).", []),
    ],
)  # fmt: skip
def test_acts_that_a_running_list_may_repeal(words: str, acts: list[str]) -> None:
    found = dict.fromkeys(one.value.removeprefix("fi:act:") for one in perhaps_repealed_in(words))
    assert sorted(found) == acts


@pytest.mark.parametrize("day", ["1 päivänä tammikuuta 2019", "1 päivänä maaliskuuta 2019"])
def test_an_act_that_is_repealed_by_its_first_day_was_never_law(folder: Path, day: str) -> None:
    path, base = printed(77, 2018, section("1", "Maksu on 10 euroa."), base=True)
    base = base.replace("1 päivänä tammikuuta 2019".encode(), day.encode())
    words = "Tällä lailla kumotaan koemaksusta annettu laki (77/2018)."
    by, repealing = printed(78, 2018, section("1", words), base=True)
    write(folder, {path: base, by: repealing.replace(b">koemaksusta<", b">uudesta maksusta<")})
    reading = read(folder, "act:2018/77")
    assert reading.work is not None
    assert reading.work.validity.is_empty
    assert not any(one.at(date(2019, 3, 1)) for one in reading.documents[0].root.children)


def test_no_act_repeals_what_was_given_after_it(folder: Path) -> None:
    path, base = printed(77, 2018, section("1", "Maksu on 10 euroa."), base=True)
    words = "Tällä lailla kumotaan koemaksusta annettu laki (77/2018)."
    by, repealing = printed(5, 2017, section("1", words), base=True)
    write(folder, {path: base, by: repealing.replace(b">koemaksusta<", b">uudesta maksusta<")})
    assert momentti(read(folder, "act:2018/77"), "sec_1/subsec_1").at(date(2020, 1, 1)) is not None


def test_a_consolidated_text_of_the_day_of_its_repeal_has_ended(folder: Path) -> None:
    kept = finlex.node("pykala/1/momentti/1", "Maksu on 10 euroa.", day="20180101", amended="2017/9")
    parts = [
        finlex.node("pykala/1", "", kept, title="Maksun määrä", day="20180101"),
        finlex.node("pykala/2", "", finlex.node("pykala/2/momentti/1", "Maksun kantaa virasto.")),
    ]
    words = "Tällä lailla kumotaan koemaksusta annettu laki (77/2001)."
    by, repealing = printed(5, 2017, section("1", words), base=True)
    data = json.dumps(finlex.act(*parts, since="2001-03-01"), ensure_ascii=False).encode()
    write(folder, {CONSOLIDATED: data, by: repealing.replace(b">koemaksusta<", b">uudesta maksusta<")})
    reading = read(folder, "act:2001/77")
    assert momentti(reading, "sec_2/subsec_1").versions[-1].validity.end == date(2018, 1, 1)
    assert momentti(reading, "sec_1/subsec_1").at(date(2018, 1, 1)) is None


@pytest.mark.parametrize(
    ("title", "year"),
    [
        ("Valtioneuvoston asetus vuodelta 2006 maksettavasta perunantuotannon kansallisesta tuesta", 2006),
        ("Sisäministeriön asetus poliisin suoritteiden maksullisuudesta vuonna 2020", 2020),
        ("Valtioneuvoston asetus suoritteiden maksullisuudesta vuosina 2024 ja 2025", 2025),
        ("Valtioneuvoston asetus vuosina 2016–2019 myönnettävistä valtionavustuksista", 2019),
        ("Vuoden 1997 tuloveroasteikkolaki", 1997),
        ("Asetus verovuodelta 2025 ennen verotuksen valmistumista tilitettävistä veroista", 2025),
        ("Asetus vuoden 2007 maa- ja puutarhatalouden kansallisista tuista", 2007),
        (
            "Asetus turvallisuudesta merellä vuonna 1974 tehtyyn yleissopimukseen liittyvästä",
            None,
        ),
        ("Asetus vuoden 1992 Itämeren yleissopimuksen muutosten voimaansaattamisesta", None),
        ("Asetus järjestelmään ensi kertaa vuonna 2013 tulevien laitosten tiedoista", None),
        ("Tuloverolaki", None),
    ],
)
def test_the_years_of_a_title(title: str, year: int | None) -> None:
    assert last_year(title) == year


def test_an_act_for_a_year_ends_with_it(folder: Path) -> None:
    path, base = printed(78, 2019, section("1", "Tuki on 10 euroa."), base=True)
    write(folder, {path: base.replace(b">koemaksusta<", b">vuodelta 2020 maksettavasta tuesta<")})
    reading = read(folder, "act:2019/78")
    assert momentti(reading, "sec_1/subsec_1").versions[-1].validity.end == date(2021, 1, 1)


def test_an_old_act_known_only_as_printed_says_so(folder: Path) -> None:
    old = printed(77, 2001, section("1", "Maksu on 10 euroa."), base=True)
    new = printed(78, 2019, section("1", "Maksu on 10 euroa."), base=True)
    write(folder, {old[0]: old[1], new[0]: new[1]})
    assert momentti(read(folder, "act:2001/77"), "sec_1/subsec_1").versions[0].findings == (UNKNOWN_AGE,)
    assert momentti(read(folder, "act:2019/78"), "sec_1/subsec_1").versions[0].findings == ()


def test_a_day_left_to_a_decree_is_the_decree_s(folder: Path) -> None:
    path, amending = printed(5, 2019, section("1", "Maksu on 20 euroa."))
    told = "Tämä laki tulee voimaan 1 päivänä tammikuuta 2020.".encode()
    waiting = amending.replace(
        told, "Tämän lain voimaantulosta säädetään valtioneuvoston asetuksella.".encode()
    )
    write(folder, {CONSOLIDATED: consolidated(), path: waiting})
    pending = momentti(read(folder, "act:2001/77"), "sec_1/subsec_1").versions[-1]
    assert (pending.text, pending.validity.is_pending) == ("Maksu on 20 euroa.", True)
    words = "Koemaksusta annetun lain muuttamisesta annettu laki (5/2019) tulee voimaan "
    words += "1 päivänä maaliskuuta 2020."
    decree_path, decree = printed(9, 2019, section("1", words), base=True)
    title = b"koemaksusta annetun lain muuttamisesta annetun lain voimaantulosta"
    write(folder, {decree_path: decree.replace(b">koemaksusta<", b">" + title + b"<")})
    fixed = momentti(read(folder, "act:2001/77"), "sec_1/subsec_1").versions[-1]
    assert (fixed.text, fixed.validity.start) == ("Maksu on 20 euroa.", date(2020, 3, 1))


def test_a_new_act_that_another_statute_brings_into_force_begins_on_its_day(folder: Path) -> None:
    path, base = printed(77, 2018, section("1", "Maksu on 10 euroa."), base=True)
    told = "Tämä laki tulee voimaan 1 päivänä tammikuuta 2019.".encode()
    waiting = base.replace(told, "Tämän lain voimaantulosta säädetään erikseen lailla.".encode())
    write(folder, {path: waiting})
    assert momentti(read(folder, "act:2018/77"), "sec_1/subsec_1").versions[-1].validity.is_pending
    words = "Koemaksulaki (77/2018) ja muu laki (78/2018) tulevat voimaan 1 päivänä maaliskuuta 2020."
    by, implementing = printed(80, 2018, section("1", words), base=True)
    write(folder, {by: implementing.replace(b">koemaksusta<", b">koemaksulain voimaanpanosta<")})
    begun = read(folder, "act:2018/77")
    assert momentti(begun, "sec_1/subsec_1").versions[-1].validity == Validity(date(2020, 3, 1))
    assert begun.work is not None
    assert begun.work.validity == Validity(date(2020, 3, 1))


def test_an_act_is_called_by_its_newest_name(folder: Path) -> None:
    write(folder, {CONSOLIDATED: consolidated()})
    (document,) = read(folder, "act:2001/77").documents
    named = document.root.versions[-1]
    renamed = replace(named, heading="Uusi koemaksulaki", validity=Validity(date(2020, 1, 1)))
    whole = replace(document, root=replace(document.root, versions=(named, renamed)))
    assert _renamed(whole).title == "Uusi koemaksulaki"
    assert _renamed(document) == document


def test_what_an_act_changes_it_does_not_merely_cite(folder: Path) -> None:
    amending = printed(5, 2019, section("1", "Maksu on 20 euroa."))
    write(folder, {CONSOLIDATED: consolidated(), amending[0]: amending[1]})
    (document,) = read(folder, "act:2019/5").documents
    found = relate(document, pack, pack.facts.exception_cues, pack.facts.yielding_cues)
    into = {(one.kind, str(one.target)) for one in found if one.target and one.target.path}
    assert into == {(EdgeKind.AMENDS, "fi:act:2001/77/sec_1")}


def test_acts_repealed_in_a_list_end_as_well_in_every_language(folder: Path) -> None:
    base = [
        printed(77, 2018, section("1", "Maksu on 10 euroa."), base=True),
        printed(77, 2018, section("1", "Avgiften är 10 euro."), language="sv", base=True),
    ]
    listed = (
        "<saa:Pykala><saa:PykalaTunnusKooste>9 §</saa:PykalaTunnusKooste><saa:KohdatMomentti>"
        "<saa:MomenttiJohdantoKooste>Tällä lailla kumotaan:</saa:MomenttiJohdantoKooste>"
        "<saa:MomenttiKohtaKooste>1) koemaksusta annettu laki (77/2018);</saa:MomenttiKohtaKooste>"
        "<saa:MomenttiKohtaKooste>2) muu laki (5/1999), lukuun ottamatta 2 §:ää.</saa:MomenttiKohtaKooste>"
        "</saa:KohdatMomentti></saa:Pykala>"
    )
    path, repealing = printed(5, 2020, listed, base=True)
    write(folder, {**dict(base), path: repealing.replace(b">koemaksusta<", b">uudesta maksusta<")})
    reading = read(folder, "act:2018/77")
    for language in ("fi", "sv"):
        (version,) = momentti(reading, "sec_1/subsec_1", language).versions
        assert version.validity.end == date(2021, 1, 1)
    (document,) = read(folder, "act:2020/5").documents
    assert [str(one.target) for one in document.references] == ["fi:act:2018/77"]


def test_what_an_old_amending_act_gave_answers_nothing_by_itself(folder: Path) -> None:
    path, old = printed(5, 1999, section("3", "Raja on 100 markkaa."))
    write(folder, {path: old.replace(b"(77/2001)", b"(8/1994)")})
    (document,) = read(folder, "act:1999/5").documents
    assert all(one.kind is not ProvisionKind.SECTION for _, one in pack.sections(document))


def test_a_section_that_another_act_repeals_in_its_own_words_ends(folder: Path) -> None:
    words = "Tällä lailla kumotaan koemaksusta annetun lain (77/2001) 1 §."
    path, repealing = printed(5, 2020, section("9", words), base=True)
    write(folder, {CONSOLIDATED: consolidated(), path: repealing.replace(b">koemaksusta<", b">muusta<")})
    reading = read(folder, "act:2001/77")
    assert momentti(reading, "sec_1/subsec_1").versions[-1].validity.end == date(2021, 1, 1)
    assert momentti(reading, "sec_2/subsec_1").versions[-1].validity.end is None


def test_an_amendment_that_the_consolidation_names_and_lacks_is_put_in(folder: Path) -> None:
    momentti_1 = finlex.node(
        "pykala/1/momentti/1",
        "",
        finlex.node("pykala/1/momentti/1/johdanto", "Maksu on:", day="20080101"),
        finlex.node("pykala/1/momentti/1/kohta/1", "1) aikuiselta 60 euroa;", day="20080101"),
        finlex.node("pykala/1/momentti/1/kohta/2", "2) lapselta 40 euroa.", day="20080101"),
        day="20170101",
        amended="2016/5",
    )
    whole = finlex.node("pykala/1", "", momentti_1, day="20170101", amended="2007/9", title="Maksun määrä")
    stale = json.dumps(finlex.act(whole, since="2001-03-01"), ensure_ascii=False).encode()
    write(folder, {CONSOLIDATED: stale})
    marked = momentti(read(folder, "act:2001/77"), "sec_1/subsec_1/para_1").versions[-1]
    assert marked.findings == (Message.of("finding.named_not_held", act="5/2016"),)
    listed = (
        "<saa:Pykala><saa:PykalaTunnusKooste>1 §</saa:PykalaTunnusKooste><saa:KohdatMomentti>"
        "<saa:MomenttiJohdantoKooste>Maksu on:</saa:MomenttiJohdantoKooste>"
        "<saa:MomenttiKohtaKooste>1) aikuiselta 90 euroa;</saa:MomenttiKohtaKooste>"
        "<saa:MomenttiKohtaKooste>2) lapselta 60 euroa.</saa:MomenttiKohtaKooste>"
        "</saa:KohdatMomentti></saa:Pykala>"
    )
    path, amending = printed(5, 2016, listed, place="1 §:n 1 momentti")
    write(folder, {path: amending})
    chain = momentti(read(folder, "act:2001/77"), "sec_1/subsec_1/para_1").versions
    assert [(one.text, one.validity.start, one.findings) for one in chain] == [
        ("aikuiselta 60 euroa;", date(2008, 1, 1), ()),
        ("aikuiselta 90 euroa;", date(2017, 1, 1), ()),
    ]


def test_a_momentti_that_stands_twice_and_a_scale_that_is_missing_are_marked(folder: Path) -> None:
    twice = "Jos työ on päättynyt painavasta ja odottamattomasta syystä, se ei ole veronalaista."
    parts = [
        finlex.node("pykala/1/momentti/1", "Maksu on kymmenen euroa."),
        finlex.node("pykala/1/momentti/2", twice),
        finlex.node("pykala/1/momentti/3", twice),
    ]
    section_1 = finlex.node("pykala/1", "", *parts, title="Maksun määrä")
    data = json.dumps(finlex.act(section_1, since="2001-03-01"), ensure_ascii=False).encode()
    scale = printed(78, 2019, section("1", "Veroa maksetaan seuraavan asteikon mukaan:"), base=True)
    write(folder, {CONSOLIDATED: data, scale[0]: scale[1]})
    reading = read(folder, "act:2001/77")
    assert [bool(momentti(reading, f"sec_1/subsec_{n}").versions[-1].findings) for n in (1, 2, 3)] == [
        False,
        True,
        True,
    ]
    assert momentti(read(folder, "act:2019/78"), "sec_1/subsec_1").versions[-1].findings == (NO_LIST,)
