"""Sources that disagree on a quantity: two sentences about the same thing with different figures.

Two sentences are about the same thing when they share enough of their words. They disagree when both give a
figure in the same unit (an amount, a rate, a period, a date) and have none in common. The higher rank
prevails, then the later source, then the more specific. A conflict is always shown, never settled silently.

Most such pairs do not really disagree. Each rule below excludes a kind of false conflict that is frequent in
the real corpora: examples ("Antti's season ticket costs 271.50 euros"), sources that give both figures (the
present rate and the earlier one), a minimum against a maximum, rulings on an earlier wording, whole acts that
are cited as such, and sentences that say themselves that they are about another section.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Final

from pykala.answer.figures import DATE, PlacedFigure, placed_figures
from pykala.law.answers import CitedProvision, Conflict, Relation, Support
from pykala.law.authority import Authority, compare
from pykala.law.identifiers import ProvisionId
from pykala.text.analysis import analyse, fold
from pykala.text.languages.known import alternatives, derived
from pykala.text.phrases import LANGUAGES, decimal, named, say
from pykala.text.quantities import without_units
from pykala.text.sentences import sentences

#: A section with the act that worded it: rulings cite the wording of their time so, "127 b § (995/2000)".
_RECITED: Final = re.compile(r"§(?::\w{1,6})? \(\d{1,4}/\d{4}\)")
_LONGEST_WHOLE: Final = 4_000  # characters of a work that is compared as a whole
_LONGEST_PART: Final = 100_000  # and of a part of one: an annex larger than that is an act of its own
_SECTION_STEPS: Final = frozenset({"sec", "art"})
_APPLYING: Final = frozenset({Relation.APPLYING, Relation.APPLIED})


@derived
def _sections() -> re.Pattern[str]:
    """A pattern for a section named in a sentence: "127 b §", "section 5", "art. 98"."""
    return re.compile(
        r"(\d{1,4}(?: ?[a-z])?) ?§"
        rf"|(?:\b(?:{alternatives('law.sections')})|\b(?:ss?|art)\.) (\d{{1,4}}(?:\.\d{{1,3}})?[a-z]?)",
        re.IGNORECASE,
    )


@derived
def _example() -> re.Pattern[str]:
    return re.compile(rf"\s*(?:{alternatives('law.example')})\b", re.IGNORECASE)


@derived
def _bound(table: str) -> re.Pattern[str]:
    """A pattern for words that make a figure a maximum (`law.ceiling`) or minimum (`law.floor`)."""
    return re.compile(rf"\b(?:{alternatives(table)})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Subject:
    """How much two sentences must share: a number of words, and a share of the shorter and the longer."""

    words: int
    of_shorter: float
    of_longer: float
    single: bool  # only where each sentence gives a single figure in the unit


#: A sentence that names the section itself is about it. A sentence of a source that refers to the section
#: probably is. Any other sentence must say nearly the same.
_NAMED = _Subject(2, 0.15, 0.0, single=True)
_LINKED = _Subject(3, 0.4, 0.2, single=True)
_ALIKE = _Subject(4, 0.6, 0.45, single=False)
#: Two sources of the same rank have different subjects, unless they use the same words.
_SAME_RANK = _Subject(5, 0.8, 0.7, single=False)


@dataclass(frozen=True, slots=True)
class _Statement:
    """A sentence with its figures by unit, its words, its sections and its bounds."""

    figures: Mapping[str, frozenset[str]]
    words: frozenset[str]
    sections: frozenset[str]
    bounds: tuple[bool, bool]


@dataclass(frozen=True, slots=True)
class _Side:
    """A source: its text, its figures, and its section number."""

    cited: CitedProvision
    text: str
    language: str
    placed: tuple[PlacedFigure, ...]
    figures: Mapping[str, frozenset[str]]
    section: str


@dataclass(frozen=True, slots=True)
class _Disagreement:
    unit: str
    mine: frozenset[str]
    theirs: frozenset[str]


def find_conflicts(
    primary: CitedProvision,
    texts: Mapping[str, str],
    support: Sequence[Support],
    *,
    language: str = LANGUAGES[0],
) -> tuple[Conflict, ...]:
    """Conflicts of the primary provision with its support, and of rulings with guidance beside it.

    `texts` is the primary provision in each language it is held in: sentences are compared within a
    language, so that an English reader learns of a conflict with guidance that is in Finnish only.
    `language` is the reader's, in which conflicts are explained.
    """

    @cache  # few sources are compared at all, but some of them several times
    def side(cited: CitedProvision, text: str, language: str) -> _Side:
        placed = placed_figures(text)
        return _Side(cited, text, language, placed, _by_unit(placed), _section_number(cited.provision))

    def own_side(cited: CitedProvision) -> _Side:
        return side(cited, cited.text, cited.language)

    found = []
    for one in support:
        own = texts.get(one.cited.language)
        if own is None or _decided_before(primary, one) or not _comparable(primary, one.cited):
            continue
        mine = side(primary, own, one.cited.language)
        if not mine.figures:
            continue
        disagreement = _disagreement(mine, own_side(one.cited), linked=one.hops > 0)
        if disagreement:
            found.append(_conflict(primary, one.cited, disagreement, language))
    for one, other in combinations(support, 2):
        if not one.hops or not other.hops or one.cited.language != other.cited.language:
            continue
        if _comparable(one.cited, other.cited) and not _decided_before(one.cited, other):
            disagreement = _disagreement(own_side(one.cited), own_side(other.cited), linked=False)
            if disagreement:
                found.append(_conflict(one.cited, other.cited, disagreement, language))
    return tuple(found)


def _comparable(one: CitedProvision, other: CitedProvision) -> bool:
    """Whether two provisions can conflict: different works, and not a whole act."""
    whole = any(
        len(side.text) > (_LONGEST_PART if side.provision.path else _LONGEST_WHOLE) for side in (one, other)
    )
    return one.provision.work != other.provision.work and not whole


def _decided_before(primary: CitedProvision, ruling: Support) -> bool:
    """Whether a ruling applies an earlier wording, so that it says nothing about this one."""
    start, decided = primary.validity.start, ruling.cited.validity.start
    return ruling.relation in _APPLYING and start is not None and decided is not None and decided < start


def _section_number(provision: ProvisionId) -> str:
    numbers = [step.number for step in provision.path if step.kind in _SECTION_STEPS]
    return _plain(numbers[-1]) if numbers else ""


def _plain(number: str) -> str:
    return number.replace(" ", "").casefold()


def _statements(side: _Side, units: Collection[str]) -> Iterator[_Statement]:
    """The sentences of a source that give a figure in one of these units."""
    wanted = sorted((one for one in side.placed if one.unit in units), key=lambda one: one.start)
    place, example = 0, False
    for start, end in sentences(side.text):
        if place == len(wanted):
            return
        # Sentences after an example are taken to belong to it.
        example = example or bool(_example().match(side.text, start, end))
        if example:
            return
        held = []
        while place < len(wanted) and wanted[place].start < end:
            if wanted[place].start >= start and wanted[place].end <= end:
                held.append(wanted[place])
            place += 1
        text = side.text[start:end]
        if held and not _RECITED.search(text):
            yield _statement(text, _by_unit(held), side.language)


def _statement(text: str, by_unit: Mapping[str, frozenset[str]], language: str) -> _Statement:
    terms = analyse(without_units(text), language)
    words = frozenset(fold(term) for term in terms if not term[0].isdigit())
    named = frozenset(_plain(match[1] or match[2]) for match in _sections().finditer(text))
    return _Statement(
        by_unit,
        words,
        named,
        (bool(_bound("law.ceiling").search(text)), bool(_bound("law.floor").search(text))),
    )


def _by_unit(placed: Iterable[PlacedFigure]) -> dict[str, frozenset[str]]:
    by_unit: dict[str, set[str]] = {}
    for one in placed:
        by_unit.setdefault(one.unit, set()).add(one.figure)
    return {unit: frozenset(found) for unit, found in by_unit.items()}


def _disagreement(mine: _Side, theirs: _Side, *, linked: bool) -> _Disagreement | None:
    """The unit and both figures of the closest pair of sentences, if those figures differ."""
    units = mine.figures.keys() & theirs.figures.keys()
    if not any(_may_differ(mine.figures[unit], theirs.figures[unit]) for unit in units):
        return None
    best: tuple[float, _Disagreement] | None = None
    level = mine.cited.authority == theirs.cited.authority
    others = tuple(_statements(theirs, units))
    for one in _statements(mine, units) if others else ():
        for other in others:
            subject = _SAME_RANK if level else _subject(one, other, mine, theirs, linked=linked)
            closeness = _closeness(one, other, subject)
            if closeness == 0.0 or (best is not None and closeness <= best[0]):
                continue
            for unit in sorted(one.figures.keys() & other.figures.keys()):
                if _compared(one, other, unit, subject):
                    best = closeness, _Disagreement(unit, one.figures[unit], other.figures[unit])
    return best[1] if best is not None and _differ(best[1], mine, theirs) else None


def _may_differ(mine: frozenset[str], theirs: frozenset[str]) -> bool:
    """Whether each has a figure that the other lacks; a quick check before comparing sentences."""
    return bool(mine - theirs) and bool(theirs - mine)


def _subject(one: _Statement, other: _Statement, mine: _Side, theirs: _Side, *, linked: bool) -> _Subject:
    if not linked:
        return _ALIKE
    if mine.section in other.sections or theirs.section in one.sections:
        return _NAMED
    return _ALIKE if other.sections else _LINKED  # a sentence that names other sections is about those


def _closeness(one: _Statement, other: _Statement, subject: _Subject) -> float:
    """The share of the shorter sentence's words in the other; 0 below the limit."""
    shared, sizes = len(one.words & other.words), sorted((len(one.words), len(other.words)))
    if shared < subject.words or shared < subject.of_longer * sizes[1]:
        return 0.0
    closeness = shared / max(1, sizes[0])
    return closeness if closeness >= subject.of_shorter else 0.0


