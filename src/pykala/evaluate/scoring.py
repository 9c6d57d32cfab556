"""From a run to figures: what each question scored, why it failed, and the whole of a run measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from pykala.evaluate import metrics
from pykala.evaluate.matching import covers, on_path
from pykala.evaluate.metrics import CoveragePoint, Estimate, Latency
from pykala.evaluate.runs import Header, Line, RunError, ShownPlace
from pykala.evaluate.sets import GoldQuestion

DEPTHS = (1, 5, 10)
#: How the banks call a publisher, and how the packs do.
_PUBLISHERS = {"verohallinto": "vero", "finnish tax administration": "vero"}


class Failure(StrEnum):
    """Why a question was not answered rightly; the first that applies."""

    SILENT = "silent where the law answers"
    SPOKE = "answered where the law is silent"
    WRONG_LAW = "wrong law"
    WRONG_SECTION = "wrong section"
    WRONG_PROVISION = "wrong provision of the right section"
    TRAP = "fell into the trap"
    SUPPORT_MISSING = "support missing"
    PATH_MISSING = "path missing"
    NUMBER_MISSING = "number missing"


@dataclass(frozen=True, slots=True)
class Failed:
    """A question that failed: why, what was shown, what the gold is, and where the gold was ranked."""

    id: str
    question: str
    cause: Failure
    primary: str
    gold: tuple[str, ...]
    rank: int | None  # of the gold's section in the engine's ranking
    searched: int | None  # of the gold's section in plain search


@dataclass(frozen=True, slots=True)
class Scored:
    """A question, what was answered, and its measures; one that does not apply is not there."""

    question: GoldQuestion
    line: Line
    scores: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Measured:
    """The whole of a run."""

    header: Header
    scored: tuple[Scored, ...]
    estimates: Mapping[str, Estimate]
    curve: tuple[CoveragePoint, ...]
    confusion: Mapping[tuple[str, str], int]
    latencies: tuple[Latency, ...]
    failures: tuple[Failed, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """A measure in two runs over the questions they share, and which questions passed only in one."""

    measure: str
    before: float
    after: float
    change: Estimate
    gained: tuple[str, ...]
    lost: tuple[str, ...]


def measure(header: Header, questions: Sequence[GoldQuestion], lines: Sequence[Line]) -> Measured:
    """All figures of a run."""
    scored = score_all(questions, lines)
    values: dict[str, list[float]] = {}
    for one in scored:
        for name, value in one.scores.items():
            values.setdefault(name, []).append(value)
    return Measured(
        header=header,
        scored=scored,
        estimates={name: metrics.estimate(found) for name, found in values.items()},
        curve=_curve(scored),
        confusion=metrics.confusion(
            [
                (one.question.outcomes[0].value, one.line.outcome.value)
                for one in scored
                if one.question.outcomes
            ]
        ),
        latencies=metrics.latencies([{**one.line.stages, "whole": one.line.milliseconds} for one in scored]),
        failures=tuple(failed for one in scored if (failed := failure(one)) is not None),
    )


def score_all(questions: Sequence[GoldQuestion], lines: Sequence[Line]) -> tuple[Scored, ...]:
    """Score the questions that a run has answered."""
    answered = {line.id: line for line in lines}
    return tuple(
        Scored(question, answered[question.id], score(question, answered[question.id]))
        for question in questions
        if question.id in answered
    )


def score(question: GoldQuestion, line: Line) -> dict[str, float]:
    """Every measure that applies to a question."""
    scores: dict[str, float] = {}
    if question.gold:
        scores |= _gold_scores(question, line)
    if question.path:
        scores["GRAPH_PATH_PASS"] = float(all(on_path(step, line.path) for step in question.path))
    if question.forbidden:
        scores["TRAP_PASS"] = float(not _trapped(question, line))
    if question.outcomes:
        scores["OUTCOME_PASS"] = float(line.outcome in question.outcomes)
    if question.publishers:
        gold, shown = _names(question.publishers), _names([one.publisher for one in _shown(line)])
        scores["publisher precision"], scores["publisher recall"] = metrics.overlap(gold, shown)
    for name, found in (("string", line.held.strings), ("numeric", line.held.numbers)):
        if found:
            scores[f"{name} recall"] = metrics.share(found)
    if facts := [one for one in line.held.facts if one is not None]:
        scores["key-fact recall"] = metrics.share(facts)
    if line.primary is not None:
        scores["temporal correctness"] = float(line.primary.validity.covers(line.as_of))
        scores["temporal correctness, all shown"] = float(
            all(one.validity.covers(line.as_of) for one in _shown(line))
        )
    scores["refusal rate"] = float(not line.answered)
    return scores


def _gold_scores(question: GoldQuestion, line: Line) -> dict[str, float]:
    gold, sections = question.gold, metrics.by_section(question.gold)
    primary = [line.primary.provision] if line.primary else []
    shown = [one.provision for one in _shown(line)]
    scores = {
        "PRIMARY_PASS": float(any(covers(one[0], found) for one in gold for found in primary)),
        "PRIMARY_PASS, section": float(any(covers(one[0], found) for one in sections for found in primary)),
        "SUPPORT_PASS": float(metrics.recall(gold, shown, len(shown)) == 1.0),
        "WITHIN_K_PASS": float(
            (metrics.first_rank(gold, line.ranked) or question.within + 1) <= question.within
        ),
        "MRR": metrics.reciprocal_rank(gold, line.ranked),
        "MRR, section": metrics.reciprocal_rank(sections, line.ranked),
        "nDCG@10": metrics.ndcg(gold, line.ranked, 10),
        "nDCG@10, section": metrics.ndcg(sections, line.ranked, 10),
        "search MRR, section": metrics.reciprocal_rank(sections, line.searched),
        "search recall@10, section": metrics.recall(sections, line.searched, 10),
        "citation precision": metrics.precision(gold, shown),
        "citation recall": metrics.recall(gold, shown, len(shown)),
    }
    for depth in DEPTHS:
        scores[f"recall@{depth}"] = metrics.recall(gold, line.ranked, depth)
        scores[f"recall@{depth}, section"] = metrics.recall(sections, line.ranked, depth)
    return scores


def failure(one: Scored) -> Failed | None:
    """Why a question failed; None where it did not."""
    cause = _cause(one)
    if cause is None:
        return None
    question, line = one.question, one.line
    sections = metrics.by_section(question.gold)
    return Failed(
        id=question.id,
        question=question.question,
        cause=cause,
        primary=str(line.primary.provision) if line.primary else line.outcome.value,
        gold=tuple(" + ".join(map(str, alternative)) for alternative in question.gold),
        rank=metrics.first_rank(sections, line.ranked),
        searched=metrics.first_rank(sections, line.searched),
    )


def _cause(one: Scored) -> Failure | None:
    question, line, scores = one.question, one.line, one.scores
    if line.primary is None:
        return Failure.SILENT if question.answerable else None
    if question.outcomes and not question.answerable:
        return Failure.SPOKE
    if _trapped(question, line):
        return Failure.TRAP
    if question.gold and not scores["PRIMARY_PASS"]:
        if line.primary.provision.work not in {alternative[0].work for alternative in question.gold}:
            return Failure.WRONG_LAW
        return Failure.WRONG_PROVISION if scores["PRIMARY_PASS, section"] else Failure.WRONG_SECTION
    for measure, cause in (
        ("SUPPORT_PASS", Failure.SUPPORT_MISSING),
        ("GRAPH_PATH_PASS", Failure.PATH_MISSING),
        ("numeric recall", Failure.NUMBER_MISSING),
    ):
        if scores.get(measure, 1.0) < 1.0:
            return cause
    return None


def compare(
    questions: Sequence[GoldQuestion], before: Sequence[Line], after: Sequence[Line]
) -> tuple[Difference, ...]:
    """Every measure that two runs share, over the questions they share."""
    first = {one.question.id: one.scores for one in score_all(questions, before)}
    second = {one.question.id: one.scores for one in score_all(questions, after)}
    common = [identifier for identifier in second if identifier in first]
    if not common:
        raise RunError("the two runs share no question of this set; compare runs of the same set")
    names = dict.fromkeys(name for identifier in common for name in second[identifier])
    found = (_difference(name, common, first, second) for name in names)
    return tuple(one for one in found if one is not None)


def _difference(
    measure: str,
    common: Sequence[str],
    first: Mapping[str, Mapping[str, float]],
    second: Mapping[str, Mapping[str, float]],
) -> Difference | None:
    pairs = {
        identifier: (first[identifier][measure], second[identifier][measure])
        for identifier in common
        if measure in first[identifier] and measure in second[identifier]
    }
    if not pairs:
        return None
    return Difference(
        measure=measure,
        before=sum(before for before, _ in pairs.values()) / len(pairs),
        after=sum(after for _, after in pairs.values()) / len(pairs),
        change=metrics.estimate([after - before for before, after in pairs.values()]),
        gained=tuple(identifier for identifier, (before, after) in pairs.items() if before < after),
        lost=tuple(identifier for identifier, (before, after) in pairs.items() if after < before),
    )


def _curve(scored: Sequence[Scored]) -> tuple[CoveragePoint, ...]:
    """Over the questions whose right answer is known: by their gold, or because there is none."""
    judged = [
        one for one in scored if one.question.gold or (one.question.outcomes and not one.question.answerable)
    ]
    answers = [
        (one.line.confidence, bool(one.scores.get("PRIMARY_PASS", 0.0)))
        for one in judged
        if one.line.answered
    ]
    return metrics.coverage_curve(answers, len(judged))


def _trapped(question: GoldQuestion, line: Line) -> bool:
    return line.primary is not None and any(covers(one, line.primary.provision) for one in question.forbidden)


def _shown(line: Line) -> list[ShownPlace]:
    return [*([line.primary] if line.primary else []), *line.support]


def _names(publishers: Sequence[str]) -> list[str]:
    return [_PUBLISHERS.get(one.casefold(), one.casefold()) for one in publishers]
