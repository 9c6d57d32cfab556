"""The plan of a search: own language, each place separately, then other languages, then later wording.

Each step runs only where the steps before it found no sure answer. The result is one `Ranked`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from heapq import merge

from pykala.graph.walk import section_of
from pykala.law.answers import Caveat, Outcome, StageName
from pykala.law.authority import BINDING_FROM, OFFICIAL_FROM
from pykala.law.findings import has_no_date
from pykala.law.grades import HIGHEST, HIGHEST_LIKELY, LIKELY_FROM, LISTED_FROM
from pykala.law.provisions import DIVISIONS, Provision
from pykala.retrieve.candidates import (
    asked_of,
    begins_after,
    by_place,
    in_other_languages,
    in_own_language,
    is_apart,
    is_only_elsewhere,
    of_any_day,
    of_any_day_elsewhere,
    places_apart,
)
from pykala.retrieve.capitals import by_their_capitals
from pykala.retrieve.engine import Engine, with_working_models
from pykala.retrieve.grade import Considered, Graded, consider, grade, known_share, outcome, weights
from pykala.retrieve.guidance_on_law import law_before_its_guidance
from pykala.retrieve.in_use import ModelsInUse
from pykala.retrieve.interleave import interleaved, places_of, related
from pykala.retrieve.judged import JudgedSections
from pykala.retrieve.likeness import AskedWords
from pykala.retrieve.place import collections_of, names_the_part
from pykala.retrieve.question import Question, understand
from pykala.retrieve.question_forms import asks_from_when
from pykala.retrieve.search import Candidate, Later
from pykala.retrieve.trace import Trace
from pykala.stores.store import Store, Wording

_READ_APART = 16  # the least candidates per place that are read closely, where places are searched separately
_JUST = 0.01
#: The cosine of a question and a ruling from which on the ruling is listed. Set by hand on ten questions: it
#: shows rulings that nothing vouches for, under "possibly related", and moves no grade that is quoted.
_NEAR_A_RULING = 0.4
_WITHOUT_THE_ACT = {
    Outcome.ANSWERED: Outcome.LIKELY,
    Outcome.LIKELY: Outcome.GUIDANCE,
    Outcome.GUIDANCE: Outcome.GUIDANCE,
}
_NOTHING_FOUND = frozenset({Outcome.SILENT, Outcome.OUTSIDE_CORPUS})
Groups = Mapping[str, tuple[Graded, ...]]  # place → its candidates, best first; "" where searched together


@dataclass(frozen=True, slots=True)
class Ranked:
    """The candidates for a question, best first, the outcome, and caveats about the models."""

    graded: tuple[Graded, ...]
    outcome: Outcome
    asked: AskedWords
    caveats: tuple[Caveat, ...] = ()

    def of_known_subject(self) -> Ranked:
        """The same, where the acts are known that a question is about.

        "How high is the fine?" does not tell its subject. Within a known act, the first candidate is likely.
        """
        if self.outcome is not Outcome.GUIDANCE or self.graded[0].grade < LIKELY_FROM - _JUST:
            return self
        first, *others = self.graded
        return replace(self, graded=(replace(first, grade=LIKELY_FROM), *others), outcome=Outcome.LIKELY)

    def judged(self, judged: JudgedSections | None) -> Ranked:
        """The same after a grader model's verdict, where one was asked."""
        if judged is None:
            return self
        graded, result = judged.applied(self.graded, self.outcome)
        return replace(self, graded=graded, outcome=result)

    def within(self, division: Provision) -> Ranked:
        """The same, where a question names a chapter or part of an act: what stands there comes first.

        Where nothing in it was found, what was found elsewhere is only related.
        """
        inside = {one.id for one in division.walk()}
        leading = [hit for hit in self.graded if hit.candidate.section in inside]
        most = leading[0].grade if leading else LIKELY_FROM - _JUST
        rest = [hit for hit in self.graded if hit.candidate.section not in inside]
        rest = [replace(hit, grade=min(hit.grade, most)) for hit in rest]
        result = outcome((*leading, *rest), 1.0) if self.outcome.quotes else self.outcome
        return replace(self, graded=(*leading, *rest), outcome=result)


