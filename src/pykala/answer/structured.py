"""An answer in typed form: the kind asked for, the words that answer, their citations, open parts.

A program that needs "ninety days" does not have to read a page of law. Everything is copied from the answer:
the short answer is the quote (or the first checked sentence of a draft), the figures are those of the quote,
and open parts are listed.
"""

from __future__ import annotations

import re
from typing import Final, TypeVar

from pykala.law.answers import Answer, Citation
from pykala.law.checks import Verdict
from pykala.law.validity import ALWAYS
from pykala.records import answers as records
from pykala.retrieve.holding import MONEY
from pykala.retrieve.kinds import Kind
from pykala.text.quantities import TIME, quantities

T = TypeVar("T", bound=records.Structured)
_KEY: Final = re.compile(r"\s*\[L\d{1,4}\]")
#: The units in which each kind of answer is given; other kinds have no figures.
_UNITS: Final = {
    Kind.PERIOD: TIME,
    Kind.AMOUNT: MONEY,
    Kind.RATE: frozenset({"percent"}),
}


def structured_record(answer: Answer) -> records.Structured:
    """The typed form; with one for each part where the question asks several things."""
    return _structured(records.Structured, answer)


def _structured(kind: type[T], answer: Answer) -> T:
    citations = list(
        {(one.key, one.start, one.end): one for claim in answer.claims for one in claim.citations}.values()
    )
    return kind.of(
        answer,
        short_answer=short_answer(answer),
        figures=_figures(answer, citations),
        citations=[_cited(one, answer) for one in citations],
        parts=[_structured(records.StructuredPart, one) for one in answer.parts],
    )


def short_answer(answer: Answer) -> str | None:
    """The first verified words that answer; each part of several questions has its own."""
    if answer.parts or not answer.outcome.quotes:
        return None
    checked = answer.verification.claims if answer.writer and answer.verification else ()
    held = next((one.claim.text for one in checked if one.verdict is Verdict.SUPPORTED), "")
    quoted = next((claim.text for claim in answer.claims), "")
    return _KEY.sub("", held or quoted or answer.text).strip() or None


def _figures(answer: Answer, citations: list[Citation]) -> list[records.Figure]:
    """Figures of the kind asked for, as written in the quote."""
    units = _UNITS.get(Kind(answer.kind)) if answer.kind else None
    if not units or answer.parts:
        return []
    return [
        records.Figure.of(one, words=cited.quote[one.start : one.end], key=cited.key)
        for cited in citations
        for one in quantities(cited.quote)
        if one.unit in units
    ]


def _cited(one: Citation, answer: Answer) -> records.StructuredCitation:
    shown = (*((answer.primary,) if answer.primary else ()), *(each.cited for each in answer.support))
    whole = next((each for each in shown if each.provision.contains(one.provision)), None)
    dates = whole.validity if whole else ALWAYS
    return records.StructuredCitation.of(one, valid_from=dates.start, valid_to=dates.end)
