"""Follow-ups and compound questions, measured: `python -m bench.conversations situations.jsonl`.

    python -m bench.conversations situations.jsonl [--library LIBRARY] [--alone questions.jsonl …]

Counts how many follow-ups of a set of situations (see `bench.situations`) are taken as such, how many of its
other questions would wrongly be glued to the one before them, how many compound ones are taken apart and
which others are. With a library it asks them too: follow-ups with and without what they follow on, compound
ones whole and part by part, and prints how often the right sections stand within the first 1, 5 and 10.
Questions of the sets given as `--alone` follow on nothing; those that read as if they did, or as two, are
counted.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from bench.situations import AS_OF, rank, shares
from pykala.ask import ask
from pykala.law.answers import Answer
from pykala.law.identifiers import ProvisionId
from pykala.library import Library
from pykala.library.sample import sample_library
from pykala.packs.pack import installed
from pykala.retrieve.conversation import Turn, follows, standalone
from pykala.retrieve.parts import parts
from pykala.settings import Settings

Row = Mapping[str, Any]
DEPTHS = (1, 5, 10)


def read_rows(path: Path) -> list[Row]:
    """The lines of a set."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def count_follow_ups(rows: Sequence[Row], library: Library) -> None:
    """Print how many follow-ups are taken as such, and how many other questions are glued."""
    by_id = {row["id"]: row for row in rows}

    def taken(row: Row, before: Row) -> bool:
        turn = Turn(before["question"], before["language"])
        return standalone(row["question"], turn, library.store, library.packs, today=AS_OF).follows

    following = [row for row in rows if row["after"]]
    missed = [row["question"] for row in following if not taken(row, by_id[row["after"]])]
    alone = [(row, rows[place]) for place, row in enumerate(rows[1:]) if not row["after"]]
    glued = [row["question"] for row, before in alone if taken(row, before)]
    print(
        f"follow-ups taken as such: {len(following) - len(missed)} of {len(following)}", *missed, sep="\n  "
    )
    print(f"questions of their own that were glued: {len(glued)} of {len(alone)}", *glued, sep="\n  ")


def count_parts(rows: Sequence[Row]) -> None:
    """Print how many compound questions are taken apart, and which others are."""
    compound = [row for row in rows if row["kind"] == "compound"]
    whole = [row["question"] for row in compound if not _parts(row)]
    other = [row["question"] for row in rows if row["kind"] != "compound" and _parts(row)]
    print(
        f"compound questions taken apart: {len(compound) - len(whole)} of {len(compound)}", *whole, sep="\n  "
    )
    print(f"other questions taken apart: {len(other)} of {len(rows) - len(compound)}", *other, sep="\n  ")


def count_alone(path: Path) -> None:
    """Print what in a set of questions that stand alone reads as a follow-up, or as two."""
    rows = read_rows(path)
    leaning = sum(follows(row["question"], row["language"], today=AS_OF) for row in rows)
    print(f"| {path.parent.name}/{path.name} | {len(rows)} | {leaning} | {sum(map(_is_several, rows))} |")


def ask_follow_ups(rows: Sequence[Row], library: Library) -> None:
    """Ask every follow-up alone and after what it follows on, and print how well each does."""
    by_id = {row["id"]: row for row in rows}
    answers: dict[str, Answer] = {}

    def answer(row: Row) -> Answer:
        if row["id"] not in answers:
            before = answer(by_id[row["after"]]) if row["after"] else None
            place = None if row["after"] else row["jurisdiction"]
            day = date.fromisoformat(row["as_of"]) if row["as_of"] and not row["after"] else None
            answers[row["id"]] = library.ask(
                row["question"], as_of=day, jurisdiction=place, language=row["language"], after=before
            )
        return answers[row["id"]]

    following = [row for row in rows if row["after"]]
    kept = sum(answer(row).jurisdiction == row["jurisdiction"] for row in following)
    print(f"follow-ups that keep the place fixed for the question before: {kept} of {len(following)}")
    after = [_rank(row, answer(row)) for row in following]
    alone = [
        _rank(row, library.ask(row["question"], jurisdiction=row["jurisdiction"], language=row["language"]))
        for row in following
    ]
    print(f"| follow-ups asked alone | {len(alone)} | {shares(alone, DEPTHS)} |")
    print(f"| follow-ups asked after | {len(after)} | {shares(after, DEPTHS)} |")


def ask_compound(rows: Sequence[Row], library: Library) -> None:
    """Ask every question that is taken apart whole and part by part, and print how well each does."""
    engine = library.engine()
    several = [row for row in rows if _parts(row) and not row["after"] and row["outcome"] == "ANSWERED"]
    whole, apart = [], []
    for row in several:
        day = date.fromisoformat(row["as_of"]) if row["as_of"] else None
        given = {"language": row["language"], "jurisdiction": row["jurisdiction"]}
        once = ask(row["question"], engine, as_of=day or AS_OF, dated=day is not None, **given)
        whole.append(_rank(row, once))
        apart.append(_rank(row, library.ask(row["question"], as_of=day, **given)))
    print(f"| compound, asked whole | {len(whole)} | {shares(whole, DEPTHS)} |")
    print(f"| compound, part by part | {len(apart)} | {shares(apart, DEPTHS)} |")


def _parts(row: Row) -> int:
    return len(parts(row["question"], row["language"], today=AS_OF))


def _is_several(row: Row) -> bool:
    return _parts(row) > 0


def _rank(row: Row, answer: Answer) -> int:
    gold = [[ProvisionId.parse(one) for one in alternative] for alternative in row["gold_any"]]
    return rank(gold, [evidence.provision for evidence in answer.evidence])


def main() -> None:
    """Count, and ask where there is a library."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("situations", type=Path)
    parser.add_argument("--library", type=Path)
    parser.add_argument("--alone", type=Path, nargs="+", default=[])
    given = parser.parse_args()
    rows = read_rows(given.situations)
    folder = given.library or sample_library(Settings.read().cache, installed())
    with Library.open(folder) as library:
        count_follow_ups(rows, library)
        count_parts(rows)
        if given.alone:
            print("| set of questions that stand alone | questions | read as follow-ups | as several |")
            print("|---|---|---|---|")
        for path in given.alone:
            count_alone(path)
        if given.library:
            print("| asked | questions | first | within 5 | within 10 |\n|---|---|---|---|---|")
            ask_follow_ups(rows, library)
            ask_compound(rows, library)


if __name__ == "__main__":
    main()
