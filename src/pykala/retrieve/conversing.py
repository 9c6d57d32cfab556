"""Understand the question before searching: complete a follow-up, and split several questions.

Without a model, rules do both (`retrieve/conversation`, `retrieve/parts`). With a model, the model does, and
the rules take over where its result cannot be used.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from itertools import accumulate

from pykala.law.answers import Answer
from pykala.models.assistance import decompose, stand_alone
from pykala.models.writer import Writer
from pykala.packs.pack import Pack, languages_of
from pykala.retrieve.conversation import Standalone, Turn, kept, standalone
from pykala.retrieve.parts import Part, dated_as, may_ask_several, parts
from pykala.stores.store import Store
from pykala.text.analysis import analyse
from pykala.text.language import detect
from pykala.text.languages.known import BUILT_IN

#: What a question continues: an answer, a previous turn, or the questions of a conversation, oldest first.
After = Answer | Turn | str | Sequence[str]
_FIGURE = re.compile(r"\d+")
_OWN_WORDS = 0.34  # the most new words in a model's rewording, as a share of its words
_LOST_WORDS = 0.5  # the share of the new question's words that a rewording may lose
_FURTHEST = 20  # the most questions of a conversation that are read; older ones no longer matter
_MOST_READ = 8_000  # characters of them; the last question is read whatever its length


def words_before(after: After | None) -> tuple[str, ...]:
    """The earlier questions that can complete this one."""
    if after is None:
        return ()
    if isinstance(after, Answer | Turn):
        return (after.question,)
    return _recent(after)


def _recent(after: str | Sequence[str]) -> tuple[str, ...]:
    """The last questions of a conversation, oldest first, as far back as they are read."""
    questions = [after] if isinstance(after, str) else list(after)[-_FURTHEST:]
    lengths = accumulate(len(question) for question in reversed(questions))
    read = sum(length <= _MOST_READ for length in lengths)
    return tuple(questions[-max(1, read) :])


def turn_before(after: After, store: Store, packs: Mapping[str, Pack], *, today: date) -> Turn | None:
    """The previous turn in its standalone form; None at the beginning."""
    if isinstance(after, Answer):
        return Turn.of(after)
    if isinstance(after, Turn):
        return after if after.question.strip() else None
    turn: Turn | None = None
    for question in _recent(after):
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
    """The question in its standalone form."""
    before = turn_before(after, store, packs, today=today) if after is not None else None
    if before is None:
        return Standalone(question)
    if writer is not None:
        spoken = before.language or detect(before.question, among=languages_of(packs)).language
        reworded = stand_alone(question, before.question, writer, language=spoken)
        # If the model returns the question unchanged, it stands alone, unless the rule finds that it depends
        # on the previous one.
        changed = reworded.helped and reworded.value != " ".join(question.split())
        if changed and _is_made_of(reworded.value, (before.question, question), question, spoken):
            return kept(reworded.value, question, before, packs, today=today)
    return standalone(question, before, store, packs, today=today)


def parts_asked(
    question: str,
    language: str | None,
    *,
    today: date,
    writer: Writer | None = None,
    among: Sequence[str] = BUILT_IN,
) -> tuple[Part, ...]:
    """The questions within a question; empty where there is only one. Its language is one of `among`."""
    spoken = language or detect(question, among=among).language
    if writer is not None and may_ask_several(question, spoken):
        proposed = decompose(question, writer, language=spoken)
        by_rule = parts(question, spoken, today=today)
        # The model may not drop a part that the rules find.
        whole = proposed.helped and len(proposed.value) >= max(1, len(by_rule))
        if whole and all(_is_made_of(one, (question,), "", spoken) for one in proposed.value):
            return _parts_of(proposed.value, question, today=today)
        return by_rule
    return parts(question, spoken, today=today)


def _parts_of(questions: Sequence[str], whole: str, *, today: date) -> tuple[Part, ...]:
    """The parts that a model returned, each with the date of the whole where it names none."""
    if len(questions) < 2:
        return ()
    return tuple(Part(one, dated_as(one, whole, today)) for one in questions)


def _is_made_of(text: str, sources: Sequence[str], new: str, language: str) -> bool:
    """Whether a model only reworded the given text and added nothing.

    The model is asked to reword, not to answer. Every figure and most words of its text must come from the
    sources. It may lose no figure of the new question ("and in 2013?"), and at most half of its words.
    """
    said = " ".join(sources)
    figures = set(_FIGURE.findall(text))
    if not figures <= set(_FIGURE.findall(said)) or not set(_FIGURE.findall(new)) <= figures:
        return False
    terms, asked = set(analyse(text, language)), set(analyse(new, language))
    if len(asked - terms) > _LOST_WORDS * len(asked):
        return False  # the model repeated the previous question
    own = terms - set(analyse(said, language))
    return bool(terms) and len(own) <= _OWN_WORDS * len(terms)


def _next(turn: Turn | None, question: str, store: Store, packs: Mapping[str, Pack], *, today: date) -> Turn:
    if turn is None:
        return Turn(question)
    alone = standalone(question, turn, store, packs, today=today)
    return Turn(alone.question, alone.language, alone.as_of, alone.jurisdiction)
