"""Extract an answer without a model: the exact provision, and its words that answer.

Every sentence of a section, with all its subsections and items, is scored by three signs: how much of the
question it covers, alone and together with the words that open its list; whether it contains the kind of
answer asked for; and whether it applies only to a period that has passed. The quote is always a whole rule:
an item comes with the words that open its list, a rate with its table and what follows the table. How far the
best part is ahead of the rest of its section says how likely it is the right one (`answer/part_chance.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise, zip_longest
from typing import Final

import numpy as np

from pykala.answer.part_chance import surely_ahead
from pykala.answer.sentence_signs import Floats, worth_of
from pykala.answer.sentences import BESIDE_THE_LAW, ENDS, Sentence, sentences_of, spans_of_the_law
from pykala.law.composition import Composed, Line, compose
from pykala.law.identifiers import ProvisionId, shared_steps
from pykala.law.provisions import Provision, ProvisionKind
from pykala.retrieve.kinds import Kind, Wanted
from pykala.retrieve.likeness import AskedWords
from pykala.text.languages.known import NOTHING, derived, language_of
from pykala.text.sentences import sentences

#: Kinds that are cited by themselves; the parts below them (items, flush text) are read with them.
CITABLE = frozenset(ProvisionKind) - {
    ProvisionKind.ITEM,
    ProvisionKind.FLUSH,
    ProvisionKind.TABLE,
    ProvisionKind.FORMULA,
    ProvisionKind.FOOTNOTE,
    ProvisionKind.HISTORICAL_NOTE,
}
#: Characters of a rule that is quoted whole: one in sentences, one with a list or a table, and a table with
#: the text behind it or a sentence with the one that it departs from.
_LONGEST_RULE, _LONGEST_LIST, _LONGEST_WHOLE = 600, 1_000, 1_500
_CAPTION = 60  # characters
#: What a quotation never ends on: words that only announce a list.
_OPENS: Final = frozenset(":—–")
#: What a sentence or an item ends on, and the words that open a list do not.
_PAUSES: Final = ENDS | frozenset(";,")
#: The number of a clause that a schedule prints: "4.3.2".
_CLAUSE: Final = re.compile(r"(?<![\w.])\d{1,2}(?:\.\d{1,2}){1,2}(?!\w|\.\d)")
_FIRST_WORDS = 12  # the first words of a rule, in which a negation counts
_CONTRASTING = 8  # the first words of a sentence, in which "however" counts
#: Sentences of other subdivisions are named beside the best one if they score at most this much lower, and so
#: many are named. Where none is so near, the next one is named unless the best is surely ahead.
_ABOUT_AS_GOOD: Final = 0.3
_INSTEAD: Final = 2
_WORDS_OF_A_TERM = 4  # the most content words of a bare term ("right to refuse dangerous work")
_SENTENCE: Final = re.compile(r"[?!–]|[.,;]\s")


@dataclass(frozen=True, slots=True)
class Pinpointed:
    """The part of a section that answers, others that may be meant instead, and how clear that is."""

    parts: tuple[ProvisionId, ...]  # best first
    lead: float | None  # how far the first is ahead of the rest of the section; None for the whole section


@dataclass(frozen=True, slots=True)
class ReadSection:
    """A section and how well each of its sentences answers."""

    section: Provision
    composed: Composed
    found: Sequence[Sentence]
    worth: Floats

    def lead(self, provision: ProvisionId) -> float | None:
        """The best sentence of a provision minus the best outside it; None where it is the whole section."""
        inside = np.array([provision.contains(one.place) for one in self.found])
        if inside.all():
            return None
        return float(self.worth[inside].max() - self.worth[~inside].max())

    def length(self, provision: ProvisionId) -> int:
        """The characters of a provision with all that is below it."""
        held = [line for line in self.composed.lines if provision.contains(line.provision)]
        return held[-1].end - held[0].start


def pinpoint(
    section: Provision, asked: AskedWords, language: str, *, wanted: Wanted, as_of: date
) -> tuple[ProvisionId, ...]:
    """The part of a section that answers, and others that may be meant instead."""
    return pinpointed(section, asked, language, wanted=wanted, as_of=as_of).parts


def pinpointed(
    section: Provision, asked: AskedWords, language: str, *, wanted: Wanted, as_of: date, term: bool = False
) -> Pinpointed:
    """The part of a section that answers, others that may be meant instead, and how far it is ahead.

    Where several parts answer about as well: the provision that contains them all, if it is short enough to
    be quoted whole. Where a bare term is asked for: the section, if the best sentence stands in its opening.
    """
    read = _read(section, asked, language, wanted=wanted, as_of=as_of)
    parts = parts_of(read)
    lead = read.lead(parts[0])
    if lead is not None and lead < _ABOUT_AS_GOOD:
        around = _around(parts)
        if read.length(around) <= _LONGEST_LIST:
            return Pinpointed((around,), read.lead(around))
    if term and lead is not None and lead < _ABOUT_AS_GOOD and _opens_with_best(read):
        return Pinpointed((section.id,), None)
    return Pinpointed(parts, lead)


def best_parts(
    section: Provision, asked: AskedWords, language: str, *, wanted: Wanted, as_of: date
) -> tuple[ProvisionId, ...]:
    """The innermost citable provision of a section with the sentence that answers best.

    Other provisions whose best sentence is about as good follow it.
    """
    return parts_of(_read(section, asked, language, wanted=wanted, as_of=as_of))


def _read(
    section: Provision, asked: AskedWords, language: str, *, wanted: Wanted, as_of: date
) -> ReadSection:
    composed = compose(section)
    found = sentences_of(composed)
    worth = worth_of(found, asked, language, wanted=wanted, as_of=as_of)
    return ReadSection(section, composed, found, worth)


def parts_of(read: ReadSection) -> tuple[ProvisionId, ...]:
    """The citable part of the best sentence, and those of others that may be meant instead."""
    chosen: list[ProvisionId] = []
    for at in np.argsort(-read.worth, kind="stable"):
        near = _ABOUT_AS_GOOD if len(chosen) > 1 else surely_ahead()
        if len(chosen) > _INSTEAD or read.worth[at] < read.worth.max() - near:
            break
        one = read.found[at]
        inner = _citable(read.section, read.composed.provision_at(one.start, one.end))
        if not any(other.contains(inner) or inner.contains(other) for other in chosen):
            chosen.append(inner)
    return tuple(chosen)


def _opens_with_best(read: ReadSection) -> bool:
    """Whether the best sentence of a section is in what is quoted of its opening."""
    return read.found[int(np.argmax(read.worth))].end <= opening_of(read.composed)[1]


def _around(chosen: Sequence[ProvisionId]) -> ProvisionId:
    """The innermost provision that holds all of these."""
    first, *rest = chosen
    depth = min((shared_steps(first.path, one.path) for one in rest), default=len(first.path))
    return ProvisionId(first.work, first.path[:depth])


def is_a_term(text: str, asked: AskedWords, wanted: Wanted) -> bool:
    """Whether a bare term is asked for ("bereavement leave"): three in four of these name a whole section."""
    return not wanted.kinds and asked.words <= _WORDS_OF_A_TERM and not _SENTENCE.search(text)


def wants_the_rule(wanted: Wanted, text: str, language: str) -> bool:
    """Whether the rule is wanted beside a part that only denies it.

    It is for a question of yes or no and where no kind of answer is named, unless exceptions are asked for.
    """
    if wanted.kinds:
        return Kind.CONDITION in wanted.kinds
    return not _named_in(language, "law.exempts").search(text)


def rule_denied(section: Provision, part: ProvisionId, language: str) -> ProvisionId | None:
    """The first part of a section, where the part that answers only denies what the first part allows.

    "An employee may not, under this section, refuse …" is half of an answer without the right to refuse.
    """
    first = next((child for child in section.children if compose(child).text), None)
    if first is None or first.kind not in CITABLE or first.id.contains(part) or part.contains(first.id):
        return None
    texts = {child.id: compose(child).text for child in section.children}
    denied = next((text for place, text in texts.items() if place.contains(part)), "")
    return first.id if _denies(denied, language) and not _denies(texts[first.id], language) else None


def _denies(text: str, language: str) -> bool:
    """Whether a rule begins by denying something.

    It does not where it only supposes that something did not happen: "If no tax is paid, …".
    """
    patterns = _denial(language)
    if patterns is None or patterns[0].match(text):
        return False
    return patterns[1].search(" ".join(text.split()[:_FIRST_WORDS])) is not None


@derived
def _denial(code: str) -> tuple[re.Pattern[str], re.Pattern[str]] | None:
    """Patterns: the opening of a conditional rule, and a negation."""
    known = language_of(code)
    if known is None or not known.pieces("law.denies"):
        return None
    supposes, denies = ("|".join(known.pieces(f"law.{name}")) or NOTHING for name in ("supposes", "denies"))
    return (
        re.compile(rf"\W*(?:\w{{1,4}}[.)]\s+)?(?:{supposes})(?!\w)", re.IGNORECASE),
        re.compile(rf"(?<!\w)(?:{denies})", re.IGNORECASE),
    )


def quoted(
    composed: Composed, asked: AskedWords, language: str, *, wanted: Wanted, as_of: date, term: bool = False
) -> tuple[int, int]:
    """The span to quote: the whole rule around the best sentence, unless that is too long.

    For a bare term, the opening of the section is quoted. Items beside the best one that answer about as well
    are quoted too, if they fit as a whole: the reader sees which is meant.
    """
    found = sentences_of(composed)
    worth = worth_of(found, asked, language, wanted=wanted, as_of=as_of)
    best = found[int(np.argmax(worth))]
    if term and best.end <= (opening := opening_of(composed))[1]:
        return opening
    start, end = whole_rule(composed, best.start, best.end, language)
    good = np.flatnonzero(worth >= worth.max() - _ABOUT_AS_GOOD)
    for rival in (found[at] for at in good[np.argsort(-worth[good], kind="stable")]):
        near = end - _LONGEST_LIST <= rival.start and rival.end <= start + _LONGEST_LIST
        if near and rival.place != best.place and rival.place.path[:-1] == best.place.path[:-1]:
            first, last = composed.span(rival.place)
            if max(last, end) - min(first, start) <= _LONGEST_LIST:
                start, end = min(first, start), max(last, end)
    return start, _complete(composed, start, end)


def clause_cited(composed: Composed, citation: str) -> int:
    """Where the clause begins whose number a citation gives: "4.3" of a schedule; else the beginning.

    A schedule prints such numbers before its clauses, and has no provision for each.
    """
    for number in _CLAUSE.findall(citation):
        begins = re.compile(rf"{re.escape(number)}(?!\.?\d)")
        for line in composed.lines:
            if begins.match(composed.text, line.start):
                return line.start
    return 0


def opening_of(composed: Composed, longest: int = _LONGEST_LIST, *, begin: int = 0) -> tuple[int, int]:
    """What is quoted of a place that was only cited: all of it, or as many whole sentences as fit.

    It does not break off at words that only open a list. What stands before `begin` is left out.
    """
    spans = [span for span in spans_of_the_law(composed) if span[0] >= begin] or spans_of_the_law(composed)
    notes = [line.start for line in composed.lines if line.kind in BESIDE_THE_LAW]
    start, end = whole_statement(composed.text, *spans[0])
    for span, following in zip_longest(spans, spans[1:]):
        if span[1] - start > longest or any(end <= note < span[0] for note in notes):
            break
        cut = following is not None and following[1] - start > longest
        if not cut or composed.text[span[1] - 1] in _PAUSES:
            end = max(end, span[1])
    return start, _complete(composed, start, end)


def whole_rule(composed: Composed, start: int, end: int, language: str = "") -> tuple[int, int]:
    """A sentence with the rest of its rule: its list and opening, or its subsection.

    The largest provision around the sentence that is not too long; else the sentence with what it opens, and
    with the one before it where it only departs from that: "However, …".
    """
    lines = [line for line in composed.lines if line.kind not in BESIDE_THE_LAW]
    at = next((at for at, line in enumerate(lines) if line.start <= start < line.end), None)
    if at is None:
        return whole_statement(composed.text, start, end)
    around = lines[at]
    start, end = whole_statement(composed.text, start, end, around.end)
    if end >= around.end and not _closed(composed.text, start, end):
        end = max(end, _end_of_items(lines, at, start))
    best = (start, end)
    for depth in range(len(around.provision.path), 0, -1):
        outer = ProvisionId(around.provision.work, around.provision.path[:depth])
        held = [line for line in lines if outer.contains(line.provision)]
        if not held or not outer.path:
            continue
        longest = _LONGEST_RULE if len(held) == 1 else _LONGEST_LIST
        first, last = min(held[0].start, start), max(held[-1].end, end)
        if last - first > longest and held[0].end <= start:
            first = _opening(composed.text, held[0])
        if last - first > longest:
            break
        best = (first, last)
    start, end = _with_opening(composed.text, lines, around, best)
    return _with_contrasted(composed, start, end, language), _complete(composed, start, end)


def _with_contrasted(composed: Composed, start: int, end: int, language: str) -> int:
    """Where a quotation begins whose first sentence says "however": with the sentence before it."""
    line = next((line for line in composed.lines if line.start < start < line.end), None)
    if line is None:
        return start
    contrasts = _named_in(language, "law.contrasts")
    own = sentences(composed.text[start : line.end])[0]
    said = composed.text[start + own[0] : start + own[1]]
    for first, last in reversed(sentences(composed.text[line.start : start])):
        contrasting = contrasts.search(" ".join(said.split()[:_CONTRASTING]))
        if not contrasting or end - line.start - first > _LONGEST_WHOLE:
            break
        start, said = line.start + first, composed.text[line.start + first : line.start + last]
    return start


@derived
def _named_in(code: str, table: str) -> re.Pattern[str]:
    """The words of a language's table, as whole words."""
    known = language_of(code)
    words = "|".join(known.pieces(table)) if known else ""
    return re.compile(rf"(?<!\w)(?:{words or NOTHING})(?!\w)", re.IGNORECASE)


