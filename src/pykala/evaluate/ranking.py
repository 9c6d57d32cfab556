"""Any ranking measure that ir-measures knows (MacAvaney et al. 2022), by its name there: AP, P@5, nDCG@20.

Our own recall, MRR and nDCG need no package; a test checks that they equal these. ir-measures is an extra
because its engine, trec_eval, has no ready build for every machine that we support.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pykala.evaluate.matching import as_judged
from pykala.evaluate.metrics import claims
from pykala.evaluate.questions import GoldQuestion, QuestionSetError
from pykala.evaluate.runs import DEPTH, Line


def by_ir_measures(
    names: Sequence[str], questions: Sequence[GoldQuestion], lines: Mapping[str, Line]
) -> dict[str, dict[str, float]]:
    """Each question's values of the measures named: question → measure → value; of the best alternative."""
    measures = _measures(names)
    if not measures:
        return {}
    import ir_measures

    judged: dict[str, dict[str, int]] = {}
    ranked: dict[str, dict[str, float]] = {}
    owner: dict[str, str] = {}
    for question in questions:
        if question.id in lines:
            for alternative, (relevant, found) in enumerate(_alternatives(question, lines[question.id])):
                key = f"{question.id}\t{alternative}"
                judged[key], ranked[key], owner[key] = relevant, found, question.id
    scores: dict[str, dict[str, float]] = {}
    for one in ir_measures.iter_calc(measures, judged, ranked):
        of_question = scores.setdefault(owner[one.query_id], {})
        name = f"{one.measure} (ir-measures)"
        of_question[name] = max(of_question.get(name, 0.0), float(one.value))
    return scores


def _alternatives(question: GoldQuestion, line: Line) -> Iterator[tuple[dict[str, int], dict[str, float]]]:
    """Judgements and a ranking in which a place that matches a gold provision has that provision's name."""
    ranked = as_judged(question, line.ranked)
    for alternative in question.gold:
        grades = question.grades or [1] * len(alternative)
        found = claims(alternative, ranked)
        named = [
            str(gold or f"{place} {rank}")
            for rank, (gold, place) in enumerate(zip(found, ranked, strict=True))
        ]
        # trec_eval orders by score, so the rank is passed as a score.
        yield (
            {str(place): grade for place, grade in zip(alternative, grades, strict=True)},
            {name: float(DEPTH - rank) for rank, name in enumerate(named)},
        )


def _measures(names: Sequence[str]) -> list[Any]:
    if not names:
        return []
    try:
        import ir_measures
    except ImportError:
        raise QuestionSetError(
            f"{names[0]!r} is computed by ir-measures, which is not installed: pip install 'pykala[measures]'"
        ) from None
    found = []
    for name in names:
        try:
            found.append(ir_measures.parse_measure(name))
        except (NameError, ValueError, SyntaxError) as error:
            raise QuestionSetError(
                f"{name!r} is no measure of ir-measures ({error}); write one such as nDCG@20, AP or P@5"
            ) from None
    return found
