"""Assemble an answer from a primary provision, the results of the walk, and the other candidates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import islice

from pykala.answer import all_caveats, caveats
from pykala.answer.cite import cited
from pykala.answer.conflicts import find_conflicts
from pykala.answer.extract import clause_cited, is_a_term, opening_of, quoted
from pykala.answer.governing import may_govern
from pykala.answer.in_words import CERTAIN, list_opening
from pykala.answer.lacking import (
    governing,
    law_not_held,
    not_held,
    places_not_held,
    possibly_governing,
    unknown_abbreviations,
)
from pykala.answer.left_open import UNDER_AN_ACT, laid_down, nothing_laid_down, words_that_leave_open
from pykala.answer.other_days import Begun, began_later, of_best, told, was_no_law
from pykala.answer.support import (
    of_places,
    read_support,
    shown_of,
    stored_on,
    support_of,
    to_the_words,
    wordings_listed,
)
from pykala.graph.walk import Visited, section_of
from pykala.law.answers import (
    Answer,
    Caveat,
    Citation,
    CitedProvision,
    Claim,
    Evidence,
    Outcome,
    PathStep,
    Relation,
    Support,
)
from pykala.law.composition import compose
from pykala.law.currency import known_to
from pykala.law.grades import ANSWERED_FROM, HIGHEST_LIKELY, LIKELY_FROM
from pykala.law.provisions import ProvisionKind
from pykala.law.references import UnresolvedReference
from pykala.packs.pack import Pack
from pykala.retrieve.capitals import unknown_among
from pykala.retrieve.grade import Graded
from pykala.retrieve.likeness import AskedWords
from pykala.retrieve.question import Question, place_words
from pykala.stores.store import Store, StoredProvision
from pykala.text.phrases import say
from pykala.text.quantities import quantities

_NEAREST = 3
_NOT_LIKELY = LIKELY_FROM - 0.01
_POSSIBLY_RELATED = 8


def answered(
    question: Question,
    store: Store,
    packs: Mapping[str, Pack],
    primary: StoredProvision,
    graded: Sequence[Graded],
    visited: Sequence[Visited],
    asked: AskedWords,
    outcome: Outcome = Outcome.ANSWERED,
    *,
    instead: Sequence[StoredProvision] = (),
    rule: StoredProvision | None = None,
    grade: float | None = None,
    defines: bool = False,
) -> Answer:
    """The answer with its primary provision, sure or likely, and the other provisions that may be meant.

    `rule` is the provision of the same section from which the primary provision departs, where the primary
    one only denies. `grade` is the primary provision's own grade, where that differs from its section's: how
    surely it defines the term asked for, or is the part meant. If it `defines` that term, it is quoted from
    its beginning.
    """
    if was_no_law(primary, question):
        return unanswered(question, store, packs, graded, asked, Outcome.GUIDANCE)
    shown = cited(primary, packs, question.as_of)
    claim = _claim(primary, shown, asked, question, defines=defines)
    own = [
        *((other, Relation.INSTEAD) for other in instead),
        *([(rule, Relation.DEPARTED_FROM)] if rule else ()),
    ]
    already = (primary, *(stored for stored, _ in own))
    read_support(question, store, packs, already, graded, visited, outcome)
    open_words = "" if question.is_citation else words_that_leave_open(claim.text, shown.language)
    regulation = laid_down(question, primary, graded, asked, store, packs) if open_words else None
    if open_words and question.figures.wanted and not any(quantities(claim.text)):
        outcome, grade = _lowered_to_likely(outcome, grade)
    further = [regulation] if regulation else []
    already = (*already, *(stored for _, stored in further))
    beside = [
        *((Support(cited(stored, packs, question.as_of), bears, 0), stored) for stored, bears in own),
        *further,
        *support_of(question, store, packs, already, graded, asked, visited, outcome),
    ]
    support = tuple(listed for listed, _ in beside)
    languages = sorted({listed.cited.language for listed in support})
    all_caveats.read_for_caveats(primary, shown, beside, languages, store, question.as_of)
    unresolved = _unresolved(shown, store)
    texts = _texts(store, shown, languages, question)
    lacking = bool(open_words) and regulation is None and primary.work.kind.value not in UNDER_AN_ACT
    # "Not more than 25 dollars" in an act does not conflict with the 5 dollars that its regulation
    # prescribes.
    compared = [listed for listed in support if listed.relation is not Relation.LAID_DOWN]
    conflicts = find_conflicts(shown, texts, compared, language=question.language)
    return Answer(
        id="",
        question=question.text,
        language=question.language,
        as_of=question.as_of,
        outcome=outcome,
        text=_quotation(claim, shown),
        primary=shown,
        support=support,
        path=tuple(_path(visited, support)),
        claims=(claim,),
        caveats=(
            *all_caveats.of_provisions(primary, shown, beside, store, packs, question),
            *([nothing_laid_down(open_words, shown.provision, spoken=question.language)] if lacking else ()),
            *all_caveats.of_answer(claim, shown, conflicts, unresolved, store, question),
        ),
        conflicts=conflicts,
        evidence=_evidence(graded),
        unresolved=unresolved,
        confidence=_confidence(question, shown, graded, outcome, grade),
        current_to=shown.current_to,
    )


def _lowered_to_likely(outcome: Outcome, grade: float | None) -> tuple[Outcome, float | None]:
    """The outcome and grade where a figure is asked for and the words quoted leave it to regulations."""
    if outcome is not Outcome.ANSWERED:
        return outcome, grade
    return Outcome.LIKELY, HIGHEST_LIKELY if grade is None else min(grade, HIGHEST_LIKELY)


def _unresolved(shown: CitedProvision, store: Store) -> tuple[UnresolvedReference, ...]:
    """The references of a provision that resolved to nothing, as far as they stand in the text shown.

    References are worded differently in each language and version.
    """
    text = _folded(shown.text)
    found = store.unresolved([shown.provision])
    return tuple(
        reference
        for reference in found
        if reference.language in ("", shown.language) and _folded(reference.text) in text
    )


def _quotation(claim: Claim, shown: CitedProvision) -> str:
    """The words that answer; within a list, the words that open the list come first."""
    [citation] = claim.citations
    opening = list_opening(shown.text, citation.start)
    return f"{f'{opening} … ' if opening else ''}{claim.text} [{citation.key}]"


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def _confidence(
    question: Question,
    shown: CitedProvision,
    graded: Sequence[Graded],
    outcome: Outcome,
    own: float | None,
) -> float:
    """The grade of the primary provision: its own where it has one; a cited one is certain."""
    if own is not None or outcome is not Outcome.ANSWERED:
        return graded[0].grade if own is None else own
    if any(cited.contains(shown.provision) for cited in question.cited if cited.path):
        return CERTAIN
    section = section_of(shown.provision)
    grades = [hit.grade for hit in graded if section_of(hit.candidate.section) == section]
    return max(grades, default=0.0) or ANSWERED_FROM


def unanswered(
    question: Question,
    store: Store,
    packs: Mapping[str, Pack],
    graded: Sequence[Graded],
    asked: AskedWords,
    outcome: Outcome,
) -> Answer:
    """The answer that the law, or this library, does not say; with related provisions."""
    missing = places_not_held(question, graded, store, packs)
    all_missing = bool(missing) and missing == question.place.jurisdictions
    act = _governing_act_beside_near(question, store, packs, graded, asked, outcome)
    if outcome is Outcome.SILENT and (all_missing or act):
        outcome = Outcome.OUTSIDE_CORPUS  # the law is not silent: the library lacks it
    guidance = outcome is Outcome.GUIDANCE
    beside = _near(question, store, packs, graded, asked, outcome)
    if guidance and not beside:  # no candidate has a wording to show on the date
        begun = list(islice(began_later(question, store, graded), _NEAREST))
        if begun:
            return _of_later_law(question, store, packs, graded, begun)
        return unanswered(question, store, packs, graded, asked, Outcome.SILENT)
    nearest = [support for support, _ in beside]
    days = [support.cited.current_to for support in nearest if support.cited.current_to]
    known = min(days, default=known_to(store.facts(), question.filter.jurisdictions))
    uploads = any(support.cited.is_upload for support in nearest)
    unknown = [
        word
        for word in unknown_among(question.abbreviations, graded, question.text, question.language)
        if word.casefold() not in place_words(question.text, packs)  # a sign of a place is known
    ]
    text = _notice(question, outcome, known, uploads=uploads, unknown=unknown)
    if question.part:
        text = f"{say(question.language, 'answer.part_not_held', part=question.part)}\n\n{text}"
    if missing:
        lacking = law_not_held(missing, question.language, packs)
        text = lacking if all_missing and not guidance else f"{lacking}\n\n{text}"
    if act:
        text = f"{act}\n\n{text}" if guidance else act
    if nearest and not guidance and question.not_held is None:  # no provision is near a missing act
        named = "; ".join(support.cited.citation for support in nearest)
        text += f" {say(question.language, 'answer.nearest', citations=named)}"
    own = (
        *caveats.of_knowledge(known, question.as_of, spoken=question.language),
        *(of_best(question, store, packs, graded) if guidance else ()),
    )
    return _without_quote(question, store, packs, graded, beside, (outcome, text, known), own)


def _near(
    question: Question,
    store: Store,
    packs: Mapping[str, Pack],
    graded: Sequence[Graded],
    asked: AskedWords,
    outcome: Outcome,
) -> list[tuple[Support, StoredProvision]]:
    """The provisions listed where nothing is quoted: those possibly related, else the nearest ones.

    A grade is the chance of being right. The law of another country, or a place other than the cited one,
    gets 0. A provision that is not quoted (its list is missing, or advice is asked for) stays below "likely".
    """
    guidance = outcome is Outcome.GUIDANCE
    if not _lists_near(question, outcome):
        return []
    relation, count = (
        (Relation.POSSIBLY_RELATED, _POSSIBLY_RELATED) if guidance else (Relation.NEAREST, _NEAREST)
    )
    shown = islice(shown_of(question, store, packs, _of_its_place(question, graded)), count)
    return [
        (Support(provision, relation, 0, min(grade, _NOT_LIKELY) if guidance else 0.0), stored)
        for provision, stored, grade in to_the_words(shown, question, packs, asked)
    ]


def _lists_near(question: Question, outcome: Outcome) -> bool:
    """Where the library has no law on the subject, no provision is listed as near."""
    return outcome is Outcome.GUIDANCE or bool(question.elsewhere) or question.is_citation


def _read_near(question: Question, store: Store, graded: Sequence[Graded], outcome: Outcome) -> None:
    """Read in one call what `_near` lists; it then reads from the cache."""
    count = _POSSIBLY_RELATED if outcome is Outcome.GUIDANCE else _NEAREST
    if _lists_near(question, outcome):
        store.provisions(wordings_listed(question, graded, count))


def _governing_act_beside_near(
    question: Question,
    store: Store,
    packs: Mapping[str, Pack],
    graded: Sequence[Graded],
    asked: AskedWords,
    outcome: Outcome,
) -> str:
    """The text of `_governing_act`; what is listed beside it is read in the same round trips."""
    found: list[str] = []
    store.at_once(
        [
            lambda: found.append(_governing_act(question, asked, store, packs)),
            lambda: _read_near(question, store, graded, outcome),
        ]
    )
    return found[0]


def _governing_act(question: Question, asked: AskedWords, store: Store, packs: Mapping[str, Pack]) -> str:
    """A text that names the act that governs the subject, or may, and is not held; else empty."""
    if question.governed is not None and not question.elsewhere and question.not_held is None:
        return governing(question.governed.act, question.language)
    found = may_govern(question, asked, store, packs)
    return possibly_governing(found, question.language) if found is not None else ""


def _of_its_place(question: Question, graded: Sequence[Graded]) -> Sequence[Graded]:
    """The candidates; only those of the act's place, where the question names an act that is not held."""
    lacking = question.not_held
    if lacking is None or lacking.work is None:
        return graded
    return of_places(graded, {lacking.work.jurisdiction})


