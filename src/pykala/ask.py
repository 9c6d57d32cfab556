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
from pykala.answer.trace import Listener, Trace, nobody
from pykala.graph.walk import Visited, walk
from pykala.law.answers import Answer, Outcome
from pykala.law.authority import OFFICIAL_FROM
from pykala.law.filters import Filter
from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import WorkKind
from pykala.models.embedder import Embedder
from pykala.packs.pack import Pack
from pykala.retrieve.applicable import on_the_day_meant
from pykala.retrieve.definitions import defining_provision
from pykala.retrieve.grade import Graded, grade, known_share, outcome, weights
from pykala.retrieve.options import DEFAULT_OPTIONS, AskOptions
from pykala.retrieve.question import Question, understand
from pykala.retrieve.search import Candidate, search, search_in_language
from pykala.stores.store import NotInForce, Store, StoredProvision, UnknownProvision

CANDIDATES = 20
_OFFICIAL_KINDS = frozenset(kind.value for kind in WorkKind if kind is not WorkKind.UPLOAD)


@dataclass(frozen=True, slots=True)
class Engine:
    """What answering needs: a store, the packs that speak for its works, and perhaps an embedder."""

    store: Store
    packs: Mapping[str, Pack]
    embedder: Embedder | None = None
    options: AskOptions = DEFAULT_OPTIONS


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
        facts |= {"language": question.language, "cited": [str(one) for one in question.cited]}
        facts |= _as_of_facts(question, question.named_date.reason if question.named_date else "")
    with trace.stage("search") as facts:
        candidates, other_language = _search(question, engine)
        facts |= {"candidates": len(candidates), "other_language": other_language}
    with trace.stage("grade") as facts:
        terms, known = _terms(question, engine, candidates)
        graded = grade(candidates, terms, question.figures)
        result = Outcome.OUTSIDE_CORPUS if question.elsewhere else outcome(graded, known)
        facts |= {"known": round(known, 3), "best": round(graded[0].coverage, 3) if graded else 0.0}
    if result is not Outcome.ANSWERED and not question.elsewhere:
        with trace.stage("later wording") as facts:
            graded, result = _later_wording(question, engine, graded, terms, result)
            facts |= {"candidates": len(graded)}
    with trace.stage("pinpoint") as facts:
        primary = _primary(question, engine, graded, terms, result)
        facts |= {"primary": str(primary.provision.id) if primary else ""}
        meant = on_the_day_meant(question, primary, engine.store) if primary else None
        if meant is not None:
            question, primary = meant.question, meant.primary
            facts |= _as_of_facts(question, meant.reason)
    with trace.stage("walk") as facts:
        visited = _walk(primary, engine, question.as_of)
        facts |= {"visited": len(visited)}
    with trace.stage("answer"):
        if primary is None:
            answer = unanswered(question, engine.store, engine.packs, graded, result)
        else:
            answer = answered(question, engine.store, engine.packs, primary, graded, visited, terms)
    caveats = (*(meant.caveats if meant else ()), *answer.caveats)
    answer = replace(answer, id=identifier, trace=trace.stages(), caveats=caveats)
    listen(answer)
    return answer


def _as_of_facts(question: Question, reason: str) -> dict[str, object]:
    return {"as_of": question.as_of.isoformat(), "as_of_reason": reason} if reason else {}


def _search(question: Question, engine: Engine) -> tuple[tuple[Candidate, ...], bool]:
    """Candidates in force on the date, in the question's language where there are any."""
    works = frozenset(cited.work for cited in question.cited)
    filter = replace(question.filter, works=works) if works else question.filter
    found = _found(question, engine, filter)
    if not any(candidate.match.authority < OFFICIAL_FROM for candidate in found[0]):
        return found
    # However many uploads repeat the question, official sources are looked for beside them.
    official, elsewhere = _found(question, engine, replace(filter, kinds=_OFFICIAL_KINDS))
    law = {candidate.key for candidate in official}
    return (*official, *(one for one in found[0] if one.key not in law)), elsewhere and found[1]


def _found(question: Question, engine: Engine, filter: Filter) -> tuple[tuple[Candidate, ...], bool]:
    return search_in_language(
        question.search_text, question.language, filter, engine.store, engine.embedder, limit=CANDIDATES
    )


def _terms(
    question: Question, engine: Engine, candidates: Sequence[Candidate]
) -> tuple[dict[str, float], float]:
    """The question's weighted terms, read in the language of what was found, and how much is known."""
    language = candidates[0].match.language if candidates else question.language
    found = engine.store.weigh(question.search_text, language)
    return weights(found), known_share(found)


def _later_wording(
    question: Question,
    engine: Engine,
    graded: tuple[Graded, ...],
    terms: Mapping[str, float],
    result: Outcome,
) -> tuple[tuple[Graded, ...], Outcome]:
    """Where the source keeps no history, a later wording is better than nothing, if it says that it is."""
    undated = replace(question.filter, as_of=None, languages=frozenset({question.language}))
    found = search(question.search_text, undated, engine.store, engine.embedder, limit=CANDIDATES)
    later = [
        candidate
        for candidate in found
        if candidate.match.validity.start is not None
        and question.as_of < candidate.match.validity.start
        and _history_unavailable(engine.store, candidate)
    ]
    regraded = grade(later, terms, question.figures)
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
    terms: Mapping[str, float],
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
    if result is not Outcome.ANSWERED:
        return None
    match = graded[0].candidate.match
    section = _on_date(engine.store, question, match.section, match.language)
    inner = pinpoint(section.provision, terms, match.language, figures=question.figures)
    return _on_date(engine.store, question, inner, match.language)


def _on_date(store: Store, question: Question, provision: ProvisionId, language: str) -> StoredProvision:
    try:
        stored = store.provision(provision, as_of=question.as_of, language=language)
    except NotInForce:
        stored = None
    # A later wording is shown with the caveat that it is one; half of a section would never have been law.
    return store.provision(provision, language=language) if stored is None or stored.missing else stored


def _walk(primary: StoredProvision | None, engine: Engine, as_of: date) -> tuple[Visited, ...]:
    """Exceptions, references and definitions around the primary provision."""
    if primary is None:
        return ()
    return walk([(primary.provision.id, 1.0)], engine.store.edges, as_of=as_of)
