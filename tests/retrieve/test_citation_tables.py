"""Citations as people write them, a table for each pack, read as a question is: all packs, all languages.

`citations/` holds tables for each pack, a text and what it cites on a line. What is known by its identifier
is written with it, whether the library holds it or not; `?name/place` is a place in an act that is known by
its name only; `case:` is a decision of a court that no pack holds; nothing stands where nothing is cited.

All were written by the hand that wrote the grammars, `…-kept` and `…-open` before them. The grammars were
mended by what `…-open` showed, and once by a case of `ca-kept`; `…-fresh` were written when the grammars
stood, by somebody who knew them. None is a blind test: they hold what is read today, and do not tell how
often other people's citations are misread.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from making import bundle, document, section
from pykala.law.identifiers import WorkId
from pykala.packs.pack import installed
from pykala.retrieve.cites import citations_in
from pykala.retrieve.question import places_asked
from pykala.stores.embedded.store import EmbeddedStore

FOLDER = Path(__file__).parent / "citations"
TABLES = sorted(path.stem for path in FOLDER.glob("*-*.tsv"))
LEAST = 0.97


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedStore]:
    """A library of some acts that the tables name; others, such as the Criminal Code, it lacks."""
    with EmbeddedStore.open(tmp_path_factory.mktemp("library"), writable=True) as opened:
        for line in (FOLDER / "works.tsv").read_text("utf-8").splitlines():
            identifier, *names = line.split("\t")
            work = WorkId(identifier)
            pairs = [name.partition("=")[::2] for name in names]
            documents = [
                document(work, language, [section(work, "1", "Words.")], title)
                for language, title in pairs
                if language
            ]
            known = installed()[work.jurisdiction].facts.abbreviations
            short = [name for name, meant in known.items() if meant == identifier]
            short += [title.removeprefix("alias ") for language, title in pairs if not language]
            opened.put(bundle(work, documents, abbreviations=short))
        yield opened


def read(text: str, store: EmbeddedStore) -> set[str]:
    packs = installed()
    found = citations_in(text, store, packs, jurisdictions=places_asked(text, packs))
    lacking = {
        f"case:{one.name}" if one.case else "/".join((f"?{one.name}", *map(str, one.path)))
        for one in found.not_held
        if one.work is None
    }
    return {*map(str, found.provisions)} | lacking


@pytest.mark.parametrize("table", TABLES)
def test_what_people_cite_is_read(store: EmbeddedStore, table: str) -> None:
    right = wrong = missed = 0
    misread = []
    for line in (FOLDER / f"{table}.tsv").read_text("utf-8").splitlines():
        text, _, cited = line.partition("\t")
        expected, found = {one for one in cited.split("; ") if one}, read(text, store)
        right += len(expected & found)
        wrong += len(found - expected)
        missed += len(expected - found)
        misread += [(text, sorted(found))] if found != expected else []
    assert right / (right + wrong) >= LEAST, misread
    assert right / (right + missed) >= LEAST, misread


def test_each_pack_has_two_hundred_cases() -> None:
    for code in installed().keys() - {"upload", "uploads"}:
        lines = [
            line
            for table in TABLES
            if table.startswith(f"{code}-")
            for line in (FOLDER / f"{table}.tsv").read_text("utf-8").splitlines()
        ]
        assert not lines or len(lines) >= 200, code
