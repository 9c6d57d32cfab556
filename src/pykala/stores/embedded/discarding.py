"""Remove whatever is at a path: a folder, a file or a link."""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path


def discard(path: Path) -> None:
    """Remove a folder and its contents, a file, or a link but not its target."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            path.unlink(missing_ok=True)


def is_in_the_way(path: Path) -> bool:
    """Whether something that is not a folder is where a folder should be."""
    return not path.is_dir() and (path.exists() or path.is_symlink())
