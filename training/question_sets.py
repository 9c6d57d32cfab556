"""How well the right passage is found for questions that people asked, by words, by meaning and by both.

    python -m training.question_sets kuntalaki --questions kuntalaki.json --passages kuntalaki_410-2015.jsonl
    python -m training.question_sets taxxa --questions taxxa-bank.json --passages vero.jsonl.zst
    python -m training.question_sets everyday --questions everyday-fi.jsonl --passages pool.jsonl.zst

`--weights` (once or more) names other weights than the package's: a table, with its tower beside it as
`tower.npz`. Questions are for choosing between recipes; nothing is trained on them. The right passages of a
Taxxa question are those that hold every one of its cues (training/questions/taxxa-gold.json): the numbers of
its key facts and the law's words for them.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import zstandard
from numpy.typing import NDArray

from pykala.models import bundled_reranker
from pykala.models.bundled import TABLE_WEIGHTS, TOWER_WEIGHTS
from pykala.models.bundled.embedder import TwoTowers
from training.evaluate import DEPTH, Ranking, Words, by_meaning, fused, reranked, weighted

Encode = Callable[[Sequence[str], str], NDArray[np.float32]]
GOLD = Path(__file__).parent / "questions" / "taxxa-gold.json"


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """Questions, the passages they are asked of, and which of those are right."""

    name: str
    questions: tuple[str, ...]
    language: str  # of the questions
    pool: tuple[str, ...]
    pool_language: str
    right: tuple[frozenset[int], ...]


def kuntalaki(questions: Path, passages: Path) -> QuestionSet:
    """75 Finnish questions over the momentti of the Local Government Act."""
    rows = [json.loads(line) for line in passages.read_text(encoding="utf-8").splitlines()]
    places: dict[tuple[str, str], set[int]] = {}
    for at, row in enumerate(rows):
        for moment in (str(row["moment"]), ""):  # a question without a momentti is about the whole section
            places.setdefault((row["section_id"], moment), set()).add(at)
    pool = tuple(
        f"{row['law']} › {row['chapter_title']} › {row['section_title']}\n{row['text']}" for row in rows
    )
    asked = json.loads(questions.read_text(encoding="utf-8"))
    right = [
        frozenset().union(
            *(places.get((gold["section"], gold["moment"]), ()) for gold in one["expected_any"])
        )
        for one in asked
    ]
    kept = [at for at, found in enumerate(right) if found]
    texts = tuple(asked[at]["query"] for at in kept)
    return QuestionSet("kuntalaki", texts, "fi", pool, "fi", tuple(right[at] for at in kept))


def taxxa(questions: Path, passages: Path) -> QuestionSet:
    """English tax questions over the Finnish guidance of the Tax Administration."""
    pool = tuple(f"{row[3]}\n{row[4]}" for row in _lines(passages) if row[1] == "fi")
    lower = [re.sub(r"\s+", " ", text).lower() for text in pool]
    gold = json.loads(GOLD.read_text(encoding="utf-8"))
    texts, right = [], []
    for one in _questions(json.loads(questions.read_text(encoding="utf-8"))):
        cues = [re.compile(rf"(?<!\d){cue}" if cue[0].isdigit() else cue) for cue in gold.get(one["id"], ())]
        found = frozenset(
            at for at, text in enumerate(lower) if cues and all(cue.search(text) for cue in cues)
        )
        if found:
            texts.append(one["question"])
            right.append(found)
    return QuestionSet("taxxa", tuple(texts), "en", pool, "fi", tuple(right))


def everyday(questions: Path, passages: Path) -> QuestionSet:
    """Everyday questions over the sections of works that were not trained on."""
    asked = [json.loads(line) for line in questions.read_text(encoding="utf-8").splitlines()]
    language = asked[0]["language"]
    rows = [row for row in _lines(passages) if row[1] == language]
    places = {row[0]: at for at, row in enumerate(rows)}
    pool = tuple(f"{row[2]} › {row[3]}\n{row[4]}" for row in rows)
    missing = [one["gold"] for one in asked if one["gold"] not in places]
    if missing:
        raise SystemExit(f"{questions}: not in the pool: {', '.join(missing[:5])} … ({len(missing)})")
    right = tuple(frozenset((places[one["gold"]],)) for one in asked)
    return QuestionSet(
        f"everyday-{language}", tuple(one["question"] for one in asked), language, pool, language, right
    )


SETS: dict[str, Callable[[Path, Path], QuestionSet]] = {
    "kuntalaki": kuntalaki,
    "taxxa": taxxa,
    "everyday": everyday,
}


def _lines(path: Path) -> Iterator[list[str]]:
    with path.open("rb") as file:
        data = zstandard.ZstdDecompressor().stream_reader(file).read()
    for line in data.decode("utf-8").splitlines():
        yield json.loads(line)


def _questions(tree: object) -> Iterator[dict[str, str]]:
    if isinstance(tree, dict):
        if "question" in tree:
            yield tree
        else:
            for below in tree.values():
                yield from _questions(below)
    elif isinstance(tree, list):
        for below in tree:
            yield from _questions(below)


def figures(
    rankings: Sequence[Ranking], right: Sequence[frozenset[int]]
) -> tuple[float, float, float, float]:
    """MRR@10, precision at 1, and the shares of questions with a right passage among 10 and 20."""
    places = [
        next((at for at, number in enumerate(ranking, 1) if number in found), DEPTH + 1)
        for ranking, found in zip(rankings, right, strict=True)
    ]
    ranks = np.array(places)
    mrr = np.where(ranks <= 10, 1.0 / ranks, 0.0).mean()
    return float(mrr), float((ranks == 1).mean()), float((ranks <= 10).mean()), float((ranks <= 20).mean())


def rankings(
    asked: QuestionSet, encode: Encode, lexical: Sequence[Mapping[int, float]]
) -> Iterator[tuple[str, Sequence[Ranking]]]:
    """The ways to rank, each with its rankings."""
    meaning, scores = by_meaning(encode, asked.questions, asked.pool)
    yield "meaning", meaning
    if asked.language == asked.pool_language:
        yield "both, rank fusion", [fused(*pair) for pair in zip(lexical, meaning, strict=True)]
        for share in (0.3, 0.4, 0.5, 0.7):
            both = [weighted(one, row, share) for one, row in zip(lexical, scores, strict=True)]
            yield f"both, {share:.1f} words", both
            again = reranked(bundled_reranker(), asked.questions, asked.pool, both)
            yield f"{share:.1f} words, reranked", again


def main() -> None:
    """Print a table, one row a way to rank."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("set", choices=SETS)
    parser.add_argument("--questions", type=Path, required=True)
    parser.add_argument("--passages", type=Path, required=True)
    parser.add_argument("--weights", type=Path, action="append", default=[])
    parser.add_argument("--dump", type=Path, help="write the set too, for other models to be asked")
    asked = parser.parse_args()
    found = SETS[asked.set](asked.questions, asked.passages)
    if asked.dump:
        dumped = {
            "questions": found.questions,
            "pool": found.pool,
            "right": [sorted(one) for one in found.right],
        }
        asked.dump.write_bytes(gzip.compress(json.dumps({found.name: dumped}).encode()))
    print(f"{found.name}: {len(found.questions)} questions, {len(found.pool):,} passages")
    with tempfile.TemporaryDirectory() as folder:
        words = Words(found.pool, found.pool_language, Path(folder))
        lexical = [words.scored(text, found.language) for text in found.questions]
    _show("words", "", figures(lexical, found.right))
    for weights in asked.weights or [TABLE_WEIGHTS]:
        embedder = TwoTowers(weights, weights.with_name(TOWER_WEIGHTS.name))
        for name, ranked in rankings(found, embedder.encode, lexical):  # type: ignore[arg-type]
            _show(name, weights.parent.name, figures(ranked, found.right))


def _show(name: str, weights: str, values: tuple[float, float, float, float]) -> None:
    mrr, first, ten, twenty = values
    print(
        f"{weights:<12}{name:<22} MRR {mrr:.3f}  P@1 {first:.3f}  R@10 {ten:.3f}  R@20 {twenty:.3f}",
        flush=True,
    )


if __name__ == "__main__":
    main()
