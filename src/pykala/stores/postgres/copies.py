"""This machine's copies of index files that lie elsewhere, in S3 or in a database, and when they go.

    CACHE/indexes/<library>/generations/00000012      of a library whose index files are in S3
    CACHE/databases/<library>/generations/00000012    small files of an index that is in the database

A copy is needed while its state is read. What was erased must not stay in it, so a reader that looks for a
newer state also tidies, every ten seconds at most: copies of erased matters go at once, those of earlier
states ten minutes after the next one came, and those of other libraries and matters a day after their last
use. They are made anew where they are needed again.
"""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from platformdirs import user_cache_path

EVERY: Final = 10.0  # seconds between two looks of a reader
#: Seconds that an earlier state stays: a question under way may not have opened all of its files yet.
REPLACED: Final = 600.0
UNUSED: Final = 86_400.0  # seconds that the copies of another library stay after their last use
_LIBRARY: Final = re.compile("[0-9a-f]{16}")


def copies_in_cache() -> tuple[Path, Path]:
    """Where copies are by default: of index files in S3, and of the small files of a database."""
    return user_cache_path("pykala") / "indexes", user_cache_path("pykala") / "databases"


def tidy(root: Path, current: int, erased: Collection[str]) -> None:
    """Remove copies that are not needed by a reader of the library in `root`, in state `current`."""
    generations = root / "generations"
    with suppress(OSError):
        os.utime(root)  # used now
        if time.time() - (generations / f"{current:08d}").stat().st_mtime > REPLACED:
            for path in generations.iterdir():
                if path.name.isdigit() and int(path.name) < current:
                    shutil.rmtree(path, ignore_errors=True)
    for other in _others(root):
        if other.name in erased:
            shutil.rmtree(other, ignore_errors=True)
        elif _last_used(other) < time.time() - UNUSED:
            shutil.rmtree(other / "generations", ignore_errors=True)  # what was learned of a library stays


def _others(root: Path) -> Iterator[Path]:
    """The copies of other libraries on this machine."""
    for place in {root.parent, *copies_in_cache()}:
        with suppress(OSError):
            for path in place.iterdir():
                # A folder that the user named may hold something else.
                if path != root and _LIBRARY.fullmatch(path.name) and (path / "generations").is_dir():
                    yield path


def _last_used(folder: Path) -> float:
    with suppress(OSError):
        return folder.stat().st_mtime
    return time.time()
