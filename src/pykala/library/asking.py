"""Answer one question: understand it, answer its parts, ask publishers and models where allowed.

Understanding comes first: the question may be a follow-up, contain several questions, or have a slip of one
letter. Each part then takes the read path (`pykala.ask`). Publishers and models help only where the settings
allow it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from typing import TYPE_CHECKING

from pykala.law.answers import Answer, Cost, Outcome, Stage, StageName, Written, sum_of
from pykala.law.choices import as_many
from pykala.law.grades import HIGHEST_LIKELY
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.library.assembly import Assembly
from pykala.packs.pack import languages_of
from pykala.retrieve.question import places_asked
from pykala.retrieve.trace import Listener
from pykala.stores.once import ReadOnce
from pykala.stores.store import State, Store
from pykala.text.language import detect

if TYPE_CHECKING:
    from pykala.ask import Engine
    from pykala.online import Online
    from pykala.retrieve.conversation import Standalone
    from pykala.retrieve.conversing import After
    from pykala.retrieve.judged import JudgedSections
    from pykala.retrieve.parts import Part
    from pykala.spend.meter import AnswerMeter


@dataclass(frozen=True, slots=True)
class Choices:
    """The choices that the caller made for a question."""

    as_of: date | None
    language: str | None
    jurisdictions: tuple[str, ...]  # empty: the question decides
    identifier: str
    draft: bool
    online: Online | None
    home: str
    works: tuple[WorkId, ...] = ()  # where not empty, no other works answer
    apart: ProvisionId | None = None  # a section that may not answer: the question asks for something else

    @property
    def jurisdiction(self) -> str | None:
        """The one jurisdiction chosen; None for several, or where the question decides."""
        return self.jurisdictions[0] if len(self.jurisdictions) == 1 else None


class Asking:
    """One question to a library."""

    def __init__(self, made_of: Assembly, state: State | None, listen: Listener) -> None:
        self._made_of, self._state, self._listen = made_of, state, listen
        self._spent: AnswerMeter | None = None  # the cost of the models that help
        self._read: ReadOnce | None = None  # the records that parts of the question have read

    def answer(self, question: str, after: After | None, asked: Choices) -> Answer:
        """Answer the question on its own, or each of its parts."""
        from pykala.retrieve.conversing import parts_asked, understood

        made_of = self._made_of
        assistants = made_of.assistants() if asked.draft else None
        self._spent = assistants.meter() if assistants is not None else None
        drafting = made_of.drafting
        writer = drafting.helper(self._spent) if drafting is not None and self._spent is not None else None
        today = made_of.today()
        spelled = self._spelled(question, asked)
        alone = understood(spelled, after, made_of.store, made_of.packs, today=today, writer=writer)
        asked = replace(
            asked,
            as_of=asked.as_of or alone.as_of,
            language=asked.language or alone.language,
            jurisdictions=asked.jurisdictions or as_many(alone.jurisdiction),
        )
        labels = _QuestionLabels(
            question,
            standalone=alone.question if alone.follows or spelled != question else "",
            jurisdiction=asked.jurisdiction,
            dated=asked.as_of is not None,
        )
        among = languages_of(made_of.packs)
        parts = parts_asked(alone.question, asked.language, today=today, writer=writer, among=among)
        if not parts:
            answer = self._asked(alone.question, asked, labels.listening(self._listen))
            return labels.of(self._of_what_is_added(answer, alone, asked))
        answer = labels.of(self._in_parts(question, alone.question, parts, asked))
        self._listen(answer)
        return answer

    def _of_what_is_added(self, answer: Answer, alone: Standalone, asked: Choices) -> Answer:
        """The answer to a follow-up: from another section of the same act where that speaks more of it."""
        found = (answer.primary, *answer.evidence)
        act = next((one.provision.work for one in found if one is not None), None)
        if not alone.added or act is None:
            return answer
        from pykala.graph.walk import section_of
        from pykala.retrieve.follow_up import (  # imports NumPy
            BESIDES_AHEAD,
            may_be_about_another,
            speaks_more,
        )

        if not may_be_about_another(answer, alone.before):
            return answer
        made_of = self._made_of
        other = self._within(act, alone.added, answer, asked)
        given = (answer, made_of.store, made_of.sound_embedder)
        if speaks_more(alone.added, other, *given):
            return other
        if alone.besides and alone.before is not None:
            apart = replace(asked, apart=section_of(alone.before))
            further = self._within(act, alone.question, answer, apart)
            if speaks_more(alone.added, further, *given, ahead=BESIDES_AHEAD):
                return further
        return answer

    def _within(self, act: WorkId, question: str, answer: Answer, asked: Choices) -> Answer:
        """The answer to a question from one act; likely at most, as the act was only asked about before."""
        within = replace(asked, works=(act,), jurisdictions=(act.jurisdiction,), language=answer.language)
        found = self._asked(question, within, _stages(self._listen))
        if not found.outcome.quotes:
            return found
        likely = min(found.confidence, HIGHEST_LIKELY)
        return replace(found, id=answer.id, outcome=Outcome.LIKELY, confidence=likely)

    def _spelled(self, question: str, asked: Choices) -> str:
        """Correct slips of one letter in the question."""
        made_of = self._made_of
        if made_of.embedder is None:
            return question
        from pykala.retrieve.spelling import respelled  # imports NumPy, which only asking needs

        spoken = asked.language or detect(question, among=languages_of(made_of.packs)).language
        given = (made_of.store, made_of.embedder, made_of.packs)
        return respelled(question, spoken, *given, asked.jurisdictions)

    def _in_parts(self, question: str, whole: str, parts: Sequence[Part], asked: Choices) -> Answer:
        """Ask each part with the place and language of the whole, and combine the answers."""
        from pykala.answer.together import is_sure, says_more, spent_since, together

        packs, spent = self._made_of.packs, self._spent
        places = places_asked(whole, packs)
        language = asked.language or detect(whole, among=languages_of(packs)).language
        wanted = [
            self._wanted_of(number, part, whole, places, language, asked)
            for number, part in enumerate(parts, start=1)
        ]
        at_once = self._at_once(wanted) if self._may_be_at_once(asked) else []
        answers: list[Answer] = []
        for number, one in enumerate(wanted):
            before = spent.cost if spent is not None else Cost()
            part, ask = one.part, partial(self._asked, asked=one.given, listen=_stages(self._listen))
            answer = one.labels.of(at_once[number] if at_once else ask(part.question))
            if part.otherwise and not says_more(answer, answers):
                other = ask(part.otherwise)
                if is_sure(other) and says_more(other, answers):
                    answer = replace(one.labels.of(other), standalone=part.otherwise)
            own = spent_since(before, spent.cost) if spent is not None else answer.cost
            answers.append(replace(answer, cost=own))
        answer = together(question, answers, identifier=asked.identifier)
        return replace(answer, cost=spent.cost) if spent is not None and spent.called else answer

    def _wanted_of(
        self, number: int, part: Part, whole: str, places: Sequence[str], language: str, asked: Choices
    ) -> _WantedPart:
        """A part with the place and language of the whole, and the name of its answer."""
        where = asked.jurisdictions
        if not where and len(places) == 1 and not places_asked(part.question, self._made_of.packs):
            where = (places[0],)
        named = f"{asked.identifier}.{number}" if asked.identifier else ""
        given = replace(asked, language=language, jurisdictions=where, identifier=named)
        labels = _QuestionLabels(
            part.heading,
            standalone=part.question if part.question != part.heading else "",
            jurisdiction=given.jurisdiction,
            dated=asked.as_of is not None,
        )
        return _WantedPart(part, given, labels)

    def _may_be_at_once(self, asked: Choices) -> bool:
        """Whether the parts only read the law: models have costs, which are told part by part."""
        return self._spent is None and asked.online is None and self._state is not None

    def _at_once(self, wanted: Sequence[_WantedPart]) -> list[Answer]:
        """The answers to the parts, whose reads share round trips; their stages are told part by part."""
        stages = _InOrder(self._listen, len(wanted))

        def ask(number: int) -> Answer:
            one = wanted[number]
            answer = self._asked(one.part.question, one.given, _stages(stages.of(number)))
            stages.end(number)
            return answer

        return self._made_of.store.at_once([partial(ask, number) for number in range(len(wanted))])

    def _asked(self, question: str, asked: Choices, listen: Listener) -> Answer:
        made_of, spent = self._made_of, self._spent
        tally: Counter[str] = Counter()
        lookups: list[Cost] = []  # what hosted embedders and rerankers cost
        engine = made_of.engine(self._state, tally, lookups.append if spent is None else spent.add)
        if self._state is not None:  # a library that is being written may change between two parts
            self._read = self._read.over(engine.store) if self._read else ReadOnce(engine.store, self._state)
            engine = replace(engine, store=self._read)
        read = _ReadPath(question, engine, asked, asked.as_of or made_of.today(), listen)
        answer = read()
        if asked.online is not None:
            answer = self._online(answer, read, asked.online)
        assistants = made_of.assistants()
        if spent is not None and assistants is not None:
            answer = assistants.assist(answer, read, made_of.store, made_of.packs, spent, listen)
        if lookups:
            answer = replace(answer, cost=sum_of(lookups))
        kept = Stage(StageName.CACHE, 0.0, tuple(sorted(tally.items())))
        return replace(answer, trace=(*answer.trace, kept)) if tally else answer

    def _online(self, answer: Answer, read: _ReadPath, online: Online) -> Answer:
        """Ask the publishers where the library's own answer is not good enough."""
        from pykala.online.escalate import escalate, wants_more  # network code, imported only where needed

        if not wants_more(answer):
            return answer
        made_of, asked = self._made_of, read.asked
        return escalate(
            answer,
            lambda store: read(store=store),
            made_of.store,
            made_of.packs,
            online,
            as_of=read.day,
            language=asked.language,
            jurisdiction=asked.jurisdiction,
            dated=asked.as_of is not None,
            home=asked.home,
            embedder=made_of.sound_embedder,
        )


