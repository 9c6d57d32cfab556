"""Spaces and invisible marks: Finlex and Vero write `3 §` with no-break, thin and en spaces, and joiners."""

from __future__ import annotations

import re

from pykala.law.identifiers import Step
from pykala.text.roman import sum_of_letters

#: Marks that no reader sees: zero-width space and joiners, soft hyphen, word joiner, byte-order mark.
_INVISIBLE = re.compile("[\u00ad\u200b\u200c\u200d\u2060\ufeff]")
#: Finnish and Swedish letters in their order: 50 ö § follows 50 ä §.
ALPHABET = "abcdefghijklmnopqrstuvwxyzåäö"
_NUMBER = re.compile(r"(\d+)\s*([a-zåäö])?(?![a-zåäö\d])", re.IGNORECASE)
_LETTER = re.compile(r"([a-zåäö]{1,2})\s*\)", re.IGNORECASE)
_SECTION_NUMBER = re.compile(r"^\d+(?: ?[a-zåäö])?(?= ?§)")
_BEFORE_LETTER = re.compile(r"(?<=\d)(?=[a-zåäö])")
_ROMAN_NUMBER = re.compile(r"\b([IVXLC]+)\b(?: ([A-H])(?= |$))?")


def tidy(text: str) -> str:
    """One plain space for every run of white space of any sort, none at the ends, no invisible marks."""
    if not text.isascii() and _INVISIBLE.search(text):  # few texts have any, and looking is cheap
        text = _INVISIBLE.sub("", text)
    return " ".join(text.split())


def tidy_lines(text: str) -> str:
    """As `tidy`, line by line; empty lines go."""
    return "\n".join(line for line in map(tidy, text.split("\n")) if line)


def relabelled(label: str, to: Step) -> str:
    """A section's label with its new number: "1 §" becomes "3 a §". Other labels stay."""
    return _SECTION_NUMBER.sub(_BEFORE_LETTER.sub(" ", to.number), label)


def number_of(label: str) -> str:
    """The number in a printed label: "33 a §" is "33a", "II A OSA" is "2a", "b)" is "b"; empty where none."""
    if found := _NUMBER.search(label):
        return (found[1].lstrip("0") or "0") + (found[2] or "").lower()
    if found := _LETTER.match(label):
        return found[1].lower()
    if found := _ROMAN_NUMBER.search(label):
        return f"{sum_of_letters(found[1])}{(found[2] or '').lower()}"
    return ""