def _of_later_law(
    question: Question,
    store: Store,
    packs: Mapping[str, Pack],
    graded: Sequence[Graded],
    begun: Sequence[Begun],
) -> Answer:
    """The answer where no candidate has a wording on the date; it lists those that have a later one.

    The law of the date is not called silent: the source has lost its wording, or its state is not known here.
    """
    first = begun[0]
    listed = begun[:1] if first.lost else begun
    relation = Relation.NEAREST if first.lost else Relation.POSSIBLY_RELATED
    beside = [
        (
            Support(
                cited(later.stored, packs, question.as_of),
                relation,
                0,
                0.0 if first.lost else min(later.grade, _NOT_LIKELY),
            ),
            later.stored,
        )
        for later in listed
    ]
    known = known_to(store.facts(), question.filter.jurisdictions)
    own = [told(question, support.cited, later) for (support, _), later in zip(beside, listed, strict=True)]
    text = own[0].message if first.lost else say(question.language, "answer.later_law", day=question.as_of)
    outcome = Outcome.OUTSIDE_CORPUS if first.lost else Outcome.GUIDANCE
    return _without_quote(question, store, packs, graded, beside, (outcome, text, known), own)


def _without_quote(
    question: Question,
    store: Store,
    packs: Mapping[str, Pack],
    graded: Sequence[Graded],
    beside: Sequence[tuple[Support, StoredProvision]],
    said: tuple[Outcome, str, date | None],
    own: Sequence[Caveat] = (),
) -> Answer:
    """An answer that quotes nothing: its outcome, its words, the day to which the law is known.

    A caveat that the answer itself has is not repeated for the provisions beside it.
    """
    outcome, text, known = said
    guidance = outcome is Outcome.GUIDANCE
    caveats.read_at_once([stored for _, stored in beside], question.as_of, store)
    already = {(caveat.kind, caveat.provision) for caveat in own}
    further = (
        (citation, caveat)
        for citation, caveat in all_caveats.of_those_beside(beside, store, packs, question)
        if (caveat.kind, caveat.provision) not in already
    )
    return Answer(
        id="",
        question=question.text,
        language=question.language,
        as_of=question.as_of,
        outcome=outcome,
        text=text,
        support=tuple(support for support, _ in beside),
        caveats=(
            *own,
            *all_caveats.told_together((), further, question.language),
            *caveats.of_library(store.facts(), spoken=question.language),
        ),
        evidence=_evidence(graded),
        confidence=min(graded[0].grade, _NOT_LIKELY) if graded and guidance else 0.0,
        current_to=known,
    )


