"""Time at n, 4n and 16n characters for everything that reads text from outside: `python -m bench.linearity`.

    python -m bench.linearity [READER …] [--size 12500] [--every]

Prints, for each reader, the run on which it took longest, the seconds of processor at the three lengths, and
how much longer four times the text takes: about 4 where reading is linear, 16 where it is quadratic. With
`--every`, runs of what citations, dates and amounts are made of are read, too. All of these readers are held
to their promise by `tests/test_linear_reading.py`.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from html import escape
from time import process_time

from fuzz.targets import Target, targets
from pykala.law.citations import CitationContext
from pykala.law.identifiers import ProvisionId
from pykala.packs.pack import installed
from pykala.retrieve.conversation import follows, joined
from pykala.retrieve.courts import cases_in
from pykala.retrieve.elsewhere import law_elsewhere, place_elsewhere
from pykala.retrieve.kinds import wanted
from pykala.retrieve.parts import may_ask_several, parts
from pykala.retrieve.question_forms import asks_for_advice, questions_in
from pykala.retrieve.strategies import strategy_for
from pykala.retrieve.wording import figures_wanted, term_asked, without_asking, without_exclusions
from pykala.text.analysis import analyse
from pykala.text.dates import date_asked
from pykala.text.language import detect
from pykala.text.numerals import numerals
from pykala.text.quantities import quantities, units_named, without_units
from pykala.text.sentences import sentences
from pykala.text.tokens import count_tokens, words_of

Reader = Callable[[str], object]
LANGUAGES = ("en", "fi", "sv", "fr")
TODAY = date(2026, 1, 1)
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
    "? ", "how ", "and how ", "in the ", "in Canada ", "it ", "that ", "or ", "[L1]", "[L", "\\", "*", "&",
    "until 2019 ", "Ã¤", "mitä ", "ja ", "och ", "et ", "what if ", "milloin ja ", "[a SOR/2004-69 ",
    "[Repealed ", "\u2028", "\x85", "until ", "effective and ", "<script ", "1.1", "|-",
)  # fmt: skip
#: Behind each run: without words such as these some grammars do not begin to read.
TAIL = " section 5 Part 1 article 3 paragraphe 2 lain 7 § (EU) 2016/679 direktiivi Act 1 euro, despite 2."


def _citations(code: str, language: str, place: str | None) -> Reader:
    pack = installed()[code]
    context = CitationContext(language, ProvisionId.parse(place) if place else None)

    def read(text: str) -> object:
        return [pack.resolve(one, context) for one in pack.find_citations(text, context)]

    return read


def _of_packs() -> Iterator[tuple[str, Reader]]:
    for code, pack in installed().items():
        if code in LAW:
            for language in pack.facts.languages:
                yield f"{code}-{language}-question", _citations(code, language, None)
                for place in LAW[code]:
                    yield f"{code}-{language}-{place.split(':')[1]}", _citations(code, language, place)


def _of_questions(language: str) -> Iterator[tuple[str, Reader]]:
    """What is told from the words of a question in one language."""
    yield f"elsewhere-{language}", lambda text: place_elsewhere(text, language)
    yield f"law-elsewhere-{language}", lambda text: law_elsewhere(text, language)
    yield f"advice-{language}", lambda text: asks_for_advice(text, language)
    yield f"asking-{language}", lambda text: without_asking(text, language)
    yield f"term-{language}", lambda text: term_asked(text, language)
    yield f"strategy-{language}", lambda text: strategy_for(text, language, figure=False)
    yield f"analysis-{language}", lambda text: analyse(text, language)
    yield f"follows-{language}", lambda text: follows(text, language, today=TODAY)
    yield f"joined-{language}", lambda text: joined(text, text, language)
    yield f"kinds-{language}", lambda text: wanted(text, language)
    yield f"parts-{language}", lambda text: parts(text, language, today=TODAY)
    yield f"several-{language}", lambda text: (may_ask_several(text, language), questions_in(text, language))


def _readers() -> Iterator[tuple[str, Reader]]:
    yield from _of_packs()
    for language in LANGUAGES:
        yield from _of_questions(language)
    yield "courts", lambda text: list(cases_in(text, installed().values()))
    yield "exclusions", without_exclusions
    yield "figures", figures_wanted
    yield "dates", lambda text: date_asked(text, today=TODAY)
    yield "numerals", lambda text: list(numerals(text))
    yield "quantities", quantities
    yield "units", lambda text: (units_named(text), without_units(text))
    yield "sentences", sentences
    yield "tokens", lambda text: (count_tokens(text), words_of(text))
    yield "language", detect


READERS = dict(_readers())

#: The longest words of a file: between two tags, in a string of JSON, or a line.
_TEXTS = {"json": re.compile(r'(?<=")(?:[^"\\]|\\.)+(?=")'), "xml": re.compile(r"(?<=>)[^<>]+(?=<)")}
_PLAIN_LINES = re.compile(r"[^\n]+")
_NOTICE = "documentation tool"  # of the Union, above the law
_READABLE = ("xml", "html", "json", "txt", "md")


def _of_sources() -> Iterator[tuple[str, Reader]]:
    """Every reader of sources, with a run behind the longest words of one of its files.

    What an ingest does besides is done, too: references are found, and passages are cut.
    """
    for name, target in targets().items():
        for kind in _READABLE if name.startswith("read-") else ():
            found = [seed for seed in target.seeds if seed.endswith(f".{kind}") and "meta" not in seed]
            if found:
                largest = max(found, key=lambda seed: len(target.seeds[seed]))
                yield f"{name}-{kind}", _with_a_run(target, largest, kind)


def _with_a_run(target: Target, seed: str, kind: str) -> Reader:
    source = target.seeds[seed].decode("utf-8")
    texts = _TEXTS.get("xml" if kind == "html" else kind, _PLAIN_LINES).finditer(source)
    words = max((one for one in texts if _NOTICE not in one[0]), key=_length)
    before, after = f"{source[: words.end()]} ", source[words.end() :]

    def read(text: str) -> object:
        quoted = json.dumps(text)[1:-1] if kind == "json" else escape(text)
        return target.read(seed, f"{before}{quoted}{after}".encode())

    return read


def _length(match: re.Match[str]) -> int:
    return match.end() - match.start()


SOURCES = dict(_of_sources())


def seconds(read: Reader, text: str) -> float:
    """Seconds of this process's own time."""
    began = process_time()
    read(text)
    return process_time() - began


