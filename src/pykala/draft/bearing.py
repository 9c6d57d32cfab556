"""Check whether cited texts support a claim: its quotations, its figures, its words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from difflib import SequenceMatcher
from functools import cached_property
from typing import Final

from pykala.answer.figures import Figures, figures, in_months
from pykala.draft.keyed import KeyedProvision
from pykala.law.checks import Check, DraftClaim, Finding
from pykala.law.messages import Message
from pykala.law.validity import ALWAYS
from pykala.text.analysis import analyse
from pykala.text.dates import named_dates
from pykala.text.languages.known import words
from pykala.text.sentences import sentences

_SPACE: Final = re.compile(r"\s+")
_MARKS: Final = str.maketrans({**dict.fromkeys("“”„‟»«", '"'), **dict.fromkeys("‘’‚‛‹›", "'")})
_BY_MARK: Final = re.compile(r' ?" ?')  # French puts spaces inside its quotation marks: « mot »
_OMITTED: Final = re.compile(r"[\[(] ?(?:…|\.\.\.) ?[\])]|…|\.\.\.|— —")
_DIGIT: Final = re.compile(r"\d")
_DIGITS: Final = re.compile(r"\d+")
_YEAR: Final = re.compile(r"(?:18|19|20)\d\d")
_GROUP: Final = re.compile(r"\d{3}(?!\d)")  # digits that may be the end of a longer number
_TOKEN: Final = re.compile(r"\d+(?:[ \u00a0\u202f.,]\d{3})*(?:[.,]\d+)?|[^\W\d_]+")
_NEARLY: Final = 0.75  # likeness from which a sentence is taken to be the law's own sentence with changes
_ALTERED: Final = 0.6  # likeness from which a quotation that the text lacks is taken to be an altered one
_WORDS, _WORDS_WITH_FIGURES = 0.5, 0.25  # least share of a claim's words in one window of its source
_PLACE: Final = 3  # sentences in a window
#: Characters that may not be next to a quotation: the rest of a word, or of a number ("30 000").
_RUNS_ON: Final = (re.compile(r"\w$"), re.compile(r"\w"))
_NUMBER_BEFORE: Final = re.compile(r"\d[.,]$")
_GROUP_BEFORE: Final = re.compile(r"(?<!\d)\d{1,3} $")
_NUMBER_BEHIND: Final = re.compile(r"[.,]\d| \d{3}(?!\d)")


@dataclass(frozen=True, slots=True)
class Bearing:
    """How texts support a claim; `verbatim` where they contain it, or all its quotations, literally."""

    findings: tuple[Finding, ...]
    verbatim: bool

    @property
    def sound(self) -> bool:
        """Whether no check failed."""
        return all(finding.check is Check.OTHER_LANGUAGE for finding in self.findings)


class Source:
    """A keyed provision, parsed once for all claims."""

    def __init__(self, keyed: KeyedProvision) -> None:
        self.keyed = keyed
        self.key = keyed.key

    @classmethod
    def of(cls, keyed: KeyedProvision) -> Source:
        """Parse a keyed provision."""
        return cls(keyed)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """Its texts and headings, normalised for comparing quotations."""
        held = (text for one in self.keyed.expressions for text in (one.text, one.heading))
        return tuple(normalised(text) for text in held if text)

    @cached_property
    def figures(self) -> tuple[Figures, ...]:
        """The figures of each text."""
        return tuple(figures(one.text, spelled=True) for one in self.keyed.expressions)

    @cached_property
    def named(self) -> frozenset[str]:
        """Numbers that name the provision: in its citation, heading and identifier."""
        one = self.keyed.cited
        called = " ; ".join(
            (*(f"{x.citation} ; {x.heading}" for x in self.keyed.expressions), str(one.provision))
        )
        validity = " ; ".join(day.isoformat() for day in (one.validity.start, one.validity.end) if day)
        return frozenset(_DIGITS.findall(called)) | frozenset(_DIGITS.findall(validity))

    @cached_property
    def words(self) -> dict[str, tuple[frozenset[str], ...]]:
        """Terms by language for each window of sentences, with heading and citation.

        A long section has most of the words of any claim somewhere, but not together.
        """
        places = {}
        for one in self.keyed.expressions:
            around = frozenset(analyse(f"{one.citation}\n{one.heading}", one.language))
            said = [frozenset(analyse(one.text[a:b], one.language)) for a, b in sentences(one.text)]
            starts = range(max(1, len(said) - _PLACE + 1))
            places[one.language] = tuple(around.union(*said[at : at + _PLACE]) for at in starts)
        return places

    @cached_property
    def sentences(self) -> tuple[tuple[str, ...], ...]:
        """The distinct sentences of its texts, as tokens."""
        spans = ((one.text, *span) for one in self.keyed.expressions for span in sentences(one.text))
        return tuple(dict.fromkeys(tokens(text[start:end]) for text, start, end in spans))


def normalised(text: str) -> str:
    """A text with normal white space and quotation marks; nothing else changes."""
    return _BY_MARK.sub(' " ', _SPACE.sub(" ", text.translate(_MARKS))).strip()


def tokens(text: str) -> tuple[str, ...]:
    """Words and numbers, folded."""
    return tuple(token.replace("\u00a0", " ").casefold() for token in _TOKEN.findall(text))


def bears(claim: DraftClaim, cited: Sequence[Source], language: str, as_of: date) -> Bearing:
    """Check one claim, in a language and for a date, against its cited texts together."""
    if not cited:
        return Bearing((Finding(Check.WORDS, Message.of("claim.nothing_cited")),), verbatim=False)
    texts = [text for source in cited for text in source.texts]
    whole = normalised(claim.text).rstrip(".;: ")
    if (
        whole
        and any(_find(whole, text, 0) >= 0 for text in texts)
        and all(_quoted(one, texts) for one in claim.quotes)
    ):
        return Bearing((), verbatim=True)
    findings = [
        *_quotes(claim, texts, cited),
        *_changed(whole, claim, texts, cited),
        *_figures(_own_words(claim, texts), cited, as_of),
    ]
    if not (claim.quotes and not findings):
        findings += _words(claim, cited, language, bool(findings))
    return Bearing(tuple(findings), verbatim=bool(claim.quotes) and not findings)


def _quoted(quote: str, texts: Sequence[str]) -> bool:
    """Whether one text contains a quotation: its parts in order, where it has omissions."""
    parts = [part for part in (one.strip() for one in _OMITTED.split(normalised(quote))) if part]
    # The full stop inside the marks belongs to the quoting sentence: “… 84 months.”
    parts = [part.rstrip(".,;") or part for part in parts]
    return bool(parts) and any(_in_order(parts, text) for text in texts)


def _in_order(parts: Sequence[str], text: str) -> bool:
    place = 0
    for part in parts:
        place = _find(part, text, place)
        if place < 0:
            return False
    return True


def _find(part: str, text: str, place: int) -> int:
    """The end of a part in a text, from a position on; -1 where it is not there as whole words.

    "4 months" is not in "84 months", nor "000 euros" in "30 000 euros".
    """
    while (start := text.find(part, place)) >= 0:
        end = start + len(part)
        if not _cut_off(part, text[max(0, start - 5) : start], text[end : end + 5]):
            return end
        place = start + 1
    return -1


def _cut_off(part: str, before: str, behind: str) -> bool:
    """Whether a part begins or ends within a word or a number."""
    if part[0].isalnum() and _RUNS_ON[0].search(before):
        return True
    if part[-1].isalnum() and _RUNS_ON[1].match(behind):
        return True
    if part[0].isdigit() and _NUMBER_BEFORE.search(before):
        return True
    if _GROUP.match(part) and _GROUP_BEFORE.search(before):
        return True
    return part[-1].isdigit() and bool(_NUMBER_BEHIND.match(behind))


def _quotes(claim: DraftClaim, texts: Sequence[str], cited: Sequence[Source]) -> Iterator[Finding]:
    for quote in claim.quotes:
        if _quoted(quote, texts):
            continue
        nearest = max(
            (_share(tokens(quote), one) for source in cited for one in source.sentences), default=0.0
        )
        if nearest >= _ALTERED or any(_skeleton(normalised(quote)) in _skeleton(text) for text in texts):
            yield Finding(Check.QUOTE, Message.of("claim.quote_altered", quote=quote))
        else:
            yield Finding(Check.WORDS, Message.of("claim.quote_nowhere", quote=quote))


def _share(quote: tuple[str, ...], sentence: tuple[str, ...]) -> float:
    """The share of a quotation's words in a sentence, in order."""
    if not quote or len(set(quote) & set(sentence)) < _ALTERED * len(set(quote)):
        return 0.0
    matcher = SequenceMatcher(None, quote, sentence, autojunk=False)
    return sum(block.size for block in matcher.get_matching_blocks()) / len(quote)


