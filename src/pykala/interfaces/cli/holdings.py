"""`pykala inbox`, `delete`, `reindex` and `stats`: the library's contents, and changes to them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter, sleep
from typing import Annotated

import typer

from pykala.interfaces.cli import output, render
from pykala.interfaces.cli.progress import progress_bar
from pykala.interfaces.cli.session import AsJson, LibraryOption, own_library, reading, write
from pykala.interfaces.cli.terminal import readable
from pykala.interfaces.errors import clear_errors
from pykala.interfaces.exits import HELD_BACK
from pykala.library.configured import embedder as configured_embedder
from pykala.library.configured import open_configured
from pykala.library.inbox import require_inbox
from pykala.settings import Settings
from pykala.stores.opening import reindex
from pykala.stores.postgres.address import shown

INBOX_SECONDS = 2.0


def register(app: typer.Typer) -> None:
    """Add the verbs to the program."""
    app.command("inbox")(inbox_command)
    app.command("delete")(delete_command)
    app.command("reindex")(reindex_command)
    app.command("stats")(stats_command)


def inbox_command(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="Folder with PDF, DOCX, HTML, MD or TXT files.")
    ],
    library: LibraryOption = None,
    watch: Annotated[bool, typer.Option("--watch", help="Keep watching the folder.")] = False,
    prune: Annotated[bool, typer.Option("--prune", help="Remove uploads that are no longer there.")] = False,
    as_json: AsJson = False,
) -> None:
    """Read your own documents into the library; they never outrank an official source."""
    own = library or Settings.read().library
    held = False
    wait = _every(INBOX_SECONDS) if watch else lambda: False
    with clear_errors():
        require_inbox(folder)  # a mistyped folder must not create an empty library
        with open_configured(own, Settings.read(), writable=True, create=True) as opened:
            for report in opened.inbox(folder, prune=prune, wait=wait):
                write(as_json, partial(output.inbox_json, report), partial(render.inbox, report=report))
                held = bool(report.held)  # from the last scan
    if held:
        raise typer.Exit(HELD_BACK)


def delete_command(
    work: Annotated[str, typer.Argument(metavar="WORK", help="The work to remove, such as ca:act:E-5.6.")],
    library: LibraryOption = None,
) -> None:
    """Remove a work from the library."""
    with (
        clear_errors(),
        open_configured(own_library(library), Settings.read(), writable=True) as opened,
    ):
        opened.delete(readable(work))


def reindex_command(
    library: LibraryOption = None,
    without_vectors: Annotated[
        bool, typer.Option("--without-vectors", help="Search by words alone: no embedder, a smaller library.")
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Write all indexes anew, also those that are as they should be.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Write the indexes anew from the records, with this version's text analysis and the embedder set.

    In a folder, an index that they would write as it is, and that matches its checksums, stays; those of a
    database are always written. Questions are answered from the present indexes until the new ones are
    complete, also where the command is stopped before.
    """
    settings, started = Settings.read(), perf_counter()
    with clear_errors(), progress_bar(as_json, "indexing", before="checking the indexes") as progress:
        place = own_library(library)
        embedder = None if without_vectors else configured_embedder(settings, place)
        rebuilt = reindex(place, embedder=embedder, force=force, progress=progress)
    seconds = perf_counter() - started
    said = (
        f"The indexes were written anew in {seconds:,.1f} seconds."
        if rebuilt
        else "The indexes are current and match their checksums: nothing was written"
        " ('--force' writes them anew)."
    )
    write(
        as_json,
        lambda: {"library": shown(place), "rebuilt": rebuilt, "seconds": round(seconds, 1)},
        lambda console: console.print(said, markup=False, highlight=False),
    )


def stats_command(library: LibraryOption = None, as_json: AsJson = False) -> None:
    """Say how much the library holds."""
    with reading(library) as opened:
        held = opened.stats()
        folder = str(opened.store.folder or "")
        write(
            as_json,
            lambda: output.stats_json(held, folder),
            lambda console: render.stats(console, held, folder),
        )


def _every(seconds: float) -> Callable[[], bool]:
    def wait() -> bool:
        sleep(seconds)
        return True

    return wait
