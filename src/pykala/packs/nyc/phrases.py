"""The words of New York's references: units, numbers, laws."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pykala.packs.nyc.numerals import spelled

#: What a unit is called in an identifier. Subsections and articles are other laws' units.
UNITS = {
    "title": "title", "chapter": "chp", "subchapter": "subchp", "part": "part", "subpart": "subpart",
    "article": "art", "section": "sec", "subsection": "subsec", "subdivision": "subd", "paragraph": "para",
    "subparagraph": "subpara", "clause": "cl", "subclause": "subcl", "item": "item", "subitem": "subitem",
    "division": "subd",
}  # fmt: skip
#: Outermost first: a chain runs from the right end of this to the left.
ORDER = (
    "title", "art", "chp", "subchp", "part", "subpart", "sec", "subsec", "subd", "para", "subpara", "cl",
    "subcl", "item", "subitem",
)  # fmt: skip
CONTAINERS = ("chp", "subchp", "part")
_WORDS = "|".join(sorted(UNITS, key=len, reverse=True))
UNIT = re.compile(rf"(?<![\w-])(?P<unit>{_WORDS})(?P<many>s?)\b(?!-)", re.IGNORECASE)
#: Where a reference may start: a unit's name, or a section sign.
START = re.compile(rf"{UNIT.pattern}|§{{1,2}}\s?(?=\d)", re.IGNORECASE)
THIS = re.compile(rf"(?:this|the present) (?P<unit>{_WORDS})\b", re.IGNORECASE)
SUCH = re.compile(rf"(?:such|said|that) (?P<unit>{_WORDS})\b", re.IGNORECASE)
OF = re.compile(r",?\s+of\s+(?=\S)")
HERE = re.compile(r",?\s+hereof\b")
JOIN = re.compile(r"\s*(?:,\s*(?:and/or|and|or)?|and/or|and|or)\s+|,\s*")
THROUGH = re.compile(r",?\s+(?:through(?: and including)?|to)\s+")
#: 11-503, 11-245.1-b, 17-176.1: a section of the code, told by its hyphen.
CODE = re.compile(r"(?P<title>\d{1,2})-(?P<rest>\d{2,4}(?:\.\d+)?(?:-[a-z]\b)?)(?![\d-])")
BRACKETS = re.compile(r"\s?((?:\([0-9A-Za-z]{1,5}(?:-[0-9a-zA-Z]{1,2})?\))+)")
BRACKET = re.compile(r"\(([0-9A-Za-z]{1,5}(?:-[0-9a-zA-Z]{1,2})?)\)")
FIGURE = re.compile(r"\d{1,4}(?:\.\d+)?(?:-[a-zA-Z]{1,2}\b)?(?![\d%/:-])(?!,\d{3})")
LETTER = re.compile(r"[a-z]{1,2}(?:-\d{1,2})?(?![\w’'-])")
CAPITAL = re.compile(r"[A-Z]{1,2}(?:-\d{1,2})?(?![\w’'.-])|[IVX]{1,4}(?![\w’'-])")
_NO_LETTERS = frozenset(
    {
        "of",
        "or",
        "in",
        "to",
        "is",
        "as",
        "by",
        "if",
        "it",
        "at",
        "on",
        "an",
        "no",
        "so",
        "be",
        "we",
        "he",
        "do",
    }
)
#: Units whose numbers are at times bare letters: "subdivision d", "paragraph a".
LETTERED = frozenset({"subd", "para", "subpara", "cl", "subsec", "subcl", "item"})
_NAMED_AS = r"(?:former|state|federal|city|New York|United States|consolidated)"
_LAW_WORDS = (
    r"law and rules|law|act|charter|constitution|rules and regulations|codes?, rules and regulations"
    r"|rules of the city of New York|internal revenue code|uniform commercial code|bankruptcy code|statutes?"
)
_CLAUSE_GOES_ON = r"(?=[,;.)]|\s+(?:as|and|or|which|is|shall|to|for|in|was|pursuant)\b|$)"
#: Another law, after "of": "the real property tax law", "the internal revenue code", "the charter".
LAW = re.compile(
    rf"(?:(?:the|this|any|an?)\s+)?(?P<name>(?:{_NAMED_AS}\s+)*"
    rf"(?:[a-z][\w’'&-]*\s+(?:and\s+|of\s+)?){{0,6}}?(?:{_LAW_WORDS})(?! of)"
    r"|laws\s+of\s+(?:the\s+state\s+of\s+New\s+York\s+)?(?:nineteen|eighteen|two|\d)[\w\s-]{0,60}?"
    rf"{_CLAUSE_GOES_ON}"
    r"|(?:[A-Z][\w’'.&-]*\s+(?:(?:of|and|the|for)\s+)*){1,8}(?:Law|Act|Code|Rules|Regulations)\b"
    r"|United States (?:code|constitution)"
    r"|(?:official\s+)?(?:code\s+of\s+federal\s+regulations|compilation\s+of\s+codes))\b"
)
CODE_NAME = re.compile(
    r"(?:this|the|such)\s+(?:New York city\s+)?(?:administrative\s+)?code\b(?!\s+of\s+[a-z])", re.IGNORECASE
)
THAT_LAW = re.compile(r"(?:such|said|that)\s+(?P<name>law|act|code|charter)\b")
LOCAL_LAW = re.compile(
    r"[Ll]ocal law (?:number |no\. ?)?(?P<number>\d{1,4}|[a-z][a-z -]{0,40}?) (?:for|of) (?:the year )?"
    r"(?P<year>\d{4}|(?:nineteen|two)[a-z -]{0,40}?)"
    r"(?=[,;.)]|\s+(?:shall|may|and|or|regardless|whether|because|which|is|to)\b|$)"
)
CITED_LOCAL_LAW = re.compile(r"L\.L\. ?(?P<year>\d{4})/(?P<number>\d+)")


@dataclass(frozen=True, slots=True)
class Number:
    """A number as a reference writes it: its figures, marks in brackets after it, where it ends."""

    value: str
    end: int
    marks: tuple[str, ...] = ()
    code: bool = False  # a section of the code, with its title before the hyphen


def number_at(text: str, position: int, kind: str) -> Number | None:
    """Read the number of a unit at a position."""
    if kind == "sec" and (match := CODE.match(text, position)) is not None:
        brackets = BRACKETS.match(text, match.end()) if text[match.end() : match.end() + 1] == "(" else None
        end = brackets.end() if brackets else match.end()
        return Number(match[0], end, tuple(BRACKET.findall(brackets[1])) if brackets else (), code=True)
    if (match := BRACKET.match(text, position)) is not None:
        return _with_marks(text, match[1], match.end()) if kind != "art" else Number(match[1], match.end())
    if (words := spelled(text, position)) is not None:
        return Number(*words)
    if (match := FIGURE.match(text, position)) is not None:
        return _with_marks(text, match[0], match.end())
    if (
        kind in LETTERED
        and (match := LETTER.match(text, position)) is not None
        and match[0] not in _NO_LETTERS
    ):
        return _with_marks(text, match[0], match.end())
    if (match := CAPITAL.match(text, position)) is not None:
        return Number(match[0], match.end())
    return None


def _with_marks(text: str, value: str, end: int) -> Number:
    brackets = BRACKETS.match(text, end) if text[end : end + 1] == "(" else None
    if brackets is None:
        return Number(value, end)
    return Number(value, brackets.end(), tuple(BRACKET.findall(brackets[1])))
