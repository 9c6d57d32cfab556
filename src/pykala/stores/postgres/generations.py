"""Numbered generations of the index files in a folder that all servers share.

    indexes/
        generations/00000012/   text, vectors, asked, glossary.db, standing-*.npy, checksums.json
        generations/draft-ab12…/    the next one, as it is written

A generation is written completely before the database names it, and never changed afterwards: its bytes stay
as they are, although the next generation may append to a column file that both share. A generation that the
database does not name was left by a killed writer; the next writer removes it. A draft has a name of its own:
a writer that the database has let go of, and that does not know it yet, writes into no other one's.
"""

from __future__ import annotations

import os
import secrets
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Final

#: Generations before the current one that stay, for readers that are about to open them.
KEPT: Final = 2
_DRAFT: Final = "draft-"


class Generations:
    """The generations in a folder."""

    #: Whether the folder is a copy of this machine, so that it may be removed and made anew.
    is_copy: bool = False

    def __init__(self, root: Path) -> None:
        self.root = root
        self._folder = root / "generations"

    def folder(self, number: int) -> Path:
        """The folder of a generation."""
        return self._folder / f"{number:08d}"

    def begin(self, number: int, *, empty: bool = False) -> Path:
        """A draft of the generation after `number`: links to its files, which take no space; or empty."""
        new, old = self._folder / f"{_DRAFT}{secrets.token_hex(8)}", self.folder(number)
        self.discard(self.folder(number + 1))
        new.mkdir(parents=True)
        os.utime(self.root)  # it is used (`copies.tidy`)
        for path in sorted(old.rglob("*")) if old.is_dir() and not empty else ():
            into = new / path.relative_to(old)
            if path.is_dir():
                into.mkdir()
            elif not path.name.endswith(".lock"):
                _link(path, into)
        return new

    def finish(self, draft: Path, number: int) -> None:
        """Give a whole draft its number."""
        draft.rename(self.folder(number))

    def fetched(self, number: int) -> Path:
        """The local folder of a generation."""
        return self.folder(number)

    def publish(self, number: int) -> None:
        """Make a generation available to other machines, before the database names it."""
        sync(self.folder(number))
        with suppress(FileNotFoundError):  # a library without index files
            _sync(self._folder)

    def named(self) -> None:
        """Note that the database names the last published generation."""

    def remove(self) -> None:
        """Remove every generation and the other files."""
        shutil.rmtree(self.root, ignore_errors=True)

    def discard(self, folder: Path) -> None:
        """Remove a draft, or a generation that the database does not name."""
        shutil.rmtree(folder, ignore_errors=True)

    def discard_all_but(self, current: int) -> None:
        """Remove all but the last few generations, and what a killed writer left."""
        if not self._folder.is_dir():
            return
        for path in self._folder.iterdir():
            wanted = path.name.isdigit() and current - KEPT <= int(path.name) <= current
            if not wanted and (path.name.isdigit() or path.name.startswith(_DRAFT)):
                shutil.rmtree(path, ignore_errors=True)

    def discard_before(self, current: int) -> None:
        """Remove generations older than the last few; a newer one may be another process's, being written."""
        for path in self._folder.iterdir() if self._folder.is_dir() else ():
            if path.name.isdigit() and int(path.name) < current - KEPT:
                shutil.rmtree(path, ignore_errors=True)

    def size(self, number: int) -> int:
        """The bytes of a generation's files."""
        return sum(path.stat().st_size for path in self.folder(number).rglob("*") if path.is_file())


def sync(folder: Path) -> None:
    """Flush the files of a generation to disk before the database names it."""
    for path in (folder, *folder.rglob("*")):
        with suppress(FileNotFoundError):  # the full-text index removes its temporary files when it likes
            _sync(path)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _link(path: Path, into: Path) -> None:
    try:
        os.link(path, into)
    except OSError:  # a volume without hard links
        shutil.copy2(path, into)
