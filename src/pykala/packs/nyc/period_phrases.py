"""Periods in the words of the code: "for taxable years beginning after two thousand two and before …".

A clause names what it counts (taxable years, a period, conveyances made) and then its bounds. Words apply
only in a period if a clause opens them and every clause in them has an end: "For tax years ending on or
before May thirty-first, 1980 …; for tax years beginning after that day …" applies at all times.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from .numerals import SMALL, value_of

Bounds = tuple[date | None, date | None]  # the first day, and the first day after
UNBOUNDED: Bounds = (None, None)

_MONTHS = {
    "january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7, "august": 8,
    "september": 9, "october": 10, "november": 11, "december": 12,
}  # fmt: skip
_ORDINALS = {
    word: day
    for day, word in enumerate(
        (
            "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
            "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth",
            "eighteenth", "nineteenth", "twentieth", "twenty-first", "twenty-second", "twenty-third",
            "twenty-fourth", "twenty-fifth", "twenty-sixth", "twenty-seventh", "twenty-eighth",
            "twenty-ninth", "thirtieth", "thirty-first",
        ),
        start=1,
    )
}  # fmt: skip
_NAMED = "|".join(_MONTHS)
_WORD = r"[a-z]+(?:-[a-z]+)?"
_AFTER_HUNDRED = rf"(?: (?={'|'.join(SMALL)}){_WORD})?"
_WHEN = (
    rf"(?:(?P<m>{_NAMED}) (?P<d>{_WORD}|\d{{1,2}}),? ?"
    rf"|the (?P<d2>{_WORD})(?: day)? of (?P<m2>{_NAMED})(?:,| in the year) )?"
    rf"(?P<y>\d{{4}}\b|(?:nineteen hundred|two thousand){_AFTER_HUNDRED})"
)
_UNIT = (
    r"(?:(?P<kind>tax|taxable|calendar|fiscal|privilege|annual vault charge) )?(?:years?|periods?)"
    r"(?: or periods?)?"
)
#: What is counted, up to its bounds: "for each of its taxable years, or any part thereof, beginning …".
_COUNTED = re.compile(
    r"\b(?:of each year, (?=beginning with the year)"
    r"|(?:for|with (?:respect|regard) to|during)(?: with respect to)?(?: the portion of)?"
    r" (?:each |any |all |the )?"
    rf"(?:of its |taxpayer's )?(?:{_UNIT}|amnesty program)(?:, or any part thereof,)?"
    r"(?: (?:included|embraced) within the period)?,? (?=beginning|commencing|ending|prior to))",
    re.I,
)
#: The years of the contract bound what is made under it: "or made in performance of a contract … executed …".
_PERFORMED = (
    r", or made in performance of a contract therefor executed (?:during such period|before such date)\b"
)
_MADE = re.compile(
    r"(?:[^;.(]|\([^)]{0,40}\)){0,200}?\b"
    rf"(?=made on or after|made (?:before|prior to) [a-z, -]{{5,60}}?{_PERFORMED})",
    re.I,
)
#: The first line of a table whose rows each name their years: "For taxable years beginning:".
_YEARS_BELOW = re.compile(r"For taxable years beginning:", re.I)
_ROW_OF_YEARS = re.compile(r"in (?P<first>\d{4})(?: ?[-–] ?(?P<last>\d{4}))?(?: {2,}|\t|$)", re.I)
#: Mortgages keep the tax of their years: "recorded on or after … and before …, is hereby imposed".
_RECORDED = re.compile(
    r"[^;.]{0,900}?\b(?=recorded on or after [^;.]{0,120}?, is hereby imposed on each)", re.I
)
_ROLLS = re.compile(r"^For (?:the )?final assessment rolls? to be (?=completed (?:prior to|in))", re.I)
#: A tax of licences that end in a window: "the license for which expires on or after … and before …".
_LICENSED = re.compile(
    r"[^;.(]{0,200}?\b(?:the license for which|whose license) expires (?=on or after)", re.I
)
#: "assessment rolls completed from two thousand fourteen through two thousand twenty".
_COMPLETED = re.compile(
    r"assessment rolls? completed (?:for (?:any|each) (?:of the |given )?years? )?(?:from|in|between)"
    rf" {_WHEN}"
    rf"(?: (?:through|to|and|or) (?P<until>\d{{4}}\b|(?:nineteen hundred|two thousand){_AFTER_HUNDRED}))?",
    re.I,
)
_ANY_YEAR = re.compile(rf"\b(?:\d{{4}}\b|(?:nineteen hundred|two thousand){_AFTER_HUNDRED})", re.I)
_PIECE = re.compile(
    r"(?P<join>,? ?(?:and |but )?)(?P<verb>beginning|commencing|ending|made|recorded|completed)?"
    r"(?P<how> ?(?:on or after|on and after|or after|and after|after|on or before|before|prior to|in or with"
    rf"|in|with|on|until and including|until))?(?: ?the (?:calendar )?year)?,? ?{_WHEN}",
    re.I,
)
_FROM_UNTIL = re.compile(
    rf"(?:As of|On (?:and|or) after) {_WHEN},? (?=(?:and |but )?(?:until|before|prior to))", re.I
)
#: What could be asked for in a time alone: "Application … may be made … continuing until June 30, 2008".
_WINDOW = re.compile(
    r"Applications? for [^.;]{0,260}? continuing (?=until)"
    r"|(?:Notwithstanding [^.;,]{0,80}, )?there is hereby established a [^.;,]{0,40}amnesty program,"
    r" (?=beginning)",
    re.I,
)
_RECEIVED = re.compile(rf"for gross income received[^,.;]{{0,60}} from {_WHEN},? (?=until)", re.I)
#: What may stand before the clause that opens a text.
_BEFORE = re.compile(
    r"(?:[A-Z][^.:;,]{0,110}\. )?"  # a caption: "Rate of tax. For taxable years …"
    r"(?:Notwithstanding [^.;]{0,130}, )?(?:The tax |A tenant whose base rent )?"
    r"(?:In lieu of [^.;,]{0,130}, if the taxpayer [^.;,]{0,60} )?"  # an election for certain years
    r"(?:Every taxpayer, on or before [a-z]+ [a-z-]+ )?"
    # What was chosen or kept for certain years: "a corporation … shall continue to be taxable under …".
    r"(?:If [^.;:]{0,450}, the taxpayer may make a one-time election to continue to [^.;,]{0,60} )?"
    r"(?:a corporation that was [^.;]{0,260}, shall continue to be taxable under [a-z ]{0,60} )?"
    r"(?:(?:[^.;:(]{0,260},? )?(?:is|are) (?:hereby )?(?:annually )?imposed (?:on every [a-z ]{1,40})?)?",
    re.I,
)
#: "by or for every partnership, for taxable years beginning … before 2009, having gross income …".
_INSERTED = re.compile(r"(?:by or for every|In the case of) [^.;:]{0,260}, (?:the taxpayer's )?", re.I)
_CAPTION = re.compile(r"[A-Z][a-z ]{1,60} ")  # "Returns for taxable years ending prior to …. With respect …"
_LATER = re.compile(r"(?:beginning|commencing) (?:on (?:or|and) )?after\b", re.I)  # "… after that day"
_GOES_ON = re.compile(r",? (?:having|the amount)\b")
_ONLY = re.compile(
    r"(?:This|The credit allowed (?:under|by) this) (?P<unit>subdivision|paragraph|subparagraph|section)"
    r"(?: shall)?(?: only)? (?:shall |be allowed |apply |only )*(?:to|for) ",
    re.I,
)
#: "This subdivision shall not apply to any fiscal year beginning on or after July first, two thousand five."
_NO_LONGER = re.compile(
    r"\bThis (?P<unit>subdivision|paragraph|subparagraph|section) shall not apply to (?:any )?"
    rf"{_UNIT} (?:beginning|commencing) (?:(?P<on>on or after)|after) {_WHEN}\.",
    re.I,
)
#: "Provided, however, that the tax hereby imposed shall not be imposed after November thirtieth, 2026".
_NOT_IMPOSED = re.compile(
    rf"the tax hereby imposed shall not be imposed after {_WHEN}(?:\.|,[^.;]{{0,100}}? specified in "
    r"(?P<unit>paragraph) (?P<number>[a-z]+) of this subdivision\b)",
    re.I,
)
#: The heading of a table: "Annual Income as of July 1, 2008".
_AS_OF = re.compile(rf"(?P<what>[A-Z][A-Za-z ]{{1,60}}) as of {_WHEN}", re.I)
_EXPIRED = re.compile(
    r"\*? ?Editor['’]s note: the local law that added this (?:division|subdivision|paragraph|section)\b"
    r"[^.;]{0,60} expired on (?P<m>\d{1,2})/(?P<d>\d{1,2})/(?P<y>\d{4})"
)
_CEASED = re.compile(
    r"no (?:[a-z]+ ){0,6}?(?:tax|(?:sur)?charge) shall be imposed pursuant to this"
    rf" (?P<unit>chapter|subchapter|part) (?:for any {_UNIT} ending after|(?P<on>on or after)|after) {_WHEN}",
    re.I,
)
#: "shall pay annually … on June twentieth of each year until and including June twentieth, 1981, a tax".
_TAXED_UNTIL = re.compile(
    rf"shall pay (?:annually )?[^.;]{{0,160}}? until (?P<including>and including )?{_WHEN}, a tax\b", re.I
)

#: A section that grants something for a period contains only the conditions of that grant.
_GRANT = re.compile(
    r"\ba rebate\b|shall grant a (?:partial )?abatement\b"
    r"|shall be authorized and empowered to make and execute agreements"
)
_ELECTION = re.compile(r"\bmay make a one-time election to continue\b")
_MONTH = re.compile(rf"Special rule for the month of (?P<m>{_NAMED}), (?P<y>[a-z -]+?)\.", re.I)
_TAXED = re.compile(r"The tax imposed by section \d+-\d+(?:\.\d+)? of this part is imposed for")


@dataclass(slots=True)
class _Clause:
    """One clause with its bounds, and where it stands."""

    start: int
    end: int
    first: date | None = None
    last: date | None = None  # the first day after


def period(text: str) -> Bounds:
    """The first day of the period that words are for, and the first day after it; None: no bound.

    >>> period("For each taxable year beginning in nineteen hundred ninety-six:")
    (datetime.date(1996, 1, 1), datetime.date(1997, 1, 1))
    """
    if (month := _MONTH.match(text)) is not None and (year := value_of(month["y"])):
        begins = date(year, _MONTHS[month["m"].casefold()], 1)
        return begins, (begins + timedelta(days=31)).replace(day=1)
    clauses = list(_clauses(text))
    if not clauses or not _opens(text, clauses[0]):
        return UNBOUNDED
    lasts = [clause.last for clause in clauses if clause.last]
    firsts = [clause.first for clause in clauses if clause.first]
    last = max(lasts) if len(lasts) == len(clauses) else None
    first = min(firsts) if len(firsts) == len(clauses) else None
    # A slip in the code ("after nineteen hundred eighty-ninety but before nineteen hundred ninety-nine").
    return (None if first and last and last <= first else first), last


def only_for(text: str) -> tuple[str, Bounds]:
    """The unit that words limit to certain years, and those years: "This paragraph shall only apply to …"."""
    found = _ONLY.match(text)
    if found is None or " only " not in found[0]:
        return "", UNBOUNDED
    clauses = list(_clauses(f"for {text[found.end() :]}"))
    if not clauses or clauses[-1].last is None:
        return "", UNBOUNDED
    return found["unit"].casefold(), (clauses[0].first, clauses[-1].last)


def no_longer(text: str) -> tuple[str, date | None]:
    """The unit that words end for years from a day on: "This subdivision shall not apply to any … year …"."""
    found = _NO_LONGER.search(text)
    day = _day(found) if found else None
    if found is None or day is None:
        return "", None
    return found["unit"].casefold(), _first(day, "" if found["on"] else "after", year_only=False)


def not_imposed(text: str) -> tuple[int | None, date | None]:
    """The first day without "the tax hereby imposed", and the paragraph of which alone this is said."""
    found = _NOT_IMPOSED.search(text)
    day = _day(found) if found else None
    if found is None or day is None:
        return None, None
    return value_of(found["number"]) if found["number"] else None, day + timedelta(days=1)


def expired(note: str) -> date | None:
    """The first day after the law that added what an editor's note stands below."""
    found = _EXPIRED.match(note)
    try:
        return date(int(found["y"]), int(found["m"]), int(found["d"])) + timedelta(days=1) if found else None
    except ValueError:
        return None


