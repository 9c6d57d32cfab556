"""Definition questions: find where the law defines a term."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from pykala.graph.definitions import points_elsewhere
from pykala.law.composition import compose
from pykala.law.grades import ANSWERED_FROM, HIGHEST, LIKELY_FROM
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import DefinedTerm, Provision, ProvisionKind
from pykala.law.references import Direction, Edge, EdgeKind, EdgesWanted, Method
from pykala.retrieve.kinds import Kind
from pykala.retrieve.question import Question
from pykala.retrieve.wording import spellings_of_term, term_asked, term_without_owner
from pykala.stores.store import NotInForce, Store, StoredProvision, UnknownProvision, Wording
from pykala.text.analysis import analyse

_BODY = frozenset({"sec", "art", "part", "chp", "div"})  # kinds that begin a path in the body of a work
_CONTAINERS = frozenset({"part", "chp", "div", "title", "schedule"})
_SECTIONS = frozenset({"sec", "art"})
_OPENING = frozenset({"1", "2", "3", "4"})  # sections in which a work usually states its definitions
_MOST_POINTERS = 3  # the longest chain of definitions that only refer to another one
_leading: Final = re.compile(r"^(\d{0,6}).*$", re.DOTALL)
_WEIGHED = 30  # definitions of equal scope whose citations are counted
_FOLLOWED = 4  # of these, how many may be shown
_ASKING_WHO_OR_WHAT = frozenset({Kind.DEFINITION, Kind.AUTHORITY})
_AROUND_TERM = 8  # the words at the beginning of a definition, beside those of its term: "in relation to a …"


@dataclass(frozen=True, slots=True)
class Defined:
    """Where a term is defined, and the edges of the definitions that only refer there.

    Thirty acts define "common-law partner". `share` is this definition's share of the evidence for all of
    them, and `rivals` are the likeliest others.
    """

    provision: ProvisionId
    through: tuple[Edge, ...] = ()
    unheld: bool = False  # whether it refers to a text that the library does not hold
    share: float = 1.0
    rivals: tuple[ProvisionId, ...] = ()

    @property
    def grade(self) -> float:
        """How surely this is the definition asked for; at least "likely", since it does define the term."""
        return min(max(HIGHEST * self.share, LIKELY_FROM), ANSWERED_FROM)


def definition_asked(question: Question, store: Store, works: Sequence[WorkId]) -> Defined | None:
    """The definition of the term asked for, on the date; of several, the likeliest work's.

    Among definitions of equal scope, the likeliest is the one that most other works cite and whose work the
    search ranked early: "foreign national" belongs to the immigration act, not to an act that borrows the
    term. `works` are the works that the search found, best first. A work that the question names comes before
    others: "controller under the GDPR". A definition that only refers to another one is followed to its text;
    where that text is not held, a definition with its own text comes first.
    """
    term, found = _term_held(question, store, works)
    if not found:
        return None
    ranked = sorted(found, key=lambda one: one[:2], reverse=True)
    _, equals = next(groupby(ranked, key=lambda one: one[0]))
    weighed = _weighed(list(equals)[:_WEIGHED], term, question, store)
    total = sum(weight for weight, _ in weighed)
    ends = [(weight, _followed(stored, term, question, store)) for weight, stored in weighed[:_FOLLOWED]]
    weight, chosen = next((one for one in ends if not one[1].unheld), ends[0])
    rivals = dict.fromkeys(one.provision for _, one in ends if not one.unheld)
    rivals.pop(chosen.provision, None)
    share = 0.0 if chosen.unheld else weight / total
    return replace(chosen, share=share, rivals=tuple(rivals))


def _term_held(question: Question, store: Store, works: Sequence[WorkId]) -> tuple[str, list[_Standing]]:
    """The term asked for with its definitions, also without whose it is: "beneficial owner of a company".

    Where a figure is asked for, a definition of its name is no answer: "the tax rate of a company".
    """
    terms = _terms_asked(question)
    for one in terms:
        if found := list(_held(question, store, works, one)):
            return one, found
    return next(iter(terms), ""), []


def _terms_asked(question: Question) -> list[str]:
    """The term asked for, and without whose it is where that may be meant."""
    term = term_asked(question.text, question.language)
    terms = [term] if term else []
    if term and _ASKING_WHO_OR_WHAT.issuperset(question.wanted.kinds):
        terms.append(term_without_owner(term, question.language))
    return [one for one in terms if one]


def read_definitions(question: Question, store: Store) -> None:
    """Read what `definition_asked` looks at first; it then reads from the cache.

    Needed for every question that asks for a term, and known before the search is.
    """
    for term in _terms_asked(question):
        known = _in_places(question, store, term)
        found = store.provisions(_wordings(known, question)) if known else ()
        if not all(isinstance(stored, LookupError) for stored in found):
            return


def defines_another(question: Question, provision: Provision, language: str) -> bool:
    """Whether the meaning of a term is asked for, and a provision only defines a term without all its words.

    "Taxable property means …" says nothing of "taxable Canadian property".
    """
    term = term_asked(question.text, question.language)
    asks = term and Kind.DEFINITION in question.wanted.kinds and language == question.language
    if not asks or provision.kind is not ProvisionKind.DEFINITION:
        return False
    words = compose(provision).text.split()
    opening = " ".join(words[: len(term.split()) + _AROUND_TERM])
    return not {*analyse(term, language)} <= {*analyse(opening, language)}


def _weighed(
    equals: Sequence[_Standing], term: str, question: Question, store: Store
) -> list[tuple[float, StoredProvision]]:
    """Definitions of equal scope, each with its weight of evidence, the likeliest first."""
    asked = frozenset(analyse(term, question.language))
    citing = _citing_works([stored for _, _, stored in equals], store, question)
    weighed = [
        (
            (1 + citing[stored.provision.id]) * (1 + _shared(stored, asked, question.language)) / (1 - place),
            stored,
        )
        for _, place, stored in equals
    ]
    return sorted(weighed, key=lambda one: (-one[0], one[1].provision.id))


_Standing = tuple[tuple[bool, bool, int, int], int, StoredProvision]


def _held(question: Question, store: Store, works: Sequence[WorkId], term: str) -> Iterator[_Standing]:
    """Definitions of a term in force on the date, each with its sort keys."""
    named = {cited.work for cited in question.cited}
    known = _in_places(question, store, term)
    found = store.provisions(_wordings(known, question))
    for defined, stored in zip(known, found, strict=True):
        home = defined.provision.work
        if isinstance(stored, LookupError):
            continue
        place = works.index(home) if home in works else len(works)
        is_definition = stored.provision.kind is ProvisionKind.DEFINITION  # rather than a mention of the term
        yield (
            (home in named, is_definition, _reach(defined, stored), stored.work.authority),
            -place,
            stored,
        )


def _in_places(question: Question, store: Store, term: str) -> list[DefinedTerm]:
    """The definitions of a term in the law of the question's places."""
    places = question.filter.jurisdictions
    found = _definitions(store, term, question.language)
    return [one for one in found if not places or one.provision.work.jurisdiction in places]