def _end_of_items(lines: Sequence[Line], at: int, start: int) -> int:
    """Where the last item ends that fits behind the opening of its list, with all that is below it.

    Where not even the first one fits, it is read as the opening of its own items.
    """
    while lines[at].end - start <= _LONGEST_LIST:
        opening, end = lines[at].provision, lines[at].end
        level = len(opening.path) + 1
        for one, following in zip_longest(lines[at + 1 :], lines[at + 2 :]):
            if one.end - start > _LONGEST_LIST or not opening.contains(one.provision):
                break
            if following is None or following.provision.path[:level] != one.provision.path[:level]:
                end = one.end
        at += 1
        if end > lines[at - 1].end or at == len(lines) or not opening.contains(lines[at].provision):
            return end
    return lines[at - 1].end


def _complete(composed: Composed, start: int, end: int) -> int:
    """The end of a quotation with what belongs to its last words: text behind a table, a list behind a colon.

    Text behind a table may change its figures: "at eighty percent of the rates shown".
    """
    for table, behind in _behind_tables(composed):
        if start <= table.start < end <= behind.start and behind.end - start <= _LONGEST_WHOLE:
            end = behind.end
    return _past_colon(composed, start, end)


def _behind_tables(composed: Composed) -> Iterator[tuple[Line, Line]]:
    """Each table that is followed by text of the same rule, and that text."""
    for table, behind in pairwise(composed.lines):
        same = table.provision.path[:-1] == behind.provision.path[:-1]
        if same and table.kind is ProvisionKind.TABLE and behind.kind is ProvisionKind.FLUSH:
            yield table, behind


