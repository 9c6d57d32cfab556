"""How well an embedder finds the right section, beside full-text search, on texts that nobody trained on.

    python -m training.evaluate --pairs FOLDER [--pairs FOLDER] [--split development|test] [--weights TABLE]
        [--tower TOWER] [--reranked 300]

Figures are MRR@10 / recall@100, by words (BM25), by meaning (the towers) and by both; across languages words
are of no use and are only shown. `--reranked` adds, for so many questions within a language, what both give
and what the package's reranker makes of their best 30. The test split is for the model that was chosen, once.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import tempfile
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pykala.models import bundled_reranker
from pykala.models.bundled import TABLE_WEIGHTS, TOWER_WEIGHTS
from pykala.models.bundled.embedder import TwoTowers
from pykala.models.reranker import Reranker
from pykala.stores.embedded.facets import FacetFilter, Facets
from pykala.stores.embedded.fulltext import TextIndex
from pykala.text.analysis import analyse
from training.pair_files import SEED, read

MOST_QUESTIONS = 1500
FEWEST_QUESTIONS = 20
SHARE = 0.3  # what words count for when both are used
DEPTH = 100
RERANKED = 30
Ranking = Collection[int]


class Words:
    """Full-text search over a pool, with the product's own index and analysis."""

    def __init__(self, pool: Sequence[str], language: str, folder: Path) -> None:
        self._language = language
        self._index = TextIndex.open(folder, writable=True)
        for number, text in enumerate(pool):
            self._index.add(number, language, Facets(0, 0, 0, 0, 0), analyse(text, language))
        self._index.commit()

    def scored(self, question: str, language: str) -> dict[int, float]:
        """The pool by BM25, best first; a question in another language is asked as it is written."""
        terms = {self._language: analyse(question, language)}
        return dict(self._index.match(terms, FacetFilter(), DEPTH))


def fused(first: Ranking, second: Ranking, constant: int = 60) -> list[int]:
    """Reciprocal rank fusion (Cormack et al., SIGIR 2009)."""
    scores: dict[int, float] = {}
    for ranking in (first, second):
        for place, number in enumerate(ranking):
            scores[number] = scores.get(number, 0.0) + 1.0 / (constant + place + 1)
    return sorted(scores, key=lambda number: -scores[number])[:DEPTH]


def weighted(lexical: Mapping[int, float], meaning: NDArray[np.float32], share: float) -> list[int]:
    """Scores brought to 0–1 by the best of each and added; `share` is what words count."""
    total = (1 - share) * np.clip(meaning, 0, None) / max(float(meaning.max()), 1e-6)
    best = max(lexical.values(), default=1.0)
    for number, score in lexical.items():
        total[number] += share * score / best
    found = np.argpartition(-total, min(DEPTH, len(total) - 1))[:DEPTH]
    return [int(number) for number in found[np.argsort(-total[found], kind="stable")]]


def figures(rankings: Sequence[Ranking], right: Sequence[frozenset[int]]) -> tuple[float, float]:
    """MRR@10 and recall@100."""
    reciprocal = found = 0.0
    for ranking, good in zip(rankings, right, strict=True):
        place = next((at for at, number in enumerate(ranking, 1) if number in good), 0)
        reciprocal += 1.0 / place if 0 < place <= 10 else 0.0
        found += 0 < place <= DEPTH
    return reciprocal / len(right), found / len(right)


@dataclass(frozen=True, slots=True)
class EvaluationSet:
    """What is asked of what: tasks of the pairs, the language asked in and the language searched."""

    tasks: tuple[str, ...]
    asked: str
    searched: str
    #: Articles of treaties repeat one model: any that is paired with the question is right, not just one.
    any_paired: bool = False


SETS = {
    "Canada en→en": EvaluationSet(("heading-act-en", "heading-regulation-en"), "en", "en"),
    "Canada fr→fr": EvaluationSet(("heading-act-fr", "heading-regulation-fr"), "fr", "fr"),
    "Canada fr→en": EvaluationSet(("cross-ca-en-fr",), "fr", "en"),
    "Canada en→fr": EvaluationSet(("cross-ca-en-fr",), "en", "fr"),
    "Finlex fi→fi": EvaluationSet(("heading-act-fi", "heading-decree-fi"), "fi", "fi"),
    "Finlex sv→sv": EvaluationSet(("heading-act-sv", "heading-decree-sv"), "sv", "sv"),
    "Finlex sv→fi": EvaluationSet(("cross-fi-fi-sv",), "sv", "fi"),
    "Finlex fi→sv": EvaluationSet(("cross-fi-fi-sv",), "fi", "sv"),
    "Treaty en→fi": EvaluationSet(("treaty-en-fi",), "en", "fi", any_paired=True),
    "Treaty fr→fi": EvaluationSet(("treaty-fr-fi",), "fr", "fi", any_paired=True),
}


