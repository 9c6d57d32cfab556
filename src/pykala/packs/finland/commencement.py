"""When an act enters into force, as its last provision says in prose: original acts have no other date.

"Tämä laki tulee voimaan 1 päivänä toukokuuta 2015 ja on voimassa 31 päivään joulukuuta 2022." The day of
entry into force and the first tax year of application are two different facts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from difflib import get_close_matches
from functools import lru_cache

from pykala.law.messages import Message
from pykala.law.validity import ALWAYS, Validity

#: The finding on words whose first day is a guess.
DAY_UNKNOWN = Message("finding.day_unknown")
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
# One day, as any of the three languages writes it: "1 päivänä toukokuuta 2015", "den 1 maj 2015", "1.5.2015";
# and as they slip: "1. päivänä toukokuuta 2015", "den1 maj 2015", "1 maj den 2015", "1 päivänä jou-lukuuta
# 1996".
_DAY = (
    r"(?:den?\s*)?(?P<{0}day>\d{{1,2}})(?:\.(?P<{0}digits>\d{{1,2}})\."
    r"|\.?\s*(?:(?:päivänä|päivään|päivästä)\s*){{0,2}}(?P<{0}month>[a-zäö]{{1,12}}?(?:[->][a-zäö]{{2,9}}?)?)(?:ta|n)?"
    r"\s+(?:den\s+|vuonna\s+)?)(?P<{0}year>\d{{4}})"
)
_SUBJECT = {
    "fi": (
        r"(?:tämä|tämän)\s+(?:eduskunnan\s+|valtioneuvoston\s+|(?:[a-zäö]{3,20}-\s+ja\s+)?[a-zäö]{3,30}ministeriön\s+)?"
        r"(?:laki|perustuslaki|kaari|asetus|päätös|lain|työjärjestys|ohjesääntö)"
    ),
    "sv": (
        r"denna\s+(?:grund)?(?:lag|balk|förordning(?:en)?|arbetsordning|instruktion)"
        r"|detta\s+beslut(?:\s+av\s+riksdagen)?"
    ),
    "en": r"this\s+(?:act|decree|decision)",
}
#: The act as the subject of a sentence: "Se on voimassa …", "Beslutet träder i kraft …".
_SENTENCE_SUBJECT = {
    "fi": r"laki|asetus|päätös|työjärjestys|se",
    "sv": r"lagen|förordningen|beslutet|arbetsordningen|den|det",
    "en": r"the\s+(?:act|decree|decision)|it",
}
#: A sentence ends where the next begins with a capital; "mom." and "kap." are no ends.
_SENTENCE_END = re.compile(r"(?<!\bmom)(?<!\bkap)(?<!\bnr)\.\s+(?=[A-ZÅÄÖ])")
#: The number and heading that a section's sentence follows in running text: "5 § Voimaantulo Asetus tulee …".
_HEADED = (
    r"(?:\d+\s?[a-z]?\s?§\s+)?(?:(?:Voimaantulo|Ikraftträdande)[a-zåäö]*(?:\s+(?:ja|och)\s+[a-zåäö-]+)*\s+)?"
)
_ENTERS = {
    # "on voimassa 13 päivästä joulukuuta 2018" tells the first day as well.
    "fi": (
        r"(?:(?:tulee|tuli)\s+voimaan\s*(?:heti\s+|välittömästi\s+)?(?:päivänä\s+)?"
        r"|on\s+voimassa\s+(?=\d{1,2}\.?\s+päivästä))"
    ),
    "sv": (
        r"(?:(?:träder|trädde)\s+i\s*kraft\s+(?:omedelbart\s+)?"
        r"|(?:gäller|är\s+i\s+kraft)\s+från\s+och\s+med\s+)"
    ),
    "en": r"(?:shall\s+)?enter(?:s|ed)?\s+into\s+force\s+on\s+",
}
_STARTS = {
    language: re.compile(rf"(?:{_SUBJECT[language]})\s+{_ENTERS[language]}{_DAY.format('s')}", re.IGNORECASE)
    for language in _SUBJECT
}
_SENTENCE_STARTS = {
    language: re.compile(
        rf"{_HEADED}(?:{_SENTENCE_SUBJECT[language]})\s+{_ENTERS[language]}{_DAY.format('s')}", re.IGNORECASE
    )
    for language in _SUBJECT
}
_LATER = {
    "fi": re.compile(
        r"(?:voimaantulosta\s+säädetään|(?:tulee|tulevat)\s+voimaan\s+(?:\w+\s+){0,3}asetuksella\s+säädettävänä"
        r"|voimaantuloajankohdasta\s+säädetään"
        # The day is that of another act, which this text does not state.
        r"|tulee\s+voimaan\s+(?:samaan\s+aikaan|samana\s+päivänä)\s+kuin)",
        re.IGNORECASE,
    ),
    "sv": re.compile(
        r"(?:(?:om\s+ikraftträdandet|ikraftträdandet)\s+av\s+(?:denna|lagen)[^.]{0,40}"
        r"(?:föreskrivs|bestäms|stadgas|utfärdas)\s+(?:särskilt|separat|genom|av\s|i\s+(?:en\s+)?(?:särskild\s+)?lag)"
        r"|när\s+denna\s+lag\s+träder\s+i\s+kraft\s+(?:utfärdas|föreskrivs|bestäms)"
        r"|träder\s+i\s+kraft\s+(?:vid\s+en\s+tidpunkt\s+som\s+(?:föreskrivs|bestäms|fastställs)|samtidigt\s+som|samma\s+dag\s+som))",
        re.IGNORECASE,
    ),
    "en": re.compile(r"entry\s+into\s+force\s+of\s+this\s+act[^.]{0,40}laid\s+down\s+by", re.IGNORECASE),
}
_ENDS = {
    "fi": re.compile(
        r"\b(?:on|ovat)\s+(?:kuitenkin\s+)?voimassa\s+(?:\d{1,2}\.?\s+päivästä\s+\w+\s+\d{4}\s+(?:alkaen\s+)?)?"
        rf"(?!\d{{1,2}}\.?\s+päivästä)(?:{_DAY.format('e')}"
        r"|(?:vuoden\s+)?(?:(?P<month>\w+kuu)n\s+)?(?P<whole>\d{4})\s+(?:joulukuun\s+)?loppuun)",
        re.IGNORECASE,
    ),
    "sv": re.compile(
        r"\b(?:gäller|är\s+i\s+kraft)\s+(?:dock\s+)?(?:från\s+och\s+med\s+den\s+\d{1,2}\s+\w+\s+\d{4}\s+)?till\s+(?:och\s+med\s+)?"
        rf"(?:{_DAY.format('e')}"
        r"|utgången\s+av\s+(?:år\s+)?(?:(?P<month>[a-z]+)\s+(?:månad\s+)?)?(?P<whole>\d{4}))",
        re.IGNORECASE,
    ),
    "en": re.compile(
        rf"(?:remains?|is)\s+in\s+force\s+until\s+(?:{_DAY.format('e')}"
        r"|the\s+end\s+of\s+(?:(?P<month>[a-z]+)\s+)?(?P<whole>\d{4}))",
        re.IGNORECASE,
    ),
}
#: What ends is the act itself where its sentence begins with it and names none of its parts. The capital
#: tells the sentence from "som gäller vid ikraftträdandet av denna lag".
_WHOLE = re.compile(
    r"\b(?:Tämän?\s+(?:(?:\w+-\s+ja\s+)?\w+n\s+)?(?:laki|perustuslaki|kaari|asetus|päätös|työjärjestys)|This\s+(?:Act|Decree|Decision)"
    r"|Denna\s+(?:lag|förordning(?:en)?|arbetsordning)|Detta\s+beslut)\b"
)
_OWN_SENTENCE = {
    language: re.compile(rf"{_HEADED}(?:{words})\b", re.IGNORECASE)
    for language, words in _SENTENCE_SUBJECT.items()
}
_PART = re.compile(
    r"§|moment|\bmom\b|\bkoh(?:ta|dan|dat)\b|\bluku|\bluvun\b|\bliit|\bkap\b|punkt|\bbilag|section|paragraph",
    re.IGNORECASE,
)
_APPLIES = re.compile(
    r"sovelletaan\b[^.]{0,100}\bensimmäisen\s+kerran|tillämpas\b[^.]{0,100}\bförsta\s+gången"
    r"|(?:applies|applied)\s+for\s+the\s+first\s+time"
    # "sovelletaan vuodelta 2021 toimitettavassa verotuksessa", "verovuodesta 2028 alkaen"
    r"|sovelletaan\b[^.]{0,120}\bvero(?:vuo|tu)(?:delta|silta|desta|den|sien)\s+\d{4}"
    r"|sovelletaan\b[^.]{0,120}\bvuo(?:delta|silta|den|sien)\s+\d{4}\b[^.]{0,60}(?:verotu|ennakonpidäty)"
    r"|(?<!som\s)tillämpas\b[^.]{0,120}\b(?:skatteår\w*\s+\d{4}|beskattningen\s+för\s+(?:år\w*\s+)?\d{4})",
    re.IGNORECASE,
)
#: A part of the act with a day of its own: "Lain 3 a § tulee kuitenkin voimaan vasta 1 päivänä …kuuta 2023."
_PARTS = {
    "fi": re.compile(
        r"(?:tämän\s+)?(?:lain|sen|asetuksen|päätöksen)\s+(?P<places>\S.{0,400}?)\s+"
        r"(?:(?:tulee|tulevat|on|ovat)\s+(?:kuitenkin\s+)?(?:jo\s+|vasta\s+)?voima|voimaantulosta\s+säädetään)",
        re.IGNORECASE,
    ),
    "sv": re.compile(
        r"(?:lagens|förordningens|beslutets|bestämmelserna\s+i|bestämmelser\s+om\s+ikraftträdandet\s+av)\s+"
        r"(?P<places>\S.{0,400}?)\s+(?:träder\s+(?:dock\s+)?|gäller\s|är\s+(?:dock\s+)?i\s+kraft|utfärdas\s+genom)",
        re.IGNORECASE,
    ),
}
_PART_STARTS = {
    "fi": re.compile(rf"voimaan\s+(?:jo\s+|vasta\s+)?{_DAY.format('s')}", re.IGNORECASE),
    "sv": re.compile(rf"i\s*kraft\s+(?:först\s+|redan\s+)?{_DAY.format('s')}", re.IGNORECASE),
}
_BY_DECREE = re.compile(
    r"voimaantulosta\s+säädetään|asetuksella\s+säädettävänä|utfärdas\s+genom|föreskrivs", re.IGNORECASE
)
_SLIP = 0.9  # of the letters of a month's name
_WRITTEN = re.compile(_DAY.format("s"), re.IGNORECASE)
_SHORT_DATE = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})")


@dataclass(frozen=True, slots=True)
class PartialCommencement:
    """A part of an act with days of its own, as the act names it: "6 luvun 6 a § ja 7 §:n 4 momentti"."""

    places: str
    validity: Validity  # a missing start or end is that of the act


@dataclass(frozen=True, slots=True)
class Commencement:
    """What an entry-into-force text says; `validity` is None where it names no day and no later decree."""

    validity: Validity | None = None
    application: str = ""
    parts: tuple[PartialCommencement, ...] = ()


def read_commencement(text: str, language: str) -> Commencement:
    """Read the prose of an entry-into-force provision."""
    sentences = _SENTENCE_END.split(text)
    application = " ".join(_applications(sentences))
    first = _first_day(text, sentences, language)
    if first is None:
        pending = Validity.pending() if _LATER[language].search(text) else None
        return Commencement(pending, application, tuple(_parts(sentences, language, pending or ALWAYS)))
    whole = interval(first, _last_day(sentences, language))
    return Commencement(whole, application, tuple(_parts(sentences, language, whole)))


def _first_day(text: str, sentences: Sequence[str], language: str) -> date | None:
    if start := _STARTS[language].search(text):
        return _day(start, "s")
    starts = (_SENTENCE_STARTS[language].match(sentence) for sentence in sentences)
    return next((_day(start, "s") for start in starts if start), None)


def _last_day(sentences: Sequence[str], language: str) -> date | None:
    """The day after the act's last; a sentence that ends only some sections does not end the act."""
    for sentence in sentences:
        ends = _ENDS[language].search(sentence)
        subject = _WHOLE.search(sentence) or _OWN_SENTENCE[language].match(sentence)
        if ends and subject and not _PART.search(sentence, subject.end(), ends.start()):
            return _day_after(ends)
    return None


