"""The Library: a store, the packs that speak for it and perhaps a model; one method per verb."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import date, timedelta
from importlib.metadata import version
from pathlib import Path

from pykala.answer import caveats, chronicle
from pykala.answer.acts import act_citation
from pykala.answer.chronicle import ActChanges, Comparison, History
from pykala.answer.cite import cited
from pykala.answer.context import BUDGET, ContextBlock, context_block
from pykala.answer.replay import Replay, read_record, replay
from pykala.answer.trace import Listener, nobody
from pykala.ask import Engine, ask
from pykala.fetch.addresses import AllowedHosts
from pykala.fetch.mirror import Mirror, open_mirror
from pykala.fetch.refusals import MirrorUnavailable
from pykala.fetch_acts import FetchReport, fetch_acts
from pykala.graph.walk import FOLLOW_EVERYTHING, Visited, WalkOptions, walk
from pykala.inbox import InboxReport, Originals, remove, watch
from pykala.ingest import Progress, Report, ingest
from pykala.law.answers import Answer, Caveat, CitedProvision
from pykala.law.composition import compose
from pykala.law.filters import Filter
from pykala.law.identifiers import InvalidIdentifier, ProvisionId, WorkId
from pykala.law.provisions import Event, Provision, Version, WorkKind
from pykala.law.references import Edge, UnresolvedReference
from pykala.models.embedder import Embedder
from pykala.packs.pack import LivePack, Pack, installed, pack_for
from pykala.retrieve.annotations import ANNOTATIONS, search_annotations
from pykala.retrieve.options import DEFAULT_OPTIONS, AskOptions
from pykala.retrieve.question import cited_provisions
from pykala.retrieve.search import search
from pykala.retrieve.tree import TreeNode, slim_tree
from pykala.stores.embedded.store import EmbeddedStore
from pykala.stores.store import (
    Match,
    NotInForce,
    Stats,
    Store,
    StoredProvision,
    StoreError,
    UnknownProvision,
)

_NEIGHBOURS = 40  # provisions that `related` shows at most


@dataclass(frozen=True, slots=True)
class Shown:
    """A provision on a date, as a reader opens it."""

    cited: CitedProvision
    version: Version
    children: tuple[Provision, ...]
    caveats: tuple[Caveat, ...]
    languages: tuple[str, ...]
    event: Event = Event.ENACTED  # how the newest words of it came to be
    by: str = ""  # the act that made them, as it is cited


@dataclass(frozen=True, slots=True)
class Found:
    """A search result: the match and how it is cited."""

    match: Match
    citation: str
    url: str


@dataclass(frozen=True, slots=True)
class Related:
    """A provision's neighbourhood: what the walk reached, and what leads out of the library."""

    provision: ProvisionId
    visited: tuple[Visited, ...]
    unresolved: tuple[UnresolvedReference, ...]


