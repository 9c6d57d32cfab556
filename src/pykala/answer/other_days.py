"""Caveats where the law that fits the question has no wording on the day asked about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from pykala.answer.cite import cited
from pykala.law.answers import Caveat, CaveatKind, CitedProvision
from pykala.law.grades import LISTED_FROM
from pykala.law.provisions import Event
from pykala.packs.pack import Pack
from pykala.retrieve.grade import Graded
from pykala.retrieve.question import Question
from pykala.retrieve.search import Later
from pykala.stores.store import NotInForce, Store, StoredProvision, Wording
from pykala.text.phrases import say

_BEST = 3  # of how many candidates it is told that they have no wording on the date


@dataclass(frozen=True, slots=True)
class Begun:
    """A candidate in its first wording after the date."""

    stored: StoredProvision
    grade: float
    since: date
    lost: bool  # whether it had a wording on the date, which the source does not hold


def began_later(question: Question, store: Store, graded: Sequence[Graded]) -> Iterator[Begun]:
    """The candidates worth listing that have no wording on the date, each in its first one after it."""
    worth = [one for one in graded if one.grade >= LISTED_FROM and one.candidate.section.path]
    on_the_day = store.provisions([_wording(one, question.as_of) for one in worth])
    later = [
        (one, found.begins)
        for one, found in zip(worth, on_the_day, strict=True)
        if isinstance(found, NotInForce) and found.begins is not None
    ]
    for (one, since), stored in zip(
        later, store.provisions([_wording(*each) for each in later]), strict=True
    ):
        if isinstance(stored, StoredProvision) and stored.version.event is not Event.REPEALED:
            yield Begun(stored, one.grade, since, one.candidate.later is Later.LOST)


def _wording(one: Graded, day: date) -> Wording:
    return Wording(one.candidate.section, day, one.candidate.match.language)


def was_no_law(primary: StoredProvision, question: Question) -> bool:
    """Whether a provision began after the date that was asked for, and had no other wording before.

    A cited provision is shown whenever it began, and so is one that was in force and only applied later.
    """
    version, day = primary.version, question.as_of
    start, entered = version.validity.start, version.in_force
    if not question.dated or start is None or start <= day or (entered is not None and entered <= day):
        return False
    is_cited = any(one.path and one.contains(primary.provision.id) for one in question.cited)
    flagged = any(one.history_unavailable for node in primary.provision.walk() for one in node.versions)
    return not is_cited and not flagged


def of_best(
    question: Question, store: Store, packs: Mapping[str, Pack], graded: Sequence[Graded]
) -> Iterator[Caveat]:
    """The caveats that some of the best candidates have no wording on the date, where others are listed."""
    for begun in began_later(question, store, graded[:_BEST]) if question.dated else ():
        yield told(question, cited(begun.stored, packs, question.as_of), begun)


def told(question: Question, shown: CitedProvision, begun: Begun) -> Caveat:
    """The caveat that a section has no wording on the date: it is lost, or the section is younger."""
    phrase = "caveat.lost_wording" if begun.lost else "caveat.younger"
    days = {"day": question.as_of, "since": begun.since}
    message = say(question.language, phrase, citation=shown.citation, **days)
    kind = CaveatKind.HISTORY_UNAVAILABLE if begun.lost else CaveatKind.NOT_YET_IN_FORCE
    return Caveat(kind, shown.provision, message)