def rank(question: Question, terms: Mapping[str, float], engine: Engine, trace: Trace) -> Ranked:
    """Rank the law for a question, best first; `terms` are its weighted words."""
    known = known_share(terms)
    with trace.stage(StageName.SEARCH) as facts:
        models, engine = with_working_models(question, engine)
        asked = _words(question, terms, engine)
        searched = by_place(question, engine)
        found = {place: _but_apart(candidates, question) for place, candidates in searched.by_place.items()}
        facts |= {"candidates": sum(map(len, found.values()))}
        facts |= {"other_words": list(question.other_words)} if question.other_words else {}
    with trace.stage(StageName.GRADE) as facts:
        looked = _read_by_place(question, found, (asked, known), engine)
        groups: Groups = {
            place: _of_the_day(question, _graded(group, engine)) for place, group in looked.items()
        }
        graded = _as_one(question, engine, groups)
        result = _outcome(question, graded, known, engine)
        facts |= _best_facts(graded, groups)
    read = [considered for group in looked.values() for considered in group]
    if result is not Outcome.ANSWERED:
        with trace.stage(StageName.OTHER_LANGUAGES) as facts:
            translated = _but_apart(in_other_languages(question, engine, with_rivals=True), question)
            further: tuple[Graded, ...] = ()
            # If every work is also held in the question's language, no work would be shown in another
            # language.
            if any(is_only_elsewhere(question, candidate) for candidate in translated):
                count = engine.options.read_translated
                others = _considered(question, translated, asked, known, engine, count)
                read += others
                further = _of_the_day(question, grade(others, engine.calibration))
                further = tuple(hit for hit in further if is_only_elsewhere(question, hit.candidate))
            groups = _with_further(question, engine, groups, further)
            graded = law_before_its_guidance(_as_one(question, engine, groups), engine.store)
            result = _outcome(question, graded, known, engine)
            facts |= {"candidates": len(translated), **_best_facts(graded, groups)}
    if question.court is not None and result in _NOTHING_FOUND:
        graded, result = _related_rulings(graded, result)
    if question.dated and result.quotes:
        graded, result = _law_of_its_time(question, engine, graded, result, known)
    if result in _NOTHING_FOUND and not (question.elsewhere or question.is_citation):
        with trace.stage(StageName.LATER_WORDING) as facts:
            graded, result = _later_wording(
                question, engine, graded, (asked, known), result, searched.of_any_day
            )
            facts |= {"candidates": len(graded)}
    ranked = Ranked(graded, result, asked, _of_models(models, read, question))
    division = division_named(question, engine.store)
    return ranked if division is None else ranked.within(division)


def division_named(question: Question, store: Store) -> Provision | None:
    """The chapter or part of an act about which a question asks something; None where it only cites it.

    Since when it applies stands elsewhere in the act.
    """
    if question.is_citation or asks_from_when(question.text):
        return None
    for cited in question.cited:
        if cited.path:
            (stored,) = store.provisions([Wording(cited, question.as_of, question.language)])
            if not isinstance(stored, LookupError) and stored.provision.kind in DIVISIONS:
                return stored.provision
    return None


def looked_at(
    text: str,
    engine: Engine,
    *,
    as_of: date,
    language: str | None = None,
    jurisdiction: str | None = None,
) -> tuple[Considered, ...]:
    """The features of a question's candidates, in its own language and in others, for calibration."""
    question = understand(
        text, engine.store, engine.packs, as_of=as_of, language=language, jurisdiction=jurisdiction
    )
    _, engine = with_working_models(question, engine)
    asked, known = asked_words(question, engine)
    own, others = in_own_language(question, engine), in_other_languages(question, engine)
    searches = ((own, engine.options.read), (others, engine.options.read_translated))
    return tuple(_considered(question, found, asked, known, engine, count)[0] for found, count in searches)


def weighed(question: Question, engine: Engine) -> Mapping[str, float]:
    """The weights of the question's words in the law of its places.

    A word that occurs only in the law of other places takes its weight from there, because the library knows
    it.
    """
    places = question.filter.jurisdictions
    law = places - {*collections_of(engine.packs)}
    everywhere, here, *_ = engine.store.weights(
        question.search_text,
        question.language,
        # Where places are searched separately, each weighs the words itself; all weights are read in one
        # call.
        [frozenset[str](), law or places, *(frozenset({place}) for place in places_apart(question, engine))],
    )
    return {term: here[term] or weight for term, weight in everywhere.items()} if places else everywhere


def asked_words(question: Question, engine: Engine) -> tuple[AskedWords, float]:
    """The question's weighted words, and the share that the law of its places knows."""
    terms = weighed(question, engine)
    return _words(question, terms, engine), known_share(terms)


