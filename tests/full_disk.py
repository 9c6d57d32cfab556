"""Run by a test in a process, and on a small disk, of its own: store works until the disk is full."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from making import simple
from pykala.models.hashing import HashingEmbedder
from pykala.stores.embedded.store import EmbeddedStore
from pykala.stores.store import StoreFull


def fill(library: Path) -> None:
    with EmbeddedStore.open(library, writable=True, embedder=HashingEmbedder(32)) as store:
        store.put(simple("xx:act:1", "A tax on horses."))
        for number in range(2, 400):
            store.put(simple(f"xx:act:{number}", *[f"word{number}{n} " * 60 for n in range(60)]))


if __name__ == "__main__":
    disk, copy = map(Path, sys.argv[1:3])
    try:
        fill(disk / "library")
    except StoreFull as error:
        print(error)
    shutil.copytree(disk / "library", copy)