def _wordings(known: Sequence[DefinedTerm], question: Question) -> list[Wording]:
    return [Wording(one.provision, question.as_of, question.language) for one in known]


def _definitions(store: Store, term: str, language: str) -> tuple[DefinedTerm, ...]:
    """The definitions of a term as spelled, or in its dictionary form."""
    spellings = [*spellings_of_term(term, language)]
    found = store.definitions_of(spellings, language)
    return next((found[spelled] for spelled in spellings if found[spelled]), ())


def _followed(start: StoredProvision, term: str, question: Question, store: Store) -> Defined:
    """A definition, or the definition that it points to ("has the same meaning as in section 2 of …")."""
    here, through = start, list[Edge]()
    seen = {here.provision.id}
    while points_elsewhere(compose(here.provision).text, here.language):
        further = next(_pointed_at(here, term, question, store, seen), None)
        if further is None or len(through) == _MOST_POINTERS:
            return Defined(here.provision.id, tuple(through), unheld=True)
        edge, here = further
        through.append(edge)
        seen.add(here.provision.id)
    return Defined(here.provision.id, tuple(through))


def _pointed_at(
    here: StoredProvision, term: str, question: Question, store: Store, seen: set[ProvisionId]
) -> Iterator[tuple[Edge, StoredProvision]]:
    """The provisions that a definition refers to, in order, and the term's definitions there."""
    kinds = [EdgeKind.DEFINED_IN, EdgeKind.CITES]
    edges = store.edges([here.provision.id], kinds=kinds, direction=Direction.OUT, as_of=question.as_of)
    defined = [one.provision for one in _definitions(store, term, question.language)]
    # "Sections 6 to 10" lead to five places; the first of them usually states the definition.
    for edge in sorted(edges, key=lambda edge: (edge.start, _order(edge.target))):
        own = [one for one in defined if edge.target.contains(one)]
        for target in (*own, *((edge.target,) if edge.target.path else ())):
            if target in seen or target.contains(here.provision.id):
                continue
            try:
                stored = store.provision(target, as_of=question.as_of, language=here.language)
            except (UnknownProvision, NotInForce):
                continue
            yield Edge(EdgeKind.DEFINED_IN, here.provision.id, target, Method.DEFINITION, edge.text), stored
    yield from _defined_under(here, defined, question, store, seen)


