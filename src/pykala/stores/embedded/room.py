"""Reserve disk space while records are committed, so that the indexes can follow.

Records are committed first. If the disk filled up right after, the indexes would be behind, and nobody could
mend them until there is room. So the room that the indexes need is taken before, and where the disk does not
have it, the whole batch is refused: readers keep the state that was published before.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from pykala.fetch.descriptors import CLOSE_ON_EXEC

FILE: Final = "room.reserved"
_BESIDE: Final = 2**18  # bytes: headers, lists of segments, the facts of the library


@contextmanager
def reserved(folder: Path, size: int) -> Iterator[Callable[[], None]]:
    """Reserve disk space until the returned function is called; OSError where there is not enough."""
    path = folder / FILE
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | CLOSE_ON_EXEC, 0o666)
    try:
        if hasattr(os, "posix_fallocate"):  # elsewhere nothing takes up room without writing it
            # Twice: the merging of earlier segments takes some meanwhile.
            os.posix_fallocate(descriptor, 0, 2 * size + _BESIDE)
        yield lambda: os.ftruncate(descriptor, 0)
    finally:
        os.close(descriptor)
        path.unlink(missing_ok=True)