def counted_as_of(table: str) -> tuple[str, date | None]:
    """What a table counts, and as of which day: ("Annual Income", 2008-07-01)."""
    found = _AS_OF.match(table)
    day = _day(found) if found else None
    return (found["what"], day) if found and day else ("", None)


def years_of_rows(table: str) -> Bounds:
    """The years of a table each row of which begins with its own: "in 2007 - 2008               $290"."""
    opening, *rows = table.strip().split("\n")
    found = [_ROW_OF_YEARS.match(row.strip()) for row in rows if row.strip()]
    if not found or not _YEARS_BELOW.match(opening):
        return UNBOUNDED
    told = [one for one in found if one is not None]
    if len(told) < len(found):
        return UNBOUNDED  # "in 2016 and after" goes on
    years = [int(one["last"] or one["first"]) for one in told]
    return date(min(int(one["first"]) for one in told), 1, 1), date(max(years) + 1, 1, 1)


def opens_only(text: str) -> bool:
    """Whether words say nothing without what stands below them: "at the rate of one per cent of –"."""
    return text.rstrip().endswith((":", "–", "—"))


def taxes_of_part(text: str) -> bool:
    """Whether words date a whole part: "The tax imposed by section 11-612 of this part is imposed for …"."""
    return _TAXED.match(text) is not None


