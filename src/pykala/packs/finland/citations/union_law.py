"""Acts of the Union as Finnish and Swedish texts cite them, as their CELEX numbers.

`direktiivi 2006/112/EY` is eu:32006L0112; `asetus (EU) N:o 282/2011` is eu:32011R0282; `(EU) 2016/679` is
eu:32016R0679. Directives put the year first; regulations put it last until 2014, and first since 2015.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from pykala.law.identifiers import Step
from pykala.packs.finland.citations.rulings_cited import Marked
from pykala.text.stretches import Stretches

_COMMUNITY = r"(?:EU|EY|ETY|EG|EEG|EC|EEC|EHTY|EKSG|Euratom|YUTP|GUSP)"
_SUFFIXED = re.compile(
    rf"(?<![\w/.-])(?P<year>[0-9]{{4}}|[0-9]{{2}})/(?P<number>[0-9]{{1,4}})/{_COMMUNITY}(?![\w])"
)
_PREFIXED = re.compile(
    rf"\((?:{_COMMUNITY}(?:, ?)?){{1,2}}\)[ :]*(?:(?P<no>[Nn]:?o|[Nn]ro?"
    rf"|No)[ .:]*)?(?P<first>[0-9]{{1,4}})/(?P<last>[0-9]{{2,4}})(?![\w/])"
)
#: Regulations that texts cite by number alone: "täytäntöönpanoasetuksen 282/2011".
_BARE = re.compile(
    r"(?:arvonlisäveroasetuksen|täytäntöönpanoasetu[a-z]+|genomförandeförordning[a-z]*|komission"
    r" asetu[a-z]+|neuvoston asetu[a-z]+)"
    r"(?: N:o| nro)? (?P<number>[0-9]{1,4}/[0-9]{4})(?![\w/])"
)
#: What people call an act, by the beginning of the word: Finnish and Swedish inflect its end.
_CALLED = (
    (r"(?:kuudennen |kuudes )(?:neuvoston |arvonlisävero)?direktiiv", "31977L0388"),
    (r"arvonlisäverodirektiiv", "32006L0112"),
    (r"ALV-direktiiv", "32006L0112"),
    (r"mervärdesskattedirektiv", "32006L0112"),
    (r"(?:yleis[a-zäö]+ )?tietosuoja-asetu", "32016R0679"),
    (r"(?:allmänna )?dataskyddsförordning", "32016R0679"),
    (r"emo-?tytäryhtiödirektiiv", "32011L0096"),
    (r"virka-apudirektiiv", "32011L0016"),
    (r"yritysjärjestelydirektiiv", "32009L0133"),
    (r"fuusiodirektiiv", "32009L0133"),
    (r"unionin tullikoodeksi", "32013R0952"),
    (r"yhteisön tullikoodeksi", "31992R2913"),
    (r"luontodirektiiv", "31992L0043"),
    (r"lintudirektiiv", "32009L0147"),
    (r"SEUT(?::\w{1,4})?(?![\w])", "12016E"),
    (r"FEUF(?![\w])", "12016E"),
    (r"SEU(?::\w{1,4})?(?![\w])", "12016M"),
    (r"FEU(?![\w])", "12016M"),
    (r"Euroopan unionin toiminnasta (?:tehdyn|tehty|tehdyssä) sopimu", "12016E"),
    (r"Euroopan unionista (?:tehdyn|tehty|tehdyssä) sopimu", "12016M"),
    (r"fördraget om Europeiska unionens funktionssätt", "12016E"),
    (r"(?:[Ee]uroopan unionin )?perusoikeuskirja", "12016P"),
    (r"EU:n perusoikeuskirja", "12016P"),
)
_NAMES = re.compile(
    r"(?<![\w])(?:"
    + "|".join(f"(?P<n{place}>{pattern})" for place, (pattern, _) in enumerate(_CALLED))
    + r")[a-zäöå]*",
)
_HINT = re.compile(
    r"irekti|SEU|FEU|ietosuoja-asetu|ataskyddsf|EU|EY|ETY|EG|EC|täytäntöönpanoasetu|omission"
    r"|euvoston|enomförande|erusoikeus|unionin toiminnasta|unionista teh|tullikoodeks|uropeiska"
    r" unionens"
)
#: The noun nearest before a number says what sort of act it is.
_SORT = re.compile(
    r"(?P<F>puitepäätö|rambeslut)|(?P<D>päätö|beslut|decision)|(?P<L>direktii?v|directive)"
    r"|(?P<R>asetu|förordning|regulation)",
    re.IGNORECASE,
)
_LEAD = 80

#: Swedish and English put paragraph and point behind the article: "artikel 98.2 a", "Article 98(2)(a)".
_ARTICLE = re.compile(
    r"(?<![\w])(?:artikel(?:n|ns)?|[Aa]rtiklarna|[Aa]rtikel|[Aa]rticles?|art\.) "
    r"(?P<article>[0-9]{1,3}(?: ?[a-hj-z](?![\w]))?)"
    r"(?:\.(?P<paragraph>[0-9]{1,2})(?:\.(?P<numbered>[0-9]{1,3}))?"
    r"|\((?P<bracketed>[0-9]{1,2})\))?"
    r"(?:\((?P<lettered>[a-z])\)| (?:led|leden) (?P<led>[a-z])(?![\w])| (?P<point>[a-hj-z])(?![\w]))?"
    r"(?P<more>(?:(?:, | och | and | eller | or |\N{EN DASH}| to )[0-9]{1,3}(?:"
    r" ?[a-hj-z](?![\w]))?(?:\.[0-9]{1,2})?(?![\w/]))*)"
)
_MORE = re.compile(
    r"(?P<join>, | och | and | eller | or |\N{EN DASH}| to )(?P<number>[0-9]{1,3}(?: ?[a-hj-z](?![\w]))?)"
)


def union_acts(plain: str) -> Iterator[Marked]:
    """Every act of the Union that a text names, by number or by name."""
    if _HINT.search(plain) is None:
        return
    numbered = list(_numbered(plain))
    yield from numbered
    taken = Stretches(numbered)
    for found in _NAMES.finditer(plain):
        number = next(place for place in range(len(_CALLED)) if found[f"n{place}"])
        if not _has_number(found, taken):
            yield Marked(found.start(), found.end(), f"eu:{_CALLED[number][1]}", lends=True)


def _has_number(found: re.Match[str], taken: Stretches[Marked]) -> bool:
    """Whether a number, which says more, follows a name at once ("arvonlisäverodirektiivin 2006/112/EY")."""
    near = taken.touching(found.start(), found.end() + 4)
    return any(mark.start <= found.start() or mark.start >= found.end() for mark in near)


def _sort(plain: str, start: int, usual: str) -> str:
    """The letter of an act's sort in its CELEX number."""
    nearest = usual
    for found in _SORT.finditer(plain, max(0, start - _LEAD), start):
        nearest = found.lastgroup or usual
    return nearest


