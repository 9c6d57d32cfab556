"""Extract an answer without a model: the exact provision, and its words that answer.

Every sentence of a section is weighed, of all its subsections and items: by how much of the question it
speaks of, alone and read below the words that open its list; by whether it holds the kind of answer that is
asked for; and by whether it binds a period that has passed. What is quoted is a whole rule: an item comes
with the words that open its list, a rate with its table.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pykala.law.composition import Composed, Line, compose
from pykala.law.identifiers import ProvisionId, shared_steps
from pykala.law.provisions import Provision, ProvisionKind
from pykala.retrieve.holding import holds_any
from pykala.retrieve.kinds import Kind, Wanted
from pykala.retrieve.likeness import AskedWords
from pykala.text.periods import only_past
from pykala.text.quantities import quantities
from pykala.text.sentences import sentences

Floats = NDArray[np.float32]

#: Kinds that are cited as they are; what lies below them (items, flush text) is read with them.
CITABLE = frozenset(ProvisionKind) - {
    ProvisionKind.ITEM,
    ProvisionKind.FLUSH,
    ProvisionKind.TABLE,
    ProvisionKind.FORMULA,
    ProvisionKind.FOOTNOTE,
    ProvisionKind.HISTORICAL_NOTE,
}
#: What editors put below a section: it says when the law changed, and answers nothing.
_BESIDE_THE_LAW = frozenset(
    {ProvisionKind.FOOTNOTE, ProvisionKind.HISTORICAL_NOTE, ProvisionKind.EDITORIAL_NOTE}
)
_TABLES = frozenset({ProvisionKind.TABLE, ProvisionKind.FORMULA})
_ENDS = frozenset('.!?…|”»")')
#: Characters of a rule that is quoted whole: one in sentences, and one with a list or a table.
_LONGEST_RULE, _LONGEST_LIST = 600, 1_000
_CAPTION = 60  # characters
_OPENING = 400  # characters of the words above an item that are read with it
#: How far a sentence of another subdivision may stand behind the best one to be named beside it, and how many
#: are named. Of 229 questions in which the best was ahead by less, it was right for one in two and the second
#: for one in six; where it was further ahead, for seven in eight (`python -m training.fit_pinpoint`).
_ABOUT_AS_GOOD: Final = 0.3
_INSTEAD: Final = 2
#: How often the best part of a right section is the right one where others are about as good.
RIGHT_AMONG_RIVALS: Final = 0.51

#: What each sign of a sentence counts, in the order of `signs_of`: learned from questions whose subdivision
#: is known (`python -m training.fit_pinpoint`), on the packs' own sets and on others, never on situations.
#: Position and past are set: what was asked there was drawn evenly from sections, and of today.
WEIGHTS: Final = {
    "own words": 0.85,  # the question's words in the sentence
    "words with opening": 0.95,  # and with the words above it
    "own meaning": 1.0,
    "meaning with opening": 1.0,
    "asked": 1.5,  # how near it lies to what is asked of its subsection, against the others
    "position": -0.3,  # at the end of the section: the rule comes before what departs from it
    "holds the kind": 1.0,  # that is asked for
    "lacks a figure": -0.8,  # that is asked for, however much it speaks of the same thing
    "past": -0.9,  # bound to a period that has passed
    "unit stated": 0.45,  # counts in a unit in which the question states something
    "figure in rule": 0.2,  # has any figure, where yes or no is asked: limits decide
}
#: Kinds whose signs are rare enough to tell sentences apart: almost every one says "may" or "shall".
_TELLING: Final = frozenset(
    {Kind.PERIOD, Kind.DATE, Kind.AMOUNT, Kind.RATE, Kind.AUTHORITY, Kind.DEFINITION, Kind.PLACE, Kind.LIST}
)
_WEIGHTS: Final = np.array([*WEIGHTS.values()], dtype=np.float32)
_FIGURES: Final = frozenset({Kind.PERIOD, Kind.DATE, Kind.AMOUNT, Kind.RATE})


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, its place, the list opening above it, and the tables below it."""

    start: int
    end: int
    text: str
    place: ProvisionId  # of the line that it stands in
    above: tuple[str, ...]
    below: str

    @property
    def opening(self) -> str:
        """The opening words above it, the nearest of each level."""
        return " ".join(words[-_OPENING:] for words in self.above)


def pinpoint(
    section: Provision, asked: AskedWords, language: str, *, wanted: Wanted, as_of: date
) -> tuple[ProvisionId, ...]:
    """The part of a section that answers, and others that may be meant instead.

    Where several answer about as well, it is what holds them all, if that is short enough to be quoted whole.
    """
    parts = best_parts(section, asked, language, wanted=wanted, as_of=as_of)
    around = _around(parts)
    whole = len(parts) > 1 and _length(compose(section), around) <= _LONGEST_LIST
    return (around,) if whole else parts


