"""Find sentences of a draft that match an earlier or later wording of the law they cite.

No model is used. Figures are compared first, then words. If the figures of a sentence occur in another
wording of a cited provision, and in none that is in force, the sentence is about that other wording ("taxed
for 48 months", where it is 84 since 2024). If the figures decide nothing, the sentence is compared word by
word (Ratcliff and Obershelp's similarity, difflib) with the sentences in which the wordings differ. A
sentence that names a time itself ("in 2019 it was 48 months") is compared with the wording of that time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from difflib import SequenceMatcher

from pykala.law.composition import compose
from pykala.law.forms import Part
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.messages import Message
from pykala.law.provisions import Provision
from pykala.law.validity import Validity
from pykala.text.dates import date_asked
from pykala.text.language import detect
from pykala.text.languages.known import BUILT_IN
from pykala.text.quantities import quantities
from pykala.text.sentences import sentences
from pykala.versions.chains import timeline

_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+")
_GROUPED = re.compile(r"(?<=\d)[ \u00a0\u202f](?=\d{3}(?!\d))")
_ALIKE = 0.6  # likeness from which two sentences are about the same thing
_BETTER = 0.05  # by how much another wording must be nearer than the one in force
_SHARED = 0.3  # share of a sentence's words that a wording must contain before figures are compared


@dataclass(frozen=True, slots=True, repr=False)
class Wording(Part):
    """The whole words of a provision during an interval."""

    text: str
    validity: Validity
    acts: tuple[WorkId, ...] = ()  # the acts that made this wording


@dataclass(frozen=True, slots=True, repr=False)
class CitedChain(Part):
    """A cited provision, its citation, and all its wordings, oldest first."""

    provision: ProvisionId
    citation: str
    language: str
    wordings: tuple[Wording, ...]


@dataclass(frozen=True, slots=True)
class TemporalMismatch:
    """A sentence of a draft (`text[start:end]`), and a wording that it matches better than that in force."""

    start: int
    end: int
    sentence: str
    provision: ProvisionId
    citation: str
    matched: Wording
    in_force: Wording | None
    by: str  # "figures" or "words"

    @property
    def message(self) -> Message:
        """The problem, with the dates of the wording that was matched."""
        start, end = self.matched.validity.start, self.matched.validity.end
        when = ("between" if end else "since") if start else ("until" if end else "undated")
        days = {name: day for name, day in (("start", start), ("end", end)) if day}
        return Message.of(f"claim.other_time_{when}", sentence=self.sentence, citation=self.citation, **days)


def cited_chain(chain: Provision, citation: str, language: str) -> CitedChain:
    """The wordings of a provision with all its versions: one for every interval between two changes."""
    moments = [moment for moment in timeline(chain) if moment.day != Validity.pending().start]
    wordings = []
    for place, moment in enumerate(moments):
        following = moments[place + 1].day if place + 1 < len(moments) else None
        standing = chain.at(moment.day or date.min)
        if standing is not None:
            text = compose(standing).text
            wordings.append(Wording(text, Validity(moment.day, following), moment.acts))
    return CitedChain(chain.id, citation, language, tuple(wordings))


def check_temporal_mismatches(
    text: str, evidence: Sequence[CitedChain], as_of: date
) -> tuple[TemporalMismatch, ...]:
    """The sentences of a draft that match another wording of cited law better than the one in force."""
    held = (chain.language for chain in evidence)
    language = detect(text, default="", among=(*BUILT_IN, *held)).language
    compared: dict[date, list[_Compared]] = {}
    found = []
    for start, end in sentences(text):
        draft = _Sentence.of(text[start:end])
        named = date_asked(draft.text, today=as_of)
        day = named.day if named and named.day else as_of
        if day not in compared:
            compared[day] = [_Compared.of(chain, day) for chain in evidence]
        matched = _best(draft, compared[day], language)
        if matched is not None:
            found.append(
                TemporalMismatch(
                    start,
                    end,
                    draft.text,
                    matched.compared.chain.provision,
                    matched.compared.chain.citation,
                    matched.wording,
                    matched.compared.in_force,
                    matched.by,
                )
            )
    return tuple(found)


_Figure = tuple[str, str]  # figure, unit


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence with its words, folded, and its figures with their units."""

    text: str
    words: tuple[str, ...]
    figures: frozenset[_Figure]

    @classmethod
    def of(cls, text: str) -> _Sentence:
        folded = _GROUPED.sub("", text.casefold())
        return cls(
            text,
            tuple(_WORD.findall(folded)),
            frozenset((quantity.figure, quantity.unit) for quantity in quantities(text)),
        )

    def likeness(self, other: _Sentence) -> float:
        matcher = SequenceMatcher(None, self.words, other.words, autojunk=False)
        # The two quick ratios are upper bounds: most pairs need no more.
        if matcher.real_quick_ratio() < _ALIKE or matcher.quick_ratio() < _ALIKE:
            return 0.0
        return matcher.ratio()

    def shares(self, other: _Sentence) -> bool:
        mine = {word for word in self.words if len(word) > 3}
        return bool(mine) and len(mine & set(other.words)) >= _SHARED * len(mine)


