"""The kind of answer that a question asks for: a period, a rate, an authority, yes or no.

The signs are in a language's file (`[kinds]`) and are tried in this order: a question phrase ("how long", "à
qui"), the beginning ("may a landlord …", "saako …"), a noun that names the kind ("the deadline",
"verokanta"), a question word alone ("when", "vem"). The order matters: "how long do I have when I am ill"
asks for a period, not for a day. People tell their story first and ask last, so the last sentence that asks
decides. A question completed from an earlier one asks what its own words ask, if they ask anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from pykala.retrieve.question_forms import questions_in
from pykala.retrieve.thread_words import opening
from pykala.retrieve.wording import term_asked
from pykala.text.languages.known import NOTHING, alternatives, derived, known, language_of
from pykala.text.languages.language import Language
from pykala.text.one_line import one_line
from pykala.text.quantities import TIME, quantities, units_named


class Kind(StrEnum):
    """What an answer must contain."""

    PERIOD = "period"
    DATE = "date"
    AMOUNT = "amount"
    RATE = "rate"
    AUTHORITY = "authority"
    PLACE = "place"
    DEFINITION = "definition"
    CONDITION = "condition"
    PROCEDURE = "procedure"
    LIST = "list"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What an answer should contain: kinds, the units asked for, and the units that are stated.

    "I worked there eight months, can they …" states months, so the rule that answers is expected to count in
    months.
    """

    kinds: tuple[Kind, ...] = ()
    units: frozenset[str] = frozenset()
    stated: frozenset[str] = frozenset()


NOTHING_WANTED: Final = Wanted()
#: Separates a question from its follow-up. The text before the separator is not analysed again.
JOINT: Final = " – "
#: A unit asked for: a time limit within which something must be done, rather than how long it lasts.
DEADLINE: Final = "deadline"
_sentence_end = re.compile(r"(?<=[?!.])\s+")
_MOST_WORDS = 7  # the most words of a term whose meaning is asked for


def _anywhere(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)


def _begun(words: str) -> re.Pattern[str]:
    return re.compile(rf"{_begun_at()}(?:{words})(?!\w)", re.IGNORECASE)


@derived
def _begun_at() -> str:
    """Where a question may begin: one look-behind per start, because look-behinds must have a fixed width."""
    behind = dict.fromkeys(word for one in known() for word in one.words("kinds.begun_behind"))
    places = (r"^[\s\"'«“(]*", "(?<=[,;:.!?–—] )", *(rf"(?<=\b{word} )" for word in behind))
    return f"(?:{'|'.join(places)})"


@derived
def _deadline() -> re.Pattern[str]:
    return _anywhere(alternatives("kinds.deadline"))


_Tier = tuple[tuple[Kind, re.Pattern[str]], ...]


@dataclass(frozen=True, slots=True)
class _Signs:
    """The compiled rules of one language."""

    asked: _Tier
    yes_or_no: _Tier
    who_where_when: _Tier  # at the very beginning
    named: _Tier
    begun: _Tier
    opens_asking: re.Pattern[str]


#: Kinds that an opening word asks for together with the words behind it, and then no other kind by itself.
_OF_THEIR_OPENING: Final = frozenset({Kind.CONDITION, Kind.DATE, Kind.PERIOD})
_WHO_WHERE_WHEN: Final = frozenset({Kind.AUTHORITY, Kind.PLACE, Kind.DATE, Kind.DEFINITION})


@derived
def _signs(code: str) -> _Signs | None:
    """The rules of a language; None where it has none."""
    language = language_of(code)
    if language is None or not language.text("kinds.opens_asking"):
        return None
    begun = _rules(language, "kinds.begun")
    return _Signs(
        asked=tuple((kind, _anywhere(words)) for kind, words in _rules(language, "kinds.asked")),
        yes_or_no=(
            (Kind.CONDITION, _begun(language.text("kinds.yes_or_no") or NOTHING)),
            (Kind.CONDITION, _anywhere(language.text("kinds.yes_or_no_anywhere") or NOTHING)),
        ),
        who_where_when=tuple((kind, _opening(words)) for kind, words in begun if kind in _WHO_WHERE_WHEN),
        named=tuple((kind, _anywhere(words)) for kind, words in _rules(language, "kinds.named")),
        begun=tuple((kind, _begun(words)) for kind, words in begun),
        opens_asking=_opening(language.text("kinds.opens_asking")),
    )


