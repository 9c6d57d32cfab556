"""Shared by all commands: open the library, print errors in one line, write JSON or text."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from shlex import quote
from typing import Annotated

import typer
from rich.console import Console

from pykala.answer.caveats import of_library
from pykala.interfaces.cli.render_answer import sample_notice
from pykala.interfaces.cli.terminal import console, json_text
from pykala.interfaces.errors import clear_errors
from pykala.interfaces.exits import LIBRARY_UNUSABLE, fail
from pykala.interfaces.telemetry import watcher
from pykala.library import Library
from pykala.library.chosen import chosen_library
from pykala.library.configured import open_configured
from pykala.settings import Settings
from pykala.stores.opening import is_library, open_store, scheme_of
from pykala.stores.store import Store

LibraryOption = Annotated[
    Path | None,
    typer.Option(
        "--library",
        help="Folder, postgresql://… or cluster:FILE of the library; default: your own, else the sample.",
    ),
]
AsOf = Annotated[
    str | None, typer.Option("--as-of", help="Date whose law counts, YYYY-MM-DD; default: today.")
]
Language = Annotated[
    str | None, typer.Option("--language", help="fi, sv, en or fr; default: as the question.")
]
TextLanguage = Annotated[
    str | None, typer.Option("--language", help="fi, sv, en or fr; default: the law's own.")
]
Jurisdiction = Annotated[
    str | None, typer.Option("--jurisdiction", help="Only this pack's law, such as fi or ca.")
]
Home = Annotated[
    str | None,
    typer.Option(
        "--home",
        help="Whose law counts where a question gives no sign of a place; default: PYKALA_HOME_PLACE.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Write JSON for programs.")]


@contextmanager
def reading(folder: Path | None) -> Iterator[Library]:
    """Open the library given, else the user's own, else the sample."""
    settings = Settings.read()
    with clear_errors():
        folder = chosen_library(folder, settings)
        with watcher(settings.telemetry) as watching:
            watch = watching.watching if watching else None
            with open_configured(folder, settings, watch=watch) as library:
                yield library


def own_library(given: Path | None) -> Path:
    """The library given, else the user's own; it must be there, for the sample cannot stand in for it."""
    folder = given or Settings.read().library
    if not scheme_of(folder) and not is_library(folder):
        option = f" --library {quote(str(folder))}" if given else ""
        fail(f"there is no library in {folder}; 'pykala get fi{option}' makes one", LIBRARY_UNUSABLE)
    return folder


@contextmanager
def records(folder: Path | None) -> Iterator[Store]:
    """Open only the library's records: no model is loaded, and vectors of another model do not matter."""
    with clear_errors(), closing(open_store(chosen_library(folder, Settings.read()))) as store:
        yield store


def write(as_json: bool, data: Callable[[], object], draw: Callable[[Console], None]) -> None:
    """Print JSON for programs, or text for people."""
    if as_json:
        sys.stdout.write(json_text(data(), indent=2) + "\n")
    else:
        draw(console())


def write_law(
    library: Library,
    as_json: bool,
    data: Callable[[], object],
    draw: Callable[[Console], None],
    places: Iterable[str] = (),
) -> None:
    """The same for what a library holds; above the text it is said where the library is only the sample."""

    def noticed(to: Console) -> None:
        sample_notice(to, of_library(library.store.facts()), places)
        draw(to)

    write(as_json, data, noticed)
