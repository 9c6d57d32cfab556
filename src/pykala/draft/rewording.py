"""Other search words from a model, where the question's own found no sure answer.

People and statutes use different words. If a model is set and the question was not answered, the search runs
again with the question in the law's terms, with a hypothetical passage that would answer it (HyDE), and with
its parts. Date and place stay those of the question, and results are graded against the user's own words: a
model can lead to a provision but cannot vouch for it. The answer says that it was found this way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from pykala.law.answers import Answer, Caveat, CaveatKind, Outcome, StrategyName
from pykala.models.assistance import decompose, hypothetical_passage, rewrite
from pykala.models.writer import Writer
from pykala.text.phrases import say

_WORTH = {Outcome.ANSWERED: 3, Outcome.LIKELY: 2, Outcome.GUIDANCE: 1}


def asked_in_other_words(
    first: Answer, again: Callable[[Sequence[str]], Answer], writer: Writer
) -> tuple[Answer, tuple[str, ...]]:
    """The answer, or the better one found with other words, and those words.

    `again` asks the same question and searches with further words as well.
    """
    if first.outcome is Outcome.ANSWERED or first.strategy is StrategyName.ABOUT_ACTS:
        return first, ()
    best, stages = first, first.trace
    led: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    for words in _other_words(first, writer):
        given = (*given, *words)
        found = again(given)
        stages = (*stages, *found.trace)
        if _worth(found) > _worth(best):
            message = say(first.language, "caveat.other_words", model=writer.name, words="”, “".join(given))
            caveat = Caveat(CaveatKind.DEGRADED, None, message)
            best, led = replace(found, caveats=(*found.caveats, caveat), id=first.id), given
        if best.outcome is Outcome.ANSWERED:
            break
    return replace(best, trace=stages), led


def _worth(answer: Answer) -> int:
    return _WORTH.get(answer.outcome, 0)


def _other_words(first: Answer, writer: Writer) -> Iterator[tuple[str, ...]]:
    """Other words, one model call at a time, each only where the previous did not help."""
    question, language = first.question, first.language
    reworded = rewrite(question, writer, language=language)
    if reworded.helped and reworded.value != question:
        yield (reworded.value,)
    passage = hypothetical_passage(question, writer, language=language)
    if passage.helped and passage.value:
        yield (passage.value,)
    parts = decompose(question, writer, language=language)
    if parts.helped and len(parts.value) > 1:
        yield parts.value
