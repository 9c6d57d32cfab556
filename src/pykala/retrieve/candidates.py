"""The searches for a question: by place, within the acts it names, in other languages, of later wording."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from pykala.law.authority import OFFICIAL_FROM
from pykala.law.currency import known_to
from pykala.law.filters import Filter
from pykala.law.provisions import Work, WorkKind
from pykala.retrieve.engine import Engine
from pykala.retrieve.grade import BINDS_NOBODY
from pykala.retrieve.other_words import found_with_other_words
from pykala.retrieve.place import Ground
from pykala.retrieve.question import Question
from pykala.retrieve.search import Candidate, Later, search_all, search_translated
from pykala.stores.store import Match, NotInForce, StoredProvision, Wording

CANDIDATES, WITHIN = 300, 12  # sections of the whole library, and of the acts that the question names
LATER = 12  # later sections that are read where a past date is asked for: so many by each of two signs
_BINDS_NOBODY = frozenset(kind.value for kind in BINDS_NOBODY)
_OFFICIAL_KINDS = frozenset(kind.value for kind in WorkKind if kind is not WorkKind.UPLOAD)


def is_apart(question: Question) -> bool:
    """Whether each place is searched separately: where the question does not say which it means."""
    guessed = question.place.ground not in (Ground.GIVEN, Ground.NAMED)
    return guessed and len(question.place.jurisdictions) != 1


def places_apart(question: Question, engine: Engine) -> tuple[str, ...]:
    """The places to search separately; empty where they are searched together."""
    if not is_apart(question) or question.elsewhere or question.is_citation:
        return ()
    looked_into = question.filter.jurisdictions or engine.packs
    spoken = (code for code in looked_into if code in engine.packs)
    return tuple(sorted(code for code in spoken if question.language in engine.packs[code].facts.languages))


def asked_of(question: Question, place: str) -> Question:
    """The question restricted to one place."""
    return replace(question, filter=replace(question.filter, jurisdictions=frozenset({place})))


@dataclass(frozen=True, slots=True)
class Searched:
    """Candidates by place, and all that were found whatever the date, where one is asked for."""

    by_place: Mapping[str, tuple[Candidate, ...]]
    of_any_day: tuple[Candidate, ...] = ()


def by_place(question: Question, engine: Engine) -> Searched:
    """Candidates by place where places are searched separately (uploads under their own code); else all.

    A place that has no law in the question's language is searched in its other languages.
    """
    places = places_apart(question, engine)
    found, of_any_day = _own([asked_of(question, place) for place in places], engine)
    if not any(found):  # if no place has any, the law may come from a pack that is not installed
        (every,), of_any_day = _own([question], engine)
        return Searched({"": every}, of_any_day)
    return Searched(dict(zip(places, found, strict=True)), of_any_day)


def in_own_language(question: Question, engine: Engine) -> tuple[Candidate, ...]:
    """Candidates in force on the date, in the question's language, also from the acts it names."""
    return _own([question], engine)[0][0]


def _own(
    questions: Sequence[Question], engine: Engine
) -> tuple[list[tuple[Candidate, ...]], tuple[Candidate, ...]]:
    """The same question for different places, searched in one call; and what is found whatever the date."""
    if not questions:
        return [], ()
    first, named = questions[0], frozenset(cited.work for cited in questions[0].cited)
    filters = [replace(one.filter, languages=frozenset({one.language})) for one in questions]
    wanted = [(filter, CANDIDATES) for filter in filters]
    within = [(replace(filter, works=named), WITHIN) for filter in filters if named]
    # For a past date: a source that keeps only one wording holds the right section in a later wording only.
    undated = [(_of_any_day(filters), CANDIDATES)] if first.dated else []
    every = _found(first, engine, [*wanted, *within, *undated])
    of_any_day = every[-1] if undated else ()
    found = list(every[: len(wanted)])
    if named:
        found = [_together(one, own) for one, own in zip(found, every[len(wanted) :], strict=False)]
    found = _with_official(first, engine, filters, found)
    if undated:
        found = _with_later(first, engine, filters, found, of_any_day)
    if first.other_words:
        given = (engine.store, engine.embedder, engine.options)
        found = [
            found_with_other_words(first, replace(filter, without=_BINDS_NOBODY), *given, one)
            for filter, one in zip(filters, found, strict=True)
        ]
    return found, of_any_day