def _but_apart(candidates: Sequence[Candidate], question: Question) -> Sequence[Candidate]:
    """Candidates without the question's section `apart`, and only rulings of the court it asks for."""
    if (court := question.court) is not None:
        candidates = [candidate for candidate in candidates if court.gave_ruling(candidate.match.work)]
    if question.apart is None:
        return candidates
    return [candidate for candidate in candidates if section_of(candidate.section) != question.apart]


def _words(question: Question, terms: Mapping[str, float], engine: Engine) -> AskedWords:
    words = question.search_text, question.language, weights(terms), engine.embedder
    return AskedWords(*words, meaning=question.meaning_text)


def _read_by_place(
    question: Question,
    found: Mapping[str, Sequence[Candidate]],
    asked: tuple[AskedWords, float],
    engine: Engine,
) -> dict[str, list[Considered]]:
    """The features of each place's candidates, with the word weights of that place."""
    count = max(_READ_APART, engine.options.read // max(1, len(found)))
    words = {place: asked_words(asked_of(question, place), engine) if place else asked for place in found}
    return {
        place: _considered(question, candidates, *words[place], engine, count)
        for place, candidates in found.items()
    }


def _considered(
    question: Question,
    candidates: Sequence[Candidate],
    asked: AskedWords,
    known: float,
    engine: Engine,
    count: int | None = None,
) -> list[Considered]:
    """The features of each candidate: official law first, then uploads."""
    size = int(engine.store.facts().get("vector_documents", 0)) if asked.by_meaning else 0
    given = (question, asked, known, engine.reranker, engine.calibration, count or engine.options.read, size)
    law = [candidate for candidate in candidates if candidate.match.authority >= OFFICIAL_FROM]
    beside = [candidate for candidate in candidates if candidate.match.authority < OFFICIAL_FROM]
    return [consider(group, *given) for group in (law, beside)]


def _outcome(question: Question, graded: Sequence[Graded], known: float, engine: Engine) -> Outcome:
    if question.elsewhere or question.is_citation:
        return Outcome.OUTSIDE_CORPUS  # if a cited provision is held, the caller answers with that
    if graded and not engine.options.grading:
        return Outcome.ANSWERED
    foreign = bool(graded) and graded[0].candidate.match.language != question.language
    result = outcome(graded, 1.0 if foreign else known)  # known words are those of its own language
    if question.advice and result.quotes:
        return Outcome.GUIDANCE  # the law is related, but no provision says whether something is worth it
    if question.not_held or _is_of_another_act(question, graded):
        # The law is not silent: the library lacks the act that was named. Another act that surely fits the
        # question most likely answers it; a less sure one may only share its words.
        return _WITHOUT_THE_ACT.get(result, Outcome.OUTSIDE_CORPUS)
    return outcome((), known) if result in _NOTHING_FOUND else result


def _is_of_another_act(question: Question, graded: Sequence[Graded]) -> bool:
    """Whether an act that is not held governs the subject, and the best candidate does not speak of it."""
    if question.governed is None:
        return False
    match = graded[0].candidate.match if graded else None
    return match is None or not question.governed.speaks_of_it(f"{match.header}\n{match.parent_text}")


def _graded(considered: Sequence[Considered], engine: Engine) -> tuple[Graded, ...]:
    """Grade the candidates of a place; one that was not law on the date counts only if it is the best.

    Elsewhere it is no rival: it would only make the right answer look less sure.
    """
    graded = grade(considered, engine.calibration)
    if not graded or graded[0].candidate.later is Later.NEW:
        return graded
    if any(hit.candidate.later is Later.NEW for hit in graded):
        graded = grade([_without_new(group) for group in considered], engine.calibration)
    return graded


def _without_new(considered: Considered) -> Considered:
    kept = [row for row, candidate in enumerate(considered.candidates) if candidate.later is not Later.NEW]
    if len(kept) == len(considered.candidates):
        return considered
    candidates = tuple(considered.candidates[row] for row in kept)
    return replace(considered, candidates=candidates, table=considered.table[kept])


def _of_the_day(question: Question, graded: Sequence[Graded]) -> tuple[Graded, ...]:
    """A wording that begins after the date is "likely" at most, where that of the date is not held.

    A wording that was not law on the date is only related to the question. It keeps its place: a candidate
    below it may be a sibling of the section asked about, and is no surer than it.
    """
    if not question.dated:
        return tuple(graded)
    return tuple(replace(hit, grade=min(hit.grade, _highest(hit, question.as_of))) for hit in graded)


def _highest(hit: Graded, day: date) -> float:
    """The highest grade of a candidate for a day."""
    if hit.candidate.later is Later.NEW:
        return LIKELY_FROM - _JUST
    return HIGHEST_LIKELY if begins_after(hit.candidate.match, day) else HIGHEST


def _as_one(question: Question, engine: Engine, groups: Groups) -> tuple[Graded, ...]:
    """Merge the graded candidates of all places, then those of no place, such as uploads."""
    beside = collections_of(engine.packs)
    law = {place: hits for place, hits in groups.items() if place not in beside}
    merged = interleaved(law, question.place.leaning)
    if question.part:
        merged = tuple(_beside_own_law(hit, question, engine) for hit in merged)
    merged = by_their_capitals(merged, question.abbreviations, question.text)
    return _law_first(merged, [hit for place in beside for hit in groups.get(place, ())])


def _beside_own_law(hit: Graded, question: Question, engine: Engine) -> Graded:
    """Limit a candidate's grade where a part of the place makes its own law: related, or likely at most.

    It is likely where the question says that it means the law of the whole ("a bank in Alberta"), and where
    the candidate names the part itself.
    """
    match = hit.candidate.match
    text = f"{match.header}\n{match.parent_text}"
    meant = question.of_whole or names_the_part(text, question.part, engine.packs)
    return replace(hit, grade=min(hit.grade, HIGHEST_LIKELY if meant else LIKELY_FROM - _JUST))


def _law_first(law: Sequence[Graded], beside: Sequence[Graded]) -> tuple[Graded, ...]:
    """Quoted law comes before uploads; law that is only related, where its grade is higher."""
    if law and law[0].grade >= LIKELY_FROM:
        return (*law, *beside)
    return _best_first(law, beside)


def _best_first(first: Sequence[Graded], second: Sequence[Graded]) -> tuple[Graded, ...]:
    """Merge two lists that are graded alike; on equal grades the first list wins."""
    if second and (not first or second[0].grade > first[0].grade):
        return (*second, *first)
    return (*first, *second)


def _by_grade(first: Sequence[Graded], second: Sequence[Graded]) -> tuple[Graded, ...]:
    """Merge two lists whose grades mean the same, each in its own order; on equal grades the first wins.

    The deciding law may be in another language; it must not come after all results in the reader's own
    language. Where the main act is not held in that language, its nearest cousin leads there by far: it gives
    way to an act that is nearer to the question, although it is in another language.
    """
    if _is_nearer(second, first):
        first = related(first, second[0].grade)
    return tuple(merge(first, second, key=lambda hit: -hit.grade))


def _is_nearer(second: Sequence[Graded], first: Sequence[Graded]) -> bool:
    """Whether the best of a list is of another act, would be quoted, and lies nearer by meaning."""
    if not first or not second or second[0].grade < LIKELY_FROM:
        return False
    best, other = first[0].candidate, second[0].candidate
    return best.match.work != other.match.work and other.meaning > best.meaning > 0


def _with_further(
    question: Question, engine: Engine, groups: Groups, further: Sequence[Graded]
) -> dict[str, tuple[Graded, ...]]:
    """Merge the candidates in other languages with those of the same place.

    A place that the question does not indicate, and that makes no law in its language, is "related" at most:
    a Finnish question about trial periods is not about the police of Canada.
    """
    if not is_apart(question):
        return {"": _by_grade(groups.get("", ()), further)}
    joined = dict(groups)
    for place in places_of(further):
        own = [hit for hit in further if hit.candidate.match.work.jurisdiction == place]
        found = own if _speaks(question, engine, place) else related(own, LIKELY_FROM)
        joined[place] = _by_grade(joined.get(place, ()), found)
    return joined


def _speaks(question: Question, engine: Engine, place: str) -> bool:
    """Whether a place makes law in the question's language, or no held place does."""
    if place in question.place.jurisdictions or question.language not in engine.store.languages():
        return True
    facts = engine.packs[place].facts
    return question.language in {*facts.languages} - {*facts.translations}


def _law_of_its_time(
    question: Question, engine: Engine, graded: tuple[Graded, ...], result: Outcome, known: float
) -> tuple[tuple[Graded, ...], Outcome]:
    """Where a date is asked for, guidance of unknown age comes last, because it may describe later law."""
    undated = _of_unknown_age(question, engine, graded)
    if graded[0] not in undated:
        return graded, result
    dated = [hit for hit in graded if hit not in undated]
    leading = dated if dated and dated[0].grade >= LISTED_FROM else []
    most = leading[0].grade if leading else LIKELY_FROM - _JUST
    rest = [replace(hit, grade=min(hit.grade, most)) for hit in graded if hit not in leading]
    return (*leading, *rest), _outcome(question, (*leading, *rest), known, engine)


def _of_unknown_age(question: Question, engine: Engine, graded: Sequence[Graded]) -> list[Graded]:
    """The guidance among the listed candidates whose pages have no date; read only where it leads."""
    if graded[0].candidate.match.authority >= BINDING_FROM:
        return []
    pages = [
        hit for hit in graded if hit.candidate.match.authority < BINDING_FROM and hit.grade >= LISTED_FROM
    ]
    matches = [page.candidate.match for page in pages]
    stored = engine.store.provisions(
        [Wording(match.section, question.as_of, match.language) for match in matches]
    )
    return [
        page
        for page, held in zip(pages, stored, strict=True)
        if not isinstance(held, LookupError) and has_no_date(held.version.findings)
    ]


def _related_rulings(graded: tuple[Graded, ...], result: Outcome) -> tuple[tuple[Graded, ...], Outcome]:
    """The rulings that lie near enough to be listed: who asks for a court's rulings wants to read them."""
    near = [max(hit.candidate.asked, hit.candidate.meaning) >= _NEAR_A_RULING for hit in graded]
    if not any(near):
        return graded, result
    listed = [
        replace(hit, grade=LISTED_FROM if is_near else min(hit.grade, LISTED_FROM - _JUST))
        for hit, is_near in zip(graded, near, strict=True)
    ]
    return tuple(sorted(listed, key=lambda hit: -hit.grade)), Outcome.GUIDANCE


def _later_wording(
    question: Question,
    engine: Engine,
    graded: tuple[Graded, ...],
    words: tuple[AskedWords, float],
    result: Outcome,
    of_other_days: Sequence[Candidate],
) -> tuple[tuple[Graded, ...], Outcome]:
    """Use a later wording where the source keeps no history; the answer then says so.

    Where a date is asked for and no law of that date is related, law that began later is. The law of that
    date is silent only if no later law speaks of the question either.
    """
    asked, known = words
    every = of_any_day(question, engine, of_other_days)
    lost = [candidate for candidate in every if candidate.later is Later.LOST]
    regraded = _of_the_day(question, _regraded(question, engine, lost, asked))
    if outcome(regraded, 1.0).quotes:
        return regraded, outcome(regraded, 1.0)
    if not question.dated or question.not_held:
        return graded, result
    found = _begun_later(question, _regraded(question, engine, every, asked))
    if outcome(found, known) in _NOTHING_FOUND:
        elsewhere = _regraded(question, engine, of_any_day_elsewhere(question, engine), asked)
        only = [hit for hit in elsewhere if is_only_elsewhere(question, hit.candidate)]
        found = _begun_later(question, only)
        known = 1.0  # known words are those of its own language
    if outcome(found, known) in _NOTHING_FOUND:
        return graded, result
    return found, Outcome.GUIDANCE


def _regraded(
    question: Question, engine: Engine, candidates: Sequence[Candidate], asked: AskedWords
) -> tuple[Graded, ...]:
    return grade(_considered(question, candidates, asked, 1.0, engine), engine.calibration)


def _begun_later(question: Question, graded: Sequence[Graded]) -> tuple[Graded, ...]:
    """Candidates that begin after the date, as related law.

    They are graded together with all others, so that none leads only because its rivals are missing.
    """
    return tuple(
        replace(hit, grade=min(hit.grade, LIKELY_FROM - _JUST))
        for hit in graded
        if begins_after(hit.candidate.match, question.as_of)
    )


def _of_models(
    models: ModelsInUse, considered: Sequence[Considered], question: Question
) -> tuple[Caveat, ...]:
    """Caveats: models that failed, and models that count by ranks."""
    failed = dict.fromkeys(group.caveat for group in considered if group.caveat)
    cases = {group.case for group in considered if group.candidates}
    return (*models.caveats, *failed, *models.by_ranks(cases, question.language))


def _best_facts(graded: Sequence[Graded], groups: Groups) -> dict[str, object]:
    best = {place: round(hits[0].grade, 2) for place, hits in groups.items() if place and hits}
    apart = {"best_of_places": best} if best else {}
    return {"best": round(graded[0].grade, 2) if graded else 0.0, **apart}
