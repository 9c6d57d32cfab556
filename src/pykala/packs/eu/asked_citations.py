"""Citations of Union law as people write them in questions, in the languages of the packs around it.

"GDPR Art. 33(1)", "33 artiklan 1 kohta", "artikel 33.1 i dataskyddsförordningen", "Reg. 2016/679": acts are
named by their common name (`pack.toml`) or by number, and articles are cited as in each language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from pykala.law.citations import FoundCitation
from pykala.law.identifiers import Step
from pykala.packs.asked import (
    AskedMember,
    AskedName,
    AskedPlace,
    Gaps,
    KnownNames,
    Spans,
    join,
)
from pykala.packs.eu.naming_acts import celex_work, numbered_act
from pykala.packs.ranges import RANGE

_COMMUNITY = r"(?:EU|EC|EEC|UE|CE|CEE|EY|ETY|EG|EEG|Euratom)"
_KINDS = (
    (r"(?:puitepäätö|rambeslut|framework\s+decision|décision-cadre)", "framework decision"),
    (r"(?:reg|asetu|förordning|règlement)", "regulation"),
    (r"(?:dir)", "directive"),
    (r"(?:decision|décision|päätö|beslut)", "decision"),
)
_NOUN = (
    r"(?:(?:(?:implementing|delegated|council|commission)\s)?(?:regulation|directive|decision)|reg\.?|dir\.?"
    r"|(?:règlement|directive|décision)(?:\s(?:d[’']exécution|déléguée?))?|(?:EU[:-]?n?-?\s?)?(?:[\w-]{0,30}asetu(?:s|ksen|ksessa|ksesta|sta)"
    r"|[\w-]{0,30}direktiivi(?:n|ssä|stä|ä)?|päätö(?:s|ksen))|(?:EU-)?(?:[\w-]{0,20}förordning(?:en)?|[\w-]{0,20}direktiv(?:et)?))"
)
#: "Regulation (EU) No 575/2013", "Reg 2016/679", "direktiivi 2006/112/EY", "asetus (EU) 2016/679".
_NUMBERED = re.compile(
    rf"(?<![\w-])(?P<noun>{_NOUN})\s(?:\({_COMMUNITY}(?:,\s?{_COMMUNITY})?\)\s?)?(?P<no>(?:No|N:o|nro|nr|n[o°º])\.?\s?)?"
    rf"(?P<first>\d{{1,4}})/(?P<second>\d{{1,4}})(?P<suffix>/{_COMMUNITY})?(?![\w/])",
    re.IGNORECASE,
)
#: "(EU) 2016/679", "EU 2016/679" and "2006/112/EC" without a noun.
_BARE = re.compile(
    rf"(?<![\w/(-])(?:\({_COMMUNITY}\)|EU)\s(?P<first>\d{{4}})/(?P<second>\d{{1,4}})(?![\w/])"
    rf"|(?<![\w/.-])(?P<year>\d{{4}}|\d\d)/(?P<number>\d{{1,4}})/(?:EC|EEC|EU|CE|CEE|UE|EY|ETY|EG|EEG)(?!\w)"
)
_CELEX = re.compile(r"(?<!\w)(?:CELEX[:\s]{1,2})?(?P<celex>3(?:19|20)\d\d[RLD]\d{4})(?!\w)")
_FIRST_WITH_YEAR = 2015  # since then, acts of all kinds share one count, with the year first

_ARTICLE = r"\d{1,3}(?:(?:[a-z]|\s[a-hj-z])(?![\w.]))?"  # "29 a", and not the "i" of "artikel 6 i GDPR"
_AND = r"(?:\s?,\s?(?:(?:and|or|et|ou|ja|tai|och|eller)\s)?|\s(?:and|or|et|ou|ja|tai|sekä|och|eller|&)\s)"
_TO = r"(?:\s?[-–]\s?|\s(?:to|à|till)\s)"
_WORDS_BEFORE = (
    r"(?:articles?|arts?\.?|artikel[ns]?|artiklarna|artikla(?:n|a|ssa|ssä|sta|t)?"
    r"|artiklo(?:jen|ita|issa|ista))\s"
)
_WORD_BEHIND = r"(?:\sartikla(?:n|a|ssa|sta|t|an)?|\sartiklo(?:jen|issa|ista|ita)|\sart\.?)(?![\w])"
_BRACKETS = r"(?:\s?\((?:\d{1,3}[a-z]?|[a-zA-Z]{1,4})\)){1,5}"
#: Words for the parts of an article, in each language.
_BELOW = re.compile(
    rf"(?P<brackets>{_BRACKETS})"
    r"|\.(?P<swedish>\d{1,2})(?:(?:\s(?P<letter>[a-hj-z])|\.(?P<third>\d{1,2}))(?![\w.:]))?"
    r"|(?:,\s?|\s)(?:par(?:agraphe|agraph|as?|\.)?\.?|para\.?)\s(?P<paragraph>\d{1,2})(?!\w)"
    r"(?:(?:,\s?|\s)(?:point|let(?:tre|ter)|lit\.)\s\(?(?P<point>[a-z]|\d{1,2})\)?(?!\w))?"
    r"|(?:,\s?|\s)(?:points?|lit\.|letter)\s\(?(?P<lit>[a-z]|\d{1,2})\)?(?!\w)"
    r"|\s(?P<kohta>\d{1,2})\s(?:kohta|kohda(?:n|ssa|sta)|kohtaa|mom(?:entti|entin|\.)?|kappale(?:en|essa)?)(?!\w)"
    r"(?:\s(?P<alakohta>[a-z]|\d{1,2})\s(?:ala)?koh(?:ta|dan|dassa|taa)(?!\w))?"
    r"|\s(?P<only>[a-z])\s(?:ala)?koh(?:ta|dan|dassa|taa)(?!\w)",
    re.IGNORECASE,
)
_BEFORE = re.compile(rf"(?<![\w-]){_WORDS_BEFORE}(?P<number>{_ARTICLE})", re.IGNORECASE)
_BEHIND = re.compile(
    rf"(?<![\w.,/:-])(?P<number>{_ARTICLE})(?P<more>(?:(?:{_AND}|{_TO}){_ARTICLE}){{0,20}}){_WORD_BEHIND}",
    re.IGNORECASE,
)
_MORE = re.compile(rf"(?:(?P<to>{_TO})|{_AND})(?P<number>{_ARTICLE})(?![\w/])", re.IGNORECASE)
#: A number right behind a name is an article where brackets follow: "GDPR 33(1)".
_BARE_ARTICLE = re.compile(
    rf"[\s,]{{1,2}}(?P<number>\d{{1,3}}[a-z]?)(?P<below>{_BRACKETS})(?!\w)", re.IGNORECASE
)
#: Names that no second act shares: "TFEU 16" is an article, "MiFID 2" and "DAC 6" are acts of their own.
_ONE_ACT = re.compile(r"TFEU|TFUE|TEU|TUE|SEUT|SEU|GDPR|RGPD|DSA|DMA|DORA|MiCA|AI Act|CFR", re.IGNORECASE)
#: A number right behind such a name, where nothing says that it counts something else.
_BARE_NUMBER = re.compile(
    r"[\s,]{1,2}(?P<number>\d{1,3}[a-z]?)(?P<below>)(?![\w/.:-]*\d)(?!\w)"
    r"(?!\s?(?:%|€|\$|million|months?|years?|days?|hours?|weeks?|mois|ans?|années|jours|heures|semaines|euro"
    r"|(?:päiv|viik|kuu|vuo|tun|pros|vuotta)\w*|(?:dag|veck|månad|år|timm|procent)\w*|per\s?cent|pour\s?cent))",
    re.IGNORECASE,
)
_OTHERS = re.compile(
    r"(?<![\w-])(?:(?:recitals?|rec\.|considérants?|skäl(?:et)?|johdanto-osan|johdantokappale(?:en)?)\s\(?(?P<recital>\d{1,3})\)?"
    r"(?:\s(?:kappale(?:en|essa)?|perustelukappale(?:en)?))?"
    r"|(?:annex|annexe|liite|liitteen|bilaga)\s(?P<annex>[IVXL]{1,6}|\d{1,2}|[A-Z])"
    r"|(?:chapter|chapitre|kapitel)\s(?P<chapter>[IVXL]{1,6}|\d{1,2})"
    r"|(?P<luku>[IVXL]{1,6})\sluku)(?![\w])",
    re.IGNORECASE,
)
_MORE_RECITALS = re.compile(rf"{_AND}\(?(?P<number>\d{{1,3}})\)?(?!\w)", re.IGNORECASE)
_MARK = re.compile(r"\((\w{1,4})\)")
_MOST_MEMBERS = 30
_GAPS = Gaps(
    before_name=re.compile(
        r"[\s,]{0,3}(?:(?:of|in|under|to|from|du|de\sla|de|i|till|enligt|No\.?\s\d{1,3}|Nr\.?\s\d{1,3})(?=[\s’'])\s?)?"
        r"(?:(?:the|EU[:’']?s|EU:n|EU|den|det|allmänna|rådets|kommissionens|l[’'])\s?){0,3}\s?",
        re.IGNORECASE,
    ),
    behind_name=re.compile(
        r"[\s,:;(–)]{0,3}(?:(?:in|under|at|à|i|enligt|as\sper)\s)?(?:the\s|l[’'])?", re.IGNORECASE
    ),
    listed=re.compile(r"\s?(?:[,;]\s?)?(?:(?:and|or|et|ou|ja|sekä|och)\s)?", re.IGNORECASE),
)


def find_in_question(text: str, names: Mapping[str, str]) -> list[FoundCitation]:
    """Find acts of the Union that a question names, each with the places beside it."""
    works = _names(text, names)
    if not works:
        return []
    places = [*_articles(text), *_other_places(text), *_bare_articles(text, works)]
    return join(text, works, places, _GAPS, _below_named)


# Acts


@lru_cache(maxsize=4)
def _known(names: tuple[tuple[str, str], ...]) -> KnownNames:
    return KnownNames(dict(names))


def _names(text: str, names: Mapping[str, str]) -> list[AskedName]:
    numbered = [*_numbered(text)]
    taken = Spans(numbered)
    apart = [name for name in _known(tuple(names.items())).find(text) if not taken.at(name)]
    return _with_numbers(text, sorted((*numbered, *apart), key=lambda name: (name.start, -name.end)))


def _with_numbers(text: str, names: list[AskedName]) -> list[AskedName]:
    """A name and the number behind it are one: "arvonlisäverodirektiivin 2006/112/EY"."""
    joined: list[AskedName] = []
    for name in names:
        last = joined[-1] if joined else None
        if last is not None and last.work == name.work and text[last.end : name.start].strip() in {"", "("}:
            end = name.end + (text[name.end : name.end + 1] == ")" and "(" in text[last.end : name.start])
            joined[-1] = AskedName(last.start, end, name.work)
        elif last is None or name.start >= last.end:
            joined.append(name)
    return joined


def _numbered(text: str) -> Iterator[AskedName]:
    for match in _NUMBERED.finditer(text) if "/" in text else ():
        if _is_national(match):
            continue
        work = numbered_act(_kind(match["noun"]), match["first"], match["second"], numbered=bool(match["no"]))
        if work is not None:
            yield AskedName(match.start(), match.end(), str(work))
    for match in _BARE.finditer(text):
        kind, first, second = "regulation", match["first"], match["second"]
        if match["year"]:
            kind, first, second = "directive", match["year"], match["number"]
        work = numbered_act(kind, first, second, numbered=False)
        if work is not None:
            yield AskedName(match.start(), match.end(), str(work))
    for match in _CELEX.finditer(text):
        work = celex_work(match["celex"])
        if work is not None:
            yield AskedName(match.start(), match.end(), str(work))


def _is_national(match: re.Match[str]) -> bool:
    """Whether a number is one of Finland's own: "asetus 1124/1996" has no community and the year last."""
    said = "(" in match[0] or match["suffix"] or match["noun"].upper().startswith("EU")
    finnish = re.search(r"asetu|päätö|förordning|beslut", match["noun"], re.IGNORECASE) is not None
    year_first = len(match["first"]) == 4 and int(match["first"]) >= _FIRST_WITH_YEAR
    return finnish and not said and not year_first


