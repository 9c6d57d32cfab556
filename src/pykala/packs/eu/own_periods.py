"""Wordings that are for a period by their own words: "Cyprus may, until 31 December 2010, continue to …".

A text with an open end ("until 31 December 2010 or until the introduction of definitive arrangements") is for
no period that is known.
"""

from __future__ import annotations

import re
from datetime import date, timedelta

from .commencement import DAY, written_day

_FIRST = r"(?P<first>\d{1,2}(?:er)? \w+ \d{4})"
_GOES_ON = r"(?:,| and for| et pour|$)"
_PERIODS = {
    "en": (
        rf"(?:By way of derogation from [^,]{{1,80}}, )?(?:[\w’' -]{{3,40}} may,? )?until {DAY}{_GOES_ON}",
        rf"From {_FIRST} until {DAY}{_GOES_ON}",
        rf"[^.;:]{{10,400}}, until {DAY}\s?[;.]?$",
        rf"Articles? [^.;:]{{10,300}} shall continue to apply until {DAY}\.?$",
    ),
    "fr": (
        r"(?:Par dérogation à [^,]{1,80}, )?(?:[\w’' -]{3,40} peu(?:t|vent),? )?"
        rf"jusqu[’']au {DAY}{_GOES_ON}",
        rf"Du {_FIRST} au {DAY}{_GOES_ON}",
        rf"[^.;:]{{10,400}}, jusqu[’']au {DAY}\s?[;.]?$",
    ),
}
_PATTERNS = {
    language: tuple(re.compile(one, re.IGNORECASE) for one in patterns)
    for language, patterns in _PERIODS.items()
}
_UNTIL = {"en": "until ", "fr": "au "}
_DAY = re.compile(DAY, re.IGNORECASE)


def own_period(text: str, language: str) -> tuple[date | None, date | None]:
    """The first day of the period that a wording is for, where it says so, and the first day after it.

    >>> own_period("From 1 January 2022 until 31 December 2022, undertakings shall disclose …", "en")
    (datetime.date(2022, 1, 1), datetime.date(2023, 1, 1))
    """
    if _UNTIL[language] not in text.casefold():
        return None, None
    for pattern in _PATTERNS[language]:
        found = pattern.match(text)
        day = written_day(found) if found else None
        if found and day:
            begins = _DAY.match(found["first"]) if "first" in found.groupdict() else None
            return written_day(begins) if begins else None, day + timedelta(days=1)
    return None, None
