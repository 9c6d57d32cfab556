"""Tax treaties: articles and their paragraphs, boxes of the multilateral convention, numbers and names."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pykala.law.provisions import Document, ProvisionKind, WorkKind
from pykala.packs.finland import pack
from pykala.packs.finland.treaties.reading import TreatyFiles, genitive, read_treaty
from pykala.packs.pack import Reading, Snapshot

FOLDER = "data/finlex/Tuloverosopimukset"
TITLE = "Sopimus Suomen tasavallan ja Kuvitelman välillä tuloveroista"


def read(body: str, partner: str = "Kuvitelma", title: str = TITLE, copies: int = 1) -> Reading:
    paths = [f"{FOLDER}/{partner}/Sopimus.html", f"{FOLDER}/{partner}/Sopimus_1.html"][:copies]
    (item,) = TreatyFiles.items(paths)
    page = f"<html><body><h1>{title}</h1>{body}</body></html>".encode()
    return read_treaty(item, [Snapshot(path, page, str(at)) for at, path in enumerate(paths)], pack.facts)


def outline(document: Document) -> list[tuple[str, str, str, str]]:
    start = len(str(document.work)) + 1
    return [
        (str(p.id)[start:], p.label, p.heading, p.versions[0].text) for p in document.root.walk() if p.id.path
    ]


BODY = """
<p>Suomi ja Kuvitelma ovat sopineet seuraavasta:</p>
<h2>I luku - Soveltamisala</h2>
<h2>1 artikla - Henkilöt</h2>
<p>Sopimusta sovelletaan asukkaisiin.</p>
<h2>2 artikla (SopS 11–12/2021) - Verot</h2>
<p>1. Veroja ovat:</p>
<p>a) Kuvitelmassa</p><p>1) kalavero; ja</p><p>2) lintuvero</p><p>(jäljempänä "Kuvitelman vero");</p>
<p>h) ensin;</p><p>i) sitten.</p>
<p>2. Muita ei ole.</p>
<div class="mli-replacement"><aside><p>Tätä sovelletaan vuodesta 2022.</p></aside>
<h3>YLEISSOPIMUKSEN 7 ARTIKLA</h3><p>Etuutta ei myönnetä.</p></div>
<h3>3 A artikla - Loppu</h3><p>Sopimus on voimassa.</p>
<p>PÖYTÄKIRJA</p><p>1. Artiklaan 2 kuuluu myös hauki.</p>
"""


def test_articles_paragraphs_and_points_have_paths_of_their_own() -> None:
    (document,) = read(BODY).documents
    assert outline(document) == [
        ("preamble_1", "", "", "Suomi ja Kuvitelma ovat sopineet seuraavasta:"),
        ("chp_1", "I luku", "Soveltamisala", ""),
        ("art_1", "1 artikla", "Henkilöt", ""),
        ("art_1/para_1", "", "", "Sopimusta sovelletaan asukkaisiin."),
        ("art_2", "2 artikla", "Verot (SopS 11–12/2021)", ""),
        ("art_2/para_1", "1.", "", "Veroja ovat:"),
        ("art_2/para_1/point_a", "a)", "", "Kuvitelmassa"),
        ("art_2/para_1/point_a/subpoint_1", "1)", "", "kalavero; ja"),
        ("art_2/para_1/point_a/subpoint_2", "2)", "", "lintuvero"),
        ("art_2/para_1/flush_1", "", "", '(jäljempänä "Kuvitelman vero");'),
        ("art_2/para_1/point_h", "h)", "", "ensin;"),
        ("art_2/para_1/point_i", "i)", "", "sitten."),
        ("art_2/para_2", "2.", "", "Muita ei ole."),
        (
            "art_2/mli_1",
            "",
            "YLEISSOPIMUKSEN 7 ARTIKLA",
            "Tätä sovelletaan vuodesta 2022.\nEtuutta ei myönnetä.",
        ),
        ("art_3a", "3 A artikla", "Loppu", ""),
        ("art_3a/para_1", "", "", "Sopimus on voimassa."),
        ("protocol_1", "", "PÖYTÄKIRJA", ""),
        ("protocol_1/para_1", "1.", "", "Artiklaan 2 kuuluu myös hauki."),
    ]
    kinds = {str(p.id.last): p.kind for p in document.root.walk() if p.id.path}
    assert kinds["art_2"] is ProvisionKind.ARTICLE
    assert kinds["mli_1"] is ProvisionKind.RELATED_PROVISION


PUBLISHED = (
    "<p>Suomen ja Kuvitelman välillä 23 päivänä maaliskuuta 1993 tehty sopimus tuloveroista on julkaistu"
    " säädöskokoelman sopimussarjassa SopS 96/1993 https://example.org</p>"
)
OTHERS = (
    "<p>Laki sopimuksesta on julkaistu säädöskokoelman sopimussarjassa SopS 1/2019</p>"
    "<p>Valtiovarainministeriön ilmoitus sopimuksesta on julkaistu sopimussarjassa SopS 2/2021</p>"
)


def test_a_treaty_is_known_by_its_number_in_the_treaty_series() -> None:
    work = read(f'<div class="mli-addition">{OTHERS}{PUBLISHED}</div>{BODY}').work
    assert work is not None
    assert (str(work.id), work.kind, work.authority) == ("fi:treaty:1993/96", WorkKind.TREATY, 90)
    assert work.issued == date(1993, 3, 23)
    assert {"sops 96/1993", "verosopimus kuvitelman kanssa", "kuvitelman verosopimus"} <= set(work.aliases)


@pytest.mark.parametrize(
    ("partner", "title", "body", "expected"),
    [
        ("Kuvitelma", TITLE, BODY, "fi:treaty:kuvitelma"),
        # "(SopS 11–12/2021)" in the text is the treaty that changed it, not its own number.
        ("Kuvitelma", TITLE, f"<p>( SopS 11–12/2021 )</p>{BODY}", "fi:treaty:kuvitelma"),
        ("Serbia", "Suomen ja Jugoslavian välinen sopimus", f"{PUBLISHED}{BODY}", "fi:treaty:serbia"),
        ("Tanska", "Sopimus Pohjoismaiden välillä tuloveroista", BODY, "fi:treaty:pohjoismaat"),
    ],
)
def test_a_treaty_without_a_number_of_its_own_is_known_by_its_partner(
    partner: str, title: str, body: str, expected: str
) -> None:
    work = read(body, partner, title).work
    assert work is not None
    assert str(work.id) == expected


def test_the_nordic_treaty_answers_to_every_nordic_name() -> None:
    work = read(BODY, "Tanska", "Sopimus Pohjoismaiden välillä tuloveroista").work
    assert work is not None
    assert {"verosopimus ruotsin kanssa", "verosopimus islannin kanssa", "tanskan verosopimus"} <= set(
        work.aliases
    )


def test_copies_of_a_page_are_manifestations_of_one_treaty() -> None:
    (document,) = read(BODY, copies=2).documents
    first, second = document.manifestations
    assert first.path.endswith("/Sopimus.html")
    assert "another copy" in second.notes[0]


@pytest.mark.parametrize(
    ("country", "expected"),
    [("Viro", "Viron"), ("Irlanti", "Irlannin"), ("Vietnam", "Vietnamin"), ("Yhdysvallat", "Yhdysvaltojen")],
)
def test_countries_are_declined(country: str, expected: str) -> None:
    assert genitive(country) == expected


def test_a_page_that_cannot_be_read_is_refused() -> None:
    (item,) = TreatyFiles.items([f"{FOLDER}/Viro/Sopimus.html"])
    reading = read_treaty(item, [Snapshot(item.paths[0], b"", "0")], pack.facts)
    assert reading.work is None
    assert reading.refusals


_FRAGMENTS = st.sampled_from(
    [
        "<h2>1 artikla</h2>",
        "<p>1. a</p>",
        "<p>a) b</p>",
        "<p>i) c</p>",
        "<p>1) d</p>",
        "<aside>",
        "</aside>",
        "<p>PÖYTÄKIRJA</p>",
        "<h2>II luku</h2>",
        "<h3>muuta</h3>",
        "<p>sekä</p>",
        "<div class='mli-x'><p>e",
    ]
)


@given(st.lists(_FRAGMENTS, min_size=1, max_size=25))
@settings(max_examples=60, deadline=None)
def test_every_treaty_has_each_identifier_once_and_loses_no_word(fragments: list[str]) -> None:
    reading = read("".join(fragments))
    for document in reading.documents:
        identifiers = [provision.id for provision in document.root.walk()]
        assert len(set(identifiers)) == len(identifiers)
        words = "".join(p.label + p.heading + p.versions[0].text for p in document.root.walk())
        for word in ("sekä", "muuta", "PÖYTÄKIRJA"):
            assert words.count(word) >= "".join(fragments).count(word)