def _compared(one: _Statement, other: _Statement, unit: str, subject: _Subject) -> bool:
    single = len(one.figures[unit]) == len(other.figures[unit]) == 1
    if (subject.single or unit == DATE) and not single:
        return False
    # "At least 15 per cent" and "at most 50 per cent" are two bounds of one rule.
    opposed = one.bounds in ((True, False), (False, True)) and one.bounds == other.bounds[::-1]
    return not opposed


def _differ(found: _Disagreement, mine: _Side, theirs: _Side) -> bool:
    """Whether neither source contains the other's figure; one with both speaks of two things."""
    known, stated = mine.figures[found.unit], theirs.figures[found.unit]
    return not found.mine & found.theirs and not found.theirs & known and not found.mine & stated


def _conflict(
    primary: CitedProvision, other: CitedProvision, found: _Disagreement, language: str
) -> Conflict:
    precedence = compare(
        Authority(primary.provision, primary.authority, primary.validity.start),
        Authority(other.provision, other.authority, other.validity.start),
    )
    primary_wins = precedence.winner.provision == primary.provision
    winner, loser = (primary, other) if primary_wins else (other, primary)
    says, against = (found.mine, found.theirs) if primary_wins else (found.theirs, found.mine)
    parts = {
        "winner": winner.citation,
        "loser": loser.citation,
        "says": _figures(says, found.unit, language),
        "against": _figures(against, found.unit, language),
    }
    if precedence.reason:
        reason = named(language, "precedence", precedence.reason)
        message = say(language, "conflict.prevails", reason=reason, **parts)
    else:
        message = say(language, "conflict.level", **parts)
    return Conflict(winner.provision, loser.provision, precedence.reason, message)


def _figures(found: frozenset[str], unit: str, language: str) -> str:
    """Figures with their unit, as a language counts: "84 months", "1 euro", "7,5 prosenttia"."""
    listed = sorted(found, key=lambda figure: (len(figure), figure))
    either = say(language, "words.or")
    if unit == DATE:
        return either.join(listed)
    figures = either.join(decimal(language, figure) for figure in listed)
    return say(language, f"unit.{unit}", figures=figures, count=1 if listed == ["1"] else 2)