def grants(text: str) -> bool:
    """Whether the first words of a section grant what the rest of it is about."""
    return _GRANT.search(text) is not None


def elects(text: str) -> bool:
    """Whether the first words of a unit give the election that the rest of it is about."""
    return _ELECTION.search(text) is not None


def rolls_counted(words: str) -> date | None:
    """The first day after the year of the last assessment roll that a section speaks of; None if it goes on.

    A roll that is completed in May counts for the fiscal year from July on. Nothing is left of a section that
    counts rolls "from two thousand fourteen through two thousand twenty" and names no later year.
    """
    found = list(_COMPLETED.finditer(words))
    years = [value for one in _ANY_YEAR.finditer(words) if (value := _year(one[0]))]
    lasts = [value for one in found if one["until"] and (value := _year(one["until"]))]
    if not lasts or max(years) > max(lasts):
        return None
    return date(max(lasts) + 1, 7, 1)


def _year(words: str) -> int | None:
    return int(words) if words.isdecimal() else value_of(words.casefold())


def ceased(text: str) -> tuple[str, date | None]:
    """The unit that imposes no tax any more, a chapter or a part of one, and the first day without it."""
    found = _CEASED.search(text)
    day = _day(found) if found else None
    if found is None or day is None:
        return "", None
    return found["unit"].casefold(), day if found["on"] else day + timedelta(days=1)


