"""Caveats about the jurisdiction of an answer, where the question names none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pykala.law.answers import Answer, Caveat, CaveatKind, Outcome
from pykala.law.grades import LISTED_FROM
from pykala.packs.pack import Pack
from pykala.retrieve.interleave import PLACES
from pykala.retrieve.place import Ground, collections_of, name_of
from pykala.retrieve.question import Question
from pykala.text.phrases import say


def of_place(question: Question, answer: Answer, packs: Mapping[str, Pack]) -> tuple[Caveat, ...]:
    """Caveats about the place of an answer, and about a part of it that makes its own law."""
    spoken, part = question.language, question.part if answer.outcome.quotes else ""  # else the text says it
    own = (Caveat(CaveatKind.PLACE, None, say(spoken, "caveat.place_part", part=part)),) if part else ()
    return (*_whose(question, answer, packs), *own)


def _whose(question: Question, answer: Answer, packs: Mapping[str, Pack]) -> tuple[Caveat, ...]:
    spoken = question.language
    if question.place.ground is Ground.HOME:
        home = name_of(question.place.jurisdictions[0], spoken, packs)
        key = "caveat.place_home" if answer.primary else "caveat.place_home_unanswered"
        return (Caveat(CaveatKind.PLACE, None, say(spoken, key, place=home)),)
    if question.elsewhere or question.is_citation:
        return ()
    others = _others(question, answer, packs)
    if question.place.ground is not Ground.NONE:
        return tuple(Caveat(CaveatKind.PLACE, None, one) for one in others)
    nearest = _nearest(answer, packs)
    if len(nearest) < 2 and not others:
        return ()
    if answer.primary is not None:
        place = name_of(answer.primary.provision.work.jurisdiction, spoken, packs)
        message = " ".join((say(spoken, "caveat.place_clearest", place=place), *others))
        return (Caveat(CaveatKind.PLACE, None, message),)
    named = "; ".join(f"{name_of(code, spoken, packs)}: {citation}" for code, citation in nearest.items())
    return (Caveat(CaveatKind.PLACE, None, say(spoken, "caveat.place_each", places=named)),)


def _others(question: Question, answer: Answer, packs: Mapping[str, Pack]) -> tuple[str, ...]:
    """One sentence on the other places whose law speaks of the question too, where one answers."""
    if answer.primary is None:
        return ()
    shown = {*_nearest(answer, packs), *question.place.jurisdictions, *collections_of(packs)}
    found = (one.provision.work.jurisdiction for one in answer.evidence if one.score >= LISTED_FROM)
    others = [code for code in dict.fromkeys(found) if code in packs and code not in shown][:PLACES]
    named = ", ".join(name_of(code, question.language, packs) for code in others)
    return (say(question.language, "caveat.place_others", places=named),) if others else ()


def _nearest(answer: Answer, packs: Mapping[str, Pack]) -> dict[str, str]:
    """The citation of the best provision shown of each place."""
    beside = collections_of(packs)
    shown = [*((answer.primary,) if answer.primary else ()), *(one.cited for one in answer.support)]
    nearest: dict[str, str] = {}
    for one in shown:
        code = one.provision.work.jurisdiction
        if code not in beside and len(nearest) < PLACES:
            nearest.setdefault(code, one.citation)
    return nearest


def places_shown(answer: Answer) -> Sequence[str]:
    """The places of the provisions shown, where nothing answers for sure."""
    if answer.outcome is Outcome.ANSWERED:
        return ()
    places = tuple(dict.fromkeys(one.cited.provision.work.jurisdiction for one in answer.support))
    return places if len(places) > 1 else ()
