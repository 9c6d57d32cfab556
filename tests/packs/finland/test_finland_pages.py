"""Rulings and guidance as HTML: headnotes, headings, labelled lines, links and encodings."""

from __future__ import annotations

from datetime import date

import pytest

from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Document, ProvisionKind, WorkKind
from pykala.law.references import EdgeKind, Method
from pykala.law.validity import ALWAYS, Validity
from pykala.packs.finland import pack
from pykala.packs.finland.addresses import destination, slug
from pykala.packs.pack import Reading, Snapshot

KHO = "finlex/KHO_2020_1.html"
VERO = "vero/Ohjeet/Ohje/Ohje - vero.fi.html"


def read(path: str, page: str | bytes, url: str = "") -> Reading:
    (item,) = pack.works([path])
    return pack.read(item, [Snapshot(path, page.encode() if isinstance(page, str) else page, "0", url)])


def guidance(body: str, title: str = "Konserniavustus", path: str = VERO) -> Document:
    page = (
        f'<html><body><article id="content-main"><h1>{title} - vero.fi</h1><div>{body}</div>'
        f"</article></body></html>"
    )
    return read(path, page).documents[0]


def outline(document: Document) -> list[tuple[str, str, str, str]]:
    start = len(str(document.work)) + 1
    return [
        (str(p.id)[start:], p.label, p.heading, p.versions[0].text) for p in document.root.walk() if p.id.path
    ]


def ruling(body: str) -> Document:
    return read(
        KHO, f"<!DOCTYPE html><html lang='fi'><body><h1>KHO:2020:1</h1>{body}</body></html>"
    ).documents[0]


LONG = (
    "Yhtiö oli ostanut palveluja, ja kysymys oli siitä, saiko se vähentää niistä maksamansa"
    " arvonlisäveron kokonaan vai osaksi"
)


def test_a_rulings_summary_is_its_headnote_though_printed_as_headings() -> None:
    document = ruling(
        f"<h2>{LONG}</h2><h2>Äänestys 4-1.</h2><h2>Arvonlisäverolaki 102 § 1 momentti</h2><h2>Ks. myös"
        f" KHO 2010:29</h2>"
        "<h2>Asian tausta</h2><p>Taustaa.</p><p>Korkeimman hallinto-oikeuden ratkaisu</p><p>Hylätään.</p>"
    )
    assert outline(document) == [
        ("headnote_1", "", "", ""),
        ("headnote_1/para_1", "", "", LONG),
        ("headnote_1/para_2", "", "", "Äänestys 4-1."),
        ("headnote_1/para_3", "", "", "Arvonlisäverolaki 102 § 1 momentti"),
        ("headnote_1/para_4", "", "", "Ks. myös KHO 2010:29"),
        ("head_1", "", "Asian tausta", ""),
        ("head_1/para_1", "", "", "Taustaa."),
        ("head_2", "", "Korkeimman hallinto-oikeuden ratkaisu", ""),
        ("head_2/para_1", "", "", "Hylätään."),
    ]
    kinds = [provision.kind for provision in document.root.children]
    assert kinds == [ProvisionKind.HEADNOTE, ProvisionKind.REASONS, ProvisionKind.REASONS]


def test_labelled_lines_date_a_ruling() -> None:
    page = (
        "<html><body><h1>KHO:1980-A-I-1</h1><p>Tiivistelmä.</p><p>Diaarinumero: 118/50/78</p>"
        "<p>Antopäivä: 29.4.1980</p>"
        "<p>Taltio: 2263</p></body></html>"
    )
    work = read("KHO_1980-A-I-1.html", page).work
    assert work is not None
    assert (work.id, work.kind, work.authority) == (WorkId("fi:kho:1980-A-I-1"), WorkKind.CASE, 80)
    assert work.issued == date(1980, 4, 29)
    assert {"kho 29.4.1980/2263", "118/50/78"} <= set(work.aliases)


