"""The Store contract: what every engine that keeps a library must do, whatever it is made of.

Engines pass one contract suite (tests/contracts). Both matches filter before they rank, and an exact
engine is the reference that approximate ones are scored against.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Protocol

from pykala.law.bundles import Bundle
from pykala.law.filters import Filter
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import DefinedTerm, Document, Pairing, Provision, ProvisionKind, Version, Work
from pykala.law.references import Direction, Edge, EdgeKind, UnresolvedReference
from pykala.law.standing import UNKNOWN, Standing
from pykala.law.validity import Validity
from pykala.versions.chains import Change

if TYPE_CHECKING:  # vectors need NumPy; a library without them opens faster
    from numpy import float32
    from numpy.typing import NDArray


class StoreError(Exception):
    """Something about the library itself; the message names the command that mends it."""


class StoreLocked(StoreError):
    """Another process is writing to the library."""


class StoreIncompatible(StoreError):
    """The library was made with another schema, analysis or embedder."""


class StoreDamaged(StoreError):
    """A file of the library cannot be read."""


class StoreForbidden(StoreError):
    """This user may not read, or not write, a file of the library; the message names it."""


class StoreFull(StoreError):
    """The disk is full; what was stored before stays."""


class UnknownProvision(LookupError):
    """Nothing in the library answers to an identifier."""


class NotInForce(LookupError):
    """The provision is known, but no wording of it is in force on the date that was asked."""

    def __init__(self, provision: ProvisionId, as_of: date, versions: Sequence[Version]) -> None:
        self.provision, self.as_of, self.versions = provision, as_of, tuple(versions)
        super().__init__(f"{provision} has no wording in force on {as_of.isoformat()}{self._known()}")

    def _known(self) -> str:
        if not self.versions:
            return ""
        first, last = self.versions[0].validity, self.versions[-1].validity
        if first.is_pending:
            return "; it is enacted, and the day of its entry into force is not fixed"
        entered = self.versions[0].in_force
        if first.start and entered and entered <= self.as_of < first.start:
            return (
                f"; it is in force since {entered.isoformat()} and applies from {first.start.isoformat()} on"
            )
        if first.start and self.as_of < first.start:
            return f"; the library knows it from {first.start.isoformat()} on"
        return f"; it was in force until {last.end.isoformat()}" if last.end else ""


@dataclass(frozen=True, slots=True)
class Match:
    """A child passage that matched: where it stands, its words, and how well it matched."""

    passage: int
    score: float
    provision: ProvisionId  # the innermost provision that holds the child
    section: ProvisionId  # the provision that its parent passage is anchored to
    kind: ProvisionKind
    work: WorkId
    language: str
    header: str
    text: str
    parent_text: str
    start: int  # where the child stands in the section's composed text
    validity: Validity
    authority: int
    standing: Standing = UNKNOWN


@dataclass(frozen=True, slots=True)
class Ancestor:
    """One level above a provision."""

    id: ProvisionId
    label: str
    heading: str


@dataclass(frozen=True, slots=True)
class StoredProvision:
    """A provision as it stands on a date (one version a node), with what surrounds it."""

    provision: Provision
    work: Work
    language: str
    languages: tuple[str, ...]  # every language the work is held in
    translation: bool
    format: str
    ancestors: tuple[Ancestor, ...]
    #: Provisions below it that had a wording on the date which the source does not hold.
    missing: tuple[ProvisionId, ...] = ()

    @property
    def version(self) -> Version:
        """The version that is shown."""
        return self.provision.versions[-1]


@dataclass(frozen=True, slots=True)
class Stats:
    """How much the library holds."""

    works: Mapping[str, int]  # by "jurisdiction/kind"
    documents: Mapping[str, int]  # by language
    provisions: int
    versions: int
    passages: int
    children: int
    edges: Mapping[str, int]
    unresolved: Mapping[str, int]  # by reason
    pairings: int
    terms: int
    vectors: int
    bytes: int
    facts: Mapping[str, str]  # schema, embedder, analysis, edition
    #: Jurisdiction → how many "provisions" and "versions" of its law are held.
    by_jurisdiction: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    #: "jurisdiction/kind" → the "oldest" and the "newest" day to which works of it are known.
    current_to: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


class Store(Protocol):
    """A library's records and its two indexes."""

    def put(self, bundle: Bundle) -> bool:
        """Store one work in one transaction; False, and nothing written, where it is there unchanged."""
        ...

    def refuse(self, item: str, fingerprint: str, reasons: Sequence[tuple[str, str]]) -> None:
        """Remember that an item gave no work, and why, so that it is not read again unchanged."""
        ...

    def delete(self, work: WorkId) -> None:
        """Remove a work, its passages and its references; references to it become unresolved."""
        ...

    def record(self, facts: Mapping[str, str]) -> None:
        """Record facts about the library as a whole."""
        ...

    def batch(self) -> AbstractContextManager[None]:
        """Publish everything put within the block at its end, all at once for readers."""
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

    def words(self, work: WorkId) -> Mapping[str, int]:
        """Language → how many words of a work are held, over all its versions."""
        ...

    def works(self) -> Iterator[Work]:
        """Every work, in order of identifier."""
        ...

    def work(self, work: WorkId) -> Work:
        """One work; UnknownProvision where it is not held."""
        ...

    def document(self, work: WorkId, language: str) -> Document:
        """A work in a language with all its versions, as it was put (without references)."""
        ...

    def provision(
        self, provision: ProvisionId, *, as_of: date | None = None, language: str | None = None
    ) -> StoredProvision:
        """A provision and all below it on a date (None: the newest wording); the language if held."""
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

    def edges(
        self,
        provisions: Sequence[ProvisionId],
        *,
        kinds: Sequence[EdgeKind] | None = None,
        direction: Direction = Direction.BOTH,
        as_of: date | None = None,
        caps: Mapping[tuple[EdgeKind, Direction], int] | None = None,
    ) -> tuple[Edge, ...]:
        """Edges that touch the provisions or anything below them, in force on the date.

        A section with more edges of a kind and direction than `caps` allows is a hub: those are left out.
        """
        ...

    def standing(self, section: ProvisionId) -> Standing:
        """How often a section and its act are cited."""
        ...

    def unresolved(self, provisions: Sequence[ProvisionId]) -> tuple[UnresolvedReference, ...]:
        """References from the provisions, or from below them, that lead nowhere yet."""
        ...

    def pairings(self, provision: ProvisionId) -> tuple[Pairing, ...]:
        """Its counterparts in other languages."""
        ...

    def definitions(self, terms: Sequence[str], language: str) -> tuple[DefinedTerm, ...]:
        """Where terms are defined, by their folded form."""
        ...

    def match_text(self, query: str, filter: Filter, limit: int) -> tuple[Match, ...]:
        """Children by their words, best first, among those that pass the filter."""
        ...

    def match_terms(
        self, terms: Mapping[str, float], language: str, filter: Filter, limit: int
    ) -> tuple[Match, ...]:
        """Children of a language by terms as the analysis gives them, each with its weight."""
        ...

    def translations(self, text: str, language: str, into: str) -> Mapping[str, float]:
        """Terms of another language for a text's words, with weights, as `match_terms` takes them.

        They are learned from what the library holds in both languages, some time after it was put; where
        it holds nothing in both, only what needs no translation is given: numbers and citations.
        """
        ...

    def match_vector(self, vector: NDArray[float32], filter: Filter, limit: int) -> tuple[Match, ...]:
        """Children by their meaning, best first, among those that pass the filter."""
        ...

    def match_asked(self, vector: NDArray[float32], filter: Filter, limit: int) -> tuple[Match, ...]:
        """Beginnings of sections whose known questions (`AskedEmbedder`) are nearest, nearest first."""
        ...

    def nearness(self, vector: NDArray[float32], passages: Sequence[int]) -> Mapping[int, float]:
        """How near some children are to a vector, by number; those without a vector are left out."""
        ...

    def weigh(
        self, query: str, language: str, jurisdictions: frozenset[str] = frozenset()
    ) -> Mapping[str, float]:
        """The query's terms with their inverse document frequency; 0 for a term found nowhere.

        Passages are counted in the jurisdictions named, or in all where none is.
        """
        ...

    def resolve(self, alias: str) -> tuple[WorkId, ...]:
        """The works that answer to a name, abbreviation or official identifier."""
        ...

    def places(self, alias: str) -> tuple[ProvisionId, ...]:
        """The provisions that a source calls by a name of its own, such as a database key."""
        ...

    def languages(self, work: WorkId | None = None) -> tuple[str, ...]:
        """The languages that the library holds, or those that a work of it is held in."""
        ...

    def stats(self) -> Stats:
        """How much the library holds."""
        ...

    def facts(self) -> Mapping[str, str]:
        """What the library says of itself: schema, embedder, analysis, edition."""
        ...

    def generation(self) -> str:
        """A name for the state that is read: every put and delete, once it can be found, changes it.

        Cheap to have; what was found under another name may be found no more.
        """
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
