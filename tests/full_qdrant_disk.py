"""Run by a test in a mount namespace of its own: a node of Qdrant on a small disk, until it is full."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from cluster_file import write_cluster_file
from making import simple
from postgres_server import PostgresServer
from pykala.law.filters import Filter
from pykala.models.hashing import HashingEmbedder
from pykala.stores.opening import open_store, open_writer
from pykala.stores.store import StoreFull
from qdrant_server import QdrantServer

EMBEDDER = HashingEmbedder(32)
_DISK = "400m"
_LEFT = 2**20  # bytes that stay free when somebody else's file fills the disk


def put(address: str, number: int) -> None:
    """Store a large act."""
    texts = [f"A tax, word{number}. " + f"word{number}n{n} " * 60 for n in range(400)]
    with open_writer(address, embedder=EMBEDDER) as writer:
        writer.put(simple(f"xx:act:{number}", *texts))


def works(address: str) -> list[str]:
    """The works of the published state, by their words and by their records."""
    with open_store(address, embedder=EMBEDDER) as reader:
        by_words = {str(match.work) for match in reader.match_text("tax", Filter(), 100_000)}
        assert by_words == {str(one) for one in reader.items().values()}
        return sorted(by_words)


def fill_up(disk: Path) -> Path:
    """Leave little room."""
    filler = disk / "filler"
    free = int(subprocess.check_output(["df", "--output=avail", "-B1", disk]).split()[-1])
    filler.write_bytes(bytes(max(free - _LEFT, 0)))
    return filler


def told(folder: Path) -> dict[str, object]:
    """What was published before the disk was full, what is read then, and what can be written later."""
    disk = folder / "qdrant" / "0" / "storage"  # the first node's; its log is elsewhere
    disk.mkdir(parents=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={_DISK}", "tmpfs", disk], check=True)
    with (
        PostgresServer.started(folder / "postgres") as server,
        QdrantServer.started(folder / "qdrant") as node,
    ):
        address = f"cluster:{write_cluster_file(folder / 'cluster', server.new_database(), node.addresses)}"
        put(address, 1)
        published = ["xx:act:1"]
        filler = fill_up(disk)
        message = ""
        for number in range(2, 100):
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
