"""What is asked, before it is asked of the law: the question may go on from another, or hold several.

Without a model both are told by rule (`retrieve/conversation`, `retrieve/parts`); with one, by the model, and
by rule where it is no help.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from pykala.law.answers import Answer
from pykala.models.assistance import decompose, stand_alone
from pykala.models.writer import Writer
from pykala.packs.pack import Pack
from pykala.retrieve.conversation import Standalone, Turn, kept, standalone
from pykala.retrieve.parts import Part, may_ask_several, parts
from pykala.stores.store import Store
from pykala.text.language import detect

#: What a question goes on from: an answer, what was asked, or the questions of a conversation, oldest first.
After = Answer | Turn | str | Sequence[str]
_FURTHEST = 20  # questions of a conversation that are read; what lies further back is another matter


def words_before(after: After | None) -> tuple[str, ...]:
    """The questions that are read to tell what a question goes on from."""
    if after is None:
        return ()
    if isinstance(after, Answer | Turn):
        return (after.question,)
    return (after,) if isinstance(after, str) else tuple(after)[-_FURTHEST:]


def turn_before(after: After, store: Store, packs: Mapping[str, Pack], *, today: date) -> Turn | None:
    """What was asked before, in its standalone form; None where nothing was."""
    if isinstance(after, Answer):
        return Turn.of(after)
    if isinstance(after, Turn):
        return after if after.question.strip() else None
    questions = [after] if isinstance(after, str) else list(after)[-_FURTHEST:]
    turn: Turn | None = None
    for question in questions:
        if question.strip():
            turn = _next(turn, question, store, packs, today=today)
    return turn


def understood(
    question: str,
    after: After | None,
    store: Store,
    packs: Mapping[str, Pack],
    *,
    today: date,
    writer: Writer | None = None,
) -> Standalone:
    """The question as it stands alone, whatever it goes on from."""
    before = turn_before(after, store, packs, today=today) if after is not None else None
    if before is None:
        return Standalone(question)
    if writer is not None:
        spoken = before.language or detect(before.question).language
        told = stand_alone(question, before.question, writer, language=spoken)
        if told.helped:
            if told.value == " ".join(question.split()):
                return Standalone(question)
            return kept(told.value, question, before, packs, today=today)
    return standalone(question, before, store, packs, today=today)


def parts_asked(
    question: str, language: str | None, *, today: date, writer: Writer | None = None
) -> tuple[Part, ...]:
    """The questions that a question holds; none where it holds one."""
    spoken = language or detect(question).language
    if writer is not None and may_ask_several(question, spoken):
        told = decompose(question, writer, language=spoken)
        if told.helped:
            return tuple(Part(one, one) for one in told.value) if len(told.value) > 1 else ()
    return parts(question, spoken, today=today)


def _next(turn: Turn | None, question: str, store: Store, packs: Mapping[str, Pack], *, today: date) -> Turn:
    if turn is None:
        return Turn(question)
    alone = standalone(question, turn, store, packs, today=today)
    return Turn(alone.question, alone.language, alone.as_of, alone.jurisdiction)
