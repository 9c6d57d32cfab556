"""Rulings, bills, cases of the Court of Justice and diary numbers, as Finnish and Swedish texts print them.

Each is a work of its own: `KHO:2019:30` is fi:kho:2019/30, `KVL 4/2024` fi:kvl:2024/4. Bills and the cases of
other courts are in no pack; they get a name (`he:2016/29`) under which they are counted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pykala.packs.finland.addresses import board_ruling_id, precedent_id

#: Names of works that lie outside every pack.
OUTSIDE = ("he:", "case:", "kko:")

_RECORD = (
    r"(?:/| ?(?:,? ?taltio(?:numero|nro)?|,? ?[Tt]:?|,? ?[Ll]iggare|,? ?liggarnummer|,? ?t\.|,? ?L)[ :.]* ?)"
)
_PRECEDENT = re.compile(
    r"(?<![\w])(?:ECLI:FI:)?(?:KHO|HFD|SAC)(?:[:n]{0,2})?[: ] ?(?:[AB]: ?)?"
    r"(?:(?P<year>(?:19|20)[0-9]{2}) ?: ?(?P<number>[0-9]{1,4}|T ?[0-9]{1,5})(?![\w])"
    r"|(?P<old_year>19[0-9]{2})[ /-](?P<old>(?:[AB][ -](?:I{1,2}[ -])?|I{1,2}[ -])[0-9]{1,4})(?![\w])"
    rf"|(?P<first>[0-9]{{1,2}}\.[0-9]{{1,2}}\.(?:[0-9]{{4}}"
    rf"|[0-9]{{2}})){_RECORD}(?P<record>[0-9]{{1,5}})(?![\w/])"
    r"|(?P<record_year>(?:19|20)[0-9]{2})[ ,]{1,2}(?:taltio|T|t\.|liggare) ?(?P<yearly>[0-9]{1,5})(?![\w]))"
)
#: "päätöksellään 9.4.2013 taltionumero 1223": the court speaks of its own.
_BY_RECORD = re.compile(
    r"(?<![\w])(?:A: ?(?P<early>[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{4}) T: ?(?P<early_record>[0-9]{1,5}))(?![\w])|"
    r"(?<![\w/.])(?P<first>[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{4}),? \(?(?:taltionumerot?|taltiot?"
    r"|liggare(?:nummer)?) (?P<record>[0-9]{1,5})(?![\w/])"
)
_ANOTHER_RECORD = re.compile(r" (?:ja|sekä|och) (?P<record>[0-9]{1,5})(?![\w/.])")
#: "KHO 2019:30 ja 2019:31": the court is said once.
_ANOTHER = re.compile(
    r"(?:,| ja| sekä| och| samt)? (?P<year>(?:19|20)[0-9]{2}):(?P<number>[0-9]{1,3})(?![\w:])"
)
_BOARD = re.compile(
    r"(?<![\w])(?:(?:KVL|CSN)(?: ?: ?| )(?:n:o |nro )?"
    r"|[Kk]eskusverolautakun[\wäö]+[\wäö .]{0,40}? nro |centralskattenämnden[\w .]{0,40}? nr )"
    r"(?:(?P<year>(?:19|20)[0-9]{2}) ?/ ?(?P<number>[0-9]{1,3})|(?P<number_first>[0-9]{1,3}) ?/"
    r" ?(?P<year_last>(?:19|20)[0-9]{2}))"
    r"(?![\w/])"
)
_BILL = re.compile(
    r"(?<![\w])(?:HE|RP) ?:? ?(?P<number>[0-9]{1,3}) ?/ ?(?P<year>(?:19|20)[0-9]{2})(?: (?:vp"
    r"|rd)(?![\w])\.?)?"
)
_CASE = re.compile(
    r"(?<![\w/-])(?P<court>[CTF])-(?P<number>[0-9]{1,4})/(?P<year>[0-9]{2})(?P<appeal> ?P)?(?![\w/])"
    r"|(?<![\w])(?:ECLI:)?EU:(?P<ecli>[CTF]:[0-9]{4}:[0-9]{1,5})(?![\w])"
)
_SUPREME = re.compile(
    r"(?<![\w])(?:KKO|HD)[: ] ?(?P<year>(?:19|20)[0-9]{2}) ?: ?(?P<number>[0-9]{1,3})(?![\w])"
)
#: The Treaty Series: "SopS 65/1997", "FördrS 65/1997".
_TREATY = re.compile(
    r"(?<![\w])(?:SopS|FördrS) ?(?P<number>[0-9]{1,3}) ?/ ?(?P<year>(?:19|20)[0-9]{2})(?![\w/])"
)
_DIARY = re.compile(
    r"(?<![\w/])(?:VH/[0-9]{1,6}/[0-9]{2}\.[0-9]{2}\.[0-9]{2}/(?:19|20)[0-9]{2}"
    r"|[A-Z]?[0-9]{1,4}/[0-9]{1,4}/(?:19|20)[0-9]{2})(?![\w/])"
)


@dataclass(frozen=True, slots=True)
class Marked:
    """A work that a text cites by its own number."""

    start: int
    end: int
    work_name: str  # an identifier, a name outside the packs, or an alias that the library may know
    lends: bool = False  # an act of the Union is the antecedent of the articles after it


def rulings(plain: str) -> Iterator[Marked]:
    """Every ruling, bill, case and diary number of a text, in any order."""
    for hint, reader in _READERS:
        if hint.search(plain) is not None:
            yield from reader(plain)


def _by_record(plain: str) -> Iterator[Marked]:
    for found in _BY_RECORD.finditer(plain):
        yield Marked(found.start(), found.end(), _record(found))
        if another := _ANOTHER_RECORD.match(plain, found.end()):
            day = _record(found).rpartition("/")[0]
            yield Marked(another.start("record"), another.end(), f"{day}/{another['record']}")


def _bills(plain: str) -> Iterator[Marked]:
    for found in _BILL.finditer(plain):
        yield Marked(found.start(), found.end(), f"he:{found['year']}/{int(found['number'])}")


def _supreme_court(plain: str) -> Iterator[Marked]:
    for found in _SUPREME.finditer(plain):
        yield Marked(found.start(), found.end(), f"kko:{found['year']}:{found['number']}")


def _treaties(plain: str) -> Iterator[Marked]:
    for found in _TREATY.finditer(plain):
        yield Marked(found.start(), found.end(), f"fi:treaty:{found['year']}/{int(found['number'])}")


def _diary_numbers(plain: str) -> Iterator[Marked]:
    for found in _DIARY.finditer(plain):
        yield Marked(found.start(), found.end(), found[0].casefold())


def _precedents(plain: str) -> Iterator[Marked]:
    for found in _PRECEDENT.finditer(plain):
        yield Marked(found.start(), found.end(), _precedent(found))
        if found["year"]:
            end = found.end()
            while another := _ANOTHER.match(plain, end):
                work = precedent_id(another["year"], another["number"])
                yield Marked(another.start("year"), another.end(), work.value)
                end = another.end()


def _precedent(found: re.Match[str]) -> str:
    if found["record"]:
        return _record(found)
    if found["record_year"]:
        return f"kho {found['record_year']} taltio {found['yearly']}"
    if found["year"]:
        return precedent_id(found["year"], found["number"].replace(" ", "")).value
    number = re.sub(r"[ -]+", "-", found["old"])
    if number[0] == "I":
        # "1985 II 5": series A counts from 1 and series B from 501, so that the letter may be left out.
        number = f"{'B' if int(number.rpartition('-')[2]) > 500 else 'A'}-{number}"
    return precedent_id(found["old_year"], number).value


def _record(found: re.Match[str]) -> str:
    groups = found.groupdict()
    day, month, year = (groups["first"] or groups.get("early") or "").split(".")
    record = groups["record"] or groups.get("early_record")
    if len(year) == 2:
        year = ("19" if int(year) > 50 else "20") + year
    return f"kho {int(day)}.{int(month)}.{year}/{record}"


def _board_rulings(plain: str) -> Iterator[Marked]:
    for found in _BOARD.finditer(plain):
        year, number = found["year"] or found["year_last"], found["number"] or found["number_first"]
        yield Marked(found.start(), found.end(), board_ruling_id(year, number).value)


def _cases(plain: str) -> Iterator[Marked]:
    for found in _CASE.finditer(plain):
        name = found["ecli"] or f"{found['court']}-{found['number']}/{found['year']}"
        yield Marked(found.start(), found.end(), f"case:{name.casefold()}")


#: Most texts cite no ruling: a quick look for its letters comes before its pattern.
_READERS: tuple[tuple[re.Pattern[str], Callable[[str], Iterator[Marked]]], ...] = (
    (re.compile(r"KHO|HFD|SAC"), _precedents),
    (re.compile(r"taltio|liggar|T:"), _by_record),
    (re.compile(r"KVL|CSN|eskusverolautakun|entralskattenämnd"), _board_rulings),
    (re.compile(r"HE|RP"), _bills),
    (re.compile(r"[CTF]-|EU:"), _cases),
    (re.compile(r"KKO|HD"), _supreme_court),
    (re.compile(r"SopS|FördrS"), _treaties),
    (re.compile(r"/[0-9.]+/"), _diary_numbers),
)
