"""How often the section is found whose own words are typed, as into a search box.

    python -m bench.bare_words LIBRARY [--place ca:en ca:fr eu:en nyc:en fi:fi] [--sections 40]

Words are drawn by rule from sections in force: the six rarest of a section, the four next, any three of the
twelve rarest. Beside them stand search phrases written for sections (`training/questions`), which the
weights know: they show what is lost where words count more. Printed is how often `Library.search` (with
`--answers`, what an answer lists) gives the section first, and its mean reciprocal rank within ten.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path

from pykala.evaluate.matching import section_of
from pykala.law.identifiers import ProvisionId
from pykala.library import Library
from pykala.retrieve.wording import is_bare
from pykala.text.stopwords import stop_words

AS_OF = date(2026, 11, 15)
QUESTIONS = Path(__file__).parents[1] / "training" / "questions"
_WRITTEN = ("written-sections.jsonl", "told-sections.jsonl")
_SEED, _LETTERS, _FEWEST, _TOP = 11, 4, 25, 10
_SECTIONS = (
    "SELECT w.key || '/' || n.path, p.text FROM works w JOIN names j ON j.id = w.jurisdiction"
    " JOIN documents d ON d.work = w.id JOIN passages p ON p.document = d.id JOIN nodes n ON n.id = p.node"
    " WHERE j.value = ? AND d.language = ? AND p.ordinal = 0 AND p.valid_from <= ? AND p.valid_to > ?"
    " AND (n.path LIKE '%sec_%' OR n.path LIKE '%art_%')"
)


def drawn(library: Path, place: str, language: str, count: int) -> Iterator[tuple[str, str, str]]:
    """Kinds of words, the words, and the section they were drawn from."""
    chance, day = random.Random(_SEED), AS_OF.toordinal()
    records = sqlite3.connect(f"file:{library / 'library.db'}?mode=ro", uri=True)
    rows = records.execute(_SECTIONS, (place, language, day, day)).fetchall()
    frequency = Counter(word for _, text in rows for word in set(_words(text)))
    idle = stop_words(language)
    long_enough = [row for row in rows if len(set(_words(row[1]))) > _FEWEST]
    for section, text in chance.sample(long_enough, min(count, len(long_enough))):
        ordered = sorted(set(_words(text)) - idle, key=lambda word: (frequency[word], word))
        kinds = {
            "six rarest": ordered[:6],
            "four next": ordered[5:9],
            "three of twelve": chance.sample(ordered[:12], 3),
        }
        for kind, chosen in kinds.items():
            yield kind, " ".join(word for word in dict.fromkeys(_words(text)) if word in chosen), section


def phrases(place: str, language: str, count: int) -> list[tuple[str, str, str]]:
    """Search phrases that were written for sections of a place."""
    rows = (
        json.loads(line)
        for name in _WRITTEN
        for line in (QUESTIONS / name).read_text(encoding="utf-8").splitlines()
        if line.startswith(f'{{"section": "{place}:')
    )
    found = [
        ("phrases", text, row["section"])
        for row in rows
        for spoken, text in row.get("asked", ())
        if spoken == language and is_bare(text, [language])
    ]
    return random.Random(_SEED).sample(found, min(count, len(found)))


def rank_of(section: ProvisionId, words: str, place: str, language: str, library: Library) -> int | None:
    """The place of a section among what is found; None where it is not within ten."""
    found = library.search(words, as_of=AS_OF, language=language, jurisdiction=place, limit=_TOP)
    sections = [section_of(one.match.provision) for one in found]
    return sections.index(section) + 1 if section in sections else None


def rank_in_answer(
    section: ProvisionId, words: str, place: str, language: str, library: Library
) -> int | None:
    """The place of a section among what an answer lists."""
    answer = library.ask(words, as_of=AS_OF, language=language, jurisdiction=place)
    sections = [section_of(one.provision) for one in answer.evidence]
    return sections.index(section) + 1 if section in sections else None


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("library", type=Path)
    parser.add_argument("--place", nargs="+", default=["ca:en", "ca:fr", "eu:en", "nyc:en", "fi:fi"])
    parser.add_argument("--sections", type=int, default=40)
    parser.add_argument("--answers", action="store_true", help="what `ask` lists, in place of `search`")
    given = parser.parse_args()
    rank = rank_in_answer if given.answers else rank_of
    ranks: dict[str, list[int | None]] = {}
    with Library.open(given.library) as library:
        for place, _, language in (one.partition(":") for one in given.place):
            asked = [*drawn(given.library, place, language, given.sections)]
            for kind, words, section in [*asked, *phrases(place, language, given.sections)]:
                own = section_of(ProvisionId.parse(section))
                ranks.setdefault(kind, []).append(rank(own, words, place, language, library))
    print("| words | queries | first | MRR |\n|---|---|---|---|")
    for kind, found in ranks.items():
        print(f"| {kind} | {len(found)} | {_share(found):.3f} | {_mean_reciprocal(found):.3f} |")


def _share(ranks: Sequence[int | None]) -> float:
    return sum(rank == 1 for rank in ranks) / max(1, len(ranks))


def _mean_reciprocal(ranks: Sequence[int | None]) -> float:
    return sum(1 / rank for rank in ranks if rank) / max(1, len(ranks))


def _words(text: str) -> list[str]:
    return [word for word in re.findall(r"[^\W\d_]+", text.lower()) if len(word) >= _LETTERS]


if __name__ == "__main__":
    main()
