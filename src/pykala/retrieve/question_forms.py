"""Recognise questions by their form in each language: a question word with its verb, or a verb first.

An embedded question does not count as a question: "Do I have to say what I earn?" asks one thing.
"""

from __future__ import annotations

import re

from pykala.text.languages.known import alternatives, derived, known, language_of
from pykala.text.one_line import bounded


def asking(language: str) -> str:
    """A pattern for question words at the beginning of a clause."""
    found = language_of(language)
    return found.text("questions.opens") if found else ""


def asks(language: str) -> str:
    """A pattern for clauses that ask, by a question word with its verb or by the verb alone."""
    found = language_of(language)
    return found.text("questions.asks") if found else ""


@derived
def languages() -> frozenset[str]:
    """The languages with such patterns."""
    return frozenset(one.code for one in known() if asking(one.code) and asks(one.code))


@derived
def _asking(language: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{asking(language)})\b", re.IGNORECASE)


@derived
def _question(language: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{asks(language)})", re.IGNORECASE)


@derived
def _somewhere(language: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{asks(language)})", re.IGNORECASE)


def asking_word(text: str, language: str) -> str:
    """The question word that a text begins with; empty where it begins otherwise."""
    found = _asking(language).match(text)
    return found[0] if found else ""


def begins_asking(text: str, language: str) -> bool:
    """Whether a text begins with the verb, as a question does."""
    return _question(language).match(text) is not None


@derived
def _advice(language: str) -> re.Pattern[str] | None:
    found = language_of(language)
    words = found.text("questions.advice") if found else ""
    return re.compile(rf"\b(?:{words})\b", re.IGNORECASE) if words else None


def asks_for_advice(text: str, language: str) -> bool:
    """Whether a question asks only for advice: what is better or worth it, which the law does not say."""
    pattern = _advice(language)
    found = pattern is not None and pattern.search(bounded(text).replace("’", "'")) is not None
    return found and questions_in(text, language) < 2


@derived
def _from_when() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{alternatives('questions.from_when')})(?!\w)", re.IGNORECASE)


def asks_from_when(text: str) -> bool:
    """Whether a question asks when something begins to apply or enters into force."""
    return _from_when().search(bounded(text).replace("’", "'")) is not None


def questions_in(text: str, language: str) -> int:
    """How many questions a text begins."""
    return len(_somewhere(language).findall(bounded(text)))
