"""When an act enters into force, as its last provision says in prose: originals carry no other date.

"Tämä laki tulee voimaan 1 päivänä toukokuuta 2015 ja on voimassa 31 päivään joulukuuta 2022."
The day of entry into force and the tax year an act first applies to are two different facts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta

from pykala.law.validity import Validity

_FINNISH_MONTHS = [
    "tammikuu",
    "helmikuu",
    "maaliskuu",
    "huhtikuu",
    "toukokuu",
    "kesäkuu",
    "heinäkuu",
    "elokuu",
    "syyskuu",
    "lokakuu",
    "marraskuu",
    "joulukuu",
]
_SWEDISH_MONTHS = [
    "januari",
    "februari",
    "mars",
    "april",
    "maj",
    "juni",
    "juli",
    "augusti",
    "september",
    "oktober",
    "november",
    "december",
]
_ENGLISH_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_MONTHS = {
    name: number
    for names in (_FINNISH_MONTHS, _SWEDISH_MONTHS, _ENGLISH_MONTHS)
    for number, name in enumerate(names, 1)
}
# One day, as any of the three languages writes it: "1 päivänä toukokuuta 2015", "den 1 maj 2015", "1.5.2015".
_DAY = (
    r"(?:den\s+)?(?P<{0}day>\d{{1,2}})(?:\.(?P<{0}digits>\d{{1,2}})\.|\s*(?:päivänä|päivään|päivästä)?\s*"
    r"(?P<{0}month>[a-zäö]+?)(?:ta|n)?\s+)(?P<{0}year>\d{{4}})"
)
_SUBJECT = {
    "fi": r"(?:tämä|tämän)\s+(?:laki|asetus|päätös|lain)",
    "sv": r"denna\s+(?:lag|förordning)|detta\s+beslut",
    "en": r"this\s+(?:act|decree|decision)",
}
_STARTS = {
    "fi": re.compile(
        rf"(?:{_SUBJECT['fi']})\s+(?:tulee|tuli)\s+voimaan\s*(?:päivänä\s+)?{_DAY.format('s')}", re.IGNORECASE
    ),
    "sv": re.compile(
        rf"(?:{_SUBJECT['sv']})\s+(?:träder|trädde)\s+i\s+kraft\s+{_DAY.format('s')}", re.IGNORECASE
    ),
    "en": re.compile(
        rf"(?:{_SUBJECT['en']})\s+(?:shall\s+)?enter(?:s|ed)?\s+into\s+force\s+on\s+{_DAY.format('s')}",
        re.IGNORECASE,
    ),
}
_LATER = {
    "fi": re.compile(
        r"(?:voimaantulosta\s+säädetään|(?:tulee|tulevat)\s+voimaan\s+(?:\w+\s+){0,3}asetuksella\s+säädettävänä"
        r"|voimaantuloajankohdasta\s+säädetään"
        # The day is that of another act, which this text does not tell.
        r"|tulee\s+voimaan\s+(?:samaan\s+aikaan|samana\s+päivänä)\s+kuin)",
        re.IGNORECASE,
    ),
    "sv": re.compile(
        r"(?:(?:om\s+ikraftträdandet|ikraftträdandet)\s+av\s+(?:denna|lagen)[^.]{0,40}(?:föreskrivs|bestäms|stadgas)"
        r"|när\s+denna\s+lag\s+träder\s+i\s+kraft\s+(?:utfärdas|föreskrivs|bestäms)"
        r"|träder\s+i\s+kraft\s+(?:vid\s+en\s+tidpunkt\s+som\s+(?:föreskrivs|bestäms)|samtidigt\s+som|samma\s+dag\s+som))",
        re.IGNORECASE,
    ),
    "en": re.compile(r"entry\s+into\s+force\s+of\s+this\s+act[^.]{0,40}laid\s+down\s+by", re.IGNORECASE),
}
_ENDS = {
    "fi": re.compile(
        rf"on\s+voimassa\s+(?:{_DAY.format('e')}|(?:vuoden\s+(?P<whole>\d{{4}})\s+loppuun))", re.IGNORECASE
    ),
    "sv": re.compile(
        rf"(?:gäller|är\s+i\s+kraft)\s+till\s+(?:och\s+med\s+)?(?:{_DAY.format('e')}"
        r"|utgången\s+av\s+(?:år\s+)?(?P<whole>\d{4}))",
        re.IGNORECASE,
    ),
    "en": re.compile(
        rf"(?:remains?|is)\s+in\s+force\s+until\s+(?:{_DAY.format('e')}|the\s+end\s+of\s+(?P<whole>\d{{4}}))",
        re.IGNORECASE,
    ),
}
_APPLIES = re.compile(
    r"sovelletaan\s+ensimmäisen\s+kerran|tillämpas\s+(?:för\s+)?första\s+gången"
    r"|(?:applies|applied)\s+for\s+the\s+first\s+time",
    re.IGNORECASE,
)
_SHORT_DATE = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})")


@dataclass(frozen=True, slots=True)
class Commencement:
    """What an entry-into-force text says; `validity` is None where it names no day and no later decree."""

    validity: Validity | None = None
    application: str = ""


def read_commencement(text: str, language: str) -> Commencement:
    """Read the prose of an entry-into-force provision."""
    application = _application(text)
    start = _STARTS[language].search(text)
    first = _day(start, "s") if start else None
    if first is None:
        pending = Validity.pending() if _LATER[language].search(text) else None
        return Commencement(pending, application)
    ends = _ENDS[language].search(text)
    after = _day_after(ends) if ends else None
    return Commencement(interval(first, after), application)


def _application(text: str) -> str:
    """The sentence that says to which tax year the act applies first."""
    found = _APPLIES.search(text)
    if found is None:
        return ""
    start = text.rfind(". ", 0, found.start()) + 1
    end = text.find(".", found.end())
    return " ".join(text[start : end + 1 if end >= 0 else len(text)].split())


def interval(start: date | None, end: date | None) -> Validity:
    """From one day to another; an end before the start is a slip of the source and is not believed."""
    return Validity(start, None if start and end and end < start else end)


def short_date(text: str) -> date | None:
    """The first date written "17.4.2026" in a text."""
    found = _SHORT_DATE.search(text)
    return _date(int(found[3]), int(found[2]), int(found[1])) if found else None


def _day(match: re.Match[str], prefix: str) -> date | None:
    digits, month = match[f"{prefix}digits"], match[f"{prefix}month"]
    number = int(digits) if digits else _MONTHS.get((month or "").lower(), 0)
    return _date(int(match[f"{prefix}year"]), number, int(match[f"{prefix}day"]))


def _day_after(match: re.Match[str]) -> date | None:
    last = _date(int(match["whole"]), 12, 31) if match["whole"] else _day(match, "e")
    return day_after(last) if last else None


def day_after(last: date) -> date | None:
    """The first day that a period no longer holds; None at the end of the calendar."""
    return last + timedelta(days=1) if last < date.max else None


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
