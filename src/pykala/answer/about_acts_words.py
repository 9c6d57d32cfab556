"""Days, periods and numbers of things, as answers about acts say them in the reader's language."""

from __future__ import annotations

from datetime import date

from pykala.text.phrases import LANGUAGES, say

_MONTHS = {
    "en": "January February March April May June July August September October November December",
    "sv": "januari februari mars april maj juni juli augusti september oktober november december",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
}


def acts_counted(number: int, language: str) -> str:
    """A number of acts: "1 act", "12 acts"."""
    return say(language, "acts.acts", count=number)


def provisions_counted(number: int, language: str) -> str:
    """A number of provisions: "1 provision", "12 provisions"."""
    return say(language, "acts.provisions", count=number)


def day_words(day: date, language: str) -> str:
    """A day as people write it: 1 January 1993, 1.1.1993, 1er janvier 1993."""
    if language == "fi":
        return f"{day.day}.{day.month}.{day.year}"
    month = _MONTHS.get(language, _MONTHS[LANGUAGES[0]]).split()[day.month - 1]
    number = "1er" if language == "fr" and day.day == 1 else str(day.day)
    return f"{number} {month} {day.year}"


def period_words(since: date, until: date, language: str) -> str:
    """A period: "in 2023", "2020–2022"."""
    if since.year == until.year:
        return say(language, "period.year", year=str(since.year))
    return say(language, "period.years", since=str(since.year), until=str(until.year))
