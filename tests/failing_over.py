"""Run by the test of a primary that is killed, in a process of its own: ingest a folder, publishing often.

python failing_over.py CODE SOURCE LIBRARY
"""

from __future__ import annotations

import sys
from pathlib import Path

import pykala.ingest
from pykala.fetch.mirror import open_mirror
from pykala.stores.opening import open_writer
from pykala.stores.postgres.store import PostgresStore
from pykala.stores.store import StoreError
from writing_aside import EMBEDDER, Place

if __name__ == "__main__":
    code, source, address = sys.argv[1:]
    pykala.ingest._PUBLISH_AFTER = 5
    publish = PostgresStore._publish

    def published(store: PostgresStore, **how: bool) -> None:
        publish(store, **how)
        print(f"published {len(store.items())}", flush=True)  # only after the commit was acknowledged

    PostgresStore._publish = published  # type: ignore[method-assign, assignment]
    try:
        with open_writer(address, embedder=EMBEDDER) as store, open_mirror(Path(source)) as mirror:
            pykala.ingest.ingest(store, Place(code), mirror)
    except StoreError as error:
        sys.exit(f"StoreError: {error}")
    print("whole", flush=True)