def _defined_under(
    here: StoredProvision,
    defined: Sequence[ProvisionId],
    question: Question,
    store: Store,
    seen: set[ProvisionId],
) -> Iterator[tuple[Edge, StoredProvision]]:
    """Definitions of the term in regulations that cite this one: "as defined in the regulations".

    "For the purpose of the definition factoring entity in subsection 464(1) of the Bank Act, …" states it.
    """
    path = here.provision.id.path
    above = [ProvisionId(here.work.id, path[:depth]) for depth in range(len(path), 0, -1)]
    found = store.edges(above, kinds=[EdgeKind.CITES], direction=Direction.IN, as_of=question.as_of)
    citing = {edge.source.work: edge for edge in reversed(found)}
    for target in dict.fromkeys(one for one in defined if one.work in citing and one not in seen):
        if target.path[0].kind not in _BODY:  # the order that enacts it repeats its words
            continue
        try:
            stored = store.provision(target, as_of=question.as_of, language=here.language)
        except (UnknownProvision, NotInForce):
            continue
        if stored.work.authority < here.work.authority:
            text = citing[target.work].text
            yield Edge(EdgeKind.DEFINED_IN, here.provision.id, target, Method.DEFINITION, text), stored


def _order(provision: ProvisionId) -> tuple[tuple[int, str], ...]:
    """Sort key for numbered places: section 6 before section 10."""
    return tuple((int(_leading.sub(r"\1", step.number) or 0), step.number) for step in provision.path)


def _reach(defined: DefinedTerm, stored: StoredProvision) -> int:
    """Sort key: definitions of a whole work first, then of a part, then of a schedule."""
    if defined.provision.path[:1] and defined.provision.path[0].kind not in _BODY:
        return 0
    return 2 if not defined.scope.path or _interprets_the_work(defined, stored) else 1


def _interprets_the_work(defined: DefinedTerm, stored: StoredProvision) -> bool:
    """Whether a definition stands in the work's interpretation section: "2 (1) The definitions in this …".

    There, "in this subsection" or "in this section" says where the list is, not where its terms apply, unless
    the section opens a part rather than the work.
    """
    section = next((step for step in defined.provision.path if step.kind in _SECTIONS), None)
    if section is None or section.number not in _OPENING or section not in defined.scope.path:
        return False
    above = (step.kind for one in stored.ancestors for step in one.id.path)
    return _CONTAINERS.isdisjoint(above)


def _citing_works(
    weighed: Sequence[StoredProvision], store: Store, question: Question
) -> dict[ProvisionId, int]:
    """How many other works cite each definition."""
    provisions = [stored.provision.id for stored in weighed]
    found = store.edges_of(
        [EdgesWanted.of([one], [EdgeKind.CITES], Direction.IN, question.as_of) for one in provisions]
    )
    return {
        provision: len({edge.source.work for edge in edges} - {provision.work})
        for provision, edges in zip(provisions, found, strict=True)
    }


def _shared(stored: StoredProvision, asked: frozenset[str], language: str) -> int:
    """How many words of the term the work's name has."""
    return len(asked.intersection(analyse(stored.work.name(language), language)))
