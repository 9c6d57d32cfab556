"""Definition mode: a question that asks what a term means goes to where the law defines it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import DefinedTerm, ProvisionKind
from pykala.law.references import Direction, EdgeKind
from pykala.retrieve.question import Question
from pykala.retrieve.wording import term_asked
from pykala.stores.store import NotInForce, Store, StoredProvision, UnknownProvision
from pykala.text.analysis import analyse

_BODY = frozenset({"sec", "art", "part", "chp", "div"})  # what begins a place in a work's body
_CONTAINERS = frozenset({"part", "chp", "div", "title", "schedule"})
_SECTIONS = frozenset({"sec", "art"})
_OPENING = frozenset({"1", "2", "3", "4"})  # where a work says how it is to be read
_WEIGHED = 30  # definitions of equal reach whose citations are counted


def defining_provision(question: Question, store: Store, works: Sequence[WorkId]) -> ProvisionId | None:
    """The definition of the term asked for, on the date; of several, that of the likeliest work.

    "Foreign national" is the immigration act's term before it is that of an act which borrows it: of
    definitions that reach as far, the one that most other works refer to. `works` are those that the search
    found, best first.
    """
    term = term_asked(question.text, question.language)
    found = []
    for defined in store.definitions([term], question.language) if term else ():
        home = defined.provision.work
        if question.filter.jurisdictions and home.jurisdiction not in question.filter.jurisdictions:
            continue
        try:
            stored = store.provision(defined.provision, as_of=question.as_of, language=question.language)
        except (UnknownProvision, NotInForce):
            continue
        place = works.index(home) if home in works else len(works)
        is_definition = stored.provision.kind is ProvisionKind.DEFINITION  # rather than a mention of one
        found.append(((is_definition, _reach(defined, stored), stored.work.authority), -place, stored))
    if not found:
        return None
    ranked = sorted(found, key=lambda one: one[:2], reverse=True)
    _, equals = next(groupby(ranked, key=lambda one: one[0]))
    asked = frozenset(analyse(term, question.language))
    likeliest = max(
        list(equals)[:_WEIGHED],
        key=lambda one: (
            _citing_works(one[2], store, question),
            _shared(one[2], asked, question.language),
            one[1],
            one[2].provision.id,
        ),
    )
    return likeliest[2].provision.id


def _reach(defined: DefinedTerm, stored: StoredProvision) -> int:
    """Definitions of a whole work before those of a part of it, and these before those of a schedule."""
    if defined.provision.path[:1] and defined.provision.path[0].kind not in _BODY:
        return 0
    return 2 if not defined.scope.path or _interprets_the_work(defined, stored) else 1


def _interprets_the_work(defined: DefinedTerm, stored: StoredProvision) -> bool:
    """Whether a definition stands in a work's own interpretation section: "2 (1) The definitions in this …".

    "In this subsection" or "in this section" there says where the list is, not where its terms are used,
    unless that section opens a part and not the work.
    """
    section = next((step for step in defined.provision.path if step.kind in _SECTIONS), None)
    if section is None or section.number not in _OPENING or section not in defined.scope.path:
        return False
    above = (step.kind for one in stored.ancestors for step in one.id.path)
    return _CONTAINERS.isdisjoint(above)


def _citing_works(stored: StoredProvision, store: Store, question: Question) -> int:
    edges = store.edges(
        [stored.provision.id], kinds=[EdgeKind.CITES], direction=Direction.IN, as_of=question.as_of
    )
    return len({edge.source.work for edge in edges} - {stored.work.id})


def _shared(stored: StoredProvision, asked: frozenset[str], language: str) -> int:
    """How many words of the term the work's name has."""
    return len(asked.intersection(analyse(stored.work.name(language), language)))