def _skeleton(text: str) -> str:
    """A text with every digit replaced by one sign."""
    return _DIGIT.sub("0", text)


def _changed(
    whole: str, claim: DraftClaim, texts: Sequence[str], cited: Sequence[Source]
) -> Iterator[Finding]:
    """Whether a claim is the law's sentence except for a figure or a "not"."""
    if _DIGIT.search(whole) and any(_skeleton(whole) in _skeleton(text) for text in texts):
        yield Finding(Check.QUANTITY, Message.of("claim.other_figures"))
        return
    mine = tokens(claim.text)
    nearest = max(
        (sentence for source in cited for sentence in source.sentences),
        key=lambda sentence: _likeness(mine, sentence),
        default=(),
    )
    if _likeness(mine, nearest) >= _NEARLY:
        yield from _differences(mine, nearest)


def _likeness(one: tuple[str, ...], other: tuple[str, ...]) -> float:
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    # The two quick ratios are upper bounds: most pairs need no more.
    if matcher.real_quick_ratio() < _NEARLY or matcher.quick_ratio() < _NEARLY:
        return 0.0
    return matcher.ratio()


def _differences(mine: tuple[str, ...], sentence: tuple[str, ...]) -> Iterator[Finding]:
    only_mine: list[str] = []
    only_theirs: list[str] = []
    matcher = SequenceMatcher(None, mine, sentence, autojunk=False)
    for kind, first, last, other_first, other_last in matcher.get_opcodes():
        if kind == "equal":
            continue
        only_mine += mine[first:last]
        only_theirs += sentence[other_first:other_last]
        ours = [one for one in mine[first:last] if one[0].isdigit()]
        theirs = [one for one in sentence[other_first:other_last] if one[0].isdigit()]
        if len(ours) == len(theirs) == 1 and _DIGITS.findall(ours[0]) != _DIGITS.findall(theirs[0]):
            message = Message.of("claim.figure_changed", own=ours[0], law=theirs[0])
            yield Finding(Check.QUANTITY, message)
    negations = words("law.negations")
    denied, affirmed = negations & set(only_mine), negations & set(only_theirs)
    if bool(denied) is not bool(affirmed):
        key = "claim.claim_denies" if denied else "claim.law_denies"
        yield Finding(Check.NEGATION, Message.of(key, words=", ".join(denied or affirmed)))


