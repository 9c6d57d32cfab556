"""A library whose copies are compared: works that came and went, a refusal, and an original of an upload."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from making import simple
from pykala.fetch.snapshots import Snapshots, unpack
from pykala.law.filters import Filter
from pykala.law.identifiers import WorkId
from pykala.models.embedder import Embedder
from pykala.models.hashing import HashingEmbedder
from pykala.stores.embedded.store import EmbeddedStore
from pykala.stores.originals import FolderOriginals
from pykala.stores.postgres.connection import PostgresConnection
from pykala.stores.postgres.originals import DatabaseOriginals
from pykala.stores.store import Store

EMBEDDER = HashingEmbedder(32)
CONTRACT = b"a contract"


class Cut(Exception):
    """The copy was cut off."""


def make_library(folder: Path, embedder: Embedder | None = EMBEDDER) -> Path:
    with EmbeddedStore.open(folder, writable=True, embedder=embedder) as store:
        for number in range(1, 7):
            store.put(simple(f"xx:act:{number}", f"A tax on horse {number}. See Act {number - 1}."))
        store.delete(WorkId("xx:act:2"))
        store.refuse("broken.xml", "f", (("broken.xml", "not XML"),))
    Snapshots(folder / "originals").put(CONTRACT)
    return folder


def originals(folder: Path) -> list[bytes]:
    """The files of uploads in the folder of a library."""
    held = FolderOriginals(folder / "originals")
    return [unpack(held.packed(sha256)) for sha256 in held.hashes()]


def originals_in_database(records: PostgresConnection) -> list[bytes]:
    """The files of uploads in a database."""
    held = DatabaseOriginals(records)
    return [unpack(held.packed(sha256)) for sha256 in held.hashes()]


def told(store: Store, digits: int = 12) -> tuple[object, ...]:
    """What a library tells its readers: its works, its searches, and its state; scores to so many digits."""
    vector = EMBEDDER.encode(["horse tax"], role="query")[0]
    searches = store.match_text("tax horse", Filter(), 20), store.match_vector(vector, Filter(), 20)
    return (
        [store.document(work.id, "en") for work in store.works()],
        *([replace(one, score=round(one.score, digits)) for one in found] for found in searches),
        store.fingerprints(),
        store.refusals(),
        store.generation(),
    )