def best_parts(
    section: Provision, asked: AskedWords, language: str, *, wanted: Wanted, as_of: date
) -> tuple[ProvisionId, ...]:
    """The innermost citable provision of a section with the sentence that answers best.

    Behind it come others whose best sentence is about as good.
    """
    composed = compose(section)
    found = sentences_of(composed)
    worth = signs_of(found, asked, language, wanted=wanted, as_of=as_of) @ _WEIGHTS
    chosen: list[ProvisionId] = []
    for at in np.argsort(-worth, kind="stable"):
        if len(chosen) > _INSTEAD or worth[at] < worth.max() - _ABOUT_AS_GOOD:
            break
        inner = _citable(section, composed.provision_at(found[at].start, found[at].end))
        if not any(one.contains(inner) or inner.contains(one) for one in chosen):
            chosen.append(inner)
    return tuple(chosen)


def _around(chosen: Sequence[ProvisionId]) -> ProvisionId:
    """The innermost provision that holds all of these."""
    first, *rest = chosen
    depth = min((shared_steps(first.path, one.path) for one in rest), default=len(first.path))
    return ProvisionId(first.work, first.path[:depth])


def _length(composed: Composed, provision: ProvisionId) -> int:
    held = [line for line in composed.lines if provision.contains(line.provision)]
    return held[-1].end - held[0].start


def quoted(
    composed: Composed, asked: AskedWords, language: str, *, wanted: Wanted, as_of: date
) -> tuple[int, int]:
    """The span to quote: the whole rule around the best sentence, unless that is too long."""
    span = best_sentence(composed, asked, language, wanted=wanted, as_of=as_of)
    return whole_rule(composed, *span)


def best_sentence(
    composed: Composed, asked: AskedWords, language: str, *, wanted: Wanted, as_of: date
) -> tuple[int, int]:
    """The span of the sentence that answers best; the first among equals."""
    found = sentences_of(composed)
    worth = signs_of(found, asked, language, wanted=wanted, as_of=as_of) @ _WEIGHTS
    best = found[int(np.argmax(worth))]
    return best.start, best.end


def signs_of(
    found: Sequence[Sentence], asked: AskedWords, language: str, *, wanted: Wanted, as_of: date
) -> Floats:
    """The features of each sentence: one row each."""
    texts = [one.text for one in found]
    own_words, own_meaning = asked.measures(texts, language), asked.nearness([""] * len(texts), texts)
    words, meaning = own_words.copy(), own_meaning.copy()
    # Most sentences stand in no list: what they mean with their opening is what they mean.
    opened = [at for at, one in enumerate(found) if one.above]
    if opened:
        openings, below = [found[at].opening for at in opened], [texts[at] for at in opened]
        together = [f"{opening} {text}".strip() for opening, text in zip(openings, below, strict=True)]
        words[opened] = asked.measures(together, language)
        meaning[opened] = asked.nearness(openings, below)
    position = np.arange(len(texts), dtype=np.float32) / len(texts)
    columns = (own_words, words, own_meaning, meaning, _asked_of_parts(found, asked), position)
    held = np.array([_held_signs(one, wanted, as_of) for one in found], dtype=np.float32)
    return np.column_stack((*columns, held)).astype(np.float32)


def _asked_of_parts(found: Sequence[Sentence], asked: AskedWords) -> Floats:
    """How near the question lies to what is asked of each sentence's subsection, against the others."""
    first, *rest = (one.place.path for one in found)
    depth = len(first)
    for path in rest:
        depth = shared_steps(first[:depth], path)
    parts = [str(ProvisionId(one.place.work, one.place.path[: depth + 1])) for one in found]
    own = list(dict.fromkeys(parts))
    near = dict(zip(own, asked.asked_of(own).tolist(), strict=True)) if len(own) > 1 else {}
    return np.array([near.get(part, 0.0) for part in parts], dtype=np.float32)


def _held_signs(sentence: Sentence, wanted: Wanted, as_of: date) -> tuple[float, ...]:
    """The features that do not depend on the question's subject; the last five."""
    telling = [kind for kind in wanted.kinds if kind in _TELLING]
    holds = holds_any(telling, sentence.text, wanted.units)
    if sentence.below:
        holds = max(holds, 0.9 * holds_any(telling, sentence.below, wanted.units))
    lacks = not holds and any(kind in _FIGURES for kind in telling)
    past = only_past(sentence.text, as_of) or any(only_past(words, as_of) for words in sentence.above)
    units = {quantity.unit for quantity in quantities(sentence.text)} if wanted.kinds else set()
    in_rule = bool(units) and Kind.CONDITION in wanted.kinds
    return holds, float(lacks), float(past), float(bool(units & wanted.stated)), float(in_rule)


