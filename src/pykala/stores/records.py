"""Records: what is read of the law and of the references between provisions, whatever engine keeps them.

Reads take many identifiers at once, so that a store across a network costs a question a handful of round
trips. The methods for one are written here in terms of those for many; an engine inherits them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Protocol

from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import DefinedTerm, Document, Pairing, Provision, Version, Work
from pykala.law.references import Direction, Edge, EdgeKind, EdgesWanted, UnresolvedReference
from pykala.law.standing import UNKNOWN, Standing
from pykala.stores.changed import ChangedWork, WorkChange, counted
from pykala.stores.errors import UnknownProvision
from pykala.stores.values import Named, References, State, Stats, StoredProvision, Wording
from pykala.versions.chains import Change


class Law(Protocol):
    """Reads works, and provisions with their versions."""

    def works(self) -> Iterator[Work]:
        """Every work, in order of identifier."""
        ...

    def works_of(self, works: Sequence[WorkId]) -> Mapping[WorkId, Work]:
        """Those of some works that are held."""
        ...

    def languages_of(self, works: Sequence[WorkId]) -> Mapping[WorkId, tuple[str, ...]]:
        """The languages that each work is held in, in order of their codes; none where it is not held."""
        ...

    def document(self, work: WorkId, language: str) -> Document:
        """A work in a language with all its versions, as it was put (without references)."""
        ...

    def words(self, work: WorkId) -> Mapping[str, int]:
        """Language → how many words of a work are held, over all its versions."""
        ...

    def provisions(self, wanted: Sequence[Wording]) -> tuple[StoredProvision | LookupError, ...]:
        """Each provision with all below it, in the order asked for.

        In place of one that cannot be given stands why: UnknownProvision or NotInForce.
        """
        ...

    def history(self, provision: ProvisionId, *, language: str | None = None) -> tuple[Version, ...]:
        """Every version of the provision's own words, oldest first."""
        ...

    def chain(self, provision: ProvisionId, *, language: str | None = None) -> Provision:
        """A provision and all below it, each with every version."""
        ...

    def changes(
        self,
        since: date,
        until: date | None = None,
        *,
        jurisdictions: Sequence[str] = (),
        kinds: Sequence[str] = (),
        works: Sequence[WorkId] = (),
    ) -> tuple[Change, ...]:
        """Words that began or ended from one day to another, both counted, whatever their language.

        By work, day and place in the document; `kinds` are kinds of works. What waits for a day that nobody
        has fixed has not changed yet. Words that end while others begin are one change, that of the new ones.
        """
        ...

    def changed_works(
        self,
        since: date,
        until: date,
        change: WorkChange,
        *,
        jurisdictions: Sequence[str],
        kinds: Sequence[str],
    ) -> tuple[ChangedWork, ...]:
        """The works that began, were amended or ended in a period; an engine may count them itself."""
        return tuple(counted(self.changes(since, until, jurisdictions=jurisdictions, kinds=kinds), change))

    def work(self, work: WorkId) -> Work:
        """One work; UnknownProvision where it is not held."""
        found = self.works_of([work]).get(work)
        if found is None:
            raise UnknownProvision(
                f"{work} is not in this library; 'pykala search' finds what is, 'pykala ingest' adds more"
            )
        return found

    def provision(
        self, provision: ProvisionId, *, as_of: date | None = None, language: str | None = None
    ) -> StoredProvision:
        """A provision and all below it on a date (None: the newest wording); the language if held."""
        (found,) = self.provisions([Wording(provision, as_of, language)])
        if isinstance(found, LookupError):
            raise found
        return found