def _rules(language: Language, section: str) -> list[tuple[Kind, str]]:
    return [(Kind(name), words) for name, words in language.rules(section)]


def _opening(words: str) -> re.Pattern[str]:
    return re.compile(rf"[\s\"'«“(]*(?:{words})(?!\w)", re.IGNORECASE)


def wanted(text: str, language: str) -> Wanted:
    """What the answer to a question should contain."""
    asking = words_that_ask(text, language)
    stated = frozenset(quantity.unit for quantity in quantities(asking))
    units = units_named(asking, language) | ({DEADLINE} if _deadline().search(asking) else set())
    kinds = kinds_asked(asking, language)
    if Kind.AMOUNT in kinds and Kind.PERIOD not in kinds:
        units -= stated & TIME  # "I worked three hours, what do they pay?" does not ask for hours
    return Wanted(kinds, frozenset(units), stated)


def words_that_ask(text: str, language: str) -> str:
    """The words after the last joint, if they ask for a kind of answer; otherwise the whole text.

    "How long do we have to answer – may we charge a fee?" asks for yes or no, not for a period. "How long is
    the notice – if the tenant leaves?" still asks for a period.
    """
    _, joint, last = text.rpartition(JOINT)
    if not joint or _signs(language) is None:
        return text
    bare = opening("going_on", language).sub("", last)
    if opening("supposing", language).match(bare):  # "what if the price were …?" does not ask for a price
        last = bare.partition(", ")[2]
        if not questions_in(last, language):
            return text
    return last if kinds_asked(last, language) else text


def without_conditions(text: str, language: str) -> str:
    """A question without the words that ask under which condition something may be done: "when may …"."""
    signs = _signs(language)
    for kind, pattern in signs.asked if signs is not None else ():
        if kind is Kind.CONDITION:
            text = pattern.sub(" ", text)
    return text


def kinds_asked(text: str, language: str) -> tuple[Kind, ...]:
    """The kinds of answer that a question asks for, surest first; empty where its words do not say."""
    signs = _signs(language)
    if signs is None:
        return ()
    for sentence in _asking_last(text):
        found = tuple(dict.fromkeys(_kinds(sentence, language, signs)))
        if found:
            return found
    return ()


def _asking_last(text: str) -> list[str]:
    """The sentences of a question in order of trust: question marks first, then later ones first."""
    spoken = list(reversed(_sentence_end.split(one_line(text))))
    return sorted(spoken, key=lambda sentence: not sentence.endswith("?"))


def _kinds(sentence: str, language: str, signs: _Signs) -> Iterator[Kind]:
    asking = bool(signs.opens_asking.match(sentence))
    parted = list(_parted(signs.asked, sentence))
    asked = [kind for kind, _ in parted]
    yield from asked
    if asking:
        # The "when" of "when may …" asks for a condition and no day, "mihin mennessä" for a day and no place.
        first = {kind for kind, (start, _) in parted if not sentence[:start].strip()}
        yield from () if first & _OF_THEIR_OPENING else _first(signs.who_where_when, sentence, opening=True)
    else:
        asked += _first(signs.yes_or_no, sentence)
        yield from asked
    if asked:
        return
    for tier in (signs.named, signs.begun):
        found = _first(tier, sentence)
        if found:
            if not (asking and _first(signs.who_where_when, sentence, opening=True)):
                yield from found
            return
    term = term_asked(sentence, language)
    if term and len(term.split()) <= _MOST_WORDS:
        yield Kind.DEFINITION


def _parted(tier: _Tier, sentence: str) -> Iterator[tuple[Kind, tuple[int, int]]]:
    """The kinds that a sentence asks for, and where: "how many days" is not an amount."""
    taken: list[tuple[int, int]] = []
    for kind, pattern in tier:
        for match in pattern.finditer(sentence):
            if not any(match.start() < end and start < match.end() for start, end in taken):
                taken.append(match.span())
                yield kind, match.span()
                break


def _first(tier: _Tier, sentence: str, *, opening: bool = False) -> list[Kind]:
    """The kind of the first matching rule of a tier; optionally only at the question's beginning."""
    tried = (
        (kind, pattern.match(sentence) if opening else pattern.search(sentence)) for kind, pattern in tier
    )
    return [kind for kind, match in tried if match][:1]