def in_other_languages(
    question: Question, engine: Engine, *, with_rivals: bool = False
) -> tuple[Candidate, ...]:
    """Candidates in works that are not held in the question's language; needs an embedder.

    `with_rivals` also includes works that are held in it. They are shown in the question's language, but are
    graded in the other language too: without rivals, the nearest of the rest would look too sure.
    """
    others, embedder = _other_languages(question, engine), engine.embedder
    if not others or embedder is None or question.elsewhere:
        return ()
    found = search_translated(
        question.search_text,
        question.language,
        replace(question.filter, languages=others, without=_BINDS_NOBODY),
        engine.store,
        embedder,
        limit=CANDIDATES,
        options=engine.options,
        meaning=question.meaning_text,
    )
    return tuple(found) if with_rivals else tuple(one for one in found if is_only_elsewhere(question, one))


def is_only_elsewhere(question: Question, one: Candidate) -> bool:
    """Whether a candidate's work is not held in the question's language."""
    return question.language not in one.match.languages


def of_any_day(question: Question, engine: Engine, found: Sequence[Candidate]) -> list[Candidate]:
    """Candidates in the question's language, whatever the date; each by its later wording if it has one.

    They are searched where they were not `found` before.
    """
    if not found:
        undated = replace(question.filter, as_of=None, languages=frozenset({question.language}))
        (found,) = _found(question, engine, [(undated, CANDIDATES)])
    return _with_later_words(question, engine, found)


def of_any_day_elsewhere(question: Question, engine: Engine) -> list[Candidate]:
    """The same in other languages."""
    undated = replace(question, filter=replace(question.filter, as_of=None))
    return _with_later_words(question, engine, in_other_languages(undated, engine, with_rivals=True))


def _with_later_words(question: Question, engine: Engine, found: Sequence[Candidate]) -> list[Candidate]:
    """Candidates; one with a later wording is shown by that, with the reason why it begins later."""
    after = {one.key: one for one in _begun_after(question.as_of, found)}
    after |= {one.key: one for one in _weighed_by_day(question, engine, [*after.values()])}
    return [after.get(one.key, one) for one in found]


def begins_after(match: Match, day: date) -> bool:
    """Whether words begin after a day."""
    return match.validity.start is not None and day < match.validity.start


def _of_any_day(filters: Sequence[Filter]) -> Filter:
    """One filter for all places of some filters, without their date."""
    places = frozenset(place for filter in filters for place in filter.jurisdictions)
    return replace(filters[0], as_of=None, jurisdictions=places)


def _with_later(
    question: Question,
    engine: Engine,
    filters: Sequence[Filter],
    found: Sequence[tuple[Candidate, ...]],
    every: Sequence[Candidate],
) -> list[tuple[Candidate, ...]]:
    """Add to the candidates of each place those that begin after the date and may have been law on it.

    The section that answers may be younger than the date, or the source may have lost its wording of the
    date. Without it, a sibling would have no rival and look sure. `every` holds what was found whatever the
    date.
    """
    standing = {one.key for some in found for one in some}
    after = [one for one in _begun_after(question.as_of, every) if one.key not in standing]
    later = _weighed_by_day(question, engine, after)
    return [
        _together(own, [one for one in later if _lies_in(one, filter)])
        for filter, own in zip(filters, found, strict=True)
    ]


def _lies_in(one: Candidate, filter: Filter) -> bool:
    return not filter.jurisdictions or one.match.work.jurisdiction in filter.jurisdictions


def _begun_after(day: date, found: Sequence[Candidate]) -> Iterator[Candidate]:
    """The candidates with words that begin after a day, each with its best passage of those."""
    for one in found:
        match = next((each for each in (one.match, *one.beside) if begins_after(each, day)), None)
        if match is not None:
            yield replace(one, match=match)


