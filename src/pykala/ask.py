"""The read path, top to bottom: understand → search → grade → pinpoint → walk → answer.

Nothing here invents a word of law: every sentence of an answer is a quote from a provision in force on
the date, with its place; where no provision speaks to the question, the answer says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from pykala.answer.about_acts import answer_metadata
from pykala.answer.assemble import answered, unanswered
from pykala.answer.caveats import said_once
from pykala.answer.extract import pinpoint
from pykala.answer.places import of_place
from pykala.answer.trace import Listener, Trace, nobody
from pykala.graph.walk import Visited, walk
from pykala.law.answers import Answer, Caveat, Outcome
from pykala.law.authority import OFFICIAL_FROM
from pykala.law.choices import OneOrMany
from pykala.law.filters import Filter
from pykala.law.grades import LIKELY_FROM
from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import WorkKind
from pykala.models.embedder import Embedder
from pykala.models.reranker import Reranker
from pykala.packs.pack import Pack
from pykala.retrieve.applicable import on_the_day_meant
from pykala.retrieve.calibration import Case, Weighing
from pykala.retrieve.definitions import Defined, definition_asked
from pykala.retrieve.grade import (
    BINDS_NOBODY,
    READ,
    Considered,
    Graded,
    best_first,
    consider,
    grade,
    known_share,
    law_first,
    official_first,
    outcome,
    weights,
)
from pykala.retrieve.in_use import ModelsInUse, models_in_use
from pykala.retrieve.judged import JudgedSections
from pykala.retrieve.likeness import AskedWords
from pykala.retrieve.metadata import metadata_question
from pykala.retrieve.options import DEFAULT_OPTIONS, AskOptions
from pykala.retrieve.other_words import found_with_other_words
from pykala.retrieve.place import Ground, collections_of
from pykala.retrieve.question import Question, understand
from pykala.retrieve.search import Candidate, search_all, search_translated
from pykala.retrieve.strategies import Strategy, strategy_for
from pykala.retrieve.told_apart import places_of, related, told_apart
from pykala.stores.once import read_once
from pykala.stores.store import NotInForce, State, Store, StoredProvision, UnknownProvision, Wording

_READ_APART = 16  # candidates of each place that are read closely, at least, where places are looked at apart
CANDIDATES, WITHIN = 300, 12  # sections of the whole library, and of the acts that the question names
_NOTHING_FOUND = frozenset({Outcome.SILENT, Outcome.OUTSIDE_CORPUS})
_BINDS_NOBODY = frozenset(kind.value for kind in BINDS_NOBODY)
_OFFICIAL_KINDS = frozenset(kind.value for kind in WorkKind if kind is not WorkKind.UPLOAD)


@dataclass(frozen=True, slots=True)
class Engine:
    """What answering needs: a store, the packs that speak for its works, and perhaps an embedder."""

    store: Store
    packs: Mapping[str, Pack]
    embedder: Embedder | None = None
    options: AskOptions = DEFAULT_OPTIONS
    reranker: Reranker | None = None
    calibration: Mapping[Case, Weighing] | None = None  # what was learned for these models; see in_use.py
    state: State | None = None  # what the store says of itself, where that is known and stays so


def ask(
    text: str,
    engine: Engine,
    *,
    as_of: date,
    language: str | None = None,
    jurisdiction: OneOrMany = None,
    identifier: str = "",
    dated: bool = True,
    home: str = "",
    listen: Listener = nobody,
    other_words: Sequence[str] = (),
    judged: JudgedSections | None = None,
) -> Answer:
    """Answer a question about the law in force on a date.

    Where nobody fixed the date (`dated` is false), `as_of` is today, and the question itself may name one.
    `home` is the reader's own place, whose law counts where the question gives no sign of any.
    `other_words` are a model's, to look with; what they find is graded against the question itself. `judged`
    is a grader model's word on candidates, which moves the outcome by one step at most.
    """
    engine = replace(engine, store=read_once(engine.store, engine.state))
    trace = Trace(listen)
    with trace.stage("understand") as facts:
        question = understand(
            text,
            engine.store,
            engine.packs,
            as_of=as_of,
            language=language,
            jurisdiction=jurisdiction,
            dated=dated,
            home=home,
        )
        question = replace(question, other_words=tuple(other_words))
        about = metadata_question(question, engine.store)
        strategy = strategy_for(question.text, question.language, figure=question.figures.wanted)
        terms = _weighed(question, engine)
        known = known_share(terms)  # how much of the question the library knows
        facts |= {"language": question.language, "cited": [str(one) for one in question.cited]}
        facts |= {"strategy": strategy.name, "known": round(known, 3)}
        facts |= _as_of_facts(question, question.named_date.reason if question.named_date else "")
        facts |= _place_facts(question)
    if about is not None:  # about the acts themselves: no search finds that, and an index says it
        with trace.stage("indexes"):
            answer = answer_metadata(about, question, engine.store, engine.packs)
        answer = replace(answer, id=identifier, trace=trace.stages())
        listen(answer)
        return answer
    with trace.stage("search") as facts:
        models, engine = _with_working_models(question, engine)
        asked = _words_of(question, terms, engine)
        searched = _searched(question, engine)
        facts |= {"candidates": sum(map(len, searched.values()))}
        facts |= {"other_words": list(question.other_words)} if question.other_words else {}
    with trace.stage("grade") as facts:
        count = max(_READ_APART, READ // max(1, len(searched)))
        words = {
            place: asked_words(_at(question, place), engine) if place else (asked, known)
            for place in searched
        }
        looked = {
            place: _considered(question, one, *words[place], engine, count) for place, one in searched.items()
        }
        groups = {place: grade(one, engine.calibration) for place, one in looked.items()}
        graded = _as_one(question, engine, groups)
        result = _outcome(question, graded, known, engine)
        facts |= _best_facts(graded, groups)
    if result is not Outcome.ANSWERED:
        with trace.stage("other languages") as facts:
            found = _in_other_languages(question, engine)
            others = _considered(question, found, asked, known, engine)
            looked[""] = [*looked.get("", ()), *others]
            groups = _with_further(question, engine, groups, grade(others, engine.calibration))
            graded = _as_one(question, engine, groups)
            result = _outcome(question, graded, known, engine)
            facts |= {"candidates": len(found), **_best_facts(graded, groups)}
    if result in _NOTHING_FOUND and not (question.elsewhere or question.is_citation):
        with trace.stage("later wording") as facts:
            graded, result = _later_wording(question, engine, graded, asked, result)
            facts |= {"candidates": len(graded)}
    if judged is not None:
        graded, result = judged.applied(graded, result)
    with trace.stage("pinpoint") as facts:
        primary, defined, result = _primary(question, engine, graded, asked, result)
        facts |= {"primary": str(primary.provision.id) if primary else ""}
        meant = on_the_day_meant(question, primary, engine.store) if primary else None
        if meant is not None:
            question, primary = meant.question, meant.primary
            facts |= _as_of_facts(question, meant.reason)
    with trace.stage("walk") as facts:
        visited = (*_pointers(defined), *_walk(primary, graded, strategy, engine, question.as_of))
        facts |= {"visited": len(visited)}
    with trace.stage("answer"):
        if primary is None:
            answer = unanswered(question, engine.store, engine.packs, graded, result)
        else:
            answer = answered(question, engine.store, engine.packs, primary, graded, visited, asked, result)
    every = [one for group in looked.values() for one in group]
    placed = of_place(question, answer, engine.packs)
    told = _of_models(models, every, question)
    caveats = said_once((*placed, *(meant.caveats if meant else ()), *answer.caveats, *told))
    answer = replace(answer, id=identifier, trace=trace.stages(), caveats=caveats, strategy=strategy.name)
    answer = replace(answer, home=home if question.place.ground is Ground.HOME else "")
    answer = replace(answer, kind=next((one.value for one in question.wanted.kinds), ""))
    listen(answer)
    return answer


def _as_of_facts(question: Question, reason: str) -> dict[str, object]:
    return {"as_of": question.as_of.isoformat(), "as_of_reason": reason} if reason else {}


def _place_facts(question: Question) -> dict[str, object]:
    """Which places were looked at, and why: by what the question says, or does not say."""
    place = question.place
    return {
        "places": list(place.jurisdictions or place.leaning),
        "place_by": place.ground.value,
        "place_signs": list(place.words),
    }


def _best_facts(graded: Sequence[Graded], groups: Mapping[str, Sequence[Graded]]) -> dict[str, object]:
    best = {place: round(one[0].grade, 2) for place, one in groups.items() if place and one}
    apart = {"best_of_places": best} if best else {}
    return {"best": round(graded[0].grade, 2) if graded else 0.0, **apart}


def _with_working_models(question: Question, engine: Engine) -> tuple[ModelsInUse, Engine]:
    """The models that work, with the weights that fit them; one that fails is left out, and that is told."""
    options = engine.options
    models = models_in_use(
        question.search_text,
        question.language,
        engine.embedder if options.vectors else None,
        engine.reranker if options.reranker else None,
        engine.calibration,
    )
    return models, replace(
        engine, embedder=models.embedder, reranker=models.reranker, calibration=models.weights
    )


def _of_models(
    models: ModelsInUse, considered: Sequence[Considered], question: Question
) -> tuple[Caveat, ...]:
    """Which models failed, and which count by ranks alone."""
    failed = dict.fromkeys(one.caveat for one in considered if one.caveat)
    cases = {one.case for one in considered if one.candidates}
    return (*models.caveats, *failed, *models.by_ranks(cases, question.language))


def _weighed(question: Question, engine: Engine) -> Mapping[str, float]:
    """How rare the question's words are in the law of its places, whatever else the library holds.

    A word that stands only in the law of other places is as rare as it is there: the library knows it.
    """
    places = question.filter.jurisdictions
    law = places - {*collections_of(engine.packs)}
    everywhere, here, *_ = engine.store.weights(
        question.search_text,
        question.language,
        # Where places are looked at apart, each weighs the words for itself: they are read with the first.
        [frozenset[str](), law or places, *(frozenset({place}) for place in _places_apart(question, engine))],
    )
    return {term: here[term] or weight for term, weight in everywhere.items()} if places else everywhere


def _words_of(question: Question, terms: Mapping[str, float], engine: Engine) -> AskedWords:
    """The question's words with their weights."""
    return AskedWords(question.search_text, question.language, weights(terms), engine.embedder)


