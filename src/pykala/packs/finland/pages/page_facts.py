"""What a page of a statute shows about itself: the evidence by which its number is found.

Finlex's pages of statutes have neither number nor date. Their other data are read here by plain regular
expressions, because every page of a mirror is examined before any is read: the title, the amended act and its
sections, the words on entry into force, the amending acts that a consolidated page lists ("27.5.1994/375:"),
the acts that earlier worded a section ("42 § laeissa 1465/1994 ja 1126/1996"), and every act that it names
with a number ("ennakkoperintälain (1118/1996)").
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from hashlib import blake2b
from html import unescape

from pykala.law.identifiers import WorkId
from pykala.packs.finland.citations.law_names import base_name
from pykala.packs.finland.commencement import read_commencement, short_date
from pykala.packs.finland.spacing import tidy
from pykala.text.encoding import UndecodableText, decode

_PATH = re.compile(
    r"(?:^|/)finlex/(?P<folder>(?:Laki|Asetus)(?: \(säädöskokoelma\))?)/(?P<name>[^/]+)\.html$"
)
_COPY = re.compile(r"_\d+$")

_TITLE = re.compile(r"<h1[^<>]{0,200}>")
_FIRST_HEADING = re.compile(r"<h[34][^<>]{0,200}>\s*(?:<[^<>]{0,200}>\s*){0,5}(\d{1,4}(?:\s?[a-zåäö])?)\s*§")
_TAG = re.compile(r"<[^<>]*>")
_HEADING = re.compile(r"<h[34][^<>]{0,200}>\s*(?:<[^<>]{0,200}>\s*){0,5}(\d{1,4}(?:\s?[a-zåäö])?)\s*§")
_LISTED = re.compile(r"<h4[^<>]{0,200}>\s*(\d{1,2}\.\d{1,2}\.\d{4})/(\d{1,4})\s*:?\s*</h4>")
_LIST_HEADING = "Muutossäädösten voimaantulo ja soveltaminen"
_OWN_NUMBER = re.compile(r"finlex\.fi/fi/lainsaadanto/(\d{4})/(\d{1,4})#entryIntoForce_")
_BILL = re.compile(r"\bHE\s+\d{1,3}/\d{2,4}(?:\s+vp)?\b.*$", re.DOTALL)

_ENTRY = re.compile(
    r"(?:Tämä(?:n)? (?:laki|lain|asetus|asetuksen|päätös|päätöksen)|Tätä (?:lakia|asetusta|päätöstä)"
    r"|Tällä lailla"
    r"|Laki tulee voimaan|Asetus tulee voimaan)\b[^.]{0,120}?(?:voimaan|sovelletaan|voimassa|kumotaan)"
)
_OWN_ENTRY = re.compile(
    r"\bTäm(?:ä|än) (?:laki|lain|asetus|asetuksen|päätös|päätöksen) (?:tulee|tuli|voimaantulosta)\b"
)
_ANNEX = re.compile(r"(?<=\.) (?:Liite|LIITE|Liitteet|LIITTEET)\b")
_AMENDS = re.compile(r"\b(?:muutetaan|kumotaan|lisätään|muuttanut|kumonnut|lisännyt|muutettavaksi|muuttaa)\b")
_NUMBER = re.compile(r"\(\s*(?:[A-Za-z]+\s)?(\d{1,4})/\s?(\d{4}|\d{2})\s*\)?")
_ISSUED = re.compile(r"(\d{1,2}) päivänä ([a-zäö]+kuu)ta (\d{4}) *$")
_MONTHS = [
    "tammi",
    "helmi",
    "maalis",
    "huhti",
    "touko",
    "kesä",
    "heinä",
    "elo",
    "syys",
    "loka",
    "marras",
    "joulu",
]
_WORDING = re.compile(
    r"(?P<sections>\d{1,4}(?: [a-zåäö])?(?:\s?[–―—-]\s?\d{1,4}(?: [a-zåäö])?)?"
    r"(?:(?:, | ja | sekä )\d{1,4}(?: [a-zåäö])?(?:\s?[–―—-]\s?\d{1,4}(?: [a-zåäö])?)?){0,80}) ?§"
    r"|(?P<of>niistä)\b|(?P<it>kuin se on)\b"
    r"|(?P<by>lailla|asetuksella|päätöksellä|laeilla)\b|(?P<in>laissa|laeissa|asetuksessa|asetuksissa)\b"
    r"|\b(?P<number>\d{1,4})/(?P<year>\d{4}|\d{2})\b"
)
_SECTION = re.compile(r"(\d{1,4})(?: ([a-zåäö])\b)?(\s?[–―—-]\s?)?")
_AMENDING_TITLE = re.compile(
    r"^(?:laki|\S*\s?asetus|(?:\S+\s){1,6}?asetus|päätös)\s+(?P<name>.+?)"
    r"(?:\s+\d\S*(?:\s+(?:[a-zåäö]|ja|sekä|luvun|\d\S*|§:n|momentin|kohdan|§)){0,40}\s+§:n.*?"
    r"|\s+eräiden\s.*?|\s+liitteen\s.*?)?"
    r"(?:\s+väliaikaisesta)?\s+(?:muuttamisesta|kumoamisesta)(?:\s+(?:ja|sekä)\s.{0,160}?(?:muuttamisesta|kumoamisesta))?$"
)
#: The longest real title has 700 characters.
_LONGEST_TITLE = 1_000
#: The longest real clause has some 10,000 characters; a page of nothing but numbers must not take long.
_LONGEST_CLAUSE = 20_000
#: Enacting words come first, and name what they rest on within this many characters.
_LONGEST_ENACTING = 2_000
_NOT_WORDS = re.compile(r"[\W_]+")
_GIVEN = re.compile(r"^annet(?:tu|un|tua|ussa|usta|tuun|ulla|ulta|ulle)$")
_KINDS = {"laki", "asetus", "päätös"}
_PLAIN_KINDS = ("laki", "lai", "lak", "asetu", "päätö")
_NAME_ENDINGS = ("laki", "asetus", "kaari", "sääntö", "järjestys", "muoto", "päätös")
#: How many words before a number can be the end of a law's name.
_TAIL = 12
_CONTEXT = 220


@dataclass(frozen=True, slots=True)
class ListedAct:
    """An amending act in the list of a consolidated page, with the words of its entry into force."""

    work: WorkId
    issued: date | None
    entry: str
    day: date | None


@dataclass(frozen=True, slots=True)
class NamedAct:
    """An act that a text names with its number: the last words of its name in the nominative."""

    name: tuple[str, ...]
    work: WorkId
    issued: date | None = None


@dataclass(frozen=True, slots=True)
class EarlierWording:
    """Sections of the amended act whose wording an earlier amending act gave."""

    sections: frozenset[str]
    work: WorkId


@dataclass(frozen=True, slots=True)
class PageFacts:
    """The evidence on one page; every text in it is reduced to letters and digits."""

    path: str
    title: str
    digest: bytes = b""  # of all words: equal pages are one act
    consolidated: bool = False
    own: WorkId | None = None  # its own number, where a note on the page leads to it
    clause: str = ""
    enacting: str = ""  # the words of the clause as they stand, where they name what the page rests on
    amends: WorkId | None = None
    amended_name: str = ""  # of the act that the title says to be amended, as `base_name` gives it
    sections: frozenset[str] = frozenset()
    entry: str = ""
    day: date | None = None  # of entry into force
    earlier: tuple[EarlierWording, ...] = ()
    named: tuple[NamedAct, ...] = ()
    listed: tuple[ListedAct, ...] = ()

    @property
    def cites(self) -> frozenset[WorkId]:
        """Acts that the page speaks of by number; no act speaks so of itself."""
        return frozenset(one.work for one in self.earlier) | frozenset(one.work for one in self.named)

    @property
    def amending(self) -> bool:
        """Whether the page is an act that changes another."""
        return bool(self.amends or self.amended_name)


def is_statute_page(path: str) -> bool:
    """Whether a path is that of a page of a statute (not of a ruling, a treaty or guidance)."""
    return _PATH.search(path) is not None


def folder_of(path: str) -> str:
    """The collection that a statute page stands in: "Laki", "Asetus (säädöskokoelma)"; empty for others."""
    found = _PATH.search(path)
    return found["folder"] if found else ""


def is_decree(path: str) -> bool:
    """Whether a statute page stands among the decrees."""
    return folder_of(path).startswith("Asetus")


def squeeze(text: str) -> str:
    """A text without what editions differ in: case, spaces, punctuation."""
    return _NOT_WORDS.sub("", text).casefold()


def page_facts(path: str, data: bytes) -> PageFacts:
    """The signs on a page; a page that cannot be read has none, not even a title."""
    try:
        html = decode(data).text
    except UndecodableText:
        return PageFacts(path, "")
    found = _TITLE.search(html)
    end = html.find("</h1>", found.end()) if found else -1
    if found is None or end < 0:
        return PageFacts(path, "")
    title = plain_words(html[found.end() : end])
    rest = html[end:]
    lists = next((at for at in (rest.find(f"{_LIST_HEADING}</h2>"), rest.find("<h4>")) if at >= 0), -1)
    body = rest if lists < 0 else rest[:lists]
    own = _OWN_NUMBER.search(rest)
    plain = plain_words(body)
    clause = _clause(body, plain)
    amends, sections = amended_sections(clause)
    sections |= {_joined(number) for number in _HEADING.findall(body)}
    entry, day = entry_words(plain)
    return PageFacts(
        path,
        title,
        blake2b(squeeze(title + plain).encode(), digest_size=16).digest(),
        consolidated=lists >= 0 or own is not None,
        own=work_id(own[2], own[1]) if own else None,
        clause=squeeze(clause),
        enacting=clause[:_LONGEST_ENACTING] if "nojalla" in clause else "",
        amends=amends,
        amended_name=amended_name(title),
        sections=frozenset(sections),
        entry=squeeze(entry),
        day=day,
        earlier=tuple(_earlier(clause)) if amends else (),
        named=tuple(dict.fromkeys(_named(plain))),
        listed=tuple(_listed(rest[lists:])) if lists >= 0 else (),
    )


def work_id(number: str, year: str) -> WorkId:
    """An act by its number and year; a year of two digits is of the 1900s."""
    return WorkId(f"fi:act:{year if len(year) == 4 else f'19{year}'}/{int(number)}")


def plain_words(html: str) -> str:
    """The words of marked-up text, with one space between them."""
    return tidy(unescape(_TAG.sub(" ", html))).replace("( ", "(").replace(" )", ")")


def _joined(number: str) -> str:
    return "".join(number.split()).lower()


def _clause(body: str, plain: str) -> str:
    """What stands before the first heading; of an act without headings, before its entry into force."""
    heading = _FIRST_HEADING.search(body)
    words = plain_words(body[: heading.start()]) if heading else plain
    entry = _ENTRY.search(words)
    return (words[: entry.start()] if entry else words)[:_LONGEST_CLAUSE]


def entry_words(plain: str) -> tuple[str, date | None]:
    """The words on entry into force, to the end of the act, and the day that they name."""
    start = -1
    # An act that changes the entry into force of another quotes that first: its own words come last.
    for found in _OWN_ENTRY.finditer(plain):
        start = found.start()
    if start < 0 and (first := _ENTRY.search(plain)):
        start = first.start()
    entry = _ANNEX.split(plain[start:], maxsplit=1)[0] if start >= 0 else ""
    return entry, _day(entry)


def _day(entry: str) -> date | None:
    validity = read_commencement(entry[:600], "fi").validity
    return None if validity is None or validity.is_pending else validity.start


def amended_sections(clause: str) -> tuple[WorkId | None, set[str]]:
    """The act that an enacting clause changes, and the sections that it names."""
    verb = _AMENDS.search(clause)
    if verb is None:
        return None, set()
    rest = clause[verb.end() :]
    found = _NUMBER.search(rest)
    sections: set[str] = set()
    for token in _WORDING.finditer(rest):
        if token["sections"]:
            sections.update(_sections(token["sections"]))
    return (work_id(found[1], found[2]) if found else None), sections


def _sections(text: str) -> Iterator[str]:
    """The sections of "26–28, 31 ja 33 a"; those between the ends of a range are named by number alone."""
    first = 0
    for found in _SECTION.finditer(text):
        number = int(found[1])
        if first and number - first < 60:
            yield from map(str, range(first + 1, number))
        yield found[1] + (found[2] or "")
        first = number if found[3] else 0


def _earlier(clause: str) -> Iterator[EarlierWording]:
    """Read "sellaisina kuin niistä ovat 42 § laeissa 1465/1994 ja 1126/1996, 95 §:n 1 momentti laissa …"."""
    sections: set[str] = set()
    last: set[str] = set()
    told = inside = False  # acts were named after the sections; the words "in the act" came before
    for token in _WORDING.finditer(clause):
        if token["sections"]:
            if told:
                sections, told = set(), False
            last = set(_sections(token["sections"]))
            sections |= last
            inside = False
        elif token["of"]:
            sections = set()  # "of these": what was named before is taken up again, one by one
        elif token["it"]:
            sections = last
        elif token["by"]:
            inside = False
        elif token["in"]:
            inside = True
        elif inside and sections:
            told = True
            yield EarlierWording(frozenset(sections), work_id(token["number"], token["year"]))


def _named(plain: str) -> Iterator[NamedAct]:
    for found in _NUMBER.finditer(plain):
        words = plain[max(0, found.start() - _CONTEXT) : found.start()].split()
        if not words:
            continue
        name, issued = _name_before(words)
        if name:
            yield NamedAct(name, work_id(found[1], found[2]), issued)


def _name_before(words: list[str]) -> tuple[tuple[str, ...], date | None]:
    """The last words of an act's name at the end of some words, and its day of issue where it is given."""
    last = len(words) - 1
    given = next((at for at in range(last - 1, max(-1, last - 6), -1) if _GIVEN.match(words[at])), -1)
    if given < 0:
        return _name_tail(words), None
    about = " ".join(words[:given])
    dated = _ISSUED.search(about)
    issued = long_date(dated) if dated else None
    if dated:
        about = about[: dated.start()]
    kind = words[given + 1 :]
    if kind[-1].casefold().startswith(_PLAIN_KINDS):
        return name_tail(about.split(), " ".join(kind)), issued
    return _name_tail(kind), issued


