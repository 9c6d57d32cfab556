"""An act's entry into force and application, as its last articles state them.

"This Regulation shall enter into force on the twentieth day following that of its publication … It shall
apply from 2 August 2026. However: (a) Chapters I and II shall apply from 2 February 2025 …". Entry into force
and application are two days, and parts of an act may have days of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from pykala.law.identifiers import ProvisionId

MONTHS = {
    name: number
    for names in (
        "january february march april may june july august september october november december",
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    )
    for number, name in enumerate(names.split(), 1)
}
DAY = r"(?P<day>\d{1,2})(?:er)? (?P<month>[a-zéû]+) (?P<year>\d{4})"
_ORDINALS = {
    "": 1, "first": 1, "second": 2, "third": 3, "fifth": 5, "seventh": 7, "eighth": 8, "tenth": 10,
    "fifteenth": 15, "twentieth": 20, "thirtieth": 30,
    "premier": 1, "deuxième": 2, "troisième": 3, "cinquième": 5, "septième": 7, "huitième": 8, "dixième": 10,
    "quinzième": 15, "vingtième": 20, "trentième": 30,
}  # fmt: skip
_ACT = {
    "en": r"This (?:\w+ )?(?:Regulation|Directive|Decision)",
    "fr": r"(?:Le présent règlement|La présente (?:directive|décision))",
}
_ENTERS = {
    "en": re.compile(rf"{_ACT['en']} shall (?:enter into force|take effect)(?P<when>[^.;]{{0,160}})", re.I),
    "fr": re.compile(rf"{_ACT['fr']} (?:entre en vigueur|prend effet)(?P<when>[^.;]{{0,160}})", re.I),
}
_FOLLOWING = re.compile(
    r"(?:the|le) (?:(?P<figure>\d+)\w* |(?P<word>\w+) )?(?:day|jour) (?:following|after|suivant)\b"
    r"[^.;]{0,40}publi",
    re.I,
)
_ON_PUBLICATION = re.compile(r"(?:day|date|jour) (?:of|de) (?:its|their|sa) publication", re.I)
_ON_ADOPTION = re.compile(r"(?:day|date|jour) (?:of|de) (?:its|son) adoption", re.I)
_APPLIES = {
    "en": re.compile(
        r"(?:shall|will|is|are)(?: however| only| first)? (?:apply|be applicable|applicable)"
        rf"(?: only)? (?:(?P<until>until)|as from|from|as of|on)\s*:?\s*(?:\(i\)\s*)?(?:{DAY}"
        r"|(?P<entry>the (?:day|date) of (?:its |the )?entry into force))",
        re.I,
    ),
    "fr": re.compile(
        r"(?:(?:est|sont) applicables?|s[’']appliquent?)"
        r"(?: toutefois)? (?:(?P<until>jusqu[’']au)|à (?:partir|compter) d[ue]|dès le|le)\s*:?\s*(?:i\)\s*)?"
        rf"(?:{DAY}|(?P<entry>(?:la date|jour) (?:de son |d[’'])entrée en vigueur))",
        re.I,
    ),
}
_WHOLE = {
    "en": re.compile(rf"(?:{_ACT['en']}|\bIt)[\s,]*$"),
    "fr": re.compile(rf"(?:{_ACT['fr']}|\b(?:Il|Elle))[\s,]*$"),
}
_EXCEPT = re.compile(r"with the exception of|except(?:ing)? for|à l[’']exception d|sauf", re.I)
#: Words about application by others, or about a list that follows, do not give a part its own day.
_OTHERS = re.compile(r"Member States|[ÉE]tats membres|following (?:points|provisions)|suivants", re.I)
_SEGMENT_END = re.compile(r"[;\n]|\.(?=\s+[A-ZÀÉÎ0-9])|\.$")
_LETTER = re.compile(r"^\(?[a-z]\)\s")
_STAGE = re.compile(r"\(?i\)\s")
_STAGES = re.compile(r"(?:\(?(?:i{1,3}|iv|vi{0,3})\)\s[^;\n]{1,300}(?:;[ a-z]{0,5}\s*|$))+", re.M)


@dataclass(frozen=True, slots=True)
class Commencement:
    """When an act came into force, from when it applies, and parts with days of their own."""

    entered: date | None = None
    applies: date | None = None
    parts: tuple[tuple[ProvisionId, date], ...] = ()
    stages: tuple[tuple[ProvisionId, str], ...] = ()  # parts that apply to some later, in its words

    @property
    def is_known(self) -> bool:
        """Whether the act says when it enters into force or applies."""
        return self.entered is not None or self.applies is not None


def tells_commencement(text: str, language: str) -> bool:
    """Whether an article says when its act comes into force."""
    return _ENTERS[language].search(text) is not None


def read_commencement(
    text: str,
    language: str,
    places: Sequence[tuple[int, ProvisionId]],
    *,
    published: date | None,
    adopted: date | None,
) -> Commencement:
    """Read the words of the article on entry into force; a missing value is None.

    `places` are the places of the act that the text names, with their positions.
    """
    enters = _ENTERS[language].search(text)
    entered = _entry(enters["when"], published, adopted) if enters else None
    verbs = [one for one in _APPLIES[language].finditer(text) if one["until"] or _when(one, entered)]
    applies: date | None = None
    parts: list[tuple[ProvisionId, date | None]] = []
    stages: list[tuple[ProvisionId, str]] = []
    start = 0
    for verb in verbs:
        begins = max((start, *(one.end() for one in _SEGMENT_END.finditer(text, start, verb.start()))))
        day, start = _when(verb, entered), _last_exception(text, verb.end(), language)
        if verb["until"] or day is None:
            continue
        if _WHOLE[language].search(text, begins, verb.start()):
            applies = applies or day
        else:
            named = list(_subjects(text, begins, verb.start(), places, day))
            parts += named
            if staged := _staged(text, begins, verb):
                stages += [(place, staged) for place, own in named if own is not None]
        parts += [(place, None) for at, place in places if verb.end() <= at < start]
    general = applies or entered
    dated = [(place, day or general) for place, day in parts]
    known = tuple((place, day) for place, day in dated if day is not None)
    return Commencement(entered, applies, known, tuple(stages))


def _staged(text: str, begins: int, verb: re.Match[str]) -> str:
    """The words of "shall apply from: (i) 2 December 2027 as regards …; and (ii) …", else ""."""
    opening = _STAGE.search(text, verb.start(), verb.end())
    if opening is None:
        return ""
    stages = _STAGES.match(text, opening.start())
    end = stages.end() if stages is not None else verb.end()
    return _LETTER.sub("", " ".join(text[begins:end].split())).rstrip(" ;.")


def _subjects(
    text: str, start: int, end: int, places: Sequence[tuple[int, ProvisionId]], day: date
) -> Iterator[tuple[ProvisionId, date | None]]:
    """The places before a verb; those after "with the exception of" keep the day of the act."""
    named = [(at, place) for at, place in places if start <= at < end]
    if not named or _OTHERS.search(text, start, end):
        return
    without = _EXCEPT.search(text, named[0][0], end)
    for at, place in named:
        yield place, None if without is not None and without.start() < at else day


def _last_exception(text: str, start: int, language: str) -> int:
    """Where the exceptions end that follow a verb and get no day of their own; the verb's end if none do."""
    stop = _SEGMENT_END.search(text, start)
    end = stop.start() if stop is not None else len(text)
    without = _EXCEPT.search(text, start, end)
    return start if without is None or _APPLIES[language].search(text, without.end(), end) else end


def _entry(when: str, published: date | None, adopted: date | None) -> date | None:
    written = re.search(DAY, when, re.I)
    if written is not None:
        return written_day(written)
    following = _FOLLOWING.search(when)
    if following is not None and published is not None:
        word = (following["word"] or "").casefold()
        days = int(following["figure"]) if following["figure"] else _ORDINALS.get(word)
        return published + timedelta(days=days) if days is not None else None
    if _ON_PUBLICATION.search(when):
        return published
    return adopted if _ON_ADOPTION.search(when) else None


def _when(verb: re.Match[str], entered: date | None) -> date | None:
    return entered if verb["entry"] else written_day(verb)


def written_day(found: re.Match[str]) -> date | None:
    """The date of a match of `DAY`; None where it is not a date."""
    try:
        return date(int(found["year"]), MONTHS.get(found["month"].casefold(), 0), int(found["day"]))
    except ValueError:
        return None
