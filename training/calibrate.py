"""Fit the weights that ship with the package: `python -m training.calibrate judge|fit`.

    python -m training.calibrate judge --everything LIBRARY --laws LIBRARY --sample CACHE --banks FOLDER
        --part 0/2 --out judged-0.pkl
    python -m training.calibrate fit judged-*.pkl --out calibration.json [--order earlier.json]

Questions: those told as people tell them (`questions/told.jsonl`), the packs' own on the real law and on the
sample, the banks of six Finnish laws, and some that no law speaks of. None of them is among what is known to
be asked of a section: what is asked was written by others, at another time, and counts as it will count for
people. The judged candidates are kept in files, for several processes judge and one fits. With `--order` the
order of an earlier file stays, and grades alone are learned; cases that the file lacks are learned whole.
"""

from __future__ import annotations

import argparse
import json
import pickle
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

from pykala.evaluate.calibrate import Fitted, calibration_text, fit, judge
from pykala.evaluate.questions import GoldQuestion
from pykala.evaluate.regression import Judged
from pykala.evaluate.sets import read_set
from pykala.law.identifiers import ProvisionId
from pykala.library.configured import open_configured
from pykala.library.sample import sample_library
from pykala.packs.pack import installed
from pykala.retrieve.calibration import Case, learned_cases
from pykala.settings import Settings

PACKS = ("canada", "finland", "eu", "nyc")
BANKS = ("kuntalaki", "adversarial", "graph-needed")
TOLD = Path(__file__).parent / "questions" / "told.jsonl"
OFF_TOPIC = Path(__file__).parent / "questions" / "off-topic.jsonl"
TODAY = date(2026, 11, 15)


def told_questions(path: Path = TOLD) -> list[GoldQuestion]:
    """Questions as people tell them, each with the section that decides it."""
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [
        GoldQuestion(
            id=f"told-{number}",
            question=row["question"],
            language=row["language"],
            jurisdiction=row["section"].partition(":")[0],
            gold=((ProvisionId.parse(row["section"]),),),
        )
        for number, row in enumerate(rows)
    ]


def judge_all(given: argparse.Namespace) -> dict[Case, list[tuple[str, Judged]]]:
    """Every question of this part, in every case that it gives candidates for."""
    part, parts = map(int, given.part.split("/"))
    judged: dict[Case, list[tuple[str, Judged]]] = {case: [] for case in Case}
    sample = sample_library(given.sample, installed())
    sets = [("told", told_questions(), given.everything)]
    folder = Path(__file__).parents[1] / "src" / "pykala" / "packs"
    for pack in PACKS:
        sets.append(
            (f"{pack}, real law", read_set(folder / pack / "questions-corpus.jsonl"), given.everything)
        )
        sets.append((f"{pack}, sample", read_set(folder / pack / "questions.jsonl"), sample))
    sets.append(("off-topic", read_set(OFF_TOPIC), given.everything))
    sets += [(bank, read_set(given.banks / f"{bank}.json"), given.laws) for bank in BANKS]
    for name, questions, library_folder in sets:
        own = [one for number, one in enumerate(questions) if number % parts == part]
        with open_configured(library_folder, Settings.read()) as library:
            for options in (library.options, replace(library.options, vectors=False, reranker=False)):
                tried = library.with_parts(options=replace(options, cache=False))
                for one in judge(own, tried, TODAY):
                    judged[one.case].append((name, one))
        print(name, len(own), flush=True)
    return judged


def fit_all(files: Sequence[Path], order: Path | None) -> dict[Case, Fitted]:
    """The weights of every case; with the order of an earlier file, where one is given."""
    earlier = learned_cases(order.read_text("utf-8")) if order else {}
    judged: dict[Case, list[Judged]] = {case: [] for case in Case}
    for path in files:
        for case, rows in pickle.loads(path.read_bytes()).items():
            judged[case] += [one for _, one in rows]
    # What another language holds beside an answer in the question's own is neither right nor wrong.
    judged[Case.OTHER_LANGUAGE] = [
        one for one in judged[Case.OTHER_LANGUAGE] if one.right.any() or not one.answerable
    ]
    return {case: fit(rows, order=earlier.get(case)) for case, rows in judged.items()}


def main() -> None:
    """Judge a part, or fit."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    judging = commands.add_parser("judge")
    for name in ("everything", "laws", "sample", "banks"):
        judging.add_argument(f"--{name}", type=Path, required=True)
    judging.add_argument("--part", default="0/1")
    fitting = commands.add_parser("fit")
    fitting.add_argument("judged", type=Path, nargs="+")
    fitting.add_argument("--order", type=Path, help="an earlier file, whose order of candidates stays")
    for command in (judging, fitting):
        command.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    if given.command == "judge":
        given.out.write_bytes(pickle.dumps(judge_all(given)))
        return
    fitted = fit_all(given.judged, given.order)
    given.out.write_text(calibration_text(fitted), encoding="utf-8")
    for case, one in fitted.items():
        print(f"{case}: {one.questions} questions, first {one.first_right:.3f}, wrong {one.wrong:.3f}")


if __name__ == "__main__":
    main()
