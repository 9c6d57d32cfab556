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
from time import process_time
from zlib import crc32

import pytest

from making import bundle, document, section
from pykala.answer.citations_in import citations_in as citations_of_text
from pykala.law.citations import CitationContext
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.packs.pack import installed
from pykala.retrieve.cites import citations_in
from pykala.retrieve.courts import cases_in
from pykala.retrieve.elsewhere import place_elsewhere
from pykala.retrieve.strategies import strategy_for
from pykala.retrieve.wording import figures_wanted, term_asked, without_asking, without_exclusions
from pykala.stores.embedded.store import EmbeddedStore
from pykala.text.analysis import analyse
from pykala.text.dates import date_asked
from pykala.text.language import detect
from pykala.text.numerals import numerals
from pykala.text.quantities import quantities, units_named, without_units
from pykala.text.sentences import sentences
from pykala.text.tokens import count_tokens, words_of

LANGUAGES = ("en", "fi", "sv", "fr")
#: Where a text of the law stands, for the grammar that reads the law itself.
LAW = {
    "ca": ("ca:act:E-5.6/sec_7",),
    "eu": ("eu:32016R0679/art_6",),
    "fi": ("fi:act:1992/1535/sec_124", "fi:kho:2020/1/head_1/para_1", "fi:vero:1/head_1"),
    "nyc": ("nyc:adc:11/sec_11-503",),
}
PLAIN = ("1", " ", "§", ".", "(", ")", "[", "a", "A", "\n", "1 ", "a ")
PIECES = (
    "é", "-", "–", "/", ",", "'", ":", "_", "\t", "%", "$", "“", "A ", "Aa ", "§ ", "§1", "1.", "1,",
    "1-", "1/", "1:", "a.", "A.", "a. ", "A. ", "(a)", "(1)", "(1)(a) ", "1) ", "1, ", "1, 1 ", "111,",
    "1 000 ", "§§ ", "s. ", "s. 1 ", "1 § ", "1 ja ", "1 § ja ", "1 mom. ", "Act ", "Aa Act ", "of the ",
    "and ", "of Aa ", "laki ", "lain ", "annetun lain ", "lagen ", "lag om ", "Loi ", "loi sur ", "art. ",
    "Article ", "Article 1 ", "Articles 1, ", "artikel ", "(EU) ", "2016/", "2016/679 ",
    "Directive 2006/112/EC ", "NYC ", "11-", "11-503 ", "section ", "section 1 of ", "subdivision a of ",
    "paragraph (a) of ", "KHO 2019:", "RSC 1985, c ", "C-1/", "1 euro ", "thirty ", "kaksi", "1.1.2020 ",
    "in 2019 ", "except ", "despite section ", "poiketen ", "in Germany ", "(", "((a", "aA",
)  # fmt: skip
#: Behind each run: without words such as these some grammars do not begin to read.
TAIL = " section 5 Part 1 article 3 paragraphe 2 lain 7 § (EU) 2016/679 direktiivi Act 1 euro, despite 2."
PIECE_SIZES = (2_000, 8_000)
PLAIN_SIZES = (12_500, 50_000)
SHARE = 3  # of the pieces, one in so many is read by each reader: all of them together take minutes
MOST, FLOOR, TRIES = 10.0, 0.05, 6


def _citations(code: str, language: str, place: str | None) -> Callable[[str], object]:
    pack = installed()[code]
    context = CitationContext(language, ProvisionId.parse(place) if place else None)

    def read(text: str) -> object:
        return [pack.resolve(one, context) for one in pack.find_citations(text, context)]

    return read


def _readers() -> Iterator[tuple[str, Callable[[str], object]]]:
    for code, pack in installed().items():
        if code in LAW:
            for language in pack.facts.languages:
                yield f"{code}-{language}-question", _citations(code, language, None)
                for place in LAW[code]:
                    yield f"{code}-{language}-{place.split(':')[1]}", _citations(code, language, place)
    for language in LANGUAGES:
        yield f"elsewhere-{language}", lambda text, spoken=language: place_elsewhere(text, spoken)
        yield f"asking-{language}", lambda text, spoken=language: without_asking(text, spoken)
        yield f"term-{language}", lambda text, spoken=language: term_asked(text, spoken)
        yield f"strategy-{language}", lambda text, spoken=language: strategy_for(text, spoken, figure=False)
        yield f"analysis-{language}", lambda text, spoken=language: analyse(text, spoken)
    yield "courts", lambda text: list(cases_in(text))
    yield "exclusions", without_exclusions
    yield "figures", figures_wanted
    yield "dates", lambda text: date_asked(text, today=date(2026, 1, 1))
    yield "numerals", lambda text: list(numerals(text))
    yield "quantities", quantities
    yield "units", lambda text: (units_named(text), without_units(text))
    yield "sentences", sentences
    yield "tokens", lambda text: (count_tokens(text), words_of(text))
    yield "language", detect


READERS = dict(_readers())


def seconds(read: Callable[[str], object], text: str) -> float:
    began = process_time()
    read(text)
    return process_time() - began


def assert_linear(read: Callable[[str], object], unit: str, sizes: tuple[int, ...]) -> None:
    texts = [(unit * (size // len(unit) + 1))[:size] + TAIL for size in sizes]
    times = [seconds(read, text) for text in texts]
    for _ in range(TRIES):
        if not too_slow(times):
            return
        times = [min(before, seconds(read, text)) for before, text in zip(times, texts, strict=True)]
    assert not too_slow(times), f"{unit!r} at {sizes} characters: {times} s"


def too_slow(times: list[float]) -> bool:
    return any(long > MOST * max(short, FLOOR) for short, long in pairwise(times))


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
    sizes = PIECE_SIZES if len(unit) > 1 else (12_500, 50_000, 200_000)
    assert_linear(lambda text: citations_in(text, store, packs), unit, sizes)
    assert_linear(lambda text: citations_of_text(text, store, packs, as_of=today), unit, sizes)