class Library:
    """Open one with `pykala.open()`. Methods that look at the law take a date; the default is today."""

    def __init__(
        self,
        store: Store,
        *,
        packs: Mapping[str, Pack] | None = None,
        embedder: Embedder | None = None,
        folder: Path | None = None,
        today: Callable[[], date] = date.today,
        options: AskOptions = DEFAULT_OPTIONS,
    ) -> None:
        self.store = store
        self.folder = folder
        self.packs = dict(packs if packs is not None else installed())
        self.embedder = embedder
        self.options = options
        self._today = today

    @classmethod
    def open(
        cls,
        folder: Path,
        *,
        writable: bool = False,
        create: bool = False,
        embedder: Embedder | None = None,
    ) -> Library:
        """Open the library in a folder; to write to it, and to create it where there is none, say so."""
        store = EmbeddedStore.open(folder, writable=writable, create=create, embedder=embedder)
        return cls(store, embedder=embedder, folder=folder)

    def close(self) -> None:
        """Release the library's files."""
        self.store.close()

    def __enter__(self) -> Library:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def ask(
        self,
        question: str,
        *,
        as_of: date | None = None,
        language: str | None = None,
        jurisdiction: str | None = None,
        identifier: str = "",
        listen: Listener = nobody,
    ) -> Answer:
        """Answer a question about the law in force on a date: the one given, named in it, or today.

        `listen` hears each stage as it ends and the answer as it stands; what it raises stops the work.
        """
        self._require_packs([jurisdiction] if jurisdiction is not None else [])
        return ask(
            question,
            Engine(self.store, self.packs, self.embedder, self.options),
            as_of=as_of or self._today(),
            dated=as_of is not None,
            language=language,
            jurisdiction=jurisdiction,
            identifier=identifier,
            listen=listen,
        )

    def context(
        self,
        question: str,
        *,
        as_of: date | None = None,
        language: str | None = None,
        jurisdiction: str | None = None,
        budget: int = BUDGET,
        both_languages: bool = False,
    ) -> ContextBlock:
        """The law that bears on a question as a block for another program: keys, citations, exact text."""
        answer = self.ask(question, as_of=as_of, language=language, jurisdiction=jurisdiction)
        return context_block(answer, self.store, self.packs, budget=budget, both_languages=both_languages)

    def replay(self, record: str) -> Replay:
        """Ask the question of an answer record (its JSON) again, and say what changed and why."""
        return replay(
            read_record(record),
            lambda asked: self.ask(
                asked.question,
                as_of=asked.as_of,
                language=asked.language,
                jurisdiction=asked.jurisdiction,
            ),
            self.store,
        )

    def search(
        self,
        query: str,
        *,
        as_of: date | None = None,
        languages: Sequence[str] = (),
        jurisdictions: Sequence[str] = (),
        kinds: Sequence[str] = (),
        works: Sequence[str] = (),
        limit: int = 10,
    ) -> tuple[Found, ...]:
        """Provisions in force on a date by their words and meaning, best first."""
        self._require_packs(jurisdictions)
        filter = Filter(
            as_of=as_of or self._today(),
            jurisdictions=frozenset(jurisdictions),
            languages=frozenset(languages),
            kinds=frozenset(kinds),
            works=frozenset(self._work(work) for work in works),
        )
        found = []
        find = search_annotations if filter.kinds & ANNOTATIONS else search
        for candidate in find(query, filter, self.store, self.embedder, limit=limit):
            match = candidate.match
            work, pack = self.store.work(match.work), self.packs.get(match.work.jurisdiction)
            citation = pack.cite(match.provision, work, match.language) if pack else str(match.provision)
            url = pack.url(match.provision, work, match.language, filter.as_of) if pack else ""
            found.append(Found(match, citation, url))
        return tuple(found)

    def locate(self, text: str) -> ProvisionId:
        """A provision from an identifier, a citation as lawyers write it, or the name of a work."""
        known = cited_provisions(text, self.store, self.packs)
        if not known:
            raise UnknownProvision(
                f"{text!r} is not a provision of this library; write an identifier such as"
                " fi:act:1992/1535/sec_124, or find one with 'pykala search'"
            )
        return known[0]

    def show(self, provision: str, *, as_of: date | None = None, language: str | None = None) -> Shown:
        """A provision as it stands on a date.

        Where it has ended, its last wording; where no history is kept, a later one; either with a caveat.
        """
        identifier, day = self.locate(provision), as_of or self._today()
        try:
            stored = self.store.provision(identifier, as_of=day, language=language)
        except NotInForce as error:
            ends = [one.validity.end for one in error.versions if one.validity.end]
            ended = max((end for end in ends if end <= day), default=None)
            if ended is not None:
                last = ended - timedelta(days=1)
                stored = self.store.provision(identifier, as_of=last, language=language)
            elif error.versions and error.versions[0].history_unavailable:
                stored = self.store.provision(identifier, language=language)
            else:
                raise
        return Shown(
            cited=cited(stored, self.packs, day),
            version=stored.version,
            children=stored.provision.children,
            caveats=(
                *caveats.of_provision(stored, language or stored.language, day, self.store, self.packs),
                *caveats.of_library(self.store.facts()),
            ),
            languages=stored.languages,
            event=_newest(stored).event,
            by=self._made_by(_newest(stored), stored.language),
        )

    def _made_by(self, version: Version, language: str) -> str:
        act = version.source_act
        return act_citation(act, self.store, self.packs, language) if act else ""

    def tree(self, work: str, *, as_of: date | None = None, language: str | None = None) -> TreeNode:
        """A work, or a part of one, as a slim tree: numbers, titles and a sentence of each section."""
        stored = self.store.provision(self.locate(work), as_of=as_of or self._today(), language=language)
        return slim_tree(stored.provision)

    def text_at(self, provision: str, as_of: date, *, language: str | None = None) -> str:
        """The words of a provision, with everything below it, as they stood on a date."""
        stored = self.store.provision(self.locate(provision), as_of=as_of, language=language)
        return compose(stored.provision).text

    def history(self, provision: str, *, language: str | None = None) -> History:
        """Every version of a provision's own words, and each day on which anything below it changed."""
        return chronicle.history(self.locate(provision), self.store, self.packs, language)

    def diff(self, provision: str, first: date, second: date, *, language: str | None = None) -> Comparison:
        """What differs in a provision, or in a whole work, between two dates."""
        return chronicle.compare(self.locate(provision), first, second, self.store, self.packs, language)

    def changes(
        self,
        since: date,
        until: date | None = None,
        *,
        jurisdiction: str | None = None,
        kind: str | None = None,
    ) -> tuple[ActChanges, ...]:
        """The works whose words changed from one day to another, both counted, and what changed them."""
        jurisdictions = [jurisdiction] if jurisdiction is not None else []
        self._require_packs(jurisdictions)
        return chronicle.changes(
            since,
            until,
            self.store,
            self.packs,
            jurisdictions=jurisdictions,
            kinds=[kind] if kind is not None else [],
        )

    def related(self, provision: str, *, as_of: date | None = None, hops: int = 1) -> Related:
        """The neighbourhood of a provision: exceptions, references, rulings, guidance, definitions."""
        identifier = self.locate(provision)
        self.store.provision(identifier)  # an unknown provision is an error, not an empty neighbourhood
        visited = walk(
            [(identifier, 1.0)],
            self.store.edges,
            as_of=as_of or self._today(),
            options=WalkOptions(follow=FOLLOW_EVERYTHING, hops=hops, nodes=_NEIGHBOURS),
        )
        return Related(identifier, visited, self.store.unresolved([identifier]))

    def relations(self, provision: str, *, as_of: date | None = None) -> tuple[Edge, ...]:
        """Every edge that touches a provision, unbounded."""
        return self.store.edges([self.locate(provision)], as_of=as_of or self._today())

    def provision(self, provision: str) -> ProvisionHandle:
        """A provision to ask more of: `.at(date)`, `.history()`, `.relations()`."""
        return ProvisionHandle(self, self.locate(provision))

    def ingest(
        self,
        pack: str,
        source: Path | Mirror,
        *,
        workers: int = 1,
        prune: bool = False,
        progress: Progress = lambda done, total: None,
    ) -> Report:
        """Bring the library up to date with a pack's source: a folder, an archive, or an open mirror."""
        with open_mirror(source) if isinstance(source, Path) else nullcontext(source) as mirror:
            return ingest(self.store, pack_for(pack), mirror, workers=workers, prune=prune, progress=progress)

    def fetch(
        self,
        pack: str,
        words: str,
        folder: Path,
        *,
        year: int | None = None,
        limit: int = 20,
        progress: Progress = lambda done, total: None,
    ) -> FetchReport:
        """Find acts by words of their title at a pack's publisher, fetch them into `folder`, ingest them."""
        return fetch_acts(
            self.store,
            pack_for(pack),
            words,
            folder,
            year=year,
            limit=limit,
            fetching=progress,
            ingesting=progress,
        )

    def inbox(
        self, folder: Path, *, prune: bool = False, wait: Callable[[], bool] = lambda: False
    ) -> Iterator[InboxReport]:
        """Bring uploads up to date with a folder: once, and on every change for as long as `wait` says."""
        return watch(self.store, folder, self._originals(), wait=wait, prune=prune)

    def delete(self, work: str) -> None:
        """Remove a work, everywhere; of an upload also the original."""
        located = self.locate(work)
        if located.path:
            raise InvalidIdentifier(f"{work!r} is a provision; works are removed whole, as {located.work}")
        found = located.work
        if self.store.work(found).kind is WorkKind.UPLOAD:
            remove(self.store, self._originals(), found)
        else:
            self.store.delete(found)

    def _originals(self) -> Originals:
        if self.folder is None:
            raise StoreError("this library has no folder of its own to keep uploads in")
        return Originals(self.folder / "originals")

    def stats(self) -> Stats:
        """How much the library holds."""
        return self.store.stats()

    def _work(self, text: str) -> WorkId:
        return self.locate(text).work

    def _require_packs(self, jurisdictions: Sequence[str]) -> None:
        for jurisdiction in jurisdictions:
            if jurisdiction not in self.packs:
                pack_for(jurisdiction)  # says which there are