class Graph(Protocol):
    """Reads what connects provisions: edges, names, definitions, counterparts in other languages."""

    def references(self, wanted: Sequence[EdgesWanted], unresolved: Sequence[ProvisionId] = ()) -> References:
        """Edges that touch the provisions of each request or anything below them, in force on its date.

        A section with more edges of a kind and direction than `caps` allows is a hub: those are left out.
        With them, the references from other provisions, or from below them, that lead nowhere yet.
        """
        ...

    def standings(self, sections: Sequence[ProvisionId]) -> Mapping[ProvisionId, Standing]:
        """How often each section and its act are cited; sections that are not held are left out."""
        ...

    def pairings_of(self, provisions: Sequence[ProvisionId]) -> Mapping[ProvisionId, tuple[Pairing, ...]]:
        """The counterparts of each in other languages; UnknownProvision for a work that is not held."""
        ...

    def definitions_of(self, terms: Sequence[str], language: str) -> Mapping[str, tuple[DefinedTerm, ...]]:
        """Where each term is defined, by its folded form."""
        ...

    def named(self, aliases: Sequence[str]) -> Mapping[str, Named]:
        """What answers to each name, abbreviation, official identifier, or a source's own name of a place."""
        ...

    def edges_of(self, wanted: Sequence[EdgesWanted]) -> tuple[tuple[Edge, ...], ...]:
        """The edges of each request."""
        return self.references(wanted).edges

    def unresolved(self, provisions: Sequence[ProvisionId]) -> tuple[UnresolvedReference, ...]:
        """References from the provisions, or from below them, that lead nowhere yet."""
        return self.references((), provisions).unresolved

    def definitions(self, terms: Sequence[str], language: str) -> tuple[DefinedTerm, ...]:
        """Where terms are defined, in the order of the terms."""
        found = self.definitions_of(terms, language)
        return tuple(one for term in terms for one in found[term])

    def edges(
        self,
        provisions: Sequence[ProvisionId],
        *,
        kinds: Sequence[EdgeKind] | None = None,
        direction: Direction = Direction.BOTH,
        as_of: date | None = None,
        caps: Mapping[tuple[EdgeKind, Direction], int] | None = None,
    ) -> tuple[Edge, ...]:
        """The edges of one request."""
        return self.edges_of([EdgesWanted.of(provisions, kinds, direction, as_of, caps)])[0]

    def standing(self, section: ProvisionId) -> Standing:
        """How often a section and its act are cited."""
        return self.standings([section]).get(section, UNKNOWN)

    def pairings(self, provision: ProvisionId) -> tuple[Pairing, ...]:
        """Its counterparts in other languages."""
        return self.pairings_of([provision])[provision]

    def resolve(self, alias: str) -> tuple[WorkId, ...]:
        """The works that answer to a name, abbreviation or official identifier."""
        return self.named([alias])[alias].works

    def places(self, alias: str) -> tuple[ProvisionId, ...]:
        """The provisions that a source calls by a name of its own, such as a database key."""
        return self.named([alias])[alias].provisions


class Holdings(Protocol):
    """Reads what the library holds as a whole, and moves to a newer state of it."""

    def state(self) -> State:
        """What the library says of itself: a name for its state, its facts and its languages."""
        ...

    def fingerprints(self) -> Mapping[str, str]:
        """Item → fingerprint of all that was stored or refused."""
        ...

    def items(self) -> Mapping[str, WorkId]:
        """Item → the work that it gave."""
        ...

    def sources(self) -> Mapping[str, tuple[str, ...]]:
        """Item → the files that its work was read from."""
        ...

    def stats(self) -> Stats:
        """How much the library holds."""
        ...

    def refresh(self) -> None:
        """Move a reader to the newest published state; until then it sees the state it opened."""
        ...

    def catch_up(self) -> bool:
        """Move a reader on where a newer state can be had at once, and say whether it moved.

        Cheap enough to be called before every request; it never waits for a writer.
        """
        ...

    def close(self) -> None:
        """Release files and locks."""
        ...

    def languages(self) -> tuple[str, ...]:
        """The languages that the library holds, in order of their codes."""
        return self.state().languages

    def facts(self) -> Mapping[str, str]:
        """What the library says of itself: schema, embedder, analysis, edition."""
        return self.state().facts

    def generation(self) -> str:
        """A name for the state that is read: every put and delete, once it can be found, changes it.

        Cheap to have; what was found under another name may be found no more.
        """
        return self.state().generation


class Records(Law, Graph, Holdings, Protocol):
    """All that is read by identifier or name."""