def asked_words(question: Question, engine: Engine) -> tuple[AskedWords, float]:
    """The question's words with their weights, and how much of them the law of its places knows."""
    terms = _weighed(question, engine)
    return _words_of(question, terms, engine), known_share(terms)


def _considered(
    question: Question,
    candidates: Sequence[Candidate],
    asked: AskedWords,
    known: float,
    engine: Engine,
    count: int = READ,
) -> list[Considered]:
    """What is known of each candidate: of official law, then of what is beside it."""
    size = int(engine.store.facts().get("vector_documents", 0)) if asked.by_meaning else 0
    given = (question, asked, known, engine.reranker, engine.calibration, count, size)
    return [consider(group, *given) for group in official_first(candidates)]


def looked_at(
    text: str,
    engine: Engine,
    *,
    as_of: date,
    language: str | None = None,
    jurisdiction: str | None = None,
) -> tuple[Considered, ...]:
    """What grading sees of a question, in its own language and in others: what calibration learns from."""
    question = understand(
        text, engine.store, engine.packs, as_of=as_of, language=language, jurisdiction=jurisdiction
    )
    _, engine = _with_working_models(question, engine)
    asked, known = asked_words(question, engine)
    searches = (_search([question], engine)[0], _in_other_languages(question, engine))
    return tuple(_considered(question, found, asked, known, engine)[0] for found in searches)


