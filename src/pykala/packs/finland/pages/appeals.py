"""How a ruling of the Central Tax Board fared on appeal, as its last lines tell.

"EI MUUTOSTA KHO 6.2.04 T 226 VUOSIK.", "KHO T 1464 28.3.2017 (kumottu)", "KHO 2019:30 (ei muutosta)": the
Supreme Administrative Court's judgment by its day and number in the court's register, or as a precedent.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import Document
from pykala.law.references import EdgeKind, Method, Reference, normalise_alias
from pykala.packs.finland.addresses import precedent_id

_OUTCOME = re.compile(
    r"\b(?:ei\s+muutosta|kumottu|kumonnut|muutettu|pysytetty|osittain|hylätty|palautettu|poistettu|tutkimatta"
    r"|välipäätös|rau[ek]\w+|ei\s+valituslupaa)\b",
    re.IGNORECASE,
)
_BEGINS = re.compile(
    r"^\(?\s*(?:ei\s+muutosta|kumottu|muutettu|osittain|pysytetty|hylätty|KHO)\b", re.IGNORECASE
)
_PRECEDENT = re.compile(r"KHO\s?:?\s?(?P<year>\d{4})\s?:\s?(?P<number>\d{1,3})\b(?!\.\d)")
_PRECEDENT_ALONE = re.compile(r"^KHO\s?:?\s?\d{4}\s?:\s?\d{1,3}\.?$")
_DAY = re.compile(r"\b(\d{1,2})\.(\d{1,2})\.(\d{4}|\d{2})\b")
_RECORD = re.compile(
    r"(?:\bT(?:altio(?:numero)?)?\.?|\bnro|/)\s?(?P<record>H?\s?\d{1,5})\b|\b(?P<other>H\s?\d{1,5})\b", re.I
)
#: A line about an appeal contains little else.
_LONGEST = 160
#: Years of two digits: the Board began in the 1960s, its pages in the 1980s.
_CENTURY_TURNS = 60


def appeals(document: Document) -> Iterator[Reference]:
    """The judgments that a Board ruling was appealed to, each at the line that tells of it."""
    lines = [
        (provision.id, start, line)
        for provision in document.root.walk()
        for version in provision.versions[-1:]
        for start, line in _lines(version.text)
    ]
    for at, (source, start, line) in enumerate(lines):
        if not _tells(line, last=at == len(lines) - 1):
            continue
        reference = _reference(document, source, start, line)
        if reference is not None:
            yield reference


def _lines(text: str) -> Iterator[tuple[int, str]]:
    start = 0
    for line in text.split("\n"):
        if line.strip():
            yield start, line
        start += len(line) + 1


def _tells(line: str, *, last: bool) -> bool:
    if len(line) > _LONGEST or "KHO" not in line.upper() or not _BEGINS.match(line):
        return False
    return _OUTCOME.search(line) is not None or (last and _PRECEDENT_ALONE.match(line) is not None)


def _reference(document: Document, source: ProvisionId, start: int, line: str) -> Reference | None:
    target, alias = None, ""
    if found := _PRECEDENT.search(line):
        target = ProvisionId(precedent_id(found["year"], str(int(found["number"]))))
    elif (day := _DAY.search(line)) and (record := _RECORD.search(_DAY.sub(" ", line))):
        alias = normalise_alias(
            f"KHO {_written(day)}/{(record['record'] or record['other']).replace(' ', '')}"
        )
    if target is None and not alias:
        return None
    return Reference(
        source,
        EdgeKind.APPEALS,
        line,
        document.language,
        Method.STRUCTURE,
        start,
        start + len(line),
        target,
        alias,
    )


def _written(day: re.Match[str]) -> str:
    year = int(day[3])
    if len(day[3]) == 2:
        year += 1900 if year >= _CENTURY_TURNS else 2000
    return f"{int(day[1])}.{int(day[2])}.{year}"
