"""Definition mode: a question that asks what a term means goes to where the law defines it."""

from __future__ import annotations

from collections.abc import Sequence

from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import DefinedTerm, ProvisionKind
from pykala.retrieve.question import Question
from pykala.retrieve.wording import term_asked
from pykala.stores.store import NotInForce, Store, UnknownProvision

_BODY = frozenset({"sec", "art", "part", "chp", "div"})  # what begins a place in a work's body


def defining_provision(question: Question, store: Store, works: Sequence[WorkId]) -> ProvisionId | None:
    """The definition of the term asked for, on the date; of several, that of the likeliest work.

    `works` are those that the search found, best first: "foreign national" is the immigration act's term
    before it is that of an act which borrows it.
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
        worth = (is_definition, _reach(defined), stored.work.authority, -place)
        found.append((worth, defined.provision))
    return max(found)[1] if found else None


def _reach(defined: DefinedTerm) -> int:
    """Definitions of a whole work before those of a part of it, and these before those of a schedule."""
    if defined.provision.path[:1] and defined.provision.path[0].kind not in _BODY:
        return 0
    return 1 if defined.scope.path else 2
