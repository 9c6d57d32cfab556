"""What only the embedded store promises: one folder that survives kills, damage and full disks."""

from __future__ import annotations

import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from making import simple
from plain_pack import pack
from pykala.fetch.mirror import open_mirror
from pykala.ingest import ingest
from pykala.law.filters import Filter
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.models.embedder import Role
from pykala.models.hashing import HashingEmbedder
from pykala.stores.embedded.store import EmbeddedStore
from pykala.stores.store import (
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreIncompatible,
    StoreLocked,
)

EMBEDDER = HashingEmbedder(32)
QUERIES = ("tax on horses", "despite the duty", "minister", "section", "fee licence export")


def contents(store: EmbeddedStore) -> dict[str, object]:
    """Everything a reader can see, in terms that do not depend on internal numbers."""
    works = list(store.works())
    provisions = [
        node.id
        for work in works
        for language in store.languages()
        for node in store.document(work.id, language).root.walk()
    ]
    stats = store.stats()
    return {
        "works": works,
        "documents": [store.document(work.id, language) for work in works for language in store.languages()],
        "edges": [store.edges([provision]) for provision in provisions],
        "unresolved": [store.unresolved([provision]) for provision in provisions],
        "fingerprints": store.fingerprints(),
        "counts": (
            stats.provisions,
            stats.passages,
            stats.children,
            stats.vectors,
            stats.edges,
            stats.unresolved,
        ),
        "text": [seen(store.match_text(query, Filter(), 30)) for query in QUERIES],
        "vector": [
            seen(store.match_vector(EMBEDDER.encode([query], "query")[0], Filter(), 30)) for query in QUERIES
        ],
    }


def seen(matches) -> list[tuple[float, str, str]]:  # type: ignore[no-untyped-def]
    return sorted((round(match.score, 4), str(match.provision), match.text) for match in matches)


def write_source(folder: Path, acts: int) -> Path:
    words = ["tax", "horse", "duty", "fee", "licence", "export", "minister", "report", "offence", "bridge"]
    chance = random.Random(7)
    folder.mkdir()
    for number in range(acts):
        lines = [f"Act {number}"]
        for _ in range(chance.randint(1, 9)):
            text = " ".join(chance.choices(words, k=12))
            lines.append(f"Despite § {chance.randint(1, 9)} of act {chance.randint(0, acts + 3)}, {text}.")
        (folder / f"{number}.txt").write_text("\n".join(lines) if number % 17 else "", "utf-8")
    return folder


def ingest_whole(source: Path, library: Path) -> dict[str, object]:
    with (
        EmbeddedStore.open(library, writable=True, embedder=EMBEDDER) as store,
        open_mirror(source) as mirror,
    ):
        ingest(store, pack, mirror)
    with EmbeddedStore.open(library, embedder=EMBEDDER) as store:
        return contents(store)


def test_a_kill_at_any_moment_loses_nothing(tmp_path: Path) -> None:
    source = write_source(tmp_path / "source", 30)
    clean = ingest_whole(source, tmp_path / "clean")
    moments = random.Random(20)
    with _killing(source) as run_and_kill:
        whole = run_and_kill(tmp_path / "timed", 0)
        assert whole > 0
        kills = attempts = 0
        while kills < 20:
            attempts += 1
            assert attempts < 60, "the ingest ends before it can be killed"
            library = tmp_path / f"killed-{attempts}"
            kills += run_and_kill(library, moments.random() * whole * 0.9) < 0
            if (library / "library.db").exists():
                with EmbeddedStore.open(library, embedder=EMBEDDER) as reader:  # readable as it was left
                    list(reader.works())
            assert ingest_whole(source, library) == clean, f"attempt {attempts}"
            shutil.rmtree(library)


