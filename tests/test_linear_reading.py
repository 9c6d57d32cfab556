"""Whatever a text from outside holds, reading it takes time in proportion to its length.

Runs of one character, and of short pieces that citations, dates and quantities are made of, are read at
growing lengths. Four times the text takes four times as long where reading is linear and sixteen times
where it is quadratic; the bound lies between. Times are those of this process alone and never counted as less
than a floor; where the bound is passed, both lengths are read again, for another program beside this one may
have had the processor's cache in one of the readings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from itertools import pairwise
from zlib import crc32

import pytest

from bench.linearity import PIECES, PLAIN, READERS, SOURCES, TAIL, run_of, seconds
from making import bundle, document, section
from pykala.answer.citations_in import citations_in as citations_of_text
from pykala.law.identifiers import WorkId
from pykala.packs.pack import installed
from pykala.retrieve.cites import citations_in
from pykala.stores.embedded.store import EmbeddedStore

PIECE_SIZES = (750, 3_000)
PLAIN_SIZES = (2_000, 8_000)
LONG_SIZES = (6_250, 25_000)  # of a whole document that a reader hands in
SOURCE_SIZES = (1_500, 6_000)  # added to a whole file, whose own reading is counted, too
SHARE = 5  # of the pieces, one in so many is read by each reader: all of them together take minutes
MOST, FLOOR, TRIES = 10.0, 0.025, 6
#: Half the text takes a reader that is not linear a quarter of the time.
SHORT_FLOOR = FLOOR / 4


def assert_linear(
    read: Callable[[str], object],
    unit: str,
    sizes: tuple[int, ...],
    most: float = MOST,
    floor: float = SHORT_FLOOR,
) -> None:
    texts = [run_of(unit, size) for size in sizes]
    longer = [seconds(read, text) for text in texts[1:]]
    if max(longer) <= most * floor:  # not too slow, however fast the shortest text is read
        return
    times = [seconds(read, texts[0]), *longer]
    for _ in range(TRIES):
        if not too_slow(times, most, floor):
            return
        times = [min(before, seconds(read, text)) for before, text in zip(times, texts, strict=True)]
    assert not too_slow(times, most, floor), f"{unit!r} at {sizes} characters: {times} s"


def too_slow(times: list[float], most: float, floor: float) -> bool:
    return any(long > most * max(short, floor) for short, long in pairwise(times))


@pytest.mark.parametrize("name", READERS)
def test_runs_of_one_character_are_read_in_one_pass(name: str) -> None:
    READERS[name](TAIL)  # what is read once and kept is not counted
    for unit in PLAIN:
        assert_linear(READERS[name], unit, PLAIN_SIZES)


@pytest.mark.parametrize("name", READERS)
def test_runs_of_what_citations_are_made_of_are_read_in_one_pass(name: str) -> None:
    READERS[name](TAIL)
    for unit in PIECES[crc32(name.encode()) % SHARE :: SHARE]:
        assert_linear(READERS[name], unit, PIECE_SIZES)


#: Whole citations as people write them, several packs' on every pack: each is found and read on from.
CITED = ("§ 11-240.1 ", "TVL 124 § 2 mom. ", "s. 240(1)(a) ", "Article 6(1) ", "11-503 of the Admin. Code, ")
CITED_SIZES, CITED_MOST = (3_000, 12_000), 6.0


@pytest.mark.parametrize("name", [name for name in READERS if name.endswith("-question")])
def test_runs_of_whole_citations_are_read_in_one_pass(name: str) -> None:
    READERS[name](TAIL)
    for unit in CITED:
        assert_linear(READERS[name], unit, CITED_SIZES, CITED_MOST, FLOOR)


@pytest.mark.parametrize("name", SOURCES)
def test_files_of_sources_are_read_in_one_pass(name: str) -> None:
    SOURCES[name](TAIL)
    for unit in PLAIN:
        assert_linear(SOURCES[name], unit, SOURCE_SIZES, floor=FLOOR)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedStore]:
    work = WorkId("fi:act:1992/1535")
    with EmbeddedStore.open(tmp_path_factory.mktemp("library"), writable=True) as opened:
        opened.put(bundle(work, [document(work, "fi", [section(work, "1", "Vero.")], "Tuloverolaki")]))
        yield opened


@pytest.mark.parametrize("unit", ["1", "§", ".", " ", "(", "a", "TVL 1 § ", "s. 1 "])
def test_the_citations_of_a_long_text_are_read_in_one_pass(store: EmbeddedStore, unit: str) -> None:
    packs = installed()
    today = date(2026, 1, 1)
    sizes = PIECE_SIZES if len(unit) > 1 else LONG_SIZES
    assert_linear(lambda text: citations_in(text, store, packs), unit, sizes)
    assert_linear(lambda text: citations_of_text(text, store, packs, as_of=today), unit, sizes)