def _own_words(claim: DraftClaim, texts: Sequence[str]) -> str:
    """A claim without its literal quotations, whose figures need no further check."""
    text = normalised(claim.text)
    for quote in claim.quotes:
        if _quoted(quote, texts):
            text = text.replace(normalised(quote), " ")
    return text


def _figures(words: str, cited: Sequence[Source], as_of: date) -> Iterator[Finding]:
    mine = figures(words)
    theirs = [one for source in cited for one in source.figures]
    quantities = {one for found in theirs for one in found.quantities}
    in_any_unit = {in_months(one) for one in quantities}
    numbers = {number for found in theirs for number in found.numbers}
    days = {day for found in theirs for day in found.days}
    for figure, unit in sorted(mine.quantities):
        # "Veroprosentti on 34": a number without a unit supports the unit that the claim gives it.
        if in_months((figure, unit)) not in in_any_unit and figure not in numbers:
            yield Finding(Check.QUANTITY, Message.of("claim.no_quantity", quantity=_quantity(figure, unit)))
    for day in sorted(mine.days - days):
        if day != as_of and not _names_day(day, cited):
            yield Finding(Check.DATE, Message.of("claim.no_day", day=day))
    known = numbers | {figure for figure, _ in quantities} | {str(day.year) for day in days}
    if not any(_YEAR.fullmatch(number) for number in known):
        known |= _years_in_force(words, cited, as_of)
    known |= {number for source in cited for number in source.named}
    for number in sorted(mine.numbers - known):
        yield Finding(Check.NUMBER, Message.of("claim.no_number", number=number))


def _quantity(figure: str, unit: str) -> Message:
    return Message.of(f"unit.{unit}", figures=figure, count=1 if figure == "1" else 2)


def _years_in_force(words: str, cited: Sequence[Source], as_of: date) -> set[str]:
    """Years in a claim that only say when ("in 2019 …") and match the cited wording's dates.

    If the text itself names years, those of the claim must be among them.
    """
    validities = [one.validity for source in cited for one in source.keyed.expressions]
    return {
        str(named.year)
        for named in named_dates(words, today=as_of)
        if named.year and named.day and any(one.covers(named.day) for one in validities if one != ALWAYS)
    } | {str(as_of.year)}


def _names_day(day: date, cited: Sequence[Source]) -> bool:
    """Whether a day is one on which the cited wording began or ended."""
    validities = (one.validity for source in cited for one in source.keyed.expressions)
    return any(day in (validity.start, validity.end) for validity in validities)


def _words(claim: DraftClaim, cited: Sequence[Source], language: str, failed: bool) -> Iterator[Finding]:
    mine = {term for term in analyse(claim.text, language) if not term[0].isdigit()}
    places = [source.words[language] for source in cited if language in source.words]
    if not mine:
        return
    if not places:
        if not failed:
            yield Finding(Check.OTHER_LANGUAGE, Message.of("claim.other_language"))
        return
    held = frozenset().union(*(max(one, key=lambda place: len(mine & place)) for one in places))
    said = figures(claim.text)
    with_figures = bool(said.quantities or said.days) and not failed
    if len(mine & held) / len(mine) < (_WORDS_WITH_FIGURES if with_figures else _WORDS):
        yield Finding(Check.WORDS, Message.of("claim.other_words"))
