"""Score a run: the measures of each question, why it failed, and the figures of the whole run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from pykala.evaluate import metrics
from pykala.evaluate.matching import as_judged, covers, on_path, section_of
from pykala.evaluate.metrics import CoveragePoint, Estimate, Latency
from pykala.evaluate.questions import GoldQuestion
from pykala.evaluate.ranking import by_ir_measures
from pykala.evaluate.runs import FOUND, Header, Line, RunError, ShownPlace
from pykala.law.identifiers import ProvisionId

DEPTHS = (1, 5, 10)
#: Prefixes of measures of which less is better; a question is gained where they fall.
LOWER_IS_BETTER = ("refusal rate", "wrong shown", "wrong among")
#: The order of a report: passed, ranked, shown, contained, reliable.
_ORDER = (
    *("PRIMARY_PASS", "SUPPORT_PASS", "GRAPH_PATH_PASS", "OUTCOME_PASS", "TRAP_PASS", "WITHIN_K_PASS"),
    *("MRR", "recall@", "nDCG", "search", "citation", "publisher", "numeric", "key-fact", "string"),
    *("coverage", "answered and", "selective", "wrong among", "wrong shown", "likely", "refusal", "temporal"),
)
#: The banks' names of publishers, and the packs' names.
_PUBLISHERS = {"verohallinto": "vero", "finnish tax administration": "vero"}


class Failure(StrEnum):
    """Why a question was not answered rightly; the first that applies."""

    SILENT = "silent where the law answers"
    HESITATED = "only related provisions where the law answers"
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
    """A failed question: why, what was shown, its gold, and the rank of the gold."""

    id: str
    question: str
    cause: Failure
    primary: str
    gold: tuple[str, ...]
    rank: int | None  # of the gold's section in the engine's ranking
    searched: int | None  # of the gold's section in plain search


@dataclass(frozen=True, slots=True)
class Scored:
    """A question, its answer, and its measures; a measure that does not apply is missing."""

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
    confusion: Mapping[tuple[str, str], tuple[int, Estimate]]  # (right, given) → count, share of the right
    latencies: tuple[Latency, ...]
    failures: tuple[Failed, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """A measure in two runs over the questions they share, and the questions that passed only in one."""

    measure: str
    before: float
    after: float
    change: Estimate
    gained: tuple[str, ...]
    lost: tuple[str, ...]


def measure(
    header: Header,
    questions: Sequence[GoldQuestion],
    lines: Sequence[Line],
    more: Sequence[str] = (),
) -> Measured:
    """All figures of a run; `more` are ranking measures by their names in ir-measures."""
    scored = score_all(questions, lines, more)
    values: dict[str, list[float]] = {}
    for one in scored:
        for name, value in one.scores.items():
            values.setdefault(name, []).append(value)
    return Measured(
        header=header,
        scored=scored,
        estimates={name: metrics.estimate(values[name]) for name in sorted(values, key=_order)},
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


def _order(name: str) -> int:
    """The position of a measure in a report: by its kind, then in the order of computation."""
    return next((number for number, begins in enumerate(_ORDER) if name.startswith(begins)), len(_ORDER))


def score_all(
    questions: Sequence[GoldQuestion], lines: Sequence[Line], more: Sequence[str] = ()
) -> tuple[Scored, ...]:
    """Score the questions that a run has answered."""
    answered = {line.id: line for line in lines}
    ranking = by_ir_measures(more, questions, answered)
    return tuple(
        Scored(question, line, {**score(question, line), **ranking.get(question.id, {})})
        for question in questions
        if (line := answered.get(question.id)) is not None
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
    scores |= _held_scores(line)
    day = question.as_of or line.as_of  # the date of the question, even if the engine chose another
    if line.primary is not None:
        scores["temporal correctness"] = float(line.primary.validity.covers(day))
    if places := _shown(line):
        scores["temporal correctness, all shown"] = float(all(one.validity.covers(day) for one in places))
    scores["refusal rate"] = float(line.refused)
    if question.answerable:
        scores["refusal rate, answerable"] = float(line.refused)
    return scores | _selective_scores(question, line)


def _held_scores(line: Line) -> dict[str, float]:
    """Which strings, numbers and facts occur in what is shown, and in the first search results."""
    scores = {}
    for begins, ends, found in (("", "", line.held), ("search ", f"@{FOUND}", line.found)):
        for name, held in (
            ("string", found.strings),
            ("numeric", found.numbers),
            ("key-fact", [one for one in found.facts if one is not None]),
        ):
            if held:
                scores[f"{begins}{name} recall{ends}"] = metrics.share(held)
    return scores


def _selective_scores(question: GoldQuestion, line: Line) -> dict[str, float]:
    """The results for a reader who trusts ANSWERED, over questions with a known answer; LIKELY apart."""
    if not _judged(question):
        return {}
    scores = {"coverage": float(line.answered), "likely": float(line.likely)}
    for name, right in (("", _right(question, line)), (", section", _right_section(question, line))):
        scores[f"answered and right{name}"] = float(line.answered and right)
        scores[f"wrong shown as ANSWERED{name}"] = float(line.answered and not right)
        if line.answered:
            scores[f"selective accuracy{name}"] = float(right)
            scores[f"wrong among ANSWERED{name}"] = float(not right)
        if line.likely:
            scores[f"likely, of these right{name}"] = float(right)
    return scores


def _judged(question: GoldQuestion) -> bool:
    """Whether the right answer is known: by its gold, or because there is none."""
    return bool(question.gold) or (bool(question.outcomes) and not question.answerable)


def _right(question: GoldQuestion, line: Line) -> bool:
    return line.primary is not None and any(covers(one, line.primary.provision) for one in question.primaries)


def _right_section(question: GoldQuestion, line: Line) -> bool:
    return line.primary is not None and any(
        covers(section_of(one), line.primary.provision) for one in question.primaries
    )


def _gold_scores(question: GoldQuestion, line: Line) -> dict[str, float]:
    gold, sections = question.gold, metrics.by_section(question.gold)
    ranked, searched = as_judged(question, line.ranked), as_judged(question, line.searched)
    shown = [one.provision for one in _shown(line)]
    scores = {
        "PRIMARY_PASS": float(_right(question, line)),
        "PRIMARY_PASS, section": float(_right_section(question, line)),
        "WITHIN_K_PASS": float((metrics.first_rank(gold, ranked) or question.within + 1) <= question.within),
        "MRR": metrics.reciprocal_rank(gold, ranked),
        "MRR, section": metrics.reciprocal_rank(sections, ranked),
        "nDCG@10": metrics.ndcg(gold, ranked, 10, question.grades),
        "nDCG@10, section": metrics.ndcg(sections, ranked, 10, _section_grades(question)),
        "search MRR, section": metrics.reciprocal_rank(sections, searched),
        "search recall@10, section": metrics.recall(sections, searched, 10),
        "citation precision": metrics.precision(gold, shown),
        "citation recall": metrics.recall(gold, shown, len(shown)),
    }
    if not question.grades:  # an answer need not show a whole pool of judgements
        scores["SUPPORT_PASS"] = float(scores["citation recall"] == 1.0)
    for depth in DEPTHS:
        scores[f"recall@{depth}"] = metrics.recall(gold, ranked, depth)
        scores[f"recall@{depth}, section"] = metrics.recall(sections, ranked, depth)
    return scores


def _section_grades(question: GoldQuestion) -> tuple[int, ...]:
    best: dict[ProvisionId, int] = {}
    for place, grade in zip(question.gold[0], question.grades, strict=False):
        best[section_of(place)] = max(grade, best.get(section_of(place), 0))
    return tuple(best.values())


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
        if not question.answerable or line.outcome in question.outcomes:
            return None
        return Failure.SILENT if line.refused else Failure.HESITATED
    if question.outcomes and not question.answerable:
        return Failure.SPOKE
    if _trapped(question, line):
        return Failure.TRAP
    if question.gold and not scores["PRIMARY_PASS"]:
        if line.primary.provision.work not in {one.work for one in question.primaries}:
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
    risen = tuple(identifier for identifier, (before, after) in pairs.items() if before < after)
    fallen = tuple(identifier for identifier, (before, after) in pairs.items() if after < before)
    worse_when_high = measure.startswith(LOWER_IS_BETTER)
    return Difference(
        measure=measure,
        before=sum(before for before, _ in pairs.values()) / len(pairs),
        after=sum(after for _, after in pairs.values()) / len(pairs),
        change=metrics.estimate([after - before for before, after in pairs.values()]),
        gained=fallen if worse_when_high else risen,
        lost=risen if worse_when_high else fallen,
    )


def _curve(scored: Sequence[Scored]) -> tuple[CoveragePoint, ...]:
    """Over the questions whose right answer is known: by their gold, or because there is none."""
    judged = [one for one in scored if _judged(one.question)]
    answers = [(one.line.confidence, _right(one.question, one.line)) for one in judged if one.line.answered]
    return metrics.coverage_curve(answers, len(judged))


def _trapped(question: GoldQuestion, line: Line) -> bool:
    return line.primary is not None and any(covers(one, line.primary.provision) for one in question.forbidden)


def _shown(line: Line) -> list[ShownPlace]:
    return [*([line.primary] if line.primary else []), *line.support]


def _names(publishers: Sequence[str]) -> list[str]:
    return [_PUBLISHERS.get(one.casefold(), one.casefold()) for one in publishers]
