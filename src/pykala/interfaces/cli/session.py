"""What every verb does around its own work: open the library, give errors one line, write for two readers."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from pykala.fetch.confined import TookTooMuch
from pykala.fetch.refusals import MirrorFault, SourceUnreachable
from pykala.fetch.workers import WorkerLost
from pykala.ingest import WrongPack
from pykala.interfaces.cli.said import LIBRARY_UNUSABLE, NOT_UNDERSTOOD, UNREACHABLE, fail
from pykala.interfaces.cli.terminal import console, json_text
from pykala.interfaces.telemetry import TelemetryMissing, watcher
from pykala.law.identifiers import InvalidIdentifier
from pykala.library import Library
from pykala.library.chosen import chosen_library
from pykala.library.configured import open_configured
from pykala.models.failures import ModelError
from pykala.online.source import UnknownSubject
from pykala.packs.pack import PackBroken, UnknownPack
from pykala.settings import Settings
from pykala.stores.opening import open_store
from pykala.stores.store import NotInForce, Store, StoreError, UnknownProvision

_MISTAKES = (
    UnknownProvision,
    NotInForce,
    UnknownPack,
    UnknownSubject,
    InvalidIdentifier,
    MirrorFault,
    TookTooMuch,
    WrongPack,
)

LibraryOption = Annotated[
    Path | None,
    typer.Option(
        "--library", help="Folder or postgresql://… of the library; default: your own, else the sample."
    ),
]
AsOf = Annotated[
    str | None, typer.Option("--as-of", help="Date whose law counts, YYYY-MM-DD; default: today.")
]
Language = Annotated[
    str | None, typer.Option("--language", help="fi, sv, en or fr; default: as the question.")
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
    """The library asked for, else one's own, else the sample."""
    settings = Settings.read()
    with clear_errors():
        folder = chosen_library(folder, settings)
        with watcher(settings.telemetry) as watching:
            watch = watching.watching if watching else None
            with open_configured(folder, settings, watch=watch) as library:
                yield library


@contextmanager
def records(folder: Path | None) -> Iterator[Store]:
    """The same library's records alone: no model is loaded, and vectors of another model do no harm."""
    with clear_errors(), closing(open_store(chosen_library(folder, Settings.read()))) as store:
        yield store


@contextmanager
def clear_errors() -> Iterator[None]:
    """One line that says what to do, and an exit code that programs can tell apart."""
    try:
        yield
    except SourceUnreachable as error:
        fail(str(error), UNREACHABLE)
    except _MISTAKES as error:
        fail(str(error), NOT_UNDERSTOOD)
    except (StoreError, WorkerLost, PackBroken, ModelError, TelemetryMissing) as error:
        fail(str(error), LIBRARY_UNUSABLE)
    except BrokenPipeError:
        raise
    except OSError as error:
        fail(f"{error.filename or 'a file'}: {error.strerror or error}", LIBRARY_UNUSABLE)


def write(as_json: bool, data: Callable[[], object], draw: Callable[[Console], None]) -> None:
    """JSON for programs, or what people see."""
    if as_json:
        sys.stdout.write(json_text(data(), indent=2) + "\n")
    else:
        draw(console())
