"""Laws as a text names them: "tuloverolaissa", "verotusmenettelystä annetun lain (1558/1995)", "TVL:n".

Each language has its own names (`finnish_law_mentions`, `swedish_law_mentions`); abbreviations and the
numbers of acts are the same in all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from pykala.law.references import normalise_alias
from pykala.packs.finland.citations.finnish_law_mentions import finnish_laws, name_start
from pykala.packs.finland.citations.law_mentions import WORD_BACK, Named, Sort, act_id, with_number
from pykala.packs.finland.citations.law_names import base_name, spelled_out
from pykala.packs.finland.citations.swedish_law_mentions import swedish_laws

__all__ = ["Named", "Sort", "act_id", "laws"]

_ABBREVIATION = re.compile(
    r"[A-ZÅÄÖ](?<![\w.:/-][A-ZÅÄÖ])(?:[A-Za-zÅÄÖåäö]{0,24}[LA](?![\w])"
    r"|[A-ZÅÄÖ]{1,5}(?![\w]))(?P<case>:[a-zäö]{1,5}(?![\w]))?"
)
#: "maanhankintaL 2 §": old headnotes shorten only the last word.
_SHORTENED = re.compile(r"[LA](?<=[a-zåäö][LA])(?= [0-9])")
#: Courts, bills, committees and the Union itself are written alike.
_NO_LAWS = re.compile(
    r"AB|ALV|CSN|EG|EK|ETY|EU|EUVL|EV|EY|EYVL|FEUF|HE|HFD|HaVL|KHO|KVL|LA|LaVL|"
    r"LiVL|MmVL|OY|PL|PeVL|PuVL|RP|SAC|SEU|SEUT|SiVL|StVL|SuVL|TaVL|TuVL|TyVL|UaVL|"
    r"VaVL|YmVL"
)
_ENUMERATED = re.compile(
    r"(?<![\w])(?:la(?:issa|illa|in|ista|ilta)|lae(?:issa|illa|ista)|asetuks(?:essa|ella|issa"
    r"|illa|en)|päätöks(?:essä|ellä|issä)"
    r"|lag(?:en|arna|ar)?|förordning(?:en|arna|ar)?|beslut(?:et|en)?)"
    r"(?P<list> \(?[0-9]{1,4}/(?:(?:18|19|20)[0-9]{2}|[0-9]{2}(?![0-9]))\)?(?:(?:,| ja| sekä| och"
    r"| samt|, ja)(?: (?:lae?issa|asetuksessa|lag(?:arna|en)?))? [0-9]{1,4}/(?:18|19"
    r"|20)[0-9]{2})*)(?![\w/])"
)
_ONE_NUMBER = re.compile(r"[0-9]{1,4}/(?:[0-9]{4}|[0-9]{2})")
#: "L yhtiöveron hyvityksestä 8 §": old headnotes shorten the word itself.
_INITIAL = re.compile(
    r"(?P<sort>[LA])(?<![\w.:][LA]) (?P<about>(?:[a-zåäö][a-zåäö-]{1,40} ){1,12})(?=[0-9]{1,3}(?:"
    r" ?[a-z])? ?§)"
)
_LOOSE = re.compile(
    r"(?<=\()(?P<act>[0-9]{1,4} ?/ ?(?:(?:18|19|20)[0-9]{2}|[0-9]{2}))"
    r"(?=[,;)]| ja [0-9]| sekä [0-9]| och [0-9])"
    r"|(?<=ja )(?P<second>[0-9]{1,4}/[0-9]{2,4})(?=\))"
    r"|(?<![\w/.])[0-9]{1,2}\.[0-9]{1,2}\.(?P<year>(?:18|19"
    r"|20)[0-9]{2})/(?P<serial>[0-9]{1,4})(?![\w/])"
)


def laws(plain: str, language: str, known: Callable[[str], str]) -> Iterator[Named]:
    """Every law that a text names; `known` says whether an abbreviation is one without a place beside it."""
    if language == "sv":
        yield from swedish_laws(plain, known)
    elif language == "en":
        yield from _english(plain)
    if language != "sv":
        yield from finnish_laws(plain)
    yield from _abbreviations(plain, known)
    if "/" not in plain:
        return
    for found in _ENUMERATED.finditer(plain):
        for one in _ONE_NUMBER.finditer(plain, found.start("list"), found.end("list")):
            yield Named(one.start(), one.end(), Sort.WORDING, number=act_id(one[0]))
    for found in _LOOSE.finditer(plain):
        printed = found["act"] or found["second"]
        number = act_id(printed) if printed else f"fi:act:{found['year']}/{int(found['serial'])}"
        if number:
            yield Named(found.start(), found.end(), Sort.WORDING, number=number)


def _abbreviations(plain: str, known: Callable[[str], str]) -> Iterator[Named]:
    for found in _ABBREVIATION.finditer(plain):
        short = found[0].partition(":")[0]
        if _NO_LAWS.fullmatch(short) is not None:
            continue
        work = known(short)
        # Two letters stand for a law only beside a place; a number without brackets only after a known law.
        named = with_number(plain, found.start(), found.end(), short, bool(work) and len(short) > 2)
        if work or not named.number or plain[named.end - 1] == ")":
            yield named
    for found in _SHORTENED.finditer(plain):
        back = WORD_BACK.search(plain, max(0, found.start() - 40), found.start())
        if back is not None and len(back[0]) > 3 and back[0].islower():
            begin = name_start(plain, back.start())
            name = plain[begin : back.start()] + spelled_out(back[0].capitalize() + found[0])
            yield with_number(plain, begin, found.end(), normalise_alias(name), False)
    if "L " in plain or "A " in plain:
        for found in _INITIAL.finditer(plain):
            title = f"{'laki' if found['sort'] == 'L' else 'asetus'} {found['about'].rstrip()}"
            yield Named(found.start(), found.end() - 1, Sort.NAMED, title, decree=found["sort"] == "A")


_ENGLISH_ACT = re.compile(
    r"(?<!\w)(?:[A-Z][\w'’-]{0,40}(?: (?:and|of|for|on|the|to|in|from)){0,4} ){1,10}(?:Act|Decree"
    r"|Code)(?![\w])(?: on (?:the )?[A-Z][\w’' -]{2,120}?(?= \(|[.,;)]|$))?"
)
_ENGLISH_OWN = re.compile(r"\b[Tt]his (?:Act|Decree)\b")
_ENGLISH_SAME = re.compile(r"\b(?:[Tt]he said|[Tt]he aforementioned|[Tt]hat|the same) (?:Act|Decree)\b")


def _english(plain: str) -> Iterator[Named]:
    for found in _ENGLISH_OWN.finditer(plain):
        yield Named(found.start(), found.end(), Sort.OWN)
    for found in _ENGLISH_SAME.finditer(plain):
        yield Named(found.start(), found.end(), Sort.SAME, alone=False)
    for found in _ENGLISH_ACT.finditer(plain):
        first = found[0].partition(" ")[0]
        if first in {"This", "That", "The"} and found[0].count(" ") == 1:
            continue
        yield with_number(plain, found.start(), found.end(), base_name(found[0], "en"), True)
