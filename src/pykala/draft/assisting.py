"""What models add to an answer, in order: other search words, a grader's verdict, a draft, guidance.

The law's own answer is complete before any model is asked, and it remains where all models fail.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from pykala.draft.drafting import Drafting
from pykala.draft.general import Guide
from pykala.draft.judging import Judge, caveats_of, sections_judged
from pykala.draft.rewording import asked_in_other_words
from pykala.law.answers import Answer, Stage, StageName
from pykala.packs.pack import Pack
from pykala.retrieve.judged import JudgedSections
from pykala.retrieve.trace import Listener, Trace
from pykala.spend.meter import AnswerMeter
from pykala.stores.store import Store


class AskAgain(Protocol):
    """Asks the same question again, with further search words or a grader's verdict."""

    def __call__(self, other_words: Sequence[str] = (), judged: JudgedSections | None = None) -> Answer:
        """Ask again."""
        ...


@dataclass(frozen=True, slots=True)
class Assistants:
    """The models that help with answers; each may be missing."""

    drafting: Drafting | None = None
    judge: Judge | None = None
    guide: Guide | None = None

    def meter(self) -> AnswerMeter | None:
        """A cost meter for one answer; None where no model helps."""
        first = self.drafting or self.judge or self.guide
        return first.meter.answer() if first is not None else None

    def assist(
        self,
        answer: Answer,
        again: AskAgain,
        store: Store,
        packs: Mapping[str, Pack],
        tally: AnswerMeter,
        listen: Listener,
    ) -> Answer:
        """The answer with the models' additions."""
        words: tuple[str, ...] = ()
        if self.drafting is not None:
            answer, words = asked_in_other_words(answer, again, self.drafting.helper(tally))
        if answer.fetched:
            return answer  # its provisions are in another library, so the models cannot read them
        if self.judge is not None:
            answer = _judged(answer, self.judge, again, words, store, tally, listen)
        if self.drafting is not None:
            answer = self.drafting.draft(answer, store, packs, listen=listen, tally=tally)
        if self.guide is not None:
            answer = self.guide.guide(answer, packs, tally)
        return replace(answer, cost=tally.cost) if tally.called else answer


def _judged(
    answer: Answer,
    judge: Judge,
    again: Callable[[Sequence[str], JudgedSections | None], Answer],
    words: Sequence[str],
    store: Store,
    tally: AnswerMeter,
    listen: Listener,
) -> Answer:
    """The answer after a grader's verdict, which is always recorded."""
    trace = Trace(listen)
    with trace.stage(StageName.GRADER) as facts:
        judgement = judge.judge(answer, store, tally)
        if judgement is None:
            return answer
        facts |= {"model": judgement.model}
        facts |= {"grades": {str(place): given for place, given in judgement.grades}}
        facts |= {"problem": judgement.problem} if judgement.problem else {}
        applied = sections_judged(judgement)
        moved = again(words, applied) if judgement.grades else answer
        judgement = replace(judgement, after=moved.outcome)
        facts |= {"before": judgement.before.value, "after": judgement.after.value}
    stages: tuple[Stage, ...] = (*answer.trace, *trace.stages())
    same = moved.outcome is answer.outcome and moved.primary == answer.primary
    kept = answer if same else replace(moved, id=answer.id)
    found = caveats_of(judgement, answer.language)
    return replace(kept, judgement=judgement, trace=stages, caveats=(*kept.caveats, *found))
