"""Find the words that repeal an act: "Directive 95/46/EC is repealed with effect from 25 May 2018"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from pykala.answer.figures import figures
from pykala.law.composition import compose
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.references import Direction, EdgeKind, EdgesWanted
from pykala.stores.store import Store, StoredProvision, Wording
from pykala.text.languages.known import NOTHING, derived, language_of
from pykala.text.sentences import sentences


@dataclass(frozen=True, slots=True)
class Repeal:
    """The sentence that repeals an act, and whether it leaves the day to another rule."""

    stored: StoredProvision
    start: int
    end: int
    leaves_day_open: bool


@derived
def _deferring(code: str) -> re.Pattern[str]:
    language = language_of(code)
    words = language.text("acts.repealed_from") if language else ""
    return re.compile(rf"(?<!\w)(?:{words or NOTHING})(?!\w)", re.IGNORECASE)


def repealing(work: WorkId, day: date, language: str, store: Store) -> Repeal | None:
    """The words that repeal a whole act, as they stood on the day it ended; None where none are known."""
    root = ProvisionId(work)
    (edges,) = store.edges_of([EdgesWanted.of([root], [EdgeKind.REPEALS], Direction.IN)])
    named = {edge.text: edge.source for edge in edges if edge.target == root and edge.source.path}
    wanted = [Wording(source, day, language) for source in dict.fromkeys(named.values())]
    for stored in store.provisions(wanted) if wanted else ():
        if isinstance(stored, StoredProvision):
            names = [name for name, source in named.items() if source == stored.provision.id]
            if found := next(_sentences(stored, names), None):
                return found
    return None


def _sentences(stored: StoredProvision, names: list[str]) -> Iterator[Repeal]:
    """The sentences of a provision that have one of some names."""
    text = compose(stored.provision).text
    for start, end in sentences(text):
        words = text[start:end]
        if any(name in words for name in names):
            deferred = _deferring(stored.language).search(words) is not None
            yield Repeal(stored, start, end, deferred and not figures(words).days)
