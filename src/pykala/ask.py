"""The read path, top to bottom: understand → rank → pinpoint → walk → answer.

Nothing here invents a word of law: every sentence of an answer is a quote from a provision in force on
the date, with its place; where no provision speaks to the question, the answer says so. How the law is
looked for stands in `retrieve/plan.py`, how an answer is put together in `answer/assemble.py`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from pykala.answer.about_acts.answering import answer_metadata
from pykala.answer.assemble import answered, unanswered
from pykala.answer.caveats import said_once
from pykala.answer.extract import cut_behind_table, is_a_term, pinpointed, rule_denied, wants_the_rule
from pykala.answer.part_chance import chance_of_part, least_to_answer
from pykala.answer.places import of_place
from pykala.graph.walk import Visited, section_of, walk
from pykala.law.answers import Answer, Caveat, Outcome, StageName
from pykala.law.choices import OneOrMany
from pykala.law.composition import compose
from pykala.law.grades import ANSWERED_FROM, HIGHEST_LIKELY, LIKELY_FROM
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import DIVISIONS, WorkKind
from pykala.retrieve.applicable import on_the_day_meant
from pykala.retrieve.definitions import Defined, defines_another, definition_asked, read_definitions
from pykala.retrieve.engine import Engine
from pykala.retrieve.grade import known_share
from pykala.retrieve.judged import JudgedSections
from pykala.retrieve.metadata import MetadataQuestion, metadata_question
from pykala.retrieve.place import Ground, collections_of
from pykala.retrieve.plan import Ranked, rank, weighed
from pykala.retrieve.question import Question, understand
from pykala.retrieve.strategies import Strategy, strategy_for
from pykala.retrieve.trace import Listener, Trace, nobody
from pykala.stores.once import read_once
from pykala.stores.store import NotInForce, Store, StoredProvision, UnknownProvision, Wording
from pykala.text.phrases import tell

__all__ = ["Engine", "ask"]


@dataclass(frozen=True, slots=True)
class _Understood:
    """A question, its strategy, and its weighted words."""

    question: Question
    strategy: Strategy
    terms: Mapping[str, float]
    about: MetadataQuestion | None  # what it asks about acts, where it does


@dataclass(frozen=True, slots=True)
class _Primary:
    """The provision that answers, if any, on the date that the question means."""

    question: Question
    provision: StoredProvision | None
    outcome: Outcome
    defined: Defined | None = None  # the definitions that led there
    grade: float | None = None  # where it is not that of its section
    caveats: tuple[Caveat, ...] = ()
    instead: tuple[StoredProvision, ...] = ()  # other places, one of which may be meant
    rule: StoredProvision | None = None  # the rule of its section from which it departs


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
    works: Collection[WorkId] = (),
    apart: ProvisionId | None = None,
) -> Answer:
    """Answer a question about the law in force on a date.

    Where nobody fixed the date (`dated` is false), `as_of` is today, and the question itself may name one.
    `home` is the reader's own place, whose law counts where the question gives no sign of any.
    `other_words` are a model's, to look with; what they find is graded against the question itself. `judged`
    is a grader model's word on candidates, which moves the outcome by one step at most. Where `works` are
    given, only these answer. The section `apart` does not: the question asks for something beside it.
    """
    engine = replace(engine, store=read_once(engine.store, engine.state))
    trace = Trace(listen)
    understood = _understand(
        text, engine, trace, other_words, as_of=as_of, language=language,
        jurisdiction=jurisdiction, dated=dated, home=home, works=works, apart=apart,
    )  # fmt: skip
    if understood.about is not None:  # about the acts themselves: no search finds that, and an index says it
        answer = _from_indexes(understood.about, understood.question, engine, trace)
    else:
        ranked = _ranked(understood, engine, trace)
        ranked = (ranked.of_known_subject() if works else ranked).judged(judged)
        primary = _pinpoint(understood.question, ranked, engine, trace)
        visited = _read_on(primary, ranked, understood.strategy, engine, trace)
        answer = _assemble(primary, ranked, visited, engine, trace)
        answer = _told(answer, primary, ranked, understood.strategy, engine, home)
    answer = replace(answer, id=identifier, trace=trace.stages())
    listen(answer)
    return answer


def _understand(
    text: str,
    engine: Engine,
    trace: Trace,
    other_words: Sequence[str],
    *,
    as_of: date,
    language: str | None,
    jurisdiction: OneOrMany,
    dated: bool,
    home: str,
    works: Collection[WorkId],
    apart: ProvisionId | None,
) -> _Understood:
    with trace.stage(StageName.UNDERSTAND) as facts:
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
        within = replace(question.filter, works=frozenset(works))
        question = replace(question, other_words=tuple(other_words), filter=within, apart=apart)
        about = metadata_question(question, engine.store)
        strategy = strategy_for(question.text, question.language, figure=question.figures.wanted)
        terms = weighed(question, engine)
        facts |= {"language": question.language, "cited": [str(cited) for cited in question.cited]}
        facts |= {"strategy": strategy.name, "known": round(known_share(terms), 3)}
        facts |= _as_of_facts(question, _day_reason(question))
        facts |= _place_facts(question)
    return _Understood(question, strategy, terms, about)


def _ranked(understood: _Understood, engine: Engine, trace: Trace) -> Ranked:
    """The candidates; the definitions of a term asked for are read in the same round trips."""
    question, found = understood.question, list[Ranked]()

    def search() -> None:
        found.append(rank(question, understood.terms, engine, trace))

    def define() -> None:
        if _may_be_defined(question) and not question.cited:
            read_definitions(question, engine.store)

    engine.store.at_once([search, define])
    return found[0]


def _may_be_defined(question: Question) -> bool:
    """Whether a definition may answer: that of another act says nothing about the act that was named."""
    return not (question.elsewhere or question.part or question.not_held)


def _from_indexes(about: MetadataQuestion, question: Question, engine: Engine, trace: Trace) -> Answer:
    with trace.stage(StageName.INDEXES):
        return answer_metadata(about, question, engine.store, engine.packs)


def _pinpoint(question: Question, ranked: Ranked, engine: Engine, trace: Trace) -> _Primary:
    """The exact provision that answers, on the date that the question means."""
    with trace.stage(StageName.PINPOINT) as facts:
        primary = _primary(question, ranked, engine.store)
        facts |= {"primary": str(primary.provision.provision.id) if primary.provision else ""}
        if primary.provision is not None:
            meant = on_the_day_meant(question, primary.provision, engine.store)
            facts |= _as_of_facts(meant.question, meant.reason)
            same_day = meant.question.as_of == question.as_of
            primary = replace(
                primary, question=meant.question, provision=meant.primary, caveats=meant.caveats,
                instead=primary.instead if same_day else (),
            )  # fmt: skip
    return primary


def _read_on(
    primary: _Primary, ranked: Ranked, strategy: Strategy, engine: Engine, trace: Trace
) -> tuple[Visited, ...]:
    """Walk to and from the provision that answers."""
    with trace.stage(StageName.WALK) as facts:
        visited = (*_pointers(primary.defined), *_walk(primary, ranked, strategy, engine))
        facts |= {"visited": len(visited)}
    return visited


def _assemble(
    primary: _Primary, ranked: Ranked, visited: Sequence[Visited], engine: Engine, trace: Trace
) -> Answer:
    given = (primary.question, engine.store, engine.packs)
    with trace.stage(StageName.ANSWER):
        if primary.provision is None:
            return unanswered(*given, ranked.graded, ranked.asked, primary.outcome)
        return answered(
            *given, primary.provision, ranked.graded, visited, ranked.asked, primary.outcome,
            instead=primary.instead, rule=primary.rule, grade=primary.grade,
            defines=primary.defined is not None,
        )  # fmt: skip


def _told(
    answer: Answer, primary: _Primary, ranked: Ranked, strategy: Strategy, engine: Engine, home: str
) -> Answer:
    """The answer with its caveats of place, date and models."""
    question = primary.question
    placed = of_place(question, answer, engine.packs)
    return replace(
        answer,
        caveats=said_once((*placed, *primary.caveats, *answer.caveats, *ranked.caveats)),
        strategy=strategy.name,
        home=home if question.place.ground is Ground.HOME else "",
        kind=next((kind.value for kind in question.wanted.kinds), ""),
    )


def _day_reason(question: Question) -> str:
    return tell(question.language, question.named_date.reason) if question.named_date else ""


def _as_of_facts(question: Question, reason: str) -> dict[str, object]:
    return {"as_of": question.as_of.isoformat(), "as_of_reason": reason} if reason else {}


def _place_facts(question: Question) -> dict[str, object]:
    """The places searched, and why."""
    place = question.place
    return {
        "places": list(place.jurisdictions or place.leaning),
        "place_by": place.ground.value,
        "place_signs": list(place.words),
    }


def _primary(question: Question, ranked: Ranked, store: Store) -> _Primary:
    """The provision that the question cites or whose term it asks for, else the best."""
    for cited in question.cited:
        primary = _held(store, question, cited) if cited.path or question.is_citation else None
        if primary is not None and primary.provision.kind in DIVISIONS and not question.is_citation:
            continue  # a chapter says where to look; one of its sections answers
        # A ruling is cited as a whole; an act by one of its sections.
        if primary is not None and (cited.path or primary.work.kind is WorkKind.CASE):
            if primary.later and not question.is_citation:  # what is asked may stand in what applies later
                return _Primary(question, primary, Outcome.LIKELY, grade=HIGHEST_LIKELY)
            return _Primary(question, primary, Outcome.ANSWERED)
    works = list(dict.fromkeys(hit.candidate.match.work for hit in ranked.graded))
    defined = definition_asked(question, store, works) if _may_be_defined(question) else None
    if defined and (primary := _held(store, question, defined.provision)):
        if defined.grade >= ANSWERED_FROM:
            grade = max(defined.grade, _grade_of(primary, ranked))  # found by its term, or as a section
            return _Primary(question, primary, Outcome.ANSWERED, defined, grade)
        found = store.provisions(
            [Wording(rival, question.as_of, question.language) for rival in defined.rivals]
        )
        rivals = tuple(
            stored for stored in found if not isinstance(stored, LookupError) and not stored.missing
        )
        return _Primary(question, primary, Outcome.LIKELY, defined, defined.grade, instead=rivals)
    # If the cited provision is not held, no other one answers in its place.
    if not ranked.outcome.quotes or question.is_citation:
        return _Primary(question, None, ranked.outcome)
    return _part_of_best(question, ranked, store)


def _grade_of(primary: StoredProvision, ranked: Ranked) -> float:
    """The grade of a provision's section among the candidates; 0 where it is none."""
    section = section_of(primary.provision.id)
    grades = (hit.grade for hit in ranked.graded if section_of(hit.candidate.section) == section)
    return max(grades, default=0.0)


