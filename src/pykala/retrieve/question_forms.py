"""How questions are put in a language: by a word that asks with its verb, or by the verb alone.

An embedded question is none of its own: "Do I have to say what I earn?" asks one thing.
"""

from __future__ import annotations

import re

from pykala.text.languages.known import derived, known, language_of
from pykala.text.one_line import bounded


def asking(language: str) -> str:
    """Words that ask, at the beginning of a clause, as a piece of a pattern."""
    found = language_of(language)
    return found.text("questions.opens") if found else ""


def asks(language: str) -> str:
    """Clauses that ask, by a word with its verb or by the verb alone, as a piece of a pattern."""
    found = language_of(language)
    return found.text("questions.asks") if found else ""


@derived
def languages() -> frozenset[str]:
    """The languages whose questions are known by their form."""
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
    """The word that asks, with which a text begins; none where it begins otherwise."""
    found = _asking(language).match(text)
    return found[0] if found else ""


def begins_asking(text: str, language: str) -> bool:
    """Whether a text begins as a question does, with its verb."""
    return _question(language).match(text) is not None


def questions_in(text: str, language: str) -> int:
    """How often a text begins to ask, wherever in it."""
    return len(_somewhere(language).findall(bounded(text)))
