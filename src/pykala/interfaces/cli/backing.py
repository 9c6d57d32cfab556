"""`pykala backup` and `pykala restore`: a library as one file with checksums."""

from __future__ import annotations

from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer

from pykala.interfaces.cli.progress import progress_bar
from pykala.interfaces.cli.session import AsJson, LibraryOption, own_library, write
from pykala.interfaces.errors import clear_errors
from pykala.library import Library
from pykala.library.configured import embedder_made_with
from pykala.settings import Settings
from pykala.stores.archiving import back_up, restore
from pykala.stores.embedded.backup import Backup, check
from pykala.stores.postgres.address import shown


def register(app: typer.Typer) -> None:
    """Add the verbs to the program."""
    app.command("backup")(backup_command)
    app.command("restore")(restore_command)


def backup_command(
    archive: Annotated[
        Path, typer.Argument(metavar="ARCHIVE", help="The file to write, such as law.tar.zst.")
    ],
    library: LibraryOption = None,
    unchecked: Annotated[
        bool, typer.Option("--unchecked", help="Do not compare the text with its content hashes first.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Write the library into one file, with a checksum of every part, and read it back to check.

    A library whose text was altered is refused. Readers and servers go on meanwhile; writers wait.
    """
    with clear_errors(), progress_bar(as_json) as progress:
        made = back_up(
            own_library(library),
            archive,
            made_at=datetime.now(UTC),
            version=version("pykala"),
            checked=not unchecked,
            progress=progress,
        )
    checks = "; the text was not compared with its content hashes" if unchecked else " and checked"
    _tell(as_json, archive, made, f"{archive.stat().st_size / 1e6:,.1f} MB written{checks}")


def restore_command(
    archive: Annotated[Path, typer.Argument(metavar="ARCHIVE", help="A file that 'pykala backup' wrote.")],
    library: LibraryOption = None,
    only_check: Annotated[
        bool, typer.Option("--check", help="Compare the checksums; unpack nothing.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Unpack a backup into an empty folder, compare every checksum, and open the library to check.

    A library in PostgreSQL is restored into an empty database, one of a cluster into that and Qdrant.
    """
    folder = library or Settings.read().library
    with clear_errors():
        if only_check:
            found, done = check(archive), "every checksum is right"
        else:
            found, done = _restored(archive, folder), f"restored into {shown(folder)}"
            with Library.open(folder, embedder=None) as opened:
                opened.stats()
    _tell(as_json, archive, found, done)


def _restored(archive: Path, library: Path) -> Backup:
    settings = Settings.read()
    return restore(archive, library, embedder_for=lambda place: embedder_made_with(settings, place))


def _tell(as_json: bool, archive: Path, backup: Backup, done: str) -> None:
    data = {
        "archive": str(archive),
        "made_at": backup.made_at,
        "version": backup.version,
        "files": len(backup.files),
        "bytes": backup.size,
    }
    line = f"{len(backup.files):,} files, {backup.size / 1e6:,.1f} MB, made at {backup.made_at}; {done}"
    write(as_json, lambda: data, lambda console: console.print(line))
