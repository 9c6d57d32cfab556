"""A small library with every kind of index file, what it answers, and ways to damage it."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

from asked_embedder import AskedHashingEmbedder
from making import bundle, cites, document, section, simple
from pykala.law.filters import Filter
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import DefinedTerm
from pykala.stores.embedded.store import EmbeddedStore

ACT = WorkId("fi:act:1992/1535")
RATE = ProvisionId.parse("fi:act:1992/1535/sec_1")
WORDS = [
    ("Veron määrä", "Skattens belopp", "Vero on 34 prosenttia."),
    ("Kunnan vero", "Kommunens skatt", "Kunta perii veron."),
    ("Valtion vero", "Statens skatt", "Valtio perii veron."),
    ("Kunnan talous", "Kommunens ekonomi", "Kunta hoitaa talouttaan."),
    ("Valtion talous", "Statens ekonomi", "Valtio hoitaa talouttaan."),
    ("Talouden tarkastus", "Granskning av ekonomin", "Talous tarkastetaan."),
]


EMBEDDER = AskedHashingEmbedder(32)


def make_library(folder: Path) -> Path:
    with EmbeddedStore.open(folder, writable=True, embedder=EMBEDDER) as store:
        documents = []
        for side, language in enumerate(("fi", "sv")):
            sections = [
                section(ACT, str(number), words[2] if side == 0 else f"{words[1]}.", heading=words[side])
                for number, words in enumerate(WORDS, start=1)
            ]
            documents.append(document(ACT, language, sections, ("Tuloverolaki", "Skattelag")[side]))
        term = DefinedTerm("vero", "fi", RATE, ProvisionId(ACT))
        documents[0] = replace(documents[0], terms=(term,))
        citing = ProvisionId.parse("fi:act:2000/1/sec_1")
        with store.batch():
            store.put(bundle(ACT, documents, abbreviations=("TVL",)))
            store.put(simple("fi:act:2000/1", "Katso.", language="fi", references=[cites(citing, RATE)]))
            store.put(simple("fi:act:2000/2", "Tämä kumotaan.", language="fi"))
        store.delete(WorkId("fi:act:2000/2"))  # so that deletions are among the files
    settle(folder)
    return folder


def settle(folder: Path) -> None:
    """Bring everything from the log into the database, so that damage there is damage."""
    with sqlite3.connect(folder / "library.db") as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    without_log(folder)


def without_log(folder: Path) -> None:
    for suffix in ("-wal", "-shm"):
        (folder / f"library.db{suffix}").unlink(missing_ok=True)


def answers(folder: Path) -> dict[str, object]:
    """What a reader finds, by words, by meaning, by questions, in another language, by standing."""
    with EmbeddedStore.open(folder, embedder=EMBEDDER) as store:
        vector = EMBEDDER.encode(["vero kunta talous"], "query")[0]
        question = EMBEDDER.encode([f"question of {RATE}"], "query")[0]
        return {
            "text": store.match_text("vero talous kunta katso", Filter(), 20),
            "vector": store.match_vector(vector, Filter(), 20),
            "asked": store.match_asked(question, Filter(), 3),
            "translations": store.translations("kunnan talous", "fi", "sv"),
            "standing": store.standing(RATE),
        }


def flip(path: Path, at: int | None = None) -> None:
    """Turn one bit over, in the middle unless told."""
    data = bytearray(path.read_bytes())
    data[len(data) // 2 if at is None else at] ^= 0x10
    path.write_bytes(data)
