"""Pages of the Tax Administration whose place a later page takes."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from pykala.fetch.mirror import open_mirror
from pykala.law.messages import Message
from pykala.law.references import EdgeKind
from pykala.law.validity import Validity
from pykala.packs.finland import pack
from pykala.packs.finland.pages.guidance import GuidanceFiles
from pykala.packs.finland.pages.superseded import replaced_titles
from pykala.packs.pack import Reading, Snapshot

FOLDER = "data/vero/Syventävät vero-ohjeet"


@pytest.mark.parametrize(
    ("words", "titles"),
    [
        ("Ohje korvaa 13.1.2017 annetun ohjeen Haukivero (Dnro A168/200/2016).", ["Haukivero"]),
        ("Tämä ohje korvaa aikaisemman samannimisen ohjeen.", ["Kalavero"]),
        ("Tämä ohje korvaa aikaisemman Haukien verotus -nimisen ohjeen.", ["Haukien verotus"]),
        (
            "Tämä ohje korvaa Verohallinnon kannanoton Haukien menot. Kannanottoa on täydennetty.",
            ["Haukien menot"],
        ),
        ("Ohje korvaa Verohallinnon 15.1.2021 antaman ohjeen VH/845/00.01.00/2020.", []),
        (
            "Päätöksellä kumotaan Verohallinnon päätös hauista (3/2021).",
            ["Verohallinnon päätös hauista"],
        ),
        ("Tämä ohje korvaa ohjeen Haukivero (A1/200/2018) siltä osin, kun se koskee siikaa.", []),
        ("Ohje korvaa ohjeen Haukivero haukia koskevat luvut 10, 11.4 ja 14.", []),
        ("Verovelvollinen korvaa ohjeen mukaan vahingon.", []),
    ],
)
def test_what_a_page_says_that_it_replaces(words: str, titles: list[str]) -> None:
    assert list(replaced_titles("Kalavero", [words])) == titles


def page(folder: Path, kind: str, title: str, body: str, copy: str = "") -> str:
    path = f"{FOLDER}/{kind}/{title}/{title} - vero.fi{copy}.html"
    file = folder / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(
        f'<html><body><article id="content-main"><h1>{title} - vero.fi</h1>{body}</article></body></html>',
        "utf-8",
    )
    return path


def readings(folder: Path) -> dict[str, Reading]:
    with open_mirror(folder) as mirror:
        return {
            item.paths[0]: pack.read(item, [Snapshot(item.paths[0], mirror.read(item.paths[0]).data, "0")])
            for item in GuidanceFiles.survey(mirror)
        }


def findings(reading: Reading) -> set[Message]:
    return {
        one
        for node in reading.documents[0].root.walk()
        for version in node.versions
        for one in version.findings
    }


def test_an_older_edition_says_that_another_takes_its_place(tmp_path: Path) -> None:
    old = page(tmp_path, "Ohjeet", "Haukivero", "<h2>1 Yleistä</h2><p>Hauki (12/2016) on kala.</p>")
    new = page(
        tmp_path,
        "Ohjeet",
        "Haukivero",
        "<h2>1 Yleistä</h2><p>Hauki (12/2021) on kala. Ohje korvaa 1.2.2019 annetun samannimisen ohjeen.</p>",
        "_1",
    )
    other = page(tmp_path, "Ohjeet", "Siikavero", "<h2>1 Yleistä</h2><p>Siika on kala.</p>")
    told = readings(tmp_path)
    superseding = Message.of("finding.superseded_page", title="Haukivero")
    assert superseding in findings(told[old])
    assert not any(one.key == superseding.key for path in (new, other) for one in findings(told[path]))


def test_a_decision_ends_when_the_one_that_repeals_it_takes_effect(tmp_path: Path) -> None:
    old = page(
        tmp_path,
        "Päätökset",
        "Verohallinnon päätös hauista",
        "<p>Päätös tulee voimaan 1.1.2021.</p><p>Arvo 5.</p>",
    )
    new = page(
        tmp_path,
        "Päätökset",
        "Verohallinnon päätös hauen arvosta",
        "<p>Päätös tulee voimaan 1.1.2024.</p>"
        "<p>Päätöksellä kumotaan Verohallinnon päätös hauista (3/2021).</p><p>Arvo 6.</p>",
    )
    told = readings(tmp_path)
    assert told[old].work is not None
    assert told[old].work.validity == Validity(date(2021, 1, 1), date(2024, 1, 1))
    assert told[new].work is not None
    assert told[new].work.validity == Validity(date(2024, 1, 1))
    kinds = [
        (one.kind, one.alias) for one in told[new].documents[0].references if one.kind is EdgeKind.SUPERSEDES
    ]
    assert kinds == [(EdgeKind.SUPERSEDES, "verohallinnon päätös hauista")]