def _kind(noun: str) -> str:
    return next((kind for pattern, kind in _KINDS if re.search(pattern, noun, re.IGNORECASE)), "regulation")


# Places


def _articles(text: str) -> Iterator[AskedPlace]:
    for match in _BEFORE.finditer(text):
        yield AskedPlace(_members(text, match.start(), match.end(), match["number"]))
    for match in _BEHIND.finditer(text):
        below, end = _below(text, match.end())
        members = [AskedMember(match.start(), match.end("number"), _article(match["number"]))]
        for more in _MORE.finditer(match["more"]):
            _add(members, more, match.start("more"))
        last = members[-1]
        members[-1] = AskedMember(last.start, end, (*last.steps, *below))
        yield AskedPlace(tuple(members))


def _members(text: str, start: int, end: int, number: str) -> tuple[AskedMember, ...]:
    """An article and those that a list adds to it."""
    below, end = _below(text, end)
    members = [AskedMember(start, end, (*_article(number), *below))]
    while len(members) < _MOST_MEMBERS and (more := _MORE.match(text, members[-1].end)) is not None:
        if (
            text[more.end() : more.end() + 9]
            .lstrip()
            .casefold()
            .startswith(("artik", "art.", "kohta", "kohdan"))
        ):
            break
        _add(members, more, 0)
        below, end = _below(text, members[-1].end)
        last = members[-1]
        members[-1] = AskedMember(last.start, end, (*last.steps, *below))
    return tuple(members)


