"""Citations that people use in questions, but law texts do not: `TSL 2 luku 11 §`, `työsopimuslaki 1:4`.

These are abbreviations that a ruling may use for something else, and a colon between chapter and section.
They are read only in questions: in a document they would match text that is not a citation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache

from pykala.law.identifiers import Step
from pykala.law.references import normalise_alias
from pykala.packs.asked import KnownNames
from pykala.packs.finland.citations.citation_patterns import AND, TO, Place
from pykala.packs.finland.citations.known_laws import NOW, known_in
from pykala.packs.finland.citations.law_mentions import Named, Sort, act_id
from pykala.packs.pack import read_facts

#: English names that acts of other countries have too.
_SHARED = {
    "Income Tax Act": "fi:act:1992/1535",
    "Criminal Code": "fi:act:1889/39",
    "Penal Code": "fi:act:1889/39",
    "Constitution": "fi:act:1999/731",
    "Companies Act": "fi:act:2006/624",
    "Accounting Act": "fi:act:1997/1336",
    "Marriage Act": "fi:act:1929/234",
    "Nationality Act": "fi:act:2003/359",
    "Language Act": "fi:act:2003/423",
    "Aliens Act": "fi:act:2004/301",
}
_ABBREVIATIONS = {
    "tsl": "fi:act:2001/55",
    "rl": "fi:act:1889/39",
    "mk": "fi:act:1995/540",
    "ksl": "fi:act:1978/38",
}
#: Well-known acts whose section numbers restart in each chapter: OYL 13:1 is chapter 13, section 1. In other
#: well-known acts, TVL 48:6 is section 48, momentti 6.
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
    r"(?:[.:](?P<below>[0-9]{1,2}))?(?: ?§(?: ?:[a-zäö]{1,6}(?![\w]))?|:[a-zäö]{1,5})?(?![\w:/])"
)
_UNIT = r"(?: ?§|:[0-9]| luku| luvun| kap| pykälä| mom)"
#: An act's number before a place, or behind a word for an act: "410/2015 113 §", "Act 410/2015".
_ACT_NUMBER = re.compile(
    r"(?<![\w/.-])(?:(?P<word>[LA]|[Aa]ct|[Ll]a(?:ki|in|issa|ista|kia)|[Ll]ag(?:en)?|[Aa]setu(?:s|ksen|ksessa)"
    r"|[Ff]örordning(?:en)?|[Dd]ecree) )?(?:\((?=[0-9/]{6,9}\)))?"
    r"(?P<number>[0-9]{1,4}/(?:18|19|20)[0-9]{2}|(?:18|19|20)[0-9]{2}/[0-9]{1,4})(?![\w/])"
)
_PLACE_BEHIND = re.compile(
    rf"\)?(?:,| :)? (?:[0-9]{{1,3}}(?: ?[a-zåäö](?![\w]))?{_UNIT}|§ ?[0-9]|[Ss]ection|[Cc]hapter|s\. )"
)
_NUMBER = r"[0-9]{1,3}(?![0-9])(?: ?[a-zåäö](?![\w]))?"
#: The sign or the word before its number, and English short: "§ 124", "luku 21 pykälä 1", "ch. 7 s. 2".
_TURNED = re.compile(
    rf"(?<![\w§])(?:(?:[Ll]uku|[Cc]h\.|[Cc]hapter) (?P<chapter>{_NUMBER})[, ]{{1,2}})?"
    rf"(?:(?:§|[Pp]ykäl(?:ä|än|ässä|ät)|[Ss]ec(?:tion)?\.?"
    rf"|s\.) ?)(?P<section>{_NUMBER})(?:\((?P<bracketed>[0-9]{{1,2}})\))?"
    r"(?:,? (?:[Mm]om(?:entti|\.)?|subsec(?:tion|\.)) (?P<momentti>[0-9]{1,2})(?![\w]))?(?! ?[§%:/]"
    r"|[.,][0-9])"
)
_PLURAL = re.compile(
    rf"(?<![\w.,/:§-])(?P<numbers>{_NUMBER}(?:(?:, | ja | och | sekä |[-\N{{EN DASH}}]){_NUMBER}){{0,20}})"
    r" (?:pykäl(?:ät|iä|ien|issä|istä)|paragraferna|§:t)(?![\w])"
)
_JOINED = re.compile(r", | ja | och | sekä ")
_BARE = re.compile(
    rf" (?P<section>[0-9]{{1,3}}(?: ?[a-z](?=[?!.,;)]|$))?)(?![\w§%:/-]| ?[§%]|[.,][0-9]"
    rf"| (?:{_UNIT.strip()}|luku|luvun|kap|mom|artikl|artikel|art|och|ja|euro|prosent|procent|vuo"
    rf"|päiv|år|dag|years|days)|[-\N{{EN DASH}}])"
)
_ENDS = re.compile(r" ?(?:[?!;)]|[.,](?![0-9])|$)")
_LISTED = re.compile(r"(?:,| ja| tai| sekä| och| eller| and| or) ")


def names_when_asked(plain: str) -> Iterator[Named]:
    """Acts by names that only people use, by abbreviations in lower case, and by their numbers alone."""
    for name in _called(_FINNISH.search(plain) is not None).find(plain):
        yield Named(name.start, name.end, Sort.NAMED, plain[name.start : name.end], name.work)
    for found in _lower_case().finditer(plain):
        work = known_when_asked(found["name"])
        if work:
            yield Named(found.start(), found.end(), Sort.NAMED, found["name"], work)
    for found in _ACT_NUMBER.finditer(plain):
        beside = _PLACE_BEHIND.match(plain, found.end()) is not None
        year, _, serial = found["number"].partition("/")
        number = (
            f"fi:act:{year}/{int(serial)}" if len(year) == 4 and len(serial) < 4 else act_id(found["number"])
        )
        if (beside or found["word"]) and number:
            end = found.end() + (plain[found.end() : found.end() + 1] == ")" and "(" in found[0])
            yield Named(found.start(), end, Sort.NAMED, "", number)


_FINNISH = re.compile(r"\b(?:Finnish|Finland)\b")


@cache
def _called(finnish: bool) -> KnownNames:
    """Names that people use; names shared with other countries' acts count only if Finland is mentioned."""
    facts = read_facts("pykala.packs.finland")
    return KnownNames({**facts.asked, **(_SHARED if finnish else {})})