def _numbered(plain: str) -> Iterator[Marked]:
    for found in _SUFFIXED.finditer(plain):
        sort = _sort(plain, found.start(), "L")
        celex = _celex("L" if sort == "R" else sort, _year(found["year"]), found["number"])
        yield _with_noun(plain, found.start(), found.end(), celex)
    for found in _PREFIXED.finditer(plain):
        sort = _sort(plain, found.start(), "R")
        year_first = not found["no"] and len(found["first"]) == 4 and int(found["first"]) >= 2015
        year, number = (found["first"], found["last"]) if year_first else (found["last"], found["first"])
        if len(year) in {2, 4}:
            yield _with_noun(plain, found.start(), found.end(), _celex(sort, _year(year), number))
    for found in _BARE.finditer(plain):
        number, _, year = found["number"].partition("/")
        if int(year) < 2015 or len(number) < 4:
            yield Marked(found.start(), found.end(), _celex("R", year, number), lends=True)


_NOUN = re.compile(
    r"(?:(?:[Nn]euvoston|[Kk]omission|[Rr]ådets|kommissionens|Europaparlamentets och rådets"
    r"|Euroopan parlamentin ja neuvoston) )?"
    r"[\wäö-]*(?:direktiiv|direktiv|asetu|förordning|päätö|beslut)[a-zäö]* ?$"
)


def _with_noun(plain: str, start: int, end: int, work: str) -> Marked:
    """The act with the noun before its number: "neuvoston direktiivin 2006/112/EY"."""
    noun = _NOUN.search(plain, max(0, start - 70), start)
    return Marked(noun.start() if noun else start, end, work, lends=True)


def _year(year: str) -> str:
    return f"19{year}" if len(year) == 2 else year


def _celex(sort: str, year: str, number: str) -> str:
    return f"eu:3{year}{sort}{int(number):04}"


def articles(plain: str, language: str) -> Iterator[tuple[int, int, tuple[Step, ...]]]:
    """Articles as Swedish and English write them; Finnish ones are places like any other."""
    if language == "fi":
        return
    for found in _ARTICLE.finditer(plain):
        number = found["article"].replace(" ", "")
        for more in _MORE.finditer(found["more"]):
            join = ".." if more["join"] in {"\N{EN DASH}", " to "} else "+"
            number += join + more["number"].replace(" ", "")
        steps = [Step("art", number)]
        if paragraph := found["paragraph"] or found["bracketed"]:
            steps.append(Step("para", paragraph))
        if point := found["lettered"] or found["led"] or found["point"] or found["numbered"]:
            steps.append(Step("point", point))
        yield found.start(), found.end(), tuple(steps)


def in_union_terms(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """A Finnish place in an act of the Union: kohta is a paragraph, alakohta and a lettered kohta a point."""
    renamed = []
    for step in steps:
        lettered = step.kind == "para" and step.number[:1].isalpha()
        renamed.append(replace(step, kind="point") if step.kind == "subpara" or lettered else step)
    return tuple(renamed)
