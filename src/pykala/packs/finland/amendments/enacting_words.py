"""Tokens of an enacting clause: verbs, numbers, units, acts; words about earlier amendments are masked.

Both languages give the same tokens; `enacting_finnish` and `enacting_swedish` have the wording of each.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from types import ModuleType

from pykala.packs.finland.amendments import enacting_finnish, enacting_swedish
from pykala.packs.finland.citations.citation_patterns import normalised


class Sort(StrEnum):
    """What a token is."""

    VERB = "verb"
    ACT = "act"  # "(1535/1992)"
    NUMBER = "number"
    DASH = "dash"
    SEPARATOR = "separator"
    UNIT = "unit"
    FACET = "facet"
    WORDING = "wording"  # "suomenkielinen sanamuoto"
    NEW = "new"
    HERE = "here"  # "lakiin": the act at hand as a whole
    BACK = "back"  # "sen", "niiden": the sections just named
    TEMPORARY = "temporary"
    INSTEAD = "instead"  # "siitä lailla 10/2001 kumotun 54 §:n tilalle"
    THEREBY = "thereby"  # "jolloin nykyinen …"
    MOVED = "moved"  # "joka samalla siirretään 4 lukuun"
    END = "end"  # "seuraavasti"
    PASSED = "passed"  # words without meaning here
    WORD = "word"


class Role(StrEnum):
    """The role of a unit: it is the target, leads to a place below it, or is a new number."""

    TARGET = "target"
    LEADS = "leads"
    BECOMES = "becomes"


@dataclass(frozen=True, slots=True)
class Token:
    """One token and where it stands; `value` is the number, level, verb or facet, `role` a unit's."""

    sort: Sort
    start: int
    end: int
    value: str = ""
    role: Role = Role.TARGET


_LANGUAGES: dict[str, ModuleType] = {"fi": enacting_finnish, "sv": enacting_swedish}
_UNITS = ("part", "chp", "sec", "subsec", "para", "subpara", "table", "annex", "entry")
_VERBS = {"muu": "amend", "kum": "repeal", "lis": "insert", "änd": "amend", "upp": "repeal", "fog": "insert"}
_FACETS = {"cross": "cross-heading", "heading": "heading", "intro": "introduction", "title": "title"}
_NEW = re.compile(r"\b(?:uusi|uudet|ny|nya)\b")


def read_tokens(text: str, language: str) -> list[Token]:
    """The tokens of a clause; a span counts characters of the text as given."""
    wording = _LANGUAGES[language]
    plain = normalised(text)
    tokens = [Token(Sort.INSTEAD, *found.span()) for found in wording.INSTEAD.finditer(plain)]
    plain = wording.INSTEAD.sub(lambda found: " " * len(found[0]), plain)
    plain = _without_recalls(plain, wording)
    tokens += [_token(found, language) for found in wording.TOKEN.finditer(plain)]
    return sorted(tokens, key=lambda token: token.start)


def _without_recalls(plain: str, wording: ModuleType) -> str:
    """Mask "sellaisina kuin niistä ovat 3 §:n 2 momentti laissa 1259/2013 ja 5 § osaksi laissa 3/2015"."""
    kept: list[str] = []
    position = 0
    while found := wording.RECALL.search(plain, position):
        begun = end = found.end()
        stop = wording.STOP.search(plain, end)
        limit = stop.start() if stop else len(plain)
        while act := wording.IN_ACT.search(plain, end, limit):
            # For one place only its acts are listed; for several, each place with its own act.
            if found["one"] and end > begun and not wording.CONJUNCTION.fullmatch(plain, end, act.start()):
                break
            end = act.end()
        masked = end > begun
        kept += [plain[position : found.start()], " " * (end - found.start()) if masked else found[0]]
        position = end
    return "".join((*kept, plain[position:]))


def _token(found: re.Match[str], language: str) -> Token:
    groups = found.groupdict()
    span = found.start(), found.end()
    for level in _UNITS:
        if groups.get(level):
            return Token(Sort.UNIT, *span, level, _role(level, groups) if language == "fi" else Role.TARGET)
    for name, facet in _FACETS.items():
        if groups.get(name):
            # A new cross-heading is put "edelle"; one that is there stands "edellä".
            new = name == "cross" and _NEW.search(found[0]) is not None
            return Token(Sort.FACET, *span, facet, Role.BECOMES if new else Role.TARGET)
    if groups.get("verb"):
        return Token(Sort.VERB, *span, _VERBS[found[0][:3].lower()])
    if groups.get("wording"):
        return Token(Sort.WORDING, *span, "fi" if groups["tongue"] in {"suomen", "finsk"} else "sv")
    for sort in Sort:
        if groups.get(sort.value):
            return Token(sort, *span, found[0])
    return Token(Sort.WORD, *span, found[0])


def _role(level: str, groups: dict[str, str | None]) -> Role:
    case = groups.get(f"{level}case") or groups.get(f"{level}word") or ""
    if case in enacting_finnish.BECOMING:
        return Role.BECOMES
    return Role.LEADS if case in enacting_finnish.LEADING else Role.TARGET
