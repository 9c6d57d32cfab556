"""Whether what an answer shows matches the gold: places in the law, numbers, words and facts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pykala.evaluate.questions import GoldQuestion, GoldStep
from pykala.law.answers import PathStep
from pykala.law.identifiers import ProvisionId
from pykala.text.analysis import analyse
from pykala.text.quantities import quantities

#: Steps that contain sections. Gold without them matches any of them: outside the law itself nobody writes
#: "chapter 7, section 5" where section numbers are consecutive, and some banks never do.
CONTAINERS = frozenset(("part", "chp", "subchp", "div", "head", "tis", "cpt", "sct"))
#: Steps that lawyers cite as units of the law.
SECTIONS = frozenset(("sec", "art", "rct", "anx", "sched"))
#: The share of a fact's words that one passage in its language must contain.
_FACT_SHARE = 0.6


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage that the reader is shown."""

    text: str
    language: str


@dataclass(frozen=True, slots=True)
class Held:
    """Which of the required items occur in the passages shown; None where that cannot be determined."""

    strings: tuple[bool, ...] = ()
    numbers: tuple[bool, ...] = ()
    facts: tuple[bool | None, ...] = ()


def covers(gold: ProvisionId, found: ProvisionId) -> bool:
    """Whether a found provision is the gold provision or lies within it."""
    if gold.work != found.work:
        return False
    named = {step.kind for step in gold.path}
    path = tuple(step for step in found.path if step.kind in named or step.kind not in CONTAINERS)
    return path[: len(gold.path)] == gold.path


def section_of(provision: ProvisionId) -> ProvisionId:
    """The section, article or schedule that contains a provision; a work or a container is itself."""
    for depth, step in enumerate(provision.path, start=1):
        if step.kind in SECTIONS:
            return ProvisionId(provision.work, provision.path[:depth])
    return provision


def as_judged(question: GoldQuestion, ranked: Sequence[ProvisionId]) -> tuple[ProvisionId, ...]:
    """A ranking at the level of the judgements: if whole documents were judged, each is ranked once."""
    if question.grades and not any(one.path for one in question.gold[0]):
        return tuple(dict.fromkeys(ProvisionId(one.work) for one in ranked))
    return tuple(ranked)


def on_path(gold: GoldStep, path: Sequence[PathStep]) -> bool:
    """Whether a step of the norm path matches the gold step."""
    return any(
        (gold.source is None or covers(gold.source, step.source))
        and (gold.kind is None or gold.kind is step.kind)
        and (gold.target is None or covers(gold.target, step.target))
        and (gold.at is None or covers(gold.at, step.source) or covers(gold.at, step.target))
        for step in path
    )


def held(question: GoldQuestion, passages: Sequence[Passage]) -> Held:
    """Which of the required strings, numbers and facts the passages contain."""
    terms = [(passage.language, frozenset(analyse(passage.text, passage.language))) for passage in passages]
    numbers = {(one.figure, one.unit) for passage in passages for one in quantities(passage.text)}
    asked = {(one.figure, one.unit) for one in quantities(question.question)}
    return Held(
        tuple(_holds_words(text, terms) for text in question.strings),
        tuple(_figures(text) <= numbers for text in question.numbers),
        tuple(_holds_fact(fact, question.language, terms, numbers, asked) for fact in question.facts),
    )


def _holds_words(text: str, passages: Sequence[tuple[str, frozenset[str]]]) -> bool:
    """Whether one passage contains every word of a text, in any inflection."""
    return any(words and words <= there for language, there in passages for words in [_terms(text, language)])


def _holds_fact(
    fact: str,
    language: str | None,
    passages: Sequence[tuple[str, frozenset[str]]],
    numbers: set[tuple[str, str]],
    asked: set[tuple[str, str]],
) -> bool | None:
    """Whether passages contain a fact: its numbers and, in its own language, most of its words.

    A fact without a number cannot be checked in passages of another language: None.
    """
    own_numbers = _figures(fact) - asked
    if own_numbers and not own_numbers <= numbers:
        return False
    same = [there for spoken, there in passages if spoken == language]
    if same and language is not None:
        words = _terms(fact, language)
        return any(len(words & there) >= _FACT_SHARE * len(words) for there in same)
    if not passages:
        return False
    return True if own_numbers else None


def _terms(text: str, language: str) -> frozenset[str]:
    return frozenset(analyse(text, language))


def _figures(text: str) -> set[tuple[str, str]]:
    return {(one.figure, one.unit) for one in quantities(text)}
