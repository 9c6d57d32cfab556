"""Questions of real situations, asked of a library: `python -m bench.situations LIBRARY situations.jsonl`.

    python -m bench.situations LIBRARY situations.jsonl [--without-place] [--read 40] [--out answers.jsonl]
    python -m bench.situations LIBRARY --everyday training/questions/everyday-en.jsonl …

A line of the set holds a question, its place and language, alternatives of right sections (`gold_any`), the
question it follows on (`after`) and the outcome that is right. A follow-up is asked after its thread.
Prints how often all sections of an alternative stand within the first 1, 5 and 10 that `ask` considered, what
was shown as answered, whether the words that answer were quoted, and how long it took. `--everyday` searches
sets with one gold section each, whole jurisdictions.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from time import perf_counter

from pykala.evaluate.matching import covers, section_of
from pykala.law.answers import Answer, Outcome
from pykala.law.identifiers import ProvisionId
from pykala.library import Library

AS_OF = date(2026, 11, 15)
NOT_FOUND = 10_000


@dataclass(frozen=True, slots=True)
class Situation:
    """A question, those that it follows on, and what is right."""

    id: str
    text: str
    earlier: tuple[str, ...]
    place: str
    language: str
    as_of: date | None
    gold: tuple[tuple[ProvisionId, ...], ...]
    answerable: bool
    follows: str = ""  # the question right before it
    words: tuple[str, ...] = ()  # the law's words that answer it
    part: ProvisionId | None = None  # the innermost provision that holds them


def read_situations(path: Path) -> Iterator[Situation]:
    """The situations of a set."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    by_id = {row["id"]: row for row in rows}
    for row in rows:
        yield Situation(
            id=row["id"],
            text=row["question"],
            earlier=tuple(thread(row, by_id)),
            place=row["jurisdiction"],
            language=row["language"],
            as_of=date.fromisoformat(row["as_of"]) if row["as_of"] else None,
            gold=tuple(tuple(map(ProvisionId.parse, one)) for one in row["gold_any"]),
            answerable=row["outcome"] == Outcome.ANSWERED.name,
            follows=row["after"] or "",
            words=tuple(row.get("must_contain", ())),
            part=ProvisionId.parse(row["pinpoint"]) if row.get("pinpoint") else None,
        )


def thread(row: Mapping[str, str], by_id: Mapping[str, Mapping[str, str]]) -> list[str]:
    """The questions that one follows on, the first one first."""
    if not row["after"]:
        return []
    before = by_id[row["after"]]
    return [*thread(before, by_id), before["question"]]


def rank(gold: Sequence[Sequence[ProvisionId]], found: Sequence[ProvisionId]) -> int:
    """The place by which all sections of an alternative have come; the first is 0."""
    alternatives = [[_first(section_of(each), found) for each in one] for one in gold if one]
    return min(map(max, alternatives), default=NOT_FOUND)


def _first(gold: ProvisionId, found: Sequence[ProvisionId]) -> int:
    places = (place for place, one in enumerate(found) if covers(gold, one) or covers(one, gold))
    return next(places, NOT_FOUND)


def shares(ranks: Sequence[int], depths: Sequence[int]) -> str:
    """The share of ranks within each depth, as cells of a table."""
    return " | ".join(f"{sum(one < depth for one in ranks) / max(1, len(ranks)):.3f}" for depth in depths)


