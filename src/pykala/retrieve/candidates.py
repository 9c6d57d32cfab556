"""The searches for a question: by place, within the acts it names, in other languages, of later wording."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pykala.law.authority import OFFICIAL_FROM
from pykala.law.filters import Filter
from pykala.law.provisions import WorkKind
from pykala.retrieve.engine import Engine
from pykala.retrieve.grade import BINDS_NOBODY
from pykala.retrieve.other_words import found_with_other_words
from pykala.retrieve.place import Ground
from pykala.retrieve.question import Question
from pykala.retrieve.search import Candidate, search_all, search_translated
from pykala.stores.store import StoredProvision, Wording

CANDIDATES, WITHIN = 300, 12  # sections of the whole library, and of the acts that the question names
LATER = 40  # sections searched without a date filter, where a past date is asked for
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


def by_place(question: Question, engine: Engine) -> dict[str, tuple[Candidate, ...]]:
    """Candidates by place where places are searched separately (uploads under their own code); else all.

    A place that has no law in the question's language is searched in its other languages.
    """
    places = places_apart(question, engine)
    of_places = in_own_language([asked_of(question, place) for place in places], engine)
    found = dict(zip(places, of_places, strict=True))
    # If no place has any, the law may come from a pack that is not installed.
    return found if any(found.values()) else {"": in_own_language([question], engine)[0]}


def in_own_language(questions: Sequence[Question], engine: Engine) -> list[tuple[Candidate, ...]]:
    """Candidates in force on the date, in the question's language, also from the acts it names.

    The questions are the same question for different places; one call searches for all of them.
    """
    if not questions:
        return []
    first, named = questions[0], frozenset(cited.work for cited in questions[0].cited)
    filters = [replace(one.filter, languages=frozenset({one.language})) for one in questions]
    wanted = [(filter, CANDIDATES) for filter in filters]
    within = [(replace(filter, works=named), WITHIN) for filter in filters if named]
    # For a past date: a source that keeps only one wording holds the right section in a later wording only.
    undated = [
        (replace(filter, as_of=None), LATER) for filter in filters if first.dated and len(filters) == 1
    ]
    every = _found(first, engine, [*wanted, *within, *undated])
    found = list(every[: len(wanted)])
    if named:
        found = [_together(one, own) for one, own in zip(found, every[len(wanted) :], strict=False)]
    found = _with_official(first, engine, filters, found)
    if undated and found[0]:
        found = [_together(found[0], _begun_since(first, engine, every[-1]))]
    if first.other_words:
        given = (engine.store, engine.embedder, engine.options)
        found = [
            found_with_other_words(first, replace(filter, without=_BINDS_NOBODY), *given, one)
            for filter, one in zip(filters, found, strict=True)
        ]
    return found


def in_other_languages(question: Question, engine: Engine) -> tuple[Candidate, ...]:
    """Candidates in works that are not held in the question's language; needs an embedder."""
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
    return tuple(one for one in found if question.language not in one.match.languages)


def of_later_wording(question: Question, engine: Engine) -> list[Candidate]:
    """Candidates that begin after the date, from sources without history."""
    undated = replace(question.filter, as_of=None, languages=frozenset({question.language}))
    (found,) = _found(question, engine, [(undated, CANDIDATES)])
    return _begun_since(question, engine, found)


def _begun_since(question: Question, engine: Engine, found: Sequence[Candidate]) -> list[Candidate]:
    """Candidates that begin after the date, from sources that do not hold the wording of that date."""
    begun = [(one, one.match.validity.start) for one in found]
    after = [one for one, start in begun if start is not None and question.as_of < start]
    wanted = [Wording(one.section, None, one.match.language) for one in after]
    newest = engine.store.provisions(wanted) if wanted else ()
    return [one for one, held in zip(after, newest, strict=True) if _history_unavailable(held)]


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


def _history_unavailable(newest: StoredProvision | LookupError) -> bool:
    if isinstance(newest, LookupError):
        raise newest
    return any(version.history_unavailable for node in newest.provision.walk() for version in node.versions)
