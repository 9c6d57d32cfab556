"""Split a question that asks several things ("How much notice do I give, and from which day?").

A question is split only where each side can stand as a question: both sides have a question word or verb of
their own, or the second clearly asks the same about something else. "Rights and duties of tenants" is not
split. Text before the first question is put in front of every part. A part that depends on the first part is
completed from it; where that is unsure, a part carries both ways to ask it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from itertools import islice

from pykala.retrieve.conversation import asks_for_now, follows, joined, own_words, undated
from pykala.retrieve.kinds import JOINT
from pykala.retrieve.question_forms import (
    asking,
    asking_word,
    asks,
    begins_asking,
    languages,
    questions_in,
)
from pykala.retrieve.thread_words import anywhere, opening
from pykala.text.dates import date_asked, dates_in_question
from pykala.text.languages.known import NOTHING, derived, known
from pykala.text.languages.language import Language
from pykala.text.one_line import one_line
from pykala.text.sentences import sentences

MOST = 4  # parts; a text that asks more is a list of questions, not a question
_WHOLE = 3  # the least words of a clause with a question word and a verb: "what tax applies"
_BARE = 3  # words of an elliptic question: "and up to how much?"
_JOINTS = 30  # the most conjunctions of a sentence that are examined
_CLAUSE = 400  # the first characters of a clause, in which it must begin to ask
_OF_ITS_OWN = 2  # own words with which a clause is independent of the clause before it
_CONTEXT = 4  # own words up to which such a clause may still need the clause before it

_BREAK = re.compile(r"(?<=[^\W\d_]{2}[.!?])\s+|(?<=[,;:])\s+")
_WORDS = re.compile(r"[\w'-]+")


@dataclass(frozen=True, slots=True)
class _Words:
    """How a language joins questions (`[several]` of its file)."""

    conditional: re.Pattern[str]  # a condition with its question: "and if they say no, how long do I have?"
    joining: re.Pattern[str]  # what joins two questions in one sentence
    subject: re.Pattern[str]  # "who pays it?": a question with a verb of its own
    opening: re.Pattern[str]  # "What is …": the opening that the second side inherits
    owned: re.Pattern[str]  # "the deadline for the return"; without an `of` pattern the owner comes first
    later_asking: re.Pattern[str]
    embedded: re.Pattern[str] | None  # question words after this pattern do not ask
    relative: tuple[str, ...]  # question words that do not ask after a noun
    relative_before: re.Pattern[str]
    keeps_order: bool  # whether questions keep the order of subject and verb, as in spoken French
    bare_verbs: bool


@derived
def _words(code: str) -> _Words:
    (language,) = known((code,))
    embedded, relative = language.text("several.embedded"), language.words("several.relative")
    return _Words(
        conditional=_pattern(rf"(?:{language.text('several.condition') or NOTHING})(?:{asks(code)})"),
        joining=_pattern(language.text("several.joining") or NOTHING),
        subject=_pattern(rf"(?:{language.text('several.subject') or NOTHING})\s"),
        opening=_pattern(language.text("several.opening") or NOTHING),
        owned=_pattern(_owned(language)),
        later_asking=_pattern(rf"[,;:.]\s+(?:{asking(code)})\b"),
        embedded=_pattern(embedded) if embedded else None,
        relative=tuple(f"{word} " for word in relative),
        relative_before=_pattern(rf"\S\s+(?:{'|'.join(relative) or NOTHING})\s"),
        keeps_order=language.flag("several.keeps_order"),
        bare_verbs=language.flag("several.bare_verbs"),
    )


def _owned(language: Language) -> str:
    """A pattern for a thing and its owner: "the deadline for the return", "palautuksen määräaika"."""
    things, of = language.text("threads.owned") or NOTHING, language.text("several.of")
    if not of:
        return rf"(?:\S+ ){{1,8}}(?:\w*(?:{things}))\W*"
    article = language.text("several.article")
    return rf"{article}(?:[\w-]+ )?[\w-]*(?:{things})(?: [\w-]+)? (?:{of}).+"


def _pattern(words: str) -> re.Pattern[str]:
    return re.compile(words, re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Part:
    """One of several questions: as written, as it stands alone, and another way to ask it, if there is one.

    "Kuka korvaa vahingon?" may or may not be about what was asked before it. `otherwise` is the question
    completed from the first part where `question` is not, and the reverse.
    """

    heading: str
    question: str
    otherwise: str = ""


def parts(text: str, language: str, *, today: date) -> tuple[Part, ...]:
    """The questions in a text, in order; empty where there is only one."""
    if language not in languages():
        return ()
    before, joint, asked = one_line(text).rpartition(JOINT)
    if joint and not own_words(undated(asked, today=today), language):
        return tuple(  # "and in 2013?" applies to each of the questions before it
            Part(
                joined(one.heading, asked, language),
                joined(one.question, asked, language),
                one.otherwise and joined(one.otherwise, asked, language),
            )
            for one in parts(before, language, today=today)
        )
    background: list[str] = []
    found: list[tuple[str, str]] = []  # pairs: the background told so far, and the question
    marked = "?" in asked
    for sentence in _sentences(asked, language):
        if not _asks(sentence, language, marked=marked):
            background.append(sentence)
            continue
        clauses = list(_clauses(sentence, language))
        if found and _is_bare(clauses[0], language) and not _may_be_bare(found[-1][1], language):
            return ()  # "May I? How much?" is one question
        found += [(" ".join(background), clause) for clause in clauses]
    if not 2 <= len(found) <= MOST:
        return ()
    headings = [_heading(clause, language) for _, clause in found]
    first = f"{before}{joint}{f'{found[0][0]} {headings[0]}'.strip()}"
    return (
        Part(headings[0], first),
        *(
            Part(
                heading,
                *(
                    dated_as(question, asked, today)
                    for question in _ways(clause, first, f"{before}{joint}{story}", language, today)
                ),
            )
            for heading, (story, clause) in zip(headings[1:], found[1:], strict=True)
        ),
    )


def may_ask_several(text: str, language: str) -> bool:
    """Whether a text may hold several questions, so that asking a model is worthwhile."""
    asked = text.rpartition(JOINT)[2]
    if asked.count("?") > 1 or language not in languages():
        return asked.count("?") > 1
    return questions_in(asked, language) > 1 and bool(_words(language).joining.search(asked))


def _ways(clause: str, first: str, story: str, language: str, today: date) -> Iterator[str]:
    """The ways to ask a later part, the likelier first: completed from the first, or with the story alone."""
    completed = joined(first, clause if clause.endswith("?") else f"{clause}?", language)
    alone = f"{story} {_heading(clause, language)}".strip()
    own = len(own_words(clause, language))
    if follows(clause, language, today=today):
        yield completed
    elif own >= _CONTEXT:
        yield alone
    else:
        yield from (alone, completed) if own >= _OF_ITS_OWN else (completed, alone)


def dated_as(question: str, whole: str, today: date) -> str:
    """A part of a question, with the date of the whole question where it names none itself."""
    named = date_asked(whole, today=today)
    if named is None or dates_in_question(question, today=today) or asks_for_now(question):
        return question
    return f"{named.text}: {question}"


def _sentences(text: str, language: str) -> Iterator[str]:
    """Split into sentences, also where one begins without a capital."""
    for start, end in sentences(text):
        sentence = text[start:end]
        begin = 0
        for gap in _BREAK.finditer(sentence):
            if sentence[gap.start() - 1] in ".!?" and begins_asking(sentence[gap.end() :], language):
                yield sentence[begin : gap.start()]
                begin = gap.end()
        yield sentence[begin:]


def _asks(sentence: str, language: str, *, marked: bool) -> bool:
    """Whether a sentence asks; in a text with question marks, only one that has its own."""
    if marked:
        asks = (
            questions_in(sentence, language) > 0 or opening("going_on", language).match(sentence) is not None
        )
        return asks and sentence.rstrip().endswith("?")
    starts = (0, *(gap.end() for gap in _BREAK.finditer(sentence)))
    return any(begins_asking(sentence[start:], language) for start in starts)


def _clauses(sentence: str, language: str) -> Iterator[str]:
    """The questions of a sentence; the sentence itself where there is only one."""
    begin = 0
    for match in islice(_words(language).joining.finditer(sentence), _JOINTS):
        left, right = sentence[begin : match.start()], sentence[match.end() : match.end() + _CLAUSE]
        comma = match[0].lstrip().startswith((",", ";"))
        if _can_part(left, right, language, comma=comma):
            yield left
            begin = match.end()
        elif begin == 0 and len(right) < _CLAUSE and (second := _inherited(left, right, language)):
            yield left
            yield second
            return
    yield sentence[begin:]


def _can_part(left: str, right: str, language: str, *, comma: bool) -> bool:
    """Whether both sides of a conjunction ask."""
    asks = questions_in(left, language) or (
        asking_word(left, language) and (comma or _asks_for_its_subject(left, right, language))
    )
    if not asks or _is_bare(left, language):
        return False  # "At what age and after how many years can I …?" is one question
    if _words(language).conditional.match(right):
        return True
    if _is_bare(right, language):
        return _may_be_bare(left, language)
    if not comma and _is_embedded(left, right, language):
        return False
    if _words(language).keeps_order and comma and asking_word(right, language):
        return True
    return begins_asking(right, language) or _asks_for_its_subject(left, right, language)


def _asks_for_its_subject(left: str, right: str, language: str) -> bool:
    """Whether the second side asks who does something, after a whole clause: "what applies and who pays?".

    It shares no verb with the first side, as in "which papers and how many copies do I need?".
    """
    whole = len(_WORDS.findall(left)) >= _WHOLE and not _words(language).later_asking.search(left)
    return whole and _words(language).subject.match(right) is not None


def _is_embedded(left: str, right: str, language: str) -> bool:
    """Whether the sides are clauses of one question: "…, paljonko ansaitsen ja missä asun?"."""
    words = _words(language)
    if words.embedded is not None:
        return words.embedded.search(left) is not None
    return right.lower().startswith(words.relative) and words.relative_before.search(left) is not None


def _is_bare(clause: str, language: str) -> bool:
    """Whether a clause asks by one word and takes its verb from the clause before: "and how soon?"."""
    clause = opening("joining", language).sub("", clause).strip(" ,")
    asked = asking_word(clause, language)
    few = len(_WORDS.findall(clause)) < _BARE + len(asked.split())
    if not asked or not few or own_words(clause, language) or anywhere("pronouns", language).search(clause):
        return False
    return _words(language).bare_verbs or not begins_asking(clause, language)


def _may_be_bare(left: str, language: str) -> bool:
    """Whether a bare "how much" after this question asks something new: after "who" yes, after "may I" no."""
    return bool(asking_word(left, language) or _words(language).later_asking.search(left))


def _inherited(left: str, right: str, language: str) -> str:
    """The second side with the opening of the first, where both name a thing and its owner."""
    begun = _words(language).opening.match(left)
    if not begun:
        return ""
    first, second = left[begun.end() :], right.rstrip(" ?")
    for side in (first, second):
        if not (_words(language).owned.fullmatch(side) and own_words(side, language)):
            return ""
    return f"{begun[0]}{second}?"


def _heading(clause: str, language: str) -> str:
    """A part as a heading: without its conjunction, with a capital and a question mark."""
    clause = opening("joining", language).sub("", clause, count=1).strip(" ,;")
    clause = clause if clause.endswith("?") else clause.rstrip(" .,;")
    return f"{clause[:1].upper()}{clause[1:]}{'' if clause.endswith('?') else '?'}"
