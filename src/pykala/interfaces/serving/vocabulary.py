"""Words shared by requests and tools: the known jurisdictions, languages and kinds, and length limits."""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, StringConstraints, WithJsonSchema

from pykala.law.provisions import ProvisionKind, WorkKind
from pykala.packs.pack import installed

LONGEST_QUESTION = 4_000
LONGEST_TEXT = 200_000
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)

JURISDICTIONS = tuple(installed())
LANGUAGES = tuple(sorted({one for pack in installed().values() for one in pack.facts.languages}))
KINDS = tuple(sorted({kind.value for kinds in (WorkKind, ProvisionKind) for kind in kinds}))


def _one_of(known: tuple[str, ...], what: str) -> AfterValidator:
    def check(text: str) -> str:
        if text not in known:
            raise ValueError(f"{text!r} is not {what}; there are: {', '.join(known)}")
        return text

    return AfterValidator(check)


def _day(given: object) -> object:
    if isinstance(given, str) and not _DAY.fullmatch(given):
        raise ValueError("write a date as YYYY-MM-DD")
    if not isinstance(given, str | date) or isinstance(given, datetime):
        raise ValueError("write a date as a text, YYYY-MM-DD")
    return given


Jurisdiction = Annotated[
    str, _one_of(JURISDICTIONS, "a jurisdiction"), WithJsonSchema({"type": "string", "enum": JURISDICTIONS})
]
Language = Annotated[
    str, _one_of(LANGUAGES, "a language here"), WithJsonSchema({"type": "string", "enum": LANGUAGES})
]
Kind = Annotated[str, _one_of(KINDS, "a kind"), WithJsonSchema({"type": "string", "enum": KINDS})]
#: A day as YYYY-MM-DD and nothing else: a time, a number of seconds or a week is not accepted.
Day = Annotated[date, BeforeValidator(_day)]
#: At least one character that is not white space; the JSON schema says the same.
Words = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_QUESTION, pattern=r"\S")]
LongText = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_TEXT)]