def _add(members: list[AskedMember], more: re.Match[str], offset: int) -> None:
    last = members[-1]
    if more["to"] and len(last.steps) == 1 and RANGE not in last.steps[0].number:
        number = f"{last.steps[0].number}{RANGE}{_plain(more['number'])}"
        members[-1] = AskedMember(last.start, offset + more.end("number"), (Step("art", number),))
    else:
        start, end = offset + more.start("number"), offset + more.end("number")
        members.append(AskedMember(start, end, _article(more["number"])))


def _article(number: str) -> tuple[Step, ...]:
    return (Step("art", _plain(number)),)


def _plain(number: str) -> str:
    return "".join(number.split()).lower()


def _below(text: str, position: int) -> tuple[tuple[Step, ...], int]:
    """The place inside its article that a reference names, and where it ends."""
    match = _BELOW.match(text, position)
    if match is None:
        return (), position
    if match["brackets"]:
        return _bracketed(match["brackets"]), match.end()
    paragraph = match["swedish"] or match["paragraph"] or match["kohta"]
    point = (
        match["letter"]
        or match["third"]
        or match["point"]
        or match["lit"]
        or match["alakohta"]
        or match["only"]
    )
    steps = [Step("para", paragraph)] if paragraph else []
    return (*steps, *((Step("point", point.lower()),) if point else ())), match.end()


