"""Acts by their written names, and the CELEX numbers these stand for.

A CELEX number is the sector, the year, a letter for the kind of act and a number of four digits:
"Directive 2006/112/EC" is 32006L0112, "Regulation (EU) No 282/2011" 32011R0282. Which of the two written
numbers is the year depends on the kind of act and on its age: until 2014 regulations were numbered
"No 282/2011", directives always "2006/112"; since 2015 every act is "2018/1912".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from pykala.law.identifiers import InvalidIdentifier, WorkId

#: The word for an act, in English and French, and its letter in a CELEX number.
KINDS: Final[Mapping[str, str]] = {
    "directive": "L",
    "regulation": "R",
    "règlement": "R",
    "decision": "D",
    "décision": "D",
    "framework decision": "F",
    "décision-cadre": "F",
    "recommendation": "H",
    "recommandation": "H",
    "guideline": "O",
    "orientation": "O",
    "common position": "E",
    "position commune": "E",
    "joint action": "E",
    "action commune": "E",
}
#: Until 1962 regulations were numbered consecutively, without a year.
_UNDATED: Final = {number: f"31962R{number.zfill(4)}" for number in ("17", "26", "27", "141", "153")} | {
    "1": "31958R0001"
}
_CELEX = re.compile(
    r"(?P<sector>[0-9CE])(?P<year>\d{4})(?P<kind>[A-Z]{1,2})(?P<number>\d{1,4}|/TXT)"
    r"(?P<corrigendum>R\(\d{2}\))?(?P<state>-\d{8})?"
)
_ELI = re.compile(
    r"https?://data\.europa\.eu/eli/(?P<kind>reg|dir|dec|reco)(?:_impl|_del)?/(?P<year>\d{4})/(?P<number>\d{1,4})"
    r"(?![\w/]*/corrigendum)"
)
_ELI_KINDS: Final = {"reg": "R", "dir": "L", "dec": "D", "reco": "H"}
_FIRST_YEAR, _LAST_YEAR = 1951, 2099
#: From this year on all acts share one numbering, with the year first.
_ONE_COUNT = 2015

_LISBON = 2008
_CHARTER_NAME = "charter of fundamental rights of the european union"
TFEU, TEU, CHARTER, EURATOM = "12016E", "12016M", "12016P", "12016A"
#: The Treaty that an act of a year calls "the Treaty": the edition in which articles had their numbers.
_TREATIES_BY_YEAR: Final = (
    (1992, "11957E"),
    (1998, "11992E"),
    (2002, "11997E"),
    (2006, "12002E"),
    (2009, "12006E"),
)
_COMMUNITY_EDITIONS: Final = ("11992E", "11997E", "12002E", "12006E")
_TREATY_ARTICLE = re.compile(r"(?P<treaty>1\d{4}[EMPA])(?P<number>\d{3}[A-Z]?)")


def celex_work(celex: str) -> WorkId | None:
    """The work of a CELEX number (for a consolidated state, the act); None for other texts."""
    match = _CELEX.fullmatch(celex.strip().upper())
    if match is None:
        return None
    sector = "3" if match["sector"] == "0" else match["sector"]
    number = match["number"] if match["number"].startswith("/") else match["number"].zfill(4)
    if sector == "1" and not number.startswith("/"):
        number = match["number"].zfill(3)
    return _work(f"{sector}{match['year']}{match['kind']}{number}{match['corrigendum'] or ''}")


def eli_work(address: str) -> WorkId | None:
    """The work that an ELI address of an act names."""
    match = _ELI.match(address)
    if match is None:
        return None
    return _work(f"3{match['year']}{_ELI_KINDS[match['kind']]}{match['number'].zfill(4)}")


def numbered_act(kind: str, first: str, second: str, *, numbered: bool) -> WorkId | None:
    """The act of a kind with two written numbers; `numbered` says that "No" stands before them.

    >>> str(numbered_act("directive", "77", "388", numbered=False))
    'eu:31977L0388'
    >>> str(numbered_act("regulation", "282", "2011", numbered=True))
    'eu:32011R0282'
    """
    letter = KINDS.get(" ".join(kind.casefold().split()))
    if letter is None:
        return None
    if not second:
        return _work(_UNDATED[first]) if letter == "R" and first in _UNDATED else None
    year_first = _year_first(letter, first, second, numbered)
    year, number = (_year(first), second) if year_first else (_year(second), first)
    if not _FIRST_YEAR <= year <= _LAST_YEAR or len(number) > 4:
        return None
    return _work(f"3{year}{letter}{number.zfill(4)}")


def _year_first(letter: str, first: str, second: str, numbered: bool) -> bool:
    if numbered and letter in "RD":
        # "Regulation (EU) No 2015/1" is not written; "Decision No 2004/67" of old joint bodies is rare.
        return len(first) == 4 and _plausible(first) and not _plausible(second)
    if letter == "R" and not (len(first) == 4 and _plausible(first) and _year(first) >= _ONE_COUNT):
        return not _plausible(second)
    return _plausible(first)


def _plausible(digits: str) -> bool:
    return len(digits) in (2, 4) and _FIRST_YEAR <= _year(digits) <= _LAST_YEAR


def _year(digits: str) -> int:
    number = int(digits)
    if len(digits) == 2:
        return number + (1900 if number > 50 else 2000)
    return number


def treaty_article(treaty: str, number: str) -> WorkId | None:
    """The work that one article of a treaty is: articles have CELEX numbers of their own."""
    digits = number.rstrip("abcdefghijklmnopqrstuvwxyz")
    if not digits.isdecimal() or len(digits) > 3:
        return None
    return _work(f"{treaty}{digits.zfill(3)}{number[len(digits) :].upper()}")


def whole_treaty(treaty: str) -> WorkId | None:
    """The work that a treaty is as a whole."""
    return _work(f"{treaty}/TXT")


def own_treaty(work: WorkId) -> str:
    """The treaty that a work is an article of, as `12016E`; empty for other works."""
    celex = work.value.partition(":")[2]
    match = _TREATY_ARTICLE.fullmatch(celex)
    if match is not None:
        return match["treaty"]
    return celex.removesuffix("/TXT") if celex.endswith("/TXT") else ""


def treaty_name(treaty: str) -> str:
    """The name of a treaty in force in any edition; empty for treaties that are history.

    The library has an edition of the Treaty on the Functioning either whole or article by article.
    """
    current = int(treaty[1:5]) >= _LISBON
    return {"E": "tfeu", "M": "teu", "P": _CHARTER_NAME}.get(treaty[-1], "") if current else ""


def treaty_of_the_time(work: WorkId | None) -> str:
    """What an act means by "the Treaty": the Economic Community's, the Community's, the Functioning's."""
    year = adopted(work)
    for last, treaty in _TREATIES_BY_YEAR:
        if year <= last:
            return treaty
    return TFEU


