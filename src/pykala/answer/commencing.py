"""Find the words with which an act says when it enters into force: "comes into force on 1 May 2015"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from pykala.law.composition import compose
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import ProvisionKind
from pykala.stores.store import NotInForce, Store, StoredProvision, UnknownProvision
from pykala.text.dates import named_dates
from pykala.text.languages.known import alternatives, derived
from pykala.text.sentences import sentences

#: The most characters before such words: a sentence that only counts from that day has more ("three years
#: after the day on which …").
_BEFORE = 30
_AROUND = frozenset({ProvisionKind.ENACTING_CLAUSE, ProvisionKind.WORK, ProvisionKind.AMENDMENT})


@derived
def _commencing() -> re.Pattern[str]:
    """A pattern for words by which an act states its own entry into force, in any known language."""
    return re.compile(
        rf"(?:{alternatives('law.this')})\b[^.]{{0,80}}?(?:{alternatives('law.commences')})", re.IGNORECASE
    )


@dataclass(frozen=True, slots=True)
class Commencement:
    """A sentence on entry into force: its position in the provision's text, and its day."""

    stored: StoredProvision
    start: int
    end: int
    day: date | None


def commencing(work: WorkId, days: Sequence[date], language: str, store: Store) -> Commencement | None:
    """What an act says about its entry into force, on the first of some days on which it says so.

    A sentence that names the first of the days is preferred; None where the act says nothing.
    """
    for day in days:
        found = list(_sentences(work, day, language, store))
        if found:
            return next((one for one in found if one.day == days[0]), found[-1])
    return None


def _sentences(work: WorkId, day: date, language: str, store: Store) -> Iterator[Commencement]:
    try:
        root = store.provision(ProvisionId(work), as_of=day, language=language)
    except (UnknownProvision, NotInForce):
        return
    for node in root.provision.walk():
        own = node.versions[-1].text if node.versions else ""
        if node.kind in _AROUND or not _commencing().search(own):
            continue
        stored = store.provision(node.id, as_of=day, language=root.language)
        text = compose(stored.provision).text
        for start, end in sentences(text):
            said = _commencing().search(text[start:end].lstrip())
            if said and said.start() <= _BEFORE:
                named = [one.day for one in named_dates(text[start:end], today=day) if one.day]
                yield Commencement(stored, start, end, named[0] if named else None)