def taxed_until(text: str) -> date | None:
    """The first day without a tax that is to be paid each year "until and including" a day."""
    found = _TAXED_UNTIL.search(text)
    day = _day(found) if found else None
    return day + timedelta(days=1) if found and day and found["including"] else day


def _opens(text: str, clause: _Clause) -> bool:
    if _BEFORE.fullmatch(text, 0, clause.start):
        return True
    if text[clause.end : clause.end + 2] in (".", ". ") and _CAPTION.fullmatch(text, 0, clause.start):
        return True
    inserted = clause.last is not None and _GOES_ON.match(text, clause.end)
    return bool(inserted and _INSERTED.fullmatch(text, 0, clause.start))


def _clauses(text: str) -> Iterator[_Clause]:
    if (since := _FROM_UNTIL.match(text) or _RECEIVED.match(text)) is not None:
        clause = _bounds(text, since.end(), _Clause(0, since.end(), _day(since)), "period")
        if clause.last is not None:
            yield clause
        return
    if (
        made := _WINDOW.match(text)
        or _MADE.match(text)
        or _RECORDED.match(text)
        or _ROLLS.match(text)
        or _LICENSED.match(text)
    ) is not None:
        clause = _bounds(text, made.end(), _Clause(0, made.end()), "period")
        if clause.last is not None and not re.match(rf"(?!{_PERFORMED}), or made\b", text[clause.end :]):
            yield clause
        return
    for counted in _COUNTED.finditer(text):
        kind = (counted["kind"] or "period").casefold()
        clause = _bounds(text, counted.end(), _Clause(counted.start(), counted.end()), kind)
        if clause.end == counted.end() and not _LATER.match(text, clause.end):
            continue  # "the fiscal year ending on the preceding June thirtieth" names no day
        if clause.first and clause.last is None and re.search(r"the \w+ year ", counted[0]):
            clause.last = _year_later(clause.first)  # "for the tax year beginning on June 1, 2022"
        yield clause