def cut_behind_table(provision: Provision) -> bool:
    """Whether a provision has a rule with a table and text behind it that is too long to be quoted whole."""
    composed = compose(provision)
    return any(
        behind.end - composed.span(behind.provision.parent)[0] > _LONGEST_WHOLE
        for _, behind in _behind_tables(composed)
    )


def _past_colon(composed: Composed, start: int, end: int) -> int:
    """The end of a quotation; one that would end at a colon also takes the next sentence."""
    text = composed.text
    if text[start:end].rstrip()[-1:] not in _OPENS:
        return end
    notes = (line.start for line in composed.lines if line.kind in BESIDE_THE_LAW and line.start >= end)
    behind = [end + last for _, last in sentences(text[end : min(notes, default=len(text))])]
    return next((last for last in behind if text[last - 1] not in _OPENS), end)


def _with_opening(text: str, lines: Sequence[Line], around: Line, span: tuple[int, int]) -> tuple[int, int]:
    """A span with the opening of its list, unless both are too long together."""
    start, end = span
    above = [
        line
        for line in lines
        if line.end <= start
        and line.provision != around.provision
        and line.provision.contains(around.provision)
        and not _closed(text, line.start, line.end)
    ]
    for line in reversed(above):
        opening = _opening(text, line)
        if end - opening > _LONGEST_LIST:
            break
        start = opening
    return start, end


