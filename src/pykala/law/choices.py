"""Arguments that callers may give in several forms: a date or its text, one value or several."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime
from typing import TypeAlias

Day: TypeAlias = date | str
OneOrMany: TypeAlias = str | Sequence[str] | None
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


class InvalidDay(ValueError):
    """A text that is not a date."""


def day_told(text: str) -> date:
    """The date of a text such as "2019-12-31"; ValueError for weeks and other forms that Python reads too."""
    if not _DAY.fullmatch(text):
        raise ValueError(f"{text!r} is no date")
    return date.fromisoformat(text)


def as_day(value: Day) -> date:
    """A date: itself, the date of a moment, or a text such as "2019-12-31"."""
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    try:
        return day_told(value)
    except (ValueError, TypeError):
        raise InvalidDay(f"{value!r} is no date; write it as YYYY-MM-DD, such as 2019-12-31") from None


def as_many(*values: OneOrMany) -> tuple[str, ...]:
    """One or several values as a tuple without duplicates, in order; () for None."""
    listed = ([value] if isinstance(value, str) else value or () for value in values)
    return tuple(dict.fromkeys(value for some in listed for value in some))
