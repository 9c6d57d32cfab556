"""Measure what grading goes by in every case: `python -m training.limits`.

    python -m training.limits --everything LIBRARY --into src/pykala/retrieve/data/calibration.json

Each limit of the calibration file is tried at half of its value, at its value and at twice of it, and the
file keeps what became of the questions. They are those told as people tell them, the packs' own on the real
law, and some that no law speaks of. Candidates of a question's own language are found once and graded again.
Three limits decide what features say: with these, every fifth question is searched again.
`training.calibrate` writes a file without limits, so that this follows it.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from unittest.mock import patch

from pykala.evaluate.matching import covers, section_of
from pykala.evaluate.questions import GoldQuestion
from pykala.evaluate.sets import read_set
from pykala.law.answers import Outcome
from pykala.library import Library
from pykala.library.configured import open_configured
from pykala.retrieve import calibration
from pykala.retrieve.calibration import measured_limits
from pykala.retrieve.grade import Considered, grade, outcome
from pykala.retrieve.plan import looked_at
from pykala.settings import Settings
from training.calibrate import OFF_TOPIC, PACKS, TODAY, told_questions

#: Limits that features depend on: a question is searched again with another value.
OF_FEATURES = frozenset({"unknown_times", "unknown_least", "highest_logit"})
#: What may become of a question. Quoted law is right or wrong. Where nothing is listed, the law that answers
#: is lost, or a question that no law answers is refused; some of both are said to be outside the library.
BECAME = ("right", "wrong", "lost", "refused", "outside")

Looked = tuple[GoldQuestion, Considered]
Measured = dict[str, dict[str, object]]


@contextmanager
def tried(name: str, value: float) -> Iterator[None]:
    """Grade with another value of one limit."""
    file = {"limits": {other: {"value": kept} for other, kept in asdict(measured_limits()).items()}}
    file["limits"][name] = {"value": value}
    with patch.object(calibration, "bundled", lambda: json.dumps(file)):
        measured_limits.cache_clear()
        try:
            yield
        finally:
            measured_limits.cache_clear()


def looked(questions: Sequence[GoldQuestion], library: Library) -> list[Looked]:
    """Each question with the candidates of its own language, as grading sees them."""
    engine = library.engine()
    return [
        (
            asked,
            looked_at(
                asked.question,
                engine,
                as_of=asked.as_of or TODAY,
                language=asked.language,
                jurisdiction=asked.jurisdiction,
            )[0],
        )
        for asked in questions
    ]


def became(found: Sequence[Looked]) -> dict[str, int]:
    """How many questions are answered rightly, wrongly and not at all with the limits in force."""
    counted = Counter(name for asked, considered in found for name in _became(asked, considered))
    return {name: counted[name] for name in BECAME}


def _became(asked: GoldQuestion, considered: Considered) -> Iterator[str]:
    graded = grade([considered])
    result = outcome(graded, considered.known)
    answerable = bool(asked.gold) and (not asked.outcomes or Outcome.ANSWERED in asked.outcomes)
    if result in (Outcome.SILENT, Outcome.OUTSIDE_CORPUS):
        yield "lost" if answerable else "refused"
    if result is Outcome.OUTSIDE_CORPUS:
        yield "outside"
    if result.quotes:
        section = graded[0].candidate.section
        right = answerable and any(covers(section_of(gold), section) for gold in asked.primaries)
        yield "right" if right else "wrong"


def measured(
    questions: Sequence[GoldQuestion], library: Library, again: int, only: Sequence[str] = ()
) -> Measured:
    """Each limit's value, and what became of the questions with it, with half and with twice of it."""
    once = looked(questions, library)
    measures: Measured = {}
    for name, value in asdict(measured_limits()).items():
        if only and name not in only:
            continue
        found = once[::again] if name in OF_FEATURES else once
        trials = {f"{value:.4g}": became(found)}
        for other in (value // 2, value * 2) if isinstance(value, int) else (value / 2, value * 2):
            with tried(name, other):
                changed = looked([asked for asked, _ in found], library) if name in OF_FEATURES else found
                trials[f"{other:.4g}"] = became(changed)
        measures[name] = {"value": value, "questions": len(found), "tried": trials}
        print(name, measures[name], flush=True)
    return measures


def written(text: str, measures: Measured) -> str:
    """The text of a calibration file with these limits, each trial on a line; nothing else is changed."""
    file = json.loads(text)
    kept = {name: one for name, one in file.get("limits", {}).items() if name not in measures}
    order = asdict(measured_limits())
    limits = {name: {**kept, **measures}[name] for name in order}
    flat = json.dumps({"limits": limits, **{name: file[name] for name in file if name != "limits"}}, indent=1)
    flat = re.sub(r"\[\s*([\d.]+),\s*([\d.]+)\s*\]", r"[\1, \2]", flat)
    return re.sub(r'\{\s*("right"[^}]*?)\s*\}', lambda row: f"{{{' '.join(row[1].split())}}}", flat) + "\n"


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--everything", type=Path, required=True, help="a library of all law")
    parser.add_argument("--into", type=Path, required=True, help="the calibration file that is changed")
    parser.add_argument("--only", nargs="+", default=(), metavar="LIMIT", help="these limits, not all")
    parser.add_argument("--every", type=int, default=1, help="take each such question (1: all)")
    given = parser.parse_args()
    questions = [*told_questions(), *read_set(OFF_TOPIC)]
    for pack in PACKS:
        folder = Path(__file__).parents[1] / "src" / "pykala" / "packs" / pack
        questions += read_set(folder / "questions-corpus.jsonl")
    with open_configured(given.everything, Settings.read()) as library:
        measures = measured(questions[:: given.every], library, 5, given.only)
    text = given.into.read_text(encoding="utf-8")
    given.into.write_text(written(text, measures), encoding="utf-8")


if __name__ == "__main__":
    main()