@contextmanager
def _killing(source: Path) -> Iterator[Callable[[Path, float], float]]:
    """Runs ingests in processes of their own; see `killed_ingest.py`."""
    script = Path(__file__).parents[1] / "killed_ingest.py"
    command = [sys.executable, str(script), str(source)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:

        def run_and_kill(library: Path, after: float) -> float:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(f"{after} {library}\n")
            process.stdin.flush()
            return float(process.stdout.readline())

        yield run_and_kill


@pytest.fixture
def library(tmp_path: Path) -> Path:
    folder = tmp_path / "library"
    with EmbeddedStore.open(folder, writable=True, embedder=EMBEDDER) as store:
        store.put(simple("xx:act:1", "A tax on horses.", "A duty of the minister."))
    return folder


def texts(store: EmbeddedStore, query: str = "tax duty") -> set[str]:
    return {match.text for match in store.match_text(query, Filter(), 10)}


def test_a_second_writer_is_told_who_is_writing(library: Path) -> None:
    with (
        EmbeddedStore.open(library, writable=True, embedder=EMBEDDER),
        pytest.raises(StoreLocked, match=f"pid {os.getpid()}"),
    ):
        EmbeddedStore.open(library, writable=True, embedder=EMBEDDER)
    EmbeddedStore.open(library, writable=True, embedder=EMBEDDER).close()


def test_a_reader_keeps_its_state_until_it_asks_for_the_next(library: Path) -> None:
    with EmbeddedStore.open(library, embedder=EMBEDDER) as reader:
        before = contents(reader)
        with EmbeddedStore.open(library, writable=True, embedder=EMBEDDER) as writer:
            writer.put(simple("xx:act:2", "A fee and a tax."))
            writer.put(simple("xx:act:1", "A tax on carriages."))
            assert contents(reader) == before
            with EmbeddedStore.open(library, embedder=EMBEDDER) as second:
                assert texts(second) == {"A fee and a tax.", "A tax on carriages."}
            with writer.batch():
                writer.delete(WorkId("xx:act:2"))
                with EmbeddedStore.open(library, embedder=EMBEDDER) as third:
                    assert texts(third) == {"A fee and a tax.", "A tax on carriages."}
        assert contents(reader) == before
        reader.refresh()
        assert texts(reader) == {"A tax on carriages."}


def test_a_reader_cannot_write(library: Path) -> None:
    with (
        EmbeddedStore.open(library, embedder=EMBEDDER) as reader,
        pytest.raises(StoreError, match="for reading"),
    ):
        reader.put(simple("xx:act:9", "No."))


def test_no_library_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="pykala ingest"):
        EmbeddedStore.open(tmp_path / "nowhere")


def test_another_schema_is_refused(library: Path) -> None:
    with sqlite3.connect(library / "library.db") as connection:
        connection.execute("UPDATE meta SET value = '999' WHERE key = 'schema'")
    connection.close()
    for writable in (False, True):
        with pytest.raises(StoreIncompatible, match="schema 999"):
            EmbeddedStore.open(library, writable=writable, embedder=EMBEDDER)


def test_another_embedder_is_refused_until_reindexed(library: Path) -> None:
    other = HashingEmbedder(48)
    for writable in (False, True):
        with pytest.raises(StoreIncompatible, match="pykala reindex"):
            EmbeddedStore.open(library, writable=writable, embedder=other)
    with pytest.raises(StoreIncompatible, match="reindex"):
        EmbeddedStore.open(library, writable=True)
    with EmbeddedStore.open(library) as words_only:
        assert texts(words_only) == {"A tax on horses.", "A duty of the minister."}
    EmbeddedStore.reindex(library, embedder=other)
    with EmbeddedStore.open(library, embedder=other) as store:
        vector = other.encode(["duty of the minister"], "query")[0]
        assert store.match_vector(vector, Filter(), 1)[0].text == "A duty of the minister."