@dataclass(frozen=True, slots=True)
class _Compared:
    """A chain on a date: the wording in force, and the sentences of each other wording that it lacks."""

    chain: CitedChain
    day: date
    in_force: Wording | None
    current: tuple[_Sentence, ...]
    others: tuple[tuple[Wording, tuple[_Sentence, ...]], ...]

    @classmethod
    def of(cls, chain: CitedChain, as_of: date) -> _Compared:
        standing = next(
            (wording for wording in reversed(chain.wordings) if wording.validity.covers(as_of)), None
        )
        current = tuple(_sentences(standing.text)) if standing else ()
        known = {sentence.words for sentence in current}
        others = tuple(
            (wording, tuple(sentence for sentence in _sentences(wording.text) if sentence.words not in known))
            for wording in chain.wordings
            if wording is not standing
        )
        return cls(chain, as_of, standing, current, others)

    @property
    def figures_in_force(self) -> Iterator[_Figure]:
        return (figure for sentence in self.current for figure in sentence.figures)

    def distance(self, wording: Wording) -> int:
        """How many days lie between the date and a wording's time."""
        start, end = wording.validity.start or date.min, wording.validity.end or date.max
        return min(abs((start - self.day).days), abs((end - self.day).days))


def _sentences(text: str) -> Iterator[_Sentence]:
    for start, end in sentences(text):
        yield _Sentence.of(text[start:end])


@dataclass(frozen=True, slots=True)
class _Matched:
    """Another wording that a sentence matches: by figures or words, and how well."""

    compared: _Compared
    wording: Wording
    by: str
    worth: tuple[int, float, int]


def _best(draft: _Sentence, chains: Sequence[_Compared], language: str) -> _Matched | None:
    supported = {figure for chain in chains for figure in chain.figures_in_force}
    unsupported = draft.figures - supported
    matches = [match for chain in chains for match in _by_figures(draft, chain, unsupported, language)]
    if not matches and (unsupported or not draft.figures):  # else its figures are those in force
        matches = [match for chain in chains for match in _by_words(draft, chain)]
    return max(matches, key=lambda match: match.worth, default=None)


def _by_figures(
    draft: _Sentence, compared: _Compared, unsupported: frozenset[_Figure], language: str
) -> Iterator[_Matched]:
    """Wordings that hold figures of the sentence where the law in force has others of the same unit."""
    units = {unit for _, unit in compared.figures_in_force}
    telling = {figure for figure in unsupported if figure[1] in units or not compared.current}
    for wording, altered in compared.others if telling else ():
        for sentence in altered:
            matching = telling & sentence.figures
            # Words in different languages cannot be compared; figures can.
            same_matter = compared.chain.language != language or draft.shares(sentence)
            if matching and (same_matter or draft.figures <= sentence.figures):
                worth = (len(matching), draft.likeness(sentence), -compared.distance(wording))
                yield _Matched(compared, wording, "figures", worth)


def _by_words(draft: _Sentence, compared: _Compared) -> Iterator[_Matched]:
    """Wordings with a sentence that is nearer to the draft's than any of the law in force."""
    nearest = max((draft.likeness(sentence) for sentence in compared.current), default=0.0)
    for wording, altered in compared.others:
        likeness = max((draft.likeness(sentence) for sentence in altered), default=0.0)
        if likeness >= max(_ALIKE, nearest + _BETTER):
            yield _Matched(compared, wording, "words", (0, likeness, -compared.distance(wording)))
