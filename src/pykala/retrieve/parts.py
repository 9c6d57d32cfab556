"""A question that asks several things ("How much notice do I give, and from which day?"), taken apart.

It is taken apart only where each side can stand as a question: both ask by a word or a verb of their own, or
the second clearly asks the same of something else. "Rights and duties of tenants" is one thing. What is told
before the first question is put in front of every part, and a part that leans on the first goes on from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from itertools import islice
from typing import Final

from pykala.retrieve.conversation import JOINT, asks_for_now, follows, joined, own_words, undated
from pykala.retrieve.question_forms import (
    ASKING,
    LANGUAGES,
    QUESTION,
    asking_word,
    begins_asking,
    questions_in,
)
from pykala.retrieve.thread_words import alternatives, patterns
from pykala.text.dates import date_asked, named_dates
from pykala.text.one_line import one_line
from pykala.text.sentences import sentences

MOST = 4  # parts; a text that asks more is no question, but a list of them
_BARE = 3  # words of an elliptic question: "and up to how much?"
_JOINTS = 30  # conjunctions of a sentence that are looked at
_CLAUSE = 400  # characters in which a clause has begun to ask, or does not ask
_OF_ITS_OWN = 4  # own words with which a clause needs nothing of the clause before it

#: A condition before the question that it belongs to: "and if they say no, how long do I have?"
_CONDITION: Final = {
    "en": r"(?:if|in that case|otherwise|else|also|then|once)\b[^?;]{0,90}?[ ,]+",
    "fi": r"(?:jos|jollei|ellei|muuten|myös|siinä tapauksessa|silloin)\b[^?;]{0,90}?[ ,]+",
    "sv": r"(?:om|annars|också|i så fall|då|ifall)\b[^?;]{0,90}?[ ,]+",
    "fr": r"(?:s'ils?|si|sinon|aussi|dans ce cas|alors)\b[^?;]{0,90}?[ ,]+",
}
#: What joins two questions in one sentence.
_JOINING: Final = {
    "en": r",?\s+(?:and also|and|as well as|plus)\s+|;\s+(?:and\s+)?",
    "fi": r",?\s+(?:ja myös|ja|sekä)\s+|;\s+(?:ja\s+)?",
    "sv": r",?\s+(?:och dessutom|och|samt)\s+|;\s+(?:och\s+)?",
    "fr": r",?\s+(?:et aussi|et|ainsi que)\s+|\s*;\s+(?:et\s+)?",
}
#: "What is the rate on books and the deadline for the return": the opening that the second side inherits.
_OPENING: Final = {
    "en": r"what(?:'s| is| are) ",
    "fi": r"(?:mikä on|mitkä ovat|mitä ovat) ",
    "sv": r"(?:vad är|vilken är|vilket är|vilka är) ",
    "fr": r"(?:quel(?:le)?s? (?:est|sont)) ",
}
_OF: Final = {
    "en": r"for|of|on|in|to|under",
    "sv": r"för|på|i|av|till|vid",
    "fr": r"de|du|des|pour|sur|en|à|d'|dans",
}
_ARTICLE: Final = {"en": r"(?:the )?", "sv": "", "fr": r"(?:le |la |les |l')?"}

_I: Final = re.IGNORECASE
_conditional = {
    code: re.compile(rf"(?:{condition})(?:{QUESTION[code]})", _I) for code, condition in _CONDITION.items()
}
_joining = {code: re.compile(words, _I) for code, words in _JOINING.items()}
_opening = {code: re.compile(words, _I) for code, words in _OPENING.items()}
_going_on = patterns("going_on", opening=True)
_leading = patterns("joining", opening=True)
_pronouns = patterns("pronouns")
_later_asking = {code: re.compile(rf"[,;:.]\s+(?:{words})\b", _I) for code, words in ASKING.items()}
_relative_en = re.compile(r"\S\s+(?:who|which)\s", _I)
_embedded_fi = re.compile(rf",\s*(?:{ASKING['fi']})\b", _I)
_BREAK = re.compile(r"(?<=[^\W\d_]{2}[.!?])\s+|(?<=[,;:])\s+")
_WORDS = re.compile(r"[\w'-]+")
#: "The deadline for the return"; in Finnish the owner comes first.
_owned = {
    "fi": re.compile(rf"(?:\S+ ){{1,8}}(?:\w*(?:{alternatives('owned', 'fi')}))\W*", _I),
    **{
        code: re.compile(
            rf"{_ARTICLE[code]}(?:[\w-]+ )?[\w-]*(?:{alternatives('owned', code)})(?: [\w-]+)? (?:{of}).+", _I
        )
        for code, of in _OF.items()
    },
}


@dataclass(frozen=True, slots=True)
class Part:
    """One of the things asked: as it was put, and as it is asked by itself."""

    heading: str
    question: str


def parts(text: str, language: str, *, today: date) -> tuple[Part, ...]:
    """The questions that a text holds, in order; none where it holds one."""
    if language not in LANGUAGES:
        return ()
    before, joint, asked = one_line(text).rpartition(JOINT)
    if joint and not own_words(undated(asked, today=today), language):
        return tuple(  # "and in 2013?" asks that of each thing that was asked before
            Part(joined(one.heading, asked, language), joined(one.question, asked, language))
            for one in parts(before, language, today=today)
        )
    told: list[str] = []
    found: list[tuple[str, str]] = []  # what is told before a question, and the question
    marked = "?" in asked
    for sentence in _sentences(asked, language):
        if not _asks(sentence, language, marked=marked):
            told.append(sentence)
            continue
        clauses = list(_clauses(sentence, language))
        if found and _is_bare(clauses[0], language) and not _may_be_bare(found[-1][1], language):
            return ()  # "May I? How much?" asks one thing
        found += [(" ".join(told), clause) for clause in clauses]
    if not 2 <= len(found) <= MOST:
        return ()
    headings = [_heading(clause, language) for _, clause in found]
    first = f"{before}{joint}{f'{found[0][0]} {headings[0]}'.strip()}"
    return (
        Part(headings[0], first),
        *(
            Part(
                heading,
                dated_as(_alone(clause, first, f"{before}{joint}{story}", language, today), asked, today),
            )
            for heading, (story, clause) in zip(headings[1:], found[1:], strict=True)
        ),
    )


def may_ask_several(text: str, language: str) -> bool:
    """Whether a text might hold several questions: worth asking a model, where there is one."""
    asked = text.rpartition(JOINT)[2]
    if asked.count("?") > 1 or language not in LANGUAGES:
        return asked.count("?") > 1
    return questions_in(asked, language) > 1 and bool(_joining[language].search(asked))


def _alone(clause: str, first: str, story: str, language: str, today: date) -> str:
    """A later part as it is asked by itself: going on from the first, or with what is told before it."""
    leans = follows(clause, language, today=today) or len(own_words(clause, language)) < _OF_ITS_OWN
    if leans:
        return joined(first, clause if clause.endswith("?") else f"{clause}?", language)
    return f"{story} {_heading(clause, language)}".strip()


def dated_as(question: str, whole: str, today: date) -> str:
    """A part with the date of the whole, where it names none itself."""
    named = date_asked(whole, today=today)
    if named is None or named_dates(question, today=today) or asks_for_now(question):
        return question
    return f"{named.text}: {question}"


def _sentences(text: str, language: str) -> Iterator[str]:
    """Sentences, also where a hurried writer begins one without a capital."""
    for start, end in sentences(text):
        sentence = text[start:end]
        begin = 0
        for gap in _BREAK.finditer(sentence):
            if sentence[gap.start() - 1] in ".!?" and begins_asking(sentence[gap.end() :], language):
                yield sentence[begin : gap.start()]
                begin = gap.end()
        yield sentence[begin:]


def _asks(sentence: str, language: str, *, marked: bool) -> bool:
    """Whether a sentence asks; in a text with question marks only one that has its own does."""
    if marked:
        asks = questions_in(sentence, language) > 0 or _going_on[language].match(sentence) is not None
        return asks and sentence.rstrip().endswith("?")
    starts = (0, *(gap.end() for gap in _BREAK.finditer(sentence)))
    return any(begins_asking(sentence[start:], language) for start in starts)


def _clauses(sentence: str, language: str) -> Iterator[str]:
    """The questions of a sentence; the sentence itself where it is one."""
    begin = 0
    for match in islice(_joining[language].finditer(sentence), _JOINTS):
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
    asks = questions_in(left, language) or (comma and asking_word(left, language))
    if not asks or _is_bare(left, language):
        return False  # "At what age and after how many years can I …?" is one question
    if _conditional[language].match(right):
        return True
    if _is_bare(right, language):
        return _may_be_bare(left, language)
    if not comma and _is_embedded(left, right, language):
        return False
    if language == "fr" and comma and asking_word(right, language):
        return True  # spoken French asks without turning subject and verb around
    return begins_asking(right, language)


def _is_embedded(left: str, right: str, language: str) -> bool:
    """Whether the sides are no questions but parts of one: "…, paljonko ansaitsen ja missä asun?"."""
    if language == "fi":
        return _embedded_fi.search(left) is not None
    relative = language == "en" and right.lower().startswith(("who ", "which "))
    return relative and _relative_en.search(left) is not None


def _is_bare(clause: str, language: str) -> bool:
    """Whether a clause asks by a word alone, whose verb stands in the clause before: "and how soon?"."""
    clause = _leading[language].sub("", clause).strip(" ,")
    asked = asking_word(clause, language)
    few = len(_WORDS.findall(clause)) < _BARE + len(asked.split())
    if not asked or not few or own_words(clause, language) or _pronouns[language].search(clause):
        return False
    return language == "fi" or not begins_asking(clause, language)


def _may_be_bare(left: str, language: str) -> bool:
    """Whether "how much" after this asks another thing: after "who" it does, after "may I" it does not."""
    return bool(asking_word(left, language) or _later_asking[language].search(left))


def _inherited(left: str, right: str, language: str) -> str:
    """The second side with the opening of the first, where both name a thing and what it is of."""
    opening = _opening[language].match(left)
    if not opening:
        return ""
    first, second = left[opening.end() :], right.rstrip(" ?")
    for side in (first, second):
        if not (_owned[language].fullmatch(side) and own_words(side, language)):
            return ""
    return f"{opening[0]}{second}?"


def _heading(clause: str, language: str) -> str:
    """A part as a question of its own: without its conjunction, with a capital and a question mark."""
    clause = _leading[language].sub("", clause, count=1).strip(" ,;")
    clause = clause if clause.endswith("?") else clause.rstrip(" .,;")
    return f"{clause[:1].upper()}{clause[1:]}{'' if clause.endswith('?') else '?'}"