@cache
def _lower_case() -> re.Pattern[str]:
    """Abbreviations as people type them, right before a place: "tvl 124 §", "tvl:n 33 a §"."""
    listed = read_facts("pykala.packs.finland").abbreviations
    short = {name.casefold() for name in (*listed, *_ABBREVIATIONS) if len(name) <= 5 and name[-1:] in "Ll"}
    names = "|".join(sorted(short, key=len, reverse=True))
    return re.compile(rf"(?<![\w-])(?P<name>{names})(?::?n)?(?= [0-9]{{1,3}}(?: ?[a-z])?{_UNIT})")


def places_when_asked(plain: str, named: Sequence[Named], known: Callable[[str], str]) -> Iterator[Place]:
    """Places whose sign stands before the number or is left out: "TVL § 124", "pykälä 124", "TVL 124"."""
    for found in _TURNED.finditer(plain):
        numbers = (found["chapter"], found["section"], found["bracketed"] or found["momentti"])
        kinds = ("chp", "sec", "subsec")
        steps = (
            Step(kind, number.replace(" ", "")) for kind, number in zip(kinds, numbers, strict=True) if number
        )
        yield Place(found.start(), found.end(), tuple(steps))
    for found in _PLURAL.finditer(plain):
        numbers_of = re.sub(r"[-\N{EN DASH}]", TO, _JOINED.sub(AND, found["numbers"])).replace(" ", "")
        yield Place(found.start(), found.end(), (Step("sec", numbers_of),))
    for law in named:
        work = (law.number or known(law.name)) if law.sort is Sort.NAMED else ""
        if work and (bare := _BARE.match(plain, law.end)):
            # An abbreviation may have a bare number anywhere, "TVL 124"; a name only if the number cannot
            # count what follows: "tuloverolaki 124", but not "tuloverolaki 30 päivää".
            short = plain[law.start : law.start + 2].isupper()
            if short or (work not in _BY_CHAPTERS and _ENDS.match(plain, bare.end())):
                number = bare["section"].replace(" ", "")
                yield Place(bare.start("section"), bare.end(), (Step("sec", number),))


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
