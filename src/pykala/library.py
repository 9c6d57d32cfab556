"""The Library: a store, the packs that speak for it and perhaps a model; one method per verb."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pykala.answer import caveats, chronicle
from pykala.answer.acts import act_citation
from pykala.answer.chronicle import ActChanges, Comparison, History
from pykala.answer.citations_in import CitationInText, citations_in
from pykala.answer.cite import cited
from pykala.answer.context import BUDGET, ContextBlock, context_block
from pykala.answer.hydrate import HydratedDocument, hydrate
from pykala.answer.keywords import Keyword, keywords
from pykala.answer.reasoning import Reasoning, on_date, reasoning
from pykala.answer.replay import Replay, read_record, replay
from pykala.answer.surroundings import Surroundings, surroundings
from pykala.answer.trace import Listener, Watcher, both, nobody
from pykala.fetch.mirror import Mirror, open_mirror
from pykala.fetch_acts import FetchReport, fetch_acts
from pykala.graph.walk import FOLLOW_EVERYTHING, WalkOptions, walk
from pykala.handles import Found, ProvisionHandle, Related, Shown, newest_words
from pykala.inbox import InboxReport, Originals, remove, watch
from pykala.ingest import Progress, Report, ingest
from pykala.law.answers import Answer, Cost, Stage
from pykala.law.composition import compose
from pykala.law.filters import Filter
from pykala.law.identifiers import InvalidIdentifier, ProvisionId, WorkId
from pykala.law.provisions import Version, WorkKind
from pykala.law.references import Edge
from pykala.live import live_source
from pykala.models.bundled import OWN_EMBEDDER
from pykala.models.bundled.lazy import LazyReranker, bundled_embedder
from pykala.models.embedder import Embedder
from pykala.models.reranker import Reranker
from pykala.packs.pack import Pack, installed, pack_for
from pykala.retrieve.annotations import ANNOTATIONS, search_annotations
from pykala.retrieve.navigate import Destination, act_tree, navigate
from pykala.retrieve.options import DEFAULT_OPTIONS, AskOptions, Unit
from pykala.retrieve.question import cited_provisions
from pykala.retrieve.search import Candidate, search
from pykala.retrieve.tree import TreeNode, slim_tree
from pykala.stores.cache import Cache, NoCache
from pykala.stores.cached import cached_embedder, cached_reranker, cached_store
from pykala.stores.embedded.store import EmbeddedStore
from pykala.stores.store import (
    NotInForce,
    Stats,
    Store,
    StoreError,
    UnknownProvision,
)
from pykala.text.language import detect

if TYPE_CHECKING:
    from pykala.answer.advice import Advice, Adviser
    from pykala.answer.drafting import Drafting
    from pykala.ask import Engine
    from pykala.online import Online
    from pykala.retrieve.calibration import Case, Weights

__all__ = ["Found", "Library", "ProvisionHandle", "Related", "Shown", "live_source"]

_NEIGHBOURS = 40  # provisions that `related` shows at most


class Library:
    """Open one with `pykala.open()`. Methods that look at the law take a date; the default is today."""

    def __init__(
        self,
        store: Store,
        *,
        packs: Mapping[str, Pack] | None = None,
        embedder: Embedder | None = None,
        reranker: Reranker | None = None,
        folder: Path | None = None,
        today: Callable[[], date] = date.today,
        options: AskOptions = DEFAULT_OPTIONS,
        cache: Cache | None = None,
        drafting: Drafting | None = None,
        calibration: Mapping[Case, Weights] | None = None,
    ) -> None:
        self.store = store
        self.folder = folder
        self.packs = dict(packs if packs is not None else installed())
        self.embedder = embedder
        self.reranker = reranker
        self.options = options
        self.cache: Cache = cache or NoCache()
        self.calibration = calibration  # None: the weights that ship with the package
        self.drafting = drafting  # a model that writes; None: answers are the law's own words
        self.adviser: Adviser | None = None  # who gives second opinions; None: nobody
        self.watch: Watcher | None = None  # who keeps account of questions; None: nobody
        self._today = today

    @classmethod
    def open(
        cls,
        folder: Path | str,
        *,
        writable: bool = False,
        create: bool = False,
        embedder: Embedder | Literal["bundled"] | None = "bundled",
    ) -> Library:
        """Open the library in a folder; to write to it, and to create it where there is none, say so.

        A new library takes the embedder that ships with the package unless another, or none, is given; one
        that was made without vectors stays so until 'pykala reindex'.
        """
        folder = Path(folder)
        if embedder == "bundled":
            embedder = bundled_embedder() if EmbeddedStore.takes_vectors(folder) else None
        # It reads with that embedder's own words, and what is sure is measured with both.
        reranker = LazyReranker() if embedder is not None and embedder.name == OWN_EMBEDDER else None
        store = EmbeddedStore.open(folder, writable=writable, create=create, embedder=embedder)
        return cls(store, embedder=embedder, reranker=reranker, folder=folder)

    def close(self) -> None:
        """Release the library's files."""
        self.store.close()
        self.cache.close()

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
        draft: bool = True,
        online: Online | None = None,
    ) -> Answer:
        """Answer a question about the law in force on a date: the one given, named in it, or today.

        `listen` hears each stage as it ends and the answer as it stands; what it raises stops the work.
        With `online`, publishers are asked where the library has no good answer. A model drafts the answer
        where the library has one, unless `draft` is false.
        """
        given = (as_of, language, jurisdiction, identifier)
        if self.watch is None:
            return self._asked(question, *given, listen, draft, online)
        with self.watch(question, self.store) as hears:
            answer = self._asked(question, *given, both(hears, listen), draft, online)
            hears(answer)
            return answer

    def second_opinion(
        self, question: str, *, spent: Cost | None = None, deadline: float | None = None
    ) -> Advice:
        """What a service that searches the web says of a question, apart from the law; never its authority.

        What goes wrong is told in its `problem`. `spent` on the answer counts towards the same cap.
        """
        from pykala.answer.advice import DEADLINE, NOT_SET_UP, Advice

        if self.adviser is None:
            return Advice(problem=NOT_SET_UP)
        return self.adviser.advise(question, spent=spent, deadline=DEADLINE if deadline is None else deadline)

    def _asked(
        self,
        question: str,
        as_of: date | None,
        language: str | None,
        jurisdiction: str | None,
        identifier: str,
        listen: Listener,
        draft: bool,
        online: Online | None,
    ) -> Answer:
        from pykala.ask import ask  # with NumPy, which nothing but asking needs

        self._require_packs([jurisdiction] if jurisdiction is not None else [])
        tally: Counter[str] = Counter()
        engine = self.engine(tally)
        day = as_of or self._today()

        def asked_of(store: Store, text: str = question) -> Answer:
            return ask(
                text,
                replace(engine, store=store),
                as_of=day,
                dated=as_of is not None,
                language=language,
                jurisdiction=jurisdiction,
                identifier=identifier,
                listen=listen,
            )

        answer = asked_of(engine.store)
        if online is not None:
            answer = self._online(answer, asked_of, online, day, as_of is not None, language, jurisdiction)
        if self.drafting is not None and draft:
            answer = self._drafted(answer, lambda words: asked_of(engine.store, words), listen)
        kept = Stage("cache", 0.0, tuple(sorted(tally.items())))
        return replace(answer, trace=(*answer.trace, kept)) if tally else answer

    def _drafted(self, answer: Answer, again: Callable[[str], Answer], listen: Listener) -> Answer:
        """The answer with a model's help: other words where it had none, then a draft of it."""
        from pykala.rewording import asked_in_other_words

        assert self.drafting is not None
        spent = self.drafting.meter.answer()
        answer = asked_in_other_words(answer, again, self.drafting, spent)
        if answer.fetched:
            return answer  # what was fetched lies in another library; the law's own words stand
        return self.drafting.draft(answer, self.store, self.packs, listen=listen, tally=spent)

    def _online(
        self,
        answer: Answer,
        again: Callable[[Store], Answer],
        online: Online,
        day: date,
        dated: bool,
        language: str | None,
        jurisdiction: str | None,
    ) -> Answer:
        from pykala.online import escalate, wants_more  # what the network needs, for who goes there

        if not wants_more(answer):
            return answer
        return escalate(
            answer,
            again,
            self.store,
            self.packs,
            online,
            as_of=day,
            language=language,
            jurisdiction=jurisdiction,
            dated=dated,
            embedder=self.embedder,
        )

    def engine(self, tally: Counter[str] | None = None) -> Engine:
        """What the read path works with; `tally` counts what came from the cache."""
        from pykala.ask import Engine

        store, embedder, reranker = self.store, self.embedder, self.reranker
        if self.options.cache and not isinstance(self.cache, NoCache):
            counted = Counter[str]() if tally is None else tally
            store = cached_store(store, self.cache, counted)
            embedder = cached_embedder(embedder, self.cache, counted) if embedder else None
            reranker = cached_reranker(reranker, self.cache, counted) if reranker else None
        return Engine(store, self.packs, embedder, self.options, reranker, self.calibration)

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
        answer = self.ask(question, as_of=as_of, language=language, jurisdiction=jurisdiction, draft=False)
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
                draft=False,
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
        for candidate in self._candidates(query, filter, limit):
            match = candidate.match
            work, pack = self.store.work(match.work), self.packs.get(match.work.jurisdiction)
            citation = pack.cite(match.provision, work, match.language) if pack else str(match.provision)
            url = pack.url(match.provision, work, match.language, filter.as_of) if pack else ""
            found.append(Found(match, citation, url))
        return tuple(found)

    def _candidates(self, query: str, filter: Filter, limit: int) -> Sequence[Candidate]:
        """What a search finds, in the order that question sets taught where sections are ranked."""
        given = (self.store, self.embedder)
        if filter.kinds & ANNOTATIONS:
            return search_annotations(query, filter, *given, limit=limit, options=self.options)
        if filter.kinds or self.options.unit is Unit.PASSAGE or not (self.embedder and self.options.vectors):
            return search(query, filter, *given, limit=limit, options=self.options)
        from pykala.retrieve.ranked import search_ranked  # with NumPy, which words alone do not need

        return search_ranked(query, filter, *given, self.calibration, limit=limit, options=self.options)

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
                *caveats.of_provision(
                    stored,
                    language or stored.language,
                    day,
                    self.store,
                    self.packs,
                    spoken=language or "en",
                ),
                *caveats.of_library(self.store.facts(), spoken=language or "en"),
            ),
            languages=stored.languages,
            event=newest_words(stored).event,
            by=self._made_by(newest_words(stored), stored.language),
            standing=self.store.standing(identifier),
        )

    def _made_by(self, version: Version, language: str) -> str:
        act = version.source_act
        return act_citation(act, self.store, self.packs, language) if act else ""

    def tree(self, work: str, *, as_of: date | None = None, language: str | None = None) -> TreeNode:
        """A work, or a part of one, as a slim tree: numbers, titles and a sentence of each section."""
        stored = self.store.provision(self.locate(work), as_of=as_of or self._today(), language=language)
        return slim_tree(stored.provision)

    def navigate(
        self, work: str, question: str, *, as_of: date | None = None, language: str | None = None
    ) -> tuple[Destination, ...]:
        """The sections that a work's own table of contents points at for a question, best first."""
        located, day = self.locate(work), as_of or self._today()
        held = self.store.languages(located.work)
        asked = language or detect(question, default=held[0] if held else "").language
        spoken = asked if asked in held else (held[0] if held else "")
        tree = act_tree(located.work, self.store, as_of=day, language=spoken, cache=self.cache)
        return navigate(self.store.weigh(question, spoken), tree, spoken)

    def document(
        self, provision: str, *, as_of: date | None = None, language: str | None = None
    ) -> HydratedDocument:
        """The document that a provision belongs to, whole or as much as fits around it."""
        day = as_of or self._today()
        return hydrate(self.locate(provision), self.store, self.packs, as_of=day, language=language)

    def surroundings(
        self, provision: str, *, as_of: date | None = None, language: str | None = None
    ) -> Surroundings:
        """Where a provision stands: the levels above it, its neighbours, how each language cites it."""
        day = as_of or self._today()
        stored = on_date(self.locate(provision), self.store, day, language)
        return surroundings(stored, self.store, self.packs, day)

    def reasoning(self, answer: Answer) -> Reasoning:
        """The provisions that mattered to an answer as a small graph, in the order in which they came in."""
        return reasoning(answer, self.store, self.packs)

    def keywords(
        self,
        question: str,
        *,
        as_of: date | None = None,
        language: str | None = None,
        jurisdiction: str | None = None,
    ) -> tuple[str, tuple[Keyword, ...]]:
        """A question's language, and its keywords, the rarest first, with how many provisions hold each."""
        self._require_packs([jurisdiction] if jurisdiction is not None else [])
        return keywords(
            question,
            self.store,
            self.packs,
            as_of=as_of or self._today(),
            language=language,
            jurisdiction=jurisdiction,
        )

    def citations(
        self,
        text: str,
        *,
        as_of: date | None = None,
        language: str | None = None,
        jurisdiction: str | None = None,
    ) -> tuple[CitationInText, ...]:
        """The citations in any text: where they stand, what they mean, and whether the library holds it."""
        self._require_packs([jurisdiction] if jurisdiction is not None else [])
        return citations_in(
            text,
            self.store,
            self.packs,
            as_of=as_of or self._today(),
            language=language,
            jurisdiction=jurisdiction,
        )

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
