"""Days counted from the day on which an instrument was registered or assented to, or came into force.

"on the 90th day after the day on which they are registered", "on the first anniversary of the day on which
it comes into force", "the day that, in the sixth month after the month in which they are registered, has the
same calendar number as the day on which they are registered". Where the words count from another day, which
the file does not tell (that of the Canada Gazette), there is none.
"""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date, timedelta

_ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8,
    "ninth": 9, "tenth": 10, "twelfth": 12, "fifteenth": 15, "eighteenth": 18, "twentieth": 20,
    "thirtieth": 30,
}  # fmt: skip
_COUNTED = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "twelve": 12, "eighteen": 18, "thirty": 30, "sixty": 60, "ninety": 90,
}  # fmt: skip
_ORDINAL = rf"(?P<ordinal>{'|'.join(_ORDINALS)}|\d{{1,3}} ?(?:st|nd|rd|th))"
_COUNT = rf"(?P<count>{'|'.join(_COUNTED)}|\d{{1,3}})"
_WHO = r"(?:they|it|(?:this|these) \w+)"
_MADE = (
    rf"(?:the (?:day|date) (?:on which|that) {_WHO} (?:(?:is|are) (?:registered|assented to)"
    r"|receives? royal assent)|the (?:day|date) of (?:their|its) registration)"
)
_BEGUN = rf"(?:the day on which {_WHO} comes? into force)"
_FORMS = (
    rf"the {_ORDINAL} (?P<unit>anniversary) of DAY",
    rf"the {_ORDINAL} (?P<unit>day) after DAY",
    rf"(?:the day that is )?{_COUNT} (?P<unit>day|month|year)s? after DAY",
)
_CALENDAR = (
    rf"the day that, in the {_ORDINAL} (?P<unit>month) after the month in which {_WHO} (?:is|are) registered,"
    r" has the same calendar number",
    rf"the (?P<unit>first day of the month) (?:following|after) the month in which {_WHO} (?:is|are)"
    r" registered",
)
_FROM_MADE = tuple(re.compile(form.replace("DAY", _MADE), re.I) for form in (*_FORMS, *_CALENDAR))
_FROM_BEGUN = tuple(re.compile(form.replace("DAY", _BEGUN), re.I) for form in _FORMS)


def counted_from_making(words: str, made: date | None) -> date | None:
    """The day that words count from the registration of an instrument, or from royal assent."""
    return _counted(words, made, _FROM_MADE)


def counted_from_beginning(words: str, begun: date | None) -> date | None:
    """The day that words count from the day on which an instrument came into force."""
    return _counted(words, begun, _FROM_BEGUN)


def _counted(words: str, day: date | None, forms: tuple[re.Pattern[str], ...]) -> date | None:
    if day is None:
        return None
    for form in forms:
        if (found := form.match(words)) is not None:
            return _after(day, found)
    return None


def _after(day: date, found: re.Match[str]) -> date | None:
    unit, told = found["unit"].casefold(), found.groupdict()
    if unit == "first day of the month":
        return _months_later(day.replace(day=1), 1)
    number = _number(told.get("ordinal") or told.get("count") or "")
    match unit:
        case "day":
            return day + timedelta(days=number)
        case "month":
            return _months_later(day, number)
        case _:
            return _months_later(day, 12 * number)


def _number(word: str) -> int:
    word = word.casefold()
    return _ORDINALS.get(word) or _COUNTED.get(word) or int(re.sub(r"\D", "", word))


def _months_later(day: date, months: int) -> date:
    years, month = divmod(day.month - 1 + months, 12)
    year = day.year + years
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))