def community_treaty(work: WorkId | None) -> str:
    """The edition of the EC Treaty whose numbers an act uses; its last one where the act is younger."""
    treaty = treaty_of_the_time(work)
    return treaty if treaty in _COMMUNITY_EDITIONS else "12002E"


def adopted(work: WorkId | None) -> int:
    """The year in an act's number; a far year where it has none."""
    celex = work.value.partition(":")[2] if work is not None else ""
    year = celex[1:5]
    return int(year) if year.isdecimal() else _LAST_YEAR


def _work(celex: str) -> WorkId | None:
    try:
        return WorkId(f"eu:{celex}")
    except InvalidIdentifier:
        return None


_UNITS: Final = {
    "": 0, "un": 1, "duo": 2, "ter": 3, "quater": 4, "quin": 5, "quinquies": 5, "sex": 6, "sept": 7,
    "octo": 8, "oct": 8, "novo": 9, "nov": 9,
}  # fmt: skip
_TENS: Final = {
    "decies": 10, "vicies": 20, "tricies": 30, "quadragies": 40, "quinquagies": 50, "sexagies": 60,
    "septuagies": 70, "octogies": 80, "nonagies": 90,
}  # fmt: skip
_SIMPLE: Final = {
    "bis": 2, "ter": 3, "quater": 4, "quinquies": 5, "sexies": 6, "septies": 7, "octies": 8, "nonies": 9,
    "centies": 100,
}  # fmt: skip
#: A Latin numeral behind a French number: "28 ter", "369 septvicies bis", "325 sexquinquagies".
LATIN = r"(?:bis|ter|quater|(?:[a-z]{2,12})?(?:ies|cies|gies))"


def latin_letters(words: str) -> str:
    """The letters that English writes for French Latin numerals: "bis" a, "septvicies bis" za."""
    return "".join(_letters(_latin_number(word) - 1) for word in words.casefold().split())


def _latin_number(word: str) -> int:
    if word in _SIMPLE:
        return _SIMPLE[word]
    for tens, value in _TENS.items():
        if word.endswith(tens) and word[: -len(tens)] in _UNITS:
            return value + _UNITS[word[: -len(tens)]]
    return 1


def _letters(number: int) -> str:
    """Count a, b, … z, aa, ab, … as the columns of a table are."""
    letters = ""
    while number > 0:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("a") + rest) + letters
    return letters