def _bounds(text: str, position: int, clause: _Clause, kind: str) -> _Clause:
    """Read the bounds that follow: "beginning on or after … and before …", "in 2019 and 2020"."""
    verb, how = "", ""
    years: list[int] = []
    while (piece := _PIECE.match(text, position)) is not None:
        verb = (piece["verb"] or verb).casefold()
        listed = not piece["verb"] and not piece["how"]
        if listed and not (years and how == "in"):
            break
        how = how if listed else (piece["how"] or "").strip().casefold()
        if (day := _day(piece)) is None:
            break
        year_only = not (piece["m"] or piece["m2"])
        if how in ("in", "in or with", "with"):
            years.append(day.year)
            clause.first = clause.first or (day if verb != "ending" else None)
            clause.last = date(day.year + 1, 1, 1)
        elif (
            how in ("before", "prior to", "on or before", "until", "until and including") or verb == "ending"
        ):
            clause.last = _last(day, verb, how, kind, clause, year_only=year_only) or clause.last
        else:
            first = _first(day, how, year_only=year_only)
            clause.first = min(clause.first, first) if clause.first else first
        position = clause.end = piece.end()
    return clause


def _year_later(day: date) -> date:
    return date(day.year + 1, day.month, min(day.day, 28) if day.month == 2 else day.day)


def _first(day: date, how: str, *, year_only: bool) -> date:
    if how != "after":
        return day
    return date(day.year + 1, 1, 1) if year_only else day + timedelta(days=1)


def _last(day: date, verb: str, how: str, kind: str, clause: _Clause, *, year_only: bool) -> date | None:
    if how in ("on or after", "or after", "after", "on and after", "and after"):
        return None  # years that end after a day go on
    if how not in ("before", "prior to"):
        return date(day.year + 1, 1, 1) if year_only else day + timedelta(days=1)
    begins = verb in ("beginning", "commencing")
    if not begins or kind == "period" or (day.month, day.day) == (1, 1):
        return day
    if kind == "tax" and clause.first is not None:
        # Tax years of the city begin on one day of the year: the last one that begins before the bound
        # counts.
        turned = clause.first.replace(year=day.year)
        return turned if turned >= day else turned.replace(year=day.year + 1)
    # A taxable year that begins before July first, 2019 may be the calendar year 2019.
    return date(day.year + 1, 1, 1)


def _day(found: re.Match[str]) -> date | None:
    month = _MONTHS[(found["m"] or found["m2"] or "january").casefold()]
    written = (found["d"] or found["d2"] or "first").casefold()
    words = found["y"]
    try:
        year = int(words) if words.isdecimal() else value_of(words)
        return date(year or 0, month, int(written) if written.isdecimal() else _ORDINALS[written])
    except (ValueError, KeyError):
        return None
