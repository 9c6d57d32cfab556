"""Choose the provisions beside an answer: those meant instead, those the walk reached, related ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from datetime import date
from itertools import chain, islice

from pykala.answer.cite import cited
from pykala.answer.extract import best_parts
from pykala.graph.walk import Visited, section_of
from pykala.law.answers import CitedProvision, Outcome, Relation, Support
from pykala.law.grades import LISTED_FROM
from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import Event, WorkKind
from pykala.law.references import EdgeKind
from pykala.packs.pack import Pack
from pykala.retrieve.grade import Graded
from pykala.retrieve.likeness import AskedWords
from pykala.retrieve.place import Ground, collections_of
from pykala.retrieve.question import Question
from pykala.stores.store import NotInForce, Store, StoredProvision, UnknownProvision, Wording

SUPPORT = 5
_RELATED_FROM = 0.6  # the least coverage of a further candidate that is listed beside the primary provision
_OTHERWISE = 3
_NARROWED = 5_000  # the longest listed section, in characters, whose sentences are all scored

#: How each edge reads from the primary provision: (where it points at the other, where the other points at
#: it).
_RELATIONS = {
    EdgeKind.EXCEPTS: (Relation.DEPARTED_FROM, Relation.EXCEPTION),
    EdgeKind.CITES: (Relation.CITED, Relation.CITES),
    EdgeKind.INTERPRETS: (Relation.INTERPRETED, Relation.GUIDANCE),
    EdgeKind.APPLIES: (Relation.APPLIED, Relation.APPLYING),
    EdgeKind.DEFINES: (Relation.DEFINED, Relation.DEFINES),
    EdgeKind.DEFINED_IN: (Relation.DEFINES, Relation.USES_TERM),
    EdgeKind.AMENDS: (Relation.AMENDED, Relation.AMENDS),
    EdgeKind.APPEALS: (Relation.APPEALED_FROM, Relation.APPEAL),
    EdgeKind.SUPERSEDES: (Relation.SUPERSEDED, Relation.SUPERSEDES),
    EdgeKind.TRANSPOSES: (Relation.TRANSPOSED, Relation.TRANSPOSING),
    EdgeKind.PARENT_OF: (Relation.PARENT_OF, Relation.PARENT_OF),
    EdgeKind.INSERTS: (Relation.INSERTS, Relation.INSERTS),
    EdgeKind.REPEALS: (Relation.REPEALS, Relation.REPEALS),
    EdgeKind.TRANSLATION_OF: (Relation.TRANSLATION_OF, Relation.TRANSLATION_OF),
}


#: Relations of a term to its definition; a whole act is not a definition.
_OF_TERMS = frozenset({Relation.DEFINED, Relation.DEFINES, Relation.USES_TERM})

Listed = tuple[CitedProvision, StoredProvision, float]


def read_support(
    question: Question,
    store: Store,
    packs: Mapping[str, Pack],
    already: Sequence[StoredProvision],
    graded: Sequence[Graded],
    visited: Sequence[Visited],
    outcome: Outcome,
) -> None:
    """Read in one call everything that `support_of` may show; it then reads from the cache."""
    taken = {section_of(one.provision.id) for one in already}
    graded = _beside(question, already[0], packs, graded, outcome)
    others = (
        wordings_listed(question, _others(graded, taken), _OTHERWISE) if outcome is Outcome.LIKELY else []
    )
    taken |= {section_of(one.provision) for one in others}
    reached: dict[ProvisionId, Wording] = {}
    for provision, bears, _ in _bearing(question, visited, places_beside(question, already[0], packs)):
        place = _place(provision, bears, already)
        if len(reached) < SUPPORT and place not in taken:
            reached.setdefault(place, Wording(provision, question.as_of, question.language))
    related = (one for one in graded if one.coverage >= _RELATED_FROM)
    known = taken | reached.keys()
    further = (one for one in related if section_of(one.candidate.section) not in known)
    more = wordings_listed(question, further, SUPPORT - len(reached))
    store.provisions([*others, *reached.values(), *more])


def wordings_listed(question: Question, graded: Iterable[Graded], count: int) -> list[Wording]:
    """Requests for the first candidates that are worth listing, one per section."""
    found: dict[ProvisionId, Wording] = {}
    for one in graded:
        if len(found) >= count:
            break
        if _is_listed(one):
            wording = Wording(one.candidate.section, question.as_of, one.candidate.match.language)
            found.setdefault(section_of(one.candidate.section), wording)
    return list(found.values())


def support_of(
    question: Question,
    store: Store,
    packs: Mapping[str, Pack],
    already: Sequence[StoredProvision],
    graded: Sequence[Graded],
    asked: AskedWords,
    visited: Sequence[Visited],
    outcome: Outcome,
) -> Iterator[tuple[Support, StoredProvision]]:
    """Provisions that may be meant instead, cited in the question, reached by the walk, or on the same thing.

    Sections of the provisions shown `already` are left out, except for exceptions to them. A ruling is listed
    once. Law of places beside that of the first provision is not listed where a place is meant or the answer
    is sure: `of_place` names those places.
    """
    beside = places_beside(question, already[0], packs)
    graded = _beside(question, already[0], packs, graded, outcome)
    taken = {section_of(one.provision.id) for one in already}
    cases = {one.work.id for one in already if one.work.kind is WorkKind.CASE}
    if outcome is Outcome.LIKELY:
        others = list(_otherwise(question, store, packs, graded, asked, taken))
        taken |= {section_of(one.cited.provision) for one, _ in others}
        cases |= {stored.work.id for _, stored in others if stored.work.kind is WorkKind.CASE}
        yield from others
    count = 0
    for provision, bears, hops in _bearing(question, visited, beside):
        place = _place(provision, bears, already)
        if count == SUPPORT or place in taken:
            continue
        stored = stored_on(store, provision, question.as_of, question.language)
        if stored is not None and stored.work.id not in cases and _says_something(stored, bears):
            cases |= {stored.work.id} if stored.work.kind is WorkKind.CASE else set()
            taken.add(place)
            count += 1
            yield Support(cited(stored, packs, question.as_of), bears, hops), stored
    related = (
        one
        for one in graded
        if one.coverage >= _RELATED_FROM and section_of(one.candidate.section) not in taken
    )
    for shown, stored, grade in shown_of(question, store, packs, related):
        if count == SUPPORT or section_of(shown.provision) in taken or stored.work.id in cases:
            continue
        cases |= {stored.work.id} if stored.work.kind is WorkKind.CASE else set()
        taken.add(section_of(shown.provision))
        count += 1
        yield Support(shown, Relation.ALSO_ABOUT, 0, grade), stored


def places_beside(question: Question, primary: StoredProvision, packs: Mapping[str, Pack]) -> frozenset[str]:
    """The places whose law may be shown beside a provision: its own, the Union's, those that are asked about.

    Beside an upload, law of any place is shown.
    """
    own, collections = primary.provision.id.work.jurisdiction, collections_of(packs)
    if own in collections or own not in packs:
        return frozenset((own, *packs))
    return frozenset((own, *packs[own].facts.part_of, *question.place.jurisdictions, *collections))


def _beside(
    question: Question,
    primary: StoredProvision,
    packs: Mapping[str, Pack],
    graded: Sequence[Graded],
    outcome: Outcome,
) -> list[Graded]:
    """The candidates that may be listed beside a provision.

    Where nothing tells the place and the answer is not sure, the best of each other place is told apart, in
    the question's own language.
    """
    own = of_places(graded, places_beside(question, primary, packs))
    if outcome is not Outcome.LIKELY or question.place.ground is not Ground.NONE:
        return own
    best: dict[str, Graded] = {}
    for one in graded:
        if one.candidate.match.language == question.language:
            best.setdefault(one.candidate.match.work.jurisdiction, one)
    kept = {id(one) for one in (*own, *best.values())}
    return [one for one in graded if id(one) in kept]


def of_places(graded: Iterable[Graded], places: Set[str]) -> list[Graded]:
    """The candidates that are law of some places."""
    return [one for one in graded if one.candidate.match.work.jurisdiction in places]


def _bearing(
    question: Question, visited: Iterable[Visited], places: Set[str]
) -> Iterator[tuple[ProvisionId, Relation, int]]:
    """Provisions that the question cites, then those the walk reached, with their relation and distance.

    Law of a place that is not asked about is listed only where the law shown refers to it. A rule and its
    exception are of one legal order: a "notwithstanding" in the law of another order departs from nothing
    here.
    """
    cited_too = ((one, Relation.ASKED_TOO, 0) for one in question.cited if one.path)
    given = question.place.ground is Ground.GIVEN
    asked = {*question.place.jurisdictions} if given else {*places, *question.place.leaning}
    reached = (
        visit
        for visit in visited
        if (visit.provision.work.jurisdiction in asked or visit.via.target == visit.provision)
        and not _excepts_another_order(visit)
    )
    return chain(cited_too, ((visit.provision, relation(visit), visit.hops) for visit in reached))


def _excepts_another_order(visit: Visited) -> bool:
    edge = visit.via
    across = edge.source.work.jurisdiction != edge.target.work.jurisdiction
    return across and edge.kind is EdgeKind.EXCEPTS


def _says_something(stored: StoredProvision, bears: Relation) -> bool:
    """Whether the provision has content for its relation: a whole act cannot define a term."""
    return bool(stored.provision.id.path) or stored.work.kind is WorkKind.CASE or bears not in _OF_TERMS


def _place(provision: ProvisionId, bears: Relation, already: Sequence[StoredProvision]) -> ProvisionId:
    """The key that lists a provision once: its section; for an exception in a section shown, itself."""
    section, shown = section_of(provision), [one.provision.id for one in already]
    apart = not any(one.contains(provision) or provision.contains(one) for one in shown)
    own = any(section.contains(one) for one in shown)
    return provision if own and apart and bears is Relation.EXCEPTION else section


def _otherwise(
    question: Question,
    store: Store,
    packs: Mapping[str, Pack],
    graded: Sequence[Graded],
    asked: AskedWords,
    taken: Set[ProvisionId],
) -> Iterator[tuple[Support, StoredProvision]]:
    """The next candidates, which may be the answer instead; one per section."""
    found = islice(shown_of(question, store, packs, _others(graded, taken)), _OTHERWISE)
    for shown, stored, grade in to_the_words(found, question, packs, asked):
        yield Support(shown, Relation.INSTEAD, 0, grade), stored


def _others(graded: Sequence[Graded], taken: Set[ProvisionId]) -> list[Graded]:
    """The best candidate of each section that is not shown yet, best first."""
    sections = {section_of(one.candidate.section): one for one in reversed(graded)}
    others = [one for section, one in sections.items() if section not in taken]
    return sorted(others, key=lambda one: -one.grade)


def relation(visit: Visited) -> Relation:
    """Describe how a visited provision relates to the one it was reached from."""
    edge = visit.via
    outward, inward = _RELATIONS[edge.kind]
    return outward if edge.target == visit.provision else inward


def to_the_words(
    listed: Iterable[Listed], question: Question, packs: Mapping[str, Pack], asked: AskedWords
) -> list[Listed]:
    """Each listed section, narrowed to the subdivision that fits the question best.

    For example, the tax rate of companies is in the second subsection, which the section's beginning does not
    show.
    """
    found: list[Listed] = []
    for shown, section, grade in listed:
        if len(shown.text) > _NARROWED:
            found.append((shown, section, grade))
            continue
        place, *_ = best_parts(
            section.provision, asked, section.language, wanted=question.wanted, as_of=question.as_of
        )
        inner = section.within(place)
        found.append((cited(inner, packs, question.as_of), inner, grade))
    return found


def shown_of(
    question: Question, store: Store, packs: Mapping[str, Pack], graded: Iterable[Graded]
) -> Iterator[Listed]:
    """The candidates worth listing, as an answer shows them."""
    for one in graded:
        if not _is_listed(one):
            continue
        stored = stored_on(store, one.candidate.section, question.as_of, one.candidate.match.language)
        if stored is not None and stored.version.event is not Event.REPEALED:
            yield cited(stored, packs, question.as_of), stored, one.grade


def _is_listed(one: Graded) -> bool:
    """Whether a candidate is worth listing; provisions above sections only describe the work."""
    return one.grade >= LISTED_FROM and bool(one.candidate.section.path)


def stored_on(store: Store, provision: ProvisionId, as_of: date, language: str) -> StoredProvision | None:
    """A provision on the date; None where it was not in force, and so supports nothing."""
    try:
        return store.provision(provision, as_of=as_of, language=language)
    except (NotInForce, UnknownProvision):
        return None