def _notice(
    question: Question,
    outcome: Outcome,
    known: date | None,
    *,
    uploads: bool,
    unknown: Sequence[str] = (),
) -> str:
    """Why there is no answer, in the question's language; uploads that follow are marked as not law.

    The library cannot tell whether it has anything on the `unknown` abbreviations.
    """
    spoken = question.language
    if known is not None and known < question.as_of:
        guidance = say(spoken, "answer.guidance_known", known=known)
        silent = say(spoken, "answer.silent_known", known=known)
    else:
        guidance = say(spoken, "answer.guidance", day=question.as_of)
        silent = say(spoken, "answer.silent", day=question.as_of)
    if uploads:
        guidance = say(spoken, "answer.guidance_with_uploads")
    if question.not_held is not None:
        lacking = not_held(question.not_held, spoken)
        passing = outcome is Outcome.GUIDANCE and not question.is_citation
        return f"{lacking}\n\n{guidance}" if passing else lacking
    if question.is_citation:
        return say(spoken, "answer.citation_not_held")
    if question.elsewhere:
        return say(spoken, "answer.elsewhere", place=question.elsewhere)
    spelled = unknown_abbreviations(unknown, spoken) if unknown else ""
    if outcome is Outcome.GUIDANCE:
        advice = say(spoken, "answer.advice") if question.advice else ""
        return " ".join(part for part in (spelled, advice, guidance) if part)
    if outcome is Outcome.SILENT:
        return f"{spelled} {silent}" if spelled else silent
    return spelled or say(spoken, "answer.outside")