def _outcome(question: Question, graded: Sequence[Graded], known: float, engine: Engine) -> Outcome:
    if question.elsewhere or question.is_citation:
        return Outcome.OUTSIDE_CORPUS  # unless what is cited is held, which then is the answer
    if graded and not engine.options.grading:
        return Outcome.ANSWERED
    foreign = bool(graded) and graded[0].candidate.match.language != question.language
    result = outcome(graded, 1.0 if foreign else known)  # what is known of its words counts in its language
    if result in _NOTHING_FOUND and question.not_held:
        return Outcome.OUTSIDE_CORPUS  # the law is not silent: the act that was named is not here
    return outcome((), known) if result in _NOTHING_FOUND else result


def _is_apart(question: Question) -> bool:
    """Whether places are looked at each for itself: where the question does not say which it means."""
    guessed = question.place.ground not in (Ground.GIVEN, Ground.NAMED)
    return guessed and len(question.place.jurisdictions) != 1


def _searched(question: Question, engine: Engine) -> dict[str, tuple[Candidate, ...]]:
    """Candidates by place where places are looked at apart, what is of no place under its own code; else all.

    A place that has no law in the question's language is looked into with the other languages.
    """
    places = _places_apart(question, engine)
    found = dict(zip(places, _search([_at(question, place) for place in places], engine), strict=True))
    return found if any(found.values()) else {"": _search([question], engine)[0]}  # law of no installed pack