def first_sentence(composed: Composed) -> tuple[int, int]:
    """The first span of a provision, for a place that was only cited."""
    return _of_the_law(composed)[0]


def sentences_of(composed: Composed) -> list[Sentence]:
    """The sentences of a text with the words that open the lists they stand in."""
    text, starts = composed.text, [line.start for line in composed.lines]
    above = _above(composed)
    found = []
    for start, end in _of_the_law(composed):
        at = max(0, bisect_right(starts, start) - 1)
        line = composed.lines[at]
        below = "" if text[start:end].rstrip()[-1:] in _ENDS else _below(composed, line)
        found.append(Sentence(start, end, text[start:end], line.provision, above[at], below))
    return found


def _above(composed: Composed) -> list[tuple[str, ...]]:
    """For each line the lines before it of what it stands in, in their order."""
    passed: dict[ProvisionId, list[Line]] = {}
    found = []
    for line in composed.lines:
        place = line.provision
        outer = (ProvisionId(place.work, place.path[:depth]) for depth in range(len(place.path)))
        lines = sorted((one for place in outer for one in passed.get(place, ())), key=lambda one: one.start)
        found.append(tuple(composed.text[one.start : one.end] for one in lines))
        passed.setdefault(place, []).append(line)
    return found


def _below(composed: Composed, line: Line) -> str:
    """The tables below a sentence's provision: "at the rates shown in the following table"."""
    tables = (
        composed.text[one.start : one.end]
        for one in composed.lines
        if one.kind in _TABLES and one.start > line.start and line.provision.contains(one.provision)
    )
    return "\n".join(tables)[:_LONGEST_LIST]


def _of_the_law(composed: Composed) -> list[tuple[int, int]]:
    """The spans of the sentences outside notes; the whole text where there are none."""
    notes = [(line.start, line.end) for line in composed.lines if line.kind in _BESIDE_THE_LAW]
    spans = [
        span for span in sentences(composed.text) if not any(start <= span[0] < end for start, end in notes)
    ]
    return spans or [(0, len(composed.text))]


def whole_rule(composed: Composed, start: int, end: int) -> tuple[int, int]:
    """A sentence with the rest of its rule: its list and opening, or its subsection.

    The largest provision around the sentence that is not too long; else the sentence with what it opens.
    """
    start, end = whole_statement(composed.text, start, end)
    lines = [line for line in composed.lines if line.kind not in _BESIDE_THE_LAW]
    around = next((line for line in lines if line.start <= start < line.end), None)
    if around is None:
        return start, end
    best = (start, end)
    for depth in range(len(around.provision.path), 0, -1):
        outer = ProvisionId(around.provision.work, around.provision.path[:depth])
        held = [line for line in lines if outer.contains(line.provision)]
        if not held or not outer.path:
            continue
        longest = _LONGEST_RULE if len(held) == 1 else _LONGEST_LIST
        if max(held[-1].end, end) - min(held[0].start, start) > longest:
            break
        best = (min(held[0].start, start), max(held[-1].end, end))
    return _with_opening(composed.text, lines, around, best)


def _with_opening(text: str, lines: Sequence[Line], around: Line, span: tuple[int, int]) -> tuple[int, int]:
    """A span with the opening of its list, unless both are too long together."""
    start, end = span
    above = [
        line
        for line in lines
        if line.end <= start
        and line.provision != around.provision
        and line.provision.contains(around.provision)
        and text[line.start : line.end].rstrip()[-1:] not in _ENDS
    ]
    for line in reversed(above):
        opening = line.start + sentences(text[line.start : line.end])[-1][0]
        if end - opening > _LONGEST_LIST:
            break
        start = opening
    return start, end


def whole_statement(text: str, start: int, end: int) -> tuple[int, int]:
    """A sentence with the list that it introduces: "a bank means" needs its items.

    A caption ("Rate of tax.") comes with the sentence that it stands over.
    """
    line_end = text.find("\n", start)
    line = text[start : line_end if line_end >= 0 else len(text)]
    if end - start <= _CAPTION and (start == 0 or text[start - 1] == "\n") and start + len(line) > end:
        following = [span for span in sentences(line) if start + span[0] >= end]
        end = start + following[0][1] if following else end
    while end < len(text) and text[start:end].rstrip()[-1:] not in _ENDS:
        line_end = text.find("\n", end + 1)
        further = len(text) if line_end < 0 else line_end
        if further - start > _LONGEST_LIST:
            break
        end = further
    return start, end


def _citable(section: Provision, inner: ProvisionId) -> ProvisionId:
    kinds = {provision.id: provision.kind for provision in section.walk()}
    while inner != section.id and section.id.contains(inner):
        if kinds.get(inner) in CITABLE:
            return inner
        inner = inner.parent
    return section.id
