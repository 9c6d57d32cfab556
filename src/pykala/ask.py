"""The read path, top to bottom: understand → search → grade → pinpoint → walk → answer.

Nothing here invents a word of law: every sentence of an answer is a quote from a provision in force on
the date, with its place; where no provision speaks to the question, the answer says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from pykala.answer.assemble import answered, unanswered
from pykala.answer.extract import pinpoint
from pykala.answer.metadata import answer_metadata
from pykala.answer.trace import Listener, Trace, nobody
from pykala.graph.walk import Visited, walk
from pykala.law.answers import Answer, Outcome
from pykala.law.authority import OFFICIAL_FROM
from pykala.law.filters import Filter
from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import WorkKind
from pykala.models.embedder import Embedder, WordEmbedder
from pykala.models.reranker import Reranker
from pykala.packs.pack import Pack
from pykala.retrieve.applicable import on_the_day_meant
from pykala.retrieve.calibration import Case, Weights
from pykala.retrieve.definitions import defining_provision
from pykala.retrieve.grade import (
    BINDS_NOBODY,
    Considered,
    Graded,
    beside_home,
    best_first,
    consider,
    grade,
    known_share,
    official_first,
    outcome,
    weights,
)
from pykala.retrieve.likeness import AskedWords
from pykala.retrieve.metadata import metadata_question
from pykala.retrieve.options import DEFAULT_OPTIONS, AskOptions
from pykala.retrieve.question import Question, understand
from pykala.retrieve.route import route
from pykala.retrieve.search import Candidate, search, search_translated
from pykala.retrieve.strategies import Strategy, strategy_for
from pykala.stores.store import NotInForce, Store, StoredProvision, UnknownProvision

CANDIDATES, WITHIN = 300, 12  # sections of the whole library, and of the acts that the question is routed to
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
    calibration: Mapping[Case, Weights] | None = None  # None: the weights that ship with the package


def ask(
    text: str,
    engine: Engine,
    *,
    as_of: date,
    language: str | None = None,
    jurisdiction: str | None = None,
    identifier: str = "",
    dated: bool = True,
    listen: Listener = nobody,
) -> Answer:
    """Answer a question about the law in force on a date.

    Where nobody fixed the date (`dated` is false), `as_of` is today, and the question itself may name one.
    """
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
        )
        about = metadata_question(question, engine.store)
        strategy = strategy_for(question.text, question.language, figure=question.figures.wanted)
        asked, known = _asked_words(question, engine)
        facts |= {"language": question.language, "cited": [str(one) for one in question.cited]}
        facts |= {"strategy": strategy.name, "known": round(known, 3)}
        facts |= _as_of_facts(question, question.named_date.reason if question.named_date else "")
    if about is not None:  # about the acts themselves: no search finds that, and an index says it
        with trace.stage("indexes"):
            answer = answer_metadata(about, question, engine.store, engine.packs)
        answer = replace(answer, id=identifier, trace=trace.stages())
        listen(answer)
        return answer
    with trace.stage("search") as facts:
        candidates = _search(question, engine)
        facts |= {"candidates": len(candidates)}
    with trace.stage("grade") as facts:
        considered = _considered(question, candidates, asked, known, engine)
        graded = grade(considered, engine.calibration)
        result = _outcome(question, graded, known, engine)
        facts |= {"best": round(graded[0].grade, 2) if graded else 0.0}
    if result is not Outcome.ANSWERED:
        with trace.stage("other languages") as facts:
            found = _in_other_languages(question, engine)
            further = grade(_considered(question, found, asked, known, engine), engine.calibration)
            home, abroad = _at_home(question, engine, further)
            graded = beside_home(best_first(graded, home), abroad)
            result = _outcome(question, graded, known, engine)
            facts |= {"candidates": len(found), "best": round(graded[0].grade, 2) if graded else 0.0}
    if result in _NOTHING_FOUND and not (question.elsewhere or question.is_citation):
        with trace.stage("later wording") as facts:
            graded, result = _later_wording(question, engine, graded, asked, result)
            facts |= {"candidates": len(graded)}
    with trace.stage("pinpoint") as facts:
        primary = _primary(question, engine, graded, asked, result)
        facts |= {"primary": str(primary.provision.id) if primary else ""}
        meant = on_the_day_meant(question, primary, engine.store) if primary else None
        if meant is not None:
            question, primary = meant.question, meant.primary
            facts |= _as_of_facts(question, meant.reason)
    with trace.stage("walk") as facts:
        visited = _walk(primary, graded, strategy, engine, question.as_of)
        facts |= {"visited": len(visited)}
    with trace.stage("answer"):
        if primary is None:
            answer = unanswered(question, engine.store, engine.packs, graded, result)
        else:
            answer = answered(question, engine.store, engine.packs, primary, graded, visited, asked)
    degraded = tuple(dict.fromkeys(one.caveat for one in considered if one.caveat))
    caveats = (*(meant.caveats if meant else ()), *answer.caveats, *degraded)
    answer = replace(answer, id=identifier, trace=trace.stages(), caveats=caveats, strategy=strategy.name)
    listen(answer)
    return answer


def _as_of_facts(question: Question, reason: str) -> dict[str, object]:
    return {"as_of": question.as_of.isoformat(), "as_of_reason": reason} if reason else {}


def _asked_words(question: Question, engine: Engine) -> tuple[AskedWords, float]:
    """The question's words with their weights, and how much of them the library knows."""
    found = engine.store.weigh(question.search_text, question.language)
    embedder = engine.embedder if engine.options.vectors else None
    words = AskedWords(question.search_text, question.language, weights(found), embedder)
    return words, known_share(found)