def _weighed_by_day(question: Question, engine: Engine, after: Sequence[Candidate]) -> list[Candidate]:
    """The best later candidates that may have been law on the date, each with the reason why it begins later.

    An act that was made after the date says nothing about it. A section that was added since to an act of
    that day is kept, and marked: it cannot answer, but a weaker section must not answer in its place.
    """
    read = _best_of(after)
    days = [question.as_of for _ in read], [one.match.validity.start for one in read]
    wanted = [
        Wording(one.section, day, one.match.language)
        for on in days
        for one, day in zip(read, on, strict=True)
    ]
    held = engine.store.provisions(wanted) if wanted else ()
    weighed = []
    for one, then, since in zip(read, held[: len(read)], held[len(read) :], strict=True):
        if isinstance(since, StoredProvision) and _was_made(since.work, question.as_of):
            later = _why_later(one, then, since)
            if later is Later.LOST or (later and _stood(one, since.work, engine, question.as_of)):
                weighed.append(replace(one, later=later))
    return weighed


def _best_of(found: Sequence[Candidate]) -> list[Candidate]:
    """The best candidates by their words and meaning, and the best by what people are known to ask."""
    by_asked = sorted((one for one in found if one.asked), key=lambda one: -one.asked)
    return [*{one.key: one for one in (*found[:LATER], *by_asked[:LATER])}.values()]


def _was_made(work: Work, day: date) -> bool:
    """Whether an act had been made by a day; True where that day is not known."""
    made = work.issued or work.validity.start
    return made is None or made <= day


def _stood(one: Candidate, work: Work, engine: Engine, day: date) -> bool:
    """Whether an act was in force on a day, and its later words have begun as far as the library knows."""
    start, begins = work.validity.start, one.match.validity.start
    known = known_to(engine.store.facts(), frozenset({work.id.jurisdiction}))
    begun = known is not None and begins is not None and begins <= known
    return begun and (start is None or start <= day)


def _why_later(one: Candidate, then: StoredProvision | LookupError, since: StoredProvision) -> Later | None:
    """Why words begin after the date, by their section on the date and since they began.

    None where another wording was in force on the date (that one was searched), and where the section has
    ended.
    """
    place = one.match.provision
    if isinstance(then, StoredProvision):
        if then.missing:  # half of a section would never have been law: it has no passage on the date
            return Later.LOST
        stands = any(node.id == place for node in then.provision.walk())
        return None if stands else Later.NEW
    if not isinstance(then, NotInForce) or then.begins is None:
        return None
    if not then.versions[0].history_unavailable:
        return Later.NEW
    if then.begins != one.match.validity.start:
        return Later.LOST
    # A section that was added whole may say that its history is not held; its parts then do not.
    nodes = {node.id: node for node in since.provision.walk()}
    own = nodes.get(place, since.provision).walk()
    lost = any(each.history_unavailable for node in own for each in node.versions if each.text)
    return Later.LOST if lost else Later.NEW


def _with_official(
    question: Question, engine: Engine, filters: Sequence[Filter], found: list[tuple[Candidate, ...]]
) -> list[tuple[Candidate, ...]]:
    """Search official sources separately as well, so that many matching uploads cannot crowd them out."""
    beside = [
        number
        for number, one in enumerate(found)
        if any(candidate.match.authority < OFFICIAL_FROM for candidate in one)
    ]
    wanted = [(replace(filters[number], kinds=_OFFICIAL_KINDS), CANDIDATES) for number in beside]
    official = dict(zip(beside, _found(question, engine, wanted), strict=True))
    return [
        _together(official[number], one) if number in official else one for number, one in enumerate(found)
    ]


def _together(first: Sequence[Candidate], second: Sequence[Candidate]) -> tuple[Candidate, ...]:
    keys = {candidate.key for candidate in first}
    return (*first, *(one for one in second if one.key not in keys))


def _found(
    question: Question, engine: Engine, wanted: Sequence[tuple[Filter, int]]
) -> tuple[tuple[Candidate, ...], ...]:
    return search_all(
        question.search_text,
        [(replace(filter, without=_BINDS_NOBODY), limit) for filter, limit in wanted],
        engine.store,
        engine.embedder,
        options=engine.options,
        meaning=question.meaning_text,
    )


def _other_languages(question: Question, engine: Engine) -> frozenset[str]:
    """The authentic languages of the question's places."""
    places = question.filter.jurisdictions or engine.packs.keys()
    first = {engine.packs[place].facts.default_language for place in places if place in engine.packs}
    return frozenset(first & {*engine.store.languages()}) - {question.language}