class EditionEmbedder(HashingEmbedder):
    """Reads documents and questions apart; counts the documents that it reads."""

    def __init__(self, questions: str, documents: str) -> None:
        super().__init__(32)
        self.questions, self.documents, self.read = questions, documents, 0

    @property
    def fingerprint(self) -> str:
        return f"{super().fingerprint}-{self.questions}-{self.documents}"

    @property
    def documents_fingerprint(self) -> str:
        return self.documents

    def encode(self, texts: Sequence[str], role: Role) -> NDArray[np.float32]:
        self.read += len(texts) if role == "document" else 0
        return super().encode(texts, role)


def test_vectors_stay_where_another_embedder_reads_documents_alike(tmp_path: Path) -> None:
    first = EditionEmbedder("1", "a")
    with EmbeddedStore.open(tmp_path, writable=True, embedder=first) as store:
        store.put(simple("fi:act:1992/1535", "A tax on horses."))
    assert first.read == 1
    for other, reads, force in (
        (EditionEmbedder("2", "a"), 0, False),  # only questions are read otherwise
        (EditionEmbedder("2", "b"), 1, False),
        (EditionEmbedder("2", "b"), 0, False),  # the library's own, and the vectors are whole
        (EditionEmbedder("2", "b"), 1, True),
    ):
        EmbeddedStore.reindex(tmp_path, embedder=other, force=force)
        assert other.read - 1 == reads, "one document is read to see whether the embedder works"
        with EmbeddedStore.open(tmp_path, embedder=other) as store:
            vector = other.encode(["horses"], "query")[0]
            assert store.match_vector(vector, Filter(), 1)[0].text == "A tax on horses."


@pytest.mark.parametrize(
    ("held", "name", "message"),
    [
        # Another edition of the same embedder: the name alone would say that it is not itself.
        (
            "hashing-32-0123456789abcdef",
            "hashing-32",
            r"are of hashing-32 \(01234567\), not of hashing-32 \(",
        ),
        ("small-0123456789abcdef-2", "small", r"are of small \(01234567-2\), not of hashing-32 \("),
        ("", "", r"are of no embedder, not of hashing-32 \("),
    ],
)
def test_a_refusal_tells_two_editions_of_an_embedder_apart(
    library: Path, held: str, name: str, message: str
) -> None:
    with sqlite3.connect(library / "library.db") as connection:
        connection.execute("UPDATE meta SET value = ? WHERE key = 'embedder'", (held,))
        connection.execute("UPDATE meta SET value = ? WHERE key = 'embedder_name'", (name,))
    connection.close()
    with pytest.raises(StoreIncompatible, match=f"{message}en-.*pykala reindex"):
        EmbeddedStore.open(library, embedder=EMBEDDER)


@pytest.mark.parametrize("index", ["text", "vectors"])
@pytest.mark.parametrize("how", ["missing", "garbage", "truncated"])
def test_a_damaged_index_is_written_anew_from_the_records(library: Path, index: str, how: str) -> None:
    with EmbeddedStore.open(library, embedder=EMBEDDER) as store:
        before = contents(store)
    for path in sorted((library / index).rglob("*")):
        if path.is_file() and not path.name.startswith("."):
            if how == "missing":
                path.unlink()
            elif how == "garbage":
                path.write_bytes(os.urandom(len(path.read_bytes()) or 10))
            else:
                path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with EmbeddedStore.open(library, embedder=EMBEDDER) as store:
        assert contents(store) == before


def test_damaged_records_are_a_clear_error(library: Path) -> None:
    database = library / "library.db"
    database.write_bytes(b"not a database at all" * 1000)
    for suffix in ("-wal", "-shm"):
        database.with_name(database.name + suffix).unlink(missing_ok=True)
    with pytest.raises(StoreDamaged, match=r"library\.db"):
        EmbeddedStore.open(library, embedder=EMBEDDER)