def _considered(
    question: Question, candidates: Sequence[Candidate], asked: AskedWords, known: float, engine: Engine
) -> list[Considered]:
    """What is known of each candidate: of official law, then of what is beside it."""
    reranker = engine.reranker if engine.options.reranker else None
    groups = official_first(candidates)
    return [consider(group, question, asked, known, reranker, engine.calibration) for group in groups]


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
    asked, known = _asked_words(question, engine)
    searches = (_search(question, engine), _in_other_languages(question, engine))
    return tuple(_considered(question, found, asked, known, engine)[0] for found in searches)


def _outcome(question: Question, graded: Sequence[Graded], known: float, engine: Engine) -> Outcome:
    if question.elsewhere or question.is_citation:
        return Outcome.OUTSIDE_CORPUS  # unless what is cited is held, which then is the answer
    if graded and not engine.options.grading:
        return Outcome.ANSWERED
    foreign = bool(graded) and graded[0].candidate.match.language != question.language
    result = outcome(graded, 1.0 if foreign else known)  # what is known of its words counts in its language
    return outcome((), known) if result in _NOTHING_FOUND else result


def _search(question: Question, engine: Engine) -> tuple[Candidate, ...]:
    """Candidates in force on the date and in the question's language, also from within the likeliest acts."""
    filter = replace(question.filter, languages=frozenset({question.language}))
    found = _found(question, engine, filter, CANDIDATES)
    named = {cited.work for cited in question.cited}
    if engine.options.router or named:  # an act that is named is looked into, and so is what may refer to it
        acts = frozenset(route(found, named))
        if acts:
            found = _together(found, _found(question, engine, replace(filter, works=acts), WITHIN))
    if any(candidate.match.authority < OFFICIAL_FROM for candidate in found):
        # However many uploads repeat the question, official sources are looked for beside them.
        official = replace(filter, kinds=_OFFICIAL_KINDS)
        found = _together(_found(question, engine, official, CANDIDATES), found)
    return found


def _together(first: Sequence[Candidate], second: Sequence[Candidate]) -> tuple[Candidate, ...]:
    keys = {candidate.key for candidate in first}
    return (*first, *(one for one in second if one.key not in keys))


def _found(question: Question, engine: Engine, filter: Filter, limit: int) -> tuple[Candidate, ...]:
    return search(
        question.search_text,
        replace(filter, without=_BINDS_NOBODY),
        engine.store,
        engine.embedder,
        limit=limit,
        options=engine.options,
    )


def _in_other_languages(question: Question, engine: Engine) -> tuple[Candidate, ...]:
    """Candidates in works that are not held in the question's own language, which takes more than words."""
    others, embedder = _other_languages(question, engine), engine.embedder
    if not (others and isinstance(embedder, WordEmbedder) and engine.options.vectors) or question.elsewhere:
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
    own = {
        work
        for work in {one.match.work for one in found}
        if question.language in engine.store.languages(work)
    }
    return tuple(one for one in found if one.match.work not in own)


def _at_home(
    question: Question, engine: Engine, graded: Sequence[Graded]
) -> tuple[tuple[Graded, ...], tuple[Graded, ...]]:
    """Candidates of places that the question may be about, and those of places it gives no sign of.

    These are places without law in its language, where it names none and the library has law in it.
    """
    if question.filter.jurisdictions or question.language not in engine.store.languages():
        return tuple(graded), ()
    speaking = {
        code
        for code, pack in engine.packs.items()
        if question.language in {*pack.facts.languages} - {*pack.facts.translations}
    }
    home = [one for one in graded if one.candidate.match.work.jurisdiction in speaking]
    abroad = [one for one in graded if one.candidate.match.work.jurisdiction not in speaking]
    return tuple(home), tuple(abroad)


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
    later = [
        candidate
        for candidate in _found(question, engine, undated, CANDIDATES)
        if candidate.match.validity.start is not None
        and question.as_of < candidate.match.validity.start
        and _history_unavailable(engine.store, candidate)
    ]
    regraded = grade(_considered(question, later, asked, 1.0, engine), engine.calibration)
    if outcome(regraded, 1.0) is Outcome.ANSWERED:
        return regraded, Outcome.ANSWERED
    return graded, result


def _history_unavailable(store: Store, candidate: Candidate) -> bool:
    newest = store.provision(candidate.section, language=candidate.match.language).provision
    return any(version.history_unavailable for node in newest.walk() for version in node.versions)


def _primary(
    question: Question,
    engine: Engine,
    graded: Sequence[Graded],
    asked: AskedWords,
    result: Outcome,
) -> StoredProvision | None:
    """The provision that answers: the one the question cites or whose term it asks for, else the best."""
    works = list(dict.fromkeys(one.candidate.match.work for one in graded))
    defining = None if question.elsewhere else defining_provision(question, engine.store, works)
    for cited in (*question.cited, *((defining,) if defining else ())):
        if cited.path:
            try:
                return _on_date(engine.store, question, cited, question.language)
            except UnknownProvision:
                continue
    if result is not Outcome.ANSWERED or question.is_citation:
        return None  # a place that is cited and not held is not answered by another
    match = graded[0].candidate.match
    section = _on_date(engine.store, question, match.section, match.language)
    inner = pinpoint(section.provision, asked, match.language, figures=question.figures)
    return _on_date(engine.store, question, inner, match.language)


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
    seeds += [(one.candidate.section, one.grade / 10) for one in graded[1 : strategy.seeds]]
    hops = strategy.walk.hops if options.hops is None else options.hops
    return walk(seeds, engine.store.edges, as_of=as_of, options=replace(strategy.walk, hops=hops))
