"""Laws of the state and of the United States, which no pack holds, as questions about the city cite them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pykala.law.citations import FoundCitation
from pykala.law.identifiers import Step
from pykala.packs.nyc.tree import LEVELS

OTHER = "other law: "  # prefix of the name of a law that is not the city's code

#: How lawyers shorten the state's consolidated laws; the rest are written out.
_SHORT = {
    "rptl": "real property tax law", "real prop. tax law": "real property tax law",
    "rpapl": "real property actions and proceedings law", "rpl": "real property law",
    "real prop. law": "real property law", "cplr": "civil practice law and rules",
    "c.p.l.r.": "civil practice law and rules", "gbl": "general business law",
    "gen. bus. law": "general business law", "lab. law": "labor law", "gml": "general municipal law",
    "gen. mun. law": "general municipal law", "mdl": "multiple dwelling law",
    "mult. dwell. law": "multiple dwelling law", "bcl": "business corporation law",
    "bus. corp. law": "business corporation law", "exec. law": "executive law",
    "cpl": "criminal procedure law", "crim. proc. law": "criminal procedure law",
    "pub. off. law": "public officers law", "dom. rel. law": "domestic relations law",
    "drl": "domestic relations law", "eptl": "estates, powers and trusts law",
    "vtl": "vehicle and traffic law", "veh. & traf. law": "vehicle and traffic law",
    "pub. health law": "public health law", "irc": "internal revenue code",
    "i.r.c.": "internal revenue code", "ucc": "uniform commercial code",
    "u.c.c.": "uniform commercial code", "nyc charter": "new york city charter",
    "n.y.c. charter": "new york city charter", "city charter": "new york city charter",
}  # fmt: skip
#: Laws that are named without capitals too.
_PLAIN = (
    "real property tax law", "real property law", "real property actions and proceedings law", "tax law",
    "general business law", "general municipal law", "municipal home rule law", "multiple dwelling law",
    "labor law", "penal law", "public officers law", "public housing law", "business corporation law",
    "private housing finance law", "vehicle and traffic law", "executive law", "social services law",
    "civil practice law and rules", "criminal procedure law", "domestic relations law", "education law",
    "environmental conservation law", "insurance law", "banking law", "public health law",
    "state finance law",
    "not-for-profit corporation law", "general city law", "general construction law", "civil rights law",
    "internal revenue code", "uniform commercial code", "bankruptcy code", "new york city charter",
    "new york state constitution",
)  # fmt: skip
_STATE = r"(?:(?:N\.?\s?Y\.?(?:\s?C\.?|\sState|S)?|New\sYork(?:\sState)?)\s)?"
_NAMES = "|".join(
    re.escape(name).replace(r"\ ", r"\s") for name in sorted((*_SHORT, *_PLAIN), key=len, reverse=True)
)
#: Any other law of the state is recognised by its capitals and its last word.
_CAPITALS = r"(?-i:(?:[A-Z][a-z][\w&’'-]{0,30}\s(?:(?:and|of|the)\s){0,2}){1,5}Law)"


def _named(group: str) -> str:
    return rf"{_STATE}(?P<{group}>{_NAMES}|{_CAPITALS}|(?-i:Charter))"


def _placed(number: str, marks: str) -> str:
    return rf"(?P<{number}>{_NUMBER})(?P<{marks}>{_MARKS})"


_SERIES = (
    r"(?P<series>\d{1,2}\s(?:U\.?\s?S\.?\s?C\.?(?:A\.?)?|C\.?\s?F\.?\s?R\.?"
    r"|R\.?C\.?N\.?Y\.?|N\.?Y\.?C\.?R\.?R\.?))"
)
_SIGN = r"(?:§{1,2}\s?|(?:sections?|secs?\.?|s\.)\s)"
_NUMBER = r"\d{1,5}(?:\.\d{1,4}){0,2}(?:-[a-z]{1,2}\b|-\d{1,4})?(?![\w%])"
_MARKS = r"(?:\s?\([0-9A-Za-z]{1,5}(?:-\w{1,2})?\)){0,7}"
_PATTERN = re.compile(
    r"(?<![\w.-])(?:"
    rf"(?:{_named('name')}|{_SERIES}),?\s(?:{_SIGN}{_placed('number', 'marks')}"
    rf"|(?:article|art\.)\s(?P<article>\d{{1,3}}(?:-[A-Za-z])?)(?!\w)|{_placed('bare', 'bare_marks')})"
    rf"|{_SIGN}{_placed('first', 'first_marks')},?\s(?:of|in|under)\s(?:the\s)?{_named('behind')}(?!\w)"
    r")",
    re.IGNORECASE,
)
_MARK = re.compile(r"\(([0-9A-Za-z]{1,5}(?:-\w{1,2})?)\)")
_SMALL = re.compile(
    r"^(?:(?:under|see|in|does|the|per|is|by|what|of|and|new\syork(?:\sstate)?)\s)+", re.IGNORECASE
)
_LEAST_OF_CHARTER = 35  # the Canadian Charter has fewer sections


def find_other_laws(text: str) -> Iterator[FoundCitation]:
    """Places in laws that are not the city's code."""
    for match in _PATTERN.finditer(text):
        name = _name(match["name"] or match["behind"] or match["series"])
        number = match["number"] or match["bare"] or match["first"]
        marks = match["marks"] or match["bare_marks"] or match["first_marks"] or ""
        if not _is_one(name, number):
            continue
        steps = (Step("art", match["article"]),) if match["article"] else _steps(number.lower(), marks)
        yield FoundCitation(match.start(), match.end(), match[0], OTHER + name, steps)


def _is_one(name: str, number: str | None) -> bool:
    """Whether a name with a number is a law: "Charter 5" is not the city's, "Local Law 97" no state law."""
    if name == "charter":
        return number is not None and int(re.split(r"\D", number)[0]) >= _LEAST_OF_CHARTER
    return not name.endswith("local law")


def _name(written: str) -> str:
    folded = " ".join(_SMALL.sub("", written).casefold().split())
    if folded[:1].isdecimal():
        title, _, series = folded.partition(" ")
        letters = re.sub(r"[^a-z]", "", series)
        known = {"usc": "u.s.c.", "usca": "u.s.c.", "cfr": "c.f.r.", "rcny": "rcny", "nycrr": "nycrr"}
        return f"{title} {known.get(letters, series)}"
    return _SHORT.get(folded, folded)


def _steps(number: str, marks: str) -> tuple[Step, ...]:
    below = (Step(level, mark) for level, mark in zip(LEVELS, _MARK.findall(marks), strict=False))
    return (Step("sec", number), *below)
