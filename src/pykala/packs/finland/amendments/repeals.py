"""Repeals that a new act states in a section of its own.

"Tällä lailla kumotaan rehulaki (86/2008)." An act in the nominative is repealed as a whole. An act in the
genitive is repealed at the places that follow ("kansaneläkelain (568/2007) 6 §"), which are read like an
enacting clause.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from pykala.law.identifiers import ProvisionId, Step, WorkId
from pykala.law.provisions import Document, Provision
from pykala.law.references import EdgeKind, Method, Reference
from pykala.packs.finland.act_numbers import act_number
from pykala.packs.finland.amendments.amending_days import PARTITIVE
from pykala.packs.finland.amendments.enacting_clause import read_clause, read_places
from pykala.packs.finland.commencement import day_after, written_day

#: "Tällä lailla kumotaan …", "Asetuksella kumotaan …", "… ja sillä kumotaan …", of old "Täten kumotaan …".
_OPENING = (
    r"\b(?:(?:tällä )?(?:lailla|asetuksella|päätöksellä|määräyksellä|työjärjestyksellä|ohjesäännöllä)"
    r"|sillä|täten) kumotaan"
)
_SENTENCE = re.compile(_OPENING + r"(?P<acts>(?:[^.]|\.(?=\d)|(?<=\bv)\.(?= \d)){4,2000})", re.IGNORECASE)
#: "Tällä lailla kumotaan:" with the acts as items below it; some print "… muutoksineen:.".
_LIST = re.compile(_OPENING + r"[^.:]{0,120}(?::\.?)?$", re.IGNORECASE)
#: The same in running text: its items, each with its number, are as many as they are.
_LISTED = re.compile(
    _OPENING
    + r"[^.:]{0,120}:(?P<acts>(?:[\s.;,]{0,6}(?:(?:ja|sekä) )?\d{1,3}\)\s(?:[^;.]|\.(?=\d)){4,800})+)",
    re.IGNORECASE,
)
_ITEM = re.compile(r"[\s.;,]*\b\d{1,3}\)\s")
_NUMBER = re.compile(r"\( ?(?P<number>\d{1,5})/ ?(?P<year>\d{4}|\d{2}) ?\)")
#: The nominative: "annettu laki (26/2016)", "rehulaki (86/2008)", "Verohallinnon päätös maksuista (5/2016)";
#: in the last no other act may stand between, or "laki X:stä annetun lain (1/2000) 5 §" would be one.
_WHOLE = re.compile(
    r"(?:laki|asetus|kaari|päätös|työjärjestys|ohjesääntö)(?: \([^()/]{3,60}\))?"
    r"(?: \d{1,2} päivänä \w+kuuta \d{4}"
    r"|(?: (?!lain\b|asetuksen\b|päätöksen\b|kaaren\b)[\w-]+(?<!lain)(?<!asetuksen)(?<!kaaren)){1,25}?)? "
    + _NUMBER.pattern
)
#: A title may name other acts and their sections: "laki tulotietojärjestelmästä annetun lain 13 §:n
#: muuttamisesta (679/2022)". The act is the one that its list or sentence begins with, where no act in the
#: genitive stands right before the number and no place after it.
_TITLED = re.compile(
    r"(?:^|[:;,]|\bja|\bsekä|\d\))\s*(?:[\w-]+n ){0,3}(?:laki|asetus|päätös) (?=[^\W\d])"
    r"(?:(?!\()[^;]){3,300}?(?<!\blain)(?<!asetuksen)(?<!päätöksen)(?<!kaaren)(?<!\wlain) "
    + _NUMBER.pattern
    + r"(?! ?(?:\d+ ?[a-z]? ?(?:§|luvun|luku|kohta|momentti)|voimaantulosäännö|liit))"
)
#: "(1105/2018) siihen myöhemmin tehtyine muutoksineen (1393/2018)": the amending acts go with their act.
_WITH_CHANGES = re.compile(r"muutoksineen \((?P<acts>\d{1,5}/\d{4}(?:(?:, | ja )\d{1,5}/\d{4}){0,20})\)")
_BARE_NUMBER = re.compile(r"(?P<number>\d{1,5})/(?P<year>\d{4})")
#: Right after its name the number may stand without brackets: "kumotaan alkoholilaki 1143/1994".
_BARE = re.compile(r"(?:\w(?:laki|kaari)|asetus) (?P<number>\d{1,4})/(?P<year>\d{4})\b(?! ?§)")
#: "(28.12.2023/1285)" has the day first; "(27.12.2022/4 v. 2023)" was printed in the year after.
_DATED = (
    r"\( ?\d{1,2}\.\d{1,2}\.(?:(?P<year>\d{4})/(?P<number>\d{1,5})"
    r"|\d{4}/(?P<printed>\d{1,5}) v\. ?(?P<in>\d{4})) ?\)"
)
_DATED_WHOLE = re.compile(
    r"(?:laki|asetus|kaari|päätös|määräys|työjärjestys|ohjesääntö)"
    r"(?: (?!lain\b|asetuksen\b|päätöksen\b)[\w-]+(?<!lain)(?<!asetuksen)(?<!kaaren)){0,25}? " + _DATED
)
#: Orders of an agency have a number of its own first: "9.1.2019 (VH/12/00.01/2019, SDK 40/2019) annettu
#: työjärjestys", "päätös tiedoista (SDK 40/2019)".
_IN_STATUTE_BOOK = r"\( ?(?:[^()]{1,60}, ?)?SDK ?(?P<number>\d{1,5})/(?P<year>\d{4}) ?\)"
_BOOKED = re.compile(
    r"\d{1,2}\.\d{1,2}\.\d{4} "
    + _IN_STATUTE_BOOK
    + r" annettu (?:[\w-]+ ){0,12}?(?:\w*päätös|määräys|\w+järjestys)"
)
_BOOKED_AFTER = re.compile(
    r"(?:päätös|määräys|järjestys|ohjesääntö)"
    r"(?: (?!päätöksen\b)[\w-]+(?<!lain)(?<!asetuksen)){0,25}? " + _IN_STATUTE_BOOK
)
_DATED_NUMBER = re.compile(_DATED)
_BOOKED_NUMBER = re.compile(_IN_STATUTE_BOOK)
#: A repeal that keeps some provisions, or has a day of its own, is not read as one of the whole.
_PARTLY = re.compile(r"lukuun ottamatta|paitsi|siltä osin|päivästä", re.IGNORECASE)

#: "ajoneuvolaki (1090/2002), lukuun ottamatta 25 §:n 2 momenttia, joka on voimassa 1 päivään syyskuuta 2021".
_ALL_BUT = re.compile(
    _WHOLE.pattern + r"[^;.§]{0,80}?(?:lukuun ottamatta|paitsi)(?: kuitenkin)?(?: sen| lain| asetuksen)?"
    r" (?P<kept>(?:[^;.]|\.(?=\d))*)"
)
_STANDS_UNTIL = re.compile(r"voimassa (?P<until>\d{1,2} päivään \w+kuuta \d{4})")


@dataclass(frozen=True, slots=True)
class AllBut:
    """What a repeal of an act keeps in force, and until when; no places where they are not understood."""

    kept: tuple[tuple[Step, ...], ...]
    until: date | None

    def keeps(self, path: Sequence[Step]) -> bool:
        """Whether a section holds something that is left standing, or lies in such a chapter."""
        return any(
            all(step in path for step in place if step.kind in ("part", "chp", "sec")) for place in self.kept
        )


def repealed_but(document: Document, work: WorkId) -> Iterator[AllBut]:
    """The repeals of an act, in a document, that leave some of its places standing."""
    if document.language != "fi":
        return
    for provision in document.root.walk():
        words = provision.versions[-1].text if provision.versions else ""
        texts = [sentence["acts"] for sentence in _SENTENCE.finditer(words)] if "umotaan" in words else []
        if "umotaan" in words and _LIST.search(words.strip()):
            texts += [item.versions[-1].text for item in provision.children if item.versions]
        for found in (one for text in texts for one in _ALL_BUT.finditer(text)):
            if _act(found) == work:
                until = _STANDS_UNTIL.search(found["kept"])
                day = written_day(until["until"]) if until is not None else None
                yield AllBut(tuple(_kept(found["kept"])), day_after(day) if day else None)


def _kept(words: str) -> Iterator[tuple[Step, ...]]:
    for pattern, nominative in PARTITIVE:
        words = pattern.sub(nominative, words)
    yield from (one.path for one in read_places(words.partition(", jo")[0], "fi") if one.path)


def repealed_in(text: str) -> Iterator[tuple[WorkId, int, int]]:
    """The acts that a Finnish text repeals as a whole, with the span that names each.

    Swedish names an act in the same way whether the whole or a section is repealed, so it is not read.
    """
    if "umotaan" not in text:
        return
    for sentence in _SENTENCE.finditer(text):
        at = sentence.start("acts")
        for act, start, end in _named(sentence["acts"]):
            yield act, at + start, at + end


def listed_in(text: str) -> Iterator[WorkId]:
    """The acts that a list in running text repeals as a whole: "Tällä lailla kumotaan: 1) …; 2) …"."""
    for listed in _LISTED.finditer(text) if "umotaan" in text else ():
        for item in _ITEM.split(listed["acts"]):
            yield from (act for act, _, _ in _named(item))


def perhaps_repealed_in(text: str) -> Iterator[WorkId]:
    """The acts that a running text may repeal, in part or whole; each must be checked in its context."""
    for sentence in (*_SENTENCE.finditer(text), *_LISTED.finditer(text)):
        for pattern in (_NUMBER, _BARE, _DATED_NUMBER, _BOOKED_NUMBER):
            yield from (_act(found) for found in pattern.finditer(sentence["acts"]))


def places_repealed(document: Document, work: WorkId) -> Iterator[ProvisionId]:
    """The places of an act that a section of another repeals: "… kumotaan X-lain (1/2000) 5 §."."""
    if document.language != "fi":
        return
    number = act_number(work)
    for provision in document.root.walk():
        words = provision.versions[-1].text if provision.versions else ""
        for sentence in _SENTENCE.finditer(words) if "umotaan" in words else ():
            if _PARTLY.search(sentence["acts"]):
                continue
            for one in read_clause(f"kumotaan{sentence['acts']}.", "fi").instructions:
                if one.act.number == number and one.action == "repeal" and one.facet == "whole" and one.path:
                    yield ProvisionId(work, one.path)


def _named(words: str) -> Iterator[tuple[WorkId, int, int]]:
    if not _PARTLY.search(words):
        told: dict[WorkId, tuple[int, int]] = {}
        for pattern in (_WHOLE, _BARE, _TITLED, _DATED_WHOLE, _BOOKED, _BOOKED_AFTER):
            for found in pattern.finditer(words):
                told.setdefault(_act(found), found.span())
        for changes in _WITH_CHANGES.finditer(words) if told else ():
            for found in _BARE_NUMBER.finditer(words, *changes.span("acts")):
                told.setdefault(_act(found), found.span())
        yield from ((act, start, end) for act, (start, end) in told.items())


def _act(found: re.Match[str]) -> WorkId:
    told = found.groupdict()
    year, number = told.get("in") or told["year"] or "", told.get("printed") or told["number"] or ""
    return WorkId(f"fi:act:{year if len(year) == 4 else f'19{year}'}/{int(number)}")


def repeals_of(document: Document) -> Iterator[Reference]:
    """The repeals of whole acts that a document's provisions state, for the graph."""
    if document.language != "fi":
        return
    for provision in document.root.walk():
        words = provision.versions[-1].text if provision.versions else ""
        yield from _references(provision, repealed_in(words), document)
        if "umotaan" in words and _LIST.search(words.strip()):
            for item in provision.children:
                if item.versions:
                    yield from _references(item, _named(item.versions[-1].text), document)


def _references(
    provision: Provision, found: Iterable[tuple[WorkId, int, int]], document: Document
) -> Iterator[Reference]:
    for act, start, end in found:
        if act != document.work:
            version = provision.versions[-1]
            yield Reference(
                provision.id,
                EdgeKind.REPEALS,
                version.text[start:end],
                document.language,
                Method.AMENDMENT,
                start,
                end,
                target=ProvisionId(act),
                validity=version.validity,
            )
