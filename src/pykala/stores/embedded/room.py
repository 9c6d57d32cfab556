"""Reserve disk space while records are committed, so that the indexes can follow.

Records are committed first. If the disk filled up right after, the indexes would be behind, and could not be
repaired until space is free. So the space that the indexes need is reserved first. If the disk lacks it, the
whole batch is refused, and readers keep the previously published state.
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
        if hasattr(os, "posix_fallocate"):  # other systems cannot reserve space without writing
            # Reserve twice the space: merging earlier segments takes some meanwhile.
            os.posix_fallocate(descriptor, 0, 2 * size + _BESIDE)
        yield lambda: os.ftruncate(descriptor, 0)
    finally:
        os.close(descriptor)
        path.unlink(missing_ok=True)