def questions_of(
    folders: Sequence[Path], wanted: EvaluationSet, split: str, beside: int = 0
) -> tuple[list[str], list[str], list[frozenset[int]], int]:
    """Questions, the pool, which of it is right for each, and how many pairs were left out as repeated.

    The pool is what the questions of the split are about, and `beside` it so many sections that were trained
    on. Among those stand other states of the same amended section, which count as wrong: such a pool is
    harder than life. Treaties get none, as each holds nearly the same articles. A right text that was
    trained on elsewhere is left out.
    """
    paths = [folder / f"{task}.jsonl.zst" for folder in folders for task in wanted.tasks]
    rows = [row for path in paths if path.exists() for row in read(path)]
    rows = [row for row in rows if (row[1], row[3]) == (wanted.asked, wanted.searched)]
    known = {row[2] for row in rows if row[4] == "train"}
    mine = [row for row in rows if row[4] == split]
    kept = [row for row in mine if row[2] not in known]
    pool: dict[str, int] = {}
    paired: dict[str, set[int]] = {}
    for row in kept:
        paired.setdefault(row[0], set()).add(pool.setdefault(row[2], len(pool)))
    drawn = random.Random(SEED)
    if not wanted.any_paired:
        for text in drawn.sample(sorted(known), min(len(known), beside)):
            pool.setdefault(text, len(pool))
    if wanted.any_paired:
        asked = [(text, frozenset(found)) for text, found in sorted(paired.items())]
    else:
        asked = [(row[0], frozenset((pool[row[2]],))) for row in kept]
    drawn.shuffle(asked)
    asked = asked[:MOST_QUESTIONS]
    return [text for text, _ in asked], list(pool), [found for _, found in asked], len(mine) - len(kept)


def by_meaning(
    encode: Callable[[Sequence[str], str], NDArray[np.float32]], questions: Sequence[str], pool: Sequence[str]
) -> tuple[list[Ranking], NDArray[np.float32]]:
    """The pool by cosine for each question, and all cosines."""
    scores = encode(questions, "query") @ encode(pool, "document").T
    best = np.argpartition(-scores, min(DEPTH, scores.shape[1] - 1), axis=1)[:, :DEPTH]
    order = np.take_along_axis(scores, best, axis=1).argsort(axis=1)[:, ::-1]
    return [list(map(int, row)) for row in np.take_along_axis(best, order, axis=1)], scores


def reranked(
    reranker: Reranker, questions: Sequence[str], pool: Sequence[str], rankings: Sequence[Sequence[int]]
) -> list[list[int]]:
    """The best 30 of each ranking in the reranker's order, the rest as they were."""
    found = []
    for question, ranking in zip(questions, rankings, strict=True):
        best = list(ranking[:RERANKED])
        scores = reranker.score(question, [pool[number] for number in best])
        order = np.argsort(-scores, kind="stable")
        found.append([best[at] for at in order] + list(ranking[RERANKED:]))
    return found


def main() -> None:
    """Print a table, one row a set."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pairs", type=Path, action="append", required=True)
    parser.add_argument("--split", choices=("development", "test"), default="development")
    parser.add_argument("--beside", type=int, default=0, help="trained sections in the pool too")
    parser.add_argument("--weights", type=Path, default=TABLE_WEIGHTS, help="the table")
    parser.add_argument("--tower", type=Path, default=TOWER_WEIGHTS, help="that was trained with the table")
    parser.add_argument("--reranked", type=int, default=0, help="rerank so many questions of each set")
    parser.add_argument("--dump", type=Path, help="write the sets too, for other models to be asked")
    asked = parser.parse_args()
    embedder = TwoTowers(asked.weights, asked.tower)
    print(
        f"{'set':<16}{'questions':>10}{'pool':>8}{'repeated':>9}   {'words':>12}{'meaning':>13}{'both':>13}"
    )
    dumped = {}
    for name, wanted in SETS.items():
        questions, pool, right, repeated = questions_of(asked.pairs, wanted, asked.split, asked.beside)
        if len(right) < FEWEST_QUESTIONS:
            continue
        dumped[name] = {"questions": questions, "pool": pool, "right": [sorted(one) for one in right]}
        with tempfile.TemporaryDirectory() as folder:
            words = Words(pool, wanted.searched, Path(folder))
            lexical = [words.scored(text, wanted.asked) for text in questions]
        meaning, scores = by_meaning(embedder.encode, questions, pool)  # type: ignore[arg-type]
        both = [weighted(one, row, SHARE) for one, row in zip(lexical, scores, strict=True)]
        ways: list[Sequence[Ranking]] = [lexical, meaning, both if wanted.asked == wanted.searched else []]
        cells = "".join(
            "  {:.3f}/{:.3f}".format(*figures(one, right)) if one else f"{'–':>13}" for one in ways
        )
        if asked.reranked and wanted.asked == wanted.searched:
            some = slice(asked.reranked)
            again = reranked(bundled_reranker(), questions[some], pool, both[some])
            cells += "   of {}:  {:.3f}/{:.3f} → {:.3f}/{:.3f}".format(
                len(again), *figures(both[some], right[some]), *figures(again, right[some])
            )
        print(f"{name:<16}{len(right):>10,}{len(pool):>8,}{repeated:>9,}  {cells}", flush=True)
    if asked.dump:
        asked.dump.write_bytes(gzip.compress(json.dumps(dumped, ensure_ascii=False).encode()))


if __name__ == "__main__":
    main()
