"""Choose the date whose wording applies, once the provision is known.

"Before the reform" is before the latest change of that provision. A tax year is governed by the wording that
applies to it, which is not always the wording in force at the year's end. For example, a wording in force
since June 2019 may say "sovelletaan ensimmäisen kerran vuodelta 2020 toimitettavassa verotuksessa" (first
applied in the taxation of 2020): it does not apply to the taxes of 2019. A wording that entered into force in
2021 may apply to the taxes of 2020.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta

from pykala.graph.walk import section_of
from pykala.law.answers import Caveat, CaveatKind
from pykala.law.provisions import Provision, Version
from pykala.retrieve.question import Question
from pykala.stores.store import NotInForce, Store, StoredProvision
from pykala.text.dates import Precision, first_tax_year
from pykala.text.phrases import say
from pykala.versions.chains import last_day_before_change


@dataclass(frozen=True, slots=True)
class DatedQuestion:
    """The question on its date, the provision as it stood then, and the reason for the date."""

    question: Question
    primary: StoredProvision
    reason: str = ""
    caveats: tuple[Caveat, ...] = ()


def on_the_day_meant(question: Question, primary: StoredProvision, store: Store) -> DatedQuestion:
    """Move a question to the date that it means; unchanged where it names no such date."""
    named = question.named_date
    if named is None:
        return DatedQuestion(question, primary)
    if named.precision is Precision.BEFORE_CHANGE:
        return _before_change(question, primary, store)
    if named.precision is Precision.TAX_YEAR and named.year is not None:
        return _for_tax_year(question, primary, store, named.year)
    return DatedQuestion(question, primary)


def _before_change(question: Question, primary: StoredProvision, store: Store) -> DatedQuestion:
    provision = primary.provision.id
    day = None
    for place in dict.fromkeys((provision, section_of(provision))):
        day = day or last_day_before_change(store.chain(place, language=primary.language), question.as_of)
    earlier = _standing(primary, day, store) if day is not None else None
    if day is None or earlier is None:
        message = say(question.language, "caveat.no_earlier_wording")
        return DatedQuestion(
            question, primary, message, (Caveat(CaveatKind.HISTORY_UNAVAILABLE, provision, message),)
        )
    changed, said = day + timedelta(days=1), question.named_date.text if question.named_date else ""
    reason = say(question.language, "day.last_change", text=said, changed=changed, day=day)
    return DatedQuestion(_moved(question, day), earlier, reason)


def _for_tax_year(question: Question, primary: StoredProvision, store: Store, year: int) -> DatedQuestion:
    chain = store.chain(primary.provision.id, language=primary.language)
    found = _day_for(chain, question.as_of, year)
    if found is None:
        return DatedQuestion(question, primary)
    day, version = found
    shown = _standing(primary, day, store)
    if not version.validity.covers(question.as_of):
        key, named_day = "caveat.applied_back", day
    else:
        key, named_day = "caveat.not_yet_applied" if shown else "caveat.not_yet_applied_alone", question.as_of
    first = str(first_tax_year(version.application))
    message = say(question.language, key, day=named_day, year=first, words=version.application)
    caveats = (Caveat(CaveatKind.APPLICATION, primary.provision.id, message),)
    if shown is None:
        return DatedQuestion(question, primary, message, caveats)
    return DatedQuestion(_moved(question, day), shown, message, caveats)


def _day_for(chain: Provision, as_of: date, year: int) -> tuple[date, Version] | None:
    """A day whose wording applies to a tax year, and the version that says so; None: keep the given date."""
    not_yet_applied = [
        (version.validity.start - timedelta(days=1), version)
        for version, first in _with_first_year(chain)
        if version.validity.start and version.validity.covers(as_of) and first > year
    ]
    applied_back = [
        (version.validity.start, version)
        for version, first in _with_first_year(chain)
        if version.validity.start and as_of < version.validity.start and first <= year
    ]
    if not_yet_applied:
        return min(not_yet_applied, key=lambda found: found[0])
    return max(applied_back, key=lambda found: found[0], default=None)


def _with_first_year(chain: Provision) -> Iterator[tuple[Version, int]]:
    for node in chain.walk():
        for version in node.versions:
            first = first_tax_year(version.application) if version.application else None
            if first is not None and not version.validity.is_pending:
                yield version, first


def _standing(primary: StoredProvision, day: date, store: Store) -> StoredProvision | None:
    try:
        stored = store.provision(primary.provision.id, as_of=day, language=primary.language)
    except NotInForce:
        return None
    return None if stored.missing else stored


def _moved(question: Question, day: date) -> Question:
    return replace(question, as_of=day, filter=replace(question.filter, as_of=day))