def _places_apart(question: Question, engine: Engine) -> tuple[str, ...]:
    """The places that are looked at each for itself; none where they are looked at together."""
    if not _is_apart(question) or question.elsewhere or question.is_citation:
        return ()
    looked_into = question.filter.jurisdictions or engine.packs
    spoken = (code for code in looked_into if code in engine.packs)
    return tuple(sorted(code for code in spoken if question.language in engine.packs[code].facts.languages))


def _at(question: Question, place: str) -> Question:
    return replace(question, filter=replace(question.filter, jurisdictions=frozenset({place})))


def _as_one(question: Question, engine: Engine, groups: Mapping[str, Sequence[Graded]]) -> tuple[Graded, ...]:
    """What was graded of each place as one list, then what is of no place, such as uploads."""
    beside = collections_of(engine.packs)
    law = {place: one for place, one in groups.items() if place not in beside}
    merged = told_apart(law, question.place.leaning)
    return law_first(merged, [one for place in beside for one in groups.get(place, ())])


def _speaks(question: Question, engine: Engine, place: str) -> bool:
    """Whether a place makes law in the question's language, or none that is held does."""
    if place in question.place.jurisdictions or question.language not in engine.store.languages():
        return True
    facts = engine.packs[place].facts
    return question.language in {*facts.languages} - {*facts.translations}


def _with_further(
    question: Question,
    engine: Engine,
    groups: Mapping[str, tuple[Graded, ...]],
    further: Sequence[Graded],
) -> dict[str, tuple[Graded, ...]]:
    """What was found in other languages beside what was found of the same place.

    Who asks in Finnish how long a trial period is does not ask about the police of Canada: a place that the
    question gives no sign of, and that makes no law in its language, is related at most.
    """
    if not _is_apart(question):
        return {"": best_first(groups.get("", ()), further)}
    joined = dict(groups)
    for place in places_of(further):
        own = [one for one in further if one.candidate.match.work.jurisdiction == place]
        found = own if _speaks(question, engine, place) else related(own, LIKELY_FROM)
        joined[place] = best_first(joined.get(place, ()), found)
    return joined


def _search(questions: Sequence[Question], engine: Engine) -> list[tuple[Candidate, ...]]:
    """Candidates in force on the date and in the question's language, also from within the acts it names.

    The questions are one question asked of different places: all are searched for at once.
    """
    if not questions:
        return []
    first, named = questions[0], frozenset(cited.work for cited in questions[0].cited)
    filters = [replace(one.filter, languages=frozenset({one.language})) for one in questions]
    wanted = [(filter, CANDIDATES) for filter in filters]
    within = [(replace(filter, works=named), WITHIN) for filter in filters if named]
    both = _found(first, engine, [*wanted, *within])
    found = list(both[: len(wanted)])
    if named:
        found = [_together(one, own) for one, own in zip(found, both[len(wanted) :], strict=True)]
    found = _with_official(first, engine, filters, found)
    if first.other_words:
        given = (engine.store, engine.embedder, engine.options)
        found = [
            found_with_other_words(
                first.other_words, first.search_text, replace(filter, without=_BINDS_NOBODY), *given, one
            )
            for filter, one in zip(filters, found, strict=True)
        ]
    return found


def _with_official(
    question: Question, engine: Engine, filters: Sequence[Filter], found: list[tuple[Candidate, ...]]
) -> list[tuple[Candidate, ...]]:
    """However many uploads repeat the question, official sources are looked for beside them."""
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
    )


def _in_other_languages(question: Question, engine: Engine) -> tuple[Candidate, ...]:
    """Candidates in works that are not held in the question's own language, which takes more than words."""
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
    )
    return tuple(one for one in found if question.language not in one.match.languages)


def _other_languages(question: Question, engine: Engine) -> frozenset[str]:
    """The languages that the law of the question's places is first written in."""
    places = question.filter.jurisdictions or engine.packs.keys()
    first = {engine.packs[place].facts.default_language for place in places if place in engine.packs}
    return frozenset(first & {*engine.store.languages()}) - {question.language}


