"""Patterns for words by which a question refers to the previous one (`[threads]` of a language)."""

from __future__ import annotations

import re

from pykala.text.languages.known import NOTHING, derived, known, language_of


@derived
def languages() -> frozenset[str]:
    """The languages with such words."""
    return frozenset(one.code for one in known() if one.pieces("threads.going_on"))


@derived
def opening(name: str, language: str) -> re.Pattern[str]:
    """A pattern for a table's words at the beginning of a text."""
    return re.compile(rf"\A\W*(?:{_words(name, language)})(?![\w-])", re.IGNORECASE)


@derived
def closing(name: str, language: str) -> re.Pattern[str]:
    """A pattern for a table's words at the end of a text."""
    return re.compile(rf"(?<![\w-])(?:{_words(name, language)})(?![\w-])\W*\Z", re.IGNORECASE)


@derived
def anywhere(name: str, language: str) -> re.Pattern[str]:
    """A pattern for a table's words anywhere in a text."""
    return re.compile(rf"(?<![\w-])(?:{_words(name, language)})(?![\w-])", re.IGNORECASE)


def _words(name: str, language: str) -> str:
    found = language_of(language)
    return (found.text(f"threads.{name}") if found else "") or NOTHING
