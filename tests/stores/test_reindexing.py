"""Writing the indexes anew: what another embedder leaves as it is, and what reindexing must mend."""

from __future__ import annotations

from pathlib import Path

import pytest

from making import simple
from pykala.law.filters import Filter
from pykala.models.hashing import HashingEmbedder
from pykala.stores.embedded import indexing
from pykala.stores.embedded.database import connect, write_meta
from pykala.stores.embedded.store import EmbeddedStore
from pykala.stores.store import StoreIncompatible

ONE, OTHER = HashingEmbedder(16), HashingEmbedder(32)
WORKS = 30


@pytest.fixture
def library(tmp_path: Path) -> Path:
    with EmbeddedStore.open(tmp_path / "library", writable=True, embedder=ONE) as store, store.batch():
        for number in range(1, WORKS + 1):
            store.put(simple(f"xx:act:{number}", f"A tax on horses, {number}.", "A fee on ships."))
    return tmp_path / "library"


def found(folder: Path, embedder: HashingEmbedder | None) -> tuple[int, int]:
    """How much is found by words and by meaning."""
    with EmbeddedStore.open(folder, embedder=embedder) as store:
        by_words = store.match_text("horses", Filter(), 99)
        vector = embedder.encode(["horses"], "query")[0] if embedder else None
        by_meaning = store.match_vector(vector, Filter(), 99) if vector is not None else ()
        return len(by_words), len(by_meaning)


def segments(folder: Path) -> dict[str, int]:
    """The files of the text index that hold its words."""
    return {path.name: path.stat().st_ino for path in (folder / "text").glob("*/*.term")}


def test_another_embedder_leaves_the_text_index_as_it_is(library: Path) -> None:
    before = segments(library)
    EmbeddedStore.reindex(library, embedder=OTHER)
    assert segments(library) == before != {}
    assert found(library, OTHER) == (WORKS, 2 * WORKS)
    with pytest.raises(StoreIncompatible):
        EmbeddedStore.open(library, embedder=ONE)


def test_vectors_come_and_go(library: Path) -> None:
    EmbeddedStore.reindex(library)
    assert found(library, None) == (WORKS, 0)
    EmbeddedStore.reindex(library, embedder=OTHER)
    assert found(library, OTHER) == (WORKS, 2 * WORKS)


def test_another_analysis_writes_the_text_index_anew(library: Path) -> None:
    connection = connect(library, writable=True)
    write_meta(connection, {"analysis": "another"})
    connection.close()
    with pytest.raises(StoreIncompatible, match="another text analysis"):
        EmbeddedStore.open(library, embedder=ONE)
    before = segments(library)
    EmbeddedStore.reindex(library, embedder=ONE)
    assert not before.keys() & segments(library).keys()
    assert found(library, ONE) == (WORKS, 2 * WORKS)


def test_what_was_put_meanwhile_is_in_both_indexes(library: Path) -> None:
    EmbeddedStore.reindex(library, embedder=OTHER)
    with EmbeddedStore.open(library, writable=True, embedder=OTHER) as store:
        store.put(simple("xx:act:99", "More horses."))
    assert found(library, OTHER) == (WORKS + 1, 2 * WORKS + 1)


@pytest.mark.parametrize("kind", ["term", "idx"])
def test_damage_that_only_reading_finds_is_mended_at_opening(library: Path, kind: str) -> None:
    """The index opens and holds as many passages as it should: nothing but its checksums finds the damage."""
    for path in (library / indexing.TEXT_FOLDER).glob(f"*/*.{kind}"):
        data = bytearray(path.read_bytes())
        for at in range(len(data) // 2):
            data[at] ^= 0x5A
        path.write_bytes(data)
    assert found(library, ONE) == (WORKS, 2 * WORKS)