@dataclass(frozen=True, slots=True)
class _WantedPart:
    """A part of a question, how it is asked, and what its answer says of it."""

    part: Part
    given: Choices
    labels: _QuestionLabels


@dataclass(frozen=True, slots=True)
class _ReadPath:
    """Runs the read path for one question; can run it again with other words or another store."""

    question: str
    engine: Engine
    asked: Choices
    day: date
    listen: Listener

    def __call__(
        self,
        other_words: Sequence[str] = (),
        judged: JudgedSections | None = None,
        *,
        store: Store | None = None,
    ) -> Answer:
        from pykala.ask import ask  # imports NumPy, which only asking needs

        asked, engine = self.asked, self.engine
        return ask(
            self.question,
            engine if store is None else replace(engine, store=store, state=None),
            other_words=other_words,
            judged=judged,
            as_of=self.day,
            dated=asked.as_of is not None,
            language=asked.language,
            jurisdiction=asked.jurisdictions,
            identifier=asked.identifier,
            home=asked.home,
            listen=self.listen,
            works=asked.works,
            apart=asked.apart,
        )


class _QuestionLabels:
    """Puts the question as asked, and its standalone form, into each answer."""

    def __init__(self, question: str, *, standalone: str, jurisdiction: str | None, dated: bool) -> None:
        self._question, self._standalone = question, standalone
        self._jurisdiction, self._dated = jurisdiction, dated
        self._last: tuple[Answer, Answer] | None = None

    def of(self, answer: Answer) -> Answer:
        """The answer with its question; the same answer always gives the same object."""
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

    def listening(self, listen: Listener) -> Listener:
        """Wrap a listener so that the answers it receives carry their question."""
        return lambda heard: listen(self.of(heard) if isinstance(heard, Answer) else heard)


class _InOrder:
    """Passes on what is heard of several parts as if one were answered after the other."""

    def __init__(self, listen: Listener, parts: int) -> None:
        self._listen = listen
        self._waiting: list[list[Stage | Answer | Written]] = [[] for _ in range(parts)]
        self._ended = [False] * parts
        self._first = 0  # the first part that has not ended

    def of(self, number: int) -> Listener:
        """The listener of one part."""

        def hear(heard: Stage | Answer | Written) -> None:
            if number == self._first:
                self._listen(heard)
            else:
                self._waiting[number].append(heard)

        return hear

    def end(self, number: int) -> None:
        """Tell what has waited for this part to end."""
        self._ended[number] = True
        while self._first < len(self._ended) and self._ended[self._first]:
            self._first += 1
            for heard in self._waiting[self._first] if self._first < len(self._waiting) else ():
                self._listen(heard)


def _stages(listen: Listener) -> Listener:
    """Pass on stages only: the answer or draft of a part is not that of the whole."""

    def stage_only(heard: Stage | Answer | Written) -> None:
        if isinstance(heard, Stage):
            listen(heard)

    return stage_only