def _name_tail(words: list[str]) -> tuple[str, ...]:
    folded = [word.casefold() for word in words[-_TAIL:]]
    folded[-1] = base_name(folded[-1], "fi")
    return tuple(folded) if folded[-1].endswith(_NAME_ENDINGS) else ()


def name_tail(about: list[str], kind: str = "") -> tuple[str, ...]:
    """The last words of a name: of "Laki ennakkoperinnästä", cited "ennakkoperinnästä annetun lain", too."""
    if not kind:
        return _name_tail(about) if about else ()
    given = base_name(f"annettu {kind}", "fi")
    return (*(word.casefold() for word in about[-_TAIL + 1 :]), given) if about else ()


def cited_tail(name: str) -> tuple[str, ...]:
    """The last words of a name as it is cited: "ennakkoperinnästä annetun lain", "tuloverolain"."""
    words = name.split()
    return _name_before(words)[0] if words else ()


def title_tail(title: str) -> tuple[str, ...]:
    """The last words of the name under which an act of a title is cited."""
    words = tidy(title).split()
    kind = next((at for at, word in enumerate(words[:7]) if word.casefold() in _KINDS), -1)
    if 0 <= kind < len(words) - 1:
        return name_tail(words[kind + 1 :], " ".join(words[: kind + 1]))
    return name_tail(words)


def long_date(found: re.Match[str]) -> date | None:
    """The day of a match of "30 päivänä joulukuuta 1992" in three groups."""
    try:
        return date(int(found[3]), _MONTHS.index(found[2][:-3]) + 1, int(found[1]))
    except ValueError:
        return None


def _listed(html: str) -> Iterator[ListedAct]:
    heads = list(_LISTED.finditer(html))
    for at, head in enumerate(heads):
        end = heads[at + 1].start() if at + 1 < len(heads) else len(html)
        words = _BILL.sub("", plain_words(html[head.end() : end]))
        yield ListedAct(work_id(head[2], head[1][-4:]), short_date(head[1]), squeeze(words), _day(words))


def amended_name(title: str) -> str:
    """The name of the act that a title says to be amended: "Laki tuloverolain muuttamisesta"."""
    folded = tidy(title).casefold()
    if len(folded) > _LONGEST_TITLE or not folded.endswith(("muuttamisesta", "kumoamisesta")):
        return ""
    found = _AMENDING_TITLE.match(folded)
    return base_name(found["name"], "fi") if found else ""
