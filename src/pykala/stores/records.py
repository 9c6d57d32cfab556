"""Records: read the law and the references between provisions, for every engine.

Reads take many identifiers at once, so that a question needs only a handful of round trips to a store across
a network. The methods for a single identifier are defined here by those for many; an engine inherits them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Protocol

from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import DefinedTerm, Document, Pairing, Provision, Version, Work
from pykala.law.references import Direction, Edge, EdgeKind, EdgesWanted, UnresolvedReference
from pykala.law.standing import UNKNOWN, Standing
from pykala.stores.changed import ChangedWork, WorkChange, counted
from pykala.stores.errors import UnknownProvision
from pykala.stores.values import Mentions, Named, References, State, Stats, StoredProvision, Wording
from pykala.versions.chains import Change


class Law(Protocol):
    """Reads works, and provisions with their versions."""

    def works(self) -> Iterator[Work]:
        """Every work, in order of identifier."""
        ...

    def works_of(self, works: Sequence[WorkId]) -> Mapping[WorkId, Work]:
        """The works among these that the library holds."""
        ...

    def languages_of(self, works: Sequence[WorkId]) -> Mapping[WorkId, tuple[str, ...]]:
        """The languages of each work, sorted by code; empty where it is not held."""
        ...

    def document(self, work: WorkId, language: str) -> Document:
        """A work in a language with all its versions, as it was put (without references)."""
        ...

    def words(self, work: WorkId) -> Mapping[str, int]:
        """Language → number of words of a work, over all its versions."""
        ...

    def provisions(self, wanted: Sequence[Wording]) -> tuple[StoredProvision | LookupError, ...]:
        """Each provision with its descendants, in the given order.

        If one cannot be given, an UnknownProvision or NotInForce error takes its place.
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
        """Versions that began or ended in a period, both days included, once for all languages.

        Sorted by work, day and place in the document; `kinds` are kinds of works. A pending version has not
        changed anything yet. Words that end when others begin are one change, that of the new words.
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
        """The works that began, were amended or ended in a period, counted."""
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
        """A provision with its descendants on a date (None for the newest), in the language if held."""
        (found,) = self.provisions([Wording(provision, as_of, language)])
        if isinstance(found, LookupError):
            raise found
        return found


class Graph(Protocol):
    """Reads what connects provisions: edges, names, definitions, counterparts in other languages."""

    def references(self, wanted: Sequence[EdgesWanted], unresolved: Sequence[ProvisionId] = ()) -> References:
        """Edges of the provisions of each request, or of anything below them, in force on its date.

        A section with more edges of a kind and direction than `caps` allows is a hub: those edges are left
        out. The result also has the unresolved references from other provisions, or from below them.
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
        """The works and provisions of each name, abbreviation, official identifier, or source's own name."""
        ...

    def mentions_of(self, works: Sequence[WorkId]) -> Mapping[WorkId, Mentions]:
        """How the law here refers to each work, also to works that are not held."""
        ...

    def edges_of(self, wanted: Sequence[EdgesWanted]) -> tuple[tuple[Edge, ...], ...]:
        """The edges of each request."""
        return self.references(wanted).edges

    def unresolved(self, provisions: Sequence[ProvisionId]) -> tuple[UnresolvedReference, ...]:
        """Unresolved references from the provisions, or from below them."""
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
        """The works of a name, abbreviation or official identifier."""
        return self.named([alias])[alias].works

    def places(self, alias: str) -> tuple[ProvisionId, ...]:
        """The provisions of a source's own name, such as a database key."""
        return self.named([alias])[alias].provisions


class Holdings(Protocol):
    """Reads facts about the whole library, and moves to newer states."""

    #: The folder of its index files, or of the whole library; None where it keeps none.
    folder: Path | None = None

    def state(self) -> State:
        """The library's state: its name, facts and languages."""
        ...

    def fingerprints(self) -> Mapping[str, str]:
        """Item → fingerprint, for everything stored or refused."""
        ...

    def items(self) -> Mapping[str, WorkId]:
        """Item → its work."""
        ...

    def sources(self) -> Mapping[str, tuple[str, ...]]:
        """Item → the files of its work."""
        ...

    def refusals(self) -> tuple[tuple[str, str], ...]:
        """Every file that was refused, and why."""
        ...

    def stats(self) -> Stats:
        """The size of the library."""
        ...

    def refresh(self) -> None:
        """Move a reader to the newest published state; until then it sees its own."""
        ...

    def catch_up(self) -> bool:
        """Move to a newer state if it is available at once; return whether it moved.

        Cheap enough to be called before every request; it never waits for a writer.
        """
        ...

    def close(self) -> None:
        """Close files and release locks."""
        ...

    def languages(self) -> tuple[str, ...]:
        """The languages of the library, sorted by code."""
        return self.state().languages

    def facts(self) -> Mapping[str, str]:
        """The library's facts: schema, embedder, analysis, edition."""
        return self.state().facts

    def generation(self) -> str:
        """A name for the state; every published change gives another.

        Cheap to read. Results cached under another name may be outdated.
        """
        return self.state().generation


class Records(Law, Graph, Holdings, Protocol):
    """All reads by identifier or name."""
