"""How people cite in a question, and texts of the law do not: `TSL 2 luku 11 §`, `työsopimuslaki 1:4`.

Abbreviations that a ruling may use for something else, and a colon between chapter and section. Both are read
only in a text that stands nowhere: in a document they would take in what is no citation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from pykala.law.identifiers import Step
from pykala.law.references import normalise_alias

from .citation_patterns import Place
from .known_laws import NOW, known_in
from .law_mentions import Named, Sort

_ABBREVIATIONS = {
    "tsl": "fi:act:2001/55",
    "rl": "fi:act:1889/39",
    "mk": "fi:act:1995/540",
    "ksl": "fi:act:1978/38",
}
#: Acts that everybody knows by name and whose sections start again in each chapter: OYL 13:1 is chapter 13,
#: section 1. In the others that everybody knows, TVL 48:6 is section 48, momentti 6.
_BY_CHAPTERS = frozenset(
    {
        *_ABBREVIATIONS.values(),
        "fi:act:1734/4",
        "fi:act:1965/40",
        "fi:act:1978/734",
        "fi:act:1997/1336",
        "fi:act:2006/624",
    }
)
# A letter behind a space is one of the section only before its sign: "1:4 a §", not "RL 21:1 a murder".
_COLON = re.compile(
    r"(?<=[\w)] )(?P<outer>[0-9]{1,3}[a-zåäö]?):(?P<inner>[0-9]{1,3}(?:[a-zåäö](?![\w])| [a-zåäö](?= ?§))?)"
    r"(?:[.:](?P<below>[0-9]{1,2}))?(?: ?§(?: ?:[a-zäö]{1,6}(?![\w]))?)?(?![\w:/])"
)
_LISTED = re.compile(r"(?:,| ja| tai| sekä| och| eller| and| or) ")


def known_when_asked(name: str) -> str:
    """The act that a name or an abbreviation means in a question; empty where nobody says so."""
    return known_in(name, year=NOW) or _ABBREVIATIONS.get(normalise_alias(name), "")


def colon_places(plain: str, named: Sequence[Named], known: Callable[[str], str]) -> Iterator[Place]:
    """Places written with a colon right behind a law, and those that a list adds: "TSL 7:2 ja 7:3"."""
    laws = {one.end: one for one in named if one.sort is Sort.NAMED}
    law, end = None, -1
    for found in _COLON.finditer(plain):
        if beside := laws.get(found.start() - 1):
            law = beside
        elif law is None or _LISTED.fullmatch(plain, end, found.start()) is None:
            law = None
            continue
        end = found.end()
        work = law.number or known(law.name)
        kinds = ("sec", "subsec", "para") if work and work not in _BY_CHAPTERS else ("chp", "sec", "subsec")
        numbers = (found["outer"], found["inner"].replace(" ", ""), found["below"])
        steps = (Step(kind, number) for kind, number in zip(kinds, numbers, strict=True) if number)
        yield Place(found.start(), end, tuple(steps))