def _parts(sentences: Sequence[str], language: str, whole: Validity) -> Iterator[PartialCommencement]:
    if language not in _PARTS:
        return
    for sentence in sentences:
        part = _PARTS[language].match(sentence)
        if part is None or not _PART.search(part["places"]):
            continue
        start = _PART_STARTS[language].search(sentence)
        ends = _ENDS[language].search(sentence)
        if start or ends:
            first, after = _day(start, "s") if start else None, _day_after(ends) if ends else None
            began = first or (None if whole.is_pending else whole.start)
            yield PartialCommencement(part["places"], interval(began, after or whole.end))
        elif _BY_DECREE.search(sentence):
            yield PartialCommencement(part["places"], Validity.pending())


def _applications(sentences: Sequence[str]) -> Iterator[str]:
    """The sentences that say to which tax year the act applies first."""
    for sentence in sentences:
        if _APPLIES.search(sentence):
            words = " ".join(sentence.split())
            yield words if words.endswith(".") else f"{words}."


def interval(start: date | None, end: date | None) -> Validity:
    """From one day to another; an end before the start is a mistake of the source and is ignored."""
    return Validity(start, None if start and end and end < start else end)


def short_date(text: str) -> date | None:
    """The first date written "17.4.2026" in a text."""
    found = _SHORT_DATE.search(text)
    return _date(int(found[3]), int(found[2]), int(found[1])) if found else None


