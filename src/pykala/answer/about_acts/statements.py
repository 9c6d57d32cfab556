"""A statement about acts with its sources, and the context in which it is made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pykala.answer.acts import act_citation
from pykala.law.answers import Caveat, CitedProvision, Relation, Support
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Event, Version
from pykala.law.validity import Validity
from pykala.packs.pack import Pack
from pykala.retrieve.metadata import MetadataQuestion
from pykala.retrieve.question import Question
from pykala.stores.store import Store, UnknownProvision
from pykala.text.phrases import say


@dataclass(frozen=True, slots=True)
class Statement:
    """One line of an answer, and its sources."""

    text: str
    primary: CitedProvision | None = None
    quote: tuple[int, int] = (0, 0)
    support: tuple[Support, ...] = ()
    known: bool = True  # False: the library's sources do not say
    sure: bool = True  # False: the words of the law leave it to be worked out
    doubts: tuple[Caveat, ...] = ()


@dataclass(frozen=True, slots=True)
class Context:
    """The context that every answer about acts needs."""

    asked: MetadataQuestion
    question: Question
    store: Store
    packs: Mapping[str, Pack]

    @property
    def language(self) -> str:
        """The language of the question."""
        return self.question.language

    def name(self, work: WorkId) -> str:
        """The citation of an act."""
        return act_citation(work, self.store, self.packs, self.language)

    def act(self, work: WorkId) -> CitedProvision:
        """An act as a whole: its name, link and dates; its text is its title."""
        known, pack = self.store.work(work), self.packs.get(work.jurisdiction)
        root = ProvisionId(work)
        history = self.store.history(root)
        title = known.title(self.language)
        return CitedProvision(
            provision=root,
            citation=self.name(work),
            url=pack.url(root, known, self.language, self.question.as_of) if pack else "",
            text=title,
            heading=title,
            language=self.language,
            validity=_whole(history) if history else known.validity,
            authority=known.authority,
            source=pack.facts.publishers.get(known.kind, pack.facts.publisher) if pack else "",
            adopted=known.issued,
            in_force=history[0].in_force if history else None,
            current_to=known.current_to,
        )

    def untold(self, work: WorkId, key: str, **parts: str) -> Statement:
        """The text for facts that the library's sources do not give."""
        text = say(self.language, key, act=self.name(work), **parts)
        return Statement(text, known=False, support=self.beside([work], Relation.DATED_ACT))

    def beside(self, works: Sequence[WorkId], relation: Relation) -> tuple[Support, ...]:
        """Acts of the library, listed beside the answer."""
        found = []
        for work in works:
            try:
                found.append(Support(self.act(work), relation, 0))
            except UnknownProvision:
                continue
        return tuple(found)


def _whole(history: Sequence[Version]) -> Validity:
    """From an act's first day to its last; a repealed act may be held only from its end."""
    first, last = history[0].validity, history[-1].validity
    return Validity(first.start, last.start if history[-1].event is Event.REPEALED else last.end)
