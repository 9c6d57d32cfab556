"""Run by the kill test in a process of its own: ingest a folder, publishing often."""

from __future__ import annotations

import sys
from pathlib import Path

import pykala.ingest
from plain_pack import pack
from pykala.fetch.mirror import open_mirror
from pykala.models.hashing import HashingEmbedder
from pykala.stores.embedded.store import EmbeddedStore

if __name__ == "__main__":
    source, library = map(Path, sys.argv[1:3])
    pykala.ingest._PUBLISH_AFTER = 12
    print("started", flush=True)
    with (
        EmbeddedStore.open(library, writable=True, embedder=HashingEmbedder(32)) as store,
        open_mirror(source) as mirror,
    ):
        pykala.ingest.ingest(store, pack, mirror)