def written_day(text: str) -> date | None:
    """The first day that a text names in words or figures: "Helsingissä 11 päivänä tammikuuta 2019"."""
    found = _WRITTEN.search(text)
    return _day(found, "s") if found else None


def _day(match: re.Match[str], prefix: str) -> date | None:
    digits, month = match[f"{prefix}digits"], match[f"{prefix}month"]
    number = int(digits) if digits else _month((month or "").lower())
    return _date(int(match[f"{prefix}year"]), number, int(match[f"{prefix}day"]))


@lru_cache(maxsize=256)
def _month(name: str) -> int:
    """The number of a month, also where a letter of its name slipped: "maalikuuta 2023", "tammi>kuuta"."""
    name = name.replace("-", "").replace(">", "")
    if name in _MONTHS:
        return _MONTHS[name]
    meant = get_close_matches(name, _MONTHS, 1, _SLIP)
    return _MONTHS[meant[0]] if meant else 0


def _day_after(match: re.Match[str]) -> date | None:
    if not match["whole"]:
        last = _day(match, "e")
        return day_after(last) if last else None
    year, month = int(match["whole"]), _MONTHS.get((match["month"] or "joulukuu").lower(), 0)
    return _date(year + month // 12, month % 12 + 1, 1) if month else None


def day_after(last: date) -> date | None:
    """The first day after a period; None at the end of the calendar."""
    return last + timedelta(days=1) if last < date.max else None


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
