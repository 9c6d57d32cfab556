"""Numbers of articles, points, annexes and divisions, in one spelling for English and French.

English writes "Article 59a", "point (ba)", French "article 59 bis", "point b bis)": the Latin adverbs stand
for the letters, so that both languages give one identifier.
"""

from __future__ import annotations

import re
from functools import lru_cache

_LATIN = (
    "bis",
    "ter",
    "quater",
    "quinquies",
    "sexies",
    "septies",
    "octies",
    "nonies",
    "decies",
    "undecies",
    "duodecies",
    "terdecies",
    "quaterdecies",
    "quindecies",
    "sexdecies",
    "septdecies",
    "octodecies",
    "novodecies",
    "vicies",
    "unvicies",
    "duovicies",
    "tervicies",
    "quatervicies",
    "quinvicies",
    "sexvicies",
    "septvicies",
)
_LETTERS = {adverb: "abcdefghijklmnopqrstuvwxyz"[place] for place, adverb in enumerate(_LATIN)}
_LETTERS |= {"quinquies decies": "n", "octovicies": "za", "novovicies": "zb"}
_ADVERB = rf"(?i:(?:{'|'.join(sorted(_LATIN, key=len, reverse=True))})\b)"
_SUFFIX = re.compile(rf"(?<![\s-])[\s-]*\b({_ADVERB})\b", re.IGNORECASE)
_FIRST = {"premier", "1er", "unique", "sole", "only"}
_ARTICLE = re.compile(
    rf"(?:(?P<sole>sole|only)\s+article|art(?:icle|ikel)\s*(?P<number>\bpremier|\bunique|1\s?er"
    rf"|\d{{1,4}}(?:-?\s?[a-z]{{1,2}}(?![\w]))?(?:[\s-]+{_ADVERB})*|\b(?-i:[IVXLC]+|[A-Z])))(?=[\s.:–—]|$)",
    re.IGNORECASE,
)
_NUMERALS = {
    "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8",
    "first": "1", "second": "2", "third": "3", "fourth": "4", "fifth": "5", "sixth": "6", "seventh": "7",
    "première": "1", "premiere": "1", "deuxième": "2", "deuxieme": "2", "seconde": "2", "troisième": "3",
    "troisieme": "3", "quatrième": "4", "quatrieme": "4", "cinquième": "5", "cinquieme": "5", "sixième": "6",
    "sixieme": "6", "septième": "7", "septieme": "7",
}  # fmt: skip
#: The word of a division, the step it makes, and how deep it stands.
DIVISIONS = {
    "part": ("prt", 1), "partie": ("prt", 1),
    "title": ("tis", 2), "titre": ("tis", 2),
    "chapter": ("cpt", 3), "chapitre": ("cpt", 3),
    "section": ("sct", 4),
    "subsection": ("sbs", 5), "sub-section": ("sbs", 5), "sous-section": ("sbs", 5),
}  # fmt: skip
_COUNT = rf"(?:\d+[a-zA-Z]?|[IVXLCDM]+[ABE-H]?[a-z]{{0,2}}|[A-Z][a-z]?)(?:[\s-]+{_ADVERB})*"
_INSERTED = re.compile(r"([IVXLCDM]+|\d+)([ABE-H])")
_DIVISION = re.compile(
    rf"(?:(?P<ordinal>{'|'.join(_NUMERALS)})\s+(?P<part>part|partie)"
    rf"|(?P<word>{'|'.join(sorted(DIVISIONS, key=len, reverse=True))})\s+"
    rf"(?P<number>{'|'.join(_NUMERALS)}|(?-i:{_COUNT})))"
    r"(?=$|[\s.:–—-])[\s.:–—-]*",
    re.IGNORECASE,
)
_ANNEX = re.compile(
    rf"(?:ANNEXE?S?|Annexe?s?)(?!\w)(?:\s+(?P<number>(?:\d+[a-z]?|[IVXLC]+[a-z]?|[A-Z][a-z]?)(?:[\s-]+{_ADVERB})*)"
    r"(?=$|[\s.:–—-]))?[\s.:–—-]*"
)
_PROTOCOL = re.compile(r"PROTOCOL[E]?\s*\(\s*(?:No|n\s?[o°º])\s*(?P<number>\d+)\s*\)", re.IGNORECASE)
_INDENT = re.compile(r"[—–\-•·▪■*]+\)?")
_UNSAFE = re.compile(r"[\s/\x00-\x1f\x7f]+")
#: A label alone in its cell before a list item: "(a)", "1.", "—", "a bis)", "1.2.3.".
LABEL = re.compile(
    rf"[‘’“”«»„\"'\s]*(?:\(?(?:\d+(?:\.\d+)*[a-z]{{0,3}}|[a-zA-Z]{{1,3}}|[ivxlcIVXLC]{{1,7}})"
    rf"(?:[\s-]+{_ADVERB})*(?:\)\.?|\.\)?)|\(\*+\d*\)|\*+\d*|\d{{1,3}}(?:\.\d+)*[a-z]?|[—–\-•·▪■°]+)"
)
#: The number before a paragraph, in its line: "1.   ", "2a.  ", "1 bis.  ", "1.1.   ".
PARAGRAPH_LABEL = re.compile(
    rf"(?P<label>(?P<number>\d{{1,3}}(?:\.\d{{1,3}})*[a-z]{{0,2}}(?:[\s-]+{_ADVERB})*)\s?\.)\s+(?=\S)"
)
#: The number before a point, in its line: "(a) ", "a) ", "(ii) ", "— ".
POINT_LABEL = re.compile(
    rf"(?P<label>\((?:[a-z]{{1,2}}|[ivxlc]{{1,7}}|\d{{1,3}}[a-z]?)(?:[\s-]+{_ADVERB})*\)"
    rf"|(?:[a-z]{{1,2}}|[ivxlc]{{1,5}}|\d{{1,3}})(?:[\s-]+{_ADVERB})*\)|[—–-])\s+(?=\S)"
)


