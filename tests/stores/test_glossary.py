"""The glossary: learned from works in two languages, kept beside the records, never in anyone's way."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from making import bundle, document, section, simple
from pykala.law.bundles import Bundle
from pykala.law.filters import Filter
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import DefinedTerm, Pairing
from pykala.stores.embedded import glossary
from pykala.stores.embedded.integrity import MANIFEST
from pykala.stores.embedded.store import EmbeddedStore

HEADINGS = [
    ("Kunnan tehtävät", "Kommunens uppgifter"),
    ("Kunnan talous", "Kommunens ekonomi"),
    ("Valtion tehtävät", "Statens uppgifter"),
    ("Valtion talous", "Statens ekonomi"),
    ("Talouden tarkastus", "Granskning av ekonomin"),
    ("Hallinnon tarkastus", "Granskning av förvaltningen"),
    ("Kunnan hallinto", "Kommunens förvaltning"),
    ("Käsittely valtuustossa", "Behandling i fullmäktige"),
    ("Asian käsittely", "Behandling av ett ärende"),
    ("Avustuksen hakeminen", "Ansökan om bidrag"),
    ("Valtion avustus", "Statens bidrag"),
    ("Asuntojen rakentaminen", "Byggande av en bostad"),
    ("Kunnan asunnot", "Kommunens bostad"),
]


def bilingual(
    identifier: str,
    pairs: Sequence[tuple[str, str]] = HEADINGS,
    titles: tuple[str, str] = ("Laki julkisista hankinnoista", "Lag om offentlig upphandling"),
    terms: tuple[str, str] | None = ("yhteinen hankinta", "gemensam upphandling"),
) -> Bundle:
    """An act in Finnish and Swedish, whose first section defines a term."""
    work = WorkId(identifier)
    documents = []
    for side, language in enumerate(("fi", "sv")):
        sections = [
            section(work, str(number), f"{texts[side]}.", heading=texts[side])
            for number, texts in enumerate(pairs, start=1)
        ]
        made = document(work, language, sections, titles[side])
        here = ProvisionId.parse(f"{identifier}/sec_1")
        defined = (DefinedTerm(terms[side], language, here, ProvisionId(work)),) if terms else ()
        documents.append(replace(made, terms=defined))
    return bundle(work, documents)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("glossary") / "library"
    with EmbeddedStore.open(folder, writable=True) as store:
        store.put(bilingual("fi:act:2000/1"))
    return folder


@pytest.fixture
def library(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "library"))


def translated(folder: Path, text: str, language: str = "sv", into: str = "fi") -> dict[str, float]:
    with EmbeddedStore.open(folder) as store:
        return dict(store.translations(text, language, into))


@pytest.mark.parametrize(
    ("text", "language", "into", "best"),
    [
        ("kommunerna", "sv", "fi", {"kunta"}),  # another inflection than any that was paired
        ("Vad gör staten?", "sv", "fi", {"valtio"}),
        ("kunnissa", "fi", "sv", {"kommun"}),
        ("forvaltningen", "sv", "fi", {"hallinto"}),  # typed without its diacritics
        ("bostadsbidrag", "sv", "fi", {"asunto", "avustus"}),  # a compound that nobody has paired
        ("asuntoavustus", "fi", "sv", {"bost", "bidrag"}),
        ("en gemensam upphandling", "sv", "fi", {"yhteinen", "hankinta"}),  # a defined term
        ("lagen om offentlig upphandling", "sv", "fi", {"laki", "hankinta"}),  # a title
        ("xylofon", "sv", "fi", set()),
        ("och att som", "sv", "fi", set()),
        ("", "sv", "fi", set()),
        ("kommun", "sv", "en", set()),  # nothing is held in both
        ("commune", "xx", "fi", set()),
    ],
)
def test_a_question_in_the_words_of_the_law(
    made: Path, text: str, language: str, into: str, best: set[str]
) -> None:
    found = translated(made, text, language, into)
    heaviest = {term for term, weight in found.items() if weight >= 0.5 * max(found.values())}
    assert best <= heaviest
    assert bool(found) == bool(best)
    assert all(0 < weight <= 1 for weight in found.values())


def test_a_swedish_question_finds_the_finnish_section(made: Path) -> None:
    with EmbeddedStore.open(made) as store:
        terms = store.translations("Vem granskar ekonomin?", "sv", "fi")
        finnish = store.match_terms(terms, "fi", Filter(languages=frozenset({"fi"})), 3)
        assert str(finnish[0].section) == "fi:act:2000/1/sec_5"
        assert not store.match_text("Vem granskar ekonomin?", Filter(languages=frozenset({"fi"})), 3)


def test_places_that_differ_are_paired_by_their_pairing(tmp_path: Path) -> None:
    put = bilingual("fi:act:2000/1", [("Kunta", "Stat"), ("Valtio", "Kommun")], terms=None)
    first, second = (ProvisionId.parse(f"fi:act:2000/1/sec_{number}") for number in (1, 2))
    crossed = (
        Pairing(first, "fi", second, "sv", 1.0, "order"),
        Pairing(second, "fi", first, "sv", 1.0, "order"),
    )
    with EmbeddedStore.open(tmp_path / "library", writable=True) as store:
        store.put(replace(put, pairings=crossed))
    found = translated(tmp_path / "library", "kommun")
    assert max(found, key=lambda term: found[term]) == "kunta"


DAMAGES = {
    "missing": lambda path: path.unlink(),
    "empty": lambda path: path.write_bytes(b""),
    "garbage": lambda path: path.write_bytes(b"not a database " * 500),
    "cut off": lambda path: path.write_bytes(path.read_bytes()[:5000]),
    "a folder": lambda path: (path.unlink(), path.mkdir()),
    "of another analysis": lambda path: _tell(path, "analysis", "another"),
    "of another format": lambda path: _tell(path, "format", "0"),
    "without its table": lambda path: _execute(path, "DROP TABLE entries"),
}


def _tell(path: Path, key: str, value: str) -> None:
    _execute(path, f"UPDATE meta SET value = '{value}' WHERE key = '{key}'")


def _execute(path: Path, statement: str) -> None:
    connection = sqlite3.connect(path)
    connection.execute(statement)
    connection.commit()
    connection.close()


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_what_cannot_be_read_and_has_no_checksum_is_no_help_and_no_error(library: Path, damage) -> None:  # type: ignore[no-untyped-def]
    (library / MANIFEST).unlink()
    damage(library / glossary.FILE)
    with EmbeddedStore.open(library) as store:
        assert dict(store.translations("kommunens 124 §", "sv", "fi")).keys() <= {"124", "124§"}
        assert store.translations("kommunens", "sv", "fi") == {}


@pytest.mark.parametrize("damage", ["missing", "garbage", "cut off", "of another format"])
def test_what_is_damaged_is_learned_anew_at_opening(library: Path, damage: str) -> None:
    DAMAGES[damage](library / glossary.FILE)
    assert "kunta" in translated(library, "kommun")


@pytest.mark.parametrize("damage", [one for name, one in DAMAGES.items() if name != "a folder"])
def test_reindexing_makes_it_anew(library: Path, damage) -> None:  # type: ignore[no-untyped-def]
    damage(library / glossary.FILE)
    EmbeddedStore.reindex(library)
    assert "kunta" in translated(library, "kommun")


@pytest.mark.parametrize("name", ["missing", "garbage", "of another analysis", "of another format"])
def test_the_next_writer_makes_it_anew(library: Path, name: str) -> None:
    DAMAGES[name](library / glossary.FILE)
    EmbeddedStore.open(library, writable=True).close()
    assert "kunta" in translated(library, "kommun")


def test_a_folder_in_its_place_stops_no_writer(library: Path) -> None:
    DAMAGES["a folder"](library / glossary.FILE)
    with EmbeddedStore.open(library, writable=True) as store:
        store.put(simple("fi:act:2000/2", "Hevosista.", language="fi"))
    with EmbeddedStore.open(library) as store:
        assert store.match_text("hevosista", Filter(), 1)
    assert not (library / f"{glossary.FILE}.new").exists()


def test_it_is_learned_anew_when_enough_has_changed(library: Path) -> None:
    before = (library / glossary.FILE).stat().st_ino
    with EmbeddedStore.open(library, writable=True) as store, store.batch():
        for number in range(30):
            store.put(simple(f"fi:act:2001/{number + 1}", "Hevosista.", language="fi"))
    built = (library / glossary.FILE).stat().st_ino
    assert built != before
    generations = []
    with EmbeddedStore.open(library) as reader:
        generations.append(reader.generation())
        assert reader.translations("hästar", "sv", "fi") == {}
        with EmbeddedStore.open(library, writable=True) as store:
            store.put(
                bilingual("fi:act:2002/1", [("Hevoset", "Hästar"), ("Hevosten hoito", "Skötsel av hästar")])
            )
        assert (library / glossary.FILE).stat().st_ino == built, "one work of thirty is not enough"
        with EmbeddedStore.open(library, writable=True) as store, store.batch():
            for number in range(5):
                store.put(simple(f"fi:act:2003/{number + 1}", "Lehmistä.", language="fi"))
        assert reader.translations("hästar", "sv", "fi") == {}, "a reader keeps the state that it opened"
        reader.refresh()
        generations.append(reader.generation())
        assert "hevonen" in reader.translations("hästar", "sv", "fi")
    assert len(set(generations)) == 2


def test_learning_alone_changes_the_generation(library: Path) -> None:
    with EmbeddedStore.open(library, writable=True) as store:
        store.put(
            bilingual("fi:act:2002/1", [("Hevoset", "Hästar"), ("Hevosten hoito", "Skötsel av hästar")])
        )
        put = store.generation()
        assert store.translations("hästar", "sv", "fi") == {}
    with EmbeddedStore.open(library) as reader:
        assert "hevonen" in reader.translations("hästar", "sv", "fi")
        assert reader.generation() != put, "what was found before may be found no more"


def test_a_library_of_one_language_has_none(tmp_path: Path) -> None:
    with EmbeddedStore.open(tmp_path / "library", writable=True) as store:
        store.put(simple("fi:act:2000/1", "Hevosista.", language="fi"))
    assert not (tmp_path / "library" / glossary.FILE).exists()
    assert translated(tmp_path / "library", "häst") == {}


def test_what_was_deleted_is_forgotten(library: Path) -> None:
    with EmbeddedStore.open(library, writable=True) as store:
        store.delete(WorkId("fi:act:2000/1"))
    assert translated(library, "kommun") == {}


def test_the_same_records_give_the_same_glossary(made: Path, library: Path) -> None:
    EmbeddedStore.reindex(library)

    def entries(folder: Path) -> list[tuple[object, ...]]:
        connection = sqlite3.connect(folder / glossary.FILE)
        found = connection.execute("SELECT * FROM entries ORDER BY 1, 2, 3, 4").fetchall()
        connection.close()
        return found

    assert entries(made) == entries(library) != []