def run_of(unit: str, size: int) -> str:
    """So many characters of one piece, and behind them what makes grammars begin to read."""
    return (unit * (size // len(unit) + 1))[:size] + TAIL


@dataclass(frozen=True, slots=True)
class Slowest:
    """The run of one reader that took longest at the greatest length."""

    reader: str
    unit: str
    times: tuple[float, ...]

    def row(self) -> str:
        ratios = (
            f"{after / max(before, 1e-4):.1f}"
            for before, after in zip(self.times, self.times[1:], strict=False)
        )
        cells = [self.reader, f"`{self.unit!r}`", *(f"{one:.3f}" for one in self.times), *ratios]
        return "| " + " | ".join(cells) + " |"


def slowest(name: str, units: Sequence[str], sizes: Sequence[int]) -> Slowest:
    """Try every run on a reader."""
    read = READERS.get(name) or SOURCES[name]
    read(TAIL)  # what is read once and kept is not counted
    tried = (
        Slowest(name, unit, tuple(seconds(read, run_of(unit, size)) for size in sizes)) for unit in units
    )
    return max(tried, key=lambda one: one.times[-1])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("reader", nargs="*", help="only these")
    parser.add_argument("--size", type=int, default=12_500, help="characters of the shortest run")
    parser.add_argument("--every", action="store_true", help="also runs of several characters")
    options = parser.parse_args()
    sizes = [options.size, 4 * options.size, 16 * options.size]
    head = [f"{size:,} characters, s" for size in sizes]
    print(
        f"| reader | slowest run of | {' | '.join(head)} | 4× takes | again |\n|---|---|---|---|---|---|---|"
    )
    for name in options.reader or [*READERS, *SOURCES]:
        print(slowest(name, PLAIN + PIECES if options.every else PLAIN, sizes).row(), flush=True)


if __name__ == "__main__":
    main()