@pytest.mark.parametrize(
    ("path", "title", "expected"),
    [
        ("KHO_2025_46.html", "KHO:2025:46", "fi:kho:2025/46"),
        ("KHO_1986-B-II-610.html", "KHO:1986-B-II-610", "fi:kho:1986-B-II-610"),
        ("KVL_004_2024 - vero.fi.html", "KVL:004/2024 - vero.fi", "fi:kvl:2024/4"),
        ("KVL_ 2026_05 - vero.fi.html", "KVL: 2026/05 - vero.fi", "fi:kvl:2026/5"),
        ("KVL 044_2013 - vero.fi.html", "KVL 044:2013 - vero.fi", "fi:kvl:2013/44"),
        (VERO, "Konserniavustus - vero.fi", "fi:vero:konserniavustus"),
        ("Ohjeet/O/O - vero.fi_1.html", "Osinkotulojen verotus - vero.fi", "fi:vero:osinkotulojen-verotus-2"),
        ("Kannanotot/O/O - vero.fi.html", "Ääni- ja kuvaöljy – 2 - vero.fi", "fi:vero:aani-ja-kuvaoljy-2"),
    ],
)
def test_pages_are_known_by_their_heading(path: str, title: str, expected: str) -> None:
    work = read(path, f"<html><body><h1>{title}</h1><p>Sanoja.</p></body></html>").work
    assert work is not None
    assert str(work.id) == expected


def test_guidance_sections_go_by_their_printed_numbers() -> None:
    document = guidance(
        "<p>Alku.</p><h1>1 Yleistä</h1><p>A:</p><ul><li>b;</li><li>c.</li></ul><h3>1.1. Tarkemmin</h3>"
        "<p>D.</p>"
        "<h4>Esimerkki</h4><p>E.</p><h1>2 Lopuksi</h1><table><caption>T</caption><tr><th>x</th>"
        "<td>1</td></tr></table>"
    )
    assert outline(document) == [
        ("intro_1", "", "", ""),
        ("intro_1/para_1", "", "", "Alku."),
        ("sec_1", "1", "Yleistä", ""),
        ("sec_1/para_1", "", "", "A:"),
        ("sec_1/para_1/item_1", "", "", "b;"),
        ("sec_1/para_1/item_2", "", "", "c."),
        ("sec_1.1", "1.1.", "Tarkemmin", ""),
        ("sec_1.1/para_1", "", "", "D."),
        ("sec_1.1/head_1", "", "Esimerkki", ""),
        ("sec_1.1/head_1/para_1", "", "", "E."),
        ("sec_2", "2", "Lopuksi", ""),
        ("sec_2/table_1", "", "", "T\nx | 1"),
    ]


def test_each_heading_is_a_section_without_those_below_it() -> None:
    document = guidance(
        "<p>Alku.</p><h1>1 A</h1><p>a</p><h3>1.1 B</h3><p>b</p><h1>2 C</h1><h3>2.1 D</h3><p>d</p>"
    )
    found = [
        ([str(a.id).rpartition("/")[2] for a in ancestors], str(s.id).rpartition("/")[2], len(s.children))
        for ancestors, s in pack.sections(document)
    ]
    work = "fi:vero:konserniavustus"
    assert found == [
        ([work], "intro_1", 1),
        ([work], "sec_1", 1),
        ([work, "sec_1"], "sec_1.1", 1),
        ([work, "sec_2"], "sec_2.1", 1),
    ]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("<p>Voimassaolo 12.1.2023 - Toistaiseksi</p>", Validity(date(2023, 1, 12))),
        ("<p>Voimassaolo: 12.1.2023 – 19.6.2024</p>", Validity(date(2023, 1, 12), date(2024, 6, 20))),
        ("<p>Antopäivä</p><p>5.1.2023</p><p>Voimassaolo Toistaiseksi</p>", Validity(date(2023, 1, 5))),
        ("<p>Voimassaolo Toistaiseksi</p>", ALWAYS),
        ("", ALWAYS),
    ],
)
def test_guidance_holds_as_long_as_it_says(lines: str, expected: Validity) -> None:
    document = guidance(f"{lines}<h1>1 A</h1><p>a</p>")
    assert {v.validity for p in document.root.walk() for v in p.versions} == {expected}


def test_guidance_that_replaces_another_says_so() -> None:
    document = guidance(
        "<p>Diaarinumero VH/5629/00.01.00/2022</p><p>Korvaa ohjeen VH/1/00.01.00/2020</p><p>a</p>"
    )
    (reference,) = document.references
    assert (reference.kind, reference.alias) == (EdgeKind.SUPERSEDES, "vh/1/00.01.00/2020")


