"""The Statute Book's XML: one tree with that of Akoma Ntoso, omissions, tables, dates, and files refused."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.completeness.finland_statutes import lost_words
from pykala.fetch.xml import parse_xml
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Provision, ProvisionKind, WorkKind
from pykala.law.validity import ALWAYS, Validity
from pykala.packs.finland import pack
from pykala.packs.finland.statutes.statute_xml import StatuteXmlFiles, read_statute_xml
from pykala.packs.finland.statutes.tree import OMITTED
from pykala.packs.pack import Reading, Snapshot, SourceItem
from pykala.text.phrases import tell

NAMESPACES = " ".join(
    f'xmlns:{prefix}="http://www.vn.fi/skeemat/{name}/2010/04/27"'
    for prefix, name in {
        "vah": "vahvistettavalaki", "saa": "saadoskooste", "saa1": "saadoselementit",
        "met": "metatietokooste", "met1": "metatietoelementit", "asi": "asiakirjakooste",
        "asi1": "asiakirjaelementit", "org": "organisaatiokooste", "org1": "organisaatioelementit",
        "tau": "taulukkokooste", "sis": "sisaltokooste", "sis1": "sisaltoelementit", "sdk": "sdk",
    }.items()
)  # fmt: skip
DASHES = "<sis:Katkoviiva/>"
ENTRY = {
    "fi": "Tämä laki tulee voimaan 1 päivänä kesäkuuta 2021.",
    "sv": "Denna lag träder i kraft den 1 juni 2021.",
}
SIGNED = {"fi": "Helsingissä 7 päivänä toukokuuta 2021", "sv": "Helsingfors den 7 maj 2021"}


def moment(*words: str) -> str:
    return "".join(f"<saa:MomenttiKooste>{one}</saa:MomenttiKooste>" for one in words)


def listing(intro: str, *items: str) -> str:
    below = "".join(one if one.startswith("<sis:Katko") else item(one) for one in items)
    return (
        f"<saa:KohdatMomentti><saa:MomenttiJohdantoKooste>{intro}</saa:MomenttiJohdantoKooste>"
        f"{below}</saa:KohdatMomentti>"
    )


def item(words: str) -> str:
    return f"<saa:MomenttiKohtaKooste>{words}</saa:MomenttiKohtaKooste>"


def point(words: str) -> str:
    return f"<saa:MomenttiAlakohtaKooste>{words}</saa:MomenttiAlakohtaKooste>"


def section(number: str, *content: str, heading: str = "", sort: str = "Pykala") -> str:
    title = f"<saa:SaadosOtsikkoKooste>{heading}</saa:SaadosOtsikkoKooste>" if heading else ""
    label = f"<saa:PykalaTunnusKooste>{number}</saa:PykalaTunnusKooste>" if number else ""
    return f'<saa:Pykala saa1:pykalaLuokitusKoodi="{sort}">{label}{title}{"".join(content)}</saa:Pykala>'


def entry(words: str) -> str:
    return "<sis:Palstaviiva/>" + section("", moment(words), sort="VoimaantuloSaannos")


def chapter(number: str, heading: str, *content: str) -> str:
    return (
        f"<saa:Luku><saa:LukuTunnusKooste>{number}</saa:LukuTunnusKooste>"
        f"<saa:SaadosOtsikkoKooste>{heading}</saa:SaadosOtsikkoKooste>{''.join(content)}</saa:Luku>"
    )


def table(*rows: str, title: str = "") -> str:
    head = f"<tau:title><sis:KappaleKooste>{title}</sis:KappaleKooste></tau:title>" if title else ""
    body = "".join(f"<tau:row>{row}</tau:row>" for row in rows)
    return f'<tau:table>{head}<tau:tgroup cols="2"><tau:tbody>{body}</tau:tbody></tau:tgroup></tau:table>'


def cells(*words: str, attributes: str = "") -> str:
    return "".join(
        f"<tau:entry {attributes}><sis:KappaleKooste>{one}</sis:KappaleKooste></tau:entry>" for one in words
    )


def statute(
    provisions: str = "",
    *,
    language: str = "fi",
    sort: str = "Laki",
    title: str = "<saa:SaadostyyppiKooste>Laki</saa:SaadostyyppiKooste>"
    "<saa:SaadosNimekeKooste>koelain muuttamisesta</saa:SaadosNimekeKooste>",
    clause: str = "<saa:SaadosKappaleKooste>Eduskunnan päätöksen mukaisesti</saa:SaadosKappaleKooste>"
    "<saa:SaadosKappaleKooste><saa:SaadosKursiiviKooste>muutetaan</saa:SaadosKursiiviKooste> koelain (1/2001)"
    " 5 § seuraavasti:</saa:SaadosKappaleKooste>",
    beside: str = "",
    after: str = "",
    signed: str = "",
    number: str = "10",
    year: str = "2021",
    body: str = "",
) -> str:
    body = body or (
        f'<saa:Saados saa1:saadostyyppiNimi="{sort}"><saa:SaadosNimeke>{title}</saa:SaadosNimeke>'
        f"<saa:Johtolause>{clause}</saa:Johtolause>{beside}"
        f"<saa:Pykalisto>{provisions}</saa:Pykalisto></saa:Saados>"
    )
    return (
        f'<vah:VahvistettavaLaki {NAMESPACES} met1:kieliKoodi="{language}"><asi:IdentifiointiOsa>'
        f"<asi:EduskuntaTunniste><asi1:AsiakirjaNroTeksti>{number}</asi1:AsiakirjaNroTeksti>"
        f"<asi1:ValtiopaivavuosiTeksti>{year}</asi1:ValtiopaivavuosiTeksti></asi:EduskuntaTunniste>"
        f"</asi:IdentifiointiOsa><saa:SaadosOsa>{body}</saa:SaadosOsa>"
        f"<asi:AllekirjoitusOsa><asi:PaivaysKooste>{signed or SIGNED[language]}</asi:PaivaysKooste>"
        "<asi:Allekirjoittaja><org:Henkilo><org1:AsemaTeksti>Ministeri</org1:AsemaTeksti>"
        "<org1:SukuNimi>Aino Esimerkki</org1:SukuNimi></org:Henkilo></asi:Allekirjoittaja>"
        f"</asi:AllekirjoitusOsa>{after}</vah:VahvistettavaLaki>"
    )


def path(language: str = "fi") -> str:
    return f"asd/{language}/2021/asd20210010.xml"


def read(**sources: str) -> Reading:
    return read_statute_xml(
        [Snapshot(path(language), source.encode(), "0") for language, source in sources.items()], pack.facts
    )


def tree(source: str) -> dict[str, Provision]:
    reading = read(fi=source)
    assert not reading.refusals
    document = reading.documents[0]
    assert not lost_words(parse_xml(source.encode(), path()), document)
    return {str(p.id).removeprefix("fi:act:2021/10").lstrip("/"): p for p in document.root.walk()}


def words(found: dict[str, Provision], below: str) -> dict[str, str]:
    return {place: p.versions[0].text for place, p in found.items() if place.startswith(below)}


@pytest.mark.parametrize(
    ("name", "act"),
    [
        ("asd/fi/2019/asd20190010.xml", "2019/10"),
        ("mirror/asd/sv/2025/asd20251234.xml", "2025/1234"),
        ("asd/fi/2019/asd20180010.xml", None),
        ("asd/en/2019/asd20190010.xml", None),
        ("2019_10_fin.xml", None),
        ("asd/fi/2019/asd20190010.xml.bak", None),
    ],
)
def test_the_path_names_the_act(name: str, act: str | None) -> None:
    assert StatuteXmlFiles.act_of(name) == act


def test_an_amending_act_carries_what_is_needed_to_play_it() -> None:
    found = tree(
        statute(
            section(
                "5 a §",
                DASHES,
                listing("Jos:", DASHES, "2)\u2002toinen;", "2 a) uusi.", DASHES),
                moment("Toinen momentti."),
                DASHES,
                heading="Otsikko",
            )
            + entry(ENTRY["fi"])
        )
    )
    assert found["enacting_1"].kind is ProvisionKind.ENACTING_CLAUSE
    assert found["enacting_1"].versions[0].text == (
        "Eduskunnan päätöksen mukaisesti\nmuutetaan koelain (1/2001) 5 § seuraavasti:"
    )
    assert words(found, "sec_5a") == {
        "sec_5a": "",
        "sec_5a/omission_1": OMITTED,
        "sec_5a/subsec_1": "Jos:",
        "sec_5a/subsec_1/omission_1": OMITTED,
        "sec_5a/subsec_1/para_2": "toinen;",
        "sec_5a/subsec_1/para_2a": "uusi.",
        "sec_5a/subsec_1/omission_2": OMITTED,
        "sec_5a/subsec_2": "Toinen momentti.",
        "sec_5a/omission_2": OMITTED,
    }
    assert found["sec_5a"].versions[0].heading == "Otsikko"
    assert found["sec_5a/subsec_1/para_2a"].label == "2 a)"
    assert {p.kind for name, p in found.items() if "omission" in name} == {ProvisionKind.OMISSION}
    assert found["entry_1"].kind is ProvisionKind.ENTRY_INTO_FORCE
    assert found["signature_1"].versions[0].text == f"{SIGNED['fi']}\nMinisteri Aino Esimerkki"


def test_points_stand_below_their_item_however_the_source_prints_them() -> None:
    inner = item(point("1) joko:") + point("a) yksi; tai") + point("b) kaksi;"))
    apart = item("2) taikka:") + item(point("a) kolme;") + point("b) neljä;")) + item("c) viisi.")
    source = f"<saa:KohdatMomentti><saa:MomenttiJohdantoKooste>On:</saa:MomenttiJohdantoKooste>{inner}{apart}"
    found = tree(statute(section("1 §", f"{source}</saa:KohdatMomentti>") + entry(ENTRY["fi"])))
    assert words(found, "sec_1/subsec_1/") == {
        "sec_1/subsec_1/para_1": "joko:",
        "sec_1/subsec_1/para_1/subpara_a": "yksi; tai",
        "sec_1/subsec_1/para_1/subpara_b": "kaksi;",
        "sec_1/subsec_1/para_2": "taikka:",
        "sec_1/subsec_1/para_2/subpara_a": "kolme;",
        "sec_1/subsec_1/para_2/subpara_b": "neljä;",
        "sec_1/subsec_1/para_2/subpara_c": "viisi.",
    }


def test_items_marked_up_as_momentit_are_items() -> None:
    source = section("1 §", moment("Tehtävät ovat:", "1) yksi;", "2 a) kaksi.", "Toinen momentti."))
    found = tree(statute(source + section("2 §", DASHES, moment("2) kolme.")) + entry(ENTRY["fi"])))
    assert words(found, "sec_1/") == {
        "sec_1/subsec_1": "Tehtävät ovat:",
        "sec_1/subsec_1/para_1": "yksi;",
        "sec_1/subsec_1/para_2a": "kaksi.",
        "sec_1/subsec_2": "Toinen momentti.",
    }
    assert found["sec_2/subsec_1"].versions[0].text == "2) kolme."


def test_parts_chapters_headings_and_numbers_that_start_again() -> None:
    osa = (
        "<saa:Osa><saa:OsaTunnusKooste>II OSA</saa:OsaTunnusKooste>"
        "<saa:SaadosOtsikkoKooste>Toinen</saa:SaadosOtsikkoKooste>"
    )
    found = tree(
        statute(
            chapter("1 luku", "Yksi", section("1 §", moment("A.")))
            + osa
            + chapter(
                "2 a luku",
                "Kaksi",
                "<saa:SaadosValiotsikkoKooste>Väliotsikko</saa:SaadosValiotsikkoKooste>",
                section("1 §", moment("B.")),
                DASHES,
                section("2 §", moment("C.")),
            )
            + "</saa:Osa>"
            + section("3 §", moment(ENTRY["fi"]), sort="VoimaantuloPykala")
        )
    )
    assert [name for name in found if "/" in name or name.startswith(("chp", "part"))] == [
        "chp_1", "chp_1/sec_1", "chp_1/sec_1/subsec_1", "part_2", "chp_2a", "chp_2a/head_1", "chp_2a/sec_1",
        "chp_2a/sec_1/subsec_1", "chp_2a/omission_1", "chp_2a/sec_2", "chp_2a/sec_2/subsec_1",
        "sec_3/subsec_1",
    ]  # fmt: skip
    assert [child.id.last for child in found["chp_2a/head_1"].children] == [
        found[name].id.last for name in ("chp_2a/sec_1", "chp_2a/omission_1", "chp_2a/sec_2")
    ]
    assert found["sec_3"].kind is ProvisionKind.ENTRY_INTO_FORCE


def test_tables_read_as_rows_and_stay_in_line_below_a_tall_cell() -> None:
    tall = cells("Korkea", attributes='morerows="1"') + cells("1")
    wide = cells("Leveä", attributes='namest="1" nameend="2"')
    found = tree(
        statute(
            section("1 §", moment("Vero on:"), table(cells("Alaraja", "Vero"), tall, cells("2"), wide))
            + section(
                "2 §",
                listing("Näin:", table(cells("a", "m<sis1:YlaindeksiTeksti>2</sis1:YlaindeksiTeksti>"))),
            )
            + entry(ENTRY["fi"]),
            after="<asi:LiiteOsa><asi:SisaltoLiite><sis:KappaleKooste>Liite 1</sis:KappaleKooste>"
            f"{table(cells('x', 'y'), title='Taulukko 1')}<sis:KappaleKooste>Loppu</sis:KappaleKooste>"
            "</asi:SisaltoLiite></asi:LiiteOsa><asi:LiiteOsa><asi:SisaltoLiite>"
            "<sis1:ValiotsikkoTeksti>Liite 2</sis1:ValiotsikkoTeksti></asi:SisaltoLiite></asi:LiiteOsa>",
        )
    )
    assert found["sec_1/subsec_1/table_1"].versions[0].text == "Alaraja | Vero\nKorkea | 1\n | 2\nLeveä"
    assert words(found, "sec_2/subsec_1/") == {"sec_2/subsec_1/table_1": "a | m2"}
    assert words(found, "annex") == {
        "annex_1": "Liite 1",
        "annex_1/table_1": "Taulukko 1\nx | y",
        "annex_1/flush_1": "Loppu",
        "annex_2": "Liite 2",
    }
    assert found["annex_2"].kind is ProvisionKind.ANNEX


def test_what_stands_around_the_law_has_its_place() -> None:
    found = tree(
        statute(
            section("", moment("Tämä laki tulee voimaan 1 päivänä kesäkuuta 2001."), DASHES)
            + entry(ENTRY["fi"]),
            beside="<saa:UusiNimeke><saa:SaadostyyppiKooste>Laki</saa:SaadostyyppiKooste>"
            "<saa:SaadosNimekeKooste>uudesta nimestä</saa:SaadosNimekeKooste></saa:UusiNimeke>"
            "<saa:SaadosLiite><saa:SaadosKappaleKooste>(Sopimusteksti on julkaistu sopimussarjassa 7/2021)"
            "</saa:SaadosKappaleKooste></saa:SaadosLiite>",
            after="<sdk:EsityoOsa><sdk:EsityoViite><sis:YleinenViite><sis1:ViiteTeksti>HE 1/2021"
            "</sis1:ViiteTeksti></sis:YleinenViite></sdk:EsityoViite><sdk:EsityoViite>EV 2/2021"
            "</sdk:EsityoViite></sdk:EsityoOsa>",
        )
    )
    assert (found["head_1"].kind, found["head_1"].heading) == (ProvisionKind.HEADING, "Laki uudesta nimestä")
    assert found["text_1"].versions[0].text == "Tämä laki tulee voimaan 1 päivänä kesäkuuta 2001."
    assert found["text_1"].versions[0].validity == Validity(date(2021, 6, 1))
    assert found["text_1/omission_1"].kind is ProvisionKind.OMISSION
    assert found["note_1"].kind is ProvisionKind.EDITORIAL_NOTE
    assert found["preliminary_1"].kind is ProvisionKind.HISTORICAL_NOTE
    assert found["preliminary_1"].versions[0].text == "HE 1/2021\nEV 2/2021"


def test_a_decision_without_sections_is_read_by_its_headings() -> None:
    body = (
        "<saa:MuuSaados><saa:SaadosNimeke><saa:SaadostyyppiKooste>Viraston päätös</saa:SaadostyyppiKooste>"
        "</saa:SaadosNimeke><saa:SisaltoMuuSaados><saa:SaadosKappaleKooste>Alku.</saa:SaadosKappaleKooste>"
        "<saa:SaadosValiotsikkoKooste>Perustelut</saa:SaadosValiotsikkoKooste>"
        "<saa:SaadosKappaleKooste>Yksi.</saa:SaadosKappaleKooste><saa:SaadosKappaleKooste>Tämä päätös tulee"
        " voimaan 2 päivänä kesäkuuta 2021.</saa:SaadosKappaleKooste></saa:SisaltoMuuSaados></saa:MuuSaados>"
    )
    found = tree(statute(body=body))
    assert [(p.heading, p.versions[0].text) for name, p in found.items() if name.startswith("text")] == [
        ("", "Alku."),
        ("Perustelut", "Yksi.\nTämä päätös tulee voimaan 2 päivänä kesäkuuta 2021."),
    ]
    assert found[""].versions[0].validity == Validity(date(2021, 6, 2))


def test_pictures_are_named_and_their_numbers_are_no_words() -> None:
    picture = '<sis:Kuva><sis:KuvaAsemointi sis1:kuvaTiedostoTeksti="https://example.org/7.gif">7</sis:KuvaAsemointi></sis:Kuva>'
    reading = read(fi=statute(section("1 §", moment("Merkki on:"), picture) + entry(ENTRY["fi"])))
    (document,) = reading.documents
    assert document.manifestations[0].notes == ("the picture https://example.org/7.gif is not read",)
    assert not any(p.versions[0].text == "7" for p in document.root.walk())


@pytest.mark.parametrize(
    ("sort", "type_and_name", "kind", "authority"),
    [
        ("Laki", ("Koelaki", ""), WorkKind.ACT, "statute"),
        ("Asetus", ("Valtioneuvoston asetus", "kokeista"), WorkKind.DECREE, "decree"),
        ("Päätös", ("Verohallinnon päätös", "kokeista"), WorkKind.DECISION, "decree"),
        ("Työjärjestys", ("Viraston työjärjestys", ""), WorkKind.DECISION, "decree"),
        ("", ("Ministeriön", "asetus kokeista"), WorkKind.DECREE, "decree"),
        ("", ("Viraston", "kuulutus"), WorkKind.DECISION, "decree"),
    ],
)
def test_kinds(sort: str, type_and_name: tuple[str, str], kind: WorkKind, authority: str) -> None:
    type_words, name = type_and_name
    title = f"<saa:SaadostyyppiKooste>{type_words}</saa:SaadostyyppiKooste>"
    title += f"<saa:SaadosNimekeKooste>{name}</saa:SaadosNimekeKooste>"
    work = read(fi=statute(entry(ENTRY["fi"]), sort=sort, title=title)).work
    assert work is not None
    assert (work.kind, work.authority) == (kind, pack.facts.authority[authority])
    assert work.titles == (("fi", f"{type_words} {name}".strip()),)


def test_the_work_answers_to_its_numbers_and_names() -> None:
    title = "<saa:SaadostyyppiKooste>Laki</saa:SaadostyyppiKooste>"
    title += "<saa:SaadosNimekeKooste>kokeista</saa:SaadosNimekeKooste>"
    work = read(fi=statute(entry(ENTRY["fi"]), title=title)).work
    assert work is not None
    assert (work.id, work.issued) == (WorkId("fi:act:2021/10"), date(2021, 5, 7))
    assert set(work.aliases) >= {"10/2021", "/akn/fi/act/statute/2021/10", "kokeista annettu laki"}
    assert work.validity == Validity(date(2021, 6, 1))


@pytest.mark.parametrize(
    ("signed", "issued"),
    [
        ("Helsingissä 28.6.2021", date(2021, 6, 28)),
        ("Naantalissa ja Helsingissä 9 päivänä heinäkuuta 2020", date(2020, 7, 9)),
        ("Helsingissä 28.6.2031", None),  # after the year that numbers the act
        ("Helsingissä", None),
    ],
)
def test_the_day_of_issue(signed: str, issued: date | None) -> None:
    work = read(fi=statute(entry("Ei päivää."), signed=signed)).work
    assert work is not None
    assert work.issued == issued
    assert work.validity == ALWAYS


SLIP = "Tämä laki tulee voimaan 1 päivänä kesäkuuta 2020."


@pytest.mark.parametrize(
    ("fi", "sv", "validity", "finding"),
    [
        (ENTRY["fi"], ENTRY["sv"], Validity(date(2021, 6, 1)), ""),
        ("Tämä laki tukee voimaan.", ENTRY["sv"], Validity(date(2021, 6, 1)), ""),
        (SLIP, ENTRY["sv"], Validity(date(2021, 6, 1)), "different days"),
        (SLIP, "Inget.", ALWAYS, "long before its issue"),
        (ENTRY["fi"], ENTRY["sv"].replace("juni", "juli"), Validity(date(2021, 6, 1)), "different days"),
        ("Tämän lain voimaantulosta säädetään asetuksella.", "Inget.", Validity.pending(), ""),
        ("Ei mitään.", "Inget.", ALWAYS, ""),
    ],
)
def test_either_language_may_tell_the_day(fi: str, sv: str, validity: Validity, finding: str) -> None:
    reading = read(fi=statute(entry(fi)), sv=statute(entry(sv), language="sv"))
    assert reading.work is not None
    assert reading.work.validity == validity
    for document in reading.documents:
        version = document.root.versions[0]
        assert version.validity == validity
        assert bool(version.findings) == bool(finding)
        assert finding in "".join(tell("en", one) for one in version.findings)


def test_the_entry_into_force_of_the_act_amended_is_not_that_of_the_amendment() -> None:
    old = "Tämä laki tulee voimaan 1 päivänä heinäkuuta 2018 ja on voimassa 31 päivään joulukuuta 2026."
    for provisions in (
        section("9 §", moment(old), heading="Voimaantulo", sort="VoimaantuloPykala") + entry(ENTRY["fi"]),
        section("9 §", moment(old), DASHES, moment(ENTRY["fi"]), sort="VoimaantuloPykala"),
        section("9 §", moment(old)) + section("", moment(ENTRY["fi"])),
    ):
        work = read(fi=statute(provisions)).work
        assert work is not None
        assert work.validity == Validity(date(2021, 6, 1))


def test_languages_are_paired_by_identifier_and_the_surer_the_more_agrees() -> None:
    fi = section("1 §", moment("A.", "B.")) + section("2 §", moment("C.")) + entry(ENTRY["fi"])
    sv = section("1 §", moment("A.")) + section("2 §", moment("C.")) + entry(ENTRY["sv"])
    reading = read(fi=statute(fi), sv=statute(sv, language="sv"))
    pairs = {str(pair.first).removeprefix("fi:act:2021/10/"): pair.confidence for pair in reading.pairings}
    assert [document.language for document in reading.documents] == ["fi", "sv"]
    assert pairs == {
        "enacting_1": 1.0, "sec_1": 0.8, "sec_1/subsec_1": 1.0, "sec_2": 1.0, "sec_2/subsec_1": 1.0,
        "entry_1": 1.0, "signature_1": 1.0,
    }  # fmt: skip


AKOMA_NTOSO = """<akomaNtoso xmlns="http://docs.oasis-open.org/legaldocml/ns/akn/3.0"><act><meta><identification>
<FRBRWork><FRBRuri value="/akn/fi/act/statute/2021/10"/></FRBRWork>
<FRBRExpression><FRBRlanguage language="fin"/></FRBRExpression></identification></meta><body>
<hcontainer name="statuteProvisionsWrapper"><section><num>5 a §</num><hcontainer name="omission"/>
<subsection><intro><p>Jos:</p></intro><paragraph><num>1) </num><content><p>joko:</p></content></paragraph>
<paragraph><num>a) </num><content><p>yksi;</p></content></paragraph>
<paragraph><num>2) </num><content><p>toinen.</p></content></paragraph></subsection></section>
<section><num>6 §</num><subsection><content><p>Tämä laki tulee voimaan 1 päivänä kesäkuuta 2021.</p></content>
</subsection></section></hcontainer></body></act></akomaNtoso>"""


def test_both_forms_of_one_act_have_one_tree() -> None:
    name = "2021_10_fin.xml"
    other = pack.read(SourceItem("act:2021/10", (name,)), [Snapshot(name, AKOMA_NTOSO.encode(), "0")])
    own = read(
        fi=statute(
            section("5 a §", DASHES, listing("Jos:", "1) joko:", "a) yksi;", "2) toinen."))
            + section("6 §", moment(ENTRY["fi"]), sort="VoimaantuloPykala"),
            clause="",
        )
    )

    def shape(reading: Reading) -> list[tuple[str, str, str, str]]:
        return [
            (str(p.id), p.kind, p.label, p.versions[0].text)
            for p in reading.documents[0].root.walk()
            if p.id.path and p.kind is not ProvisionKind.SIGNATURE_BLOCK
        ]

    assert shape(own) == shape(other)
    assert "fi:act:2021/10/sec_5a/omission_1" in {place for place, *_ in shape(own)}


GOOD = statute(section("1 §", moment("Sana.")) + entry(ENTRY["fi"]))


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("", "empty"),
        ("<html/>", "root is not VahvistettavaLaki"),
        (GOOD[: GOOD.index("<asi:Alle")], "cut short"),
        (f'<!DOCTYPE x [<!ENTITY a "b">]>{GOOD}', "entities"),
        (statute(number="11"), "not the act 2021/10"),
        (statute(year="1999"), "not the act 2021/10"),
        (GOOD.replace('met1:kieliKoodi="fi"', 'met1:kieliKoodi="en"'), "neither fi nor sv"),
        (GOOD.replace("SaadosOsa", "Muu"), "no statute"),
        (GOOD.replace("Sana.", "<u>" * 70 + "</u>" * 70), "nested"),
    ],
)
def test_what_is_no_such_statute_is_refused_with_its_reason(source: str, reason: str) -> None:
    reading = read(fi=source)
    assert reading.work is None
    (refusal,) = reading.refusals
    assert refusal.path == path()
    assert reason in refusal.reason


def test_a_bad_language_does_not_lose_the_other_and_a_second_file_of_one_is_refused() -> None:
    reading = read(fi=GOOD, sv="<broken")
    assert [document.language for document in reading.documents] == ["fi"]
    assert [refusal.path for refusal in reading.refusals] == [path("sv")]
    twice = read_statute_xml([Snapshot(path(one), GOOD.encode(), "0") for one in ("fi", "sv")], pack.facts)
    assert [refusal.path for refusal in twice.refusals] == [path("sv")]
    assert "same language" in twice.refusals[0].reason
    assert read_statute_xml([], pack.facts) == Reading(None)


PLAIN = st.text(st.characters(categories=["L", "Nd", "Zs"], exclude_characters="\u00aa\u00ba"), max_size=20)
CONTENT = st.recursive(
    st.one_of(PLAIN.map(moment), st.just(DASHES), PLAIN.map(lambda one: table(cells(one, "1")))),
    lambda inner: st.lists(PLAIN, max_size=4).map(lambda items: listing("On:", *items)) | inner,
    max_leaves=4,
)
SECTIONS = st.lists(
    st.tuples(st.integers(1, 4), st.lists(CONTENT, max_size=4)).map(
        lambda one: section(f"{one[0]} §", *one[1])
    ),
    max_size=5,
)


@settings(max_examples=60, deadline=None)
@given(SECTIONS, SECTIONS)
def test_no_word_is_lost_and_no_identifier_given_twice(first: list[str], second: list[str]) -> None:
    source = statute(
        chapter("1 luku", "Yksi", *first) + chapter("2 luku", "Kaksi", *second) + entry(ENTRY["fi"])
    )
    (document,) = read(fi=source).documents
    identifiers = [provision.id for provision in document.root.walk()]
    assert len(set(identifiers)) == len(identifiers)
    assert all(ProvisionId.parse(str(one)) == one for one in identifiers)
    assert not lost_words(parse_xml(source.encode(), path()), document)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 4000), st.integers(0, 300), st.integers(0, 4000), st.text(max_size=10))
def test_a_damaged_statute_is_read_or_refused(at: int, length: int, to: int, added: str) -> None:
    data = GOOD.encode()
    at, to = at % len(data), to % len(data)
    piece, rest = data[at : at + length], data[:at] + data[at + length :]
    damaged = rest[:to] + piece + added.encode("utf-8", "replace") + rest[to:]
    reading = read_statute_xml([Snapshot(path(), damaged, "0")], pack.facts)
    assert (reading.work is None) == (not reading.documents)
    assert reading.documents or reading.refusals


def test_a_sentence_marked_up_as_an_item_begins_a_momentti() -> None:
    content = listing("Vero on 10 prosenttia.", "Lehtenä ei pidetä:", "1) mainosta; tai", "2) kuvaa.")
    found = tree(statute(section("85 a §", content) + entry(ENTRY["fi"])))
    assert words(found, "sec_85a/") == {
        "sec_85a/subsec_1": "Vero on 10 prosenttia.",
        "sec_85a/subsec_2": "Lehtenä ei pidetä:",
        "sec_85a/subsec_2/para_1": "mainosta; tai",
        "sec_85a/subsec_2/para_2": "kuvaa.",
    }
