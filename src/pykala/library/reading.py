"""The verbs that read law: locate, show, compare, follow references; each on one state of the library."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from pykala.answer import caveats
from pykala.answer.acts import act_citation
from pykala.answer.citations_in import CitationInText, FoundByPack, citations_in, found_in
from pykala.answer.cite import cited
from pykala.caches.cache import Cache
from pykala.fetch.confined import ConfinedProcesses
from pykala.graph.walk import FOLLOW_EVERYTHING, WalkOptions, walk
from pykala.law.answers import Answer, Caveat
from pykala.law.choices import Day, OneOrMany, as_day, as_many
from pykala.law.composition import compose
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Version, Work
from pykala.law.references import Edge
from pykala.library.assembly import Assembly
from pykala.library.one_state import OneState, of_one_state
from pykala.library.results import ProvisionHandle, Related, Shown, newest_event, newest_words
from pykala.models.embedder import Embedder
from pykala.models.reranker import Reranker
from pykala.packs.pack import Pack, pack_for
from pykala.retrieve import cites
from pykala.retrieve.navigate import Destination, act_tree, navigate
from pykala.retrieve.options import AskOptions
from pykala.retrieve.question import cited_provisions
from pykala.retrieve.trace import Watcher
from pykala.retrieve.tree import TreeNode, slim_tree
from pykala.retrieve.trial import LONG_TEXT, read_on_trial
from pykala.stores.store import NotInForce, Stats, UnknownProvision
from pykala.text.language import detect
from pykala.text.languages.known import BUILT_IN
from pykala.text.phrases import LANGUAGES
from pykala.views import chronicle
from pykala.views.chronicle import ActChanges, Comparison, History
from pykala.views.hydrate import HydratedDocument, hydrate
from pykala.views.keywords import Keyword, keywords
from pykala.views.reasoning import Reasoning, on_date, reasoning
from pykala.views.surroundings import Surroundings, surroundings
from pykala.views.works_by_name import fit, folded_names

if TYPE_CHECKING:
    from pykala.draft.drafting import Drafting
    from pykala.draft.general import Guide
    from pykala.draft.judging import Judge
    from pykala.draft.second_opinion import Adviser
    from pykala.retrieve.calibration import Case, Weighing

_NEIGHBOURS = 40  # the most provisions that `related` shows
_NUMBER, _DIGITS = re.compile(r"\d+"), 10  # of identifiers


class ReadingVerbs(OneState):
    """The parts of a library, and the verbs that only read it."""

    def __init__(self, made_of: Assembly) -> None:
        super().__init__(made_of.store, made_of.refresh)
        self.made_of = made_of

    @property
    def folder(self) -> Path | None:
        """The folder of the library; None where its store is not a folder."""
        return self.made_of.folder

    @property
    def packs(self) -> Mapping[str, Pack]:
        """The packs of its jurisdictions."""
        return self.made_of.packs

    @property
    def embedder(self) -> Embedder | None:
        """The embedding model."""
        return self.made_of.embedder

    @property
    def reranker(self) -> Reranker | None:
        """The reranking model."""
        return self.made_of.reranker

    @property
    def options(self) -> AskOptions:
        """Options of the read path."""
        return self.made_of.options

    @property
    def cache(self) -> Cache:
        """The cache for searches and models."""
        return self.made_of.cache

    @property
    def home(self) -> str:
        """The jurisdiction for questions that do not indicate one."""
        return self.made_of.home

    @property
    def drafting(self) -> Drafting | None:
        """The model that drafts answers; None where answers quote the law only."""
        return self.made_of.drafting

    @property
    def judge(self) -> Judge | None:
        """The model that confirms or rejects candidates."""
        return self.made_of.judge

    @property
    def guide(self) -> Guide | None:
        """The model that writes general guidance where nothing is certain."""
        return self.made_of.guide

    @property
    def adviser(self) -> Adviser | None:
        """The service for second opinions."""
        return self.made_of.adviser

    @property
    def watch(self) -> Watcher | None:
        """The observer of questions."""
        return self.made_of.watch

    @property
    def calibration(self) -> Mapping[Case, Weighing] | None:
        """The weights set by the caller; None for those learned for its models, or the bundled ones."""
        return self.made_of.calibration

    @property
    def confined(self) -> ConfinedProcesses | None:
        """The process that reads untrusted texts; None for this process."""
        return self.made_of.confined

    @of_one_state
    def locate(self, text: str) -> ProvisionId:
        """Find a provision by its identifier, a lawyer's citation, or the name of a work."""
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

        If it has ended, its last wording is shown; if the source keeps no history, a later wording; if it is
        not yet in force, its future wording; each with a caveat.
        """
        identifier, day = self.locate(provision), self._on(as_of)
        chosen = self._spoken(identifier, language)
        spoken = chosen or "en"  # the words follow the citation's language, caveats only the reader's choice
        language = chosen or self._cited_in(provision, identifier, day)
        try:
            stored = self.store.provision(identifier, as_of=day, language=language)
        except NotInForce as error:
            ends = [one.validity.end for one in error.versions if one.validity.end]
            ended = max((end for end in ends if end <= day), default=None)
            if ended is not None:
                last = ended - timedelta(days=1)
                stored = self.store.provision(identifier, as_of=last, language=language)
            elif error.versions and _is_shown_before(error.versions[0]):
                stored = self.store.provision(identifier, as_of=error.begins, language=language)
            else:
                raise
        shown = cited(stored, self.packs, day)
        return Shown(
            cited=shown,
            version=replace(stored.version, application=newest_words(stored).application),
            children=stored.provision.children,
            caveats=(
                *caveats.of_provision(
                    stored,
                    language or stored.language,
                    day,
                    self.store,
                    self.packs,
                    spoken=spoken,
                ),
                *caveats.of_words(shown.text, shown.provision, day, spoken=spoken),
                *caveats.of_library(self.store.facts(), spoken=spoken),
            ),
            languages=stored.languages,
            event=newest_event(stored),
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
        detected = detect(question, default=held[0] if held else "", among=among)
        asked = self._spoken(located, language) or detected.language
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
        found = hydrate(located, self.store, self.packs, as_of=self._on(as_of), language=spoken)
        return replace(found, caveats=(*found.caveats, *self._held(spoken)))

    @of_one_state
    def surroundings(
        self, provision: str, *, as_of: Day | None = None, language: OneOrMany = None
    ) -> Surroundings:
        """A provision's ancestors, its neighbours, and its citation in each language."""
        located, day = self.locate(provision), self._on(as_of)
        stored = on_date(located, self.store, day, self._spoken(located, language))
        return surroundings(stored, self.store, self.packs, day)

    @of_one_state
    def reasoning(self, answer: Answer) -> Reasoning:
        """The provisions that mattered to an answer as a small graph, in order of appearance."""
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
        """The language and keywords of a question, rarest first, with how many provisions hold each."""
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
        """Find the citations in a text: their positions, their targets, and whether those are held."""
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
        """Whether a text is long enough to be read in another process."""
        return self.confined is not None and len(text) > LONG_TEXT

    def _find_elsewhere(self, text: str, codes: Sequence[str], language: str | None) -> FoundByPack:
        assert self.confined is not None
        return self.confined.call(found_in, text, codes, language)

    def _try(self, text: str) -> None:
        """Try a long text in another process first; TookTooMuch where it exceeds the time limit."""
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
        spoken = self._spoken(located, language)
        found = chronicle.compare(located, *days, self.store, self.packs, spoken)
        return replace(found, caveats=(*found.caveats, *self._held(spoken)))

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
        """A handle of a provision: `.at(date)`, `.history()`, `.relations()`."""
        return ProvisionHandle(self, self.locate(provision))

    @of_one_state
    def works(self, words: str = "", *, jurisdiction: OneOrMany = None) -> tuple[Work, ...]:
        """The works that the library holds, by identifier; with words, those that have all of them.

        The words are searched in titles of every language, abbreviations, aliases and the identifier; the
        works whose name fits best come first.
        """
        places = as_many(jurisdiction)
        self._require_packs(places)
        wanted = words.casefold().split()
        found = [
            (fitting, _in_order(work.id), work)
            for work in self.store.works()
            if not places or work.id.jurisdiction in places
            if (fitting := fit(folded_names(work), wanted)) is not None
        ]
        return tuple(work for _, _, work in sorted(found, key=lambda one: one[:2]))

    @of_one_state
    def stats(self) -> Stats:
        """How much the library holds."""
        return self.store.stats()

    def _work(self, text: str) -> WorkId:
        return self.locate(text).work

    def _on(self, as_of: Day | None) -> date:
        """The date given, else today."""
        return as_day(as_of) if as_of is not None else self.made_of.today()

    def _held(self, spoken: str | None) -> Iterator[Caveat]:
        """What must be said with everything that the library holds."""
        return caveats.of_library(self.store.facts(), spoken=spoken or LANGUAGES[0])

    def _spoken(self, located: ProvisionId, language: OneOrMany) -> str | None:
        """The first of the languages that the work is held in; a single language as it is."""
        wanted = as_many(language)
        if len(wanted) < 2:
            return next(iter(wanted), None)
        held = self.store.languages_of([located.work])[located.work]
        return next((one for one in wanted if one in held), wanted[0])

    def _cited_in(self, text: str, located: ProvisionId, day: date) -> str | None:
        """The language of a citation, if the provision is held in it on the date: "Loi sur …, art. 6"."""
        spoken = next(iter(cites.citations_in(text, self.store, self.packs).languages), None)
        if spoken is None or spoken not in self.store.languages_of([located.work])[located.work]:
            return None
        try:
            self.store.provision(located, as_of=day, language=spoken)
        except (NotInForce, UnknownProvision):
            return None
        return spoken

    def _require_packs(self, jurisdictions: Sequence[str]) -> None:
        for jurisdiction in jurisdictions:
            if jurisdiction not in self.packs:
                pack_for(jurisdiction)  # raises an error that lists the known packs


def _in_order(work: WorkId) -> str:
    """An identifier with its numbers so that 2 stands before 10."""
    return _NUMBER.sub(lambda found: found[0].zfill(_DIGITS), str(work))


def _is_shown_before(first: Version) -> bool:
    """Whether a wording is shown before its start: earlier ones are not held, or it is not yet in force."""
    return first.history_unavailable or first.validity.is_pending
