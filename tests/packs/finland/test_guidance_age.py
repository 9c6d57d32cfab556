"""Guidance that has lost its date: not older than what it cites, and never valid always without a word."""

from __future__ import annotations

from datetime import date

import pytest

from pykala.law.messages import Message
from pykala.law.provisions import Version
from pykala.packs.finland import pack
from pykala.packs.finland.pages.guidance import GuidanceFiles, read_guidance
from pykala.packs.finland.pages.guidance_age import UNDATED
from pykala.packs.pack import Snapshot

FOLDER = "data/vero/Syventävät vero-ohjeet/Ohjeet/Hauki"


def read(words: str, title: str = "Hauen verotus", *others: str) -> Version:
    paths = [f"{FOLDER}/{name} - vero.fi.html" for name in (title, *others)]
    paths += [f"{FOLDER}/{name}" for name in others if name.endswith(".html")]
    item = next(iter(GuidanceFiles.items(paths)))
    page = (
        f"<html><body><article><h1>{title} - vero.fi</h1><h2>Hauki</h2><p>{words}</p></article></body></html>"
    )
    reading = read_guidance(item, [Snapshot(item.paths[0], page.encode(), "0")], pack.facts)
    return reading.documents[0].root.versions[-1]


@pytest.mark.parametrize(
    ("words", "start"),
    [
        ("Hauesta säädetään kalalaissa (379/2015) ja hauilla (12/1999).", date(2015, 1, 1)),
        ("Ks. KHO:2021:33 ja KHO 2018:4.", date(2021, 1, 1)),
        ("Ks. HE 29/2016 vp ja KVL:2014/7.", date(2016, 1, 1)),
        ("Hauki on kala.", None),
    ],
)
def test_a_page_is_not_older_than_what_it_cites(words: str, start: date | None) -> None:
    version = read(words)
    assert version.validity.start == start
    assert len(version.findings) == 1
    assert (version.findings == (UNDATED,)) is (start is None)


def test_a_page_with_its_day_is_dated_by_it() -> None:
    version = read("Antopäivä 12.1.2023. Ks. laki (12/1999).")
    assert (version.validity.start, version.findings) == (date(2023, 1, 12), ())


def test_a_title_may_say_from_when() -> None:
    version = read("Ks. laki (12/2021).", "Hauen verotus 1.1.2018 alkaen")
    assert version.validity.start == date(2018, 1, 1)


def test_a_page_for_one_year_ends_when_that_year_has_been_assessed() -> None:
    assert read("Hauki.", "Haukien arvot vuodelta 2005").validity.end == date(2007, 1, 1)


def test_several_pages_under_one_title_say_so() -> None:
    version = read("Hauki.", "Hauen verotus", "Hauen verotus - vero.fi_1.html")
    assert Message.of("finding.editions", pages=2) in version.findings
