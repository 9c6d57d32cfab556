"""Outcomes, dates and grades as text in the reader's language."""

from __future__ import annotations

import re
from typing import Literal

from pykala.law.answers import Answer, CitedProvision, Outcome, StrategyName
from pykala.law.grades import ANSWERED_FROM, HIGHEST, LIKELY_FROM, shown_grade
from pykala.law.validity import Validity
from pykala.text.languages.known import derived, item_letters
from pykala.text.phrases import LANGUAGES, decimal, say

CERTAIN = HIGHEST
ABOUT_ACTS = StrategyName.ABOUT_ACTS  # the strategy of answers about acts themselves
_ENDS = frozenset('.!?;”»"]')  # a whole rule ends with one of these, the opening of a list does not
_LONGEST_OPENING = 400  # characters
_POSSIBLE_FROM = 2.0  # one in five
_LEVELS = (
    (CERTAIN, "certain"),
    (ANSWERED_FROM, "very_likely"),
    (LIKELY_FROM, "likely"),
    (_POSSIBLE_FROM, "possible"),
    (0.0, "unlikely"),
)


def grade_in_words(grade: float, spoken: str = LANGUAGES[0]) -> str:
    """The probability of a provision: "very likely right (9.3)"."""
    level = next(name for least, name in _LEVELS if grade >= least or least == 0.0)
    return say(spoken, f"grade.{level}", grade=decimal(spoken, shown_grade(grade)))


_LAW_OF = {
    "shown": ("shown.law_on", "shown.law_on_known", "shown.law_known", "shown.upload_on", "shown.law_later"),
    "prose": ("prose.law_on", "prose.law_on_known", "prose.law_known", "prose.upload_on", "prose.law_later"),
}


def law_in_words(answer: Answer, spoken: str, where: Literal["shown", "prose"]) -> str:
    """The date of the law that an answer gives, for a terminal ("shown") or a chat ("prose").

    A wording is not called "in force" on a date after the day to which the law is known, nor before its own
    start.
    """
    unknown, on_the_day, beyond, upload, later = _LAW_OF[where]
    known = answer.current_to
    if answer.from_upload:
        return say(spoken, upload, day=answer.as_of)
    start = answer.primary.validity.start if answer.primary else None
    if start is not None and answer.is_later:
        return say(spoken, later, day=answer.as_of, start=start)
    if known is None:
        return say(spoken, unknown, day=answer.as_of)
    return say(spoken, beyond if answer.is_beyond else on_the_day, day=answer.as_of, known=known)


def whence_in_words(cited: CitedProvision, spoken: str = LANGUAGES[0]) -> str:
    """When a provision was adopted, came into force and applies, where these days differ."""
    if cited.in_force is None or cited.validity.start is None:
        return dates_in_words(cited.validity, spoken)
    phrases = [say(spoken, "shown.adopted", day=cited.adopted)] if cited.adopted else []
    start, end = cited.validity.start, cited.validity.end
    phrases.append(say(spoken, "shown.entered", day=cited.in_force))
    if end is None:
        phrases.append(say(spoken, "shown.applies", start=start))
    else:
        phrases.append(say(spoken, "shown.applies_until", start=start, end=end))
    return ", ".join(phrases)


def dates_in_words(validity: Validity, spoken: str = LANGUAGES[0]) -> str:
    """The dates of a wording: "in force from 2015-05-01"."""
    if validity.is_pending:
        return say(spoken, "shown.not_yet_in_force")
    if validity.start and validity.end:
        return say(spoken, "shown.from_until", start=validity.start, end=validity.end)
    if validity.start:
        return say(spoken, "shown.from", start=validity.start)
    return say(spoken, "shown.until", end=validity.end) if validity.end else say(spoken, "shown.undated")


def standing_in_words(cited: CitedProvision, spoken: str = LANGUAGES[0]) -> str:
    """The dates of a provision; for an upload, that it is not law."""
    return say(spoken, "shown.upload") if cited.is_upload else whence_in_words(cited, spoken)


def outcome_in_words(answer: Answer) -> str:
    """The outcome; where a user's own document answers, that it is not law."""
    if answer.from_upload:
        return say(answer.language, "outcome.UPLOAD")
    unknown = answer.outcome is Outcome.SILENT and answer.strategy == ABOUT_ACTS
    # "Not known" means the library: the law cannot be silent about its own acts.
    return say(answer.language, "outcome.not_known" if unknown else f"outcome.{answer.outcome.value}")


@derived
def _item() -> re.Pattern[str]:
    """How an item of a list begins."""
    letters = rf"[{item_letters()}]{{1,2}}"
    return re.compile(
        rf"\s*(?:\(?(?:{letters}|[ivx]{{1,5}}|\d{{1,3}}(?:\.\d{{1,2}})?)[.)]|[–—•-])\s", re.IGNORECASE
    )


def list_opening(text: str, start: int) -> str:
    """The words that open the list in which a quote stands, where it begins further down.

    Point (f) alone is no rule without "The following practices shall be prohibited:". Only items stand
    between the opening and the quote; another subsection is no part of the list.
    """
    first, *lines = text[:start].split("\n")
    rest_of_line = text[start:].partition("\n")[0]
    if not lines or len(first) > _LONGEST_OPENING or first.rstrip()[-1:] in _ENDS:
        return ""
    lines[-1] += rest_of_line
    return first if all(_item().match(line) for line in lines if line.strip()) else ""
