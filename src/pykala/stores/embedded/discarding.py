"""Removing what lies at a path, whatever it is: where an index should be, there may be a file or a link."""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path


def discard(path: Path) -> None:
    """Remove a folder with all that is in it, a file, or a link but not what it leads to."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            path.unlink(missing_ok=True)


def is_in_the_way(path: Path) -> bool:
    """Whether something lies where a folder should be that is none."""
    return not path.is_dir() and (path.exists() or path.is_symlink())
