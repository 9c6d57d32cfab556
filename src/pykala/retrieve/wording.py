"""Question words (`[questions]` of a language), which say nothing about the subject.

Law does not ask questions: a section that contains "how many" or "need" matches by accident. The same phrases
show whether a question asks for a figure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from pykala.text.finnish import base_form
from pykala.text.languages.known import alternatives, derived, language_of
from pykala.text.quantities import units_named
from pykala.text.stopwords import stop_words
from pykala.text.tokens import words_of

_QUOTES = "\"'«»“”„‘’ "
#: A longer question (in characters) does not only ask what a term means, and is not searched for a term.
_LONGEST = 400
_FEWEST_BARE = 3  # words; fewer are a term


@derived
def _asking(language: str) -> re.Pattern[str] | None:
    """A pattern for the words that ask; removed before searching."""
    return _pattern(language, "questions.asking", r"(?<!\w)(?:{words})(?!\w)")


@derived
def _within(language: str) -> re.Pattern[str] | None:
    """A pattern for where a term is used: "under the GDPR", "tietosuoja-asetuksen mukaan"."""
    return _pattern(language, "questions.within", r"(?<![\s,])[\s,]++(?:{words})\s*$")


def _pattern(language: str, table: str, form: str) -> re.Pattern[str] | None:
    known = language_of(language)
    words = known.text(table) if known else ""
    return re.compile(form.replace("{words}", words), re.IGNORECASE) if words else None


@derived
def _defining(language: str) -> tuple[re.Pattern[str], ...]:
    """Patterns of questions for the meaning of a term; the term is the group."""
    known = language_of(language)
    pieces = known.pieces("questions.defining") if known else ()
    return tuple(re.compile(rf"{piece}\s*\??", re.IGNORECASE) for piece in pieces)


@derived
def _figures() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{alternatives('questions.figures')})(?!\w)", re.IGNORECASE)


@derived
def _excluded() -> re.Pattern[str]:
    """A pattern for what a question excludes: "an appeal (not a claim for rectification)"."""
    return re.compile(rf"\(\s*(?:{alternatives('questions.excluding')})\b[^()]{{1,200}}\)", re.IGNORECASE)


def is_bare(text: str, among: Iterable[str]) -> bool:
    """Whether words alone were typed, as into a search box: nothing asks, and no word joins the others."""
    if text.rstrip().endswith("?"):
        return False
    typed = frozenset(words_of(text))
    return len(typed) >= _FEWEST_BARE and all(
        typed.isdisjoint(stop_words(language)) and without_asking(text, language) == text
        for language in among
    )


def without_asking(text: str, language: str) -> str:
    """The question without its question words; the text itself where nothing else is left."""
    pattern = _asking(language)
    rest = pattern.sub(" ", text.replace("’", "'")) if pattern else text
    return rest if re.search(r"\w", rest) else text


def without_exclusions(text: str) -> str:
    """The question without what it excludes in brackets; unchanged where nothing is left."""
    rest = _excluded().sub(" ", text)
    return rest if re.search(r"\w", rest) else text


@dataclass(frozen=True, slots=True)
class Figures:
    """Whether a question wants a figure, and in which units (empty for any)."""

    wanted: bool
    units: frozenset[str] = frozenset()
    deadline: bool = False  # it asks by when something must be done: a period or a day


NO_FIGURES = Figures(wanted=False)


def figures_wanted(text: str, language: str = "") -> Figures:
    """Whether the question wants a number, a rate, a period or a date."""
    wanted = bool(_figures().search(text))
    return Figures(wanted, units_named(text, language) if wanted else frozenset())


def term_asked(text: str, language: str) -> str:
    """The term whose meaning a question asks for, or "": "foreign national".

    Its quotation marks are removed, and so are the words that say where it is used ("under the GDPR").
    """
    plain = " ".join(text.replace("’", "'").split()).rstrip(" ?.!")
    if len(plain) > _LONGEST:
        return ""
    within = _within(language)
    asked = (within.sub("", plain) if within else plain).strip()
    for words in dict.fromkeys((asked, plain)):
        matches = (pattern.fullmatch(words) for pattern in _defining(language))
        term = next((match[1].strip(_QUOTES) for match in matches if match), "")
        if term:
            return term
    return ""


@derived
def _owned(language: str) -> re.Pattern[str] | None:
    """A pattern for a term with the words that say whose it is; the term is its only matched group."""
    return _pattern(language, "questions.owned_term", "(?:{words})")


def term_without_owner(term: str, language: str) -> str:
    """A term without the words that say whose it is, or "": the "beneficial owner" of a company.

    One word alone says too little: "auditor of a municipality" is no auditor of an act on firms.
    """
    pattern = _owned(language)
    found = pattern.fullmatch(term) if pattern else None
    alone = next((words for words in found.groups() if words), "") if found else ""
    return alone if " " in alone else ""


def spellings_of_term(term: str, language: str) -> tuple[str, ...]:
    """Dictionary forms of a term in a question: "controllers", "kuntakonsernilla"."""
    found, known = [term], language_of(language)
    if known is None:
        return (term,) if len(term) > 1 else ()
    if known.flag("terms.base_forms"):
        *before, last = term.split(" ")
        found.append(" ".join((*before, base_form(last.casefold()))))
        found.append(" ".join(base_form(word.casefold()) for word in term.split(" ")))
    for ending, instead in known.pairs("questions.term_endings"):
        if term.endswith(ending):
            found.append(term.removesuffix(ending) + instead)
    if ending := known.text("questions.word_ending"):
        found.append(" ".join(word.removesuffix(ending) for word in term.split(" ")))
    return tuple(one for one in dict.fromkeys(found) if len(one) > 1)