def _texts(
    store: Store, shown: CitedProvision, languages: Iterable[str], question: Question
) -> dict[str, str]:
    """The primary provision in each language in which it is held."""
    texts = {shown.language: shown.text}
    for language in languages:
        stored = stored_on(store, shown.provision, question.as_of, language)
        if stored is not None:
            texts.setdefault(stored.language, compose(stored.provision).text)
    return texts


def _claim(
    primary: StoredProvision, shown: CitedProvision, asked: AskedWords, question: Question, *, defines: bool
) -> Claim:
    composed = compose(primary.provision)
    if question.is_citation or defines or primary.provision.kind is ProvisionKind.DEFINITION:
        start, end = opening_of(composed, begin=clause_cited(composed, question.text))
    else:
        start, end = quoted(
            composed, asked, shown.language, wanted=question.wanted, as_of=question.as_of,
            term=is_a_term(question.text, asked, question.wanted),
        )  # fmt: skip
    quote = shown.text[start:end]
    citation = Citation("L1", shown.provision, quote, start, end, shown.url, shown.citation)
    return Claim(quote or shown.heading, (citation,))


def _path(visited: Sequence[Visited], support: Sequence[Support]) -> Iterator[PathStep]:
    shown = {listed.cited.provision for listed in support}
    for visit in visited:
        if visit.provision in shown:
            yield PathStep(visit.via.source, visit.via.kind, visit.via.target)


def _evidence(graded: Sequence[Graded]) -> tuple[Evidence, ...]:
    return tuple(
        Evidence(hit.candidate.match.provision, hit.grade, hit.candidate.match.authority) for hit in graded
    )