def _later_wording(
    question: Question,
    engine: Engine,
    graded: tuple[Graded, ...],
    asked: AskedWords,
    result: Outcome,
) -> tuple[tuple[Graded, ...], Outcome]:
    """Where the source keeps no history, a later wording is better than nothing, if it says that it is."""
    undated = replace(question.filter, as_of=None, languages=frozenset({question.language}))
    (found,) = _found(question, engine, [(undated, CANDIDATES)])
    begun = [(one, one.match.validity.start) for one in found]
    after = [one for one, start in begun if start is not None and question.as_of < start]
    newest = engine.store.provisions([Wording(one.section, None, one.match.language) for one in after])
    later = [one for one, held in zip(after, newest, strict=True) if _history_unavailable(held)]
    regraded = grade(_considered(question, later, asked, 1.0, engine), engine.calibration)
    better = outcome(regraded, 1.0)
    return (regraded, better) if better.quotes else (graded, result)


def _history_unavailable(newest: StoredProvision | LookupError) -> bool:
    if isinstance(newest, LookupError):
        raise newest
    return any(version.history_unavailable for node in newest.provision.walk() for version in node.versions)


def _primary(
    question: Question,
    engine: Engine,
    graded: Sequence[Graded],
    asked: AskedWords,
    result: Outcome,
) -> tuple[StoredProvision | None, Defined | None, Outcome]:
    """The provision that answers, the definitions that led there where it is one, and how surely it answers.

    It is the one that the question cites or whose term it asks for, else the best.
    """
    works = list(dict.fromkeys(one.candidate.match.work for one in graded))
    defined = None if question.elsewhere else definition_asked(question, engine.store, works)
    for cited in (*question.cited, *((defined.provision,) if defined else ())):
        if cited.path:
            try:
                primary = _on_date(engine.store, question, cited, question.language)
            except UnknownProvision:
                continue
            return primary, defined if defined and defined.provision == cited else None, Outcome.ANSWERED
    if not result.quotes or question.is_citation:
        return None, None, result  # a place that is cited and not held is not answered by another
    match = graded[0].candidate.match
    section = _on_date(engine.store, question, match.section, match.language)
    inner = pinpoint(section.provision, asked, match.language, wanted=question.wanted, as_of=question.as_of)
    return _on_date(engine.store, question, inner, match.language), None, result


def _pointers(defined: Defined | None) -> tuple[Visited, ...]:
    """The definitions that only pointed to the one that answers, nearest first, as steps of a walk."""
    through = defined.through if defined else ()
    return tuple(
        Visited(edge.source, 1.0, hops, edge, defined.provision)
        for hops, edge in enumerate(reversed(through), start=1)
        if defined is not None
    )


def _on_date(store: Store, question: Question, provision: ProvisionId, language: str) -> StoredProvision:
    try:
        stored = store.provision(provision, as_of=question.as_of, language=language)
    except NotInForce:
        stored = None
    # A later wording is shown with the caveat that it is one; half of a section would never have been law.
    return store.provision(provision, language=language) if stored is None or stored.missing else stored


def _walk(
    primary: StoredProvision | None,
    graded: Sequence[Graded],
    strategy: Strategy,
    engine: Engine,
    as_of: date,
) -> tuple[Visited, ...]:
    """Exceptions, references and definitions around the primary provision, as the strategy says."""
    options = engine.options
    if primary is None or not options.graph:
        return ()
    seeds = [(primary.provision.id, 1.0)]
    # What another country's law refers to says nothing about this one's.
    same = [one for one in graded[1:] if one.candidate.match.work.jurisdiction in _beside(primary, engine)]
    seeds += [(one.candidate.section, one.grade / 10) for one in same[: strategy.seeds - 1]]
    hops = strategy.walk.hops if options.hops is None else options.hops
    return walk(seeds, engine.store.edges_of, as_of=as_of, options=replace(strategy.walk, hops=hops))


def _beside(primary: StoredProvision, engine: Engine) -> frozenset[str]:
    """The places whose law may stand beside a provision: its own, and of an upload any."""
    own, beside = primary.provision.id.work.jurisdiction, collections_of(engine.packs)
    return frozenset(engine.packs if own in beside else (own, *beside))