def _letters(number: str) -> str:
    """Write "59 bis ter" as "59ab"."""
    return _SUFFIX.sub(lambda match: _LETTERS[match[1].casefold()], number)


@lru_cache(maxsize=16_384)
def article_number(title: str) -> str:
    """The number in an article's title ("Article 59 bis" gives "59a"), or "" where it is none."""
    match = _ARTICLE.match(title)
    if match is None:
        return ""
    number = (match["number"] or "1").casefold()
    if number.replace(" ", "") in _FIRST:
        return "1"
    return _UNSAFE.sub("", _letters(match["number"] or "1")).strip("-") or ""


def after_article_number(title: str) -> str:
    """What stands in the same line after an article's number: its heading, in old texts."""
    match = _ARTICLE.match(title)
    return title[match.end() :].strip(" .:–—-") if match else title


@lru_cache(maxsize=16_384)
def division(title: str) -> tuple[str, str, int, str] | None:
    """The step, number, depth and remaining words of a division's title: "CHAPTER 2" is cpt, 2, 3, ""."""
    match = _DIVISION.match(title)
    if match is None:
        return None
    if match["part"]:
        return "prt", _NUMERALS[match["ordinal"].casefold()], 1, title[match.end() :].strip()
    step, level = DIVISIONS[match["word"].casefold()]
    number = match["number"]
    number = _NUMERALS.get(number.casefold(), _UNSAFE.sub("", _letters(number)))
    if (inserted := _INSERTED.fullmatch(number)) is not None:
        number = inserted[1] + inserted[2].lower()  # "TITLE IIA" is "TITRE II bis"
    return step, number, level, title[match.end() :].strip()


def annex(title: str) -> tuple[str, str] | None:
    """The number of an annex ("" where it has none) and what follows it in the line."""
    match = _ANNEX.match(title)
    if match is None:
        return None
    number = _UNSAFE.sub("", _letters(match["number"])) if match["number"] else ""
    return number, title[match.end() :].strip()


def protocol(title: str) -> str:
    """The number of a protocol to a treaty, or ""."""
    match = _PROTOCOL.match(title)
    return match["number"] if match else ""


@lru_cache(maxsize=65_536)
def point_number(label: str) -> str:
    """The number of a point: "(a)" and "a)" give "a", "10 bis)" gives "10a"; "" for an indent ("—")."""
    plain = label.strip(" \t‘’“”«»„\"'")
    if _INDENT.fullmatch(plain):
        return ""
    plain = _letters(plain).strip("().: ")
    return _UNSAFE.sub("-", plain)
