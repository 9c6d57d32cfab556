"""`pykala verify`: check a library's files, and repair them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from pykala.interfaces.cli.session import AsJson, LibraryOption, own_library, write
from pykala.interfaces.errors import clear_errors
from pykala.interfaces.exits import LIBRARY_UNUSABLE
from pykala.library.configured import embedder as configured_embedder
from pykala.models.bundled.lazy import bundled_for
from pykala.models.embedder import Embedder
from pykala.models.unusable import UnusableModel
from pykala.settings import Settings
from pykala.stores.opening import made_with, scheme_of, verify
from pykala.stores.postgres.address import shown
from pykala.stores.verification import Verification


def register(app: typer.Typer) -> None:
    """Add the verb to the program."""
    app.command("verify")(verify_command)


def verify_command(
    folder: Annotated[
        Path | None,
        typer.Argument(metavar="LIBRARY", help="Folder or address of the library; default: your own."),
    ] = None,
    repair: Annotated[bool, typer.Option("--repair", help="Mend what can be mended.")] = False,
    library: LibraryOption = None,
    as_json: AsJson = False,
) -> None:
    """Check that a library is what was written: pages, content hashes, checksums, indexes against records.

    It reads everything; no other process can write meanwhile. The exit code is 3 while something damaged
    is left.
    """
    settings = Settings.read()
    own = own_library(folder or library)
    with clear_errors():
        found = verify(own, embedder=_embedder(own, settings), repair=repair)
    write(as_json, lambda: _verification_json(own, found), lambda console: _show(console, own, found))
    if not found.is_whole:
        raise typer.Exit(LIBRARY_UNUSABLE)


def _embedder(folder: Path, settings: Settings) -> Embedder | None:
    """The embedder of the library's vectors, if it is available."""
    try:
        fingerprint = made_with(folder)
    except Exception:  # verify() itself reports unreadable records
        return None
    if not fingerprint:
        return None
    chosen = configured_embedder(settings, folder) if settings.embedder.is_set else bundled_for(fingerprint)
    if chosen is None or isinstance(chosen, UnusableModel) or chosen.fingerprint != fingerprint:
        return None
    return chosen


def _verification_json(folder: Path, found: Verification) -> dict[str, object]:
    return {
        "library": shown(folder),
        "whole": found.is_whole,
        "checked": found.checked,
        "damaged": [
            {"part": one.part, "what": one.what, "mended": one.mended, "next": one.next_step}
            for one in found.findings
        ],
        "not_covered": found.not_covered,
    }


def _show(console: Console, folder: Path, found: Verification) -> None:
    def line(text: str) -> None:
        console.print(text, markup=False, highlight=False)

    line("Checked: " + ", ".join(f"{count:,} {what}" for what, count in found.checked.items()))
    for one in found.not_covered:
        line(f"Not covered: {one}")
    for finding in found.findings:
        mended = "mended" if finding.mended else finding.next_step or "not mended"
        line(f"Damaged: {finding.part}: {finding.what} ({mended})")
    if not found.findings:
        line("Everything that was checked is as it was written.")
    elif found.is_whole:
        line("Everything that was damaged is mended.")
    elif any(one.part == "database" for one in found.findings) and not scheme_of(folder):
        line(
            "The records themselves cannot be mended: restore the library from a backup ('pykala restore'),"
            " or ingest into a new folder ('pykala ingest PACK --library NEW_FOLDER'). Where you have a copy"
            " of library.db alone, put it back and run 'pykala reindex --force'."
        )
    elif any(not one.mended and one.part != "records" for one in found.findings):
        line(f"Mend it with 'pykala verify {shown(folder)} --repair'.")
