"""Days, periods and counts in the reader's language, for answers about acts."""

from __future__ import annotations

from datetime import date

from pykala.text.languages.known import language_of
from pykala.text.phrases import LANGUAGES, say


def acts_counted(number: int, language: str) -> str:
    """A number of acts: "1 act", "12 acts"."""
    return say(language, "acts.acts", count=number)


def provisions_counted(number: int, language: str) -> str:
    """A number of provisions: "1 provision", "12 provisions"."""
    return say(language, "acts.provisions", count=number)


def day_words(day: date, language: str) -> str:
    """A day as people write it: 1 January 1993, 1.1.1993, 1er janvier 1993."""
    known = language_of(language) or language_of(LANGUAGES[0])
    months = known.words("dates.months_written") if known else ()
    if known is None or not months:
        return f"{day.day}.{day.month}.{day.year}"
    number = known.text("dates.first_day") if day.day == 1 else ""
    return f"{number or day.day} {months[day.month - 1]} {day.year}"


def period_words(since: date, until: date, language: str) -> str:
    """A period: "in 2023", "2020–2022"."""
    if since.year == until.year:
        return say(language, "period.year", year=str(since.year))
    return say(language, "period.years", since=str(since.year), until=str(until.year))