def ask_situations(
    library: Library, situations: Sequence[Situation], *, place: bool, out: Path | None
) -> None:
    """Ask all and print the tables."""
    ranks: dict[str, list[int]] = {}
    outcomes: Counter[tuple[str, str]] = Counter()
    seconds, lines = [], []
    firsts: dict[str, bool] = {}
    quoted: list[bool] = []
    parts: dict[str, list[bool]] = {}
    for one in situations:
        started = perf_counter()
        answer = library.ask(
            one.text,
            as_of=one.as_of,
            jurisdiction=one.place if place else None,
            language=one.language,
            after=one.earlier,
        )
        seconds.append(perf_counter() - started)
        found = [evidence.provision for evidence in answer.evidence]
        at = rank(one.gold, found)
        right = ("first is right" if at == 0 else "first is wrong") if one.answerable else "must not be"
        outcomes[answer.outcome.name, right] += 1
        firsts[one.id] = at == 0
        if one.words and at == 0 and answer.outcome.quotes:
            quoted.append(holds(answer, one.words))
        if one.part is not None and answer.primary is not None and answer.outcome.quotes:
            parts.setdefault(answer.outcome.name, []).append(shows(answer.primary.provision, one.part))
        if one.answerable:
            for name in ("all", f"{one.place}, {one.language}"):
                ranks.setdefault(name, []).append(at)
        lines.append(
            json.dumps([one.id, one.text, at, answer.outcome.name, [str(each) for each in found[:8]]])
        )
    print("| set | questions | first | within 5 | within 10 |\n|---|---|---|---|---|")
    for name, own in ranks.items():
        print(f"| {name} | {len(own)} | {shares(own, (1, 5, 10))} |")
    print("\n| shown as | | questions |\n|---|---|---|")
    for (outcome, right), count in sorted(outcomes.items()):
        print(f"| {outcome} | {right} | {count} |")
    if quoted:
        exact = sum(quoted) / len(quoted)
        print(f"\nof {len(quoted)} quoted from the right section, {exact:.3f} hold the words that answer")
    for outcome, shown in sorted(parts.items()):
        print(f"of {len(shown)} {outcome}, {sum(shown) / len(shown):.3f} show the part that answers")
    after = [one for one in situations if one.answerable and firsts.get(one.follows)]
    if after:
        right_after = sum(firsts[one.id] for one in after) / len(after)
        print(f"of {len(after)} that follow on one whose first is right, {right_after:.3f} are right first")
    seconds.sort()
    half, high = (1000 * seconds[int(share * len(seconds))] for share in (0.5, 0.95))
    print(f"\np50 {half:.0f} ms, p95 {high:.0f} ms")
    if out is not None:
        out.write_text("\n".join(lines) + "\n", encoding="utf-8")


def shows(shown: ProvisionId, part: ProvisionId) -> bool:
    """Whether what is shown is the part that answers, or holds it."""
    return shown.contains(part)


def holds(answer: Answer, words: Sequence[str]) -> bool:
    """Whether an answer quotes some words of the law, in one of its parts or in all."""
    claims = (claim for one in (answer, *answer.parts) for claim in one.claims)
    text = _plain(" ".join(claim.text for claim in claims))
    return all(_plain(one) in text for one in words)


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[^\w%§]+", " ", text.casefold()).split())


def search_everyday(library: Library, path: Path) -> None:
    """Search for every question of a set and print one row."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    ranks = []
    for row in rows:
        found = library.search(row["question"], as_of=AS_OF, languages=[row["language"]], limit=100)
        ranks.append(_first(ProvisionId.parse(row["gold"]), [one.match.section for one in found]))
    print(f"| {path.stem} | {len(rows)} | {shares(ranks, (1, 5, 10, 24, 100))} |", flush=True)


def main() -> None:
    """Ask and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("library", type=Path)
    parser.add_argument("situations", type=Path, nargs="?")
    parser.add_argument("--everyday", type=Path, nargs="+", default=[])
    parser.add_argument("--without-place", action="store_true")
    parser.add_argument("--read", type=int, help="candidates that are read closely")
    parser.add_argument("--out", type=Path, help="what was found, one JSON array a question")
    given = parser.parse_args()
    with Library.open(given.library) as opened:
        read = given.read or opened.options.read
        library = opened.with_parts(options=replace(opened.options, cache=False, read=read))
        if given.everyday:
            print("| set | questions | R@1 | R@5 | R@10 | R@24 | R@100 |\n|---|---|---|---|---|---|---|")
        for path in given.everyday:
            search_everyday(library, path)
        if given.situations:
            situations = list(read_situations(given.situations))
            ask_situations(library, situations, place=not given.without_place, out=given.out)


if __name__ == "__main__":
    main()
