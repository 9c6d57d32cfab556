"""Run by a test in a mount namespace of its own: PostgreSQL on a small disk, written to until it is full."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from making import simple
from postgres_server import PostgresServer
from pykala.law.filters import Filter
from pykala.models.hashing import HashingEmbedder
from pykala.stores.opening import open_store, open_writer
from pykala.stores.store import StoreFull

EMBEDDER = HashingEmbedder(32)
_DISK = "24m"
_FILLER = 10 * 2**20  # bytes of somebody else's, removed later: half of the room, so that it is soon full


def put(address: str, number: int) -> None:
    """Store a large act."""
    texts = [f"A tax, word{number}. " + f"word{number}n{n} " * 60 for n in range(400)]
    with open_writer(address, embedder=EMBEDDER) as writer:
        writer.put(simple(f"xx:act:{number}", *texts))


def works(address: str) -> list[str]:
    """The works of the state that is published, by their words and by their records."""
    with open_store(address, embedder=EMBEDDER) as reader:
        by_words = {str(match.work) for match in reader.match_text("tax", Filter(), 100_000)}
        assert by_words == {str(one) for one in reader.items().values()}
        return sorted(by_words)


def told(folder: Path) -> dict[str, object]:
    """What was published before the disk was full, what is read then, and what can be written later."""
    disk = folder / "small"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={_DISK}", "tmpfs", disk], check=True)
    filler = disk / "filler"
    filler.write_bytes(bytes(_FILLER))
    (disk / "tables").mkdir()
    with PostgresServer.started(folder / "postgres") as server:
        server.execute(f"CREATE TABLESPACE small LOCATION '{disk / 'tables'}'")
        server.execute("CREATE DATABASE law TEMPLATE template0 TABLESPACE small")
        address = f"{server.url('law')}?index_folder={folder / 'indexes'}"
        published: list[str] = []
        message = ""
        for number in range(100):
            try:
                put(address, number)
            except StoreFull as error:
                message = str(error)
                break
            published.append(f"xx:act:{number}")
        read = works(address)
        filler.unlink()
        put(address, 1000)
        return {"published": sorted(published), "read": read, "message": message, "later": works(address)}


if __name__ == "__main__":
    print(json.dumps(told(Path(sys.argv[1]))))