def test_links_are_references_at_their_words() -> None:
    document = guidance(
        '<p>Ks. <a href="https://www.finlex.fi/fi/oikeuskaytanto/korkein-hallinto-oikeus/ennakkopaatokset/2025/46">'
        " KHO  2025:46</a> ja "
        '<a href="https://www.vero.fi/syventavat-vero-ohjeet/ohje-hakusivu/71147/">Arvoseteleiden'
        " arvonlisäverotuksesta</a> ja "
        '<a href="https://example.org/">muuta</a>.</p>'
    )
    text = document.root.children[0].children[0].versions[0].text
    assert text == "Ks. KHO 2025:46 ja Arvoseteleiden arvonlisäverotuksesta ja muuta."
    first, second = document.references
    assert (first.method, first.kind, str(first.target)) == (
        Method.ANCHOR,
        EdgeKind.INTERPRETS,
        "fi:kho:2025/46",
    )
    assert second.alias == "arvoseteleiden arvonlisäverotuksesta"
    assert [text[one.start : one.end] for one in (first, second)] == [first.text, second.text]


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("https://www.finlex.fi/fi/laki/ajantasa/1992/19921535", "fi:act:1992/1535"),
        ("http://www.finlex.fi/fi/laki/ajantasa/1992/19921535#L2P5", "fi:act:1992/1535/sec_5"),
        ("https://www.finlex.fi/fi/lainsaadanto/1992/1535#sec_124", "fi:act:1992/1535/sec_124"),
        ("https://www.finlex.fi/fi/lainsaadanto/saadoskokoelma/2024/682", "fi:act:2024/682"),
        (
            "https://finlex.fi/fi/oikeuskaytanto/korkein-hallinto-oikeus/ennakkopaatokset/1987/B-II-620",
            "fi:kho:1987-B-II-620",
        ),
        (
            "https://www.vero.fi/syventavat-vero-ohjeet/ohje-hakusivu/48739/konserniavustus4/",
            "fi:vero:konserniavustus",
        ),
        ("https://www.vero.fi/syventavat-vero-ohjeet/ennakkoratkaisut/1/kvl0042024/", "fi:kvl:2024/4"),
    ],
)
def test_official_addresses_name_works(address: str, expected: str) -> None:
    found = destination(address, "tästä")
    assert found is not None
    assert found.target == ProvisionId.parse(expected)


def test_double_encoded_text_is_repaired_and_reported() -> None:
    page = "<html><body><h1>KHO:2020:1</h1><p>Päätös koski ä:tä, ö:tä ja 5 §:ää.</p></body></html>"
    reading = read(KHO, page.encode("utf-8").decode("latin-1").encode("utf-8"))
    (document,) = reading.documents
    assert "Päätös koski ä:tä, ö:tä ja 5 §:ää." in outline(document)[1][3]
    assert document.manifestations[0].notes


@pytest.mark.parametrize(
    ("path", "page", "reason"),
    [
        (KHO, "", "empty"),
        (KHO, "<html><body><p>Sanoja.</p></body></html>", "no main heading"),
        (KHO, "<html><body><h1>Etusivu</h1><p>Sanoja.</p></body></html>", "not the number of a ruling"),
        (VERO, "<html><body><h1>– - vero.fi</h1><p>Sanoja.</p></body></html>", "no title"),
        (VERO, "<html><body></body></html>", "no words"),
        (VERO, "\x00\x01\x02" * 50, "NUL"),
    ],
)
def test_what_is_no_page_is_refused(path: str, page: str, reason: str) -> None:
    reading = read(path, page)
    assert reading.work is None
    assert reason in reading.refusals[0].reason


def test_a_known_address_is_the_url_of_guidance() -> None:
    address = "https://www.vero.fi/syventavat-vero-ohjeet/ohje-hakusivu/48739/konserniavustus/"
    work = read(VERO, "<html><body><h1>Konserniavustus - vero.fi</h1><p>a</p></body></html>", address).work
    assert work is not None
    assert pack.url(ProvisionId(work.id), work, "fi") == address


@pytest.mark.parametrize(
    ("title", "expected"), [("Konserniavustus", "konserniavustus"), ("Å, Ö – & 2026", "a-o-2026")]
)
def test_titles_have_slugs(title: str, expected: str) -> None:
    assert slug(title) == expected
