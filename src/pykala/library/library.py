"""The Library: a store, the packs that speak for it and perhaps a model; one method per verb."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from copy import copy
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pykala.answer import caveats
from pykala.answer.acts import act_citation
from pykala.answer.citations_in import CitationInText, FoundByPack, citations_in, found_in
from pykala.answer.cite import cited
from pykala.answer.replay import Replay, read_record, replay
from pykala.answer.trace import Listener, Watcher, both, nobody
from pykala.caches.cache import Cache, NoCache
from pykala.caches.cached import cached_embedder, cached_reranker, cached_store
from pykala.draft.context import BUDGET, ContextBlock, context_block
from pykala.fetch.confined import ConfinedProcesses
from pykala.fetch.mirror import Mirror, open_mirror
from pykala.graph.walk import FOLLOW_EVERYTHING, WalkOptions, walk
from pykala.ingest import Progress, Report, ingest
from pykala.law.answers import Answer, Cost, Stage, Written, sum_of
from pykala.law.choices import Day, OneOrMany, as_day, as_many
from pykala.law.composition import compose
from pykala.law.filters import Filter
from pykala.law.identifiers import InvalidIdentifier, ProvisionId, WorkId
from pykala.law.provisions import Version, Work, WorkKind
from pykala.law.references import Edge
from pykala.library.awaiting import Awaitable
from pykala.library.inbox import InboxReport, Originals, remove, watch
from pykala.library.one_state import OneState, Refresh, of_one_state
from pykala.library.results import Found, ProvisionHandle, Related, Shown, newest_words
from pykala.library.sample import is_sample
from pykala.models.bundled import OWN_EMBEDDER
from pykala.models.bundled.lazy import LazyReranker, bundled_for
from pykala.models.embedder import Embedder
from pykala.models.metering import Charged
from pykala.models.reranker import Reranker
from pykala.models.unusable import UnusableModel
from pykala.online.acts import FetchReport, fetch_acts
from pykala.online.source import live_source
from pykala.packs.pack import Pack, installed, languages_of, pack_for
from pykala.retrieve.annotations import ANNOTATIONS, search_annotations
from pykala.retrieve.navigate import Destination, act_tree, navigate
from pykala.retrieve.options import DEFAULT_OPTIONS, AskOptions, Unit
from pykala.retrieve.question import cited_provisions, places_asked
from pykala.retrieve.search import Candidate, search
from pykala.retrieve.tree import TreeNode, slim_tree
from pykala.retrieve.trial import LONG_TEXT, read_on_trial
from pykala.stores.opening import made_with, open_store, open_writer
from pykala.stores.store import (
    NotInForce,
    Stats,
    Store,
    StoreError,
    UnknownProvision,
    require_writer,
)
from pykala.text.language import detect
from pykala.text.languages.known import BUILT_IN
from pykala.views import chronicle
from pykala.views.chronicle import ActChanges, Comparison, History
from pykala.views.hydrate import HydratedDocument, hydrate
from pykala.views.keywords import Keyword, keywords
from pykala.views.reasoning import Reasoning, on_date, reasoning
from pykala.views.surroundings import Surroundings, surroundings

if TYPE_CHECKING:
    from pykala.ask import Engine
    from pykala.draft.assisting import Assistants
    from pykala.draft.drafting import Drafting
    from pykala.draft.general import Guide
    from pykala.draft.judging import Judge
    from pykala.draft.second_opinion import Adviser
    from pykala.models.second_opinion import Advice
    from pykala.online import Online
    from pykala.retrieve.calibration import Case, Weighing
    from pykala.retrieve.conversing import After
    from pykala.retrieve.judged import JudgedSections
    from pykala.retrieve.parts import Part
    from pykala.spend.meter import AnswerMeter

__all__ = ["Found", "Library", "ProvisionHandle", "Related", "Shown", "live_source"]

_NEIGHBOURS = 40  # provisions that `related` shows at most


class Library(OneState, Awaitable):
    """Open one with `pykala.open()`. Methods that look at the law take a date; the default is today.

    A date is a `date` or a text such as "2019-12-31". Where a language or a jurisdiction is chosen, one or
    several may be given; several languages are an order of preference.
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
        calibration: Mapping[Case, Weighing] | None = None,
        home: str = "",
        refresh: Refresh = "manual",
    ) -> None:
        super().__init__(store, refresh)
        self.folder = folder
        self.packs = dict(packs if packs is not None else installed())
        self.embedder = embedder
        self.reranker = reranker
        self.options = options
        self.cache: Cache = cache or NoCache()
        self.calibration = calibration  # None: what was learned for the models, else what ships with them
        self.home = home  # whose law counts where a question gives no sign of a place; "": the best of each
        self.drafting = drafting  # a model that writes; None: answers are the law's own words
        self.judge: Judge | None = None  # a model that confirms or refuses candidates; None: nobody
        self.guide: Guide | None = None  # a model that writes general guidance where nothing is certain
        self.adviser: Adviser | None = None  # who gives second opinions; None: nobody
        self.degraded = ""  # why the last search was by words alone, where that was not asked for
        self.watch: Watcher | None = None  # who keeps account of questions; None: nobody
        self.confined: ConfinedProcesses | None = None  # who reads untrusted texts; None: this process
        self._today = today
        self.turn = threading.Lock()  # one question at a time: others wait for it

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
        """Open the library in a folder; to write to it, and to create it where there is none, say so.

        With `refresh="auto"` every call first looks whether another process has published something, and
        moves on to it; else a reader stays on the state that it opened until `refresh()`.

        A new library takes the embedder that ships with the package unless another, or none, is given; one
        that was made without vectors stays so until 'pykala reindex'. An embedder that cannot be used leaves
        a reader the words, and every answer says so; who would write is refused.
        """
        folder, bundled = Path(folder), embedder == "bundled"
        if embedder == "bundled":
            fingerprint = made_with(folder)
            embedder = None if fingerprint == "" else bundled_for(fingerprint)
        # It reads with that embedder's own words, and what is sure is measured with both.
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
        return cls(store, embedder=embedder, reranker=reranker, folder=folder, home=home, refresh=refresh)

    def close(self) -> None:
        """Release the library's files."""
        self.store.close()
        self.cache.close()

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
        jurisdiction: OneOrMany = None,
        identifier: str = "",
        listen: Listener = nobody,
        draft: bool = True,
        online: Online | None = None,
        after: After | None = None,
        home: str | None = None,
    ) -> Answer:
        """Answer a question about the law in force on a date: the one given, named in it, or today.

        A question may go on from the one before it ("and in 2013?"), given as `after`: its answer, its words,
        or all questions of the conversation so far. One that asks several things is answered part by part.

        `listen` hears each stage as it ends and the answer as it stands; what it raises stops the work.
        With `online`, publishers are asked where the library has no good answer. A model drafts the answer
        where the library has one, unless `draft` is false. `home` is the reader's own place, else the
        library's: its law counts where the question gives no sign of any.
        """
        from pykala.retrieve.conversing import words_before

        for text in (question, *words_before(after)):
            self._try(text)
        home = self.home if home is None else home
        day = as_day(as_of) if as_of is not None else None
        spoken = next(iter(as_many(language)), None)
        asked = _Asked(day, spoken, as_many(jurisdiction), identifier, draft, online, home)
        if self.watch is None:
            return self._understood(question, after, asked, listen)
        with self.watch(question, self.store) as hears:
            answer = self._understood(question, after, asked, both(hears, listen))
            hears(answer)
            return answer

    def second_opinion(
        self, question: str, *, spent: Cost | None = None, deadline: float | None = None
    ) -> Advice:
        """What a service that searches the web says of a question, apart from the law; never its authority.

        What goes wrong is told in its `problem`. `spent` on the answer counts towards the same cap.
        """
        from pykala.draft.second_opinion import DEADLINE, NOT_SET_UP
        from pykala.models.second_opinion import Advice

        if self.adviser is None:
            return Advice(problem=NOT_SET_UP)
        return self.adviser.advise(question, spent=spent, deadline=DEADLINE if deadline is None else deadline)

    def _understood(self, question: str, after: After | None, asked: _Asked, listen: Listener) -> Answer:
        """The answer to the question as it stands alone, and to each of its parts."""
        from pykala.retrieve.conversing import parts_asked, understood

        self._require_packs([*asked.jurisdictions, *([asked.home] if asked.home else [])])
        assistants = self.assistants() if asked.draft else None
        spent = assistants.meter() if assistants is not None else None
        writer = self.drafting.helper(spent) if self.drafting is not None and spent is not None else None
        today = self._today()
        spelled = self._spelled(question, asked.language)
        alone = understood(spelled, after, self.store, self.packs, today=today, writer=writer)
        asked = replace(
            asked,
            as_of=asked.as_of or alone.as_of,
            language=asked.language or alone.language,
            jurisdictions=asked.jurisdictions or as_many(alone.jurisdiction),
        )
        stand = _Standing(
            question,
            standalone=alone.question if alone.follows or spelled != question else "",
            jurisdiction=asked.jurisdiction,
            dated=asked.as_of is not None,
        )
        among = languages_of(self.packs)
        parts = parts_asked(alone.question, asked.language, today=today, writer=writer, among=among)
        if not parts:
            return stand.of(self._asked(alone.question, asked, stand.told(listen), spent))
        answer = stand.of(self._in_parts(question, alone.question, parts, asked, listen, spent))
        listen(answer)
        return answer

    def _spelled(self, question: str, language: str | None) -> str:
        """The question without its slips of one letter."""
        if self.embedder is None:
            return question
        from pykala.retrieve.spelling import respelled  # with NumPy, which nothing but asking needs

        spoken = language or detect(question, among=languages_of(self.packs)).language
        return respelled(question, spoken, self.store, self.embedder)

    def _in_parts(
        self,
        question: str,
        whole: str,
        parts: Sequence[Part],
        asked: _Asked,
        listen: Listener,
        spent: AnswerMeter | None,
    ) -> Answer:
        """Each part asked with the place and the language of the whole, and the answers together."""
        from pykala.answer.together import spent_since, together

        places = places_asked(whole, self.packs)
        language = asked.language or detect(whole, among=languages_of(self.packs)).language
        answers = []
        for number, part in enumerate(parts, start=1):
            where = asked.jurisdictions
            if not where and len(places) == 1 and not places_asked(part.question, self.packs):
                where = (places[0],)
            named = f"{asked.identifier}.{number}" if asked.identifier else ""
            given = replace(asked, language=language, jurisdictions=where, identifier=named)
            stand = _Standing(
                part.heading,
                standalone=part.question if part.question != part.heading else "",
                jurisdiction=given.jurisdiction,
                dated=asked.as_of is not None,
            )
            before = spent.cost if spent is not None else Cost()
            answer = stand.of(self._asked(part.question, given, _stages(listen), spent))
            own = spent_since(before, spent.cost) if spent is not None else answer.cost
            answers.append(replace(answer, cost=own))
        answer = together(question, answers, identifier=asked.identifier)
        return replace(answer, cost=spent.cost) if spent is not None and spent.called else answer

    def _asked(self, question: str, asked: _Asked, listen: Listener, spent: AnswerMeter | None) -> Answer:
        from pykala.ask import ask  # with NumPy, which nothing but asking needs

        tally: Counter[str] = Counter()
        lookups: list[Cost] = []  # what hosted embedders and rerankers cost
        engine = self.engine(tally, lookups.append if spent is None else spent.add)
        day, dated = asked.as_of or self._today(), asked.as_of is not None

        def asked_of(
            other_words: Sequence[str] = (),
            judged: JudgedSections | None = None,
            *,
            store: Store | None = None,
        ) -> Answer:
            return ask(
                question,
                replace(engine, store=store or engine.store),
                other_words=other_words,
                judged=judged,
                as_of=day,
                dated=dated,
                language=asked.language,
                jurisdiction=asked.jurisdictions,
                identifier=asked.identifier,
                home=asked.home,
                listen=listen,
            )

        answer = asked_of()
        if asked.online is not None:
            given = (asked.online, day, dated, asked.language, asked.jurisdiction, asked.home)
            answer = self._online(answer, lambda store: asked_of(store=store), *given)
        assistants = self.assistants()
        if spent is not None and assistants is not None:
            answer = assistants.assist(answer, asked_of, self.store, self.packs, spent, listen)
        if lookups:
            answer = replace(answer, cost=sum_of(lookups))
        kept = Stage("cache", 0.0, tuple(sorted(tally.items())))
        return replace(answer, trace=(*answer.trace, kept)) if tally else answer

    def assistants(self) -> Assistants | None:
        """The models that help with answers; None where none is set, so that nothing of theirs is loaded."""
        if self.drafting is None and self.judge is None and self.guide is None:
            return None
        from pykala.draft.assisting import Assistants

        return Assistants(self.drafting, self.judge, self.guide)

    def _online(
        self,
        answer: Answer,
        again: Callable[[Store], Answer],
        online: Online,
        day: date,
        dated: bool,
        language: str | None,
        jurisdiction: str | None,
        home: str,
    ) -> Answer:
        from pykala.online.escalate import escalate, wants_more  # what the network needs, for who goes there

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
            home=home,
            embedder=self._sound_embedder(),
        )

    @contextmanager
    def with_fetched(self, folder: Path) -> Iterator[Library]:
        """This library with the acts beside it that questions had fetched into a folder, to be read only."""
        from pykala.online.escalate import beside

        with beside(self.store, folder, self._sound_embedder()) as store:
            if store is self.store:
                yield self
                return
            wider = copy(self)
            wider.store, wider.refreshing = store, "manual"
            yield wider

    def _sound_embedder(self) -> Embedder | None:
        return None if isinstance(self.embedder, UnusableModel) else self.embedder

    def engine(
        self, tally: Counter[str] | None = None, heard: Callable[[Cost], None] | None = None
    ) -> Engine:
        """What the read path works with; `tally` counts what came from the cache, `heard` hears of costs."""
        from pykala.ask import Engine

        store, embedder, reranker = self.store, self.embedder, self.reranker
        if heard is not None:
            embedder = embedder.heard_by(heard) if isinstance(embedder, Charged) else embedder
            reranker = reranker.heard_by(heard) if isinstance(reranker, Charged) else reranker
        if self.options.cache and not isinstance(self.cache, NoCache):
            counted = Counter[str]() if tally is None else tally
            store = cached_store(store, self.cache, counted, self.state())
            embedder = cached_embedder(embedder, self.cache, counted) if embedder else None
            reranker = cached_reranker(reranker, self.cache, counted) if reranker else None
        return Engine(store, self.packs, embedder, self.options, reranker, self.learned(), self.state())

    def learned(self) -> Mapping[Case, Weighing] | None:
        """The weights that were set, else those that were learned for these models beside the library."""
        if self.calibration is not None or self.folder is None:
            return self.calibration
        from pykala.retrieve.learned import learned_beside

        return learned_beside(self.folder, self.embedder, self.reranker)

    @of_one_state
    def context(
        self,
        question: str,
        *,
        as_of: Day | None = None,
        language: OneOrMany = None,
        jurisdiction: OneOrMany = None,
        budget: int = BUDGET,
        both_languages: bool = False,
        after: After | None = None,
        home: str | None = None,
    ) -> ContextBlock:
        """The law that bears on a question as a block for another program: keys, citations, exact text."""
        answer = self.ask(
            question,
            as_of=as_of,
            language=language,
            jurisdiction=jurisdiction,
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
    ) -> tuple[Found, ...]:
        """Provisions in force on a date by their words and meaning, best first.

        Each choice takes one or many; the singular and the plural name are the same choice.
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
        for candidate in self._candidates(query, filter, limit):
            match = candidate.match
            work, pack = self.store.work(match.work), self.packs.get(match.work.jurisdiction)
            citation = pack.cite(match.provision, work, match.language) if pack else str(match.provision)
            url = pack.url(match.provision, work, match.language, filter.as_of) if pack else ""
            found.append(Found(match, citation, url, work.current_to))
        return tuple(found)

    def _candidates(self, query: str, filter: Filter, limit: int) -> Sequence[Candidate]:
        """What a search finds, in the order that question sets taught where sections are ranked."""
        options, embedder, weights = self.options, self.embedder, None
        if embedder is not None and options.vectors:
            from pykala.retrieve.in_use import models_in_use  # with NumPy, which words alone do not need

            spoken = detect(query, default="en", among=languages_of(self.packs)).language
            models = models_in_use(query, spoken, embedder, None, self.learned())
            embedder, weights = models.embedder, models.weights
            self.degraded = " ".join(caveat.message for caveat in models.caveats)
        given = (self.store, embedder)
        if filter.kinds & ANNOTATIONS:
            return search_annotations(query, filter, *given, limit=limit, options=options)
        if filter.kinds or options.unit is Unit.PASSAGE or embedder is None or weights is None:
            return search(query, filter, *given, limit=limit, options=options)
        from pykala.retrieve.ranked import search_ranked

        return search_ranked(query, filter, *given, weights, limit=limit, options=options)

    @of_one_state
    def locate(self, text: str) -> ProvisionId:
        """A provision from an identifier, a citation as lawyers write it, or the name of a work."""
        self._try(text)
        known = cited_provisions(text, self.store, self.packs)
        if not known:
            raise UnknownProvision(
                f"{text!r} is not a provision of this library; write an identifier such as"
                " fi:act:1992/1535/sec_124, or find one with 'pykala search'"
            )
        return known[0]

    @of_one_state
    def show(self, provision: str, *, as_of: Day | None = None, language: OneOrMany = None) -> Shown:
        """A provision as it stands on a date.

        Where it has ended, its last wording; where no history is kept, a later one; where it waits for its
        entry into force, the words that wait; each with a caveat.
        """
        identifier, day = self.locate(provision), self._on(as_of)
        language = self._spoken(identifier, language)
        try:
            stored = self.store.provision(identifier, as_of=day, language=language)
        except NotInForce as error:
            ends = [one.validity.end for one in error.versions if one.validity.end]
            ended = max((end for end in ends if end <= day), default=None)
            if ended is not None:
                last = ended - timedelta(days=1)
                stored = self.store.provision(identifier, as_of=last, language=language)
            elif error.versions and _is_shown_before(error.versions[0]):
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

    @of_one_state
    def tree(self, work: str, *, as_of: Day | None = None, language: OneOrMany = None) -> TreeNode:
        """A work, or a part of one, as a slim tree: numbers, titles and a sentence of each section."""
        located = self.locate(work)
        spoken = self._spoken(located, language)
        stored = self.store.provision(located, as_of=self._on(as_of), language=spoken)
        return slim_tree(stored.provision)

    @of_one_state
    def navigate(
        self, work: str, question: str, *, as_of: Day | None = None, language: OneOrMany = None
    ) -> tuple[Destination, ...]:
        """The sections that a work's own table of contents points at for a question, best first."""
        located, day = self.locate(work), self._on(as_of)
        held = self.store.languages_of([located.work])[located.work]
        among = (*BUILT_IN, *held)
        told = detect(question, default=held[0] if held else "", among=among)
        asked = self._spoken(located, language) or told.language
        spoken = asked if asked in held else (held[0] if held else "")
        tree = act_tree(located.work, self.store, as_of=day, language=spoken, cache=self.cache)
        return navigate(self.store.weigh(question, spoken), tree, spoken)

    @of_one_state
    def document(
        self, provision: str, *, as_of: Day | None = None, language: OneOrMany = None
    ) -> HydratedDocument:
        """The document that a provision belongs to, whole or as much as fits around it."""
        located = self.locate(provision)
        spoken = self._spoken(located, language)
        return hydrate(located, self.store, self.packs, as_of=self._on(as_of), language=spoken)

    @of_one_state
    def surroundings(
        self, provision: str, *, as_of: Day | None = None, language: OneOrMany = None
    ) -> Surroundings:
        """Where a provision stands: the levels above it, its neighbours, how each language cites it."""
        located, day = self.locate(provision), self._on(as_of)
        stored = on_date(located, self.store, day, self._spoken(located, language))
        return surroundings(stored, self.store, self.packs, day)

    @of_one_state
    def reasoning(self, answer: Answer) -> Reasoning:
        """The provisions that mattered to an answer as a small graph, in the order in which they came in."""
        return reasoning(answer, self.store, self.packs)

    @of_one_state
    def keywords(
        self,
        question: str,
        *,
        as_of: Day | None = None,
        language: OneOrMany = None,
        jurisdiction: OneOrMany = None,
    ) -> tuple[str, tuple[Keyword, ...]]:
        """A question's language, and its keywords, the rarest first, with how many provisions hold each."""
        self._try(question)
        self._require_packs(as_many(jurisdiction))
        return keywords(
            question,
            self.store,
            self.packs,
            as_of=self._on(as_of),
            language=next(iter(as_many(language)), None),
            jurisdiction=as_many(jurisdiction),
        )

    @of_one_state
    def citations(
        self,
        text: str,
        *,
        as_of: Day | None = None,
        language: OneOrMany = None,
        jurisdiction: OneOrMany = None,
    ) -> tuple[CitationInText, ...]:
        """The citations in any text: where they stand, what they mean, and whether the library holds it."""
        self._require_packs(as_many(jurisdiction))
        return citations_in(
            text,
            self.store,
            self.packs,
            as_of=self._on(as_of),
            language=next(iter(as_many(language)), None),
            jurisdiction=as_many(jurisdiction),
            find=self._find_elsewhere if self._is_long(text) else None,
        )

    def _is_long(self, text: str) -> bool:
        """Whether a text is read in another process; a short one does not pay for that."""
        return self.confined is not None and len(text) > LONG_TEXT

    def _find_elsewhere(self, text: str, codes: Sequence[str], language: str | None) -> FoundByPack:
        assert self.confined is not None
        return self.confined.call(found_in, text, codes, language)

    def _try(self, text: str) -> None:
        """Read a long text in another process first; TookTooMuch where that does not end in time."""
        if self._is_long(text):
            assert self.confined is not None
            self.confined.call(read_on_trial, text)

    @of_one_state
    def text_at(self, provision: str, as_of: Day, *, language: OneOrMany = None) -> str:
        """The words of a provision, with everything below it, as they stood on a date."""
        located = self.locate(provision)
        spoken = self._spoken(located, language)
        stored = self.store.provision(located, as_of=as_day(as_of), language=spoken)
        return compose(stored.provision).text

    @of_one_state
    def history(self, provision: str, *, language: OneOrMany = None) -> History:
        """Every version of a provision's own words, and each day on which anything below it changed."""
        located = self.locate(provision)
        return chronicle.history(located, self.store, self.packs, self._spoken(located, language))

    @of_one_state
    def diff(self, provision: str, first: Day, second: Day, *, language: OneOrMany = None) -> Comparison:
        """What differs in a provision, or in a whole work, between two dates."""
        located, days = self.locate(provision), (as_day(first), as_day(second))
        return chronicle.compare(located, *days, self.store, self.packs, self._spoken(located, language))

    @of_one_state
    def changes(
        self,
        since: Day,
        until: Day | None = None,
        *,
        jurisdiction: OneOrMany = None,
        kind: OneOrMany = None,
    ) -> tuple[ActChanges, ...]:
        """The works whose words changed from one day to another, both counted, and what changed them."""
        self._require_packs(as_many(jurisdiction))
        return chronicle.changes(
            as_day(since),
            as_day(until) if until is not None else None,
            self.store,
            self.packs,
            jurisdictions=as_many(jurisdiction),
            kinds=as_many(kind),
        )

    @of_one_state
    def related(self, provision: str, *, as_of: Day | None = None, hops: int = 1) -> Related:
        """The neighbourhood of a provision: exceptions, references, rulings, guidance, definitions."""
        identifier = self.locate(provision)
        self.store.provision(identifier)  # an unknown provision is an error, not an empty neighbourhood
        visited = walk(
            [(identifier, 1.0)],
            self.store.edges_of,
            as_of=self._on(as_of),
            options=WalkOptions(follow=FOLLOW_EVERYTHING, hops=hops, nodes=_NEIGHBOURS),
        )
        return Related(identifier, visited, self.store.unresolved([identifier]))

    @of_one_state
    def relations(self, provision: str, *, as_of: Day | None = None) -> tuple[Edge, ...]:
        """Every edge that touches a provision, unbounded."""
        return self.store.edges([self.locate(provision)], as_of=self._on(as_of))

    @of_one_state
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
        accept: bool = False,
        partial: bool = False,
        titled: Sequence[str] = (),
        progress: Progress = lambda done, total: None,
    ) -> Report:
        """Bring the library up to date with a pack's source: a folder, an archive, or an open mirror.

        A work whose text breaks or shrinks to less than half stays as it was and is among `Report.held`;
        `accept` takes the shorter texts. `prune` removes what left the source, if the source is whole.
        A `partial` source was asked for some works only; `titled` stores those whose title holds a word.
        """
        with open_mirror(source) if isinstance(source, Path) else nullcontext(source) as mirror:
            return ingest(
                require_writer(self.store),
                pack_for(pack),
                mirror,
                workers=workers,
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
        """Find acts by words of their title at a pack's publisher, fetch them into `folder`, ingest them."""
        return fetch_acts(
            require_writer(self.store),
            self.packs.get(pack) or pack_for(pack),
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
        writer = require_writer(self.store)
        return watch(writer, folder, self._originals(), wait=wait, prune=prune, confined=self.confined)

    def delete(self, work: str) -> None:
        """Remove a work, everywhere; of an upload also the original."""
        located = self.locate(work)
        if located.path:
            raise InvalidIdentifier(f"{work!r} is a provision; works are removed whole, as {located.work}")
        found = located.work
        if self.store.work(found).kind is WorkKind.UPLOAD:
            remove(require_writer(self.store), self._originals(), found)
        else:
            require_writer(self.store).delete(found)

    def _originals(self) -> Originals:
        if self.folder is None:
            raise StoreError("this library has no folder of its own to keep uploads in")
        return Originals(self.folder / "originals")

    @of_one_state
    def works(self, words: str = "", *, jurisdiction: OneOrMany = None) -> tuple[Work, ...]:
        """The works that the library holds, by identifier; with words, those that have all of them.

        Words are looked for in titles of every language, abbreviations, aliases and the identifier.
        """
        places = as_many(jurisdiction)
        self._require_packs(places)
        wanted = words.casefold().split()
        found = [
            work
            for work in self.store.works()
            if (not places or work.id.jurisdiction in places) and _names_hold(work, wanted)
        ]
        return tuple(sorted(found, key=lambda work: str(work.id)))

    @of_one_state
    def stats(self) -> Stats:
        """How much the library holds."""
        return self.store.stats()

    def _work(self, text: str) -> WorkId:
        return self.locate(text).work

    def _on(self, as_of: Day | None) -> date:
        """The day that is meant; today where none is given."""
        return as_day(as_of) if as_of is not None else self._today()

    def _spoken(self, located: ProvisionId, language: OneOrMany) -> str | None:
        """The first of the languages that the work is held in; of one language, that one."""
        wanted = as_many(language)
        if len(wanted) < 2:
            return next(iter(wanted), None)
        held = self.store.languages_of([located.work])[located.work]
        return next((one for one in wanted if one in held), wanted[0])

    def _require_packs(self, jurisdictions: Sequence[str]) -> None:
        for jurisdiction in jurisdictions:
            if jurisdiction not in self.packs:
                pack_for(jurisdiction)  # says which there are


def _names_hold(work: Work, words: Sequence[str]) -> bool:
    titles = (title for _, title in (*work.titles, *work.short_titles))
    names = " ".join((str(work.id), *titles, *work.abbreviations, *work.aliases)).casefold()
    return all(word in names for word in words)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a caller fixed when asking."""

    as_of: date | None
    language: str | None
    jurisdictions: tuple[str, ...]  # none: as the question says
    identifier: str
    draft: bool
    online: Online | None
    home: str

    @property
    def jurisdiction(self) -> str | None:
        """The only place that is asked of; None for several, or where the question says it."""
        return self.jurisdictions[0] if len(self.jurisdictions) == 1 else None


class _Standing:
    """Puts to answers what they answer: the question as it was put, and as it was asked of the law."""

    def __init__(self, question: str, *, standalone: str, jurisdiction: str | None, dated: bool) -> None:
        self._question, self._standalone = question, standalone
        self._jurisdiction, self._dated = jurisdiction, dated
        self._last: tuple[Answer, Answer] | None = None

    def of(self, answer: Answer) -> Answer:
        """The answer with its question; the same answer gives the same one again."""
        if self._last is None or self._last[0] is not answer:
            put = replace(
                answer,
                question=self._question,
                standalone=self._standalone,
                jurisdiction=self._jurisdiction,
                dated=self._dated,
            )
            self._last = (answer, put)
        return self._last[1]

    def told(self, listen: Listener) -> Listener:
        """Tell a listener of answers with their question."""
        return lambda heard: listen(self.of(heard) if isinstance(heard, Answer) else heard)


def _stages(listen: Listener) -> Listener:
    """Tell a listener of stages only: a part's answer, or a draft of it, is not that of the whole."""

    def told(heard: Stage | Answer | Written) -> None:
        if isinstance(heard, Stage):
            listen(heard)

    return told


def _is_shown_before(first: Version) -> bool:
    """Whether words are shown for a day before their own: there were others, or they wait for a day."""
    return first.history_unavailable or first.validity.is_pending
