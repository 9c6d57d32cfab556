"""Convert a library's errors to one line and an exit code."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pykala.fetch.confined import TookTooMuch
from pykala.fetch.refusals import MirrorFault, SourceUnreachable
from pykala.interfaces.exits import LIBRARY_UNUSABLE, NOT_UNDERSTOOD, UNREACHABLE, fail
from pykala.interfaces.telemetry import TelemetryMissing
from pykala.law.identifiers import InvalidIdentifier
from pykala.models.failures import ModelError
from pykala.packs.pack import PackBroken, UnknownPack
from pykala.stores.store import NotInForce, StoreError, UnknownProvision


def _mistakes() -> tuple[type[Exception], ...]:
    """Errors of a request; those of reading sources are loaded only when something failed."""
    from pykala.ingest import WrongPack
    from pykala.online.source import UnknownSubject

    asked = (UnknownProvision, NotInForce, UnknownPack, InvalidIdentifier, MirrorFault, TookTooMuch)
    return (*asked, UnknownSubject, WrongPack)


def _unusable() -> tuple[type[Exception], ...]:
    from pykala.fetch.workers import WorkerLost

    return StoreError, WorkerLost, PackBroken, ModelError, TelemetryMissing


@contextmanager
def clear_errors() -> Iterator[None]:
    """Exit with one line that says what to do, and an exit code for programs."""
    try:
        yield
    except SourceUnreachable as error:
        fail(str(error), UNREACHABLE)
    except _mistakes() as error:
        fail(str(error), NOT_UNDERSTOOD)
    except _unusable() as error:
        fail(str(error), LIBRARY_UNUSABLE)
    except BrokenPipeError:
        raise
    except OSError as error:
        fail(f"{error.filename or 'a file'}: {error.strerror or error}", LIBRARY_UNUSABLE)
