"""Faults that readers saw in the real law, looked at in the corpora: mended, or marked on the provision."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import date
from pathlib import Path

import pytest

from pykala.fetch.mirror import Mirror, open_mirror
from pykala.law.provisions import Provision
from pykala.packs.finland.survey import AMENDS
from pykala.packs.left_out import REPEATED
from pykala.packs.nyc.doubts import EMPTY_COPY
from pykala.packs.pack import Reading, Snapshot, SourceItem, pack_for

CORPORA = Path(__file__).parents[3] / "shared" / "corpora"
TODAY = date(2026, 11, 16)

pytestmark = pytest.mark.corpora
Reader = Callable[..., Reading]


@pytest.fixture(scope="module")
def read() -> Iterator[Reader]:
    with ExitStack() as stack:
        opened: dict[str, Mirror] = {}

        def reading(
            code: str, archive: str, name: str, *paths: str, notes: tuple[tuple[str, str], ...] = ()
        ) -> Reading:
            file = CORPORA / f"{archive}.tar.zst"
            if not file.exists():
                pytest.skip(f"{file.name} is not beside the repository (looked in ../shared/corpora)")
            mirror = opened.get(archive) or stack.enter_context(open_mirror(file))
            opened[archive] = mirror
            wanted = paths or next(
                item.paths for item in pack_for(code).works(mirror.paths()) if item.name == name
            )
            files = [mirror.read(path) for path in wanted]
            item = SourceItem(name, tuple(wanted), notes)
            return pack_for(code).read(item, [Snapshot(one.path, one.data, one.sha256) for one in files])

        yield reading


def place(reading: Reading, path: str) -> Provision:
    return next(one for one in reading.documents[0].root.walk() if "/".join(map(str, one.id.path)) == path)


@pytest.mark.parametrize(
    ("celex", "day"),
    [("31985L0577", "2014-06-13"), ("31999L0044", "2022-01-01"), ("32002L0065", "2026-06-19")],
)
def test_repealed_directives_do_not_stand(read: Reader, celex: str, day: str) -> None:
    reading = read("eu", "eu", f"eu:{celex}")
    assert reading.work is not None
    assert str(reading.work.validity.end) == day
    assert not any(one.at(TODAY) for one in reading.documents[0].root.walk() if one.id.path)


@pytest.mark.parametrize(("celex", "path"), [("32024R1689", "art_4"), ("32014R0596", "art_19/para_8")])
def test_an_earlier_wording_that_the_source_lacks_is_said_to_be_missing(
    read: Reader, celex: str, path: str
) -> None:
    provision = place(read("eu", "eu", f"eu:{celex}"), path)
    assert provision.versions[0].history_unavailable
    assert provision.versions[0].validity.start is not None
    assert provision.versions[0].validity.start.year == 2026


def test_new_york_numbers_printed_twice_and_rates_of_past_years(read: Reader) -> None:
    reading = read("nyc", "nyc", "nyc:adc:11")
    assert EMPTY_COPY in place(reading, "sec_11-2704.dup2").versions[-1].findings
    rents = place(reading, "sec_11-702")
    assert any(
        doubt.key == "finding.bad_row" for one in rents.walk() for v in one.versions for doubt in v.findings
    )
    assert place(reading, "sec_11-702/subd_a/para_1").at(TODAY) is None
    assert place(reading, "sec_11-702/subd_a/para_1").at(date(1965, 1, 1)) is not None


def test_canadian_words_paths_and_an_act_that_is_not_in_force(read: Reader) -> None:
    drugs = read("ca", "canada", "ca:act:C-38.8", "eng/acts/C-38.8.xml")
    assert "\u00ad" not in place(drugs, "sec_4.1/subsec_2").versions[-1].text
    evidence = read("ca", "canada", "ca:act:C-5", "eng/acts/C-5.xml")
    assert place(evidence, "sec_4/subsec_4+5").versions[-1].text
    french = read("ca", "canada", "ca:act:U-3.5", "eng/acts/U-3.5.xml")
    assert french.work is not None
    assert french.work.validity.is_pending
    assert all(
        one.versions[-1].validity.is_pending for one in french.documents[0].root.walk() if one.versions
    )


def test_finnish_words_that_the_source_lacks_are_marked(read: Reader) -> None:
    folder = "data/sd-jsonld-fi"
    inheritance = read("fi", "finland-consolidated", "act:1940/378", f"{folder}/1940-378.jsonld")
    deductions = place(inheritance, "sec_12")
    assert any(
        doubt.value("act") == "1320/2016"
        for one in deductions.walk()
        for v in one.versions
        for doubt in v.findings
    )
    income = place(
        read("fi", "finland-consolidated", "act:1992/1535", f"{folder}/1992-1535.jsonld"), "sec_77"
    )
    assert any(doubt == REPEATED for one in income.walk() for v in one.versions for doubt in v.findings)


def test_an_act_repealed_but_for_some_places_does_not_stand(read: Reader) -> None:
    """The vehicle act of 2002, by the act of 2021."""
    repealing = "asd/fi/2021/asd20210082.xml"
    read("fi", "finland-statutes", "act:2021/82", repealing)
    with (
        open_mirror(CORPORA / "finland-statutes.tar.zst") as later,
        open_mirror(CORPORA / "finland-consolidated.tar.zst") as base,
    ):
        own = "data/sd-jsonld-fi/2002-1090.jsonld"
        files = [base.read(own), later.read(repealing)]
    item = SourceItem("act:2002/1090", (own, repealing), ((repealing, f"{AMENDS} as act:2021/82"),))
    reading = pack_for("fi").read(item, [Snapshot(one.path, one.data, one.sha256) for one in files])
    assert reading.work is not None
    assert reading.work.validity.end == date(2021, 9, 2)
    assert place(reading, "sec_1").at(date(2021, 3, 1)) is None
    assert place(reading, "sec_25").at(date(2021, 3, 1)) is not None