def _part_of_best(question: Question, ranked: Ranked, store: Store) -> _Primary:
    """The part of the best section that answers: as sure as its section *and* the choice of the part."""
    match, of_section = ranked.graded[0].candidate.match, ranked.graded[0].grade
    section = _on_date(store, question, match.section, match.language)
    found = pinpointed(
        section.provision, ranked.asked, match.language, wanted=question.wanted, as_of=question.as_of,
        term=is_a_term(question.text, ranked.asked, question.wanted),
    )  # fmt: skip
    best, *others = found.parts
    # What may be meant instead is never a later wording.
    stands = section.version.validity.covers(question.as_of) and not section.missing
    instead = tuple(section.within(other) for other in others) if stands else ()
    primary = _on_date(store, question, best, match.language)
    # It announces a list that the source lacks, or defines another term than the one asked for.
    announces = compose(primary.provision).text.rstrip().endswith(":")
    if announces or defines_another(question, primary.provision, primary.language):
        return _Primary(question, None, Outcome.GUIDANCE)
    if section.later:
        primary = replace(primary, later=section.later)  # the rule itself may be among what is left out
    rule = _rule_departed_from(question, section, found.parts) if stands else None
    chance = chance_of_part(found.lead)
    sure = chance >= least_to_answer() and not section.later and not cut_behind_table(primary.provision)
    if sure and ranked.outcome is Outcome.ANSWERED:
        grade = max(chance * of_section, min(ANSWERED_FROM, of_section))
        return _Primary(question, primary, Outcome.ANSWERED, grade=grade, rule=rule)
    # A provision that a model confirmed is likely; its measured grade stays as it is.
    least = LIKELY_FROM if ranked.outcome is Outcome.ANSWERED else min(LIKELY_FROM, of_section)
    grade = min(HIGHEST_LIKELY, max(least, chance * of_section))
    return _Primary(question, primary, Outcome.LIKELY, grade=grade, instead=instead, rule=rule)


