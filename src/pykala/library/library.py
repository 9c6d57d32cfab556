"""The Library: a store, its packs and optional models; one method per verb."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import fields, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pykala.answer.replay import Replay, read_record, replay
from pykala.caches.cache import Cache, NoCache
from pykala.draft.context import BUDGET, ContextBlock, context_block
from pykala.fetch.confined import ConfinedProcesses
from pykala.fetch.mirror import Mirror, open_mirror
from pykala.law.answers import Answer, Cost
from pykala.law.choices import Day, OneOrMany, as_day, as_many
from pykala.law.filters import Filter
from pykala.law.identifiers import InvalidIdentifier
from pykala.law.provisions import WorkKind
from pykala.library.asking import Asking, Choices
from pykala.library.assembly import Assembly
from pykala.library.awaiting import Awaitable
from pykala.library.one_state import Refresh, of_one_state
from pykala.library.reading import ReadingVerbs
from pykala.library.results import Found, ProvisionHandle, Related, Shown
from pykala.library.sample import is_sample
from pykala.models.bundled import OWN_EMBEDDER
from pykala.models.bundled.lazy import LazyReranker, bundled_for
from pykala.models.embedder import Embedder
from pykala.models.reranker import Reranker
from pykala.models.unusable import UnusableModel
from pykala.packs.pack import Pack, installed, languages_of, pack_for
from pykala.retrieve.annotations import ANNOTATIONS, search_annotations
from pykala.retrieve.hits import SPARE, worth_showing
from pykala.retrieve.options import DEFAULT_OPTIONS, AskOptions, Unit
from pykala.retrieve.search import Candidate, search
from pykala.retrieve.trace import Listener, Watcher, both, nobody
from pykala.stores.opening import made_with, open_store, open_writer, scheme_of
from pykala.stores.store import Store, StoreError, require_writer
from pykala.text.language import detect

if TYPE_CHECKING:  # what reads sources is loaded by the verbs that read them: a question needs none of it
    from pykala.ask import Engine
    from pykala.draft.drafting import Drafting
    from pykala.draft.general import Guide
    from pykala.draft.judging import Judge
    from pykala.draft.second_opinion import Adviser
    from pykala.ingest import Progress, Report
    from pykala.library.inbox import InboxReport
    from pykala.models.second_opinion import Advice
    from pykala.online import Online
    from pykala.online.acts import FetchReport
    from pykala.retrieve.calibration import Case, Weighing
    from pykala.retrieve.conversing import After
    from pykala.stores.originals import Originals

__all__ = ["Found", "Library", "ProvisionHandle", "Related", "Shown"]


class Library(ReadingVerbs, Awaitable):
    """Open one with `pykala.open()`. Methods that look at the law take a date; the default is today.

    A date is a `date` or a text such as "2019-12-31". A language or a jurisdiction may be one value or
    several; several languages are an order of preference.
    """

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
        judge: Judge | None = None,
        guide: Guide | None = None,
        adviser: Adviser | None = None,
        calibration: Mapping[Case, Weighing] | None = None,
        home: str = "",
        watch: Watcher | None = None,
        confined: ConfinedProcesses | None = None,
        refresh: Refresh = "manual",
    ) -> None:
        """Build a library; `Assembly` describes each part."""
        super().__init__(
            Assembly(
                store,
                dict(packs if packs is not None else installed()),
                embedder,
                reranker,
                folder,
                today,
                options,
                cache or NoCache(),
                drafting,
                judge,
                guide,
                adviser,
                calibration,
                home,
                watch,
                confined,
                refresh,
            )
        )
        self.turn = threading.Lock()  # one question at a time

    def with_parts(self, **parts: Any) -> Library:
        """A library with some parts replaced; both share one store, and closing either closes it."""
        made_of = {one.name: getattr(self.made_of, one.name) for one in fields(self.made_of)}
        return Library(**{**made_of, **parts})

    @classmethod
    def open(
        cls,
        folder: Path | str,
        *,
        writable: bool = False,
        create: bool = False,
        embedder: Embedder | Literal["bundled"] | None = "bundled",
        home: str = "",
        refresh: Refresh = "manual",
    ) -> Library:
        """Open the library in a folder; `writable` opens it for writing, `create` makes a new one if needed.

        With `refresh="auto"`, every call first checks whether another process has published a newer state,
        and uses it. Otherwise a reader stays on the state that it opened until `refresh()`.

        A new library uses the embedder that ships with the package unless another, or none, is given. A
        library made without vectors stays so until 'pykala reindex'. If the embedder cannot be used, a reader
        searches by words and every answer says so; a writer gets an error.
        """
        bundled = embedder == "bundled"
        if embedder == "bundled":
            fingerprint = made_with(folder)
            embedder = None if fingerprint == "" else bundled_for(fingerprint)
        # The bundled reranker uses that embedder's words, and grades are measured with both models.
        reranker = LazyReranker() if embedder is not None and embedder.name == OWN_EMBEDDER else None
        if isinstance(embedder, UnusableModel) and writable:
            raise embedder.error
        made = None if isinstance(embedder, UnusableModel) else embedder
        store: Store = (
            open_writer(folder, create=create, embedder=made)
            if writable
            else open_store(folder, embedder=made)
        )
        if (
            bundled and embedder is None and is_sample(store.facts())
        ):  # built so where the weights are damaged
            problem = bundled_for(None)
            embedder = problem if isinstance(problem, UnusableModel) else None
        # A library in a database keeps its uploads beside its index files.
        beside = store.folder if scheme_of(folder) else Path(folder)
        return cls(store, embedder=embedder, reranker=reranker, folder=beside, home=home, refresh=refresh)

    def close(self) -> None:
        """Close the library's files."""
        self.store.close()
        self.cache.close()

    def __repr__(self) -> str:
        return f"<Library {self.folder or type(self.store).__name__}>"

    def __enter__(self) -> Library:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @of_one_state
    def ask(
        self,
        question: str,
        *,
        as_of: Day | None = None,
        language: OneOrMany = None,
        languages: OneOrMany = None,
        jurisdiction: OneOrMany = None,
        jurisdictions: OneOrMany = None,
        identifier: str = "",
        listen: Listener = nobody,
        draft: bool = True,
        online: Online | None = None,
        after: After | None = None,
        home: str | None = None,
    ) -> Answer:
        """Answer a question about the law in force on a date: the one given, named in it, or today.

        A question may continue an earlier one ("and in 2013?"), given as `after`: its answer, its words, or
        all questions of the conversation so far. A question that asks several things is answered part by
        part.

        `listen` receives each stage as it ends and the answer as soon as it exists; an exception it raises
        stops the work. With `online`, publishers are asked where the library has no good answer. If the
        library has a model for drafts, it drafts the answer unless `draft` is false. `home` is the reader's
        own place, else the library's: its law counts where the question does not indicate a place. The
        singular and the plural name of a choice are the same choice.
        """
        from pykala.retrieve.conversing import words_before

        for text in (question, *words_before(after)):
            self._try(text)
        home = self.home if home is None else home
        day = as_day(as_of) if as_of is not None else None
        spoken = next(iter(as_many(language, languages)), None)
        places = as_many(jurisdiction, jurisdictions)
        asked = Choices(day, spoken, places, identifier, draft, online, home)
        watch = self.made_of.watch
        if watch is None:
            return self._answer(question, after, asked, listen)
        with watch(question, self.store) as hears:
            answer = self._answer(question, after, asked, both(hears, listen))
            hears(answer)
            return answer

    def _answer(self, question: str, after: After | None, asked: Choices, listen: Listener) -> Answer:
        self._require_packs([*asked.jurisdictions, *([asked.home] if asked.home else [])])
        return Asking(self.made_of, self.state(), listen).answer(question, after, asked)

    @contextmanager
    def with_fetched(self, folder: Path) -> Iterator[Library]:
        """This library together with acts that earlier questions fetched into a folder; read only."""
        from pykala.online.escalate import beside

        with beside(self.store, folder, self.made_of.sound_embedder) as store:
            if store is self.store:
                yield self
                return
            yield self.with_parts(store=store, refresh="manual")

    def engine(self) -> Engine:
        """The engine of the read path."""
        return self.made_of.engine(self.state())

    def learned(self) -> Mapping[Case, Weighing] | None:
        """The weights set by the caller, else those learned for these models beside the library."""
        return self.made_of.learned()

    def second_opinion(
        self, question: str, *, spent: Cost | None = None, deadline: float | None = None
    ) -> Advice:
        """Ask a web search service about a question, separately from the law; never an authority.

        A failure is reported in `problem`. `spent` is the cost of the answer, which counts towards the same
        cap.
        """
        from pykala.draft.second_opinion import DEADLINE, NOT_SET_UP
        from pykala.models.second_opinion import Advice

        adviser = self.made_of.adviser
        if adviser is None:
            return Advice(problem=NOT_SET_UP)
        return adviser.advise(question, spent=spent, deadline=DEADLINE if deadline is None else deadline)

    @of_one_state
    def context(
        self,
        question: str,
        *,
        as_of: Day | None = None,
        language: OneOrMany = None,
        languages: OneOrMany = None,
        jurisdiction: OneOrMany = None,
        jurisdictions: OneOrMany = None,
        budget: int = BUDGET,
        both_languages: bool = False,
        after: After | None = None,
        home: str | None = None,
    ) -> ContextBlock:
        """The law relevant to a question, as a block for another program: keys, citations, exact text."""
        answer = self.ask(
            question,
            as_of=as_of,
            language=as_many(language, languages),
            jurisdiction=as_many(jurisdiction, jurisdictions),
            draft=False,
            after=after,
            home=home,
        )
        return context_block(answer, self.store, self.packs, budget=budget, both_languages=both_languages)

    @of_one_state
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
                home=asked.home or "",
            ),
            self.store,
        )

    @of_one_state
    def search(
        self,
        query: str,
        *,
        as_of: Day | None = None,
        language: OneOrMany = None,
        languages: OneOrMany = None,
        jurisdiction: OneOrMany = None,
        jurisdictions: OneOrMany = None,
        kinds: OneOrMany = None,
        works: OneOrMany = None,
        limit: int = 10,
        warn: Callable[[str], None] = lambda message: None,
    ) -> tuple[Found, ...]:
        """Provisions in force on a date by their words and meaning, best first.

        Each choice takes one value or many; the singular and the plural name are the same choice. `warn` is
        told where the search was by words alone because the embedder could not be used.
        """
        self._try(query)
        places = as_many(jurisdiction, jurisdictions)
        self._require_packs(places)
        filter = Filter(
            as_of=self._on(as_of),
            jurisdictions=frozenset(places),
            languages=frozenset(as_many(language, languages)),
            kinds=frozenset(as_many(kinds)),
            works=frozenset(self._work(work) for work in as_many(works)),
        )
        found = []
        for candidate in self._candidates(query, filter, limit, warn):
            match = replace(candidate.match, score=candidate.meaning or candidate.match.score)
            match.words()  # read now: the library may be closed, or in a later state, when they are shown
            work, pack = self.store.work(match.work), self.packs.get(match.work.jurisdiction)
            citation = pack.cite(match.provision, work, match.language) if pack else str(match.provision)
            url = pack.url(match.provision, work, match.language, filter.as_of) if pack else ""
            found.append(Found(match, citation, url, work.current_to))
        return tuple(found)

    def _candidates(
        self, query: str, filter: Filter, limit: int, warn: Callable[[str], None]
    ) -> Sequence[Candidate]:
        """Run a search; where sections are ranked, use the order learned from question sets."""
        options, embedder, weights = self.options, self.embedder, None
        if embedder is not None and options.vectors:
            from pykala.retrieve.in_use import models_in_use  # imports NumPy, which words alone do not need

            spoken = detect(query, default="en", among=languages_of(self.packs)).language
            models = models_in_use(query, spoken, embedder, None, self.learned())
            embedder, weights = models.embedder, models.weights
            for caveat in models.caveats:
                warn(caveat.message)
        given = (self.store, embedder)
        if filter.kinds & ANNOTATIONS:
            return search_annotations(query, filter, *given, limit=limit, options=options)
        if filter.kinds or options.unit is Unit.PASSAGE or embedder is None or weights is None:
            found = search(query, filter, *given, limit=limit + SPARE, options=options)
            return worth_showing(found, query)[:limit]
        from pykala.retrieve.ranked import search_ranked

        return search_ranked(query, filter, *given, weights, limit=limit, options=options)

    def ingest(
        self,
        pack: str,
        source: Path | Mirror,
        *,
        workers: int = 1,
        scheduler: str = "",
        prune: bool = False,
        accept: bool = False,
        partial: bool = False,
        titled: Sequence[str] = (),
        progress: Progress = lambda done, total: None,
    ) -> Report:
        """Bring the library up to date with a pack's source: a folder, an archive, or an open mirror.

        A work whose text breaks, or shrinks by half (a long one by a fifth), is left unchanged and listed in
        `Report.held`; `accept` takes the shorter texts. `prune` removes works that left the source, if the
        source is complete. A `partial` source contains only the works that were asked for. `titled` stores
        only works whose title contains a word. Works are read by `workers` processes, or by the workers of
        the Dask `scheduler` at an address.
        """
        from pykala.ingest import ingest

        with open_mirror(source) if isinstance(source, Path) else nullcontext(source) as mirror:
            return ingest(
                require_writer(self.store),
                pack_for(pack),
                mirror,
                workers=workers,
                scheduler=scheduler,
                prune=prune,
                accept=accept,
                partial=partial,
                titled=titled,
                progress=progress,
            )

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
        """Find acts by words of their title at a pack's publisher, fetch them into `folder`, ingest them.

        `progress` counts what is fetched, then what is read, as one.
        """
        from pykala.online.acts import fetch_acts

        return fetch_acts(
            require_writer(self.store),
            self.packs.get(pack) or pack_for(pack),
            words,
            folder,
            year=year,
            limit=limit,
            progress=progress,
        )

    def inbox(
        self, folder: Path, *, prune: bool = False, wait: Callable[[], bool] = lambda: False
    ) -> Iterator[InboxReport]:
        """Bring uploads up to date with a folder: once, then on every change until `wait` returns False."""
        from pykala.library.inbox import watch

        writer = require_writer(self.store)
        return watch(writer, folder, self._originals(), wait=wait, prune=prune, confined=self.confined)

    def delete(self, work: str) -> None:
        """Remove a work, everywhere; of an upload also the original."""
        from pykala.library.inbox import remove

        located = self.locate(work)
        if located.path:
            raise InvalidIdentifier(f"{work!r} is a provision; works are removed whole, as {located.work}")
        found = located.work
        if self.store.work(found).kind is WorkKind.UPLOAD:
            remove(require_writer(self.store), self._originals(), found)
        else:
            require_writer(self.store).delete(found)

    def _originals(self) -> Originals:
        from pykala.library.inbox import FolderArchive

        if (kept := require_writer(self.store).originals()) is not None:
            return kept
        if self.folder is None:
            raise StoreError("this library has no folder of its own to keep uploads in")
        return FolderArchive(self.folder / "originals")
