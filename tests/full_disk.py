"""Run by a test in a process, and on small disks, of its own: store works until a disk is full, then read."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from making import simple
from pykala.law.filters import Filter
from pykala.models.hashing import HashingEmbedder
from pykala.stores.embedded import indexing, rebuilding
from pykala.stores.embedded.store import EmbeddedStore
from pykala.stores.store import StoreError

EMBEDDER = HashingEmbedder(32)


def fill(library: Path, published: list[str]) -> None:
    """Store works until the disk is full; those that were stored are in the list."""
    with EmbeddedStore.open(library, writable=True, embedder=EMBEDDER) as store:
        store.put(simple("xx:act:1", "A tax on horses, word1."))
        published.append("1")
        for number in range(2, 400):
            texts = [f"word{number} " + f"word{number}{n} " * 60 for n in range(60)]
            store.put(simple(f"xx:act:{number}", *texts))
            published.append(str(number))


def fill_up(disk: Path) -> None:
    """Leave no byte free."""
    with suppress(OSError), (disk / "filler").open("wb", buffering=0) as file:
        while True:
            file.write(bytes(4096))


def put_and_die(library: Path) -> None:
    """Commit the records of a work, and end before the indexes have seen it."""
    EmbeddedStore._roll_back = lambda self: None  # type: ignore[method-assign]
    indexing.commit = lambda *_: os._exit(0)
    EmbeddedStore.open(library, writable=True, embedder=EMBEDDER).put(simple("xx:act:2", "Later, word2."))


def kill(disk: Path) -> dict[str, object]:
    """What a reader finds where a writer was killed half-way and the disk is full since."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", disk], check=True)
    library = disk / "library"
    with EmbeddedStore.open(library, writable=True, embedder=EMBEDDER) as store:
        store.put(simple("xx:act:1", "A tax on horses, word1."))
    subprocess.run([sys.executable, __file__, "die", str(library)], check=True)
    fill_up(disk)
    found = read_in_a_process(library)
    (disk / "filler").unlink()
    return {"found": found, "after": read_in_a_process(library)}


def closed(disk: Path) -> dict[str, object]:
    """What readers find on a full disk that no writer has left open, and, when there is room again, later."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", disk], check=True)
    library = disk / "library"
    with EmbeddedStore.open(library, writable=True, embedder=EMBEDDER) as store:
        store.put(simple("xx:act:1", "A tax on horses, word1."))
    for log in library.glob("library.db-*"):
        log.unlink()
    fill_up(disk)
    found = read_in_a_process(library)
    with EmbeddedStore.open(library, embedder=EMBEDDER) as reader:
        (disk / "filler").unlink()
        with EmbeddedStore.open(library, writable=True, embedder=EMBEDDER) as store:
            store.put(simple("xx:act:2", "Later, word2."))
        reader.refresh()
        later = [str(match.work) for match in reader.match_text("word2", Filter(), 3)]
    return {"found": found, "later": later}


def followed(disk: Path) -> dict[str, object]:
    """What a reader that is open finds while it catches up: on a full disk, mended elsewhere, with room."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", disk], check=True)
    library = disk / "library"
    with EmbeddedStore.open(library, writable=True, embedder=EMBEDDER) as store:
        store.put(simple("xx:act:1", "A tax on horses, word1."))
    with EmbeddedStore.open(library, embedder=EMBEDDER) as reader:
        subprocess.run([sys.executable, __file__, "die", str(library)], check=True)
        fill_up(disk)
        steps = []
        for _ in range(3):  # as often as questions come
            reader.catch_up()
            steps.append(words_found(reader))
        (disk / "filler").unlink()
        read_in_a_process(library)  # mends what the killed writer left
        reader.catch_up()
        return {"full": steps, "later": words_found(reader)}


def reindexed(disk: Path) -> dict[str, object]:
    """What a rebuilding of the indexes says on a full disk, and what it leaves."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", disk], check=True)
    library = disk / "library"
    with EmbeddedStore.open(library, writable=True, embedder=EMBEDDER) as store:
        store.put(simple("xx:act:1", "A tax on horses, word1."))
    fill_up(disk)
    told = []
    for room in (0, 64 * 1024):  # not even for SQLite's log; for the log, and not for an index
        os.truncate(disk / "filler", (disk / "filler").stat().st_size - room)
        try:
            EmbeddedStore.reindex(library, embedder=EMBEDDER, force=True)
        except StoreError as error:
            told.append(type(error).__name__)
    left = [path.name for path in library.iterdir() if path.name == rebuilding.FOLDER]
    return {"told": told, "found": read_in_a_process(library), "left": left}


def words_found(store: EmbeddedStore) -> list[str]:
    return [number for number in ("1", "2") if store.match_text(f"word{number}", Filter(), 1)]


def read(library: Path) -> list[str]:
    """The works that a reader finds by their words, by a process that comes to the full disk."""
    with EmbeddedStore.open(library, embedder=EMBEDDER) as store:
        works = [str(work.id).rpartition(":")[2] for work in store.works()]
        found = [number for number in works if store.match_text(f"word{number}", Filter(), 1)]
        return found if store.facts().get("indexes") != "behind" else [*found, "behind"]


def read_in_a_process(library: Path) -> list[str]:
    command = [sys.executable, __file__, "read", str(library)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    return json.loads(done.stdout) if done.returncode == 0 else [done.stderr.strip().splitlines()[-1]]


def run(disk: Path, kibibytes: int, copy: Path) -> dict[str, object]:
    """What was told, what was published, and what readers find: one that was there, and one that comes."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={kibibytes}k", "tmpfs", disk], check=True)
    library, published, told = disk / "library", list[str](), ""
    try:
        try:
            fill(library, published)
        except StoreError as error:
            told = str(error)
        fill_up(disk)
        found = read_in_a_process(library)
        shutil.copytree(library, copy / str(kibibytes))
        return {"told": told, "published": published, "found": found}
    finally:
        subprocess.run(["umount", "--lazy", disk], check=True)


if __name__ == "__main__":
    if sys.argv[1] == "read":
        print(json.dumps(read(Path(sys.argv[2]))))
    elif sys.argv[1] == "die":
        put_and_die(Path(sys.argv[2]))
    elif sys.argv[1] == "closed":
        print(json.dumps(closed(Path(sys.argv[2]))))
    elif sys.argv[1] == "followed":
        print(json.dumps(followed(Path(sys.argv[2]))))
    elif sys.argv[1] == "reindexed":
        print(json.dumps(reindexed(Path(sys.argv[2]))))
    elif sys.argv[1] == "killed":
        print(json.dumps(kill(Path(sys.argv[2]))))
    else:
        small, kept = map(Path, sys.argv[1:3])
        print(json.dumps({size: run(small, int(size), kept) for size in sys.argv[3:]}))
