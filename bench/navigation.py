"""How well an act's contents alone lead to the section that answers: `python bench/navigation.py LIBRARY`.

Prints top-1, top-5, mean reciprocal rank and the median time of tree navigation, of search within the act,
and of both blended, on the Kuntalaki questions.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from pathlib import Path
from statistics import mean, median
from time import perf_counter

from pykala.law.filters import Filter
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.library import Library
from pykala.retrieve.navigate import Destination, act_tree, navigate
from pykala.retrieve.wording import without_asking
from pykala.text.analysis import analyse

ACT, LANGUAGE = WorkId("fi:act:2015/410"), "fi"
SHARE = 0.5  # of the table of contents in a section's score, beside the search within the act
QUESTIONS = Path(__file__).parents[2] / "shared" / "questions" / "kuntalaki.json"


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("library", type=Path)
    parser.add_argument("--as-of", type=date.fromisoformat, default=date(2026, 1, 1))
    parser.add_argument("--questions", type=Path, default=QUESTIONS)
    given = parser.parse_args()
    asked = [
        (one["query"], {place["section"] for place in one["expected_any"]})
        for one in json.loads(given.questions.read_text("utf-8"))
        if one["expected_any"]
    ]
    with Library.open(given.library) as library:
        tree = act_tree(ACT, library.store, as_of=given.as_of, language=LANGUAGE)
        only = Filter(as_of=given.as_of, languages=frozenset({LANGUAGE}), works=frozenset({ACT}))

        def pointed(question: str) -> list[ProvisionId]:
            terms = list(dict.fromkeys(analyse(without_asking(question, LANGUAGE), LANGUAGE)))
            return [one.section for one in navigate(terms, tree, LANGUAGE, limit=40)]

        def found(question: str) -> dict[ProvisionId, float]:
            scores: dict[ProvisionId, float] = {}
            for match in library.store.match_text(without_asking(question, LANGUAGE), only, 60):
                scores.setdefault(match.section, match.score)
            return scores

        def both(question: str) -> list[ProvisionId]:
            terms = list(dict.fromkeys(analyse(without_asking(question, LANGUAGE), LANGUAGE)))
            return list(blended(found(question), navigate(terms, tree, LANGUAGE, limit=40)))

        print(f"{'path':12} {'top-1':>6} {'top-5':>6} {'MRR':>6} {'p50 ms':>7}   {len(asked)} questions")
        for name, path in (("contents", pointed), ("search", lambda one: list(found(one))), ("both", both)):
            print(f"{name:12} {measured(path, asked)}")


def blended(
    found: Mapping[ProvisionId, float], destinations: Sequence[Destination], *, share: float = SHARE
) -> dict[ProvisionId, float]:
    """Sections scored by a search and by the table of contents, each score as a share of its best."""
    best_found = max(found.values(), default=0.0) or 1.0
    best_pointed = max((one.score for one in destinations), default=0.0) or 1.0
    worth = {section: (1 - share) * score / best_found for section, score in found.items()}
    for one in destinations:
        worth[one.section] = worth.get(one.section, 0.0) + share * one.score / best_pointed
    return dict(sorted(worth.items(), key=lambda pair: -pair[1]))


def measured(path: Callable[[str], Sequence[ProvisionId]], asked: Sequence[tuple[str, set[str]]]) -> str:
    """One line of the table."""
    ranks, times = [], []
    for question, expected in asked:
        started = perf_counter()
        order = [section.step("sec") for section in path(question)]
        times.append((perf_counter() - started) * 1000)
        ranks.append(next((1 / rank for rank, one in enumerate(order, 1) if one in expected), 0.0))
    first, five = mean(rank == 1 for rank in ranks), mean(rank >= 0.2 for rank in ranks)
    return f"{first:6.3f} {five:6.3f} {mean(ranks):6.3f} {median(times):7.2f}"


if __name__ == "__main__":
    main()