def _below_named(text: str, position: int) -> tuple[tuple[Step, ...], int]:
    """The part of an article that stands behind the act: "article 83 RGPD, paragraphe 4".

    A number after a full stop is none: there, a new sentence begins.
    """
    return ((), position) if text.startswith(".", position) else _below(text, position)


def _bracketed(brackets: str) -> tuple[Step, ...]:
    marks = _MARK.findall(brackets)
    return tuple(
        Step(
            "para"
            if place == 0 and mark[0].isdecimal()
            else "point"
            if mark.islower() or mark.isdecimal()
            else "part",
            mark,
        )
        for place, mark in enumerate(marks)
    )


def _bare_articles(text: str, names: list[AskedName]) -> Iterator[AskedPlace]:
    for name in names:
        match = _BARE_ARTICLE.match(text, name.end)
        if match is None and _ONE_ACT.fullmatch(text, name.start, name.end):
            match = _BARE_NUMBER.match(text, name.end)
        if match is not None:
            steps = (*_article(match["number"]), *_bracketed(match["below"]))
            yield AskedPlace((AskedMember(match.start("number"), match.end(), steps),), bare=True)


def _other_places(text: str) -> Iterator[AskedPlace]:
    for match in _OTHERS.finditer(text):
        if match["recital"]:
            members = [AskedMember(match.start(), match.end(), (Step("rct", match["recital"]),))]
            while len(members) < _MOST_MEMBERS and (more := _MORE_RECITALS.match(text, members[-1].end)):
                steps = (Step("rct", more["number"]),)
                members.append(AskedMember(more.start("number"), more.end(), steps))
            yield AskedPlace(tuple(members))
            continue
        kind, number = (
            ("anx", match["annex"]) if match["annex"] else ("cpt", match["chapter"] or match["luku"])
        )
        yield AskedPlace((AskedMember(match.start(), match.end(), (Step(kind, number.upper()),)),))
