"""Run by the kill test in a process of its own: ingest a folder again and again, publishing often.

    python killed_ingest.py SOURCE      # then a line for each ingest: SECONDS LIBRARY

Every ingest is a process of its own, killed after so many seconds; 0 are as many as any ingest needs. It is
forked from one that has imported all and done nothing: Python takes longer to start than an ingest takes. A
line tells how long the ingest took; -1 where it was killed.
"""

from __future__ import annotations

import os
import select
import signal
import sys
from pathlib import Path
from time import perf_counter

import pykala.ingest
from plain_pack import pack
from pykala.fetch.mirror import open_mirror
from pykala.models.hashing import HashingEmbedder
from pykala.stores.embedded.store import EmbeddedStore

_LONG = 120.0  # seconds


def run_and_kill(source: Path, library: Path, after: float) -> float:
    """Run an ingest; killed after so many seconds it gives -1, else the seconds it took."""
    ended, held = os.pipe()  # the process holds the only other end: when it ends, this one is readable
    process = os.fork()
    if not process:
        os._exit(_ingest(source, library))
    os.close(held)
    started = perf_counter()
    if not select.select([ended], [], [], after or _LONG)[0]:
        os.kill(process, signal.SIGKILL)
    status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    os.close(ended)
    if status == -signal.SIGKILL:
        return -1
    assert status == 0
    return perf_counter() - started


def _ingest(source: Path, library: Path) -> int:
    try:
        with (
            EmbeddedStore.open(library, writable=True, embedder=HashingEmbedder(32)) as store,
            open_mirror(source) as mirror,
        ):
            pykala.ingest.ingest(store, pack, mirror)
    except BaseException:
        sys.excepthook(*sys.exc_info())
        return 1
    return 0


if __name__ == "__main__":
    pykala.ingest._PUBLISH_AFTER = 6
    for line in sys.stdin:
        seconds, _, name = line.rstrip("\n").partition(" ")
        print(run_and_kill(Path(sys.argv[1]), Path(name), float(seconds)), flush=True)
