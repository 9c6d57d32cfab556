"""Other words for a question, from a model, where its own words found no answer.

The law speaks its own language. Where a model is set and the question as asked was not answered, it is asked
again as the law would put it, by a passage such as would answer it (HyDE), and part by part. What comes of
that says so: the answer is still the law's own words, found by another way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from pykala.answer.drafting import Drafting
from pykala.answer.meter import AnswerMeter
from pykala.law.answers import Answer, Caveat, CaveatKind, Outcome
from pykala.models.assistance import decompose, hypothetical_passage, rewrite
from pykala.models.writer import Writer
from pykala.text.phrases import say

_WORTH = {Outcome.ANSWERED: 3, Outcome.LIKELY: 2, Outcome.GUIDANCE: 1}


def asked_in_other_words(
    first: Answer, again: Callable[[str], Answer], drafting: Drafting, tally: AnswerMeter
) -> Answer:
    """The answer, or the better one that other words for the question found; `again` asks a text."""
    if first.outcome is Outcome.ANSWERED or first.strategy == "metadata":
        return first
    best = first
    for words in _other_words(first, drafting.helper(tally)):
        found = again(words)
        if _WORTH.get(found.outcome, 0) > _WORTH.get(best.outcome, 0):
            message = say(first.language, "caveat.other_words", model=drafting.writer.name, words=words)
            caveat = Caveat(CaveatKind.DEGRADED, None, message)
            stages = (*first.trace, *found.trace)
            best = replace(
                found, question=first.question, caveats=(*found.caveats, caveat), trace=stages, id=first.id
            )
        if best.outcome is Outcome.ANSWERED:
            break
    return best


def _other_words(first: Answer, writer: Writer) -> Iterator[str]:
    """One call at a time, each made only where the one before did not lead to an answer."""
    question, language = first.question, first.language
    reworded = rewrite(question, writer, language=language)
    if reworded.helped and reworded.value != question:
        yield reworded.value
    passage = hypothetical_passage(question, writer, language=language)
    if passage.helped and passage.value:
        yield passage.value
    parts = decompose(question, writer, language=language)
    if parts.helped and len(parts.value) > 1:
        yield from parts.value