def _newest(stored: StoredProvision) -> Version:
    """The words of a provision, its own or below it, that came last: the dates that are shown are theirs."""
    below = [version for one in stored.provision.walk() for version in one.versions]
    dated = [one for one in below if one.validity.start and not one.validity.is_pending]
    return max(dated, key=lambda one: one.validity.start or date.min, default=stored.version)


def live_source(
    pack: str, snapshots: Path, *, key: str = "", progress: Progress = lambda done, total: None
) -> AbstractContextManager[Mirror]:
    """A pack's source as its publisher has it today; only what changed since the last time is fetched.

    `key` is the user's own, for a publisher that wants one.
    """
    found = pack_for(pack)
    if not isinstance(found, LivePack):
        raise MirrorUnavailable(pack, "it has no live source here; give --from FOLDER_OR_ARCHIVE")
    # What the network needs is loaded only by who goes there.
    from pykala.fetch.http import Manners, PoliteClient
    from pykala.fetch.snapshots import Snapshots

    kept = Snapshots(snapshots / pack)
    hosts = AllowedHosts(frozenset(found.facts.hosts))
    # Five requests a second: a first full fetch of ten thousand files then takes under an hour.
    manners = Manners(user_agent=f"pykala/{version('pykala')}", interval=0.2)
    with PoliteClient(hosts, manners, snapshots=kept) as client:  # the mirror reads what was fetched
        return found.live(client, kept, key=key, progress=progress)


@dataclass(frozen=True, slots=True)
class ProvisionHandle:
    """A provision of an open library."""

    library: Library
    id: ProvisionId

    def at(self, as_of: date, *, language: str | None = None) -> Shown:
        """The provision as it stands on a date."""
        return self.library.show(str(self.id), as_of=as_of, language=language)

    def history(self, *, language: str | None = None) -> tuple[Version, ...]:
        """Its versions, oldest first."""
        return self.library.history(str(self.id), language=language).versions

    def relations(self, *, as_of: date | None = None) -> tuple[Edge, ...]:
        """Every edge that touches it."""
        return self.library.relations(str(self.id), as_of=as_of)
