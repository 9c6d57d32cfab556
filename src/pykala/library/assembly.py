"""The parts of a library in one immutable value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from pykala.caches.cache import Cache, NoCache
from pykala.caches.cached import cached_embedder, cached_reranker, cached_store
from pykala.fetch.confined import ConfinedProcesses
from pykala.law.answers import Cost
from pykala.library.one_state import Refresh
from pykala.models.embedder import Embedder
from pykala.models.metering import Charged
from pykala.models.reranker import Reranker
from pykala.models.unusable import UnusableModel
from pykala.packs.pack import Pack, installed
from pykala.retrieve.options import DEFAULT_OPTIONS, AskOptions
from pykala.retrieve.trace import Watcher
from pykala.stores.store import State, Store

if TYPE_CHECKING:
    from pykala.ask import Engine
    from pykala.draft.assisting import Assistants
    from pykala.draft.drafting import Drafting
    from pykala.draft.general import Guide
    from pykala.draft.judging import Judge
    from pykala.draft.second_opinion import Adviser
    from pykala.retrieve.calibration import Case, Weighing


@dataclass(frozen=True, slots=True)
class Assembly:
    """The store, packs, models, cache and options of a library."""

    store: Store
    packs: Mapping[str, Pack] = field(default_factory=installed)
    embedder: Embedder | None = None
    reranker: Reranker | None = None
    folder: Path | None = None  # holds uploads and learned weights, beside the store
    today: Callable[[], date] = date.today
    options: AskOptions = DEFAULT_OPTIONS
    cache: Cache = field(default_factory=NoCache)
    drafting: Drafting | None = None  # a model that drafts; None: answers are the law's own words
    judge: Judge | None = None  # a model that confirms or refuses candidates
    guide: Guide | None = None  # a model that writes general guidance where nothing is certain
    adviser: Adviser | None = None  # the service for second opinions
    calibration: Mapping[Case, Weighing] | None = None  # None: learned beside the library, else bundled
    home: str = ""  # the place whose law counts where a question indicates none; "": the best of each place
    watch: Watcher | None = None  # observes questions, for example for telemetry
    confined: ConfinedProcesses | None = None  # processes that read untrusted texts; None: this process
    refresh: Refresh = "manual"

    @property
    def sound_embedder(self) -> Embedder | None:
        """The embedder; None where it cannot be used."""
        return None if isinstance(self.embedder, UnusableModel) else self.embedder

    def engine(
        self,
        state: State | None,
        tally: Counter[str] | None = None,
        heard: Callable[[Cost], None] | None = None,
    ) -> Engine:
        """The engine of the read path; `tally` counts cache hits, `heard` receives costs."""
        from pykala.ask import Engine  # imports NumPy, which only asking needs

        store, embedder, reranker = self.store, self.embedder, self.reranker
        if heard is not None:
            embedder = embedder.heard_by(heard) if isinstance(embedder, Charged) else embedder
            reranker = reranker.heard_by(heard) if isinstance(reranker, Charged) else reranker
        if self.options.cache and not isinstance(self.cache, NoCache):
            counted = Counter[str]() if tally is None else tally
            store = cached_store(store, self.cache, counted, state)
            embedder = cached_embedder(embedder, self.cache, counted) if embedder else None
            reranker = cached_reranker(reranker, self.cache, counted) if reranker else None
        return Engine(store, self.packs, embedder, self.options, reranker, self.learned(), state)

    def learned(self) -> Mapping[Case, Weighing] | None:
        """The weights set by the caller, else those learned for these models beside the library."""
        if self.calibration is not None or self.folder is None:
            return self.calibration
        from pykala.retrieve.learned import learned_beside

        return learned_beside(self.folder, self.embedder, self.reranker)

    def assistants(self) -> Assistants | None:
        """Models that help with answers; None where none is set, so that their code is not loaded."""
        if self.drafting is None and self.judge is None and self.guide is None:
            return None
        from pykala.draft.assisting import Assistants

        return Assistants(self.drafting, self.judge, self.guide)
