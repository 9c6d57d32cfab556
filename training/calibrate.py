"""Fit the weights that ship with the package: `python -m training.calibrate judge|fit`.

    python -m training.calibrate judge --everything LIBRARY --laws LIBRARY --sample CACHE --banks FOLDER
        --part 0/2 --out judged-0.pkl
    python -m training.calibrate fit judged-*.pkl --out calibration.json

Questions: those written on acts that the towers have not seen, the packs' own on the real law and on the
sample, the banks of six Finnish laws, and some that no law speaks of. A written question is part of what is
known to be asked of its section; it is asked without itself, and on one act in four as if nothing were known
to be asked. The judged candidates are kept in files, for several processes judge and one fits.
"""

from __future__ import annotations

import argparse
import pickle
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

from pykala.ask import Engine
from pykala.configured import open_configured
from pykala.evaluate.calibrate import Fitted, Judged, calibration_text, fit, judge
from pykala.evaluate.sets import GoldQuestion, read_set
from pykala.law.filters import Filter
from pykala.law.identifiers import ProvisionId
from pykala.library import Library
from pykala.models import bundled
from pykala.packs.pack import installed
from pykala.retrieve.calibration import Case
from pykala.sample import sample_library
from pykala.settings import Settings
from pykala.stores.store import Match, Store
from training.pair_files import SEED
from training.written import held_out, read_of_sections

PACKS = ("canada", "finland", "eu", "nyc")
BANKS = ("kuntalaki", "adversarial", "graph-needed")
HELD_OUT = "held out"
OFF_TOPIC = Path(__file__).parent / "questions" / "off-topic.jsonl"
TODAY = date(2026, 11, 15)
_WITHOUT = 4  # on one act in so many nothing is known to be asked
_BY_WORDS = 120  # written questions that are judged by words alone as well


def held_out_questions(each: int) -> list[GoldQuestion]:
    """Of each held-out section one question, in turn in each of its languages."""
    drawn, taken = random.Random(SEED), Counter[tuple[str, str]]()
    rows = [one for one in read_of_sections() if held_out(str(one[0].work))]
    drawn.shuffle(rows)
    made = []
    for number, (provision, asked) in enumerate(rows):
        language, text = asked[number % len(asked)]
        place = str(provision.work).partition(":")[0]
        if taken[place, language] < each:
            taken[place, language] += 1
            made.append(
                GoldQuestion(
                    id=f"held-{number}",
                    question=text,
                    language=language,
                    jurisdiction=place,
                    gold=((provision,),),
                )
            )
    return made


def sums_of(questions: Sequence[GoldQuestion]) -> dict[str, np.ndarray]:
    """The sum of the vectors of what was asked of each question's section."""
    wanted, towers = {str(question.primaries[0]) for question in questions}, bundled()
    return {
        str(provision): towers.encode([text for _, text in asked], "query").sum(axis=0)
        for provision, asked in read_of_sections()
        if str(provision) in wanted
    }


@dataclass
class WithoutItself:
    """A store for which a question is not among those that are known to be asked of its section."""

    store: Store
    sums: Mapping[str, np.ndarray]
    section: ProvisionId | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)

    def match_asked(self, vector: Any, filter: Filter, limit: int) -> tuple[Match, ...]:
        """As the store finds them, with the question's own section where it lies without the question."""
        found = self.store.match_asked(vector, filter, limit)
        own = [match for match in found if match.section == self.section]
        others = [match for match in found if match.section != self.section]
        rest = self.sums.get(str(self.section), vector) - vector
        unknown = crc32(str(self.section.work).encode()) % _WITHOUT == 0 if self.section else True
        if not own or unknown or not rest.any():
            return tuple(others)
        score = float(rest @ vector / max(float(np.linalg.norm(rest)), 1e-9))
        moved = [replace(match, score=score) for match in own]
        return tuple(sorted((*others, *moved), key=lambda match: -match.score))


class _Asking:
    """A library whose engine leaves the question itself out."""

    def __init__(self, library: Library, sums: Mapping[str, np.ndarray]) -> None:
        engine = library.engine()
        self.store = WithoutItself(engine.store, sums)
        self._engine = replace(engine, store=self.store)  # type: ignore[arg-type]

    def engine(self) -> Engine:
        return self._engine


def judge_held_out(
    questions: Sequence[GoldQuestion], library: Library, sums: Mapping[str, np.ndarray]
) -> Iterator[Judged]:
    """The candidates of written questions."""
    asking = _Asking(library, sums)
    for question in questions:
        asking.store.section = question.primaries[0]
        yield from judge([question], asking, TODAY)  # type: ignore[arg-type]


def judge_all(given: argparse.Namespace) -> dict[Case, list[tuple[str, Judged]]]:
    """Every question of this part, in every case that it gives candidates for."""
    part, parts = map(int, given.part.split("/"))
    judged: dict[Case, list[tuple[str, Judged]]] = {case: [] for case in Case}
    sample = sample_library(given.sample, installed())
    sets = [(HELD_OUT, held_out_questions(given.each), given.everything)]
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
                library.options = replace(options, cache=False)
                if name == HELD_OUT:
                    some = own if options.vectors else own[:_BY_WORDS]
                    found = judge_held_out(some, library, sums_of(some))
                else:
                    found = judge(own, library, TODAY)
                for one in found:
                    judged[one.case].append((name, one))
        print(name, len(own), flush=True)
    return judged


def fit_all(files: Sequence[Path]) -> dict[Case, Fitted]:
    """The weights of every case."""
    judged: dict[Case, list[Judged]] = {case: [] for case in Case}
    for path in files:
        for case, rows in pickle.loads(path.read_bytes()).items():
            judged[case] += [one for _, one in rows]
    # What another language holds beside an answer in the question's own is neither right nor wrong.
    judged[Case.OTHER_LANGUAGE] = [
        one for one in judged[Case.OTHER_LANGUAGE] if one.right.any() or not one.answerable
    ]
    return {case: fit(rows) for case, rows in judged.items()}


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
    judging.add_argument("--each", type=int, default=120, help="written questions of a place and a language")
    fitting = commands.add_parser("fit")
    fitting.add_argument("judged", type=Path, nargs="+")
    for command in (judging, fitting):
        command.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    if given.command == "judge":
        given.out.write_bytes(pickle.dumps(judge_all(given)))
        return
    fitted = fit_all(given.judged)
    given.out.write_text(calibration_text(fitted), encoding="utf-8")
    for case, one in fitted.items():
        print(f"{case}: {one.questions} questions, first {one.first_right:.3f}, wrong {one.wrong:.3f}")


if __name__ == "__main__":
    main()
