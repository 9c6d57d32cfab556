"""Whether the words that answer are quoted once the section is right.

    python -m bench.pinpoint LIBRARY situations.jsonl [--out quoted.jsonl]
    python -m bench.pinpoint LIBRARY src/pykala/packs/canada/questions-corpus.jsonl …

Retrieval has no part in it: each question that has an answer is given its right section, and only what the
engine does next is measured. Of situations (`must_contain`, `pinpoint`) and of the packs' own sets (`gold`,
`numbers`, `strings`) it prints how often all those words are in the words quoted, how often in the provision
that is shown around them, how often there or in the subdivisions that are named instead, how often the
provision shown is the one that a lawyer would name, or lies within it, how often one of those named is, and
the middle length of what is quoted, in characters. Words that the section does not hold on the day
are no fault of pinpointing and are left out.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from bench.situations import AS_OF, thread
from pykala.answer.extract import pinpoint, quoted
from pykala.ask import Engine
from pykala.evaluate.matching import covers, section_of
from pykala.law.composition import compose
from pykala.law.identifiers import ProvisionId
from pykala.library import Library
from pykala.models.bundled.lazy import bundled_embedder
from pykala.retrieve.plan import asked_words
from pykala.retrieve.question import understand
from pykala.stores.store import NotInForce, StoredProvision, UnknownProvision
from pykala.text.quantities import quantities


@dataclass(frozen=True, slots=True)
class Asked:
    """A question whose section is known, with the words that answer it."""

    id: str
    text: str
    place: str
    language: str
    as_of: date | None
    section: ProvisionId
    pinpoint: ProvisionId | None
    words: tuple[str, ...]
    numbers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Measured:
    """What came of one: None where the section cannot tell."""

    quoted: bool | None
    shown: bool | None
    beside: bool | None
    pinpointed: bool | None
    named: bool | None
    provision: ProvisionId
    quote: str


def read_set(path: Path) -> Iterator[Asked]:
    """The questions of a set that have an answer in one section."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    rows = [row for row in rows if "question" in row]
    by_id = {row["id"]: row for row in rows}
    for row in rows:
        gold = [one for one in row.get("gold_any") or row.get("gold") or () if one]
        if row.get("outcome") != "ANSWERED" or not gold:
            continue
        places = [ProvisionId.parse(one) for one in gold[0]]
        named = row.get("pinpoint")
        inner = ProvisionId.parse(named) if named else places[0]
        yield Asked(
            id=row["id"],
            text=" ".join([*thread(row, by_id), row["question"]]) if row.get("after") else row["question"],
            place=row["jurisdiction"],
            language=row["language"],
            as_of=date.fromisoformat(row["as_of"]) if row.get("as_of") else None,
            section=next((one for one in map(section_of, places) if one.contains(inner)), section_of(inner)),
            pinpoint=inner if inner != section_of(inner) else None,
            words=(*row.get("must_contain", ()), *row.get("strings", ())),
            numbers=tuple(row.get("numbers", ())),
        )


def measure(asked: Asked, engine: Engine) -> Measured | None:
    """Quote from the right section; None where the library does not hold it on that day."""
    question = understand(
        asked.text,
        engine.store,
        engine.packs,
        as_of=asked.as_of or AS_OF,
        language=asked.language,
        jurisdiction=asked.place,
        dated=asked.as_of is not None,
    )
    section = _section(asked, engine, question.as_of)
    if section is None:
        return None
    words, _ = asked_words(question, engine)
    language, wanted, day = section.language, question.wanted, question.as_of
    found = pinpoint(section.provision, words, language, wanted=wanted, as_of=day)
    texts = {one.id: compose(one) for one in section.provision.walk() if one.id in found}
    shown = texts[found[0]]
    start, end = quoted(shown, words, language, wanted=wanted, as_of=day)
    quote, whole = shown.text[start:end], compose(section.provision).text
    return Measured(
        quoted=_holds(asked, quote, whole),
        shown=_holds(asked, shown.text, whole),
        beside=_holds(asked, "\n".join(texts[one].text for one in found), whole),
        pinpointed=None if asked.pinpoint is None else _is_at(asked.pinpoint, found[0]),
        named=None if asked.pinpoint is None else any(_is_at(asked.pinpoint, one) for one in found),
        provision=found[0],
        quote=quote,
    )