def _rule_departed_from(
    question: Question, section: StoredProvision, parts: Sequence[ProvisionId]
) -> StoredProvision | None:
    """The rule of a section whose best part only denies it, where that is wanted and not named already."""
    if not wants_the_rule(question.wanted, question.text, question.language):
        return None
    denied = rule_denied(section.provision, parts[0], section.language)
    return section.within(denied) if denied is not None and denied not in parts else None


def _held(store: Store, question: Question, provision: ProvisionId) -> StoredProvision | None:
    try:
        return _on_date(store, question, provision, question.language)
    except UnknownProvision:
        return None


def _pointers(defined: Defined | None) -> tuple[Visited, ...]:
    """The definitions that only pointed to the one that answers, nearest first, as steps of a walk."""
    through = defined.through if defined else ()
    return tuple(
        Visited(edge.source, 1.0, hops, edge, defined.provision)
        for hops, edge in enumerate(reversed(through), start=1)
        if defined is not None
    )


def _on_date(store: Store, question: Question, provision: ProvisionId, language: str) -> StoredProvision:
    begins = None
    try:
        stored = store.provision(provision, as_of=question.as_of, language=language)
    except NotInForce as error:
        stored, begins = None, error.begins
    # A later wording is shown with the caveat that it is one; half of a section would never have been law.
    if stored is None or stored.missing:
        return store.provision(provision, as_of=begins, language=language)
    return stored


def _walk(primary: _Primary, ranked: Ranked, strategy: Strategy, engine: Engine) -> tuple[Visited, ...]:
    """Exceptions, references and definitions around the primary provision, by strategy."""
    options, provision = engine.options, primary.provision
    if provision is None or not options.graph:
        return ()
    seeds = [(provision.provision.id, 1.0)]
    # References in the law of another country say nothing about the law of this one.
    beside = _beside(provision, engine)
    same = [hit for hit in ranked.graded[1:] if hit.candidate.match.work.jurisdiction in beside]
    seeds += [(hit.candidate.section, hit.grade / 10) for hit in same[: strategy.seeds - 1]]
    hops = strategy.walk.hops if options.hops is None else options.hops
    day = primary.question.as_of
    return walk(seeds, engine.store.edges_of, as_of=day, options=replace(strategy.walk, hops=hops))


def _beside(primary: StoredProvision, engine: Engine) -> frozenset[str]:
    """The places whose law may be shown beside a provision: its own; any for an upload."""
    own, beside = primary.provision.id.work.jurisdiction, collections_of(engine.packs)
    return frozenset(engine.packs if own in beside else (own, *beside))