def _opening(text: str, line: Line) -> int:
    """Where the sentence begins that opens the list below a line."""
    return line.start + sentences(text[line.start : line.end])[-1][0]


def whole_statement(text: str, start: int, end: int, limit: int | None = None) -> tuple[int, int]:
    """A sentence with the list that it introduces: "a bank means" needs its items.

    A caption ("Rate of tax.") comes with the sentence that it stands over. Nothing is read past `limit`: an
    item ends with ";", and what follows it is another item.
    """
    limit = len(text) if limit is None else limit
    line_end = text.find("\n", start)
    line = text[start : line_end if line_end >= 0 else len(text)]
    if end - start <= _CAPTION and (start == 0 or text[start - 1] == "\n") and start + len(line) > end:
        following = [span for span in sentences(line) if start + span[0] >= end]
        end = start + following[0][1] if following else end
    while end < limit and not _closed(text, start, end):
        line_end = text.find("\n", end + 1, limit)
        further = limit if line_end < 0 else line_end
        if further - start > _LONGEST_LIST:
            break
        end = further
    return start, end


def _closed(text: str, start: int, end: int) -> bool:
    """Whether a statement is complete, and does not continue below: "a bank means"."""
    return text[start:end].rstrip()[-1:] in ENDS


def _citable(section: Provision, inner: ProvisionId) -> ProvisionId:
    kinds = {provision.id: provision.kind for provision in section.walk()}
    while section.id.contains(inner):
        if kinds.get(inner) in CITABLE:
            return inner
        inner = inner.parent
    return section.id