def _section(asked: Asked, engine: Engine, day: date) -> StoredProvision | None:
    store = engine.store
    try:
        return store.provision(asked.section, as_of=day, language=asked.language)
    except (NotInForce, UnknownProvision):
        return None


def _is_at(gold: ProvisionId, found: ProvisionId) -> bool:
    """Whether what is shown is the gold, lies in it, or is the paragraph whose item the gold is."""
    return covers(gold, found) or (covers(found, gold) and found != section_of(found))


def _holds(asked: Asked, text: str, whole: str) -> bool | None:
    """Whether a text holds all the words and figures that its section holds; None where it has none."""
    plain, around = _plain(text), _plain(whole)
    told = [_plain(one) in plain for one in asked.words if _plain(one) in around]
    here, there = _figures(text), _figures(whole)
    told += [_figures(one) <= here for one in asked.numbers if _figures(one) and _figures(one) <= there]
    return all(told) if told else None


def _plain(text: str) -> str:
    return " ".join(text.replace("’", "'").replace("\N{NO-BREAK SPACE}", " ").split()).casefold()


def _figures(text: str) -> frozenset[tuple[str, str]]:
    return frozenset((one.figure, one.unit) for one in quantities(text))


def share(told: Sequence[bool | None]) -> str:
    """The share of those that can be told, and how many they are."""
    known = [one for one in told if one is not None]
    return f"{sum(known) / max(1, len(known)):.3f} of {len(known)}"


def report(name: str, measured: Mapping[str, Sequence[Measured]]) -> None:
    """Print one row a group."""
    for group, own in measured.items():
        cells = (
            share([one.quoted for one in own]),
            share([one.shown for one in own]),
            share([one.beside for one in own]),
            share([one.pinpointed for one in own]),
            share([one.named for one in own]),
        )
        lengths = sorted(len(one.quote) for one in own)
        middle = lengths[len(lengths) // 2]
        print(f"| {name} | {group} | {len(own)} | {' | '.join(cells)} | {middle} |", flush=True)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("library", type=Path)
    parser.add_argument("sets", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, help="what was quoted, one JSON object a question")
    given = parser.parse_args()
    lines: list[dict[str, Any]] = []
    print(
        "| set | group | sections | quoted | shown | or instead | pinpoint | or instead | length |\n"
        "|---|---|---|---|---|---|---|---|---|"
    )
    # Nothing is searched for: the library's vectors are not looked at, only the embedder reads sentences.
    with Library.open(given.library, embedder=None) as library:
        uncached = library.with_parts(options=replace(library.options, cache=False))
        engine = replace(uncached.engine(), embedder=bundled_embedder())
        for path in given.sets:
            groups: dict[str, list[Measured]] = {}
            for asked in read_set(path):
                measured = measure(asked, engine)
                if measured is None:
                    continue
                for group in ("all", f"{asked.place}, {asked.language}"):
                    groups.setdefault(group, []).append(measured)
                lines.append(
                    {
                        "id": asked.id,
                        "question": asked.text,
                        "quoted": measured.quoted,
                        "pinpointed": measured.pinpointed,
                        "provision": str(measured.provision),
                        "quote": measured.quote,
                        "gold": str(asked.pinpoint or asked.section),
                        "words": [*asked.words, *asked.numbers],
                    }
                )
            report(f"{path.parent.name}/{path.stem}", groups)
    if given.out is not None:
        text = "\n".join(json.dumps(one, ensure_ascii=False) for one in lines)
        given.out.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