def test_a_full_disk_keeps_what_was_stored(library: Path) -> None:
    with EmbeddedStore.open(library, embedder=EMBEDDER) as store:
        before = contents(store)
    with EmbeddedStore.open(library, writable=True, embedder=EMBEDDER) as store:
        pages = store._connection.execute("PRAGMA page_count").fetchone()[0]
        store._connection.execute(f"PRAGMA max_page_count = {pages + 3}")
        with pytest.raises(StoreFull, match="Free some space"):
            store.put(simple("xx:act:2", *[f"A long text {n} " + "word " * 4000 for n in range(40)]))
        assert contents(store) == before
        store._connection.execute("PRAGMA max_page_count = 1073741823")
        store.put(simple("xx:act:2", "A tax after all."))
    with EmbeddedStore.open(library, embedder=EMBEDDER) as store:
        assert "A tax after all." in texts(store)


def test_a_full_disk_under_the_indexes_keeps_what_was_stored(tmp_path: Path) -> None:
    """At every size at which the disk fills up, a reader that comes then finds all that was published."""
    copies = tmp_path / "copies"
    copies.mkdir()
    sizes = [str(kibibytes) for kibibytes in range(1700, 2700, 170)]
    for size, end in on_a_small_disk(tmp_path, str(copies), *sizes).items():
        assert "Free some space" in end["told"], size
        assert end["found"] == end["published"] != [], size
        with EmbeddedStore.open(copies / size, embedder=EMBEDDER) as store:
            assert "A tax on horses, word1." in texts(store)
            held = {str(work.id) for work in store.works()}
            assert len(held) == len(end["published"])
            for work in held:
                assert store.provision(ProvisionId(WorkId(work))).work.id == WorkId(work)


def test_a_kill_and_then_a_full_disk_leave_readers_what_was_indexed(tmp_path: Path) -> None:
    end = on_a_small_disk(tmp_path, first="killed")
    assert end == {"found": ["1", "behind"], "after": ["1", "2"]}


def test_a_reader_comes_to_a_full_disk_without_a_log_and_moves_on_later(tmp_path: Path) -> None:
    assert on_a_small_disk(tmp_path, first="closed") == {"found": ["1"], "later": ["xx:act:2"]}


def test_a_reader_that_catches_up_on_a_full_disk_keeps_its_state_and_moves_on_later(tmp_path: Path) -> None:
    assert on_a_small_disk(tmp_path, first="followed") == {"full": [["1"]] * 3, "later": ["1", "2"]}


def test_a_full_disk_under_a_rebuilding_is_told_as_such_and_nothing_is_left_of_it(tmp_path: Path) -> None:
    end = on_a_small_disk(tmp_path, first="reindexed")
    assert end == {"told": ["StoreFull", "StoreFull"], "found": ["1"], "left": []}


def on_a_small_disk(tmp_path: Path, *arguments: str, first: str = "") -> dict[str, Any]:
    """What `full_disk.py` tells, run in a mount namespace of its own: its disks are gone with the process."""
    disk = tmp_path / "small"
    disk.mkdir()
    private = ["unshare", "--mount", "--propagation", "private"]
    if not shutil.which("unshare") or subprocess.run([*private, "true"], capture_output=True).returncode:
        pytest.skip(
            "a small disk cannot be mounted here (needs root); the records' own limit is tested above"
        )
    script = Path(__file__).parents[1] / "full_disk.py"
    named = [first] if first else []
    command = [*private, sys.executable, str(script), *named, str(disk), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def test_a_library_that_cannot_be_written_to_can_be_read(library: Path) -> None:
    (library / "publish.lock").unlink(missing_ok=True)
    modes = {path: path.stat().st_mode for path in [library, *library.rglob("*")]}
    try:
        for path in modes:
            path.chmod(0o555 if path.is_dir() else 0o444)
        with EmbeddedStore.open(library, embedder=EMBEDDER) as store:
            assert texts(store) == {"A tax on horses.", "A duty of the minister."}
    finally:
        for path, mode in modes.items():
            path.chmod(mode)
