"""A grader model that confirms or rejects the first candidates.

Similar words are not the same rule: an abatement of the property tax is not its rate. A model that reads both
may notice that. It is asked after the law's own answer is complete, and receives the question and the exact
texts as data. `retrieve.judged` applies its verdict, which can move the outcome by one step at most.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pykala.answer.in_words import ABOUT_ACTS, CERTAIN
from pykala.graph.walk import section_of
from pykala.law.answers import Answer, Caveat, CaveatKind, Judgement, Outcome
from pykala.law.composition import compose
from pykala.law.grades import LISTED_FROM
from pykala.law.identifiers import ProvisionId
from pykala.models.assistance import grade
from pykala.models.writer import Writer
from pykala.retrieve.judged import JudgedSections
from pykala.spend.meter import AnswerMeter, Meter, MeteredWriter
from pykala.stores.store import Store, UnknownProvision
from pykala.text.phrases import say
from pykala.views.reasoning import on_date

_READ = 5  # sections that are graded
_LONGEST = 2_000  # characters of each that the model reads


@dataclass(frozen=True, slots=True)
class Judge:
    """A model that grades candidates, and its meter."""

    writer: Writer
    meter: Meter

    def judge(self, answer: Answer, store: Store, tally: AnswerMeter) -> Judgement | None:
        """Grade the first candidates; None where there is nothing to judge."""
        if not _may_be_judged(answer):
            return None
        texts = dict(_texts(answer, store))
        if not texts:
            return None
        writer = MeteredWriter(self.writer, tally.on(self.meter))
        judgement = grade(answer.question, list(texts.values()), writer)
        grades = tuple(zip(texts, judgement.value, strict=True)) if judgement.helped else ()
        return Judgement(self.writer.name, grades, answer.outcome, answer.outcome, judgement.problem)


def sections_judged(judgement: Judgement) -> JudgedSections:
    """A judgement in the read path's form."""
    return JudgedSections(dict(judgement.grades))


def caveats_of(judgement: Judgement, spoken: str) -> tuple[Caveat, ...]:
    """Caveats about a grader's effect on the outcome; empty where it changed nothing."""
    if judgement.problem:
        message = say(spoken, "caveat.grader_failed", model=judgement.model, reason=judgement.problem)
        return (Caveat(CaveatKind.DEGRADED, None, message),)
    if judgement.after is judgement.before:
        return ()
    rose = judgement.before is Outcome.GUIDANCE
    key = "caveat.grader_confirmed" if rose else "caveat.grader_refused"
    return (Caveat(CaveatKind.UNCALIBRATED, None, say(spoken, key, model=judgement.model)),)


def _may_be_judged(answer: Answer) -> bool:
    """Whether the answer rests on search results; citations and lookups need no judgement."""
    if not (answer.outcome.quotes or answer.outcome is Outcome.GUIDANCE) or not answer.evidence:
        return False
    if answer.strategy == ABOUT_ACTS or (answer.outcome.quotes and answer.confidence >= CERTAIN):
        return False
    first = section_of(answer.evidence[0].provision)
    return answer.primary is None or section_of(answer.primary.provision) == first


def _texts(answer: Answer, store: Store) -> Iterator[tuple[ProvisionId, str]]:
    """The first candidate sections, each once, with their exact words."""
    listed = (one.provision for one in answer.evidence if one.score >= LISTED_FROM)
    sections = list(dict.fromkeys(section_of(one) for one in listed))[:_READ]
    for section in sections:
        try:
            stored = on_date(section, store, answer.as_of, answer.language)
        except UnknownProvision:
            continue
        headings = [one.heading for one in stored.ancestors if one.heading]
        head = " › ".join((stored.work.name(stored.language), *headings, stored.provision.heading))
        yield section, f"{head.strip(' ›')}\n{compose(stored.provision).text}"[:_LONGEST]
