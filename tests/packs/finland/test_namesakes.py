"""A statute that is known only as printed ends when the next one of its name begins."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from making import document, section
from pykala.fetch.mirror import open_mirror
from pykala.law.identifiers import WorkId
from pykala.law.messages import Message
from pykala.law.validity import Validity
from pykala.packs.finland import pack
from pykala.packs.finland.namesakes import (
    ended_by_namesake,
    notes_of_later_decrees,
    notes_of_namesakes,
    with_later_decree,
)
from pykala.packs.finland.pages.known_acts import KnownAct
from pykala.packs.finland.pages.page_facts import PageFacts
from pykala.packs.finland.survey import survey_acts
from pykala.packs.pack import Snapshot

PAGE = "data/finlex/Asetus/a.html"


def noted(title: str, day: date | None, *others: KnownAct | PageFacts, amending: bool = False) -> str:
    page = PageFacts(PAGE, title, day=day, amended_name="hattulaki" if amending else "")
    pages = [page, *(one for one in others if isinstance(one, PageFacts))]
    known = [one for one in others if isinstance(one, KnownAct)]
    unnumbered = {one.path: WorkId(f"fi:statute:s{at}") for at, one in enumerate(pages)}
    return notes_of_namesakes(pages, known, {}, unnumbered).get(PAGE, "")


def act(number: str, title: str, day: date | None) -> KnownAct:
    return KnownAct(WorkId(f"fi:act:{number}"), title, day=day)


OLD, NEW, NEWEST = date(1996, 1, 1), date(2008, 6, 1), date(2021, 3, 1)


@pytest.mark.parametrize(
    ("title", "day", "others", "following"),
    [
        ("hattulaki", OLD, [act("2008/30", "hattulaki", NEW), act("2021/7", "hattulaki", NEWEST)], "2008/30"),
        (
            "hattulaki",
            None,
            [act("2021/7", "hattulaki", NEWEST), act("2008/30", "hattulaki", NEW)],
            "2008/30",
        ),
        ("hattulaki", NEW, [act("2008/30", "hattulaki", NEW)], ""),  # the same statute
        ("hattulaki", NEWEST, [act("2008/30", "hattulaki", NEW)], ""),
        ("hattulaki", OLD, [act("2008/30", "lakkilaki", NEW)], ""),
        ("hattulaki", OLD, [act("2008/30", "hattulaki", None)], ""),
        ("hattumaksuasetus", OLD, [PageFacts("b", "hattumaksuasetus", day=NEW)], "statute:s1"),
        ("hattumaksuasetus", None, [PageFacts("b", "hattumaksuasetus", day=NEW)], ""),  # which is older?
        (
            "lakihatuistatehdynsopimuksenvoimaansaattamisesta",
            OLD,
            [act("2008/30", "lakihatuistatehdynsopimuksenvoimaansaattamisesta", NEW)],
            "",
        ),
        (
            "lakihattupuistonlaajentamisesta",
            OLD,
            [act("2008/30", "lakihattupuistonlaajentamisesta", NEW)],
            "",
        ),
    ],
)
def test_the_next_statute_of_the_name_is_noted(
    title: str, day: date | None, others: list[KnownAct | PageFacts], following: str
) -> None:
    note = noted(title, day, *others)
    assert (f"{following}, is in force from" in note) if following else not note


def test_an_amendment_ends_nothing_of_its_name() -> None:
    assert not noted("hattulaki", OLD, act("2008/30", "hattulaki", NEW), amending=True)


def test_what_had_no_end_ends_and_says_why() -> None:
    work = WorkId("fi:statute:hattulaki")
    kept = section(work, "1", "Hattu on musta.", validity=Validity(OLD, date(2000, 1, 1)))
    later = section(work, "2", "Hattu on valkoinen.", validity=Validity(date(2000, 1, 1)))
    read = document(work, "fi", [kept, later])
    note = (
        "given under 1990/12, which 2015/30 repealed; a statute of the same name, 2008/30, is in force from"
        " 2008-06-01"
    )
    first, second = ended_by_namesake(read, [note]).root.children
    assert first == kept
    assert second.versions[0].validity == Validity(date(2000, 1, 1), NEW)
    assert second.versions[0].findings == (Message.of("finding.ended_by_namesake", name="30/2008"),)
    assert ended_by_namesake(read, [""]) == read


@pytest.mark.parametrize(
    ("title", "noted"),
    [
        ("hattulaitoksentyöjärjestys", True),
        ("valtioneuvostonasetushatuista", True),
        ("verohallinnonpäätöshattuilmoituksista", True),
        ("hattulaki", False),  # what repeals an act is read
        ("valtioneuvostonasetushattuasetuksenmuuttamisesta", False),
    ],
)
def test_a_numbered_decree_is_noted_when_a_later_one_has_its_name(title: str, noted: bool) -> None:
    known = [act("2020/685", title, OLD), act("2020/1107", title, NEW), act("2024/75", title, NEWEST)]
    notes = notes_of_later_decrees([], known, {})
    assert notes == (
        {
            "2020/685": "a later decree of the same name, 2020/1107, is in force from 2008-06-01",
            "2020/1107": "a later decree of the same name, 2024/75, is in force from 2021-03-01",
        }
        if noted
        else {}
    )


def test_a_decree_of_a_lower_number_that_begins_later_is_no_follower() -> None:
    known = [act("2010/1187", "hattuasetus", NEWEST), act("2011/68", "hattuasetus", NEW)]
    assert notes_of_later_decrees([], known, {}) == {}


def test_of_a_decree_with_two_days_the_earlier_counts() -> None:
    twice = [act("2000/5", "hattuasetus", OLD), act("2000/5", "hattuasetus", NEW)]
    known = [*twice, act("2004/9", "hattuasetus", NEW), act("2024/75", "hattuasetus", NEWEST)]
    assert notes_of_later_decrees([], known, {})["2000/5"].endswith("2004/9, is in force from 2008-06-01")


def test_such_a_decree_says_so_and_stands_and_one_amended_since_does_not() -> None:
    work = WorkId("fi:act:2020/685")
    note = "a later decree of the same name, 2020/1107, is in force from 2008-06-01"
    standing = document(work, "fi", [section(work, "1", "Hattu on musta.", validity=Validity(OLD))])
    (told,) = with_later_decree(standing, ["", f"a note; {note}"]).root.children
    assert told.versions[0].validity == Validity(OLD)
    assert told.versions[0].findings == (Message.of("finding.later_decree", name="1107/2020", day=NEW),)
    amended = document(work, "fi", [section(work, "1", "Hattu on musta.", validity=Validity(NEWEST))])
    assert with_later_decree(amended, [note]) == amended
    assert with_later_decree(standing, [""]) == standing


def page(title: str, *paragraphs: str) -> str:
    body = "".join(f"<p>{words}</p>" for words in paragraphs)
    return f'<!DOCTYPE html><html lang="fi"><body><h1>{title}</h1>{body}</body></html>'


def test_pages_of_a_series_end_one_after_the_other(tmp_path: Path) -> None:
    for year in (2004, 2005, 2006):
        file = tmp_path / "data" / "finlex" / "Asetus" / f"Asetus hattumaksun suuruudesta {year}.html"
        file.parent.mkdir(parents=True, exist_ok=True)
        words = ("Säädetään hattulain nojalla:", "1 §", f"Hattumaksu on {year - 2000} euroa.",
                 f"Tämä asetus tulee voimaan 1 päivänä tammikuuta {year}.")  # fmt: skip
        file.write_text(page("Asetus hattumaksun suuruudesta", *words), "utf-8")
    ends = {}
    with open_mirror(tmp_path) as mirror:
        for item in survey_acts(mirror):
            snapshots = [Snapshot(path, mirror.read(path).data, "0", "") for path in item.paths]
            (read,) = pack.read(item, snapshots).documents
            (fee,) = (one for node in read.root.walk() for one in node.versions if "euroa" in one.text)
            ends[fee.validity.start] = fee.validity.end
    first, second, third = (date(year, 1, 1) for year in (2004, 2005, 2006))
    assert ends == {first: second, second: third, third: None}
